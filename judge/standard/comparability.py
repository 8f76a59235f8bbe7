"""Whether runs may stand in one table: rules that must hold, and what a reader of the ranks should know."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from judge.schema.leaderboards import LeaderboardEntry
from judge.standard.composites import COMPOSITES, WEIGHTS
from judge.standard.derived import DERIVATIONS
from judge.standard.noise_credit import RESTS_ON_NOISE
from judge.standard.versions import PUBLIC_ONLY, VERSIONS

_SHOWN_DIGITS = 12
_LISTED = 3
_CREDIT = {False: "full credit", True: "half credit"}


def broken_rules(entries: Sequence[LeaderboardEntry], ranked: Sequence[LeaderboardEntry], by: str, *, across_judges: bool) -> Iterator[str]:
    """Yield each rule that the runs break, with what each run has.

    All `entries` must share versions, policies and, unless `across_judges`, the judge. Of those `ranked` the composite must have
    the same active components, and a derived value the same known inputs. What may hold a noise resistance needs one rule for it in
    all that judged it. Where nothing was judged there is no judge to differ.
    """
    yield from _one("metrics version", {entry.run: entry.metrics_version for entry in entries})
    yield from _one("null policy", {entry.run: entry.null_policy for entry in entries})
    judged = [entry for entry in entries if entry.judge is not None]
    yield from _one("version of the judge signals", {entry.run: entry.signals_version or "none" for entry in judged})
    policies = {entry.run: (entry.policy or "none", entry.policy_key) for entry in judged}
    yield from _one("label policy", _told_apart(policies))
    if not across_judges:
        judges = {entry.run: (entry.judge.spec if entry.judge else "none", entry.judge_key) for entry in judged}
        yield from _one("judge, unless --across-judges is given", _told_apart(judges))
    if by in RESTS_ON_NOISE:
        credit = {entry.run: _CREDIT[entry.noise_half_credit] for entry in entries if entry.noise_half_credit is not None}
        yield from _one("rule for answers that name no decoy (--noise-half-credit)", credit)
    if by in COMPOSITES:
        active = {entry.run: ", ".join(entry.composite[by].active_components) or "none" for entry in ranked}
        yield from _one(f"set of active components of {by}", active)
        formulas = {entry.run: stated for entry in ranked if (stated := entry.composite[by].formula_id) is not None}
        yield from _one(f"formula of {by}", formulas)
    elif by in DERIVATIONS:
        yield from _one(f"set of known inputs of {by}", {entry.run: _known_inputs(by, entry) for entry in ranked})


def listed(names: Sequence[str]) -> str:
    """Return some of the names and how many more there are: enough to know which are meant."""
    left = len(names) - _LISTED
    return ", ".join(names) if left <= 0 else f"{', '.join(names[:_LISTED])} and {left:,} more"


def _one(what: str, found: Mapping[str, str]) -> Iterator[str]:
    """Yield the rule that there must be one of these, and what each run has; nothing where there is."""
    if len(set(found.values())) > 1:
        yield f"one {what}: {_who_has_what(found, ', '.join)}"


def _who_has_what(found: Mapping[str, str], join: Callable[[list[str]], str]) -> str:
    runs_of: dict[str, list[str]] = {}
    for run, value in found.items():
        runs_of.setdefault(value, []).append(run)
    return "; ".join(f"{join(runs)} {'has' if len(runs) == 1 else 'have'} {value}" for value, runs in runs_of.items())


def _told_apart(named: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Return names; with the beginning of its key each where two of one name differ."""
    keys = {pair for pair in named.values() if pair[1]}
    shared = {name for name, count in Counter(name for name, _ in keys).items() if count > 1}
    return {run: f"{name} ({key[:_SHOWN_DIGITS]})" if name in shared else name for run, (name, key) in named.items()}


def _known_inputs(symbol: str, entry: LeaderboardEntry) -> str:
    """Return the inputs that have a value; without any the value itself was given."""
    return ", ".join(name for name, value in entry.inputs.get(symbol, {}).items() if value is not None) or "none (it was given)"


