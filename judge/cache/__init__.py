"""Paid judgments kept on disk, shared by processes, and whole again after damage."""
