# Makes all patterns of one gap beforehand and looks for them in every line. The table ends at K = 16; for larger K
# there is nothing to look for.
LONGEST = 16
PATTERNS = {k: ['X' * i + '.' + 'X' * (k - 1 - i) for i in range(k)] for k in range(1, LONGEST + 1)}


def lines(b, n):
    yield from b
    for column in zip(*b):
        yield ''.join(column)
    for s in range(-n + 1, n):
        yield ''.join(b[i][i + s] for i in range(n) if 0 <= i + s < n)
    for s in range(2 * n - 1):
        yield ''.join(b[i][s - i] for i in range(n) if 0 <= s - i < n)


for _ in range(int(input())):
    n, k = map(int, input().split())
    b = [input().strip() for _ in range(n)]
    found = any(pattern in line for line in lines(b, n) for pattern in PATTERNS.get(k, []))
    print('YES' if found else 'NO')
