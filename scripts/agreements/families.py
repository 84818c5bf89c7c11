"""Families of inputs of the shipped problems that no format can describe: submissions fail only on inputs of such a
family.

Each function yields whole inputs of one problem in the total order: by number of elements, by the sum of their
distances from the simplest values, then lexicographically. `testdata/minima/index.json` explains for each submission
why other inputs do not matter.
"""

import itertools


def order(problem_leaves, texts):
    """Sorts inputs by the total order."""

    def place(text):
        each = problem_leaves(text.split())
        return len(each), sum(each), each

    return sorted(texts, key=place)


# Lava and Monsters -----------------------------------------------------------------------------------------------------


def maps(most):
    """Yields the key in the total order, the rows, the columns and the open cells of each map that consists of the
    crosses of its monsters, or has no open cell, with a limited number of cells."""
    found = []
    for rows, columns in itertools.product(range(1, 21), repeat=2):
        if rows * columns > most:
            continue
        crosses = []
        for r, c in itertools.product(range(2, rows - 2), range(2, columns - 2)):
            cells = {(r + d, c) for d in range(-2, 3)} | {(r, c + d) for d in range(-2, 3)}
            crosses.append(sum(1 << (rows * columns - 1 - y * columns - x) for y, x in cells))
        unions = {0}
        for cross in crosses:
            unions |= {union | cross for union in unions}
        found += [((rows * columns, rows + columns + union.bit_count(), rows, columns, union)) for union in unions]
    return sorted(found)


def drawn(one):
    cells, _, rows, columns, union = one
    text = f"{union:0{cells}b}".replace("0", "#").replace("1", "^")
    return f"{rows} {columns}\n" + "".join(text[r * columns : (r + 1) * columns] + "\n" for r in range(rows))


def crosses(most=67):
    """Yields maps of caos3 that consist of the crosses of their monsters, with a limited number of elements."""
    for one in maps(most - 3):
        yield f"1\n{drawn(one)}"


def several_maps(most=50):
    """Yields inputs of two of those maps, or of more of which only the last has monsters, with the others sorted by
    size."""
    small = maps(most - 6)
    found = [(a, b) for a, b in itertools.product(small, repeat=2) if 5 + a[0] + b[0] <= most and a[4] | b[4]]
    empty, least = [one for one in small if not one[4]], min(one[0] for one in small if one[4])
    for before in sequences(empty, most - 3 - least, []):
        elements = 3 + sum(2 + one[0] for one in before)
        found += [(*before, one) for one in small if one[4] and elements + one[0] <= most]
    place = lambda some: (sum(one[0] + 2 for one in some), len(some) + sum(one[1] - 2 for one in some))
    numbers = lambda some: (len(some), *itertools.chain.from_iterable((*one[2:4], *bits(one)) for one in some))
    for some in sorted(found, key=lambda some: (*place(some), numbers(some))):
        yield f"{len(some)}\n{''.join(map(drawn, some))}"


def sequences(maps, left, before):
    """Yields sequences of two or more maps sorted by size, with a limited total number of elements."""
    if len(before) >= 2:
        yield before
    for at, one in enumerate(maps):
        if 2 + one[0] <= left:
            yield from sequences(maps[at:], left - 2 - one[0], [*before, one])


def bits(one):
    return map(int, f"{one[4]:0{one[0]}b}")


def on_the_lines(most=58):
    """Yields maps of caos3 with open cells only in the rows and columns of monsters, with a limited number of
    elements."""
    found = []
    for rows, columns in itertools.product(range(1, 21), repeat=2):
        if rows * columns + 3 > most:
            continue
        cell = lambda y, x: 1 << (rows * columns - 1 - y * columns - x)
        places = list(itertools.product(range(2, rows - 2), range(2, columns - 2)))
        cross = {(r, c): sum(cell(r + d, c) | cell(r, c + d) for d in range(-2, 3) if d) | cell(r, c) for r, c in places}
        for count in range(len(places) + 1):
            for monsters in itertools.combinations(places, count):
                lines = {(r, x) for r, _ in monsters for x in range(columns)}
                lines |= {(y, c) for _, c in monsters for y in range(rows)}
                needed = 0
                for monster in monsters:
                    needed |= cross[monster]
                free = [cell(*at) for at in lines if not cell(*at) & needed]
                others = [cross[place] for place in places if place not in monsters]
                for some in itertools.product([0, 1], repeat=len(free)):
                    cells = needed + sum(itertools.compress(free, some))
                    if all(cells & other != other for other in others):
                        found.append((rows * columns, rows + columns + cells.bit_count(), rows, columns, cells))
    for one in sorted(found):
        yield f"1\n{drawn(one)}"


def long_crosses():
    """Yields the smallest map with a shortest arm that is not prime."""
    row, middle = "####^####\n", "^^^^^^^^^\n"
    yield f"1\n9 9\n{row * 4}{middle}{row * 4}"


# Win in One ------------------------------------------------------------------------------------------------------------


def leaves_of_boards(tokens):
    each, tokens = [int(tokens[0]) - 1], iter(tokens[1:])
    for token in tokens:
        size, needed = int(token), int(next(tokens))
        each += [size - 3, needed - 1]
        for _ in range(size):
            each += map(".XO".index, next(tokens))
    return each


