# Wrong if the nearest two are not next to each other in the order of their coordinates.
n = int(input())
points = sorted(tuple(map(int, input().split())) for _ in range(n))
print(min((a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in zip(points, points[1:])))
