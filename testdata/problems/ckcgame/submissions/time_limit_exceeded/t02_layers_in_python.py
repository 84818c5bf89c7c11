# Correct, but too slow in Python.
# One layer for each move, but only where it matters: the square that Alice can have reached by then, and in it the
# cells that are not caught yet. What a move is worth is the largest of nine neighbours less the middle one.
import sys


def neighbours(rows, width):
    """The best neighbour of each cell; rows are padded with a zero on both sides, and so is the list of rows."""
    pad = [0] * (width + 2)
    rows = [pad] + rows + [pad]
    threes = [list(map(max, row, row[1:], row[2:])) for row in rows]
    sides = [list(map(max, row, row[2:])) for row in rows]
    return [list(map(max, threes[i - 1], sides[i], threes[i + 1])) for i in range(1, len(rows) - 1)]


def worth(values, later, n, bob, moves, window):
    """What it is worth to move to each cell of the window, `moves` moves made before; padded."""
    top, bottom, left, right = window
    near = moves + 1
    low, high = max(left, bob[1] - near), min(right, bob[1] + near + 1)
    rows = []
    for r in range(top, bottom):
        row = values[r][left:right]
        after = later[r]
        if abs(r - bob[0]) > near or low >= high:
            row = [a + b for a, b in zip(row, after[left:right])]
        else:
            head = [a + b for a, b in zip(values[r][left:low], after[left:low])]
            tail = [a + b for a, b in zip(values[r][high:right], after[high:right])]
            row = head + values[r][low:high] + tail
        rows.append([0] + row + [0])
    return rows


def best(n, alice, bob, values):
    later = [[0] * n for _ in range(n)]
    last = max(max(abs(r - bob[0]), abs(c - bob[1])) for r in (0, n - 1) for c in (0, n - 1))
    for moves in range(last - 1, -1, -1):
        top, bottom = max(0, alice[0] - moves - 1), min(n, alice[0] + moves + 2)
        left, right = max(0, alice[1] - moves - 1), min(n, alice[1] + moves + 2)
        rows = worth(values, later, n, bob, moves, (top, bottom, left, right))
        for r, row in zip(range(top, bottom), neighbours(rows, right - left)):
            later[r][left:right] = row
    return later[alice[0]][alice[1]]


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    place = 1
    for _ in range(numbers[0]):
        n, ax, ay, bx, by = numbers[place:place + 5]
        place += 5
        values = [numbers[place + r * n:place + (r + 1) * n] for r in range(n)]
        place += n * n
        print(best(n, (ax - 1, ay - 1), (bx - 1, by - 1), values))


main()
