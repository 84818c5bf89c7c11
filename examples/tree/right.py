import sys

input = sys.stdin.readline
n = int(input())
near = [[] for _ in range(n + 1)]
for _ in range(n - 1):
    u, v = map(int, input().split())
    near[u].append(v)
    near[v].append(u)


def farthest(start):
    order = [(start, 0, 0)]
    for v, parent, depth in order:
        order += [(w, v, depth + 1) for w in near[v] if w != parent]
    return order[-1]


print(farthest(farthest(1)[0])[2])
