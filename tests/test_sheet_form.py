"""The form of a labelling sheet in a real browser, from disk: what is pressed there is what comes back."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, write_items
from tests.runs.running import Bench, command
from tests.support.browser import Browser
from tests.test_hostile_reports import PAYLOADS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
KEYS = {"1": "supported", "2": "contradicted", "3": "not_addressed", "0": "unsure"}


def item(number: int, text: str) -> Fields:
    """Return an item that has the text in all that an annotator reads."""
    return {"id": f"i{number}", "question": text, "answer": f"{text} It rained.", "propositions": [f"{text} It rained {number}."]}


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """The folder of a sheet whose every text is hostile."""
    source = write_items(tmp_path / "in.jsonl", [item(number, text) for number, text in enumerate(PAYLOADS.values())])
    with Endpoint() as endpoint:
        Bench(endpoint, tmp_path).score(source)
    done = command("audit", "sheet", tmp_path / "run", "--annotators", "1", "--out", tmp_path / "sheet")
    assert done.returncode == 0, done.stderr
    return tmp_path / "sheet"


def rows_of(sheet: Path) -> list[Fields]:
    """Return what the page's script works with."""
    found = re.search('id="rows">(.*?)</script>', (sheet / "sheet.html").read_text(encoding="utf-8"))
    assert found is not None
    rows: list[Fields] = json.loads(found[1])["rows"]
    return rows


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed; the page's text is checked without one")
def test_keys_pressed_in_a_browser_come_back_as_labels(sheet: Path, tmp_path: Path) -> None:
    """Keys label, comments that are formulas are guarded, a reload loses nothing, and the saved CSV is imported; no payload runs."""
    assert CHROMIUM is not None
    rows = rows_of(sheet)
    pressed = ["123 0"[place % 3] for place in range(len(rows) - 1)] + ["0"]
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    with Browser(CHROMIUM, tmp_path / "profile", downloads) as browser:
        browser.open(sheet / "sheet.html")
        shown = []
        for key in pressed[:5]:
            shown.append(browser.value("document.getElementById('proposition').textContent"))
            browser.press(key)
        browser.open(sheet / "sheet.html")
        assert browser.value("document.getElementById('progress').value") == 5
        for key in pressed[5:]:
            shown.append(browser.value("document.getElementById('proposition').textContent"))
            browser.press(key)
        browser.type("comment", '=HYPERLINK("http://evil.invalid","x")')
        browser.type("annotator", "Ann")
        title = browser.value("document.title")
        browser.value("document.getElementById('save').click()")
        browser.wait_for("Browser.downloadProgress", state="completed")
    assert re.fullmatch("Labelling sheet [0-9a-f]{12}", title)
    assert shown == [row["proposition"] for row in rows]
    [saved] = downloads.iterdir()
    with saved.open(encoding="utf-8-sig", newline="") as file:
        back = list(csv.DictReader(file))
    assert [line["label"] for line in back] == [KEYS[key] for key in pressed]
    assert (back[-1]["comment"], back[-1]["annotator"]) == ('\'=HYPERLINK("http://evil.invalid","x")', "Ann")
    done = command("audit", "sheet", tmp_path / "run", "--key", sheet / "key.json", "--labels", saved, "--json")
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)["sheet"]
    assert (counts["annotators"], counts["labelled"], counts["unsure"], counts["blank"]) == (["Ann"], len(rows) - 1, 1, 0)


def test_the_form_tells_nothing_and_loads_nothing(sheet: Path) -> None:
    """One script known by its hash, no address, no item id, and rows that hold four fields only."""
    page = (sheet / "sheet.html").read_text(encoding="utf-8")
    assert "default-src 'none'; style-src 'sha256-" in page
    assert re.search("script-src 'sha256-[A-Za-z0-9+/]{43}='", page)
    assert page.count("<script") == 2
    without_rows = re.sub('(id="rows">).*?</script>', r"\1</script>", page)
    assert not re.search(r"<(img|link|iframe|a)\b|\bsrc=|https?:", without_rows)
    assert {tuple(row) for row in rows_of(sheet)} == {("row", "question", "answer", "proposition")}
    assert not re.search(r'"i\d+"', page)
