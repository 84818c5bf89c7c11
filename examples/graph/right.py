n, m = map(int, input().split())
near = [[] for _ in range(n + 1)]
for _ in range(m):
    u, v = map(int, input().split())
    near[u].append(v)
    near[v].append(u)
distance = {1: 0}
order = [1]
for v in order:
    for w in near[v]:
        if w not in distance:
            distance[w] = distance[v] + 1
            order.append(w)
print(distance[n])
