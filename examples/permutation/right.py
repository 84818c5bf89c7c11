n = int(input())
p = [int(x) - 1 for x in input().split()]
swaps = 0
for i in range(n):
    while p[i] != i:
        j = p[i]
        p[i], p[j] = p[j], p[i]
        swaps += 1
print(swaps)
