"""What is installed beside us: no compromised release, nothing that runs unasked, nothing that is fetched at run time."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.runs.running import ROOT

COMPROMISED = (Version("1.82.7"), Version("1.82.8"))
"""Releases of litellm that carried a credential stealer."""

FLOOR = Version("1.84.0")
"""The first release of litellm without the known faults of its proxy."""


def test_the_installed_litellm_is_none_of_the_compromised_releases() -> None:
    """Nor is it older than the releases in which the known faults were mended."""
    installed = Version(version("litellm"))
    assert installed not in COMPROMISED
    assert installed >= FLOOR


def test_no_compromised_release_can_be_resolved() -> None:
    """The requirement itself keeps them out, in every environment."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (litellm,) = [each for each in map(Requirement, project["dependencies"]) if each.name == "litellm"]
    for refused in (*map(str, COMPROMISED), "1.83.14"):
        assert not litellm.specifier.contains(refused)
    assert "proxy" not in litellm.extras


# Files that Python runs at every start.

ALLOWED = {
    "distutils-precedence.pth": "setuptools",
    "a1_coverage.pth": "coverage",
    "_virtualenv.pth": "virtualenv",
    "pytest-cov.pth": "pytest-cov",
}
"""Path files with code that are known, and the distribution each belongs to (virtualenv writes its own into an environment)."""

_EDITABLE = re.compile(r"import __editable___\w+_finder; __editable___\w+_finder\.install\(\)")


def code_in_path_files(folder: Path) -> Iterator[str]:
    """Yield each line of a `.pth` file that Python would run at every start and that is not known."""
    owners = {
        file.name: each.name.lower() for each in distributions(path=[str(folder)]) for file in each.files or () if file.suffix == ".pth"
    }
    for path in sorted(folder.glob("*.pth")):
        # `site` runs a line that begins with import; any other one names a folder.
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            is_known = ALLOWED.get(path.name) == owners.get(path.name, "virtualenv") or _EDITABLE.fullmatch(line.strip())
            if line.startswith(("import ", "import\t")) and not is_known:
                yield f"{path.name} of {owners.get(path.name, 'nobody')}: {line[:200]}"


