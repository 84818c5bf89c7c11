"""Random formats: most of them valid, some with a mistake, with sizes from tiny to beyond every integer type."""

NAMES = ["n", "m", "k", "q", "a", "b", "c", "s", "t", "u", "v", "w", "x", "y", "p", "l", "r", "op", "grid", "name", "x1"]
LIMITS = ["0", "1", "2", "3", "5", "9", "10", "20", "100", "1000", "10^5", "2*10^5", "10^6", "10^9", "10^18", "2^31", "2^63", "2^64",
          "10^30", "10^36", "10^38", "10^40", "2^127", "-1", "-5", "-10^9", "-10^18", "-10^36", "1e5", "1.5", "0^0", "5/0", "7%0"]
SMALL = ["0", "1", "2", "3", "4", "5", "8", "10"]
LETTERS = ['"ab"'] * 3 + ['"a-z"', '"a-z"', '"01"', '".#"', '"a-zA-Z0-9"', '"\\\\-"', '" -~"', '"a"', '""', '"SE."']
PATTERNS = ['"[a-z]{1,5}"'] * 3 + ['"(a|b)*c"', '"[0-9]+"', '"0|[1-9][0-9]*"', '"a{1000}"', '"(((a{9}){9}){9}){9}"', '"[^a]*"', '"("', '"a*?"', '"\\\\d+"']
GRAPHS = ["tree", "forest", "acyclic", "dag", "directed", "undirected", "simple", "loopless", "connected", "bipartite", "path", "star"]


