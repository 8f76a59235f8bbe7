"""docs/auditing.md tells the truth: its commands run as they stand, one after the other, offline."""

import re
import shlex
from pathlib import Path

from tests.runs.running import ROOT, command

TEXT = (ROOT / "docs" / "auditing.md").read_text(encoding="utf-8")
COMMANDS = [
    line.removeprefix("$ judge ")
    for block in re.findall(r"^```console\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def test_the_commands_run(tmp_path: Path) -> None:
    """Each ends with 0, without a key, and without a word on standard error but where its files are."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "OPENAI_API_KEY": ""}
    assert len(COMMANDS) >= 10
    for line in COMMANDS:
        done = command(*shlex.split(line), cwd=tmp_path, env=home)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), f"{line}: {done.stderr}"
        assert done.stdout, line
