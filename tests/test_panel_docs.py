"""docs/panels.md tells the truth: its commands that need no key run, and print what stands below them."""

import re
import shlex
from pathlib import Path

from judge.schema.labels import PanelRule
from tests.runs.running import ROOT, command

TEXT = (ROOT / "docs" / "panels.md").read_text(encoding="utf-8")
OFFLINE = [block for block in re.findall(r"^```console\n\$ judge (.*?)\n```$", TEXT, flags=re.MULTILINE) if "replay:" in block]
(SHOWN,) = re.findall(r"^```text\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)


def test_the_commands_run_and_print_what_is_shown(tmp_path: Path) -> None:
    """Both end with 3, since two judges that differ decide nothing; the page says so, and both show the same judges."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert len(OFFLINE) == 2
    first, second = [command(*shlex.split(line), cwd=tmp_path, env={"HOME": str(tmp_path)}) for line in OFFLINE]
    assert (first.returncode, second.returncode) == (3, 3)
    assert "6 no_majority" in first.stderr
    assert "every vote is there, and asking again would change none" in first.stderr
    assert SHOWN in first.stdout
    assert "Panel of 2 judges (unanimity)" in second.stdout


def test_every_rule_is_named() -> None:
    """In code type."""
    assert [rule for rule in PanelRule if f"`{rule}`" not in TEXT] == []
