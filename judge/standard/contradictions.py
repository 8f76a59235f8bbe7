"""What a record states and cannot be true together."""

from judge.schema.run_records import RunRecord
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.run_values import Conflict, conflicts


def contradictions(record: RunRecord) -> list[str]:
    """Return a sentence for each derived value that the fundamentals stated beside it do not allow."""
    return [_contradiction(conflict) for conflict in conflicts(record)]


def _contradiction(conflict: Conflict) -> str:
    own = ", ".join(f"`{_key_of(symbol)}` {value:.12g}" for symbol, value in conflict.inputs.items())
    allowed = conflict.allowed.in_words()
    return f"`{conflict.symbol}` is {conflict.given:.12g}, yet by the record's own values ({own}) it can only be {allowed}"


def _key_of(symbol: str) -> str:
    return FUNDAMENTALS[symbol].key if symbol in FUNDAMENTALS else symbol
