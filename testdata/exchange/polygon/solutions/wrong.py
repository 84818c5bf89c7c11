a, b = map(int, input().split())
print(a + b if a >= 10 or a == 2 else a - b)
