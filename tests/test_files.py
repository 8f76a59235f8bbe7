"""What the run folder promises: whole files or none, one writer, and a journal that survives a crash."""

import re
import resource
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.errors import RunFolderError
from judge.hashing import decomposition_key, sha256_text
from judge.schema.judgments import Appraisal, Judgment
from judge.schema.labels import UnjudgedReason
from judge.schema.outcomes import Mark, Unjudged
from judge.schema.propositions import Decomposition
from pipelines.files import SUMMARY, RunFolder, json_line, read_manifest
from pipelines.journal import JOURNAL, Journal
from pipelines.proposition_files import DecompositionFile


def judgment(name: str, rationale: str = "fine") -> Judgment:
    content = Appraisal(mark=Mark(value=3, rationale=rationale))
    return Judgment(request_sha256=sha256_text(name), identity_id=sha256_text("judge"), content=content)


def failure(name: str) -> Judgment:
    content = Unjudged(reason=UnjudgedReason.SERVER_ERROR, detail="500")
    return Judgment(request_sha256=sha256_text(name), identity_id=sha256_text("judge"), content=content)


@pytest.fixture
def journal_path(tmp_path: Path) -> Path:
    return tmp_path / JOURNAL


def journal_with(path: Path, *judgments: Judgment) -> None:
    journal = Journal(path)
    for each in judgments:
        journal.append(each)
    journal.close()


# --- the journal ---


def test_the_last_line_of_a_request_counts(journal_path: Path) -> None:
    """A failure that was tried again is replaced by what came of it."""
    journal_with(journal_path, failure("a"), judgment("b"), judgment("a"))
    journal = Journal(journal_path)
    assert journal.get(sha256_text("a")) == judgment("a")
    assert journal.get(sha256_text("b")) == judgment("b")
    assert journal.get(sha256_text("c")) is None
    journal.close()
    assert journal_path.read_bytes().count(b"\n") == 3


def test_a_journal_tells_its_own_lines_from_earlier_ones(journal_path: Path) -> None:
    """What was appended since opening is not what an earlier run left."""
    journal_with(journal_path, judgment("a"))
    journal = Journal(journal_path)
    journal.append(judgment("b"))
    assert [journal.has_appended(sha256_text(name)) for name in "abc"] == [False, True, False]
    journal.append(judgment("a"))
    assert journal.has_appended(sha256_text("a"))
    journal.close()


@given(cut=st.integers(0, 10_000), rationales=st.lists(st.text(), min_size=1, max_size=4))
@settings(deadline=None)
def test_a_cut_journal_keeps_its_whole_lines(tmp_path_factory: pytest.TempPathFactory, cut: int, rationales: list[str]) -> None:
    """Wherever the file was cut off, every whole line is there, the torn one is gone, and new lines follow cleanly."""
    path = tmp_path_factory.mktemp("journal") / JOURNAL
    judgments = [judgment(str(number), rationale) for number, rationale in enumerate(rationales)]
    journal_with(path, *judgments)
    whole = path.read_bytes()[: cut % (path.stat().st_size + 1)]
    path.write_bytes(whole)
    kept = whole.count(b"\n")
    journal = Journal(path)
    assert [journal.get(each.request_sha256) for each in judgments] == [*judgments[:kept], *[None] * (len(judgments) - kept)]
    journal.append(judgment("new"))
    assert journal.get(sha256_text("new")) == judgment("new")
    assert journal.warnings == []
    journal.close()
    assert path.read_bytes() == b"".join(json_line(each).encode() for each in [*judgments[:kept], judgment("new")])


@pytest.mark.parametrize(
    "line", [b"\n", b"garbage\n", b'{"request_sha256":"xyz"}\n', b"\xff\xfe\x00\n", b'{"request_sha256":"\xff'.ljust(90, b"\xff") + b"\n"]
)
def test_a_line_that_is_no_judgment_is_named_and_kept(journal_path: Path, line: bytes) -> None:
    """It is reported by number, the lines round it count, and nothing is deleted."""
    journal_with(journal_path, judgment("a"))
    journal_path.write_bytes(journal_path.read_bytes() + line)
    journal_with(journal_path, judgment("b"))
    journal = Journal(journal_path)
    assert journal.warnings == [f"{JOURNAL}:2: not a judgment; the line is ignored"]
    assert journal.get(sha256_text("a")) == judgment("a")
    assert journal.get(sha256_text("b")) == judgment("b")
    journal.close()
    assert line in journal_path.read_bytes()


def test_a_judgment_that_cannot_be_understood_is_as_if_absent(journal_path: Path) -> None:
    """The request is judged again and the reader is told."""
    journal_path.write_bytes(json_line(judgment("a")).replace("appraisal", "applause").encode())
    journal = Journal(journal_path)
    assert journal.get(sha256_text("a")) is None
    assert journal.warnings == [f"{JOURNAL}: the line at byte 0 cannot be read and its request is judged again"]
    journal.close()


def test_reading_a_journal_changes_nothing(journal_path: Path) -> None:
    """A torn line stays in a recording that is only read."""
    journal_path.write_bytes(json_line(judgment("a")).encode() + b'{"request')
    before = journal_path.read_bytes()
    journal = Journal(journal_path, read_only=True)
    assert journal.get(sha256_text("a")) == judgment("a")
    journal.close()
    assert journal_path.read_bytes() == before


def test_a_journal_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"journal\.jsonl cannot be used"):
        Journal(tmp_path / "missing" / JOURNAL)


# --- the folder ---


def test_one_process_at_a_time(tmp_path: Path) -> None:
    """A second opener is refused until the first one closes; the lock leaves no file."""
    first = RunFolder(tmp_path / "run")
    with pytest.raises(RunFolderError, match="is in use by another process"):
        RunFolder(tmp_path / "run")
    first.close()
    RunFolder(tmp_path / "run").close()
    assert list((tmp_path / "run").iterdir()) == []


