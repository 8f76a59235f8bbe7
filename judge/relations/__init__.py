"""Metamorphic relations: a change of a case, and what may or must happen to its labels then."""
