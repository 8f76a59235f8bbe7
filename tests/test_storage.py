"""Full disks, folders that cannot be used, damaged caches, signals and clocks: real faults, met by the real command."""

import gc
import json
import os
import pickle
import signal
import socket
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from judge.errors import StorageError
from judge.schema.judgments import Judgment
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.outcomes import Unjudged
from pipelines.files import write_atomically
from pipelines.journal import Journal
from tests.endpoint.server import Endpoint
from tests.runs.forking import Launched, Launcher
from tests.runs.items import read_lines, trams, write_items
from tests.runs.running import Bench, command, line_count, started, wait_until
from tests.runs.small_disks import command_without_override, small_disk

Note = Callable[[str, object], None]
Known = dict[tuple[int, tuple[str, ...]], list[bytes]]
"""Number of items and flags to the files of a run that met no fault."""
FILES = ("results.jsonl", "summary.json")


class Storage(Bench):
    """A bench with a launcher, four items and what an undisturbed run makes of them."""

    def __init__(self, endpoint: Endpoint, folder: Path, launcher: Launcher, known: Known) -> None:
        super().__init__(endpoint, folder)
        self.launcher = launcher
        self.items = write_items(folder / "items.jsonl", trams(4))
        self._known = known

    def start(self, out: str, *flags: str | Path, largest_file: int | None = None) -> Launched:
        """Start `judge score --quiet`, so that warnings stand on standard error."""
        return self.launcher.start("score", self.items, *self.flags(out), "--quiet", *flags, largest_file=largest_file)

    def run(self, out: str, *flags: str | Path, largest_file: int | None = None) -> tuple[int, str, int]:
        """Run to the end; return the exit code, standard error, and how many calls it took."""
        before = self.endpoint.calls()
        process = self.start(out, *flags, largest_file=largest_file)
        return process.wait(), process.stderr.read_text(), self.endpoint.calls() - before

    def bytes_of(self, out: str) -> list[bytes]:
        """Return the files of a run that must not depend on how it came about."""
        return [(self.folder / out / name).read_bytes() for name in FILES]

    def undisturbed(self, *flags: str) -> list[bytes]:
        """Return those files of a run that met no fault; the endpoint then counts from 0."""
        which = (line_count(self.items), flags)
        if which not in self._known:
            assert self.run("undisturbed", "--no-cache", *flags)[0] == 0
            self._known[which] = self.bytes_of("undisturbed")
            self.endpoint.reset()
        return self._known[which]


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    with Launcher() as opened:
        yield opened


@pytest.fixture(scope="module")
def serving() -> Iterator[tuple[Endpoint, Known]]:
    """Return one endpoint for all, since its address is in the files, and what undisturbed runs came to there."""
    with Endpoint() as endpoint:
        yield endpoint, {}


@pytest.fixture
def storage(tmp_path: Path, launcher: Launcher, serving: tuple[Endpoint, Known]) -> Storage:
    endpoint, known = serving
    endpoint.reset()
    endpoint.latency = 0
    return Storage(endpoint, tmp_path, launcher, known)


def check_whole(folder: Path) -> None:
    """Show that a run folder holds whole lines and whole files under their final names, and nothing half written."""
    for path in folder.iterdir() if folder.exists() else ():
        assert not path.name.endswith(".partial")
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            assert text == "" or text.endswith("\n")
            for line in text.splitlines():
                json.loads(line)
        elif path.suffix == ".json":
            json.loads(text)


# --- row 23: signals ---


@pytest.mark.faults
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_row23_a_signal_stops_the_run_and_keeps_what_was_judged(storage: Storage, number: signal.Signals, record_property: Note) -> None:
    """Exit 130, everything judged is kept and the rest is not_run; the same command ends as an undisturbed run does."""
    expected = storage.undisturbed()
    storage.endpoint.latency = 0.2
    process = storage.start("run", "--no-cache", "--max-connections", "2")
    wait_until(lambda: line_count(storage.folder / "run" / "journal.jsonl") >= 6)
    process.send_signal(number)
    assert process.wait() == 130
    errors = process.stderr.read_text()
    assert "once more to leave at once" in errors
    assert "stopped: interrupted; the same command resumes" in errors
    results = read_lines(storage.folder / "run" / "results.jsonl")
    assert len(results) == 4
    assert results[-1]["mark"]["reason"] == "not_run"
    assert json.loads((storage.folder / "run" / "summary.json").read_text())["complete"] is False
    kept = line_count(storage.folder / "run" / "journal.jsonl")
    storage.endpoint.latency = 0
    code, _, calls = storage.run("run", "--no-cache")
    assert (code, calls) == (0, 12 - kept)
    assert storage.bytes_of("run") == expected
    record_property("measured", f"{number.name}: exit 130, {kept} of 12 judgments kept, {calls} calls to finish, identical")


