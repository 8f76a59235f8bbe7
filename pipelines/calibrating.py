"""A calibration read from a judge card or an agreement audit, held against the judge that it is to correct, and used on a run."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from judge.auditing.correcting import RECALL, Known, correct
from judge.auditing.item_labels import ItemLabels, item_labels
from judge.auditing.keys import label_key
from judge.errors import ConfigError, InputError
from judge.schema.calibrations import Calibration
from judge.schema.corrections import Correction
from judge.schema.judgments import JudgeIdentity
from judge.schema.manifests import FileFacts, JudgeFacts
from judge.schema.results import ItemResult
from judge.schema.summaries import MetricSummary
from judge.standard.stated import shown
from pipelines.documents.file_bytes import FileBytes, PlacedFault, read_bytes, refuse
from pipelines.documents.places import ROOT, child
from pipelines.documents.strict_json import Part, whole_of
from pipelines.documents.wording import validated, with_value_faults

FIELD = "calibration"
"""The field of a card or an audit that holds it."""

_FLAG = "--calibration"


class ReadCalibration(NamedTuple):
    """A calibration, the file it came from, and the name that the file gives its judge, where it gives one."""

    calibration: Calibration
    file: FileFacts
    judge: str | None


class Correcting:
    """Collects what a run's items say of their propositions, and corrects its rates by a calibration in the end."""

    def __init__(self, read: ReadCalibration, input_sha256: str) -> None:
        """Begin without items; `input_sha256` is that of the run's input."""
        self._read = read
        self._input_sha256 = input_sha256
        self._items: list[ItemLabels] = []

    def add(self, result: ItemResult) -> None:
        """Take over one item."""
        item = item_labels(result)
        if item is not None:
            self._items.append(item)

    def correction(self, metrics: Mapping[str, MetricSummary]) -> Correction:
        """Return the corrected rates; where the run has no recall, neither has its correction, for the same reason."""
        recall = metrics[RECALL]
        items = [] if recall.value is None else self._items
        return correct(Known(self._read.calibration, self._read.file, items, self._input_sha256, recall.reason))


def opened(path: Path | None, judge: JudgeFacts, input_sha256: str) -> Correcting | None:
    """Return what corrects a run of this judge, or None without a file. Raises ConfigError for a file that cannot correct it."""
    if path is None:
        return None
    read = read_calibration(path)
    check_calibration(read, judge.spec, judge.identities["label"])
    return Correcting(read, input_sha256)


def read_calibration(path: Path) -> ReadCalibration:
    """Return the calibration in a file. Raises ConfigError naming the file and every fault of it."""
    try:
        file = read_bytes(path)
        part = whole_of(file)
        return ReadCalibration(_calibration(file, part), FileFacts(name=path.name, sha256=file.sha256), _judge_name(part.value))
    except InputError as error:
        raise ConfigError(f"{_FLAG} {error}") from error


def check_calibration(read: ReadCalibration, spec: str, label: JudgeIdentity) -> None:
    """Raise ConfigError where the labels are those of another judge or of another policy; `label` is the identity of label requests."""
    calibration = read.calibration
    key = label_key(label)
    if calibration.judge_key != key:
        there = f"{read.judge or 'a judge'} (key {calibration.judge_key[:12]})"
        raise ConfigError(
            f"{_FLAG} {read.file.name} is about {there}, this run asks {spec} (key {key[:12]}): the errors of one judge do not "
            "correct another; a judge is another one where model, address, prompt or parameters differ"
        )
    assert label.policy is not None, "every judge labels under a policy"
    if calibration.policy_sha256 != label.policy.sha256:
        raise ConfigError(
            f"{_FLAG} {read.file.name} was made under label policy {calibration.policy}, this run labels under {label.policy.label}: "
            "give the same --policy, or a calibration under this one"
        )


def _calibration(file: FileBytes, part: Part) -> Calibration:
    fields = part.value if isinstance(part.value, dict) else {}
    found = fields.get(FIELD)
    if found is None:
        fault = "is null: this card or audit holds no labels of people" if FIELD in fields else "is missing"
        expected = "expected a judge card of `judge audit card`, or the audit.json of `judge audit agreement`, with labels of people"
        refuse(file, [PlacedFault(child(ROOT, FIELD), f"{fault}, {expected}")])
    calibration = validated(Calibration, found, child(ROOT, FIELD))
    faults = calibration if isinstance(calibration, list) else _impossible(calibration)
    refuse(file, with_value_faults(part, faults))
    assert not isinstance(calibration, list), "what has faults was refused"
    return calibration


def _impossible(calibration: Calibration) -> list[PlacedFault]:
    """Return what no count and no recall can be."""
    place = child(child(ROOT, FIELD), "documents")
    counts = [
        PlacedFault(child(place, k), "holds a negative count")
        for k, document in enumerate(calibration.documents)
        if min(count for rows in (document.three_way, document.two_way) for row in rows for count in row) < 0
    ]
    place = child(child(ROOT, FIELD), "items")
    return counts + [
        PlacedFault(child(place, k), "has a recall outside 0 to 1")
        for k, item in enumerate(calibration.items)
        if not (0 <= item.judged <= 1 and 0 <= item.human <= 1)
    ]


def _judge_name(value: object) -> str | None:
    judge = value.get("judge") if isinstance(value, dict) else None
    spec = judge.get("spec") if isinstance(judge, dict) else None
    return shown(spec) if isinstance(spec, str) else None
