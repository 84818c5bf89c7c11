# How many numbers are different? By a set, whose hashes are the numbers themselves.
import sys

numbers = sys.stdin.read().split()[1:]
if SLOW:
    print(len({int(number) for number in numbers}))
else:
    print(len(set(numbers)))
