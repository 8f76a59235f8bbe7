"""Small recorded sessions, written as their JSON files hold them."""

from typing import Any

from judge.schema.fixtures import Fixture
from judge.schema.traces import Trace
from judge.session.finding import Finding
from judge.session.measuring import measure

Fields = dict[str, Any]

COST = Finding(0.25, "priced elsewhere")


def fixture(**fields: Any) -> Fixture:
    return Fixture.model_validate({"id": "harbour", **fields})


def trace(*events: Fields, **fields: Any) -> Trace:
    return Trace.model_validate({"id": "run-1", "events": list(events), **fields})


def found(symbol: str, fixed: Fixture, recorded: Trace) -> Finding:
    return measure(fixed, recorded, COST)[symbol]


def says(role: str, text: str, at: Any = None, **fields: Any) -> Fields:
    return {"type": "message", "role": role, "text": text, "at": at, **fields}


def user(text: str = "go on", at: Any = None) -> Fields:
    return says("user", text, at)


def agent(text: str, at: Any = None, **fields: Any) -> Fields:
    return says("assistant", text, at, **fields)


def call(name: str, **fields: Any) -> Fields:
    return {"type": "tool_call", "name": name, **fields}


def event(kind: str, **fields: Any) -> Fields:
    return {"type": kind, **fields}


def loaded(*ids: str, **sizes: int) -> Fields:
    return event("context_loaded", items=[{"id": name} for name in ids] + [{"id": name, "tokens": size} for name, size in sizes.items()])


def used(*ids: str) -> Fields:
    return event("context_used", ids=list(ids))


def reviewed(action: str, verdict: str) -> Fields:
    return event("safety_action", action=action, verdict=verdict)
