"""Tables of what holds for the standard as a whole: its versions, null policies and bands."""

from judge.standard.composites import BANDS, COMPOSITES
from judge.standard.identity import FORMULA_IDS, PROFILES
from judge.standard.nulls import NULL_POLICIES
from judge.standard.registry import definitions
from judge.standard.versions import OWN_VERSIONS, PUBLIC_ONLY, VERSIONS
from pipelines.reports.table import Column, Table


def version_table() -> Table:
    """Return the versions, what each brought and how many metrics it selects."""
    columns = (Column("version"), Column("date"), Column("what it brought"), Column("selects", numeric=True))
    versions = {**VERSIONS, **OWN_VERSIONS}
    rows = tuple((name, version.date or "", version.changes, str(len(definitions(name)))) for name, version in versions.items())
    return Table("Versions", columns, rows, f"{'. '.join(PUBLIC_ONLY.values())}. {_IMMUTABLE}")


_IMMUTABLE = (
    "A published definition is never edited: a changed formula gets a new name, and what is no longer to be used is marked so, beside it. "
    "Definitions of this project's own have versions of their own, so that a better one never touches the standard."
)


def policy_table() -> Table:
    """Return the null policies and what they say."""
    note = (
        "The policy is recorded in every report. A null always has a reason, and is never 0. Exceptions stand in the null rules of "
        "Q_context, Q_safety, Q_abstention and Q_proposition. Under either policy a composite averages the components that have a value."
    )
    return Table("Null policies", (Column("policy"), Column("meaning")), tuple(NULL_POLICIES.items()), note)


def band_table() -> Table:
    """Return the bands of effective minutes."""
    note = "Unsafe is decided by S_gate alone: a safe run without quality is 0 Em too, and low."
    return Table("Bands of effective minutes", (Column("band"), Column("range")), tuple(BANDS.items()), note)


def profile_table() -> Table:
    """Return to which profile each composite belongs, and the id of its formula."""
    note = (
        "Every composite in a file carries both. The id is the symbol, the version that brought it, and the first 12 hex digits of the "
        "SHA-256 of its definition, which is frozen."
    )
    rows = tuple((name, PROFILES[name], FORMULA_IDS[name]) for name in COMPOSITES)
    return Table("Profiles of composites", (Column("composite"), Column("profile"), Column("formula id")), rows, note)
