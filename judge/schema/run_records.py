"""What a user states about the run as a whole."""

from judge.schema.record import Record


class RunRecord(Record):
    """Values that no judge can find out, by symbol; None means not measured.

    `fundamentals` are in the units of the standard (times in seconds, cost in US dollars); `derived` are values whose inputs
    nobody kept. `automated` says that nobody was there to correct. `name` and `sha256` are those of the file.
    """

    name: str
    sha256: str
    automated: bool = False
    fundamentals: dict[str, float | None]
    derived: dict[str, float | None]
