input()
position = 0
for heap in map(int, input().split()):
    position ^= heap
print("first" if position else "second")
