"""Definitions of this project's own, each with a version of its own, so that a better one never touches the standard. Data only."""
