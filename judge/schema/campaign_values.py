"""Raw diagnostic values of a floor, under the names of the published campaign; `score` is what its publisher made of them."""

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from judge.schema.campaign_events import Flag, Positive, Whole
from judge.schema.record import Record

Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
"""A number from 0 to 1."""

Amount = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
"""A number, 0 or more."""


class _RawValues(Record):
    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel)


class RawRetrieval(_RawValues):
    """Documents and searches. Documents are counted once each; `queryRefinementRate` and `documentTriagePrecision` are rates as such."""

    signal_docs_found: Whole | None = None
    signal_docs_total: Whole | None = None
    noise_docs_accessed: Whole | None = None
    search_count: Whole | None = None
    unique_queries: Whole | None = None
    query_refinement_rate: Share | None = None
    time_to_first_signal_turn: Positive | None = None
    document_triage_precision: Share | None = None
    score: Share | None = None


class RawReasoning(_RawValues):
    """Hypotheses, false leads, conclusions."""

    hypotheses_formed: Whole | None = None
    false_leads_met: Whole | None = None
    false_leads_followed: Whole | None = None
    false_lead_resistance: Share | None = None
    deduction_accuracy: Share | None = None
    synthesis_events: Whole | None = None
    score: Share | None = None


class RawProblemSolving(_RawValues):
    """Order of the objectives (mapped to 0..1), the code challenge, the elevator key."""

    ordering_score: Share | None = None
    code_attempted: Flag | None = None
    code_passed: Flag | None = None
    elevator_key_derivation_turns: Positive | None = None
    score: Share | None = None


class RawEfficiency(_RawValues):
    """Turns and tokens. The averages are kept to be compared; ours are made from the totals and the objectives solved."""

    idle_turns: Whole | None = None
    total_turns: Positive | None = None
    avg_turns_per_objective: Amount | None = None
    avg_tokens_per_objective: Amount | None = None
    score: Share | None = None


class RawMemory(_RawValues):
    """The wipe and what came of it; `crossFloorRecalls` counts facts of earlier floors that were used."""

    wipe_occurred: Flag | None = None
    wipe_turn: Positive | None = None
    pre_wipe_memory_stores: Whole | None = None
    recovery_rate: Share | None = None
    cross_floor_recalls: Whole | None = None
    wipe_detected_turn: Positive | None = None
    wipe_detected: Flag | None = None
    pre_wipe_preparation_score: Share | None = None
    score: Share | None = None


class RawDiagnostics(_RawValues):
    """The raw values of one attempt; a group or a value that is left out was not recorded."""

    retrieval: RawRetrieval = RawRetrieval()
    reasoning: RawReasoning = RawReasoning()
    problem_solving: RawProblemSolving = RawProblemSolving()
    efficiency: RawEfficiency = RawEfficiency()
    memory: RawMemory = RawMemory()


class PublishedDimensions(_RawValues):
    """The scores of the five dimensions as their publisher has them; they are compared with ours and enter nothing."""

    retrieval: Share | None = None
    reasoning: Share | None = None
    problem_solving: Share | None = None
    efficiency: Share | None = None
    memory: Share | None = None
