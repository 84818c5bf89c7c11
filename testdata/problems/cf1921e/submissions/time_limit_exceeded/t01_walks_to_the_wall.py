# Right, but finds the distance to the wall by walking there one column at a time, up to 10^9 of them.
import sys


def steps_to_wall(y, direction, w):
    steps = 0
    while 1 < y < w or (y == 1 and direction > 0 and w > 1) or (y == w and direction < 0 and w > 1):
        y += direction
        steps += 1
    return steps


def caught(w, chaser, runner, moves, goes_first):
    gap = abs(chaser - runner)
    if gap == 0 or (gap == 1 and goes_first):
        return True
    direction = 1 if runner > chaser else -1
    return steps_to_wall(chaser, direction, w) <= moves


data = list(map(int, sys.stdin.read().split()))
for c in range(data[0]):
    h, w, xa, ya, xb, yb = data[1 + 6 * c:7 + 6 * c]
    d = xb - xa
    if d <= 0:
        print("Draw")
    elif d % 2 == 1:
        print("Alice" if caught(w, ya, yb, (d + 1) // 2, True) else "Draw")
    else:
        print("Bob" if caught(w, yb, ya, d // 2, False) else "Draw")
