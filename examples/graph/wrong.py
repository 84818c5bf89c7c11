# Wrong if there is a longer way: it takes the vertex that was found last, not first.
n, m = map(int, input().split())
near = [[] for _ in range(n + 1)]
for _ in range(m):
    u, v = map(int, input().split())
    near[u].append(v)
    near[v].append(u)
distance = {}
todo = [(1, 0)]
while todo:
    v, steps = todo.pop()
    if v not in distance:
        distance[v] = steps
        todo += [(w, steps + 1) for w in near[v]]
print(distance[n])
