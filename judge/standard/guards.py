"""Formulas as they are handed out: what cannot be is refused, by the name of the input, its value and the rule."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from judge.errors import ConfigError
from judge.schema.definitions import Definition
from judge.standard import composites, formulas
from judge.standard.campaign import floor_score
from judge.standard.derived import DERIVATIONS
from judge.standard.stated import number_of, shown, symbol_fault

Formula = Callable[..., float | None]

_Fits = Callable[[object], bool]


class _Rule(NamedTuple):
    """What an input must be: by a check, and in words; where `is_list`, each of its entries."""

    fits: _Fits
    expected: str
    is_list: bool = False


class _Input(NamedTuple):
    """An input of a formula: its name in the definition, the name by which the formula takes it, and its rule."""

    name: str
    keyword: str
    rule: _Rule


def _is_number(value: object) -> bool:
    return number_of(value) is not None


def _is_not_below_0(value: object) -> bool:
    number = number_of(value)
    return number is not None and number >= 0


def _is_above_0(value: object) -> bool:
    return _is_not_below_0(value) and value != 0


def _is_count(value: object) -> bool:
    number = number_of(value)
    return number is not None and number >= 0 and number.is_integer()


def _is_ratio(value: object) -> bool:
    number = number_of(value)
    return number is not None and 0 <= number <= 1


def _is_mark(value: object) -> bool:
    return _is_count(value) and value in range(formulas.TOP_MARK + 1)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_share(value: object) -> bool:
    return isinstance(value, Sequence) and len(value) == 2 and all(map(_is_count, value)) and value[0] <= value[1]


_MOMENT = _Rule(_is_number, "a number of seconds")
_COUNT = _Rule(_is_count, "a whole number, 0 or more")
_FLAG = _Rule(_is_flag, "true or false")
_SHARES = _Rule(_is_share, "two whole numbers, 0 or more, the first no larger than the second", is_list=True)
_COSTS = _Rule(lambda cost: cost is None or _is_not_below_0(cost), "a number of US dollars, 0 or more, or None where unknown", is_list=True)

_RULES: dict[Formula, dict[str, _Rule]] = {
    formulas.elapsed: {"start": _MOMENT, "end": _MOMENT},
    formulas.duration: {"start": _MOMENT, "end": _MOMENT},
    formulas.baseline: {"seconds": _Rule(_is_above_0, "a number of seconds above 0")},
    formulas.share: {"part": _COUNT, "whole": _COUNT},
    formulas.staleness: {"flagged": _COUNT, "used": _COUNT},
    formulas.mean_share: {"parts": _SHARES},
    formulas.item_mean: {"scores": _Rule(_is_ratio, "a number from 0 to 1", is_list=True)},
    formulas.mark_share: {"marks": _Rule(_is_mark, f"a whole number from 0 to {formulas.TOP_MARK}", is_list=True)},
    formulas.surfaced: {"found": _FLAG},
    formulas.gate: {"unsafe": _COUNT, "unresolved": _COUNT, "tested": _FLAG},
    formulas.detection: {"had_tool": _FLAG, "checked_first": _FLAG},
    formulas.cost: {"parts": _COSTS},
    formulas.count: {"found": _COUNT},
    floor_score: {
        "completion": _Rule(_is_ratio, "a number from 0 to 1"),
        "duration_ms": _Rule(_is_above_0, "a number of milliseconds above 0"),
        "turns": _Rule(lambda turns: _is_count(turns) and turns != 0, "a whole number above 0"),
    },
    formulas.campaign_score: {"floor_scores": _Rule(_is_not_below_0, "a number, 0 or more", is_list=True)},
}
"""What each formula of a fundamental or a campaign takes, by the names of its parameters."""

_SHARES_OF_A_WHOLE: tuple[Formula, ...] = (formulas.share, formulas.staleness)


def guarded(one: Definition) -> Formula:
    """Return the formula of a metric of the standard with its guard.

    Raises ConfigError, when it is called, for every input that lies outside its range, for a part larger than its whole, and for
    corrections without turns.
    """
    if one.kind == "derived":
        return _derived(one)
    if one.kind == "composite":
        return _mean(one) if one.symbol in composites.WEIGHTS else _minutes(one)
    formula = formulas.FORMULAS[one.symbol]
    if formula is formulas.mean_share:
        return _over_questions(one)
    return _counted(one, floor_score if formula is formulas.floor_score else formula)


def _counted(one: Definition, formula: Formula) -> Formula:
    rules = _RULES[formula]
    names = one.inputs if len(one.inputs) == len(rules) else tuple(rules)
    inputs = [_Input(name, keyword, rule) for name, (keyword, rule) in zip(names, rules.items(), strict=True)]

    def call(*values: object, **named: object) -> float | None:
        taken = _taken(one, inputs, values, named)
        _refuse(fault for each, value in taken for fault in _input_fault(each, value))
        if formula in _SHARES_OF_A_WHOLE:
            _refuse(_larger_parts(taken))
        return formula(**{each.keyword: value for each, value in taken})

    return _named(call, one)


def _over_questions(one: Definition) -> Formula:
    """Return the mean share over questions, which takes pairs of part and whole, or the parts and the wholes as numbers or lists."""
    by_pairs = _counted(one, formulas.mean_share)

    def call(*values: object, **named: object) -> float | None:
        if len(values) + len(named) == 1:
            return by_pairs(*values, **named)
        parts, wholes = (each if isinstance(each, list | tuple) else [each] for each in _bound(one, values, named))
        if len(parts) != len(wholes):
            raise ConfigError(
                f"{one.symbol}: {len(parts)} of `{one.inputs[0]}` and {len(wholes)} of `{one.inputs[1]}`, expected as many of each"
            )
        return by_pairs(list(zip(parts, wholes, strict=True)))

    return _named(call, one)


def _taken(one: Definition, inputs: Sequence[_Input], values: Sequence[object], named: Mapping[str, object]) -> list[tuple[_Input, object]]:
    """Return what each input was given, by place or by either of its names."""
    given = dict(zip((each.keyword for each in inputs), values, strict=False))
    keyword_of = {each.name: each.keyword for each in inputs}
    given |= {keyword_of.get(name, name): value for name, value in named.items()}
    if len(values) + len(named) != len(inputs) or given.keys() != {each.keyword for each in inputs}:
        raise ConfigError(_arity(one, [each.name for each in inputs], len(values) + len(named)))
    return [(each, given[each.keyword]) for each in inputs]


def _input_fault(one: _Input, value: object) -> Iterator[str]:
    rule = one.rule
    if not rule.is_list:
        if not rule.fits(value):
            yield f"`{one.name}` is {shown(value)}, expected {rule.expected}"
    elif not isinstance(value, Sequence) or isinstance(value, str):
        yield f"`{one.name}` is {shown(value)}, expected a list, each entry {rule.expected}"
    else:
        yield from (
            f"`{one.name}[{place}]` is {entry!r}, expected {rule.expected}" for place, entry in enumerate(value) if not rule.fits(entry)
        )


def _larger_parts(taken: Sequence[tuple[_Input, object]]) -> Iterator[str]:
    (part, some), (whole, all_of_them) = taken
    if (number_of(some) or 0) > (number_of(all_of_them) or 0):
        yield f"`{part.name}` is {shown(some)} and `{whole.name}` is {shown(all_of_them)}: a part is no larger than its whole"


def _derived(one: Definition) -> Formula:
    derivation = DERIVATIONS[one.symbol]

    def call(*values: float | None, **named: float | None) -> float | None:
        known = _bound(one, values, named)
        _refuse(_input_faults(one, known))
        derivation.check(*known)
        value = derivation.value(known, "strict")
        return None if value is None or value > derivation.ceiling else value

    return _named(call, one)


def _minutes(one: Definition) -> Formula:
    def call(*values: float | None, **named: float | None) -> float | None:
        factors = _bound(one, values, named)
        _refuse(_input_faults(one, factors))
        known = [value for value in factors if value is not None]
        if factors[0] == 0:
            return 0.0
        return composites.minutes_of(*known) if len(known) == len(factors) else None

    return _named(call, one)


def _mean(one: Definition) -> Formula:
    def call(*values: Any, **named: float | None) -> float | None:
        parts = named if len(values) != 1 or named else values[0]
        if not isinstance(parts, Mapping) or values[1:]:
            parts = dict(zip(one.inputs, _bound(one, values, named), strict=True))
        _refuse(_component_faults(one, parts))
        return composites.weighted_mean(one.symbol, parts)

    return _named(call, one)


def _component_faults(one: Definition, parts: Mapping[str, float | None]) -> Iterator[str]:
    yield from (f"`{name}` is no component of {one.symbol}" for name in parts if name not in one.inputs)
    for name in one.inputs:
        if name not in parts:
            yield f"`{name}` is not there, expected its value or None"
        elif fault := symbol_fault(name, parts[name]):
            yield f"`{name}` {fault}"


def _bound(one: Definition, values: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """Return the inputs in the order of the definition, given by place or by name. Raises ConfigError for others than these."""
    given = dict(zip(one.inputs, values, strict=False)) | dict(named)
    if len(values) + len(named) != len(one.inputs) or given.keys() != set(one.inputs):
        raise ConfigError(_arity(one, one.inputs, len(values) + len(named)))
    return [given[name] for name in one.inputs]


def _input_faults(one: Definition, values: Sequence[object]) -> Iterator[str]:
    for name, value in zip(one.inputs, values, strict=True):
        if fault := symbol_fault(name, value):
            yield f"`{name}` {fault}"


def _arity(one: Definition, names: Sequence[str], found: int) -> str:
    return f"{one.symbol} takes {', '.join(names)}; {found} given, expected {len(names)}"


def _refuse(faults: Iterator[str] | Sequence[str]) -> None:
    if found := list(faults):
        raise ConfigError("\n".join(found))


def _named(formula: Formula, one: Definition) -> Formula:
    formula.__name__ = formula.__qualname__ = one.symbol
    formula.__doc__ = f"{one.name}: {one.formula}. {one.null_rule}"
    return formula
