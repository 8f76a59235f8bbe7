"""Inspect logs in one JSON object: a trace for every sample of every epoch."""

from collections.abc import Mapping, Sequence
from typing import Any

from judge.errors import InputError
from judge.schema.traces import Trace
from judge.standard.stated import shown
from pipelines.documents.file_bytes import FileBytes, PlacedFault, refuse
from pipelines.documents.places import ROOT, child
from pipelines.documents.strict_json import Part, value_faults
from pipelines.sessions.inspect_samples import Log, Sample, read_sample
from pipelines.sessions.inspect_values import without_nan
from pipelines.sessions.messages import Unusable
from pipelines.sessions.native import read_native
from pipelines.sessions.trace_file import TraceFile

_USED = ("model", "solver", "model_roles", "dataset")
_NO_MODEL = "none/none"
"""What Inspect calls the model of a solver that needs none."""

_UNFINISHED = ("started", "cancelled")


def is_inspect_log(value: Any) -> bool:
    """Return whether a JSON value is a log of Inspect."""
    return isinstance(value, dict) and isinstance(value.get("eval"), dict) and ("samples" in value or "status" in value)


def read_inspect_log(file: FileBytes, log: Mapping[str, Any]) -> tuple[TraceFile, ...]:
    """Return the sessions of a log. Raises InputError if it has none or if one of them cannot be read."""
    samples = log.get("samples")
    if samples is not None and not isinstance(samples, list):
        raise InputError([file.fault(f"$.samples: is {shown(samples)}, expected a list")])
    places = [(sample, child(child(ROOT, "samples"), number)) for number, sample in enumerate(samples or [])]
    return sessions_of(file, log, places)


def sessions_of(file: FileBytes, header: Mapping[str, Any], samples: Sequence[tuple[Any, str]]) -> tuple[TraceFile, ...]:
    """Return the sessions of samples with their places, by the order of the data set and the epoch, since a log's own order may change."""
    refuse(file, [PlacedFault(f"$.eval{fault.path.removeprefix(ROOT)}", fault.message) for fault in value_faults(Part(_head(header)))])
    log = log_of(header, len(samples))
    found: list[tuple[Sample, str]] = []
    faults: list[PlacedFault] = []
    for value, place in samples:
        try:
            found.append((read_sample(log, value, place), place))
        except Unusable as unusable:
            faults.append(unusable.fault)
    if not found and not faults:
        raise InputError([file.fault("is an Inspect log without samples, which tells of no session")])
    traces: list[tuple[Trace, Sample, str]] = []
    for sample, place in found:
        trace = _trace(sample, place)
        if isinstance(trace, list):
            faults += trace
        else:
            traces.append((trace, sample, place))
    refuse(file, faults)
    traces.sort(key=lambda one: log.rank(one[1]))
    return tuple(TraceFile(trace, file.path, file.sha256, log.form, sample.warnings, place) for trace, sample, place in traces)


def log_of(header: Mapping[str, Any], samples: int) -> Log:
    """Return what the head of a log says of all its samples."""
    told = _head(header)
    status = header.get("status")
    word = status if isinstance(status, str) else "started"
    form = f"Inspect log, status {word}" if word.isascii() and word.isalpha() else "Inspect log"
    dataset = told.get("dataset")
    ids = dataset.get("sample_ids") if isinstance(dataset, dict) else None
    model = told.get("model")
    solver = told.get("solver")
    return Log(
        form=form,
        model=model if isinstance(model, str) and model.strip() and model != _NO_MODEL else None,
        solver=solver if isinstance(solver, str) and solver.strip() else None,
        graders=_graders(told),
        order={str(identifier): place for place, identifier in enumerate(ids)} if isinstance(ids, list) else {},
        warning=f"the log was interrupted: it holds {samples} sample{'' if samples == 1 else 's'}" if word in _UNFINISHED else None,
    )


def _head(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the sessions of a log need of its head; whatever else is in there is nobody's business."""
    head = header.get("eval")
    return {key: without_nan(head[key]) for key in _USED if key in head} if isinstance(head, dict) else {}


def _graders(told: Mapping[str, Any]) -> dict[str, str]:
    """Return the models that have a role of their own beside the agent's, by role."""
    roles = told.get("model_roles")
    named = {role: config.get("model") for role, config in roles.items() if isinstance(config, dict)} if isinstance(roles, dict) else {}
    return {role: model for role, model in named.items() if isinstance(model, str)}


def _trace(sample: Sample, place: str) -> Trace | list[PlacedFault]:
    faults = value_faults(Part(sample.record)) or read_native(sample.record)
    if isinstance(faults, Trace):
        return faults
    return [PlacedFault(place, f"read as a trace: {fault}") for fault in faults]
