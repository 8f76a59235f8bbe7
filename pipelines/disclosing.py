"""The words by which every output says how its numbers were judged."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from judge.schema.corrections import Correction

METRICS_VERSION = "1.5"
SIGNALS_VERSION = "signals-v1"
"""The definitions of the judge signals, which the standard names without defining them."""

JUDGE_SIGNALS = ("R_judge", "R_conflict_resolution", "R_noise_resistance")
METHODS = {"matrix": "matrix inversion", "rogan_gladen": "the Rogan-Gladen estimator", "ppi": "prediction-powered inference"}
"""By what a rate can be corrected, in words."""

REASONING = "Q_reasoning"
"""What is made of the judge signals alone, and may be stated in their place."""


class Signal(NamedTuple):
    """A judge signal, or what is made of them alone, that has a value; its basis is `given` where nobody here judged it."""

    basis: str | None


class Judged(NamedTuple):
    """What a judge did: under which label policy, by which rule of the signals, and whether it is a model.

    `corrected` names the rates of which a value corrected for its errors is shown, and by what; empty where there are none.
    """

    policy: str
    rule: str
    is_model: bool
    corrected: str = ""


def disclosure(null_policy: str, judged: Judged | None, signals: Iterable[Signal], *, given_by: str) -> list[str]:
    """Return the parts of the sentence. `given_by` says where stated values come from, such as `the run record`.

    Whoever made it, a judge signal is named in the same words.
    """
    known = list(signals)
    is_given = any(signal.basis == "given" for signal in known)
    parts = [f"metrics_version {METRICS_VERSION}", f"null policy {null_policy}", *_judge(judged, has_signals=bool(known))]
    if is_given and (judged is None or not judged.is_model):
        parts.append("includes an LLM judge signal")
    if judged is not None or known:
        parts.append("not fully objective")
    if is_given:
        parts.append(f"a judge signal is given by {given_by}, not judged here")
    if judged is not None:
        corrected = f"corrected for judge error by {judged.corrected}, all others are as judged"
        parts.append(f"rates are {corrected if judged.corrected else 'not corrected for judge error'}")
    return parts


def correction_words(correction: Correction) -> str:
    """Return by what rates are corrected, and which: 'matrix inversion (R_proposition)'; empty where none has a value."""
    by_method: dict[str, list[str]] = {}
    for name, rate in correction.rates.items():
        if rate.method is not None:
            by_method.setdefault(rate.method, []).append(name)
    return " and ".join(f"{METHODS[method]} ({', '.join(names)})" for method, names in by_method.items())


def _judge(judged: Judged | None, *, has_signals: bool) -> Iterator[str]:
    if judged is None:
        yield "no judge was asked" if has_signals else "no judge: what only a judge can tell is null"
        return
    yield f"label policy {judged.policy}"
    if has_signals or judged.rule != SIGNALS_VERSION:
        yield f"judge signals by {judged.rule}, this project's own definition"
    yield "includes an LLM judge signal" if judged.is_model else "judged by an offline word-overlap baseline, not by an LLM"
