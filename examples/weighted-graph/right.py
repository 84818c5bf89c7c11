import heapq

n, m = map(int, input().split())
near = [[] for _ in range(n + 1)]
for _ in range(m):
    u, v, w = map(int, input().split())
    near[u].append((v, w))
    near[v].append((u, w))
length = {}
todo = [(0, 1)]
while todo:
    d, v = heapq.heappop(todo)
    if v not in length:
        length[v] = d
        for x, w in near[v]:
            heapq.heappush(todo, (d + w, x))
print(length[n])