def boards(size, most):
    """Yields boards with at most one X and one O and a limited sum of K - 1 and the weights of these."""
    for needed in range(1, min(most + 1, size) + 1):
        yield needed, "." * size**2
        if needed > 1 and needed + 2 <= most:
            for x, o in itertools.permutations(range(size**2), 2):
                yield needed, "".join("X" if i == x else "O" if i == o else "." for i in range(size**2))


def lined(size, needed, cells):
    return f"{size} {needed}\n" + "".join(cells[i : i + size] + "\n" for i in range(0, size**2, size))


def seventeen():
    """Yields the smallest boards of 17×17."""
    yield from order(leaves_of_boards, [f"1\n{lined(17, *board)}" for board in boards(17, 4)])


def large_then_small():
    """Yields a board of 4×4, followed by one of 3×3."""
    texts = []
    for first in boards(4, 5):
        left = 5 - (first[0] - 1) - 3 * first[1].count("X")
        texts += [f"2\n{lined(4, *first)}{lined(3, *second)}" for second in boards(3, left)]
    yield from order(leaves_of_boards, texts)


def lines(marked):
    """Yields boards of 17×17 with K = 17 and 15 or 16 X in one line with one empty cell; the same number of O are at
    the latest cells."""
    size = 17
    each = range(size)
    straight = [[(r, c) for c in each] for r in each] + [[(r, c) for r in each] for c in each]
    texts = set()
    for line in straight + [[(i, i) for i in each], [(i, size - 1 - i) for i in each]]:
        for gaps, empty in ((gaps, one) for gaps in itertools.combinations(line, size - marked) for one in gaps):
            board = [["X" if (r, c) in line and (r, c) not in gaps else "." for c in each] for r in each]
            free = [(r, c) for r, c in itertools.product(each, repeat=2) if board[r][c] == "." and (r, c) != empty]
            for r, c in free[-marked:]:
                board[r][c] = "O"
            texts.add(f"1\n{lined(size, size, ''.join(map(''.join, board)))}")
    yield from order(leaves_of_boards, texts)


# Chess Kings Chasing ---------------------------------------------------------------------------------------------------

PLACES = ["1 1 1 2", "1 1 2 1", "1 2 1 1", "2 1 1 1"]


def leaves_of_kings(tokens):
    numbers = list(map(int, tokens))
    return [numbers[0] - 1, numbers[1] - 2, *(number - 1 for number in numbers[2:])]


def large(size, *numbers):
    """Yields boards of ones except for these numbers, with the kings as near to the upper left corner as possible."""
    texts = []
    for place, cells in itertools.product(PLACES, itertools.permutations(range(size**2), len(numbers))):
        board = ["1"] * size**2
        for cell, number in zip(cells, numbers):
            board[cell] = str(number)
        rows = "".join(" ".join(board[i : i + size]) + "\n" for i in range(0, size**2, size))
        texts.append(f"1\n{size} {place}\n{rows}")
    yield from order(leaves_of_kings, texts)


# Eat the Chip ----------------------------------------------------------------------------------------------------------


def games(found):
    """Yields games of six numbers each, in order."""
    for game in sorted(set(found), key=lambda game: (sum(game), game)):
        if game[2] < game[4]:
            yield "1\n" + " ".join(map(str, game)) + "\n"


