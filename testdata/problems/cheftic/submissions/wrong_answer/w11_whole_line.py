# Counts over the whole row, column or diagonal: K-1 X and one empty cell are enough,
# wherever they are. That they have to be side by side is forgotten.
for _ in range(int(input())):
    n, k = map(int, input().split())
    b = [input() for _ in range(n)]
    lines = list(b)
    lines += [''.join(c) for c in zip(*b)]
    for s in range(-n + 1, n):
        lines.append(''.join(b[i][i + s] for i in range(n) if 0 <= i + s < n))
    for s in range(2 * n - 1):
        lines.append(''.join(b[i][s - i] for i in range(n) if 0 <= s - i < n))
    ok = any(l.count('X') >= k - 1 and l.count('.') >= 1 for l in lines)
    print('YES' if ok else 'NO')
