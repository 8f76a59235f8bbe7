"""Tests of the judge and its pipelines."""
