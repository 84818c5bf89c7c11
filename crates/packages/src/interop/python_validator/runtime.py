# The rest is the same for every format: it parses an input by its layout and checks each constraint.

import json
import re
import sys
from math import gcd

LARGEST = 10**36
CODE = 2**127
FORMAT = json.loads(MODEL)
BLOCKS = FORMAT["blocks"]
FIELDS = FORMAT["fields"]
for field in FIELDS:
    field["lo"], field["hi"] = int(field["lo"]), int(field["hi"])
    kind = field["kind"]
    if kind[0] == "words":
        field["words"] = [word.encode("latin-1") for word in kind[1]]
    elif kind[0] == "text":
        field["letters"] = frozenset(kind[1].encode("latin-1"))


class Refused(Exception):
    pass


class Missing(Exception):
    """A value does not exist."""


class Empty(Exception):
    """The minimum or maximum of no values."""


class Undefined(Exception):
    """Overflow, or division by zero."""


class Absent(Exception):
    """Another alternative was chosen, or a condition does not hold. Holds the innermost quantifier involved, or -1."""


UNKNOWN = (Missing, Empty, Undefined, Absent)


def both(*parts):
    """Returns the values of several parts. Of several failures, `Absent` with the outermost quantifier is raised first."""
    found, unknown = [], None
    for part in parts:
        try:
            found.append(part())
        except UNKNOWN as error:
            if isinstance(error, Absent) and isinstance(unknown, Absent):
                unknown = min(unknown, error, key=lambda absent: absent.args[0])
            elif unknown is None or isinstance(error, Absent) or isinstance(unknown, Empty):
                unknown = error
    if unknown is not None:
        raise unknown
    return found


class Scope:
    """An instance of a block, with the instances that enclose it."""

    __slots__ = ("block", "slots", "outer", "variables")

    def __init__(self, block, slots, outer, variables=()):
        self.block, self.slots, self.outer, self.variables = block, slots, outer, variables

    def inner(self, block, slots):
        return Scope(block, slots, self, self.variables)

    def of(self, block):
        at = self
        while at.block != block:
            at = at.outer
            if at is None:
                raise Missing
        return at

    def slot(self, number):
        if number >= len(self.slots):
            raise Missing
        return self.slots[number]

    def field(self, number):
        return self.of(FIELDS[number]["block"]).slot(FIELDS[number]["slot"])

    def instances(self, block):
        if BLOCKS[block]["parent"] is None:
            raise Missing
        holder = self.of(BLOCKS[block]["parent"])
        return holder, holder.slot(BLOCKS[block]["slot"])

    def occurrences(self, over):
        """Iterates over the instances of the second block inside the instances of the first, which encloses or equals it."""
        first, last = over
        holder, instances = self.instances(first)
        for instance in instances:
            yield from holder.inner(first, instance).optional(path(first, last))

    def optional(self, blocks):
        if not blocks:
            yield self
            return
        for instance in self.slot(BLOCKS[blocks[0]]["slot"]):
            yield from self.inner(blocks[0], instance).optional(blocks[1:])


def path(first, last):
    """Returns the blocks from the first (exclusive) down to the last."""
    found = []
    while last != first:
        found.append(last)
        last = BLOCKS[last]["parent"]
    return found[::-1]


def repetition(block):
    """Returns the innermost repetition that is or encloses a block."""
    while BLOCKS[block]["kind"] == "optional":
        block = BLOCKS[block]["parent"]
    return block


def innermost(expr):
    """Returns the innermost quantifier whose variable an expression uses, or -1."""
    if not isinstance(expr, list):
        return -1
    if expr and expr[0] == "variable":
        return expr[1]
    return max((innermost(part) for part in expr), default=-1)


# Numbers