class Format:
    """Writes one format: the fields that were declared determine the rest.

    `wild` is the probability of something that is invalid at that position.
    """

    def __init__(self, draw, wild):
        self.draw, self.wild = draw, wild
        self.unused = list(NAMES)
        draw.shuffle(self.unused)
        # Number fields of the enclosing blocks, which can be used as sizes and bounds.
        self.visible = []
        self.numbers, self.arrays, self.texts, self.pairs = [], [], [], []
        # The nesting depth of each field.
        self.depth = {}
        self.level = 0
        self.rules = []

    def is_wild(self):
        return self.draw.random() < self.wild

    def declare(self, fields):
        """Returns a new name, which is added to one of the lists of fields."""
        name = self.unused.pop() if self.unused and not self.is_wild() else f"z{len(self.depth)}"
        name = self.draw.choice(NAMES) if self.is_wild() else name
        fields.append(name)
        self.depth[name] = self.level
        return name

    def limit(self):
        """Returns an end of a range."""
        draw, pick = self.draw, self.draw.random()
        if self.is_wild():
            return draw.choice([self.expression(2), draw.choice(LIMITS)])
        if pick < 0.5:
            return draw.choice(SMALL[2:])
        if pick < 0.85 or not self.visible:
            return draw.choice(["10^5", "10^9", "10^18", "2^63", "10^6", "1000", "10^30", "10^36"] if pick > 0.7 else ["10", "20", "100", "30"])
        return draw.choice(self.visible)

    def expression(self, depth):
        """Returns an expression over numbers."""
        draw = self.draw
        if depth == 0 or draw.random() < 0.4:
            pool = self.numbers * 3 + SMALL
            if draw.random() < 0.1:
                pool = LIMITS
            if draw.random() < 0.3 and self.arrays + self.texts:
                return self.fold()
            return draw.choice(pool)
        one, other = self.expression(depth - 1), self.expression(depth - 1)
        sign = draw.choice(["+", "-", "*", "/", "%", "^", "+", "-", "*"])
        return draw.choice([f"{one}{sign}{other}", f"({one}{sign}{other})", f"abs({one})", f"min({one}, {other})", f"max({one}, {other})", f"-{one}"])

    def fold(self):
        """Returns a number computed from the elements of a list."""
        draw = self.draw
        if self.texts and draw.random() < 0.3:
            text = draw.choice(self.texts)
            return draw.choice([f"len({text})", f"count({text}, 'a')", f"len({text}[1])"])
        field = draw.choice(self.arrays or self.texts)
        return draw.choice([f"sum({field})", f"min({field})", f"max({field})", f"{field}[1]", f"count({field}, 1)", f"{field}[{draw.choice(self.numbers or SMALL)}]",
                            f"sum(sum({field}))", f"len({field})"])

    def number(self):
        """Declares a number with its range."""
        draw = self.draw
        name = self.declare(self.numbers)
        low = self.limit() if self.is_wild() else draw.choice(["0", "1", "1", "1", "2", "-5", "-10^9"])
        if not self.is_wild():
            self.rules.append(f"{low} <= {name} {draw.choice(['<=', '<=', '<=', '<'])} {self.limit()}")
        if not low.startswith("-"):
            self.visible.append(name)
        return name

    def size(self):
        """Returns the size of a list."""
        draw = self.draw
        if self.is_wild():
            return draw.choice(SMALL + ["10^9", "10^18", "10^36", "n", self.expression(2)])
        if not self.visible or draw.random() < 0.15:
            return draw.choice(["1", "2", "3", "5"])
        name = draw.choice(self.visible)
        return draw.choice([name] * 8 + [f"{name}+1", f"2*{name}", f"{name}*{draw.choice(self.visible)}", f"{name}+{draw.choice(self.visible)}", f"{name}^2"])

    def array(self, alone):
        """Declares a list, on several lines if it is the only part."""
        draw = self.draw
        kind = draw.choice(["number"] * 4 + ["text", "text", "free", "real", "pattern", "words", "permutation"])
        is_text = kind in ("text", "free", "pattern")
        name = self.declare(self.texts if is_text else self.arrays)
        rows = draw.choice([0, 1, 1, 2]) if alone or self.is_wild() else 0
        if kind == "permutation":
            size = self.size()
            self.rules.append(f"{name} permutation of {draw.choice(['1', '1', '0'])}..{size}" if draw.random() < 0.9 else f"{name} permutation of 1..{self.size()}")
            return f"{name}[{size}]"
        sizes = "".join(f"[{self.size()}]" for _ in range(rows + 1))
        if kind == "number":
            self.rules.append(f"{draw.choice(['0', '1', '-10^9', '-5'])} <= {name} <= {self.limit()}")
        elif kind == "real":
            self.rules.append(f"{name} real, {draw.choice(['0', '-1', '0.5'])} <= {name} <= {draw.choice(['1', '1.5', '10^9', '7'])}, {draw.choice(['2', '0..2', '6', '0..9', '1', '30'])} decimals")
        elif kind == "words":
            self.rules.append(f'{name} one of "x", "yy", "{draw.choice(["z", "zzz", "7"])}"')
        else:
            self.rules.append(f"{name} matches {draw.choice(PATTERNS)}" if kind == "pattern" else f"{name} over {draw.choice(LETTERS)}")
        if kind in ("free", "pattern"):
            sizes = sizes[:sizes.rindex("[")] + "[]"
            self.rules.append(f"{draw.choice(['0', '1', '1', '2'])} <= len({name}) <= {self.limit()}")
        text = name + sizes
        return f"({text})" if alone and rows == 1 and draw.random() < 0.2 else text

    def part(self):
        """Returns a part of a line."""
        pick = self.draw.random()
        if pick < 0.55:
            return self.number()
        if pick < 0.8:
            return self.array(False)
        if pick < 0.9:
            return self.draw.choice(['"Case"', '":"', "0", "7", '"end"'] + (['""', '"a b"', "-1"] if self.is_wild() else []))
        name = self.declare(self.texts)
        self.rules += [f"{name} over {self.draw.choice(LETTERS)}", f"1 <= len({name}) <= {self.limit()}"]
        return name

    def group(self):
        """Returns a group that is repeated on its line."""
        size = self.size()
        known, self.level = len(self.visible), self.level + 1
        body = " ".join(self.number() for _ in range(self.draw.choice([1, 2])))
        del self.visible[known:]
        self.level -= 1
        return f"({body})[{size}]"

    def block(self, depth, indent, lines):
        """Writes a block of some kind."""
        draw, pad = self.draw, "    " * indent
        pick = draw.random()
        known, self.level = len(self.visible), self.level + 1
        if pick < 0.5:
            lines.append(pad + f"repeat {self.size()}:")
            if draw.random() < 0.4:
                self.pairs.append((self.declare(self.numbers), self.declare(self.numbers), draw.choice(self.visible) if self.visible else "5"))
                lines.append(f"{pad}    {self.pairs[-1][0]} {self.pairs[-1][1]}")
                lines.extend([] if draw.random() < 0.7 else self.lines(0, indent + 1))
            else:
                lines.extend(self.lines(depth - 1, indent + 1))
        elif pick < 0.66:
            lines += [pad + f"cases {self.size()}:"] + self.lines(depth - 1, indent + 1)
        elif pick < 0.76:
            lines += [pad + f"repeat {draw.choice(['0', '1', '2'])}..{draw.choice(['3', '9', '10^9'])} until {draw.choice(['eof', '0', '0 0', chr(34) + 'end' + chr(34)])}:"]
            lines += self.lines(depth - 1, indent + 1)
        elif pick < 0.88 and self.visible:
            lines += [pad + f"if {draw.choice(self.visible)} {draw.choice(['=', '<', '!=', '>='])} {draw.choice(SMALL)}:"] + self.lines(depth - 1, indent + 1)
        else:
            lines.append(pad + "either:")
            for form in range(draw.choice([1, 2, 3] if self.is_wild() else [2, 2, 3])):
                word = "" if self.is_wild() else draw.choice([str(form), f'"w{form}"'])
                inside = draw.random() < 0.2
                lines.append(f"{pad}    {word} {self.part()}".rstrip() + (":" if inside else ""))
                lines += self.lines(0, indent + 2) if inside else []
        del self.visible[known:]
        self.level -= 1

    def lines(self, depth, indent):
        """Returns the lines of a block."""
        draw, lines, pad = self.draw, [], "    " * indent
        for _ in range(draw.choice([1, 1, 2, 2, 3])):
            pick = draw.random()
            if pick < 0.4 or depth == 0 and pick < 0.7:
                parts = [self.part() for _ in range(draw.choice([1, 1, 2, 3]))]
                lines.append(pad + (draw.choice([" ", ""]) if self.is_wild() else " ").join(parts))
            elif pick < 0.65 or depth == 0:
                lines.append(pad + (self.array(True) if draw.random() < 0.85 else self.group()))
            else:
                self.block(depth, indent, lines)
        return lines

    def rule(self):
        """Returns a constraint beyond the ranges."""
        draw = self.draw
        numbers, arrays = self.numbers or ["n"], self.arrays or self.numbers or ["n"]
        inner = [name for name in numbers if self.depth.get(name)] or arrays
        fields = self.numbers + self.arrays + self.texts or ["n"]
        one, other, array = draw.choice(numbers), draw.choice(numbers), draw.choice(arrays)
        listed = draw.choice(inner + arrays if not self.is_wild() else fields)
        forms = [
            f"distinct({listed})", f"distinct(({draw.choice(inner)}, {draw.choice(inner)}))",
            f"{draw.choice(['sorted', 'increasing', 'decreasing', 'nonincreasing'])}({listed})",
            f"symmetric({array})", f"sum({listed}) {draw.choice(['<=', '=', '>='])} {self.limit()}", f"count({array}, {draw.choice(SMALL)}) <= {self.limit()}",
            f"{self.expression(2)} {draw.choice(['<=', '<', '=', '!=', '>='])} {self.expression(2)}", f"{one} {draw.choice(['<=', '<', '!='])} {other}",
            f"forall i in {draw.choice(SMALL[:3])}..{one}-1: {listed}[i] {draw.choice(['!=', '<', '<=', '='])} {listed}[i+1]",
            f"exists i in 1..{one}: {listed}[i] = {self.limit()}",
            f"parents {array} of 2..{one} on 1..{one}: tree",
            f"if {one} = {draw.choice(SMALL)}: {other} <= {self.limit()}",
            f"not ({one} = {self.expression(1)} and {other} < {self.limit()})",
            f"let M = {draw.choice(['5', '10^5', '2*10^5', '2^62', self.expression(2)])}", f"subtask small ({draw.choice(SMALL)}): {one} <= {self.limit()}",
            f"{one} = 1 => {other} != {self.expression(1)}", f"sum(sum({listed})) <= {self.limit()}", f"{draw.choice(self.texts or fields)} != {draw.choice(self.texts or fields)}",
        ]
        return draw.choice(forms)

    def edges(self):
        """Writes constraints on blocks of two numbers: graphs, or ranges."""
        draw = self.draw
        for u, v, size in self.pairs:
            if draw.random() < 0.6:
                self.rules.append(f"edges ({u}, {v}) on {draw.choice(['1', '1', '0'])}..{size}: {', '.join(draw.sample(GRAPHS, draw.choice([1, 2])))}")
            else:
                self.rules.append(f"1 <= {u}, {v} <= {self.limit()}")

    def write(self):
        """Returns the format's text."""
        draw = self.draw
        lines = self.lines(draw.choice([0, 1, 1, 2, 3]), 0)
        self.edges()
        for _ in range(draw.choice([0, 0, 1, 1, 2, 4])):
            self.rules.append(self.rule())
        draw.shuffle(self.rules)
        return "\n".join(lines + ["where:"] + ["    " + rule for rule in self.rules]) + "\n"


