"""Renderings of a run: data in, text out."""
