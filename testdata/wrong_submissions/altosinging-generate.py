import random
import sys

NOTES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]


def name(height):
    return NOTES[height % 12] + str(height // 12)


def main():
    random.seed(sys.argv[-1])
    top = random.choice([24, 60, 1000, 10**9 * 12 + 11])
    spread = random.randint(0, min(random.choice([3, 12, 40, 10**10]), top - 12))
    low = random.randint(12, top - spread)
    base = random.randint(12, top - spread)
    n = random.choice([1, 2, 3, 5, 12, 40])
    inside = random.randint(0, spread)
    piece = [base + random.randint(0, inside) for _ in range(n)]
    print(n)
    print(name(low), name(low + spread))
    print(*map(name, piece))


main()
