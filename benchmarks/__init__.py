"""Measurements: each script prints ratios within one run, none is a test."""
