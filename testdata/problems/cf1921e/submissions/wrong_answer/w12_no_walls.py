# Forgets the walls: while both run in one direction the gap stays, so only a chip that is in the same column (or, for
# Alice, who goes first, in the next one) is ever caught.
for _ in range(int(input())):
    h, w, xa, ya, xb, yb = map(int, input().split())
    if xa >= xb:
        print("Draw")
    elif (xb - xa) % 2 == 1:
        print("Alice" if abs(ya - yb) <= 1 else "Draw")
    else:
        print("Bob" if ya == yb else "Draw")
