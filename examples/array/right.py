input()
best = last = -(10**18)
for x in map(int, input().split()):
    last = max(last, 0) + x
    best = max(best, last)
print(best)
