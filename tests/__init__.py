"""Tests of the judge and its pipelines."""

from hypothesis import settings

# A shared machine may be slow for a moment, which says nothing about the code; how fast things are is measured by benchmarks.
settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")
