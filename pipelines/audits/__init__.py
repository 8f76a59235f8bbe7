"""Flows that audit a judge, one a file."""
