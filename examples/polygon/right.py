n = int(input())
corners = [tuple(map(int, input().split())) for _ in range(n)]
area = 0
for i in range(n):
    (a, b), (c, d) = corners[i - 1], corners[i]
    area += a * d - b * c
print(abs(area))
