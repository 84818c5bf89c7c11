# The rule of thumb of every player: opening the first long chain loses. Counts short chains, and assumes that
# no win is smaller than the value of control.
import sys


def read_parts(it):
    n, m, e = next(it), next(it), next(it)
    wall = set()
    for _ in range(e):
        a, b, c, d = next(it), next(it), next(it), next(it)
        wall.add((a + c, b + d))    # twice the middle of the edge
    chains, loops, seen = [], [], set()
    for r in range(n):
        for k in range(m):
            if (r, k) in seen:
                continue
            seen.add((r, k))
            stack, size, ends = [(r, k)], 0, 0
            while stack:
                x, y = stack.pop()
                size += 1
                for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    if (2 * x + 1 + dx, 2 * y + 1 + dy) in wall:
                        continue
                    u, v = x + dx, y + dy
                    if not (0 <= u < n and 0 <= v < m):
                        ends += 1
                    elif (u, v) not in seen:
                        seen.add((u, v))
                        stack.append((u, v))
            (chains if ends else loops).append(size)
    return e, chains, loops


def value(chains, loops):
    short = sum(k <= 2 for k in chains)
    if short == len(chains) and not loops:
        v = 0
        for k in sorted(chains, reverse=True):
            v = k - v
        return v
    return -1 if short % 2 else 1


it = map(int, sys.stdin.buffer.read().split())
for _ in range(next(it)):
    e, chains, loops = read_parts(it)
    v = value(chains, loops)
    mover, other = ("Alice", "Bob") if e % 2 == 0 else ("Bob", "Alice")
    print("Draw" if v == 0 else other if v > 0 else mover)
