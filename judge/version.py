"""The version of the distribution; the only place that spells it."""

__version__ = "0.1.0"
