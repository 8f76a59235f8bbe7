"""docs/campaign.md names everything that a campaign file may hold and everything that is made of it."""

import re
import shlex
from pathlib import Path
from typing import get_args

import pytest

from judge.schema.campaign_events import FloorEvent
from judge.schema.campaign_scorecards import AttemptScore, CampaignScorecard, FloorScore, Recommendation
from judge.schema.campaigns import Campaign, FloorAttempt
from judge.schema.diagnostics import SubMetric
from judge.standard.recommendations import RULES, Rule
from judge.standard.sub_metrics import DIAGNOSTICS_VERSION, SUB_METRICS
from pipelines.campaigns.reading import read_campaign
from tests.runs.running import ROOT, command

TEXT = (ROOT / "docs" / "campaign.md").read_text(encoding="utf-8")
EVENTS = get_args(get_args(FloorEvent)[0])


@pytest.mark.parametrize(
    "record", [Campaign, FloorAttempt, CampaignScorecard, FloorScore, AttemptScore, Recommendation, SubMetric, *EVENTS]
)
def test_every_field_is_named(record: type[Campaign]) -> None:
    """In code type or in a JSON example."""
    unnamed = [name for name in record.model_fields if f"`{name}`" not in TEXT and f'"{name}"' not in TEXT]
    # These repeat the fields of the file.
    assert set(unnamed) <= {"attempt"}


@pytest.mark.parametrize("kind", [record.model_fields["type"].default for record in EVENTS])
def test_every_kind_of_event_is_named(kind: str) -> None:
    """In the table of events."""
    assert re.search(rf"^\| .*`{kind}`", TEXT, flags=re.MULTILINE)


def test_every_sub_metric_has_its_row() -> None:
    """Under diagnostics, with the version."""
    rows = TEXT.partition("## Diagnostics")[2].partition("## Recommendations")[0]
    assert all(f"`{name}`" in rows for metrics in SUB_METRICS.values() for name in metrics)
    assert f"`{DIAGNOSTICS_VERSION}`" in rows


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_stands_as_it_is(rule: Rule) -> None:
    """Name, pattern, threshold, recommendation and configuration in one row."""
    assert f"| `{rule.name}` | {rule.pattern} | {rule.threshold} | {rule.recommendation} | {rule.config} |" in TEXT


def test_every_option_is_shown() -> None:
    """What the help lists but the help itself."""
    options = set(re.findall(r"^  (--[a-z-]+)", command("campaign", "--help").stdout, flags=re.MULTILINE)) - {"--fail-over"}
    assert options
    assert all(option in TEXT for option in options)


def test_the_commands_run(tmp_path: Path) -> None:
    """Each as it stands; the gate of the page is missed by the example."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "campaign.json").write_bytes((ROOT / "examples" / "campaign.json").read_bytes())
    (block,) = re.findall(r"^```sh\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
    codes = [command(*shlex.split(line, comments=True)[1:], cwd=tmp_path).returncode for line in block.splitlines()]
    assert codes == [0, 0, 0, 0, 1, 0]
    assert {path.name for path in tmp_path.iterdir()} == {"examples", "campaign.json", "ledger.jsonl", "report.md", "report.html"}


def test_the_example_shows_every_kind_of_event() -> None:
    """A reader finds each in it."""
    floors = read_campaign(ROOT / "examples" / "campaign.json").campaign.floors
    assert {event.type for floor in floors for event in floor.events or ()} == {record.model_fields["type"].default for record in EVENTS}


def test_the_json_of_the_page_can_be_read() -> None:
    """The smallest file of the page is a campaign of one attempt."""
    (text,) = re.findall(r"^```json\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
    campaign = Campaign.model_validate_json(text)
    assert [floor.turns for floor in campaign.floors] == [10]
