"""Inputs of the shipped problems that no format lists: the only ones that matter where a submission fails only on them.

Each function yields inputs of one problem, whole, in the total order: by elements, by the sum of their distances from the
simplest, then one by one. `testdata/minima/index.json` says of each submission why nothing else matters.
"""

import itertools


def order(problem_leaves, texts):
    """Some inputs in the total order."""

    def place(text):
        each = problem_leaves(text.split())
        return len(each), sum(each), each

    return sorted(texts, key=place)


# Lava and Monsters -----------------------------------------------------------------------------------------------------


def maps(most):
    """The place in the order, rows, columns and open cells of each map that is nothing but the crosses of its monsters, or
    has none at all; of at most so many cells."""
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
    """Maps of caos3 that are nothing but the crosses of their monsters, of at most so many elements."""
    for one in maps(most - 3):
        yield f"1\n{drawn(one)}"


def several_maps(most=50):
    """Two of those maps, one after the other, or more of which only the last has monsters, those before by size."""
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
    """Two maps or more, no one before one that is smaller, of at most so many elements together."""
    if len(before) >= 2:
        yield before
    for at, one in enumerate(maps):
        if 2 + one[0] <= left:
            yield from sequences(maps[at:], left - 2 - one[0], [*before, one])


def bits(one):
    return map(int, f"{one[4]:0{one[0]}b}")


def on_the_lines(most=58):
    """Maps of caos3 whose open cells all lie in the row or in the column of a monster, of at most so many elements."""
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
    """The smallest map with a shortest arm that is no prime."""
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
    """Boards with one X and one O, or none, and the sum of K - 1 and of what these weigh at most so much."""
    for needed in range(1, min(most + 1, size) + 1):
        yield needed, "." * size**2
        if needed > 1 and needed + 2 <= most:
            for x, o in itertools.permutations(range(size**2), 2):
                yield needed, "".join("X" if i == x else "O" if i == o else "." for i in range(size**2))


def lined(size, needed, cells):
    return f"{size} {needed}\n" + "".join(cells[i : i + size] + "\n" for i in range(0, size**2, size))


def seventeen():
    """The smallest boards of 17×17."""
    yield from order(leaves_of_boards, [f"1\n{lined(17, *board)}" for board in boards(17, 4)])


def large_then_small():
    """A board of 4×4, then one of 3×3."""
    texts = []
    for first in boards(4, 5):
        left = 5 - (first[0] - 1) - 3 * first[1].count("X")
        texts += [f"2\n{lined(4, *first)}{lined(3, *second)}" for second in boards(3, left)]
    yield from order(leaves_of_boards, texts)


def lines(marked):
    """Boards of 17×17 with K = 17 and so many X, 15 or 16, in one line, one cell of which is empty; as many O stand where
    they are latest."""
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
    """Boards of ones but for these numbers, with the kings as near to the upper left corner as they can be."""
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
    """Games of six numbers each, in the order."""
    for game in sorted(set(found), key=lambda game: (sum(game), game)):
        if game[2] < game[4]:
            yield "1\n" + " ".join(map(str, game)) + "\n"


def extras(most):
    """What can be added: to Alice's row, to the rows between, below Bob, and to the columns; a row moves all below."""
    for alice, between in itertools.product(range(most // 3 + 1), range(most // 2 + 1)):
        for below in range(most - 3 * alice - 2 * between + 1):
            yield alice, between, below, most - 3 * alice - 2 * between - below


def f32():
    """Columns near 2^24, where every second number is rounded, and few rows."""
    rounded, found, most = 2**24, [], 3 * 2**24
    for alice, between, below, _ in extras(14):
        rows = (1 + alice + 1 + between + below, 1 + alice, 1 + alice + 1 + between)
        for w in range(rounded + 1, rounded + 12):
            left = most - (rows[0] + rows[1] + rows[2] - 3) - (w - 1)
            for ya in range(rounded - 12, w + 1):
                found += [(rows[0], w, rows[1], ya, rows[2], yb) for yb in range(rounded - 12, min(w, left - ya + 2) + 1)]
    yield from games(found)


def wraps(most=185_371):
    """Where cells so many rows apart that their numbers can differ by 2^32 can be compared, within this distance."""
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
    """All boards with so many edges, each from its upper or left end, the edges in order."""
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
    """Two boards with so many edges at most."""
    boards = {edges: list(small_boards(edges)) for edges in range(2, most - 1)}
    for edges in range(4, most + 1):
        sums = ((first, edges - first) for first in range(2, edges - 1))
        pairs = [f"2\n{a}{b}" for first, other in sums for a in boards[first] for b in boards[other]]
        # What is subtracted from a number does not depend on the board, so that the order is that of the numbers.
        yield from order(lambda tokens: list(map(int, tokens)), pairs)


def hundred():
    """The boards with more than a hundred columns or rows and as few edges as that takes, 102: a row or a column with all
    its inner edges, and one more on the border for each of the two squares at the ends."""
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
    """All boards without a chain and with at most so many edges, in order: the whole border is drawn."""
    texts = []
    for rows, columns in itertools.product(range(2, most), repeat=2):
        if (rows + 1) * (columns + 1) - 1 <= most:
            texts += [board_with(rows, columns, set(doors)) for doors in joined(rows, columns, 0, {}, [])]
    yield from order(lambda tokens: list(map(int, tokens)), texts)


def joined(rows, columns, at, ways, doors):
    """All ways to join the squares from this one on to loops, as the places of the sides that stay open."""
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
    """The file with one board, all sides of which are drawn but these."""
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
