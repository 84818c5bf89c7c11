"""Generates inputs for a format: all that its layout and bounds allow, random ones, and mutations."""

import itertools
import re
from decimal import Decimal

from .judge import *

FREE_NUMBERS = (-1, 3)  # of a field without bounds
FREE_LENGTHS = (0, 2)


class TooMany(Exception):
    """There are more inputs than requested, or one is too large."""


class EveryChoice:
    """Enumerates all sequences of choices like an odometer."""

    def __init__(self):
        self.taken, self.at = [], 0

    def choose(self, items):
        if self.at == len(self.taken):
            self.taken.append([0, len(items)])
        index = self.taken[self.at][0]
        self.at += 1
        return items[index]

    def advance(self):
        """Advances to the next sequence. Returns False if there is none."""
        self.at = 0
        while self.taken and self.taken[-1][0] + 1 == self.taken[-1][1]:
            self.taken.pop()
        if not self.taken:
            return False
        self.taken[-1][0] += 1
        return True


class RandomChoice:
    def __init__(self, random):
        self.random = random

    def choose(self, items):
        return self.random.choice(items)


def within(bounds, free):
    """Returns the integers that the bounds allow."""
    low, high = free
    lows, highs = [], []
    for sign, value in bounds:
        if sign in (">", ">=", "="):
            lows.append(int(value) + (sign == ">"))
        if sign in ("<", "<=", "="):
            highs.append(int(value) - (sign == "<"))
    low = max(lows) if lows else low
    high = min(highs) if highs else max(high, low)
    return list(range(low, high + 1))


class Writer:
    """Writes an input according to the layout of a format and the bounds of its fields; it can violate other rules."""

    def __init__(self, model, evaluator, choices, most=400):
        self.model, self.evaluator, self.choices, self.most = model, evaluator, choices, most
        self.values = {}  # possible values of each field

    def write(self):
        """Returns an input, or None if the choices cannot be completed."""
        self.lines, self.line, self.spent = [], "", 0
        self.fresh = True
        if not self.write_nodes(self.model.layout, Scope(())):
            return None
        return "".join(self.lines)

    def write_nodes(self, nodes, scope):
        for node in nodes:
            if isinstance(node, Line):
                written = self.write_line(node.parts, scope)
            elif isinstance(node, Repeat):
                written = self.write_repeat(node, scope)
            elif isinstance(node, If):
                written = not self.evaluator.holds(node.condition, scope) or self.write_nodes(node.body, scope)
            else:
                written = self.write_nodes(self.choices.choose(node.forms), scope)
            if not written:
                return False
        return True

    def write_repeat(self, node, scope):
        if node.count is not None:
            count = self.size(node.count, scope)
        else:
            count = self.choices.choose(list(range(self.size(node.low, scope), self.size(node.high, scope) + 1)))
        if count is None or count < 0:
            return False
        for i in range(count):
            if i > 0 and node.between is not None:
                self.lines.append(node.between)
            inner = Scope(scope.path + (node.block,), scope)
            scope.repeated(node.block).append(inner)
            if not self.write_nodes(node.body, inner):
                return False
        scope.repeated(node.block)
        if node.end:
            self.lines.append(node.end)
        return True

    def size(self, expression, scope):
        return self.evaluator.number(expression, scope)

    def write_line(self, parts, scope):
        if len(parts) == 1 and isinstance(parts[0], Place) and not parts[0].bracketed:
            field = self.model.field(parts[0].name)
            if len(field.dimensions) > 1 or (field.has_characters and field.dimensions):
                rows = scope.values[field.name] = self.write_rows(field, field.sizes, scope)
                return rows is not None
        return self.write_parts(parts, scope) and self.end_line()

    def end_line(self):
        self.lines.append(self.line + "\n")
        self.line, self.fresh = "", True
        return True

    def write_rows(self, field, sizes, scope):
        if len(sizes) == 1:
            row = self.write_array(field, sizes, scope, False)
            self.end_line()
            return row
        count = self.size(sizes[0], scope)
        if count is None or count < 0:
            return None
        rows = [self.write_rows(field, sizes[1:], scope) for _ in range(count)]
        return None if None in rows else rows

    def token(self, text, glued):
        self.line += text if glued or self.fresh else " " + text
        self.fresh = False

    def write_parts(self, parts, scope):
        for part in parts:
            if isinstance(part, Fixed):
                self.token(part.text, part.glued)
            elif isinstance(part, Group):
                if not self.write_group(part, scope):
                    return False
            else:
                value = self.write_array(self.model.field(part.name), self.model.field(part.name).sizes, scope, part.glued)
                if value is None:
                    return False
                scope.values[part.name] = value
        return True

    def write_group(self, group, scope):
        count = self.size(group.count, scope)
        if count is None or count < 0:
            return False
        repeated = scope.repeated(group.block)
        for number in range(count):
            inner = Scope(scope.path + (group.block,), scope)
            repeated.append(inner)
            if not self.write_parts(group.parts_of(number), inner):
                return False
        return True

    def write_array(self, field, sizes, scope, glued):
        if not sizes or (field.has_characters and len(sizes) == 1):
            return self.write_token(field, sizes, scope, glued)
        if sizes[0] is None:
            count = self.choices.choose(within(field.length_bounds, FREE_LENGTHS))
        else:
            count = self.size(sizes[0], scope)
        if count is None or count < 0:
            return None
        values = [self.write_array(field, sizes[1:], scope, glued and number == 0) for number in range(count)]
        return None if None in values else values

    def write_token(self, field, sizes, scope, glued):
        value, text = self.choose_value(field, sizes, scope)
        self.spent += len(text or "") if field.kind in ("over", "matches") else 1
        if self.spent > self.most:
            raise TooMany
        if text is None:
            return None
        self.token(text, glued)
        return value

    def choose_value(self, field, sizes, scope):
        if field.kind == "over":
            lengths = within(field.length_bounds, FREE_LENGTHS)
            size = self.size(sizes[0], scope) if sizes and sizes[0] is not None else self.choose(lengths)
            if size is None or size < 0:
                return None, None
            text = "".join(self.choices.choose(sorted(field.details)) for _ in range(size))
        elif field.kind == "one of":
            text = self.choices.choose(field.details)
        elif field.kind == "matches":
            size = self.size(sizes[0], scope) if sizes and sizes[0] is not None else None
            text = self.choose(self.possible(field, size))
        elif field.kind == "real":
            text = self.choose(self.possible(field))
            return (None, None) if text is None else (Decimal(text), text)
        else:
            value = self.choose(self.possible(field))
            return value, None if value is None else str(value)
        return text, text

    def possible(self, field, size=None):
        key = field.name, size
        if key not in self.values:
            self.values[key] = possible_values(field, size)
        return self.values[key]

    def choose(self, items):
        return self.choices.choose(items) if items else None