@pytest.mark.faults
def test_row23_a_second_signal_leaves_at_once(storage: Storage) -> None:
    """Whatever is under way: 130, and the folder can be resumed."""
    storage.endpoint.latency = 0.3
    process = storage.start("run", "--no-cache")
    wait_until(lambda: line_count(storage.folder / "run" / "journal.jsonl") >= 1)
    os.kill(process.pid, signal.SIGSTOP)
    for number in (signal.SIGINT, signal.SIGTERM):
        process.send_signal(number)
    os.kill(process.pid, signal.SIGCONT)
    assert process.wait(5) == 130
    storage.endpoint.latency = 0
    assert storage.run("run", "--no-cache")[0] == 0


def test_an_interrupted_decompose_keeps_what_was_split(storage: Storage) -> None:
    """Exit 130, the file holds whole lines, and the same command with --overwrite asks for the rest alone."""
    items = write_items(storage.folder / "many.jsonl", trams(12))
    output = storage.folder / "split.jsonl"
    flags = [flag for flag in storage.flags() if flag not in ("--out", str(storage.folder / "run"))]
    storage.endpoint.latency = 0.2
    process = storage.launcher.start("decompose", items, "-o", output, *flags, "--max-connections", "2")
    wait_until(lambda: storage.endpoint.calls() >= 5)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    kept = len(read_lines(output))
    assert 0 < kept < 12
    errors = process.stderr.read_text()
    assert f"not split: {12 - kept} ground truths not reached: interrupted" in errors
    assert f"what was split is in {output}; the same command with --overwrite keeps it and splits the rest" in errors
    storage.endpoint.latency = 0
    storage.endpoint.reset()
    assert storage.launcher.start("decompose", items, "-o", output, *flags, "--overwrite").wait() == 0
    assert len(read_lines(output)) == 12
    assert storage.endpoint.calls(RequestKind.DECOMPOSE) == 12 - kept


# --- row 24: full disks ---


@pytest.mark.faults
@pytest.mark.parametrize(
    ("room", "refused"),
    [
        pytest.param(0, None, id="nothing-at-all"),
        pytest.param(1_500, "manifest.json", id="manifest"),
        pytest.param(5_000, "results.jsonl", id="journal-and-results"),
        pytest.param(7_000, "summary.json", id="summary"),
        pytest.param(12_000, "report.html", id="report"),
    ],
)
def test_row24_a_full_disk_stops_the_run_and_loses_nothing(storage: Storage, room: int, refused: str | None, record_property: Note) -> None:
    """Exit 3 naming the file, no half file anywhere, and the same command resumes to the same bytes."""
    expected = storage.undisturbed()
    code, errors, calls = storage.run("run", "--no-cache", largest_file=room)
    assert code == 3
    assert "Traceback" not in errors
    if refused is not None:
        found = f"judge: {storage.folder / 'run' / refused} cannot be written: the disk is full (File too large): make room; "
        assert errors == found + "what was judged before is kept, and the same command resumes\n"
    check_whole(storage.folder / "run")
    kept = line_count(storage.folder / "run" / "journal.jsonl")
    again, _, repeated = storage.run("run", "--no-cache")
    assert (again, repeated) == (0, 12 - kept)
    assert storage.bytes_of("run") == expected
    record_property(
        "measured", f"{room} bytes: exit 3 at {refused}, {calls} calls, {kept} lines kept, {repeated} calls to finish, identical"
    )


@pytest.mark.faults
def test_row24_a_full_journal_stops_the_run_and_the_results_are_written(storage: Storage) -> None:
    """Where only the journal has no room, the run ends with its files: what stands in no journal is not_run."""
    flags = ("--repeats", "9", "--no-cache", "--max-connections", "1")
    expected = storage.undisturbed("--repeats", "9")
    code, errors, _ = storage.run("run", *flags, largest_file=30_000)
    journal = storage.folder / "run" / "journal.jsonl"
    assert code == 3
    assert f"stopped: {journal} cannot be written: the disk is full (File too large): make room; the same command resumes" in errors
    check_whole(storage.folder / "run")
    assert journal.stat().st_size <= 30_000
    manifest = json.loads((storage.folder / "run" / "manifest.json").read_text())
    assert (manifest["state"], manifest["exit_code"]) == ("stopped", 3)
    results = read_lines(storage.folder / "run" / "results.jsonl")
    assert len(results) == 4
    assert results[0]["mark"]["kind"] == "verdict"
    assert results[-1]["mark"]["reason"] == "not_run"
    kept = line_count(journal)
    again, _, calls = storage.run("run", *flags)
    assert (again, calls) == (0, 4 + 4 * 9 * 2 - kept)
    assert storage.bytes_of("run") == expected