def test_a_file_takes_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    """An error while writing leaves the old content."""
    folder = RunFolder(tmp_path)
    folder.write(SUMMARY, ["old"])
    with pytest.raises(ZeroDivisionError):
        folder.write(SUMMARY, (str(1 // number) for number in (1, 0)))
    assert (tmp_path / SUMMARY).read_text() == "old"
    folder.write(SUMMARY, ["n", "ew\n"])
    assert (tmp_path / SUMMARY).read_bytes() == b"new\n"
    folder.close()


def test_a_path_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="file cannot be used"):
        RunFolder(tmp_path / "file")


@pytest.mark.parametrize("room", [0, 10])
def test_a_full_disk_is_named_and_leaves_no_torn_line(journal_path: Path, room: int) -> None:
    """The journal says that it could not be written, and holds what it held before."""
    journal_with(journal_path, judgment("a"))
    before = journal_path.read_bytes()
    journal = Journal(journal_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + room, hard))
    try:
        with pytest.raises(RunFolderError, match="cannot be written"):
            journal.append(judgment("b"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert journal_path.read_bytes() == before
    journal.append(judgment("b"))
    assert journal.get(sha256_text("b")) == judgment("b")
    journal.close()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "the file is empty"),
        ("{", "not valid JSON"),
        ("[]", "$.format: is null, expected 1: it was written by another version"),
        ('{"format": 1}', "$.tool_version: is missing, expected text"),
        ('{"name": "web app"}', "$.format: is null, expected 1: it was written by another version"),
    ],
)
def test_a_manifest_of_something_else_is_refused(tmp_path: Path, content: str, told: str) -> None:
    """The message says what the file is not, and every field that is wrong where it is one of ours."""
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(RunFolderError, match=re.escape(f"manifest.json: {told}")):
        read_manifest(tmp_path)


def test_clearing_takes_only_the_files_of_a_run(tmp_path: Path) -> None:
    """Without a manifest nothing is a run's; with one, foreign files still stay."""
    folder = RunFolder(tmp_path)
    folder.write(SUMMARY, ["x"])
    (tmp_path / "mine.txt").write_text("x")
    folder.clear()
    assert (tmp_path / SUMMARY).exists()
    (tmp_path / "manifest.json").write_text("{}")
    folder.clear()
    folder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


# --- frozen propositions ---


def decomposition(question: str | None, ground_truth: str) -> Decomposition:
    key = decomposition_key(question, ground_truth)
    return Decomposition(question=question, ground_truth=ground_truth, key=key, origin="human", propositions=())


@given(texts=st.lists(st.text(), unique=True, max_size=5))
@settings(deadline=None)
def test_decompositions_are_found_by_key(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    """Whatever the texts hold, each is found under its own key, in file order."""
    path = tmp_path_factory.mktemp("frozen") / "p.jsonl"
    written = [decomposition(None, text) for text in texts]
    path.write_text("".join(json_line(each) for each in written), encoding="utf-8", newline="\n")
    file = DecompositionFile(path)
    assert list(file.keys()) == [each.key for each in written]
    assert [file.get(each.key) for each in written] == written
    assert file.get("0" * 64) is None
    file.close()


LONG_LIST = "[" * 100_000


@pytest.mark.parametrize(
    "line",
    [
        *("garbage", "[]", "{}", "3", LONG_LIST, f'{{"ground_truth": "a", "propositions": {LONG_LIST}'),
        *('{"ground_truth": "a", "ground_truth": "b"}', '{"ground_truth": "\\ud800"}', '{"key": NaN, "ground_truth": "a"}'),
    ],
    ids=lambda line: line[:40],
)
def test_a_line_that_is_no_decomposition_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f"{json_line(decomposition(None, 'x'))}\n{line}\n")
    with pytest.raises(RunFolderError, match=r"p\.jsonl:3: not a line of propositions"):
        DecompositionFile(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "latin-1"])
def test_propositions_in_another_encoding_are_refused(tmp_path: Path, encoding: str) -> None:
    """They are not half read: the line is named, and UTF-8 asked for."""
    path = tmp_path / "p.jsonl"
    path.write_bytes(json_line(decomposition(None, "Café.")).encode(encoding))
    with pytest.raises(RunFolderError, match=r"p\.jsonl:1: not a line of propositions: not UTF-8"):
        DecompositionFile(path)


def test_propositions_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Editors write one; it is no part of the first line, and not copied into a run."""
    path = tmp_path / "p.jsonl"
    line = json_line(decomposition(None, "x"))
    path.write_text(line, encoding="utf-8-sig")
    file = DecompositionFile(path)
    assert [text for _, text in file.lines()] == [line]
    file.close()


def test_a_decomposition_of_another_shape_is_named_with_its_field(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"key": "abc", "ground_truth": "x", "propositions": "none"}\n')
    file = DecompositionFile(path)
    with pytest.raises(RunFolderError, match=r"p.jsonl:1: `propositions` is str, expected a list"):
        file.get("abc")
    file.close()


@given(
    first=st.tuples(st.none() | st.text(), st.text(min_size=1), st.lists(st.text(), max_size=2)),
    second=st.tuples(st.none() | st.text(), st.text(min_size=1), st.lists(st.text(), max_size=2)),
)
def test_keys_are_equal_only_for_equal_texts(first: tuple[str | None, str, list[str]], second: tuple[str | None, str, list[str]]) -> None:
    """Question, ground truth and given propositions all belong to the key; no text runs over into its neighbour."""
    assert (decomposition_key(*first) == decomposition_key(*second)) == (first == second)
