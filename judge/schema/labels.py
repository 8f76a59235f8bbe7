"""The closed lists: every word that a record may hold in a given place."""

from enum import StrEnum


class Label(StrEnum):
    """What a verdict says of one statement; there is no fourth."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ADDRESSED = "not_addressed"


class AbstentionValue(StrEnum):
    """Whether the answer declines to answer, wholly or partly."""

    ANSWERED = "answered"
    PARTLY_ABSTAINED = "partly_abstained"
    ABSTAINED = "abstained"


class UnjudgedReason(StrEnum):
    """Why there is no verdict."""

    NOT_OFFERED = "not_offered"
    NOT_ASKED = "not_asked"
    NOT_RUN = "not_run"
    NOT_RECORDED = "not_recorded"
    NO_REFERENCE = "no_reference"
    EMPTY_ANSWER = "empty_answer"
    REFUSED = "refused"
    FILTERED = "filtered"
    TRUNCATED = "truncated"
    INVALID_OUTPUT = "invalid_output"
    BAD_LABEL = "bad_label"
    MISSING_VERDICT = "missing_verdict"
    BAD_IDS = "bad_ids"
    QUOTE_NOT_FOUND = "quote_not_found"
    NO_MAJORITY = "no_majority"
    INPUT_TOO_LONG = "input_too_long"
    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    SERVER_ERROR = "server_error"
    NETWORK_ERROR = "network_error"
    BAD_REQUEST = "bad_request"
    DEADLINE_EXCEEDED = "deadline_exceeded"
    DECOMPOSITION_FAILED = "decomposition_failed"
    BUDGET_STOP = "budget_stop"
    INTERNAL_ERROR = "internal_error"


NOT_A_FAILURE = frozenset(
    {
        UnjudgedReason.NOT_OFFERED,
        UnjudgedReason.NOT_ASKED,
        UnjudgedReason.NO_REFERENCE,
        UnjudgedReason.EMPTY_ANSWER,
    }
)
"""Reasons decided while planning: nothing was asked, so nothing failed and no coverage counts them."""


class RequestKind(StrEnum):
    """The three things a judge can be asked."""

    DECOMPOSE = "decompose"
    LABEL = "label"
    APPRAISE = "appraise"


class Mode(StrEnum):
    """How a typed reply is asked for; `auto` finds out once per run."""

    AUTO = "auto"
    JSON_SCHEMA = "json_schema"
    TOOLS = "tools"
    MD_JSON = "md_json"


class PanelRule(StrEnum):
    """When the judges of a panel have a verdict: more than half of all of them agree, or all of them do."""

    MAJORITY = "majority"
    UNANIMITY = "unanimity"


class ItemState(StrEnum):
    """How far an item was judged; `not_offered` and its like do not count against it."""

    JUDGED = "judged"
    PARTLY_JUDGED = "partly_judged"
    UNJUDGED = "unjudged"
    NO_PROPOSITIONS = "no_propositions"


class Flag(StrEnum):
    """What a reader of a result should know beside its numbers."""

    REPAIRED = "repaired"
    RE_ASKED = "re_asked"
    TRUNCATED_REPLY = "truncated_reply"
    INJECTION_SUSPECTED = "injection_suspected"
    DECLARED_DIFFERS = "declared_differs"
    ANSWER_SERIALISED = "answer_serialised"
    ANSWER_SPLIT = "answer_split"
    WHOLE_TEXT_PROPOSITION = "whole_text_proposition"


class Origin(StrEnum):
    """Where the propositions of a decomposition come from."""

    MODEL = "model"
    BASELINE = "baseline"
    HUMAN = "human"
    EDITED = "edited"