def extras(most):
    """Yields the possible increments: to Alice's row, to the rows between, below Bob, and to the columns; a row moves
    all rows below."""
    for alice, between in itertools.product(range(most // 3 + 1), range(most // 2 + 1)):
        for below in range(most - 3 * alice - 2 * between + 1):
            yield alice, between, below, most - 3 * alice - 2 * between - below


def f32():
    """Yields games with columns near 2^24, where every second number is rounded, and few rows."""
    rounded, found, most = 2**24, [], 3 * 2**24
    for alice, between, below, _ in extras(14):
        rows = (1 + alice + 1 + between + below, 1 + alice, 1 + alice + 1 + between)
        for w in range(rounded + 1, rounded + 12):
            left = most - (rows[0] + rows[1] + rows[2] - 3) - (w - 1)
            for ya in range(rounded - 12, w + 1):
                found += [(rows[0], w, rows[1], ya, rows[2], yb) for yb in range(rounded - 12, min(w, left - ya + 2) + 1)]
    yield from games(found)


def wraps(most=185_371):
    """Yields games with cells whose numbers can differ by 2^32, within this distance."""
    found, turn = [], 2**32
    for apart in range(40_000, 54_000):
        for w in (turn // apart, turn // apart + 1):
            # Chips are compared after a move, so they begin one row farther apart.
            left = most - (w - 1) - 2 * (apart + 1)
            if left < 0 or abs(turn - apart * w) > 2 * left + 4:
                continue
            for alice, between, below, columns in extras(left):
                h, xa, xb = 2 + apart + alice + between + below, 1 + alice, 2 + apart + alice + between
                for ya in range(1, min(w, columns + 1) + 1):
                    found += [(h, w, xa, ya, xb, yb) for yb in range(1, min(w, columns - ya + 2) + 1)]
    yield from games(found)


# Dots and Boxes --------------------------------------------------------------------------------------------------------


def small_boards(edges):
    """Yields all boards with this number of edges, each from its upper or left end, with the edges in order."""
    sizes = [(n, m) for n, m in itertools.product(range(1, edges + 1), repeat=2) if max(n * m, n + m) <= edges]
    for rows, columns in sizes:
        dots = itertools.product(range(rows + 1), range(columns + 1))
        ends = [(dot, end) for dot in dots for end in [(dot[0], dot[1] + 1), (dot[0] + 1, dot[1])]]
        every = [(r, c, y, x) for (r, c), (y, x) in ends if y <= rows and x <= columns]
        for some in itertools.combinations(every, edges):
            drawn = {(r + y, c + x) for r, c, y, x in some}
            squares = itertools.product(range(1, 2 * rows, 2), range(1, 2 * columns, 2))
            sides = ({(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)} for y, x in squares)
            if all(len(four & drawn) == 2 for four in sides):
                lines = "".join(" ".join(map(str, edge)) + "\n" for edge in some)
                yield f"{rows} {columns} {edges}\n{lines}"


def two_boards(most=6):
    """Yields inputs of two boards with a limited number of edges."""
    boards = {edges: list(small_boards(edges)) for edges in range(2, most - 1)}
    for edges in range(4, most + 1):
        sums = ((first, edges - first) for first in range(2, edges - 1))
        pairs = [f"2\n{a}{b}" for first, other in sums for a in boards[first] for b in boards[other]]
        # What is subtracted from a number does not depend on the board, so that the order is that of the numbers.
        yield from order(lambda tokens: list(map(int, tokens)), pairs)


def hundred():
    """Yields the boards with more than a hundred columns or rows and the minimum number of edges for that, 102: a row
    or a column with all its inner edges, and one more on the border for each of the two squares at the ends."""
    across = [(0, c, 1, c) for c in range(1, 101)]
    first, last = [(0, 0, 0, 1), (0, 0, 1, 0), (1, 0, 1, 1)], [(0, 100, 0, 101), (0, 101, 1, 101), (1, 100, 1, 101)]
    texts = []
    for begin, end in itertools.product(first, last):
        row = sorted([*across, begin, end])
        column = sorted((c, r, x, y) for r, c, y, x in row)
        for size, edges in (("1 101", row), ("101 1", column)):
            texts.append(f"1\n{size} 102\n" + "".join(" ".join(map(str, edge)) + "\n" for edge in edges))
    yield from order(lambda tokens: list(map(int, tokens)), texts)


def loops_alone(most=20):
    """Yields all boards without a chain and with a limited number of edges, in order: the whole border is drawn."""
    texts = []
    for rows, columns in itertools.product(range(2, most), repeat=2):
        if (rows + 1) * (columns + 1) - 1 <= most:
            texts += [board_with(rows, columns, set(doors)) for doors in joined(rows, columns, 0, {}, [])]
    yield from order(lambda tokens: list(map(int, tokens)), texts)


def joined(rows, columns, at, ways, doors):
    """Yields all ways to join the squares from this one on into loops, as the positions of the open sides."""
    if at == rows * columns:
        yield doors
        return
    r, c = divmod(at, columns)
    beside = [(at + 1, (2 * r + 1, 2 * c + 2))] if c + 1 < columns else []
    beside += [(at + columns, (2 * r + 2, 2 * c + 1))] if r + 1 < rows else []
    for some in itertools.combinations(beside, max(0, 2 - ways.get(at, 0))):
        more = {other: ways.get(other, 0) + 1 for other, _ in some}
        if ways.get(at, 0) <= 2:
            yield from joined(rows, columns, at + 1, ways | more, [*doors, *(door for _, door in some)])


def board_with(rows, columns, doors):
    """Returns the input file with one board with all sides drawn except these."""
    drawn = []
    for r, c in itertools.product(range(rows + 1), range(columns + 1)):
        for y, x in [(r, c + 1), (r + 1, c)]:
            if y <= rows and x <= columns and (r + y, c + x) not in doors:
                drawn.append(f"{r} {c} {y} {x}\n")
    return f"1\n{rows} {columns} {len(drawn)}\n{''.join(drawn)}"


FAMILIES = {
    "crosses": crosses,
    "larger-crosses": lambda: crosses(75),
    "several-maps": several_maps,
    "on-the-lines": on_the_lines,
    "long-crosses": long_crosses,
    "seventeen": seventeen,
    "large-then-small": large_then_small,
    "fifteen-in-a-line": lambda: lines(15),
    "sixteen-in-a-line": lambda: lines(16),
    "one-above-2^24": lambda: large(2, 2**24 + 1),
    "one-at-the-limit": lambda: large(2, 10**9),
    "two-that-make-2^31": lambda: large(4, 10**9, 2**31 - 2 * 10**9),
    "columns-at-2^24": f32,
    "cells-2^32-apart": wraps,
    "two-boards": two_boards,
    "a-hundred-and-one": hundred,
    "loops-alone": loops_alone,
}
