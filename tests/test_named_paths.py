"""Files as a command line names them: what may be written, and where."""

from pathlib import Path

import pytest

from judge.errors import ConfigError
from pipelines.named_paths import check_outputs, named_twice
from tests.runs.running import ROOT, command

TRACE = ROOT / "examples" / "session" / "trace-1.json"
CAMPAIGN = ROOT / "examples" / "campaign.json"
RUN = ROOT / "examples" / "recorded" / "run"


@pytest.mark.parametrize(
    ("outputs", "told"),
    [
        pytest.param({"--html": "in.json"}, ["--html in.json is an input, which would be written over: name another file"], id="input"),
        pytest.param({"--html": "./run/../in.json"}, ["--html run/../in.json is an input, which"], id="input-another-way"),
        pytest.param({"--html": "link.json"}, ["--html link.json is an input, which"], id="link-to-an-input"),
        pytest.param({"--html": "run/summary.json"}, ["--html run/summary.json is an input, which"], id="file-of-a-run"),
        pytest.param(
            {"--markdown": "r", "--html": "r"},
            ["--html r is the file of --markdown, which would be written over: name another file"],
            id="another-output",
        ),
        pytest.param({"--html": "."}, ["--html . cannot be written: it is a folder"], id="folder"),
        pytest.param({"--html": "no/r"}, ["--html no/r cannot be written: there is no folder "], id="no-folder"),
        pytest.param({"--html": "in.json/r"}, ["--html in.json/r cannot be written: there is no folder "], id="file-for-a-folder"),
        pytest.param(
            {"--markdown": "no/r", "--html": "in.json"}, ["--markdown no/r cannot", "--html in.json is an input"], id="all-at-once"
        ),
        pytest.param({"--markdown": None, "--html": "r"}, [], id="right"),
        pytest.param({"--html": "run/notes.html"}, [], id="beside-the-files-of-a-run"),
        pytest.param({"--html": "n" * 300}, [], id="too-long-a-name-shows-when-written"),
    ],
)
def test_outputs_are_checked(outputs: dict[str, str | None], told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is needed is written over, and every fault is named in one go."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").mkdir()
    (tmp_path / "in.json").write_text("{}", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("in.json")
    try:
        check_outputs({flag: None if name is None else Path(name) for flag, name in outputs.items()}, [Path("in.json"), Path("run"), None])
        lines = []
    except ConfigError as error:
        lines = str(error).splitlines()
    assert len(lines) == len(told)
    assert all(line.startswith(start) for line, start in zip(lines, told, strict=True))


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("crux", TRACE), id="crux"),
        pytest.param(("leaderboard", RUN), id="leaderboard"),
        pytest.param(("campaign", CAMPAIGN), id="campaign"),
    ],
)
def test_commands_refuse_in_the_same_words_and_write_nothing(arguments: tuple[str, Path], tmp_path: Path) -> None:
    """The other report, which could be written, is not."""
    for flag, target, told in (
        ("--html", arguments[1], "is an input, which would be written over"),
        ("--html", tmp_path / "r.md", "is the file of --markdown, which would be written over"),
        ("--html", tmp_path, "cannot be written: it is a folder"),
        ("--html", tmp_path / "no" / "r", f"cannot be written: there is no folder {tmp_path / 'no'}"),
    ):
        run = command(*arguments, "--markdown", tmp_path / "r.md", flag, target)
        assert (run.returncode, run.stdout) == (2, "")
        assert f"{flag} {target} {told}" in run.stderr
        assert list(tmp_path.iterdir()) == []


def test_what_is_named_twice_is_found_under_any_name(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b", tmp_path / "x" / ".." / "a"]
    assert named_twice(paths, "once is enough") == [f"{tmp_path.resolve() / 'a'} is named 2 times: once is enough"]
    assert named_twice(paths[:2], "once is enough") == []
