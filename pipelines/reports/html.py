"""The run as one HTML file that loads nothing, runs nothing, and can be sent to anybody."""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING

from judge.schema.items import Item
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.reports.escapes import escape_controls
from pipelines.reports.facts import RunFacts
from pipelines.reports.numbers import format_count, format_interval, format_number
from pipelines.reports.view import build_view, words

if TYPE_CHECKING:
    from jinja2 import Environment, Template

AGENT_CAP = 200

_CHUNK_EVENTS = 500
"""Template events joined into one piece of text; single ones are a few characters each."""


def render_html(summary: Summary, facts: RunFacts, results: Iterable[tuple[Item, ItemResult]], *, cap: int = 1000) -> Iterator[str]:
    """Yield the page in pieces, with the first `cap` items; results beyond them are not read.

    The text is valid UTF-8 whatever the data holds: controls and halves of surrogate pairs are spelled out.
    """
    stream = load_template("report.html.j2").stream(
        view=build_view(summary, facts, agent_cap=AGENT_CAP),
        results=islice(results, cap),
        total=summary.items.total,
        cap=cap,
    )
    stream.enable_buffering(_CHUNK_EVENTS)
    return map(escape_controls, stream)


@cache
def load_template(name: str) -> "Template":
    """Return a template of this room, compiled once a process: compiling takes longer than a small report."""
    return _environment().get_template(name)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_template_text), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "count": format_count,
        "interval": format_interval,
        "number": format_number,
        "source_hash": _source_hash,
        "words": words,
    }
    return environment


def _template_text(name: str) -> str:
    return files("pipelines.reports").joinpath(name).read_text("utf-8")


def _source_hash(style: str) -> str:
    """Return the expression by which a content security policy allows exactly this inline style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
