"""Prints n falling numbers: gen.py N SEED"""
import random
import sys

n = int(sys.argv[1])
random.seed(sys.argv[2])
numbers = []
x = 10**9
for _ in range(n):
    x -= random.randrange(10**6)
    numbers.append(x)
print(n)
print(*numbers)
