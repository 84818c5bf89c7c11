# Simulates short games only: "after more than w turns the runner stands at the wall and is caught". But each
# chip moves in every second turn only.
def meets(w, turns, runner, chaser):
    if turns > w:
        return True
    for i in range(turns, 0, -1):
        if i % 2:
            if chaser < runner:
                chaser += 1
            elif chaser > runner:
                chaser -= 1
        elif runner > chaser:
            runner = min(w, runner + 1)
        else:
            runner = max(1, runner - 1)
    return chaser == runner


for _ in range(int(input())):
    h, w, xa, ya, xb, yb = map(int, input().split())
    d = xb - xa
    if d <= 0:
        print("Draw")
    elif d % 2:
        print("Alice" if meets(w, d, yb, ya) else "Draw")
    else:
        print("Bob" if meets(w, d, ya, yb) else "Draw")
