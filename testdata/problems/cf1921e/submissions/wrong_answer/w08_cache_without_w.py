# Remembers answers from one test case to the next under (xb - xa, ya, yb). The width
# of the board is missing from the key.
import sys


def main():
    data = sys.stdin.read().split()
    memo = {}
    out = []
    for c in range(int(data[0])):
        h, w, xa, ya, xb, yb = map(int, data[1 + 6 * c:7 + 6 * c])
        d = xb - xa
        if d <= 0:
            out.append("Draw")
            continue
        key = (d, ya, yb)
        if key not in memo:
            who, me, other, steps = ("Alice", ya, yb, (d + 1) // 2) if d % 2 else ("Bob", yb, ya, d // 2)
            if abs(me - other) <= d % 2:
                caught = True
            elif me < other:
                caught = me + steps >= w
            else:
                caught = me - steps <= 1
            memo[key] = who if caught else "Draw"
        out.append(memo[key])
    print("\n".join(out))


main()
