n = int(input())
intervals = [tuple(map(int, input().split())) for _ in range(n)]
taken, end = 0, -1
for l, r in sorted(intervals, key=lambda interval: interval[1]):
    if l > end:
        taken, end = taken + 1, r
print(taken)
