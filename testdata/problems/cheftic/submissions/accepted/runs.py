# An X in an empty cell joins the runs of X on its two sides, so for each of the four directions
# add up the two runs. Runs that end in a cell are extended from its neighbour: O(n^2) for a board.
import sys

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def runs(board, n, dx, dy):
    """run[x][y]: how many X stand in a row just before (x, y), when walking by (dx, dy)."""
    run = [[0] * n for _ in range(n)]
    rows = range(n) if dx >= 0 else range(n - 1, -1, -1)
    columns = range(n) if dy >= 0 else range(n - 1, -1, -1)
    for x in rows:
        px = x - dx
        if not 0 <= px < n:
            continue
        for y in columns:
            py = y - dy
            if 0 <= py < n and board[px][py] == 'X':
                run[x][y] = run[px][py] + 1
    return run


def can_win(board, n, k):
    for dx, dy in DIRECTIONS:
        before = runs(board, n, dx, dy)
        after = runs(board, n, -dx, -dy)
        for x in range(n):
            for y in range(n):
                if board[x][y] == '.' and before[x][y] + 1 + after[x][y] >= k:
                    return True
    return False


def main():
    tokens = iter(sys.stdin.read().split())
    for _ in range(int(next(tokens))):
        n, k = int(next(tokens)), int(next(tokens))
        board = [next(tokens) for _ in range(n)]
        print("YES" if can_win(board, n, k) else "NO")


main()
