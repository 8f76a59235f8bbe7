"""One sample of an Inspect log as a session."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from judge.schema.events import Moment
from judge.schema.traces import TokenUsage
from judge.standard.stated import shown
from pipelines.documents.places import ROOT, child
from pipelines.documents.strict_json import Part, value_faults
from pipelines.sessions.inspect_events import Timeline
from pipelines.sessions.inspect_values import resolved, without_nan
from pipelines.sessions.messages import Unusable, steps_of
from pipelines.sessions.moments import moment_of
from pipelines.sessions.steps import Step, joined

_GRADER = "grader"
_LONGEST = 200
"""Characters of an error that are shown; some carry whole pages."""

_USED = ("id", "messages", "events", "transcript", "output", "error", "limit", "model_usage", "role_usage", "started_at")


class Log(NamedTuple):
    """What the head of a log says of its samples. `graders` are models by role; `order` gives the places of ids in the data set."""

    form: str
    model: str | None
    solver: str | None
    graders: dict[str, str]
    order: dict[str, int]
    warning: str | None

    def rank(self, sample: "Sample") -> tuple[int, str, int]:
        """Return where a sample stands in the data set, then its epoch."""
        return self.order.get(sample.id, len(self.order)), sample.id, sample.epoch


class Sample(NamedTuple):
    """A sample as the JSON of a trace, and what is odd about it."""

    id: str
    epoch: int
    record: dict[str, Any]
    warnings: tuple[str, ...]


def read_sample(log: Log, value: Any, path: str) -> Sample:
    """Return a sample's session. Raises Unusable for what cannot be read.

    Messages come from the sample's talk and take their times from its events; tool calls come from the events, those of agents
    within the agent included, and from the messages where there is no event. Nobody corrects in an evaluation.
    """
    if not isinstance(value, dict):
        raise Unusable(path, f"is {shown(value)}, expected a sample")
    told = _used(value, path)
    identifier, epoch = _id(told, path), value.get("epoch", 1)
    if isinstance(epoch, bool) or not isinstance(epoch, int):
        raise Unusable(child(path, "epoch"), f"is {shown(epoch)}, expected a whole number")
    timeline = Timeline.of(told.get("events", told.get("transcript")), child(path, "events"))
    steps = timeline.merged(_steps(told, path))
    found = joined(steps)
    usage = _usage(told, log, path)
    record = {
        "id": f"{identifier}#{epoch}",
        "source": "inspect",
        "automated": True,
        "agent": log.model or log.solver,
        "model": log.model,
        "started_at": _started(told, path),
        "final_output": _completion(told),
        "events": [event.model_dump(mode="json") for event in found.events],
        "usage": [entry.model_dump(mode="json") for entry in usage],
    }
    notes = [log.warning, *_notes(told), *found.warnings, _without_graders(told, log)]
    return Sample(identifier, epoch, record, tuple(note for note in notes if note is not None))


def _used(sample: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the fields that a session is made of, attachments in their places and null where Inspect writes NaN."""
    attachments = sample.get("attachments")
    fields = {key: without_nan(sample[key]) for key in _USED if key in sample}
    found = {key: resolved(part, attachments if isinstance(attachments, dict) else {}) for key, part in fields.items()}
    for fault in value_faults(Part(found)):
        raise Unusable(path + fault.path.removeprefix(ROOT), fault.message)
    return found


def _id(sample: Mapping[str, Any], path: str) -> str:
    identifier = sample.get("id")
    if isinstance(identifier, bool) or not isinstance(identifier, str | int) or not str(identifier).strip():
        raise Unusable(child(path, "id"), f"is {shown(identifier)}, expected text or a whole number")
    return str(identifier)