def test_no_unexpected_path_file_runs_code() -> None:
    """That is how a compromised release ran in every Python process of an environment, whether it was imported or not."""
    folders = {Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages") and Path(entry).is_dir()}
    assert folders
    assert [line for folder in sorted(folders) for line in code_in_path_files(folder)] == []


def planted(folder: Path, name: str, line: str, owner: str | None) -> None:
    (folder / name).write_text(f"/some/folder\n{line}\n")
    if owner is not None:
        record = folder / f"{owner}-1.0.dist-info"
        record.mkdir()
        (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {owner}\nVersion: 1.0\n")
        (record / "RECORD").write_text(f"{name},,\n{record.name}/METADATA,,\n{record.name}/RECORD,,\n")


@pytest.mark.parametrize(
    ("name", "line", "owner", "is_found"),
    [
        ("litellm_init.pth", "import os; os.system('steal')", "litellm", True),
        ("anything.pth", "import subprocess", None, True),
        ("a1_coverage.pth", "import evil", "litellm", True),
        ("__editable__.x.pth", "import evil", None, True),
        ("a1_coverage.pth", "import sys; exec('...')", "coverage", False),
        ("__editable__.x.pth", "import __editable___x_1_0_finder; __editable___x_1_0_finder.install()", None, False),
        ("own.pth", "/somewhere/folder", None, False),
    ],
)
def test_a_planted_path_file_is_found(tmp_path: Path, name: str, line: str, owner: str | None, is_found: bool) -> None:
    """Code is refused by default; what a known distribution brings, and an editable install, is let through."""
    planted(tmp_path, name, line, owner)
    assert bool(list(code_in_path_files(tmp_path))) is is_found


# Nothing is fetched at run time.

_WATCH = """
import sys
def hook(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "pickle.find_class"):
        print("EVENT", event, arguments, flush=True)
sys.addaudithook(hook)
"""


def events(program: str, folder: Path, **env: str) -> list[str]:
    """Return what a program did that reaches outside its process, as Python's own audit events."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JUDGE_", "NLTK", "LITELLM"))}
    done = subprocess.run(
        [sys.executable, "-c", _WATCH + program],
        cwd=folder,
        env={**own, "PYTHONPATH": str(ROOT), "HOME": str(folder), **env},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("EVENT")]


def test_the_watch_sees_a_connection(tmp_path: Path) -> None:
    """A check that finds nothing proves something only if it would have found it."""
    program = "import socket\ntry:\n    socket.create_connection(('127.0.0.1', 9), 1)\nexcept OSError:\n    pass"
    assert any("socket.connect" in line for line in events(program, tmp_path))


def test_the_offline_baseline_fetches_nothing(tmp_path: Path) -> None:
    """nltk needs no data here: without any, and with an empty home, the baseline splits and judges the whole example."""
    example = ROOT / "examples" / "quickstart.jsonl"
    program = f"sys.argv = ['judge', 'score', {str(example)!r}, '--out', 'run', '--quiet']\nfrom pipelines.cli import main\nmain()"
    assert events(program, tmp_path, NLTK_DATA=str(tmp_path / "none")) == []
    assert (tmp_path / "run" / "results.jsonl").stat().st_size > 0
    assert not (tmp_path / "nltk_data").exists()


def test_loading_the_client_libraries_fetches_nothing(tmp_path: Path) -> None:
    """litellm would ask the network for a price list; it is told not to before it is imported."""
    program = """
from judge.calling.client import LiteLLMClient
from judge.price_list import price_of
from judge.schema.settings import ModelSettings
LiteLLMClient(ModelSettings(model="openai/gpt-5-mini", api_base="http://127.0.0.1:9/v1"), "key").prepare()
assert price_of("gpt-5-mini") is not None
assert "litellm" in sys.modules and "instructor" in sys.modules
"""
    assert events(program, tmp_path) == []


def test_our_code_asks_for_no_data_and_no_pickle() -> None:
    """Neither a download of nltk's, nor its data loader, nor pickle is named anywhere in the two packages."""
    sources = [path for package in ("judge", "pipelines") for path in (ROOT / package).rglob("*.py")]
    found = [
        f"{path.name}: {match[0]}"
        for path in sources
        for match in re.finditer(
            r"nltk\.(?:download|data)\b|^\s*(?:import|from) (?:pickle|marshal|shelve)\b|\beval\(|\bexec\(", path.read_text(), re.MULTILINE
        )
    ]
    assert found == []


# The audit of the continuous integration.


def audit(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run the audit with a stand-in for pip-audit that behaves as the script says."""
    tool = folder / "pip-audit"
    tool.write_text(f"#!{sys.executable}\nimport sys\n{script}\n")
    tool.chmod(0o755)
    line = [sys.executable, str(ROOT / ".ci" / "audit.py"), str(tool), str(folder)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


def package(name: str, *faults: str) -> dict[str, Any]:
    return {"name": name, "version": "1.0", "vulns": [{"id": fault, "fix_versions": [], "aliases": []} for fault in faults]}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([package("a"), package("b")], 0, "2 of 2 packages looked up, 0 vulnerabilities"),
        ([package("a"), package("b", "CVE-2099-1")], 1, "audit: b 1.0: CVE-2099-1"),
        ([package("diskcache", "CVE-2025-69872")], 0, "0 vulnerabilities, 2 known ones set aside"),
        ([{"name": "a", "skip_reason": "not found"}], 0, "not done, there are no data here for any of 1 packages"),
        ([{"name": "a", "skip_reason": "not found"}, package("b", "CVE-2099-1")], 1, "1 of 2 packages looked up, 1 vulnerabilities"),
    ],
)
def test_the_audit_fails_for_an_unknown_advisory_only(tmp_path: Path, packages: list[Any], code: int, said: str) -> None:
    """What has an answer is set aside, and what could not be looked up is said."""
    done = audit(tmp_path, f"print({json.dumps(json.dumps({'dependencies': packages}))})")
    assert (done.returncode, done.stderr) == (code, "")
    assert said in done.stdout


@pytest.mark.parametrize("script", ["sys.exit(1)", "print('no JSON')", "print('{}')", "sys.stderr.write('no network'); sys.exit(2)"])
def test_the_audit_goes_on_without_data(tmp_path: Path, script: str) -> None:
    """Without a network the check says that it was not done."""
    done = audit(tmp_path, script)
    assert done.returncode == 0
    assert "audit: not done" in done.stdout


def test_the_audit_passes_every_answered_advisory_on(tmp_path: Path) -> None:
    """Each line of the list is an identifier with a reason; diskcache's is among them."""
    done = audit(tmp_path, f"open({str(tmp_path / 'seen')!r}, 'w').write(' '.join(sys.argv)); print('{{}}')")
    assert done.returncode == 0
    listed = [line.partition(" ") for line in (ROOT / ".ci" / "audit-ignored.txt").read_text().splitlines() if not line.startswith("#")]
    assert {"CVE-2025-69872", "GHSA-w8v5-vhqr-4h9v"} <= {name for name, _, _ in listed}
    for name, _, reason in listed:
        assert f"--ignore-vuln {name}" in (tmp_path / "seen").read_text()
        assert len(reason) > 20
