"""The options that commands share, and how they become settings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path)

JUDGING = [
    click.option(
        "--judge",
        "judge",
        multiple=True,
        metavar="SPEC",
        help="A litellm model name, `lexical` (offline baseline), or `replay:RUN`; repeat it for a panel of judges.",
    ),
    click.option("--panel-rule", metavar="RULE", help="majority or unanimity: when the judges of a panel have a verdict (majority)."),
    click.option("--api-base", metavar="URL", help="Address of an OpenAI-compatible endpoint, such as http://127.0.0.1:8000/v1."),
    click.option("--api-key-env", metavar="NAME", help="Environment variable whose key is sent to --api-base."),
    click.option(
        "--config",
        "config_file",
        type=_FILE,
        metavar="FILE",
        help="Settings file (default: judge.toml, or [tool.judge] in pyproject.toml).",
    ),
    click.option(
        "--out", type=_FILE, metavar="DIR", help="Run folder (default: runs/<input stem>, of an audit runs/<input stem>-audit-<name>)."
    ),
    click.option("--overwrite", is_flag=True, default=None, help="Replace a run folder that holds another run."),
    click.option("--cache", type=_FILE, metavar="DIR", help="Judgment cache (default: the user's cache folder)."),
    click.option("--no-cache", is_flag=True, default=None, help="Neither read nor write the cache."),
    click.option("--offline", is_flag=True, default=None, help="Make no connection; what is not cached is unjudged."),
    click.option("--max-connections", metavar="N", help="Calls in flight at once (16)."),
    click.option("--deadline", metavar="SECONDS", help="For one judgment with all its waits and retries (120)."),
    click.option("--budget-usd", metavar="X", help="Stop, resumable, before this command can cost more US dollars."),
    click.option("--max-calls", metavar="N", help="Stop, resumable, before this command makes more HTTP calls."),
    click.option("--prices", type=_FILE, metavar="FILE", help="JSON with prices per million tokens; they win over the bundled list."),
    click.option("--max-chars", metavar="N", help="Characters of data in one request; more is never sent (300000)."),
    click.option("--long-answers", metavar="HOW", help="refuse or split: what becomes of an answer above --max-chars (refuse)."),
    click.option("--allow-link-local", is_flag=True, default=None, help="Permit a link-local --api-base, such as 169.254.169.254."),
    click.option("--batch-size", metavar="N", help="Statements per label request (25)."),
    click.option("--repeats", metavar="K", help="Ask everything K times; strict majority, median mark (1; in audits of repeats 5)."),
    click.option("--temperature", metavar="T", help="Sampling temperature (0)."),
    click.option("--seed", metavar="N", help="Sampling seed, where the model takes one."),
    click.option("--mode", metavar="MODE", help="How a typed reply is asked for: auto, json_schema, tools or md_json (auto)."),
    click.option("--limit", metavar="N", help="Only the first N items."),
    click.option("--no-mark", is_flag=True, default=None, help="Ask for no 0-4 mark; saves one call per item."),
    click.option("--map", "map_", multiple=True, metavar="FIELD=COLUMN", help="Name of a field in the input; repeatable."),
    click.option("--policy", metavar="NAME|FILE", help="Label policy: standard, strict, lenient, or a file (standard)."),
    click.option("--prompt", multiple=True, metavar="NAME=FILE", help="Use another prompt for decompose, label or appraise; repeatable."),
    click.option(
        "--propositions",
        type=_FILE,
        metavar="FILE",
        help="Frozen propositions (default: <input stem>.propositions.jsonl beside the input).",
    ),
    click.option("--locked", is_flag=True, default=None, help="Fail unless every ground truth has frozen propositions."),
    click.option("--redecompose", is_flag=True, default=None, help="Split again even where frozen propositions exist."),
    click.option(
        "--run-record",
        type=_FILE,
        metavar="FILE",
        help="JSON with what no judge can know of the run: times, cost, safety, corrections.",
    ),
    click.option("--null-policy", metavar="POLICY", help="strict or available: whether a derived value needs all its inputs (strict)."),
    click.option("--noise-half-credit", is_flag=True, default=None, help="Halve R_noise_resistance where an answer names no decoy."),
    click.option("--min-coverage", metavar="RATE", help="Share that must be judged for a headline (0.95)."),
    click.option("--fail-under", multiple=True, metavar="METRIC=VALUE", help="Exit 1 if the metric is lower or null; repeatable."),
    click.option("--fail-over", multiple=True, metavar="METRIC=VALUE", help="Exit 1 if the metric is higher or null; repeatable."),
    click.option("--quiet", is_flag=True, default=None, help="Print nothing but errors."),
    click.option("--json", "json", is_flag=True, default=None, help="Print the summary as JSON and nothing else on standard output."),
]

_PAIRS = {"map_": "map", "prompt": "prompt", "fail_under": "fail_under", "fail_over": "fail_over"}


def judging_options(function: F) -> F:
    """Add the options of every command that judges."""
    for option in reversed(JUDGING):
        function = option(function)
    return function


def given_flags(flags: dict[str, Any]) -> tuple[dict[str, Any], Path | None]:
    """Return the settings that were given as flags, and the settings file. Raises ConfigError for a malformed one."""
    from pipelines.config import parse_pairs

    given = {name: value for name, value in flags.items() if value is not None and value != ()}
    file = given.pop("config_file", None)
    for name, setting in _PAIRS.items():
        if name in given:
            given[setting] = parse_pairs(list(given.pop(name)), f"--{setting.replace('_', '-')}")
    if "judge" in given:
        specs = given.pop("judge")
        given["judge"] = specs[0] if len(specs) == 1 else specs
    return given, file
