"""A campaign scored: every attempt, what counts, the total, the diagnostics, and what they suggest."""

from collections.abc import Iterator, Sequence

from judge.schema.campaign_scorecards import AttemptScore, CampaignScorecard, DimensionMean, FloorScore, Recommendation
from judge.schema.campaigns import Campaign
from judge.schema.manifests import FileFacts
from judge.standard.campaign import ScoredAttempt, best_cleared, floor_score, running_totals
from judge.standard.campaign_notes import campaign_notes
from judge.standard.diagnostics import DIMENSIONS, diagnose, mean_dimension
from judge.standard.formulas import campaign_score
from judge.standard.published import compare_published
from judge.standard.recommendations import RULES, DiagnosedFloor
from judge.standard.sub_metrics import DIAGNOSTICS_VERSION


def score_campaign(campaign: Campaign, *, file: FileFacts, metrics_version: str) -> CampaignScorecard:
    """Return the scorecard of a campaign. Raises ConfigError for an attempt that no score can be made of."""
    attempts = _attempts(campaign)
    counting = [attempt for attempt in attempts if attempt.counts]
    total = campaign_score(attempt.floor_score for attempt in counting)
    fired = tuple(_fired(campaign, attempts))
    return CampaignScorecard(
        metrics_version=metrics_version,
        diagnostics_version=DIAGNOSTICS_VERSION,
        input=file,
        campaign=campaign.id,
        agent=campaign.agent,
        arm=campaign.arm,
        source=campaign.source,
        campaign_score=total,
        cleared_floors=len(counting),
        floors=tuple(_floors(attempts)),
        dimensions={name: _mean(name, attempts) for name in DIMENSIONS},
        recommendations=fired,
        published=compare_published(campaign, attempts, total, fired),
        notes=tuple(campaign_notes(campaign, attempts)),
        disclosure=_disclosure(metrics_version),
    )


def _attempts(campaign: Campaign) -> tuple[AttemptScore, ...]:
    scored = [
        ScoredAttempt(number, given.floor, floor_score(given.completion, given.duration_ms, given.turns), given.cleared)
        for number, given in enumerate(campaign.floors, start=1)
    ]
    counting = {best.attempt for best in best_cleared(scored).values()}
    return tuple(
        AttemptScore(
            attempt=one.attempt,
            floor=one.floor,
            completion=given.completion + 0.0,
            duration_ms=given.duration_ms,
            turns=given.turns,
            cleared=one.cleared,
            status=given.status,
            floor_score=one.score,
            counts=one.attempt in counting,
            campaign_score_after=after,
            dimensions=diagnose(given),
        )
        for given, one, after in zip(campaign.floors, scored, running_totals(scored), strict=True)
    )


def _floors(attempts: Sequence[AttemptScore]) -> Iterator[FloorScore]:
    for floor in sorted({attempt.floor for attempt in attempts}):
        own = tuple(attempt for attempt in attempts if attempt.floor == floor)
        best = next((attempt for attempt in own if attempt.counts), None)
        yield FloorScore(
            floor=floor,
            floor_score=None if best is None else best.floor_score,
            reason="not_cleared" if best is None else None,
            counting_attempt=None if best is None else best.attempt,
            attempts=own,
        )


def _mean(name: str, attempts: Sequence[AttemptScore]) -> DimensionMean:
    score, n = mean_dimension(name, [attempt.dimensions for attempt in attempts])
    return DimensionMean(score=score, reason="no_ratio_measured" if score is None else None, n=n)


def _fired(campaign: Campaign, attempts: Sequence[AttemptScore]) -> Iterator[Recommendation]:
    for given, scored in zip(campaign.floors, attempts, strict=True):
        floor = DiagnosedFloor(given, scored.dimensions, campaign.arm_of(given))
        for rule in RULES:
            if (numbers := rule.fires(floor)) is not None:
                yield Recommendation(
                    rule=rule.name,
                    attempt=scored.attempt,
                    floor=scored.floor,
                    pattern=rule.pattern,
                    threshold=rule.threshold,
                    numbers=numbers,
                    recommendation=rule.recommendation,
                    config=rule.config,
                )


def _disclosure(metrics_version: str) -> str:
    return (
        f"metrics_version {metrics_version}; the campaign score has no unit, is not in effective minutes (Em) and enters no Cx; "
        f"diagnostics and the thresholds of recommendations by {DIAGNOSTICS_VERSION}, this project's own definition; "
        "null policy and label policy do not apply"
    )