def random_format(draw):
    """Returns the text of a format."""
    return Format(draw, draw.choice([0, 0, 0, 0.01, 0.05, 0.2])).write()


def deep_format(draw):
    """Returns a format that is extremely deep or long."""
    depth = draw.choice([20, 100, 1000, 20000])
    kind = draw.randrange(10)
    if kind == 0:
        return "".join("  " * i + "repeat 1:\n" for i in range(min(depth, 2000))) + "  " * min(depth, 2000) + "n\nwhere:\n    1 <= n <= 2\n"
    if kind == 1:
        return "n\nwhere:\n    1 <= n <= " + "(" * depth + "5" + ")" * depth + "\n"
    if kind == 2:
        return "n\nwhere:\n    1 <= n <= 5\n    " + "not " * depth + "n = 3\n"
    if kind == 3:
        return " ".join(f"v{i}" for i in range(depth)) + "\nwhere:\n" + "".join(f"    1 <= v{i} <= 9\n" for i in range(depth))
    if kind == 4:
        return "n\na" + "[n]" * min(depth, 300) + "\nwhere:\n    1 <= n <= 3\n    0 <= a <= 1\n"
    if kind == 5:
        return "n\nwhere:\n    1 <= n <= 5\n" + "    " + "".join(f"forall i{i} in 1..n: " for i in range(min(depth, 60))) + "n > 0\n"
    if kind == 6:
        return "n\nwhere:\n    1 <= n <= " + "-" * depth + "5\n    n " + "+1" * depth + " >= 0\n"
    if kind == 7:
        return "n\nwhere:\n    1 <= n <= 2" + "^2" * min(depth, 400) + "\n"
    if kind == 8:
        return "s\nwhere:\n    s over \"" + "ab" * depth + "\"\n    1 <= len(s) <= 3\n"
    return "n " + ", ".join(f"n{i}" for i in range(depth)) + "\nwhere:\n    " + ", ".join(f"n{i}" for i in range(depth)) + " <= 5\n"
