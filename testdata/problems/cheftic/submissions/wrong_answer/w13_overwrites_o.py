# Looks for K cells in a line of which K-1 are X, and does not check whether the last one is
# empty: an O there is quietly overwritten.
def ok(b, n, k):
    for x in range(n):
        for y in range(n):
            for dx, dy in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                ex, ey = x + dx * (k - 1), y + dy * (k - 1)
                if ex < n and 0 <= ey < n:
                    if sum(b[x + dx * i][y + dy * i] == 'X' for i in range(k)) == k - 1:
                        return True
    return False


for _ in range(int(input())):
    n, k = map(int, input().split())
    b = [input().strip() for _ in range(n)]
    print("YES" if ok(b, n, k) else "NO")
