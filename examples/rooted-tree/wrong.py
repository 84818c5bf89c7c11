# Wrong if guests from levels of both kinds have to come.
n = int(input())
level = [0, 0]
for parent in map(int, input().split()):
    level.append(level[parent] + 1)
odd = sum(x % 2 for x in level[1:])
print(max(odd, n - odd))
