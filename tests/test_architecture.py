"""Arrows point one way, heavy libraries stay where they belong, and importing costs nothing; proven from the source."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

LAYERS: list[list[str]] = [
    ["judge.schema", "judge.version"],
    ["judge.redaction"],
    [
        "judge.errors",
        "judge.hashing",
        "judge.link_local",
        "judge.logs",
        "judge.metrics",
        "judge.statistics",
        "judge.text",
    ],
    ["judge.lengths", "judge.lint"],
    ["judge.batches"],
    [
        "judge.answer_diagnostics",
        "judge.checks",
        "judge.columns",
        "judge.merging",
        "judge.offline_split",
        "judge.panel",
        "judge.planning",
        "judge.prices",
        "judge.prompt",
        "judge.protocol",
        "judge.references",
        "judge.reply",
        "judge.standard",
        "judge.votes",
    ],
    ["judge.half_credit", "judge.price_list", "judge.relations", "judge.session", "judge.signals"],
    ["judge.assembling", "judge.auditing", "judge.calling", "judge.expected_replies", "judge.resplitting", "judge.scorecard"],
    ["judge.asking"],
    ["judge.backends.lexical", "judge.backends.llm", "judge.backends.replay", "judge.cache"],
    [
        "pipelines.address_variables",
        "pipelines.counting",
        "pipelines.disclosing",
        "pipelines.noticing",
        "pipelines.run_names",
        "pipelines.write_faults",
    ],
    ["pipelines.config", "pipelines.readers", "pipelines.reports"],
    ["pipelines.documents", "pipelines.endpoints", "pipelines.journal"],
    ["pipelines.calibrating", "pipelines.files", "pipelines.proposition_files", "pipelines.sessions"],
    ["pipelines.named_paths", "pipelines.pricing"],
    ["pipelines.spending"],
    [
        "pipelines.campaigns",
        "pipelines.drifting",
        "pipelines.entries",
        "pipelines.gates",
        "pipelines.judges",
        "pipelines.manifest",
        "pipelines.rendering",
        "pipelines.run_record",
        "pipelines.running",
        "pipelines.sources",
        "pipelines.summarising",
    ],
    [
        "pipelines.decomposing",
        "pipelines.ending",
        "pipelines.ranking",
        "pipelines.same_run",
        "pipelines.voices",
    ],
    ["pipelines.earlier_splits", "pipelines.judging"],
    ["pipelines.panel_tally"],
    ["pipelines.freezing"],
    ["pipelines.open_run"],
    ["pipelines.panels"],
    ["pipelines.estimates", "pipelines.scoring"],
    [
        "pipelines.api",
        "pipelines.audits",
        "pipelines.caching",
        "pipelines.campaigning",
        "pipelines.measuring",
        "pipelines.reporting",
        "pipelines.splitting",
    ],
    ["pipelines.cli"],
]
"""Low to high. A module may import from strictly lower layers only; the files of one room from each other, without a cycle."""

ROOMS = {
    "judge.auditing",
    "judge.cache",
    "judge.calling",
    "judge.schema",
    "judge.text",
    "judge.lint",
    "judge.metrics",
    "judge.relations",
    "judge.statistics",
    "judge.standard",
    "judge.session",
    "pipelines.audits",
    "pipelines.campaigns",
    "pipelines.documents",
    "pipelines.estimates",
    "pipelines.readers",
    "pipelines.reports",
    "pipelines.sessions",
    "pipelines.cli",
}

HOMES = {
    "litellm": "judge.calling.client",
    "instructor": "judge.calling.client",
    "nltk": "judge.text.stems",
    "diskcache": "judge.cache.store",
}
HEAVY = [*HOMES, "pandas", "scipy", "ray"]


def _sources() -> dict[str, Path]:
    """Return every module of the two packages, facades left out."""
    paths = [path for package in ("judge", "pipelines") for path in (ROOT / package).rglob("*.py")]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths if path.stem not in ("__init__", "__main__")}


MODULES = _sources()


def _imports(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports anywhere in it; `from a import b` counts as `a.b` where that is a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            for alias in node.names:
                dotted = f"{node.module}.{alias.name}"
                yield dotted if dotted in MODULES else node.module


def _room(module: str) -> str:
    return max((entry for layer in LAYERS for entry in layer if module == entry or module.startswith(entry + ".")), key=len)


def _layer(module: str) -> int:
    return next(number for number, layer in enumerate(LAYERS) if _room(module) in layer)


def test_every_module_has_a_layer() -> None:
    """A new file has to be given its place before anything may import it."""
    for module in MODULES:
        assert _room(module), module


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_point_downwards(module: str) -> None:
    """A module imports strictly lower layers, or files of its own room, and never a facade."""
    for imported in _imports(MODULES[module]):
        if imported.partition(".")[0] not in ("judge", "pipelines"):
            continue
        assert imported in MODULES, f"{module} imports the facade {imported}"
        if _room(imported) == _room(module) and _room(module) in ROOMS:
            continue
        assert _layer(imported) < _layer(module), f"{module} imports {imported}, which is not lower"


def test_rooms_have_no_cycle() -> None:
    """Files of one room may use each other, but only in one direction."""
    graph = {module: [name for name in _imports(path) if name in MODULES] for module, path in MODULES.items()}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize(("library", "home"), sorted(HOMES.items()))
def test_heavy_library_has_one_home(library: str, home: str) -> None:
    """litellm, instructor, nltk and diskcache are each named by the imports of exactly one module."""
    users = [module for module, path in MODULES.items() if any(name.partition(".")[0] == library for name in _imports(path))]
    assert users == [home]


@pytest.mark.parametrize(
    "code", ["import judge, pipelines", "import sys; sys.argv = ['judge', '--help']; from pipelines.cli import main; main()"]
)
def test_importing_is_free(code: str, tmp_path: Path) -> None:
    """Neither the packages nor `judge --help` load a heavy library or create a file."""
    program = f"import atexit, sys; atexit.register(lambda: print('LOADED', *(m for m in {HEAVY!r} if m in sys.modules)))\n{code}"
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        check=True,
    )
    assert done.stdout.strip().splitlines()[-1] == "LOADED"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("package", ["judge", "pipelines"])
def test_public_names_are_sorted_documented_and_there(package: str) -> None:
    """`__all__` is sorted; every name in it can be imported and, if it is a class or function, has a docstring."""
    module = __import__(package)
    assert module.__all__ == sorted(module.__all__)
    for name in module.__all__:
        value = getattr(module, name)
        assert not callable(value) or value.__doc__, name


def test_layers_name_only_what_exists() -> None:
    """The table does not keep rooms that are gone."""
    for entry in (entry for layer in LAYERS for entry in layer):
        assert any(module == entry or module.startswith(entry + ".") for module in MODULES), entry
