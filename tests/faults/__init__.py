"""The fault matrix: what can go wrong, row by row, what it comes to, and the tests that do it."""
