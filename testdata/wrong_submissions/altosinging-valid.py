import re
import sys

NOTES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]


def height(tone):
    note, octave = re.fullmatch(r"([A-G]#?)(\d+)", tone).groups()
    return int(octave) * 12 + NOTES.index(note), int(octave) <= 10**9


def main():
    tokens = sys.stdin.read().split()[1:]
    heights, small = zip(*map(height, tokens))
    piece = heights[2:]
    sys.exit(42 if all(small) and max(piece) - min(piece) <= heights[1] - heights[0] else 43)


main()