@pytest.mark.faults
@pytest.mark.parametrize("room", [pytest.param(20_000, id="not-even-opened"), pytest.param(280_000, id="full-later")])
def test_row24_a_cache_without_room_costs_entries_and_not_the_run(storage: Storage, room: int) -> None:
    """Everything is judged, exit 0, one warning; what was kept is whole."""
    expected = storage.undisturbed()
    code, errors, calls = storage.run("run", largest_file=room)
    assert (code, calls) == (0, 12)
    assert storage.bytes_of("run") == expected
    if room < 100_000:
        assert errors.count("is not complete") == 1
        assert "there is no room, or the disk is broken" in errors
    assert len(errors.splitlines()) <= 1
    assert storage.run("again")[0] == 0
    assert command("cache", "verify", "--cache", storage.cache).returncode == 0
    assert storage.bytes_of("again") == expected


@pytest.mark.faults
def test_row24_a_disk_of_one_mebibyte_fills_up(storage: Storage, record_property: Note) -> None:
    """Run folder and cache on one small disk, until it is full: exit 3; after room was made the run ends as undisturbed."""
    storage.items = write_items(storage.folder / "items.jsonl", trams(100))
    expected = storage.undisturbed()
    with small_disk(storage.folder / "disk") as disk:
        flags = ("--out", disk.folder / "run", "--cache", disk.folder / "cache")
        code, errors, calls = storage.run("unused", *flags, largest_file=disk.largest_file)
        assert code == 3
        assert "the disk is full" in errors
        assert "Traceback" not in errors
        check_whole(disk.folder / "run")
        disk.grow()
        again, errors, repeated = storage.run("unused", *flags)
        assert (again, errors) == (0, "")
        assert calls + repeated <= 300 + 16
        assert [(disk.folder / "run" / name).read_bytes() for name in FILES] == expected
    record_property("measured", f"1 MiB: exit 3 after {calls} calls, {repeated} calls to finish, identical")


@pytest.mark.faults
def test_row24_a_full_standard_output_is_told(tmp_path: Path) -> None:
    """Where the summary cannot be printed the run is whole all the same, and the exit code is not 0."""
    items = write_items(tmp_path / "items.jsonl", trams(1))
    with Path("/dev/full").open("w") as full:
        process = started("score", items, "--judge", "lexical", "--out", tmp_path / "run", "--json", stdout=full.fileno())
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "standard output cannot be written: No space left on device" in errors
    assert "Traceback" not in errors
    check_whole(tmp_path / "run")
    assert (tmp_path / "run" / "report.html").exists()


def test_a_journal_with_a_piece_that_cannot_be_taken_back_takes_no_more(tmp_path: Path) -> None:
    """Once the disk under it refuses even to cut the file, every later judgment meets the same error."""
    judgment = Judgment(request_sha256="a" * 64, identity_id="i", content=Unjudged(reason=UnjudgedReason.REFUSED, detail=""))
    journal = Journal(tmp_path / "journal.jsonl")
    assert journal._writer is not None
    sound = os.dup(journal._writer.fileno())
    with Path("/dev/full").open("wb") as full:
        os.dup2(full.fileno(), journal._writer.fileno())
    with pytest.raises(StorageError, match=r"journal\.jsonl cannot be written: the disk is full"):
        journal.append(judgment)
    os.dup2(sound, journal._writer.fileno())
    os.close(sound)
    with pytest.raises(StorageError, match=r"journal\.jsonl cannot be written: the disk is full"):
        journal.append(judgment)
    journal.close()
    assert (tmp_path / "journal.jsonl").read_bytes() == b""


def test_half_a_file_leaves_nothing(tmp_path: Path) -> None:
    """Whatever ends the writing, the old file stays and no part of the new one."""
    (tmp_path / "file").write_text("old")

    def parts() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", parts())
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"file": "old"}


# --- row 25: folders that cannot be used ---


def _read_only(folder: Path) -> Path:
    folder.mkdir()
    folder.chmod(0o500)
    return folder


def _below_read_only(folder: Path) -> Path:
    return _read_only(folder) / "cache"


def _below_a_file(folder: Path) -> Path:
    folder.write_text("in the way")
    return folder / "cache"


def _a_file(folder: Path) -> Path:
    folder.write_text("in the way")
    return folder


def _nowhere(_folder: Path) -> Path:
    return Path("/proc/nowhere/cache")


