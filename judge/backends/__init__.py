"""Judges: each one file, none knowing another."""
