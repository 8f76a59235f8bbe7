"""What SECURITY.md and the threat model say is there: every test they name, every file they point to."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.endpoint.server import Endpoint
from tests.runs.items import tram
from tests.runs.running import ROOT, Bench

SECURITY, THREATS = ROOT / "SECURITY.md", ROOT / "docs" / "threat-model.md"
NAMED = sorted(set(re.findall(r"`(tests/\w+\.py)::(\w+)`", SECURITY.read_text() + THREATS.read_text())))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as running:
        yield running


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_named_test_exists(file: str, name: str) -> None:
    """And none of them is skipped."""
    functions = [
        node
        for node in ast.parse((ROOT / file).read_text()).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
    ]
    assert len(functions) == 1
    assert "skip" not in " ".join(ast.unparse(mark) for mark in functions[0].decorator_list)


def test_each_of_the_six_promises_names_a_test() -> None:
    """A promise without one is a wish."""
    promises = re.split(r"^\d\. ", SECURITY.read_text().partition("## Dependencies")[0], flags=re.MULTILINE)[1:]
    assert len(promises) == 6
    assert all(re.search(r"`tests/\w+\.py::\w+`", promise) for promise in promises)


@pytest.mark.parametrize("document", [SECURITY, THREATS], ids=["SECURITY.md", "threat-model.md"])
def test_every_link_leads_somewhere(document: Path) -> None:
    """Links and named files of the repository exist."""
    text = document.read_text()
    links = re.findall(r"\]\(([^)#]+)\)", text)
    files = re.findall(r"`(\.ci/[\w./-]+)`", text)
    assert [link for link in links if not (document.parent / link).exists()] == []
    assert [file for file in files if not (ROOT / file).exists()] == []


@pytest.mark.parametrize(
    "identifier",
    ["../../x", "/etc/x", "C:\\x", "CON", ".", "..", "a/b", "x" * 300, "e\u0301", "\u202etxt.exe", "results.jsonl", "-rf"],
)
def test_a_run_folder_has_no_name_made_of_data(endpoint: Endpoint, tmp_path: Path, identifier: str) -> None:
    """Whatever an item and its agent are called, the folder holds the files of any other run and nothing lies beside it."""
    bench = Bench(endpoint, tmp_path)
    plain = bench.score([tram(1)], out="plain")
    hostile = bench.score([tram(1, id=identifier, agent=identifier, question_id=identifier, cluster=identifier)], out="hostile")
    names = [sorted(str(path.relative_to(run.folder)) for path in run.folder.rglob("*")) for run in (plain, hostile)]
    assert names[0] == names[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "hostile", "plain"]
