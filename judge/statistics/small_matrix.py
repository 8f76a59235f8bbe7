"""Linear algebra of matrices with a handful of rows."""

from collections.abc import Sequence
from math import fsum, hypot, inf, sqrt

Vector = Sequence[float]
Matrix = Sequence[Vector]
"""Rows of equal length."""

_SWEEPS = 60


def transposed(matrix: Matrix) -> list[list[float]]:
    """Return rows as columns."""
    return [list(column) for column in zip(*matrix, strict=True)]


def times(matrix: Matrix, vector: Vector) -> list[float]:
    """Return the product with a column."""
    return [fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def product(left: Matrix, right: Matrix) -> list[list[float]]:
    """Return the product of two matrices."""
    columns = transposed(right)
    return [times(columns, row) for row in left]


def inverse(matrix: Matrix) -> list[list[float]] | None:
    """Return the inverse of a square matrix by elimination with pivots; None where it is singular, as far as it can be told."""
    size = len(matrix)
    rows = [[*map(float, row), *(float(place == k) for k in range(size))] for place, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        if rows[pivot][column] == 0:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = [value / rows[column][column] for value in rows[column]]
        rows = [
            head if place == column else [a - row[column] * b for a, b in zip(row, head, strict=True)] for place, row in enumerate(rows)
        ]
    return [row[size:] for row in rows]


def condition_number(matrix: Matrix) -> float:
    """Return the largest singular value over the smallest, at least 1: how much errors can grow in solving; infinite where singular."""
    squares = symmetric_eigenvalues(product(transposed(matrix), matrix))
    low, high = min(squares), max(squares)
    return sqrt(high / low) if low > 0 else inf


def symmetric_eigenvalues(matrix: Matrix) -> list[float]:
    """Return the eigenvalues of a symmetric matrix, in no order, by Jacobi's rotations."""
    rows = [list(map(float, row)) for row in matrix]
    size = len(rows)
    for _ in range(_SWEEPS):
        for p in range(size):
            for q in range(p + 1, size):
                if rows[p][q] != 0:
                    rows = _rotated(rows, p, q)
    return [rows[k][k] for k in range(size)]


def _rotated(rows: list[list[float]], p: int, q: int) -> list[list[float]]:
    """Turn the plane of p and q so that their common entry becomes 0."""
    tau = (rows[q][q] - rows[p][p]) / (2 * rows[p][q])
    t = 1 / (abs(tau) + hypot(1, tau))
    t = t if tau >= 0 else -t
    cosine = 1 / hypot(1, t)
    sine = t * cosine
    turn = [[float(i == j) for j in range(len(rows))] for i in range(len(rows))]
    turn[p][p], turn[q][q], turn[p][q], turn[q][p] = cosine, cosine, sine, -sine
    turned = product(product(transposed(turn), rows), turn)
    turned[p][q] = turned[q][p] = 0.0
    return turned
