"""`judge campaign` as a flow: a file read, scored, held against gates, and written to a ledger and reports."""

from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.campaign_scorecards import CampaignScorecard
from judge.schema.manifests import GateResult
from judge.standard.campaign_scoring import score_campaign
from judge.standard.diagnostics import DIMENSIONS
from pipelines.campaigns.ledger import extend_ledger
from pipelines.campaigns.reading import read_campaign
from pipelines.disclosing import METRICS_VERSION
from pipelines.named_paths import check_outputs, write_report
from pipelines.reports.campaign_page import campaign_page
from pipelines.reports.pages import page_html, page_markdown

GATE_NAMES = ("campaign_score", *DIMENSIONS)
"""What a gate can be set on."""


class CampaignOutputs(NamedTuple):
    """Where the scored campaign goes beside the terminal."""

    history: Path | None = None
    markdown: Path | None = None
    html: Path | None = None


class CampaignGates(NamedTuple):
    """Bounds by name, as texts: the least (`under` fails) and the most (`over` fails)."""

    under: Mapping[str, str]
    over: Mapping[str, str]


NO_GATES = CampaignGates({}, {})


def run_campaign(path: Path, outputs: CampaignOutputs, gates: CampaignGates = NO_GATES) -> CampaignScorecard:
    """Return the scorecard of a campaign file, its new attempts appended to the ledger, its reports written.

    Raises InputError for a faulty file or ledger and ConfigError for a setting that is wrong, before anything is written.
    """
    check_outputs({"--history": outputs.history, "--markdown": outputs.markdown, "--html": outputs.html}, [path])
    bounds = [*_bounds(gates.under, "fail_under"), *_bounds(gates.over, "fail_over")]
    campaign, file = read_campaign(path)
    scorecard = score_campaign(campaign, file=file, metrics_version=METRICS_VERSION)
    scorecard = scorecard.model_copy(update={"gates": tuple(_held(bound, scorecard) for bound in bounds)})
    if outputs.history is not None:
        scorecard = scorecard.model_copy(update={"history": extend_ledger(outputs.history, campaign)})
    page = campaign_page(scorecard)
    for target, text in ((outputs.markdown, page_markdown), (outputs.html, page_html)):
        if target is not None:
            write_report(target, text(page))
    return scorecard


class _Bound(NamedTuple):
    name: str
    kind: str
    threshold: float


def _bounds(texts: Mapping[str, str], kind: str) -> Iterator[_Bound]:
    flag = f"--{kind.replace('_', '-')}"
    for name, text in texts.items():
        if name not in GATE_NAMES:
            raise ConfigError(f"{flag}: nothing is named {name!r}; gates can be set on {', '.join(GATE_NAMES)}")
        try:
            threshold = float(text)
        except ValueError:
            threshold = float("nan")
        if not isfinite(threshold):
            raise ConfigError(f"{flag} {name} is {text!r}, expected a number")
        yield _Bound(name, kind, threshold)


def _held(bound: _Bound, scorecard: CampaignScorecard) -> GateResult:
    name, kind, threshold = bound
    value = scorecard.campaign_score if name == "campaign_score" else scorecard.dimensions[name].score
    met = value is not None and (value >= threshold if kind == "fail_under" else value <= threshold)
    return GateResult(metric=name, kind=kind, threshold=threshold, value=value, met=met)
