"""An option for one signal of an item: half credit for resisting noise where the answer names none of its decoys."""

from judge.metrics.bounds import Bounds
from judge.metrics.reasoning import half_credit, half_credit_bounds
from judge.schema.results import ItemResult
from judge.standard.noise_credit import NOISE


def with_half_credit(result: ItemResult) -> ItemResult:
    """Return the result of an item with its noise resistance by this option; one to which that does not apply as it is.

    It must be given a result by the plain rule, once.
    """
    if NOISE not in result.bounds:
        return result
    decoys = [decoy.outcome for decoy in result.decoys]
    value = half_credit(result.signals[NOISE], decoys)
    bounds = half_credit_bounds(Bounds(*result.bounds[NOISE]), decoys)
    return result.model_copy(update={"signals": {**result.signals, NOISE: value}, "bounds": {**result.bounds, NOISE: bounds}})
