# Looks two cells to each side without checking the bounds of the map: past the right and the lower edge it crashes.
import sys
from functools import lru_cache


def has_monster(g, r, c):
    if r < 2 or c < 2:
        return False
    return all(g[r + d][c] == '^' and g[r][c + d] == '^' for d in range(-2, 3))


def first_wins(g):
    rows, cols = len(g), len(g[0])
    monsters = [(r, c) for r in range(rows) for c in range(cols) if has_monster(g, r, c)]

    @lru_cache(maxsize=None)
    def nimber(r1, c1, r2, c2):
        reached = set()
        for r, c in monsters:
            if r1 <= r < r2 and c1 <= c < c2:
                reached.add(nimber(r1, c1, r, c) ^ nimber(r1, c + 1, r, c2)
                            ^ nimber(r + 1, c1, r2, c) ^ nimber(r + 1, c + 1, r2, c2))
        n = 0
        while n in reached:
            n += 1
        return n

    return nimber(0, 0, rows, cols) != 0


tokens = sys.stdin.read().split()
pos = 1
for _ in range(int(tokens[0])):
    rows = int(tokens[pos])
    g = tokens[pos + 2:pos + 2 + rows]
    pos += 2 + rows
    print("Asuna" if first_wins(g) else "Kirito")
