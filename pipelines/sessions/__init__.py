"""Readers of recorded sessions: fixtures, traces, transcripts and Inspect logs."""
