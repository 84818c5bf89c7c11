n, s = map(int, input().split())
place = {}
for i, x in enumerate(map(int, input().split()), 1):
    if s - x in place:
        print(place[s - x], i)
        break
    place[x] = i
else:
    print(-1)
