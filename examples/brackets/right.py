depth = deepest = 0
for bracket in input():
    depth += 1 if bracket == "(" else -1
    deepest = max(deepest, depth)
print(deepest)
