"""What was saved before the session died: K_checkpoint, and the checkpoints themselves."""

from collections.abc import Mapping
from typing import Any

from judge.schema.events import Checkpoint, Kill
from judge.session.finding import Finding
from judge.session.json_values import leaves, parsed
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session, calls_for, placed
from judge.session.wording import shared
from judge.text.normalise import folded

STANDARD_FIELDS = ("decisions", "assumptions", "open_questions", "next_steps")
"""What the standard asks of a checkpoint."""


def checkpoint_quality(session: Session) -> Finding:
    """Return K_checkpoint: expected fields with something in them / expected fields, in the last checkpoint before the last kill.

    Without a kill, or without a checkpoint before it, the last checkpoint counts. 0 if none was made although the fixture lists fields.
    """
    listed = session.fixture.checkpoint_fields
    if listed is not None and not listed:
        return unmeasured(NullReason.NO_CHECKPOINT_FIELDS)
    if not session.can_tell("checkpoint"):
        return unmeasured(NullReason.NOT_RECORDED)
    made = checkpoints(session)
    if not made and listed is None:
        return unmeasured(NullReason.NO_CHECKPOINT)
    wanted = list({_name(field): field for field in listed or STANDARD_FIELDS}.values())
    if not made:
        return Finding(0.0, f"no checkpoint was made; fields: {len(wanted)}", basis="trace")
    kill = max((place for place, _ in placed(session, Kill)), default=session.end)
    _, fields = max(made, key=lambda item: (item[0] < kill, item[0]))
    filled = {_name(field) for field, value in fields.items() if not _is_blank(value)}
    return shared("fields", wanted, {field for field in wanted if _name(field) in filled})


def checkpoints(session: Session) -> list[tuple[int, Mapping[str, Any]]]:
    """Return the fields of each checkpoint with its place; a call that saves one holds them in its arguments."""
    events = [(place, event.fields) for place, event in placed(session, Checkpoint)]
    calls = [(place, _fields(call.arguments)) for place, call in calls_for(session, "checkpoint") if call.outcome == "ok"]
    return sorted([*events, *calls], key=lambda item: item[0])


def _fields(arguments: Any) -> Mapping[str, Any]:
    """Return the fields that a call saves: its arguments, and those of an object that is the only one of them."""
    found = parsed(arguments)
    if not isinstance(found, Mapping):
        return {}
    inner = parsed(next(iter(found.values()))) if len(found) == 1 else None
    return {**inner, **found} if isinstance(inner, Mapping) else found


def _name(field: str) -> str:
    return "".join(character for character in folded(field) if character not in " -_")


def _is_blank(value: Any) -> bool:
    """Return whether nothing was saved in a field: null, blank text, or a list of such. An empty list says that there is none of it."""
    found = list(leaves(value))
    return bool(found) and all(leaf is None or (isinstance(leaf, str) and not leaf.strip()) for leaf in found)
