"""Games of two sides that pick at once: what such a game is worth, and how each would mix what it does."""

from __future__ import annotations

from collections.abc import Sequence

Matrix = Sequence[Sequence[float]]
"""What it is worth to who picks rows, by the row and the column that were picked."""


def solve(game: Matrix) -> tuple[float, list[float], list[float]]:
    """Solve a matrix game by the simplex method.

    Return its value for the side that picks rows and maximizes, then the mixed strategies of the rows and of
    the columns.
    """
    rows, columns = len(game), len(game[0])
    # One is added to make every cell positive: then the columns' mix is the most of `sum(y)` with A y <= 1.
    table: list[list[float]] = [
        [*(cell + 1 for cell in row), *(float(i == k) for k in range(rows)), 1.0]
        for i, row in enumerate(game)
    ]
    table.append([-1.0] * columns + [0.0] * (rows + 1))
    basis = [columns + i for i in range(rows)]
    while (enters := next((j for j, cell in enumerate(table[-1][:-1]) if cell < -1e-12), None)) is not None:
        _, _, leaves = min(
            (table[i][-1] / table[i][enters], basis[i], i) for i in range(rows) if table[i][enters] > 1e-12
        )
        pivot = table[leaves][enters]
        table[leaves] = [cell / pivot for cell in table[leaves]]
        for i, row in enumerate(table):
            if i != leaves and row[enters]:
                factor = row[enters]
                table[i] = [cell - factor * own for cell, own in zip(row, table[leaves], strict=True)]
        basis[leaves] = enters
    total = table[-1][-1]
    y = [0.0] * (columns + rows)
    for i, variable in enumerate(basis):
        y[variable] = table[i][-1] / total
    x = [max(cell, 0.0) / total for cell in table[-1][columns:-1]]
    return 1 / total - 1, x, y[:columns]