def number(expr, scope):
    kind = expr[0]
    if kind == "constant":
        return expr[1] if isinstance(expr[1], int) else int(expr[1])
    if kind == "field":
        value = scope.field(expr[1])
        if not isinstance(value, int):
            raise Missing
        return value
    if kind == "variable":
        if expr[1] >= len(scope.variables):
            raise Missing
        return scope.variables[expr[1]]
    if kind == "length":
        value = scope.field(expr[1])
        if isinstance(value, bytes) or isinstance(value, list) and len(FIELDS[expr[1]]["dimensions"]) == 1:
            return len(value)
        raise Missing
    if kind == "element":
        return element(expr[1], expr[2], scope)
    if kind == "minus":
        return -number(expr[1], scope)
    if kind == "prime":
        return int(is_prime(number(expr[1], scope)))
    if kind == "binary" and expr[1] == "|":
        try:
            return number(expr[2], scope)
        except (Empty, Absent):
            return number(expr[3], scope)
    if kind == "binary":
        return operate(expr[1], *both(lambda: number(expr[2], scope), lambda: number(expr[3], scope)))
    if kind == "slice":
        return sliced(expr, scope)
    _, fold, wanted, over, inner = expr
    if over is None:
        try:
            return folded(fold, wanted, elements(inner, scope))
        except Absent:
            if fold == "size":
                raise
            return folded(fold, wanted, [])
    found = []
    for occurrence in scope.occurrences(over):
        try:
            found.append(number(inner, occurrence))
        except (Empty, Absent):
            pass
    return folded(fold, wanted, found)


def sliced(expr, scope):
    _, fold, variable, ends, each, wanted = expr
    if variable > len(scope.variables):
        raise Missing
    first, last = both(lambda: number(ends[0], scope), lambda: number(ends[1], scope))
    if wanted is not None:
        wanted = number(wanted, scope)
    found = []
    for at in range(first, last + 1):
        try:
            variables = (*scope.variables[:variable], at)
            found.append(number(each, Scope(scope.block, scope.slots, scope.outer, variables)))
        except Absent:
            pass
    return folded(fold, wanted, found)


def element(field, indices, scope):
    value = picked(field, indices, scope)
    if not isinstance(value, int):
        raise Missing
    return value


def counts_repetitions(field, indices):
    info = FIELDS[field]
    return len(indices) > len(info["dimensions"]) or bool(indices) and info["repeated"]


def picked(field, indices, scope):
    """Returns an element, a row or a text."""
    parts = [lambda index=index: number(index, scope) for index in indices]
    if counts_repetitions(field, indices):
        value, _ = both(lambda: repeated(field, indices, scope), lambda: both(*parts[1:]))
        indices = indices[1:]
    else:
        value, _ = both(lambda: scope.field(field), lambda: both(*parts))
    for index in indices:
        at = number(index, scope) - 1
        if isinstance(value, int) or not 0 <= at < len(value):
            raise Missing
        value = value[at]
    return value


def repeated(field, indices, scope):
    """Returns the value of a field in the repetition given by the first index."""
    info = FIELDS[field]
    block = repetition(info["block"])
    holder, instances = scope.instances(block)
    at = number(indices[0], scope) - 1
    if not 0 <= at < len(instances):
        raise Missing
    for occurrence in holder.inner(block, instances[at]).optional(path(block, info["block"])):
        return occurrence.slot(info["slot"])
    raise Absent(max(innermost(index) for index in indices))


def operate(operator, a, b):
    if operator in "/%" and b == 0 or operator == "^" and not 0 <= b < 2**32:
        raise Undefined
    if operator == "+":
        found = a + b
    elif operator == "-":
        found = a - b
    elif operator == "*":
        found = a * b
    elif operator == "/":
        found = a // b
    elif operator == "%":
        found = a % b
    elif operator == "^":
        if abs(a) > 1 and b > 127:
            raise Undefined
        found = a**b
    elif operator == "gcd":
        found = gcd(a, b)
    elif operator == "xor":
        found = a ^ b
    else:
        found = min(a, b) if operator == "<" else max(a, b)
    if not -CODE <= found < CODE:
        raise Undefined
    return found


