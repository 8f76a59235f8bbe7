"""Pages as text for a terminal, as Markdown, and as one HTML file that loads nothing and runs nothing."""

from pipelines.reports.escapes import escape_controls
from pipelines.reports.html import load_template
from pipelines.reports.markdown import cell_text, table_lines
from pipelines.reports.page import Page
from pipelines.reports.text import heading, joined, pair_lines, wrapped
from pipelines.reports.text import table_lines as text_table_lines


def page_text(page: Page) -> str:
    """Return the page for a terminal, at most 100 columns wide, ending in a line end."""
    blocks = [
        [heading(page.title), *pair_lines(page.facts)],
        *(text_table_lines(table) for table in page.tables),
        wrapped(*page.notes),
        wrapped(*(f"warning: {warning}" for warning in page.warnings)),
        wrapped(page.disclosure),
    ]
    return joined(blocks)


def page_markdown(page: Page) -> str:
    """Return the page as a Markdown document, ending in a line end."""
    lines = [f"# {cell_text(page.title)}", ""]
    if page.disclosure:
        lines += [cell_text(page.disclosure), ""]
    lines += [f"- {key}: {cell_text(value)}" for key, value in page.facts]
    for table in page.tables:
        lines += table_lines(table)
    if page.notes or page.warnings:
        lines += ["", *(f"- {cell_text(note)}" for note in page.notes), *(f"- warning: {cell_text(warning)}" for warning in page.warnings)]
    return "\n".join(lines) + "\n"


def page_html(page: Page) -> str:
    """Return the page as HTML, valid UTF-8 whatever the data holds."""
    return escape_controls(load_template("page.html.j2").render(page=page))
