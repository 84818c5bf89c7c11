# Right, but O(n^4 K): writes an X into each empty cell and counts, from each cell
# and in each direction, how far the X go. Far too slow in Python on 100 boards of 20 x 20.
import sys


def won(grid, n, k):
    for i in range(n):
        for j in range(n):
            for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
                x, y, count = i, j, 0
                while 0 <= x < n and 0 <= y < n and grid[x][y] == 'X':
                    count += 1
                    x += dx
                    y += dy
                if count >= k:
                    return True
    return False


def can_win(grid, n, k):
    for a in range(n):
        for b in range(n):
            if grid[a][b] == '.':
                grid[a][b] = 'X'
                if won(grid, n, k):
                    return True
                grid[a][b] = '.'
    return False


tokens = sys.stdin.read().split()
pos = 1
for _ in range(int(tokens[0])):
    n, k = int(tokens[pos]), int(tokens[pos + 1])
    grid = [list(row) for row in tokens[pos + 2:pos + 2 + n]]
    pos += 2 + n
    print("YES" if can_win(grid, n, k) else "NO")
