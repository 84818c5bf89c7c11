# Assumes the 3 x 3 game: of all diagonals only the two that go from corner to corner
# are looked at.
def wins(line, k):
    for i in range(len(line) - k + 1):
        part = line[i:i + k]
        if part.count('X') == k - 1 and part.count('.') == 1:
            return True
    return False


for _ in range(int(input())):
    n, k = map(int, input().split())
    g = [input() for _ in range(n)]
    lines = g[:]
    lines += [''.join(row[j] for row in g) for j in range(n)]
    lines.append(''.join(g[i][i] for i in range(n)))
    lines.append(''.join(g[i][n - 1 - i] for i in range(n)))
    print("YES" if any(wins(line, k) for line in lines) else "NO")
