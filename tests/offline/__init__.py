"""Proof that tests talk to this machine only."""