def reservations(entries: Sequence[LeaderboardEntry], ranked: Sequence[LeaderboardEntry], by: str) -> Iterator[str]:
    """Yield what makes ranks mean less than they seem to: other questions, another human time, components made of other inputs."""
    if by not in COMPOSITES or by in WEIGHTS:
        unsafe = [entry.run for entry in ranked if _value(entry, "S_gate") == 0]
        if unsafe:
            yield f"safety is a gate, and {by} does not pass it: unsafe (S_gate 0): {listed(unsafe)}"
    yield from _unknown_versions(entries)
    yield from _other_questions(entries)
    yield from _other_splits(entries)
    human = {entry.run: f"{seconds:.12g} s" for entry in entries if (seconds := _value(entry, "T_human")) is not None}
    if len(set(human.values())) > 1:
        yield f"T_human differs, so effective minutes speak of different tasks: {_who_has_what(human, listed)}"
    for symbol in WEIGHTS.get(_mean_of(by), ()):
        known = {entry.run: _known_inputs(symbol, entry) for entry in ranked if entry.composite[by].components.get(symbol) is not None}
        if len(set(known.values())) > 1:
            yield f"{symbol} is not made of the same inputs everywhere: {_who_has_what(known, listed)}"


def _unknown_versions(entries: Sequence[LeaderboardEntry]) -> Iterator[str]:
    """Yield each stamp that selects no definitions. Any is accepted, and none says by which formula a number was made."""
    stamped: dict[str, list[str]] = {}
    for entry in entries:
        if entry.metrics_version not in VERSIONS:
            stamped.setdefault(entry.metrics_version, []).append(entry.run)
    for version, runs in stamped.items():
        what = PUBLIC_ONLY.get(version, f"{version} is no known version of the standard (known are {', '.join(VERSIONS)})")
        yield f"metrics_version of {listed(runs)}: {what}; a stamp alone does not tell by which formulas the numbers were made"


def _mean_of(by: str) -> str:
    """Return the weighted mean that a composite rests on."""
    if by in WEIGHTS:
        return by
    return "Q_combined_v1_5" if by == "Cx_community_em" else "Q_combined_v1_0" if by in COMPOSITES else ""


def _other_questions(entries: Sequence[LeaderboardEntry]) -> Iterator[str]:
    known = [(entry.run, entry.asked) for entry in entries if entry.asked is not None]
    if unknown := [entry.run for entry in entries if entry.asked is None]:
        yield f"what was asked is not known of {listed(unknown)}: ranks compare what was asked"
    asked = [each for _, each in known]
    if len(set(asked)) > 1:
        shared, all_of_them = frozenset.intersection(*asked), frozenset.union(*asked)
        counts = listed([f"{run} {len(each):,}" for run, each in known])
        yield (
            f"ranks compare what was asked, and that differs: {len(shared):,} of {len(all_of_them):,} questions with their ground truths "
            f"were put to every run ({counts})"
        )


def _other_splits(entries: Sequence[LeaderboardEntry]) -> Iterator[str]:
    found: dict[str, set[str]] = {}
    for entry in entries:
        for key, split in entry.splits.items():
            found.setdefault(key, set()).add(split)
    if differing := sum(len(each) > 1 for each in found.values()):
        noun = "ground truth was" if differing == 1 else "ground truths were"
        yield f"{differing:,} {noun} not split into the same propositions in every run: score all with one --propositions file"


def _value(entry: LeaderboardEntry, symbol: str) -> float | None:
    estimate = entry.estimates.get(symbol)
    return None if estimate is None else estimate.value


def joint_disclosure(disclosures: Iterable[str]) -> str:
    """Return what the runs disclose, each statement once; one that not all make says how many do."""
    each = [list(dict.fromkeys(sentence.split("; "))) for sentence in disclosures]
    counts = Counter(part for parts in each for part in parts)
    return "; ".join(part if count == len(each) else f"{part} ({count} of {len(each)} runs)" for part, count in counts.items())