def _with_a_read_only_database(folder: Path) -> Path:
    folder.mkdir(mode=0o700)
    (folder / "cache.db").touch(mode=0o400)
    return folder


@pytest.mark.faults
@pytest.mark.parametrize(
    "make", [_read_only, _below_read_only, _below_a_file, _a_file, _nowhere, _with_a_read_only_database], ids=lambda make: make.__name__[1:]
)
def test_row25_a_cache_folder_that_cannot_be_used_ends_before_the_first_call(storage: Storage, make: Callable[[Path], Path]) -> None:
    """Exit 2 naming the folder and --no-cache, with which the same command works; no call, no run folder."""
    folder = make(storage.folder / "bad")
    flags: list[str | Path] = [*storage.flags(), "--cache", folder]
    refused = command_without_override("score", storage.items, *flags)
    (storage.folder / "bad").chmod(0o700) if (storage.folder / "bad").is_dir() else None
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"judge: the cache folder {folder} cannot be used: ")
    assert refused.stderr.endswith("; name another one with --cache, or do without with --no-cache\n")
    assert (storage.endpoint.calls(), (storage.folder / "run").exists()) == (0, False)
    assert storage.launcher.start("score", storage.items, *flags, "--no-cache").wait() == 0


# --- rows 26 to 29: what is wrong in a cache ---


def _value_flipped(folder: Path) -> None:
    change(folder, "UPDATE Cache SET value = replace(value, 'a', 'b') WHERE rowid = 2")


def _header_zeroed(folder: Path) -> None:
    database = folder / "cache.db"
    database.write_bytes(bytes(100) + database.read_bytes()[100:])


def _cut_off(folder: Path) -> None:
    database = folder / "cache.db"
    database.write_bytes(database.read_bytes()[:-6000])


def _column_gone(folder: Path) -> None:
    change(folder, "ALTER TABLE Cache RENAME COLUMN value TO walue")


def _settings_spoilt(folder: Path) -> None:
    change(folder, "INSERT INTO Settings VALUES ('disk_spoilt', 1)")


def _value_file_missing(folder: Path) -> None:
    change(folder, "UPDATE Cache SET value = NULL, mode = 3, filename = 'aa/bb/gone.val' WHERE rowid = 2")


def _wal_of_garbage(folder: Path) -> None:
    (folder / "cache.db-wal").write_bytes(os.urandom(20_000))


def _not_utf8(folder: Path) -> None:
    change(folder, "UPDATE Cache SET value = CAST(x'fffe22' AS TEXT) WHERE rowid = 2")


def change(folder: Path, statement: str, *values: Any) -> None:
    """Change a database behind the cache's back."""
    with closing(sqlite3.connect(folder / "cache.db")) as database, database:
        database.execute(statement, values)


@pytest.mark.faults
@pytest.mark.parametrize(
    ("damage", "calls"),
    [
        (_value_flipped, 1),
        (_header_zeroed, 12),
        (_cut_off, None),
        (_column_gone, 12),
        (_settings_spoilt, 0),
        (_value_file_missing, 1),
        (_wal_of_garbage, 0),
        (_not_utf8, 1),
    ],
    ids=lambda value: value.__name__[1:] if callable(value) else str(value),
)
def test_row26_a_corrupt_cache_is_judged_anew(
    storage: Storage, damage: Callable[[Path], None], calls: int | None, record_property: Note
) -> None:
    """Exit 0, the same bytes as without a cache, what was damaged is set aside with a warning, and then all is well again."""
    expected = storage.undisturbed()
    assert storage.run("first")[0] == 0
    damage(storage.cache)
    code, errors, asked = storage.run("second")
    assert code == 0
    assert asked == calls or (calls is None and 0 < asked <= 12)
    assert storage.bytes_of("second") == expected
    manifest = json.loads((storage.folder / "second" / "manifest.json").read_text())
    assert ("set aside" in errors) == (manifest["cache_entries_set_aside"] > 0) == (damage is not _wal_of_garbage)
    assert storage.run("third") == (0, "", 0)
    assert storage.bytes_of("third") == expected
    verified = command("cache", "verify", "--cache", storage.cache)
    assert (verified.returncode, verified.stdout) == (0, "12 entries are whole, 0 were damaged and set aside\n")
    record_property("measured", f"{damage.__name__[1:]}: exit 0, {asked} of 12 asked again, identical")