def is_prime(n):
    """The Miller-Rabin test; it errs for no number below 3.3e24."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    twos = (n - 1 & 1 - n).bit_length() - 1
    for base in bases:
        power = pow(base, n - 1 >> twos, n)
        passed = power == 1
        for _ in range(twos):
            passed = passed or power == n - 1
            power = power * power % n
        if not passed:
            return False
    return True


def folded(fold, wanted, numbers):
    if fold == "sum":
        found = sum(numbers)
        if not -CODE <= found < CODE:
            raise Undefined
        return found
    if fold == "count":
        return sum(1 for n in numbers if n == int(wanted))
    if fold == "size":
        return len(numbers)
    if fold in ("gcd", "xor"):
        found = 0
        for n in numbers:
            found = gcd(found, n) if fold == "gcd" else found ^ n
        return found
    if not numbers:
        raise Empty
    return min(numbers) if fold == "min" else max(numbers)


def flat(value):
    if isinstance(value, int):
        return [value]
    if isinstance(value, bytes) or not value or isinstance(value[0], int):
        return value
    return [n for part in value for n in flat(part)]


def lengths(value, depth):
    return [len(value)] if depth == 1 else [n for part in value for n in lengths(part, depth - 1)]


def elements(expr, scope):
    kind = expr[0]
    if kind == "field":
        return flat(scope.field(expr[1]))
    if kind == "element":
        value = picked(expr[1], expr[2], scope)
        return [value] if isinstance(value, int) else flat(value)
    if kind == "whole":
        return elements(expr[1], scope)
    if kind == "letters":
        return expr[1].encode("latin-1")
    if kind == "length":
        return lengths(scope.field(expr[1]), len(FIELDS[expr[1]]["dimensions"]))
    if kind == "minus":
        return [-n for n in elements(expr[1], scope)]
    if kind == "prime":
        return [int(is_prime(n)) for n in elements(expr[1], scope)]
    if kind == "binary" and expr[1] != "|":
        left, right = both(lambda: side(expr[2], scope), lambda: side(expr[3], scope))
        return [operate(expr[1], a, b) for a, b in pairs(left, right)]
    return [number(expr, scope)]


def side(expr, scope):
    """Returns the numbers of an operand, and whether it is a single number to pair with each number of the other."""
    return (elements(expr, scope), False) if is_array(expr) else ([number(expr, scope)], True)


def pairs(left, right):
    count = len(right[0]) if left[1] else len(left[0])
    for i in range(count):
        a, b = 0 if left[1] else i, 0 if right[1] else i
        if a >= len(left[0]) or b >= len(right[0]):
            raise Missing
        yield left[0][a], right[0][b]


def is_array(expr):
    kind = expr[0]
    if kind == "field":
        return bool(FIELDS[expr[1]]["dimensions"])
    if kind == "length":
        return len(FIELDS[expr[1]]["dimensions"]) > 1
    if kind == "element":
        return len(expr[2]) - counts_repetitions(expr[1], expr[2]) < len(FIELDS[expr[1]]["dimensions"])
    if kind in ("minus", "prime"):
        return is_array(expr[1])
    return kind == "binary" and (is_array(expr[2]) or is_array(expr[3]))


# Constraints


def holds(sign, a, b):
    if sign == "<":
        return a < b
    if sign == "<=":
        return a <= b
    if sign == ">":
        return a > b
    if sign == ">=":
        return a >= b
    return a == b if sign == "=" else a != b


def compares(comparison, scope):
    left, sign, right = comparison
    if len(left) == 1 and len(right) == 1:
        left, right = left[0], right[0]
        if left[0] in ("whole", "letters"):
            left, right = both(lambda: elements(left, scope), lambda: elements(right, scope))
            return holds(sign, list(left), list(right))
        if is_array(left) or is_array(right):
            left, right = both(lambda: side(left, scope), lambda: side(right, scope))
            return all(holds(sign, a, b) for a, b in pairs(left, right))
        return holds(sign, *both(lambda: number(left, scope), lambda: number(right, scope)))
    parts = both(*(lambda e=e: number(e, scope) for e in left + right))
    return holds(sign, parts[: len(left)], parts[len(left) :])


def formula(rule, scope):
    """Returns whether a formula is true. Raises `Absent` if it is void."""
    kind = rule[0]
    if kind == "compare":
        try:
            return compares(rule[1], scope)
        except Empty:
            return True
        except (Missing, Undefined):
            return False
    if kind in ("all", "any"):
        return joined(((lambda part=part: formula(part, scope)) for part in rule[1]), kind == "any", None)
    try:
        first, last = both(lambda: number(rule[2], scope), lambda: number(rule[3], scope))
    except Empty:
        raise Absent(-1)
    except (Missing, Undefined):
        return False
    with_number = lambda n: Scope(scope.block, scope.slots, scope.outer, (*scope.variables, n))
    parts = ((lambda n=n: formula(rule[4], with_number(n))) for n in range(first, last + 1))
    return joined(parts, kind == "some", rule[1])


def joined(parts, decisive, passed_over):
    """Returns `decisive` if a part does. Parts that are void because of the quantifier itself are skipped."""
    void = None
    for part in parts:
        try:
            if part() == decisive:
                return decisive
        except Absent as absent:
            if absent.args[0] != passed_over and (void is None or absent.args[0] < void.args[0]):
                void = absent
    if void is not None:
        raise void
    return not decisive


def texts_of(value):
    if isinstance(value, bytes):
        return [value]
    return [text for part in value for text in texts_of(part)] if isinstance(value, list) else []


def keeps(rule, scope):
    """Returns whether a constraint holds in a scope."""
    kind = rule[0]
    try:
        if kind == "compare":
            return compares(rule[1], scope)
        if kind == "formula":
            return formula(rule[1], scope)
    except (Empty, Absent):
        return True
    except (Missing, Undefined):
        return False
    try:
        return OTHERS[kind](scope, *rule[1:])
    except (Empty, Absent):
        return True
    except (Missing, Undefined):
        # Edges to vertices out of range are reported by the bounds that a graph implies.
        return kind == "graph"


def distinct(scope, parts, over):
    if over is None:
        columns = both(*(lambda part=part: elements(part, scope) for part in parts))
        count = max((len(column) for part, column in zip(parts, columns) if is_array(part)), default=1)
        columns = [column if is_array(part) else list(column) * count for part, column in zip(parts, columns)]
        rows = list(zip(*columns))
    else:
        rows = []
        for occurrence in scope.occurrences(over):
            try:
                rows.append(tuple(both(*(lambda part=part: number(part, occurrence) for part in parts))))
            except (Empty, Absent):
                pass
    return len(set(rows)) == len(rows)


def ordered(scope, expr, sign, over):
    if over is None:
        numbers = elements(expr, scope)
    else:
        numbers = []
        for occurrence in scope.occurrences(over):
            try:
                numbers.append(number(expr, occurrence))
            except (Empty, Absent):
                pass
    return all(holds(sign, a, b) for a, b in zip(numbers, numbers[1:]))


def matches(scope, field, pattern):
    pattern = re.compile(pattern.encode("latin-1"))
    return all(pattern.fullmatch(text) for text in texts_of(scope.field(field)))


def distinct_texts(scope, field, over):
    if over is None:
        texts = texts_of(scope.field(field))
    else:
        texts = [text for occurrence in scope.occurrences(over) for text in texts_of(occurrence.field(field))]
    return len(set(texts)) == len(texts)


def edges_of(scope, edges, first, count):
    def vertex(n):
        if not isinstance(n, int) or not 0 <= n - first < count:
            raise Missing
        return n - first

    if edges[0] == "lines":
        _, block, u, v, selection = edges
        holder, instances = scope.instances(block)
        u, v = FIELDS[u]["slot"], FIELDS[v]["slot"]
        if selection is not None:
            instances = selected(selection, block, scope, holder, instances)
        return [(vertex(instance[u]), vertex(instance[v])) for instance in instances]
    _, field, block, child = edges
    child = number(child, scope)
    if block is None:
        parents = elements(["field", field], scope)
    else:
        holder, instances = scope.instances(block)
        parents = [number(["field", field], holder.inner(block, instance)) for instance in instances]
    return [(vertex(parent), vertex(child + i)) for i, parent in enumerate(parents)]


def selected(selection, block, scope, holder, instances):
    """Returns the lines that are edges of a graph."""
    if selection[0] == "slice":
        first, last = number(selection[1], scope), number(selection[2], scope)
        return instances[max(first - 1, 0) : max(last, 0)]
    return [line for line in instances if all(is_met(one, holder.inner(block, line)) for one in selection[1:])]


def is_met(comparison, scope):
    """Returns whether a condition holds."""
    try:
        return compares(comparison, scope)
    except (Empty, Absent):
        return True
    except (Missing, Undefined):
        return False


def graph(scope, edges, first, last, asked, shape, most):
    first, last = number(first, scope), number(last, scope)
    count = last - first + 1
    if count < 0:
        raise Missing
    try:
        edges = edges_of(scope, edges, first, count)
    except Missing:
        # The ends of some of the lines have no bounds of their own.
        if edges[0] == "lines" and edges[4] is not None:
            return False
        raise
    if asked["loopless"] and any(u == v for u, v in edges):
        return False
    if asked["simple"]:
        keys = [edge if asked["directed"] else (min(edge), max(edge)) for edge in edges]
        if len(set(keys)) != len(keys):
            return False
    if asked["acyclic"] and asked["directed"] and not is_dag(count, edges):
        return False
    if not parts_hold(count, edges, asked):
        return False
    if asked["strong"] and count > 1:
        turned = [(v, u) for u, v in edges]
        if len(edges) < count or reached(edges) < count or reached(turned) < count:
            return False
    degrees = {}
    for edge in edges:
        for end in edge:
            degrees[end] = degrees.get(end, 0) + 1
    if most is not None and any(degree > most for degree in degrees.values()):
        return False
    if shape == "path":
        return all(degree <= 2 for degree in degrees.values())
    return shape != "star" or count <= 2 or any(degree + 1 >= count for degree in degrees.values())


def reached(edges):
    """Returns the number of vertices that can be reached from vertex 0."""
    leaving = {}
    for u, v in edges:
        leaving.setdefault(u, []).append(v)
    found, waiting = {0}, [0]
    while waiting:
        for v in leaving.get(waiting.pop(), ()):
            if v not in found:
                found.add(v)
                waiting.append(v)
    return len(found)


def is_dag(count, edges):
    entering, leaving = {}, {}
    for u, v in edges:
        entering[v] = entering.get(v, 0) + 1
        leaving.setdefault(u, []).append(v)
    free = [u for u in leaving if not entering.get(u)]
    left = len(edges)
    while free:
        for v in leaving.get(free.pop(), ()):
            left -= 1
            entering[v] -= 1
            if not entering[v]:
                free.append(v)
    return left == 0


def parts_hold(count, edges, asked):
    """Adds the edges to a union-find structure with parity, and checks cycles and connectedness."""
    above, odd = {}, {}

    def root(v):
        path = []
        while above.get(v, v) != v:
            path.append(v)
            v = above[v]
        parity = 0
        for u in reversed(path):
            parity ^= odd[u]
            above[u], odd[u] = v, parity
        return v, odd[path[0]] if path else 0

    joins = 0
    for u, v in edges:
        (a, p), (b, q) = root(u), root(v)
        if a != b:
            above[a], odd[a] = b, p ^ q ^ 1
            joins += 1
        elif asked["acyclic"] and not asked["directed"] or asked["bipartite"] and p == q:
            return False
    return not asked["connected"] or count - joins <= 1


OTHERS = {
    "distinct": distinct,
    "ordered": ordered,
    "matches": matches,
    "distinct texts": distinct_texts,
    "graph": graph,
}


# Layout


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def refuse(self, words):
        line = self.data.count(b"\n", 0, self.at) + 1
        column = self.at - (self.data.rfind(b"\n", 0, self.at) + 1) + 1
        raise Refused(f"line {line}, column {column}: {words}")

    def block(self, block, outer):
        slots = []
        scope = Scope(block, slots, outer)
        for item in BLOCKS[block]["items"]:
            kind = item[0]
            if kind == "line":
                self.line(item[1], scope)
            elif kind == "rows":
                slots.append(self.rows(item[1], 0, scope))
            elif kind == "block":
                slots.append(self.instances(item[1], scope))
            else:
                slots.extend(self.either(item[1], scope))
        return slots

    def either(self, blocks, scope):
        at, reason = self.at, None
        for i, block in enumerate(blocks):
            try:
                chosen = self.block(block, scope)
                return [[chosen] if j == i else [] for j in range(len(blocks))]
            except Refused as refused:
                reason = (self.at, refused) if reason is None or reason[0] < self.at else reason
                self.at = at
        if reason is None:
            self.refuse("expected one of the alternatives")
        raise reason[1]

    def instances(self, block, scope):
        count = BLOCKS[block]["count"]
        if count[0] == "until":
            return self.until(block, count, scope)
        if count[0] == "chosen":
            return []
        if count[0] == "when":
            times = int(all(self.is_met(comparison, scope) for comparison in count[1]))
        else:
            times = self.size(count[1], scope)
        found, idle = [], 0
        for i in range(times):
            if i > 0:
                self.separator(block)
            before = self.at
            found.append(self.block(block, scope))
            idle = self.idle(idle, before)
        return found

    def separator(self, block):
        line = BLOCKS[block]["separator"]
        if line is not None:
            if not self.data.startswith(line.encode("latin-1") + b"\n", self.at):
                self.refuse(f"expected the line {line!r} before the next repetition")
            self.at += len(line) + 1

    def idle(self, idle, before):
        if self.at == before:
            idle += 1
            if idle > 1_000_000:
                self.refuse("too many empty repetitions")
        return idle

    def is_met(self, comparison, scope):
        try:
            return compares(comparison, scope)
        except Empty:
            return True
        except UNKNOWN:
            return False

    def until(self, block, count, scope):
        _, least, most, sentinel = count
        least, most = int(least), int(most)
        sentinel = None if sentinel is None else sentinel.encode("latin-1")
        found, idle = [], 0
        while True:
            end = self.data.find(b"\n", self.at)
            line = self.data[self.at : end if end >= 0 else len(self.data)]
            ended = self.at == len(self.data) if sentinel is None else line == sentinel
            if ended and len(found) < least or not ended and len(found) >= most:
                self.refuse(f"expected {least} to {most} repetitions")
            if ended:
                if sentinel is not None:
                    self.at += len(sentinel)
                    self.end_of_line()
                return found
            if found:
                self.separator(block)
                is_end = (
                    self.at == len(self.data) if sentinel is None else self.data.startswith(sentinel + b"\n", self.at)
                )
                if is_end and BLOCKS[block]["separator"] is not None:
                    self.refuse("expected a repetition after the line between two")
            before = self.at
            found.append(self.block(block, scope))
            idle = self.idle(idle, before)

    def line(self, parts, scope):
        tokens = [0]
        for i, (is_glued, kind, what) in enumerate(parts):
            if is_glued:
                tokens[0] = 0
            glued = i + 1 < len(parts) and parts[i + 1][0]
            if kind == "literal":
                self.space(tokens)
                self.literal(what.encode("latin-1"), glued)
            else:
                scope.slots.append(self.leaf(what, tokens, glued, scope))
            tokens[0] += is_glued
        self.end_of_line()

    def literal(self, text, glued):
        after = self.data[self.at + len(text) : self.at + len(text) + 1]
        if not self.data.startswith(text, self.at) or not glued and after and after not in b" \t\n\x0c\r":
            self.refuse(f"expected {text.decode('latin-1')!r}")
        self.at += len(text)

    def size(self, expr, scope):
        try:
            return number(expr, scope)
        except UNKNOWN:
            self.refuse("the number of values here cannot be computed")

    def rows(self, field, dimension, scope):
        dimensions = FIELDS[field]["dimensions"]
        count = self.length(dimensions[dimension], scope)
        found, idle = [], 0
        for _ in range(count):
            before = self.at
            if dimension + 2 == len(dimensions):
                found.append(self.row(field, dimension + 1, [0], False, scope))
                self.end_of_line()
            else:
                found.append(self.rows(field, dimension + 1, scope))
            idle = self.idle(idle, before)
        return found

    def length(self, expr, scope):
        if expr is None:
            self.refuse("the number of values here cannot be computed")
        count = self.size(expr, scope)
        if count < 0:
            self.refuse("a size is negative")
        return count

    def leaf(self, field, tokens, glued, scope):
        info = FIELDS[field]
        if info["dimensions"]:
            return self.on_line(field, 0, tokens, glued, scope)
        self.space(tokens)
        found = self.numeral(info)
        if not info["lo"] <= found <= info["hi"]:
            self.refuse(f"`{info['name']}` is out of range")
        return found

    def on_line(self, field, dimension, tokens, glued, scope):
        dimensions = FIELDS[field]["dimensions"]
        if dimension + 1 == len(dimensions):
            return self.row(field, dimension, tokens, glued, scope)
        found, idle = [], 0
        for _ in range(self.length(dimensions[dimension], scope)):
            before = self.at
            found.append(self.on_line(field, dimension + 1, tokens, glued, scope))
            idle = self.idle(idle, before)
        return found

    def row(self, field, dimension, tokens, glued, scope):
        info = FIELDS[field]
        size = info["dimensions"][dimension]
        count = None if size is None else self.length(size, scope)
        if "letters" in info:
            self.space(tokens)
            return self.text(info, count, glued)
        found = []
        if count is None:
            while self.at < len(self.data) and self.data[self.at] != 10:
                self.space(tokens)
                found.append(self.numeral(info))
            return found
        for _ in range(count):
            self.space(tokens)
            found.append(self.numeral(info))
        return found

    def text(self, info, count, glued):
        letters = info["letters"]
        end = self.at
        while end < len(self.data):
            code = self.data[end]
            if code == 10 or code == 32 and 32 not in letters or glued and count is None and code not in letters:
                break
            end += 1
        length = end - self.at
        if glued and count is not None:
            length = min(length, count)
        if count is not None and length != count:
            self.refuse(f"`{info['name']}` should have {count} characters")
        found = self.data[self.at : self.at + length]
        if not letters.issuperset(found):
            self.refuse(f"`{info['name']}` has a character that is not allowed")
        self.at += length
        return found

    def numeral(self, info):
        kind = info["kind"]
        if kind[0] == "words":
            return self.word(info["words"])
        if kind[0] == "real":
            return self.real(info, kind[1], kind[2])
        found = INTEGER.match(self.data, self.at)
        if found is None:
            self.refuse(f"expected `{info['name']}`, a number without leading zeros")
        after = self.data[found.end() : found.end() + 1]
        # Skip the computation for more digits than the largest number has.
        value = int(found.group()) if len(found.group()) < 40 else LARGEST + 1
        if after.isdigit() or abs(value) > LARGEST or found.group() == b"-0":
            self.refuse(f"expected `{info['name']}`, a number without leading zeros")
        self.at = found.end()
        return value

    def real(self, info, least, most):
        found = REAL.match(self.data, self.at)
        if found is None:
            self.refuse(f"expected `{info['name']}`, a number without leading zeros")
        sign, whole, point, digits = found.groups()
        places = len(digits or b"")
        after = self.data[found.end() : found.end() + 1]
        if after.isdigit() or not least <= places <= most or point and not places:
            self.refuse(f"`{info['name']}` should have {least} to {most} digits after the point")
        value = int(whole + (digits or b"")) * 10 ** (most - places) if len(whole) < 40 else LARGEST + 1
        if value > LARGEST or sign and value == 0:
            self.refuse(f"expected `{info['name']}`, a number without leading zeros")
        self.at = found.end()
        return -value if sign else value

    def word(self, words):
        here = [i for i, word in enumerate(words) if self.data.startswith(word, self.at)]
        for i in here:
            after = self.data[self.at + len(words[i]) : self.at + len(words[i]) + 1]
            if not after or after in b" \t\n\x0c\r":
                break
        else:
            if not here:
                self.refuse("expected one of the allowed words")
            i = max(here, key=lambda i: len(words[i]))
        self.at += len(words[i])
        return i

    def space(self, tokens):
        tokens[0] += 1
        if tokens[0] > 1:
            if self.data[self.at : self.at + 1] != b" ":
                self.refuse("expected a space")
            self.at += 1

    def end_of_line(self):
        if self.data[self.at : self.at + 1] != b"\n":
            self.refuse("expected the end of the line")
        self.at += 1


INTEGER = re.compile(rb"-?(?:0|[1-9][0-9]*)")
REAL = re.compile(rb"(-)?(0|[1-9][0-9]*)(?:(\.)([0-9]*))?")


def walk(scope):
    """Checks the constraints of an instance and everything inside it."""
    for text, rule in CONSTRAINTS[scope.block]:
        if not keeps(rule, scope):
            raise Refused(f"`{text}` does not hold")
    for child in CHILDREN[scope.block]:
        for instance in scope.slots[BLOCKS[child]["slot"]]:
            walk(scope.inner(child, instance))


CONSTRAINTS = [[] for _ in BLOCKS]
for home, text, rule in FORMAT["constraints"]:
    CONSTRAINTS[home].append((text, rule))
CHILDREN = [[i for i, b in enumerate(BLOCKS) if b["parent"] == block] for block in range(len(BLOCKS))]


def refusal(data):
    """Returns why an input is rejected, or None if it is valid."""
    reader = Reader(data)
    try:
        slots = reader.block(0, None)
        if reader.at < len(data):
            reader.refuse("expected the end of the input")
        walk(Scope(0, slots, None))
    except Refused as refused:
        return str(refused)
    return None


def main():
    reason = refusal(sys.stdin.buffer.read())
    if reason is not None:
        print(reason, file=sys.stderr)
        sys.exit(43)
    sys.exit(42)


if __name__ == "__main__":
    main()
