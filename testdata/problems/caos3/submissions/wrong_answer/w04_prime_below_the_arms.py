# Requires a prime below the shortest arm, so arms of two cells are not enough.
import sys
from functools import lru_cache


def arm(g, r, c, dr, dc):
    n = 0
    r, c = r + dr, c + dc
    while 0 <= r < len(g) and 0 <= c < len(g[0]) and g[r][c] == '^':
        n += 1
        r, c = r + dr, c + dc
    return n


def has_monster(g, r, c):
    if g[r][c] != '^':
        return False
    shortest = min(arm(g, r, c, 0, -1), arm(g, r, c, 0, 1), arm(g, r, c, -1, 0), arm(g, r, c, 1, 0))
    return any(p < shortest for p in (2, 3, 5, 7, 11, 13, 17, 19))


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
