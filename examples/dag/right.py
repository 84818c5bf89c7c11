n, m = map(int, input().split())
after = [[] for _ in range(n + 1)]
waits = [0] * (n + 1)
for _ in range(m):
    u, v = map(int, input().split())
    after[u].append(v)
    waits[v] += 1
longest = [0] * (n + 1)
order = [v for v in range(1, n + 1) if waits[v] == 0]
for u in order:
    for v in after[u]:
        longest[v] = max(longest[v], longest[u] + 1)
        waits[v] -= 1
        if waits[v] == 0:
            order.append(v)
print(max(longest))
