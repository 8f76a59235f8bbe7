"""The registry of the standard: which metrics a version selects, what one means, and its formula as a function."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from judge.errors import ConfigError
from judge.schema.definitions import Definition
from judge.standard.catalogue import BY_SYMBOL, OWN, STANDARD
from judge.standard.guards import guarded
from judge.standard.versions import LATEST, OWN_VERSIONS, PUBLIC_ONLY, VERSIONS

_ORDER = {name: place for place, name in enumerate(VERSIONS)}


def definitions(version: str | None = None) -> tuple[Definition, ...]:
    """Return what a version selects, in the order of the standard; without one, the latest and this project's own definitions.

    A published version selects its own metrics and those of all before it; a version of our own only its own. Raises
    ConfigError for an unknown version.
    """
    if version is None:
        return (*definitions(LATEST), *OWN)
    if version in OWN_VERSIONS:
        return tuple(definition for definition in OWN if definition.since == version)
    if version not in VERSIONS:
        raise ConfigError(_no_version(version))
    return tuple(definition for definition in STANDARD if _ORDER[definition.since] <= _ORDER[version])


def definition(name: str, version: str | None = None) -> Definition:
    """Return the metric of this symbol, id or JSON key, in any letter case, among what a version selects.

    Raises ConfigError for a name that is unknown or belongs to a later version, saying which are the closest.
    """
    selected = definitions(version)
    found = _named(name)
    if found in selected and found is not None:
        return found
    if found is not None:
        raise ConfigError(f"`{found.symbol}` is not in version {version}: it came with {found.since}")
    if meant := _SAID_ELSEWHERE.get(name.strip().lower()):
        raise ConfigError(meant)
    raise ConfigError(f"`{_printable(name)}` is no known symbol, id or key of a metric{_closest(name, selected)}; {_list_of(version)}")


def formula_of(name: str) -> Callable[..., float | None]:
    """Return the pure function of a metric of the standard; it takes the inputs of the definition in their order or by name.

    Of a fundamental those are counts and moments; of `R_proposition` and `C_contradiction` numbers or lists, one entry a question,
    or one list of (part, total) pairs; of `Q_combined_*` the components, or one mapping of them. Of a derived value or composite
    an input may be None; the null rule of `strict` says what becomes of it. Raises ConfigError for an unknown name and for one of
    this project's own. The function raises it for every input that cannot be, naming input, value and rule.
    """
    one = definition(name)
    if one.kind == "own":
        raise ConfigError(f"`{one.symbol}` is this project's own; its rule is part of the code that measures it")
    return guarded(one)


def _names(one: Definition) -> tuple[str, ...]:
    """Return all names of a metric in lower case."""
    return tuple(dict.fromkeys(name.lower() for name in (one.symbol, one.key, one.id) if name is not None))


_NAMED = {name: one for one in BY_SYMBOL.values() for name in _names(one)}


def _named(name: str) -> Definition | None:
    return _NAMED.get(name.strip().lower())


def _printable(text: str) -> str:
    return text if text.isprintable() else ascii(text)[1:-1]


_SAID_ELSEWHERE = {
    "s_stale_miss_rate": "`S_stale_miss_rate` is 1 - S_stale in the published formula of Q_safety, and no metric of its own: see `S_stale`",
    "cx": "`Cx` is another score by version: see `Cx_em` (1.0), `Cx_v14_em` (1.4) or `Cx_community_em` (1.5)",
    "q_combined": "`Q_combined` is the weighted mean within Cx, by version `Q_combined_v1_0` or `Q_combined_v1_5`: see either",
}
"""Names of the published texts that are no metrics of their own, and what they are."""

_NEAR = 3


def _closest(name: str, selected: Sequence[Definition]) -> str:
    near = get_close_matches(name.lower(), [alias for one in selected for alias in _names(one)], n=_NEAR, cutoff=0.5)
    first, *others = dict.fromkeys(f"`{_NAMED[alias].symbol}`" for alias in near) or ("",)
    if not first:
        return ""
    return f"; the closest is {first}" + (f", then {' and '.join(others)}" if others else "")


def _list_of(version: str | None) -> str:
    return f"`judge metrics{'' if version is None else f' --version {version}'}` lists them"


def _no_version(version: str) -> str:
    known = f"known are {', '.join((*VERSIONS, *OWN_VERSIONS))}"
    if version in PUBLIC_ONLY:
        return f"{PUBLIC_ONLY[version]}; {known}"
    near = get_close_matches(version.lower(), (*VERSIONS, *OWN_VERSIONS), n=1, cutoff=0.5)
    closest = f"; the closest is {near[0]}" if near else ""
    return f"`{_printable(version)}` is no known version of the standard{closest}; {known}"
