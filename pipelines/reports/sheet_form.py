"""A sheet as one HTML file in which people label statement by statement; it loads nothing, and runs one script known by its hash."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files

from pipelines.reports.html import load_template

_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""What could end a script element or begin a comment in it, as JSON spells it."""


def sheet_form(sheet_id: str, rows: Sequence[Mapping[str, str]]) -> str:
    """Return the page. Rows have `row`, `question`, `answer` and `proposition`; the page holds nothing else of a statement."""
    from markupsafe import Markup

    data = json.dumps({"id": sheet_id, "rows": list(map(dict, rows))}, ensure_ascii=True).translate(_IN_SCRIPT)
    script = files("pipelines.reports").joinpath("sheet_form.js").read_text("utf-8")
    # Both are safe as they are: the script is ours, and the data has no character left that HTML knows.
    return load_template("sheet.html.j2").render(sheet_id=sheet_id, data=Markup(data), script=Markup(script))  # noqa: S704
