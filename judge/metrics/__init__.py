"""Pure functions of outcomes: the numbers of one item."""
