# Looks at all eight neighbours without checking the bounds of the board.
import sys


def best_score(n, ax, ay, bx, by, v):
    memo = {}

    def f(x, y, t):
        """The score from cell (x, y) on, after t moves; cells count from 1."""
        if max(abs(x - bx), abs(y - by)) <= t:
            return 0
        key = (x, y, t)
        if key in memo:
            return memo[key]
        res = 0
        for nx in range(x - 1, x + 2):
            for ny in range(y - 1, y + 2):
                if (nx, ny) != (x, y):
                    res = max(res, v[nx - 1][ny - 1] + f(nx, ny, t + 1))
        memo[key] = res
        return res

    return f(ax, ay, 0)


sys.setrecursionlimit(10000)
tokens = list(map(int, sys.stdin.read().split()))
pos = 1
for _ in range(tokens[0]):
    n, ax, ay, bx, by = tokens[pos:pos + 5]
    pos += 5
    v = [tokens[pos + i * n:pos + (i + 1) * n] for i in range(n)]
    pos += n * n
    print(best_score(n, ax, ay, bx, by, v))
