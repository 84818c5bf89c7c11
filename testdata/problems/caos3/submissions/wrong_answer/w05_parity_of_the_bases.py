# Assumes that each move takes one base, so that their number decides.
import sys


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
    return shortest >= 2


def first_wins(g):
    cells = [(r, c) for r in range(len(g)) for c in range(len(g[0]))]
    return sum(has_monster(g, r, c) for r, c in cells) % 2 == 1


tokens = sys.stdin.read().split()
pos = 1
for _ in range(int(tokens[0])):
    rows = int(tokens[pos])
    g = tokens[pos + 2:pos + 2 + rows]
    pos += 2 + rows
    print("Asuna" if first_wins(g) else "Kirito")