def _steps(sample: Mapping[str, Any], path: str) -> list[tuple[str | None, list[Step]]]:
    """Return the steps of each message, with the message's id."""
    messages = sample.get("messages")
    if messages is not None and not isinstance(messages, list):
        raise Unusable(child(path, "messages"), f"is {shown(messages)}, expected a list")
    found = []
    for number, message in enumerate(messages or []):
        identifier = message.get("id") if isinstance(message, dict) else None
        found.append((identifier if isinstance(identifier, str) else None, steps_of(message, child(child(path, "messages"), number))))
    return found


def _completion(sample: Mapping[str, Any]) -> str | None:
    """Return the answer that was scored; an empty one stays untold, since a failed sample has an empty one too."""
    output = sample.get("output")
    text = output.get("completion") if isinstance(output, dict) else None
    return text if isinstance(text, str) and text.strip() else None


def _started(sample: Mapping[str, Any], path: str) -> float | str | None:
    try:
        moment: Moment | None = moment_of(sample.get("started_at"))
    except ValueError as error:
        raise Unusable(child(path, "started_at"), str(error)) from error
    return moment if moment is None or isinstance(moment, float) else moment.isoformat()


def _notes(sample: Mapping[str, Any]) -> list[str]:
    """Return that a sample failed or was stopped; such a session is measured as far as it went."""
    notes = []
    for field, words, key in (("error", "the sample ended in an error", "message"), ("limit", "the sample was stopped by a limit", "type")):
        told = sample.get(field)
        if told is not None:
            reason = told.get(key) if isinstance(told, dict) else told
            notes.append(f"{words}: {' '.join(reason.split())[:_LONGEST]}" if isinstance(reason, str) else words)
    return notes


def _usage(sample: Mapping[str, Any], log: Log, path: str) -> list[TokenUsage]:
    """Return the tokens of each model without those of a grader: the cost of judging is no cost of the agent.

    Inspect counts input tokens without cached ones.
    """
    place = child(path, "model_usage")
    told = sample.get("model_usage") or {}
    if not isinstance(told, dict):
        raise Unusable(place, f"is {shown(told)}, expected an object")
    grading = _grading(sample, log)
    found = []
    for model, counts in told.items():
        if not isinstance(counts, dict):
            raise Unusable(child(place, model), f"is {shown(counts)}, expected an object with token counts")
        less = grading.get(model, {})
        spent = {name: _tokens(counts, name, child(place, model)) for name in _KINDS}
        left = {kind: _minus(spent[name], less.get(name), child(child(place, model), name)) for name, kind in _KINDS.items()}
        if less and not any(left.values()):
            continue
        caches = {kind: left.pop(kind) or 0 for kind in ("cache_read_tokens", "cache_write_tokens")}
        if model.strip():
            found.append(TokenUsage(model=model, input_tokens=left["input_tokens"], output_tokens=left["output_tokens"], **caches))
    return found


_KINDS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "input_tokens_cache_read": "cache_read_tokens",
    "input_tokens_cache_write": "cache_write_tokens",
}


def _tokens(counts: Mapping[str, Any], name: str, path: str) -> int | None:
    value = counts.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise Unusable(child(path, name), f"is {shown(value)}, expected a number of tokens, 0 or more")
    return value


def _minus(whole: int | None, part: Any, path: str) -> int | None:
    if whole is None or part is None:
        return whole
    if isinstance(part, bool) or not isinstance(part, int) or not 0 <= part <= whole:
        raise Unusable(path, f"is {whole}, yet the grader's part of it is {shown(part)}")
    return whole - part


def _grading(sample: Mapping[str, Any], log: Log) -> dict[str, dict[str, Any]]:
    """Return the tokens of the grader by its model."""
    roles = sample.get("role_usage")
    counts = roles.get(_GRADER) if isinstance(roles, dict) else None
    model = log.graders.get(_GRADER)
    return {model: counts} if isinstance(counts, dict) and model is not None else {}


def _without_graders(sample: Mapping[str, Any], log: Log) -> str | None:
    grading = _grading(sample, log)
    return f"the tokens of the grader {next(iter(grading))} are left out: judging is no cost of the agent" if grading else None
