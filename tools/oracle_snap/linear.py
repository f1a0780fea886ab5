"""Small dense linear algebra with decimals."""

from series import Number


def independent_rows(rows, threshold):
    """Indices of rows that do not depend on the rows before them; a rest below threshold of its row counts as nothing."""
    chosen, reduced = [], []
    for index, row in enumerate(rows):
        size = max((abs(x) for x in row), default=Number(0))
        rest = list(row)
        for pivot, other in reduced:
            factor = rest[pivot]
            if factor:
                rest = [x - factor * y for x, y in zip(rest, other)]
        left = max((abs(x) for x in rest), default=Number(0))
        if size and left > threshold * size:
            pivot = max(range(len(rest)), key=lambda j: abs(rest[j]))
            rest = [x / rest[pivot] for x in rest]
            reduced = [(p, [x - other[pivot] * y for x, y in zip(other, rest)] if other[pivot] else other)
                       for p, other in reduced]
            reduced.append((pivot, rest))
            chosen.append(index)
    return chosen


class Factors:
    """P A = L U with partial pivoting."""

    def __init__(self, matrix):
        a = [list(row) for row in matrix]
        n = len(a)
        self.order = list(range(n))
        scales = [1 / max(abs(x) for x in row) for row in a]
        for k in range(n):
            p = max(range(k, n), key=lambda i: abs(a[i][k]) * scales[i])
            if abs(a[p][k]) * scales[p] < Number("1e-30"):
                raise ZeroDivisionError(f"singular matrix: {k} of {n}")
            for line in (a, self.order, scales):
                line[k], line[p] = line[p], line[k]
            top = a[k]
            for i in range(k + 1, n):
                row = a[i]
                if row[k]:
                    factor = row[k] / top[k]
                    row[k] = factor
                    row[k + 1:] = [x - factor * y for x, y in zip(row[k + 1:], top[k + 1:])]
        self.a = a

    def solve(self, right):
        x = [right[i] for i in self.order]
        n = len(x)
        for i in range(n):
            x[i] -= sum(f * y for f, y in zip(self.a[i][:i], x[:i]) if f and y)
        for i in reversed(range(n)):
            row = self.a[i]
            x[i] = (x[i] - sum(f * y for f, y in zip(row[i + 1:], x[i + 1:]) if f and y)) / row[i]
        return x


def null_space(rows, columns, threshold):
    """Columns n with rows n = 0."""
    reduced = []
    for row in rows:
        rest = list(row)
        size = max(abs(x) for x in row)
        for pivot, other in reduced:
            if rest[pivot]:
                factor = rest[pivot]
                rest = [x - factor * y for x, y in zip(rest, other)]
        if size and max(abs(x) for x in rest) > threshold * size:
            pivot = max(range(columns), key=lambda j: abs(rest[j]))
            rest = [x / rest[pivot] for x in rest]
            reduced = [(p, [x - other[pivot] * y for x, y in zip(other, rest)]) for p, other in reduced]
            reduced.append((pivot, rest))
    pivots = {p: row for p, row in reduced}
    out = []
    for free in range(columns):
        if free not in pivots:
            out.append([Number(1) if j == free else (-pivots[j][free] if j in pivots else Number(0)) for j in range(columns)])
    return out
