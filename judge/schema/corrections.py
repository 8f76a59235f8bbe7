"""Rates of a run with the judge's known errors taken out, beside the rates as judged."""

from judge.schema.figures import Figure
from judge.schema.manifests import FileFacts
from judge.schema.record import Record


class CorrectedRate(Record):
    """One rate as judged and corrected; both `value`s are in [0, 1], higher means more of the label that is counted.

    `method` is `matrix`, `rogan_gladen` or `ppi`; None where `corrected` has no value, which then says why. `unclipped` is the estimate
    itself where it lies outside [0, 1] and the value shown is the nearest end; else None.
    """

    raw: Figure
    corrected: Figure
    method: str | None = None
    unclipped: float | None = None


class LabelledSample(Record):
    """What the correction rests on: how many statements and documents, and how often people gave each label.

    Where `weighted`, `statements` and `labels` are sums of sampling weights: what the labelled ones stand for, not how many there are.
    `drawn_from_this_run` says that the statements were drawn from what is corrected; else the judge's errors there are assumed to be
    those here. `condition` is how much the inversion can enlarge errors, at least 1; None where a label is missing or
    two are judged alike. `youden` is sensitivity + specificity - 1 of supported against the rest: 0 for a judge without information.
    """

    calibration: FileFacts
    statements: float
    weighted: bool = False
    documents: int
    labels: dict[str, float]
    drawn_from_this_run: bool
    condition: float | None
    youden: Figure


class Correction(Record):
    """The corrected rates of a run as a whole; those of single agents stand as judged.

    `rates` are means over items, as the metrics of the same names; `pooled` are over all propositions. `recall_by_method` holds the
    corrected R_proposition by every method, or why a method does not apply.
    """

    rates: dict[str, CorrectedRate]
    pooled: dict[str, CorrectedRate]
    recall_by_method: dict[str, Figure]
    sample: LabelledSample
    warnings: tuple[str, ...] = ()
