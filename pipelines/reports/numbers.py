"""Numbers as people read them: the only place that rounds."""

from judge.schema.rates import Rate

NOT_AVAILABLE = "n/a"

_FLOAT_NOISE = 1e-9
"""A mean of ones may miss 1 by this much; it is still 1."""

_VERY_LARGE = 1e9
"""From here on a number is shown by its power of ten: three hundred digits tell nobody more."""


def format_number(value: float | None) -> str:
    """Format to three decimals, or 'n/a'; what is not 0 or 1 never looks like it ('<0.001', '>0.999'). Very large: '1.7e+308'."""
    if value is None:
        return NOT_AVAILABLE
    if value >= _VERY_LARGE:
        return _power(value)
    if _FLOAT_NOISE < value < 0.0005:
        return "<0.001"
    if 0.9995 <= value < 1 - _FLOAT_NOISE:
        return ">0.999"
    # Adding 0.0 turns a rounded -0.0 into 0.0.
    return f"{round(value, 3) + 0.0:.3f}"


def format_rate(rate: Rate) -> str:
    """Format as '62.5 % (5 of 8)', or 'n/a (0 of 0)'; only all is '100.0 %' and only none is '0.0 %'."""
    return f"{_format_share(rate)} ({format_count(rate.numerator)} of {format_count(rate.denominator)})"


def _format_share(rate: Rate) -> str:
    if rate.value is None:
        return NOT_AVAILABLE
    if 0 < rate.value < 0.0005:
        return "<0.1 %"
    if 0.9995 <= rate.value < 1:
        return ">99.9 %"
    return f"{100 * rate.value:.1f} %"


def format_interval(interval: tuple[float, float] | None) -> str:
    """Format as '0.69 to 0.91', or 'n/a'; clipped to [0, 1], with a third decimal where two would hide the width."""
    if interval is None:
        return NOT_AVAILABLE
    low, high = (min(max(end, 0.0), 1.0) for end in interval)
    digits = 3 if low != high and f"{low:.2f}" == f"{high:.2f}" else 2
    return f"{low:.{digits}f} to {high:.{digits}f}"


def format_bounds(bounds: tuple[float, float] | None) -> str:
    """Format as '0.18 to 0.96', not clipped, with a third decimal where two look like one number; None is 'unbounded'."""
    if bounds is None:
        return "unbounded"
    low, high = bounds
    digits = 3 if f"{low:.2f}" == f"{high:.2f}" else 2
    return " to ".join(_power(end) if end >= _VERY_LARGE else f"{round(end, digits) + 0.0:,.{digits}f}" for end in bounds)


def format_two_decimals(value: float | None) -> str:
    """Format to two decimals, as effective minutes are shown, or 'n/a'; what is not 0 never looks like it ('<0.01')."""
    if value is None:
        return NOT_AVAILABLE
    if value >= _VERY_LARGE:
        return _power(value)
    return "<0.01" if 0 < value < 0.005 else f"{value:,.2f}"


def format_score(value: float | None) -> str:
    """Format to one decimal, as floor scores are shown, or 'n/a'; what is not 0 never looks like it ('<0.1')."""
    if value is None:
        return NOT_AVAILABLE
    if value >= _VERY_LARGE:
        return _power(value)
    return "<0.1" if 0 < value < 0.05 else f"{round(value, 1) + 0.0:,.1f}"


def format_significant(value: float) -> str:
    """Format to six significant digits, without zeros that say nothing: '1,800', '156.3', '0.024'. Very large: '1.7e+308'."""
    return _power(value) if value >= _VERY_LARGE else f"{value:,.6g}"


def _power(value: float) -> str:
    return f"{value:.1e}"


def format_money(dollars: float | None) -> str:
    """Format US dollars as '$0.0012' below one dollar and '$1,234.50' from there on; None is 'unknown', never zero."""
    if dollars is None:
        return "unknown"
    if 0 < dollars < 0.00005:
        return "<$0.0001"
    if 0 < dollars < 1:
        return f"${dollars:.4f}"
    return f"${dollars:,.2f}"


def format_count(count: int | None) -> str:
    """Format with a comma between thousands; None is 'unknown'."""
    return "unknown" if count is None else f"{count:,}"


def format_duration(seconds: float | None) -> str:
    """Format as '0.42 s', '12.3 s', '3 min 05 s' or '2 h 03 min'; None is 'unknown'. Very long: '2.8e+293 h'."""
    if seconds is None:
        return "unknown"
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    if seconds >= _VERY_LARGE:
        return f"{_power(seconds / 3600)} h"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {minutes:02d} min"
