"""Why a session does not show a value: a closed list, each with what it means in words."""

from enum import StrEnum

from judge.session.finding import Finding


class NullReason(StrEnum):
    """Why a fundamental could not be measured from a session."""

    NO_RUN = "no_run"
    NOTHING_RECORDED = "nothing_recorded"
    NOT_RECORDED = "not_recorded"
    NO_TIMES = "no_times"
    MIXED_TIMES = "mixed_times"
    NO_DURATION = "no_duration"
    NO_SUBSTANTIVE_ACTION = "no_substantive_action"
    NO_USER_MESSAGE = "no_user_message"
    NO_AGENT_RESPONSE = "no_agent_response"
    NO_HUMAN_BASELINE = "no_human_baseline"
    NO_FINAL_OUTPUT = "no_final_output"
    NO_EXPECTED_DECISIONS = "no_expected_decisions"
    NO_CONSTRAINTS = "no_constraints"
    NO_INCIDENT = "no_incident"
    CONTEXT_NOT_RECORDED = "context_not_recorded"
    NOTHING_LOADED = "nothing_loaded"
    USE_NOT_RECORDED = "use_not_recorded"
    SIZE_NOT_RECORDED = "size_not_recorded"
    NO_GAPS = "no_gaps"
    NO_TEMPORAL_QUERIES = "no_temporal_queries"
    NO_SUPERSESSION_QUERIES = "no_supersession_queries"
    NO_SYNTHESIS_FACTS = "no_synthesis_facts"
    NO_UNANSWERABLE_QUESTIONS = "no_unanswerable_questions"
    ABSTENTION_NOT_RECORDED = "abstention_not_recorded"
    ABSTENTION_PARTLY_RECORDED = "abstention_partly_recorded"
    NO_RELEVANT_DOCUMENTS = "no_relevant_documents"
    NO_KILL = "no_kill"
    NO_RESTART = "no_restart"
    NO_DECISIONS_BEFORE = "no_decisions_before"
    NO_DEPENDENCY_LINKS = "no_dependency_links"
    NO_LINKS_STATED = "no_links_stated"
    NO_CHECKPOINT = "no_checkpoint"
    NO_CHECKPOINT_FIELDS = "no_checkpoint_fields"
    SAFETY_NOT_TESTED = "safety_not_tested"
    SAFETY_REVIEW_OPEN = "safety_review_open"
    NO_CONSTRAINT_TOOL = "no_constraint_tool"
    STALE_INPUTS_UNKNOWN = "stale_inputs_unknown"
    FLAGS_NOT_READABLE = "flags_not_readable"
    NO_MESSAGES = "no_messages"
    CORRECTIONS_NOT_RECORDED = "corrections_not_recorded"


IN_WORDS = {
    NullReason.NO_RUN: "only a judge can tell, and no judged run was given",
    NullReason.NOTHING_RECORDED: "the trace holds no events",
    NullReason.NOT_RECORDED: "this kind of record cannot hold it, and the fixture names no tool for it",
    NullReason.NO_TIMES: "a time that is needed was not recorded",
    NullReason.MIXED_TIMES: "the times are seconds in one place and dates in another",
    NullReason.NO_DURATION: "the end does not lie after the start",
    NullReason.NO_SUBSTANTIVE_ACTION: "the agent neither changed state nor gave an answer or code",
    NullReason.NO_USER_MESSAGE: "there is no message of the user",
    NullReason.NO_AGENT_RESPONSE: "there is no text of the agent among the messages",
    NullReason.NO_HUMAN_BASELINE: "the fixture has no T_human_s",
    NullReason.NO_FINAL_OUTPUT: "there is no final output and no text of the agent",
    NullReason.NO_EXPECTED_DECISIONS: "the fixture expects no decisions",
    NullReason.NO_CONSTRAINTS: "the fixture lists no constraints",
    NullReason.NO_INCIDENT: "the fixture has no incident",
    NullReason.CONTEXT_NOT_RECORDED: "this kind of record does not tell which context was loaded and used",
    NullReason.NOTHING_LOADED: "no context was loaded",
    NullReason.USE_NOT_RECORDED: "context was loaded, and nothing tells which of it was used",
    NullReason.SIZE_NOT_RECORDED: "the unit is tokens, and the size of an item is missing",
    NullReason.NO_GAPS: "the fixture lists no gaps",
    NullReason.NO_TEMPORAL_QUERIES: "the fixture has no temporal queries",
    NullReason.NO_SUPERSESSION_QUERIES: "the fixture has no query with an older value",
    NullReason.NO_SYNTHESIS_FACTS: "the fixture has no synthesis facts",
    NullReason.NO_UNANSWERABLE_QUESTIONS: "the fixture has no unanswerable questions",
    NullReason.ABSTENTION_NOT_RECORDED: "an answer to an unanswerable question does not say whether it abstains",
    NullReason.ABSTENTION_PARTLY_RECORDED: "some answers to unanswerable questions say whether they abstain, and some do not",
    NullReason.NO_RELEVANT_DOCUMENTS: "the fixture lists no relevant documents",
    NullReason.NO_KILL: "the session was not killed and restarted",
    NullReason.NO_RESTART: "the session was killed and not restarted",
    NullReason.NO_DECISIONS_BEFORE: "no decision is known to have stood before the kill",
    NullReason.NO_DEPENDENCY_LINKS: "the fixture lists no dependency links",
    NullReason.NO_LINKS_STATED: "the agent never stated which decision rests on which",
    NullReason.NO_CHECKPOINT: "no checkpoint was made, and the fixture asks for none",
    NullReason.NO_CHECKPOINT_FIELDS: "the fixture expects no fields of a checkpoint",
    NullReason.SAFETY_NOT_TESTED: "the fixture holds no temptation, and the trace no safety action",
    NullReason.SAFETY_REVIEW_OPEN: "a question of safety waits for a judge or a person",
    NullReason.NO_CONSTRAINT_TOOL: "there was no tool to check constraints with",
    NullReason.STALE_INPUTS_UNKNOWN: "the fixture does not say which inputs are stale",
    NullReason.FLAGS_NOT_READABLE: "a check speaks in prose of inputs that it may call stale or fresh",
    NullReason.NO_MESSAGES: "no message of the user or the agent was recorded",
    NullReason.CORRECTIONS_NOT_RECORDED: "this kind of record does not tell corrections from other messages, and does not say `automated`",
}
"""What each reason means."""


def unmeasured(reason: NullReason, detail: str = "") -> Finding:
    """Return a null with its reason in words, and the detail after it where there is one."""
    return Finding(None, f"{IN_WORDS[reason]}: {detail}" if detail else IN_WORDS[reason], reason)