def possible_values(field, size):
    """Returns all values of a number, all notations of a real, all short texts of a pattern."""
    if field.kind == "number":
        return within(field.bounds, FREE_NUMBERS)
    if field.kind == "real":
        return spellings(field)
    lengths = within(field.length_bounds, (0, 9)) if size is None else [size]
    return [text for text in matching(field.details) if len(text) in lengths]


def matching(pattern, letters="ab01", longest=3):
    """Returns the short texts that an expression matches."""
    texts = ("".join(text) for size in range(longest + 1) for text in itertools.product(letters, repeat=size))
    return [text for text in texts if pattern.fullmatch(text)]


def spellings(field):
    """Returns all notations of the reals within the bounds."""
    fewest, most = field.details
    found = []
    for digits in range(fewest, most + 1):
        for units in range(-(10**digits), 10**digits + 1):
            value = Decimal(units) / 10**digits
            if all(SIGNS[sign](value, bound) for sign, bound in field.bounds):
                whole, rest = divmod(abs(units), 10**digits)
                sign = "-" if units < 0 else ""
                found.append(f"{sign}{whole}" + (f".{rest:0{digits}d}" if digits else ""))
    return found


def every_input(judge, most, elements=400):
    """Returns all distinct inputs of the layout within the bounds and a maximum number of elements, each with its
    number of elements.

    Raises TooMany if there are more than `most`."""
    choices, found = EveryChoice(), {}
    writer = Writer(judge.model, judge.evaluator, choices, elements)
    for tried in itertools.count(1):
        try:
            text = writer.write()
        except TooMany:
            text = None
        if text is not None:
            found[text] = writer.spent
        if tried > most:
            raise TooMany
        if not choices.advance():
            return found


def random_inputs(judge, random, count):
    writer = Writer(judge.model, judge.evaluator, RandomChoice(random))
    found = []
    for _ in range(count):
        try:
            text = writer.write()
        except TooMany:
            continue
        if text is not None:
            found.append(text)
    return found


TOKENS = ("0", "1", "2", "3", "-1", "01", "-0", "+1", "a", "b", "ab", "0.1", "0.10", "-0.0", "", "f", "g", "end") + tuple(".#x")


def neighbour(text, random):
    """Returns an input with a small change: to a token, a line, a space or a character."""
    how = random.random()
    if how < 0.5:
        return change_token(text, random)
    lines = text.split("\n")
    at = random.randrange(len(lines))
    if how < 0.7:
        other = random.randrange(len(lines))
        choice = random.randrange(4)
        if choice == 0:
            del lines[at]
        elif choice == 1:
            lines.insert(at, lines[other])
        elif choice == 2:
            lines[at], lines[other] = lines[other], lines[at]
        else:
            lines[at : at + 2] = [" ".join(lines[at : at + 2])]
        return "\n".join(lines)
    if how < 0.8:
        return change_space(text, random)
    at = random.randrange(len(text) + 1)
    letter = random.choice("0123-+.ab#fx \n\t\r")
    return text[:at] + random.choice(("", letter)) + text[at + random.choice((0, 1)) :]


def change_token(text, random):
    tokens = re.split(r"([ \n]+)", text)
    words = [at for at in range(0, len(tokens), 2) if tokens[at]]
    if not words:
        return text + random.choice(TOKENS)
    at, other = random.choice(words), random.choice(words)
    choice = random.randrange(6)
    if choice < 3 and re.fullmatch(r"-?\d+", tokens[at]):
        tokens[at] = str(int(tokens[at]) + random.choice((-1, 1, 1, 2)))
    elif choice < 4:
        tokens[at] = random.choice(TOKENS)
    elif choice == 4:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    else:
        tokens[at] = random.choice((tokens[at] + " " + tokens[other], ""))
    return "".join(tokens)


def change_space(text, random):
    at = random.choice([place for place, letter in enumerate(text) if letter in " \n"] or [0])
    return text[:at] + random.choice(("", " ", "\n", "  ", " \n", "\n ", "\r\n", "\t")) + text[at + 1 :]


def token_soup(random, words, most):
    """Returns a few lines of tokens taken from other inputs."""
    text = ""
    for _ in range(random.randint(0, most)):
        text += random.choice(words) + random.choice(" \n\n")
    return text[:-1] + "\n"
