"""No key in anything that a run leaves behind: what is redacted, where, and that the search for a key finds one."""

import json
import zlib
from pathlib import Path

import pytest

from tests.runs.canary import CANARY, CORE, assert_no_canary, spellings


@pytest.mark.parametrize("spelling", spellings().values(), ids=spellings())
def test_the_search_finds_the_key_however_it_is_spelled(tmp_path: Path, spelling: str) -> None:
    """A search that finds nothing proves something only if it would have found it: in a text, a file and a packed value."""
    (tmp_path / "plain.txt").write_text(f"The key is {spelling}, said the endpoint.")
    (tmp_path / "packed.db").write_bytes(b"\0\1\2" + zlib.compress(json.dumps({"detail": f"Bad key {spelling}"}).encode()) + b"\3")
    for place in (f"bad key {spelling}.", tmp_path / "plain.txt", tmp_path / "packed.db", tmp_path):
        with pytest.raises(AssertionError, match="canary key"):
            assert_no_canary(place)


def test_the_search_looks_at_names_and_misses_no_file(tmp_path: Path) -> None:
    """A folder without the key passes; a file named after it does not, and a path that is not there is no pass."""
    (tmp_path / "a.txt").write_text("nothing here")
    assert_no_canary(tmp_path, "nor here")
    with pytest.raises(AssertionError, match="is not there"):
        assert_no_canary(tmp_path / "gone")
    (tmp_path / f"{CORE}.txt").write_text("")
    with pytest.raises(AssertionError, match="canary key"):
        assert_no_canary(tmp_path)
    assert CORE in CANARY
