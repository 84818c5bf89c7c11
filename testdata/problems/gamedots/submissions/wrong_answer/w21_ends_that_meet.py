# Takes a part for a loop if every square of it has two neighbours in it, drawn sides or not: so a chain that turns
# back on itself counts as one.
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
            stack, size, part = [(r, k)], 0, set()
            while stack:
                x, y = stack.pop()
                size += 1
                part.add((x, y))
                for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    if (2 * x + 1 + dx, 2 * y + 1 + dy) in wall:
                        continue
                    u, v = x + dx, y + dy
                    if 0 <= u < n and 0 <= v < m and (u, v) not in seen:
                        seen.add((u, v))
                        stack.append((u, v))
            ring = all(sum((x + dx, y + dy) in part for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))) >= 2 for x, y in part)
            (loops if ring else chains).append(size)
    return e, chains, loops


def value(chains, loops):
    chains.sort(reverse=True)
    loops.sort(reverse=True)
    v = [0]
    for k in loops:
        v.append(abs(v[-1] - 4) + k - 4)
    for c in [k for k in chains if k > 2]:
        v[0] = abs(v[0] - 2) + c - 2
        for j, k in enumerate(loops):
            v[j + 1] = min(abs(v[j + 1] - 2) + c - 2, abs(v[j] - 4) + k - 4)
    v = v[-1]
    for k in chains:
        if k <= 2:
            v = k - v
    return v


it = map(int, sys.stdin.buffer.read().split())
for _ in range(next(it)):
    e, chains, loops = read_parts(it)
    v = value(chains, loops)
    mover, other = ("Alice", "Bob") if e % 2 == 0 else ("Bob", "Alice")
    print("Draw" if v == 0 else other if v > 0 else mover)
