"""`judge crux`: the scoring standard on recorded agent sessions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.options import given_flags
from pipelines.cli.output import say

if TYPE_CHECKING:
    from judge.schema.crux import CruxSummary
    from pipelines.config import RunConfig

EACH_IN_TEXT = 3
"""Up to so many sessions a terminal shows each of them whole; more are in the other reports."""

_FILE = click.Path(path_type=Path)


@click.command("crux")
@click.argument("traces", metavar="TRACE.json...", nargs=-1, type=_FILE)
@click.option("--fixture", type=_FILE, metavar="FILE", help="What the sessions are measured against, for traces that name none.")
@click.option("--run", "run", type=_FILE, metavar="RUN", help="Run folder of `judge score`, for the values that only a judge can tell.")
@click.option("--prices", type=_FILE, metavar="FILE", help="Price list (JSON) that wins over litellm's for the models it names.")
@click.option("--assume-safe", is_flag=True, help="Count a session whose safety was not tested as safe.")
@click.option("--pass-threshold", type=float, metavar="X", help="R_decision (0 to 1) at which a session passes; none by default.")
@click.option("--null-policy", metavar="POLICY", help="strict or available: whether a derived value needs all its inputs (strict).")
@click.option("--fail-under", multiple=True, metavar="METRIC=VALUE", help="Exit 1 if the value is lower or null; repeatable.")
@click.option("--fail-over", multiple=True, metavar="METRIC=VALUE", help="Exit 1 if the value is higher or null; repeatable.")
@click.option(
    "--config", "config_file", type=_FILE, metavar="FILE", help="Settings file (default: judge.toml, or [tool.judge] in pyproject.toml)."
)
@click.option("--markdown", type=_FILE, metavar="FILE", help="Also write the report as Markdown.")
@click.option("--html", type=_FILE, metavar="FILE", help="Also write the report as one HTML file.")
@click.option("--schema", type=click.Choice(["fixture", "trace"]), help="Print the JSON Schema of this file and stop.")
@click.option("--quiet", is_flag=True, default=None, help="Print nothing but errors and missed gates.")
@click.option("--json", "json", is_flag=True, default=None, help="Print the result as JSON and nothing else on standard output.")
def command(traces: tuple[Path, ...], **options: Any) -> int:
    """Measure recorded agent sessions by the scoring standard: one session, or the spread over many.

    A TRACE is our own JSON, an OpenAI-style transcript, or an Inspect log (.json, .eval). Exit codes: 0 done and gates met,
    1 a gate missed, 2 usage or input, 70 internal error.

    \b
    judge crux examples/session/trace-1.json
    judge crux transcript.json --fixture fixture.json --run runs/answers
    """  # noqa: D301 - the mark that keeps the lines apart is for the help, not for a reader of this file
    from judge.errors import ConfigError
    from pipelines.config import load_config
    from pipelines.gates import check_gate_names
    from pipelines.measuring import CruxFiles, CruxRules, measure_sessions
    from pipelines.named_paths import check_outputs

    if (name := options.pop("schema")) is not None:
        from pipelines.documents.published import schema_text

        say(schema_text(name), nl=False)
        return 0
    if not traces:
        raise ConfigError("no trace is named: expected one or more files, as in `judge crux trace.json --fixture fixture.json`")
    files = CruxFiles(traces, options.pop("fixture"), options.pop("run"), options.pop("prices"))
    assume_safe, threshold = options.pop("assume_safe"), options.pop("pass_threshold")
    if threshold is not None and not 0 <= threshold <= 1:
        raise ConfigError(f"--pass-threshold is {threshold:g}, expected an R_decision from 0 to 1")
    pages = {"markdown": options.pop("markdown"), "html": options.pop("html")}
    inputs = (*files.traces, files.fixture, files.run, files.prices, options["config_file"])
    check_outputs({f"--{name}": path for name, path in pages.items()}, inputs)
    given, file = given_flags(options)
    config = load_config(given, file=file).config
    check_gate_names(config)
    summary = measure_sessions(files, CruxRules(config.null_policy, assume_safe, threshold))
    return _report(summary, config, pages)


def _report(summary: "CruxSummary", config: "RunConfig", pages: dict[str, Path | None]) -> int:
    """Write and print the reports; return 1 if a gate is missed."""
    from pipelines.ending import COMPLETE, GATE_MISSED
    from pipelines.files import json_document
    from pipelines.gates import gate_results, why_null
    from pipelines.named_paths import write_report
    from pipelines.reports.crux_page import crux_page
    from pipelines.reports.gates import gate_words
    from pipelines.reports.pages import page_html, page_markdown, page_text

    gates = gate_results(summary, config)
    summary = summary.model_copy(update={"gates": gates})
    page = crux_page(summary, with_each=True)
    for name, render in (("markdown", page_markdown), ("html", page_html)):
        if (path := pages[name]) is not None:
            write_report(path, render(page))
    if config.json_output:
        say(json_document(summary), nl=False)
    elif not config.quiet:
        say(page_text(crux_page(summary, with_each=len(summary.sessions) <= EACH_IN_TEXT)), nl=False)
    for gate in gates:
        if not (config.quiet and gate.met):
            say(f"gate {gate_words(gate, why_null=why_null(gate.metric, summary))}", err=config.json_output)
    return COMPLETE if all(gate.met for gate in gates) else GATE_MISSED