@pytest.mark.faults
@pytest.mark.parametrize(
    "damage",
    [_value_flipped, _header_zeroed, _column_gone, _value_file_missing],
    ids=lambda value: value.__name__[1:],
)
def test_row26_verify_finds_it(storage: Storage, damage: Callable[[Path], None]) -> None:
    """`judge cache verify` ends with 1, says what was wrong, and the next look finds nothing."""
    assert storage.run("first")[0] == 0
    damage(storage.cache)
    found = command("cache", "verify", "--cache", storage.cache)
    assert found.returncode == 1
    assert "set aside" in found.stderr
    assert "Traceback" not in found.stderr
    assert command("cache", "verify", "--cache", storage.cache).returncode == 0


class Payload:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self._path,)


@pytest.mark.faults
def test_row27_a_pickled_row_does_not_run(storage: Storage) -> None:
    """Exit 0 with a warning; the marker is not made; one call replaces the row."""
    expected = storage.undisturbed()
    assert storage.run("first")[0] == 0
    marker = storage.folder / "owned"
    change(storage.cache, "UPDATE Cache SET mode = 4, value = ? WHERE rowid = 3", sqlite3.Binary(pickle.dumps(Payload(marker))))
    code, errors, calls = storage.run("second")
    assert (code, calls) == (0, 1)
    assert "pickled cache value refused" in errors
    assert not marker.exists()
    assert storage.bytes_of("second") == expected
    assert command("cache", "verify", "--cache", storage.cache).returncode == 0
    assert not marker.exists()


@pytest.mark.faults
def test_row28_values_under_each_others_keys_are_judged_anew(storage: Storage) -> None:
    """Two whole values, swapped: two calls, two warnings, the right labels."""
    expected = storage.undisturbed()
    assert storage.run("first")[0] == 0
    with closing(sqlite3.connect(storage.cache / "cache.db")) as database, database:
        values = dict(database.execute("SELECT rowid, value FROM Cache WHERE rowid IN (5, 6)").fetchall())
        database.execute("UPDATE Cache SET value = ? WHERE rowid = 5", (values[6],))
        database.execute("UPDATE Cache SET value = ? WHERE rowid = 6", (values[5],))
    code, errors, calls = storage.run("second")
    assert (code, calls) == (0, 2)
    assert errors.count("it stands under another key") == 2
    assert storage.bytes_of("second") == expected
    assert storage.run("third") == (0, "", 0)


@pytest.mark.faults
def test_row29_entries_of_another_prompt_or_version_are_kept_and_not_used(storage: Storage) -> None:
    """Under another label policy labels are asked anew, without a warning; the entries of before serve the policy of before."""
    assert storage.run("first")[0] == 0
    assert storage.run("second", "--policy", "lenient")[::2] == (0, 4)
    stats = command("cache", "stats", "--cache", storage.cache).stdout
    assert "label      8" in stats
    assert "damaged    0" in stats
    assert storage.run("third")[::2] == (0, 0)
    assert storage.bytes_of("third") == storage.bytes_of("first")


# --- rows 31 and 32 ---


@pytest.mark.faults
def test_row31_the_second_run_in_a_folder_is_refused(storage: Storage) -> None:
    """Exit 2 naming the process that has it, no call, and nothing changed; a killed one is in nobody's way."""
    expected = storage.undisturbed()
    storage.endpoint.latency = 30
    first = storage.start("run", "--no-cache")
    wait_until(lambda: storage.endpoint.calls() == 4)
    holder = f"another process ({first.pid} on {socket.gethostname()})"
    code, errors, calls = storage.run("run", "--no-cache")
    assert (code, errors, calls) == (2, f"judge: the run folder {storage.folder / 'run'} is in use by {holder}\n", 0)
    first.kill()
    first.wait()
    assert (storage.folder / "run" / ".lock").exists()
    storage.endpoint.latency = 0
    assert storage.run("run", "--no-cache")[0] == 0
    assert storage.bytes_of("run") == expected


@pytest.mark.faults
@pytest.mark.parametrize("years", [-1, 1])
def test_row32_a_clock_that_jumps_changes_nothing(storage: Storage, years: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run under a wall clock that is a year off, and off by another hour at every look, is the same; its cache stays valid."""
    expected = storage.undisturbed()
    real, looks = time.time, iter(range(1_000_000_000))
    monkeypatch.setattr(time, "time", lambda: real() + years * 365 * 86_400 + 3_600 * next(looks))
    jumped = storage.score(storage.items, out="jumped")
    monkeypatch.undo()
    # litellm forgets a connection after an hour of the wall clock without closing it; here every look is an hour.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.unfreeze()
        gc.collect()
        gc.collect()
    assert jumped.exit_code == 0
    assert storage.bytes_of("jumped") == expected
    assert storage.run("afterwards") == (0, "", 0)
    assert storage.bytes_of("afterwards") == expected
