n = int(input())
print(n if n < 7 else 0)
