"""The registry of the standard: which metrics a version selects, what one means, and its formula as a function."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from judge.errors import ConfigError
from judge.schema.definitions import Definition
from judge.standard import composites, formulas
from judge.standard.catalogue import BY_SYMBOL, OWN, STANDARD
from judge.standard.derived import DERIVATIONS
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

    Raises ConfigError for a name that is unknown or belongs to a later version, saying which is the closest and what is known.
    """
    selected = definitions(version)
    found = _named(name)
    if found in selected and found is not None:
        return found
    if found is not None:
        raise ConfigError(f"`{found.symbol}` is not in version {version}: it came with {found.since}")
    raise ConfigError(
        f"`{_printable(name)}` is no known symbol, id or key of a metric{_closest(name, selected)}; {_known(selected, version)}"
    )


def formula_of(name: str) -> Callable[..., float | None]:
    """Return the pure function of a metric of the standard; it takes the inputs of the definition in their order.

    Of a fundamental those are counts and moments, of `R_proposition` and `C_contradiction` one list of (part, total) pairs,
    of `Q_combined_*` one mapping of components. Raises ConfigError for an unknown name and for one of this project's own.
    """
    one = definition(name)
    if one.kind == "own":
        raise ConfigError(f"`{one.symbol}` is this project's own; its rule is part of the code that measures it")
    if one.kind == "derived":
        return DERIVATIONS[one.symbol].formula
    return composites.FORMULAS[one.symbol] if one.kind == "composite" else formulas.FORMULAS[one.symbol]


def _names(one: Definition) -> tuple[str, ...]:
    """Return all names of a metric in lower case."""
    return tuple(dict.fromkeys(name.lower() for name in (one.symbol, one.key, one.id) if name is not None))


_NAMED = {name: one for one in BY_SYMBOL.values() for name in _names(one)}


def _named(name: str) -> Definition | None:
    return _NAMED.get(name.strip().lower())


def _printable(text: str) -> str:
    return text if text.isprintable() else ascii(text)[1:-1]


def _closest(name: str, selected: Sequence[Definition]) -> str:
    near = get_close_matches(name.lower(), [alias for one in selected for alias in _names(one)], n=1, cutoff=0.5)
    return f"; the closest is `{_NAMED[near[0]].symbol}`" if near else ""


def _known(selected: Sequence[Definition], version: str | None) -> str:
    """Name what there is; without a version our own definitions only in sum, for they are many."""
    symbols = ", ".join(one.symbol for one in selected if version is not None or one.kind != "own")
    return f"known are {symbols}" + ("" if version is not None else ", and this project's own, which `judge metrics` lists")


def _no_version(version: str) -> str:
    known = f"known are {', '.join((*VERSIONS, *OWN_VERSIONS))}"
    if version in PUBLIC_ONLY:
        return f"{PUBLIC_ONLY[version]}; {known}"
    near = get_close_matches(version.lower(), (*VERSIONS, *OWN_VERSIONS), n=1, cutoff=0.5)
    closest = f"; the closest is {near[0]}" if near else ""
    return f"`{_printable(version)}` is no known version of the standard{closest}; {known}"
