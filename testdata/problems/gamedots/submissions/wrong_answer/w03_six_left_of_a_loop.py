# The sentence below the published formula: 4 for chains and 6 for loops, in place of 8.
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
    rank = {4: 2, 6: 3}
    parts = [(min(k, 3) - 1 if k < 3 else 4, k, 4) for k in chains] + [(rank.get(k, 4), k, 6) for k in loops]
    parts.sort()
    longest = max(range(len(parts)), key=lambda i: (parts[i][1], i))
    v = parts.pop(longest)[1]
    for _, k, leave in reversed(parts):
        v = max(k - v, k - leave + v) if k > 2 else k - v
    return v


it = map(int, sys.stdin.buffer.read().split())
for _ in range(next(it)):
    e, chains, loops = read_parts(it)
    v = value(chains, loops)
    mover, other = ("Alice", "Bob") if e % 2 == 0 else ("Bob", "Alice")
    print("Draw" if v == 0 else other if v > 0 else mover)
