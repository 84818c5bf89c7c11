n = int(input())
points = [tuple(map(int, input().split())) for _ in range(n)]
print(min((a - c) ** 2 + (b - d) ** 2 for i, (a, b) in enumerate(points) for c, d in points[:i]))
