"""What a repeat means in an audit: how the judge samples, and who may have answered from a cache."""

from collections.abc import Iterable

from judge.schema.consistency import Conditions, ProviderCaching
from pipelines.open_run import OpenRun


def conditions_of(run: OpenRun, dropped_parameters: Iterable[str]) -> Conditions:
    """Return under which conditions the repeats of an audit were made; a model may have dropped parameters it does not take."""
    parameters = run.cast.builts[0].facts.identities["label"].parameters
    tallies = [built.caching.facts() for built in run.cast.builts if built.caching is not None]
    caching = _sum([tally for tally in tallies if tally.replies])
    asks_model = any(built.facts.identities["label"].model is not None for built in run.cast.builts)
    asked_now = run.tally().made.judgments
    return Conditions(
        repeats=run.config.repeats,
        temperature=parameters.get("temperature"),
        seed=parameters.get("seed"),
        dropped_parameters=tuple(sorted(set(dropped_parameters))),
        judgments=run.usage.summary().judgments,
        asked_now=asked_now,
        caching=caching,
        meaning=" ".join(_meaning(parameters.get("temperature"), caching, asks_model=asks_model)),
    )


def _meaning(temperature: object, caching: ProviderCaching | None, *, asks_model: bool) -> Iterable[str]:
    """Yield in words what asking again could show."""
    if not asks_model:
        yield "The judge is no model: it says the same each time, so repeats show nothing."
        return
    yield "Each repeat is a request of its own: its number changes the marks round the texts, so no copy of a whole reply serves it."
    if temperature == 0:
        yield "At temperature 0 a model says what it finds likeliest, so that repeats show what is left of chance there."
    else:
        yield f"At temperature {temperature} repeats differ by sampling as well."
    if caching is None:
        yield "What a provider's cache did is not known: no reply was asked for in this run."
    elif caching.repeated_ids:
        copies = f"{caching.repeated_ids} of {caching.replies} replies carry the id of an earlier one"
        yield f"{copies}, as copies do: the judge may be less stable than they are."
    elif caching.cached_input_tokens is None:
        yield "The endpoint does not say whether it took prompts from a cache."
    else:
        yield f"Of {caching.input_tokens} input tokens {caching.cached_input_tokens} came from the provider's cache of prompts."


def _sum(tallies: list[ProviderCaching]) -> ProviderCaching | None:
    if not tallies:
        return None
    told = [tally for tally in tallies if tally.cached_input_tokens is not None]
    return ProviderCaching(
        replies=sum(tally.replies for tally in tallies),
        repeated_ids=sum(tally.repeated_ids for tally in tallies),
        cached_input_tokens=sum(tally.cached_input_tokens or 0 for tally in told) if told else None,
        input_tokens=sum(tally.input_tokens or 0 for tally in told) if told else None,
    )
