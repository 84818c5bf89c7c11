n = int(input())
parent = [0, 0] + list(map(int, input().split()))
comes = [True] * (n + 1)
for v in range(n, 1, -1):
    if comes[v]:
        comes[parent[v]] = False
print(sum(comes[1:]))
