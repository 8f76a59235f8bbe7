"""Whatever text is shown: in a terminal, in Markdown and in a page it is text, and steers nothing."""

import re
import unicodedata

from hypothesis import strategies as st

from pipelines.reports.escapes import escape_controls, escape_markdown, escape_terminal
from pipelines.reports.html import load_template
from pipelines.reports.terminal import column_count, cut, pad, wrap
from tests.fuzz.effort import fuzzed
from tests.fuzz.replies import ODD, PLAIN

LIVE = st.sampled_from(
    (
        *(
            "<script>",
            "</td>",
            "<!--",
            "&lt;",
            "[a](javascript:x)",
            "![x](http://h)",
            "`",
            "```",
            "**",
            "__",
            "_x_",
            "# ",
            "- ",
            "|",
            "~~",
            "$x$",
        ),
        *(
            "http://h",
            "www.h.de",
            "@name",
            "#12",
            "Cx_em@1.0:346281462aa6",
            "\x1b]8;;http://h\x07",
            "\x9b31m",
            "\r",
            "\n\n",
            "\u2029",
            "\x85",
        ),
    )
)
SHOWN = st.lists(LIVE | ODD | PLAIN, max_size=8).map("".join)
BARE_MARK = re.compile(r"(?<!\\)(?:\\\\)*[*\[\]~$`|<>]")


@fuzzed(text=SHOWN)
def test_a_terminal_shows_text_on_its_line(text: str) -> None:
    """Every character prints: no escape code, no line end, no reordering; cutting, filling and wrapping keep to the width."""
    shown = escape_terminal(text)
    assert shown.isprintable()
    assert column_count(cut(shown, 9)) <= 9
    assert column_count(pad(cut(shown, 9), 9)) == 9
    assert all(column_count(line) <= 9 for line in wrap(shown, 9))
    assert "".join(wrap(shown, 9)).replace(" ", "") == shown.replace(" ", "")


@fuzzed(text=SHOWN)
def test_markdown_has_no_live_mark(text: str) -> None:
    """One line, in which no tag, emphasis, link, cell, code or mention begins; ids of formulas are code as a whole."""
    shown = escape_markdown(text)
    assert len(shown.splitlines()) <= 1
    assert not any(unicodedata.category(character) in {"Cc", "Cs"} for character in shown)
    outside_ids = re.sub(r"`[A-Za-z]\w*@\d+(?:\.\d+)*:[0-9a-f]{12}`", "", shown, flags=re.ASCII)
    assert not BARE_MARK.search(outside_ids)
    assert not re.search(r"://|@(?!&#8203;)|(?<!&)#(?!&#8203;)", outside_ids)


@fuzzed(text=SHOWN)
def test_a_page_has_no_live_tag(text: str) -> None:
    """What the templates insert is escaped: the text stands in the page as itself, and no control character does."""
    page = escape_controls(
        load_template("report.html.j2").environment.from_string("<td title='{{ text }}'>{{ text }}</td>").render(text=text)
    )
    inside = page.removeprefix("<td title='").removesuffix("</td>")
    assert not re.search('[<"]|&(?!(?:lt|gt|amp|#34|#39);)', inside.replace("'>", "", 1))
    assert inside.count("'") == 1
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)
    page.encode()
