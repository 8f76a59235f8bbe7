"""Recorded sessions: what of the standard can be measured from a fixture and a trace. Pure."""
