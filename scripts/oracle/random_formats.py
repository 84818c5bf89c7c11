"""Random small formats: every construct of the layout with every kind of constraint, in small ranges.

A format depends on the seed and its number only. rebut accepts most of them; some are contradictory or unsupported, and
are rejected."""

import random
from dataclasses import dataclass

INDENT = "    "
LETTERS = ("ab", "abc", "01", ".#", "a-c", "ab-", "()", "()x")
PATTERNS = ("a?b", "[ab]{1,2}", "0|1[01]?", "(ab|b)a?", "a|b|ba", "[a-b][0-1]?")
WORDS = (("go", "up"), ("a", "b", "c"), ("push", "pop"), ("x", "xy"))
GRAPHS = (
    ("tree",), ("forest",), ("acyclic",), ("dag",), ("directed",), ("simple",), ("loopless",), ("connected",), ("bipartite",),
    ("path",), ("star",), ("simple", "connected"), ("directed", "simple"), ("directed", "acyclic"), ("undirected", "simple"),
    ("simple", "bipartite"), ("simple", "even"), ("eulerian",), ("regular",), ("connected", "bipartite"), ("dag", "simple"), ("directed", "loopless"), (),
    ("loopless", "connected"), ("simple", "forest"), ("directed", "connected"), ("acyclic", "simple"),
)  # fmt: skip
ORDERS = ("sorted", "increasing", "nondecreasing", "decreasing", "nonincreasing")
COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")
NAMES = [letter for letter in "nmkabcdpqrstuvwxyz"] + [letter + "2" for letter in "nmkabcdpqrstuvwxyz"]


@dataclass
class Known:
    """A field of the format under construction."""

    name: str
    kind: str  # number, text, word, pattern, real
    path: tuple  # the numbers of the blocks that repeat it
    forms: tuple  # (number of the `either` or `if`, number of the form) around it
    sizes: tuple = ()
    low: int = 0
    high: int = 0

    @property
    def rank(self):
        return len(self.sizes) - (self.kind == "text" and bool(self.sizes))


class Maker:
    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.names = list(NAMES)
        self.fields = []
        self.rules = []
        self.lets = {}
        self.pairs = []  # (first, second, count of the block around them): could be edges
        self.blocks = 0
        self.budget = self.random.choice((2, 3, 3, 4, 5, 6))
        self.ended = False  # nothing can follow

    # Small choices.

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def pick(self, items):
        return self.random.choice(items)

    def name(self):
        self.random.shuffle(self.names)
        return self.names.pop()

    def new_block(self):
        self.blocks += 1
        return self.blocks

    # Fields, each with the rules that it needs.

    def new_number(self, path, forms, sizes=(), low=None, high=None):
        low = self.pick((0, 0, 1, 1, -1)) if low is None else low
        high = low + self.pick((1, 1, 2, 2, 3)) if high is None else high
        field = Known(self.name(), "number", path, forms, sizes, low, high)
        self.fields.append(field)
        self.rules.append(self.bounds(field.name, low, high))
        return field

    def bounds(self, name, low, high):
        if self.chance(6):
            constant = f"MAX{len(self.lets) + 1}"
            self.lets[constant] = high
            return self.pick((f"{low} <= {name} <= {constant}", f"{low} <= {name} < {constant} + 1"))
        return self.pick(
            (
                f"{low} <= {name} <= {high}", f"{low} <= {name} <= {high}", f"{low - 1} < {name} <= {high}",
                f"{name} >= {low}; {name} <= {high}",
            )
        )

    def new_count(self, path, forms):
        low = self.pick((0, 0, 1, 1, 1, 2))
        return self.new_number(path, forms, (), low, low + self.pick((0, 1, 1, 2)))

    def new_text(self, path, forms, sizes=()):
        field = Known(self.name(), "text", path, forms, sizes)
        self.fields.append(field)
        alphabet = self.pick(LETTERS)
        self.rules.append(f'{field.name} over "{alphabet}"')
        if "()" in alphabet and self.chance(60):
            self.rules.append(f"balanced({field.name})")
        if len(sizes) > 1 and self.chance(30):
            self.rules.append(f'connected({field.name}, "{alphabet[0]}")')
        if not sizes or sizes[-1] == "":
            low = self.pick((0, 1, 1, 1))
            self.rules.append(f"{low} <= len({field.name}) <= {low + self.pick((1, 1, 2))}")
        return field

    def new_token(self, path, forms, sizes=()):
        """Adds a field of one of the other kinds."""
        field = Known(self.name(), self.pick(("word", "pattern", "real", "real")), path, forms, sizes)
        if field.kind == "word":
            words = self.pick(WORDS)
            self.rules.append(f"{field.name} one of " + ", ".join(f'"{word}"' for word in words))
        elif field.kind == "pattern":
            self.rules.append(f'{field.name} matches "{self.pick(PATTERNS)}"')
        else:
            digits = self.pick(("1", "1", "0..1", "2"))
            low, high = self.pick((("0", "0.5"), ("-0.3", "0.3"), ("0", "1"), ("-0.02", "0.05")))
            if digits != "2" and low == "-0.02":
                low, high = "-0.2", "0.4"
            if digits == "2":
                low, high = "-0.02", "0.05"
            self.rules.append(f"{field.name} real, {low} <= {field.name} <= {high}, {digits} decimals")
        self.fields.append(field)
        return field

    def size(self, path, forms):
        """Returns a size that is known at the position of the field: an earlier number, or a constant."""
        counts = [
            field
            for field in self.fields
            if field.kind == "number" and not field.sizes and field.low >= 0 and field.high <= 4
            and path[: len(field.path)] == field.path and forms[: len(field.forms)] == field.forms
        ]  # fmt: skip
        if not counts or self.chance(10):
            return str(self.pick((1, 2, 2, 3)))
        field = self.pick(counts[-3:])
        if self.chance(8) and field.low >= 1:
            return f"{field.name}-1"
        if self.chance(4):
            return f"{field.name}+1"
        if self.chance(2):
            return f"2*{field.name}"
        return field.name

    # The layout. Each method returns lines.

    def body(self, path, forms, last, most=3):
        lines = []
        for _ in range(self.random.randint(1, most)):
            if self.ended or (lines and self.budget <= 0):
                break
            self.budget -= 1
            lines += self.element(path, forms, last)
        return lines

    def element(self, path, forms, last):
        deep = len(path) + len(forms)
        choices = [(self.numbers, 14), (self.array, 16), (self.text, 12), (self.token, 10), (self.matrix, 6), (self.rows, 6)]
        choices += [(self.group, 9), (self.open_list, 5), (self.fixed, 6)]
        if deep < 3:
            choices += [(self.repeat, 20), (self.either, 10), (self.condition, 7), (self.until, 5)]
        if not path and not forms:
            choices += [(self.cases, 8)]
        if last and not path and not forms:
            choices += [(self.until_eof, 4)]
        methods, weights = zip(*choices)
        return self.random.choices(methods, weights)[0](path, forms)

    def numbers(self, path, forms):
        fields = [self.new_number(path, forms) for _ in range(self.pick((1, 2, 2, 3)))]
        if len(fields) == 2 and not path:
            self.pairs.append((fields, None))
        return [" ".join(field.name for field in fields)]

    def array(self, path, forms):
        lines = []
        if self.chance(70):
            count = self.new_count(path, forms)
            lines.append(count.name)
        parts = []
        for _ in range(self.pick((1, 1, 1, 2))):
            size = self.size(path, forms)
            make = self.pick((self.new_number,) * 4 + (self.new_token,))
            field = make(path, forms, (size,))
            parts.append(f"{field.name}[{size}]")
        if lines and self.chance(40):
            return [" ".join(lines + parts)]
        return lines + [self.pick(("\n", " ")).join(parts)] if len(parts) == 1 or self.chance(50) else lines + parts

    def text(self, path, forms):
        if self.chance(50):
            count = self.new_count(path, forms)
            size = self.pick((count.name, self.size(path, forms)))
            field = self.new_text(path, forms, (size,))
            return [self.pick((f"{count.name} {field.name}[{size}]", f"{count.name}\n{field.name}[{size}]"))]
        field = self.new_text(path, forms)
        return [field.name + self.pick(("", "", "[]"))]

    def token(self, path, forms):
        parts = [self.new_token(path, forms).name]
        if self.chance(40):
            parts.append(self.new_number(path, forms).name)
        return [" ".join(parts)]

    def matrix(self, path, forms):
        lines, size = [], self.size(path, forms)
        if self.chance(60):
            lines, size = [self.new_count(path, forms).name], self.fields[-1].name
        other = self.pick((size, size, "2", self.size(path, forms)))
        if self.chance(8):
            deep = self.new_number(path, forms, (size, other, "2"))
            return lines + [f"{deep.name}[{size}][{other}][2]"]
        field = self.new_number(path, forms, (size, other))
        if size == other and self.chance(40):
            self.rules.append(f"symmetric({field.name})")
        return lines + [f"{field.name}[{size}][{other}]"]

    def rows(self, path, forms):
        """Returns lines of letters, or texts on one line."""
        count = self.new_count(path, forms)
        width = self.pick(("", "", "2", self.size(path, forms)))
        field = self.new_text(path, forms, (count.name, width))
        if self.chance(40):
            return [f"{count.name} ({field.name}[{count.name}][{width}])"]
        return [count.name, f"{field.name}[{count.name}][{width}]"]

    def open_list(self, path, forms):
        field = self.new_number(path, forms, ("",))
        low = self.pick((0, 1, 1))
        self.rules.append(f"{low} <= len({field.name}) <= {low + self.pick((1, 2))}")
        if self.chance(30):
            return [f"{self.new_number(path, forms).name} {field.name}[]"]
        if self.chance(20):
            count = self.new_count(path, forms)
            field.sizes = (count.name, "")
            return [count.name, f"{field.name}[{count.name}][]"]
        return [f"{field.name}[]"]

    def fixed(self, path, forms):
        one, two = self.new_number(path, forms), self.new_number(path, forms)
        return [
            self.pick(
                (
                    f'"Case" {one.name}":"{two.name}', f'"R"{one.name}"C"{two.name}', f'{one.name} "-" {two.name}',
                    f'"#" 7 {one.name} {two.name}', f'{one.name}"/"{two.name} "end"', f'"("{one.name}","{two.name}")"',
                )
            )
        ]  # fmt: skip

    def group(self, path, forms):
        size, before = self.size(path, forms), ""
        if self.chance(60):
            size = self.new_count(path, forms).name
            before = size + " "
        inner = path + (self.new_block(),)
        if self.chance(25):
            one, two = self.new_number(inner, forms), self.new_number(inner, forms)
            return [f'{before}("("{one.name}","{two.name}")")[{size}]']
        make = self.pick((self.new_number,) * 5 + (self.new_token, self.new_text))
        fields = [make(inner, forms)] + [self.new_number(inner, forms) for _ in range(self.pick((0, 1, 1)))]
        if len(fields) == 2:
            self.pairs.append((fields, size))
        after = " " + self.new_number(path, forms).name if self.chance(30) else ""
        return [f"{before}({' '.join(field.name for field in fields)})[{size}]{after}"]

    def indented(self, lines):
        return [INDENT + line for text in lines for line in text.split("\n")]

    def repeat(self, path, forms, word="repeat"):
        lines, size = [], self.size(path, forms)
        if self.chance(75) or word == "cases":
            lines, size = [self.new_count(path, forms).name], self.fields[-1].name
        inner = path + (self.new_block(),)
        if self.chance(35) and word == "repeat":
            fields = [self.new_number(inner, forms, (), 1, 3), self.new_number(inner, forms, (), 1, 3)]
            self.pairs.append((fields, size))
            body = [" ".join(field.name for field in fields)]
        else:
            body = self.body(inner, forms, False)
        return lines + [f"{word} {size}{self.between()}:"] + self.indented(body)

    def between(self):
        return self.pick(("", "", "", "", ' separated by ""', ' separated by "--" 7'))

    def cases(self, path, forms):
        return self.repeat(path, forms, "cases")

    def until(self, path, forms):
        low = self.pick((0, 0, 1))
        inner = path + (self.new_block(),)
        end = self.pick(('"end"', "0 0", "0", "-1"))
        return [f"repeat {low}..{low + self.pick((1, 2))} until {end}{self.between()}:"] + self.indented(self.body(inner, forms, False, 1))

    def until_eof(self, path, forms):
        low = self.pick((0, 1))
        inner = path + (self.new_block(),)
        body = self.body(inner, forms, False, 1)
        self.ended = True
        return [f"repeat {low}..{low + self.pick((1, 2))} until eof{self.between()}:"] + self.indented(body)

    def either(self, path, forms):
        number = self.new_block()
        heads = self.pick((('"f"', '"g"', '"h"'), ("1", "2", "3"), ('"f"', "2", '"h"')))
        lines = []
        for form in range(self.pick((2, 2, 3))):
            inner = forms + ((number, form),)
            head = heads[form]
            what = self.random.random()
            if what < 0.6:
                fields = [self.new_number(path, inner) for _ in range(self.pick((0, 1, 1, 2)))]
                lines.append(" ".join([head] + [field.name for field in fields]))
            elif what < 0.75:
                lines.append(f"{head} {self.new_text(path, inner).name}")
            elif what < 0.9:
                count = self.new_count(path, inner)
                lines.append(f"{head} {count.name} {self.new_number(path, inner, (count.name,)).name}[{count.name}]")
            else:
                lines += [f"{head}:"] + self.indented(self.body(path, inner, False, 1))
        return ["either:"] + self.indented(lines)

    def condition(self, path, forms):
        lines, number = [], self.new_block()
        usable = [f for f in self.fields if f.kind in ("number", "word") and not f.sizes and f.path == path and f.forms == forms]
        words = [f for f in usable if f.kind == "word"]
        if not usable or self.chance(40):
            usable, words = [self.new_number(path, forms)], []
            lines = [usable[0].name]
        field = self.pick(words or usable)
        if field.kind == "word":
            rule = next(rule for rule in self.rules if rule.startswith(f"{field.name} one of"))
            test = f"{field.name} = {self.pick(rule.split(' one of ')[1].split(', '))}"
        else:
            test = f"{field.name} {self.pick(COMPARISONS)} {self.random.randint(field.low, field.high)}"
        lines += [f"if {test}:"] + self.indented(self.body(path, forms + ((number, 0),), False, 2))
        return lines

    # Constraints.

    def whole_rule(self):
        kinds = [
            (self.comparison, 14), (self.fold, 16), (self.order, 14), (self.quantified, 14), (self.combined, 12), (self.graph, 12),
            (self.permutation, 5), (self.textual, 8), (self.arrays, 5), (self.arithmetic, 6), (self.conditional, 4), (self.tuples, 5),
        ]  # fmt: skip
        methods, weights = zip(*kinds)
        return self.random.choices(methods, weights)[0]()

    def where(self, test):
        return [field for field in self.fields if test(field)]

    def single_numbers(self):
        return self.where(lambda field: field.kind == "number" and not field.sizes)

    def near(self, field, others):
        """Returns the fields that can occur in one constraint together with a field."""
        def fits(other):
            length = min(len(field.path), len(other.path))
            forms = {number: form for number, form in field.forms}
            together = all(forms.get(number, form) == form for number, form in other.forms)
            return field.path[:length] == other.path[:length] and together and other is not field

        return [other for other in others if fits(other)]

    def two_numbers(self):
        singles = self.single_numbers()
        if not singles:
            return None
        one = self.pick(singles)
        near = self.near(one, singles)
        return (one.name, self.pick(near).name) if near else (one.name, str(self.random.randint(one.low, one.high)))

    def comparison(self):
        two = self.two_numbers()
        if two is None:
            return None
        one, other = two
        return self.pick(
            (
                f"{one} {self.pick(COMPARISONS)} {other}", f"{one} <= {other}", f"{one} != {other}", f"{one} < {other} + 1",
                f"{one} - 1 <= {other} <= {one} + 1", f"{one}, {other} != {self.pick((0, 1, 2))}", f"{one} <= {other} <= 2",
            )
        )  # fmt: skip

    def arithmetic(self):
        two = self.two_numbers()
        if two is None:
            return None
        one, other = two
        return self.pick(
            (
                f"({one} + {other}) % 2 = {self.pick((0, 1))}", f"abs({one} - {other}) <= 1", f"{one} * {other} <= 2",
                f"{one} / 2 <= {other}", f"min({one}, {other}) <= 1", f"max({one}, {other}) >= 1", f"{one}^2 <= {other} + 2",
                f"{one} % {other} = 0", f"{one} / {other} <= 1", f"-{one} <= {other}", f"2^{one} <= {other} + 3",
                f"not ({one} / {other} = 1)", f"{one} - {other} != 1",
                f"prime({one} + {other} + 1)", f"{other} = 1 or not prime({one})",
            )
        )  # fmt: skip

    def tuples(self):
        singles = self.single_numbers()
        if len(singles) < 2:
            return None
        one, two = self.random.sample(singles, 2)
        if self.chance(50):
            return f"({one.name}, {two.name}) {self.pick(('!=', '!=', '='))} ({self.pick((0, 1))}, {self.pick((1, 2))})"
        more = self.random.sample(singles, min(len(singles), 4))
        return f"({one.name}, {two.name}) != ({more[0].name}, {more[-1].name})"

    def folded(self):
        """Returns a fold of numbers with the largest value that is useful to compare it with."""
        numbers = self.where(lambda field: field.kind == "number" and (field.sizes or field.path or field.forms))
        if not numbers:
            return None
        field = self.pick(numbers)
        inner = field.name
        if self.chance(25):
            numbers = [other for other in numbers if other.sizes in (field.sizes, ()) and other.path[: len(field.path)] == field.path]
            near = self.near(field, numbers)
            if near:
                inner = f"{field.name}{self.pick('+*-')}{self.pick(near).name}"
        if self.chance(10):
            inner = f"abs({field.name})"
        fold = self.pick(("sum", "sum", "min", "max", "count", "distinct", "inversions", "cycles"))
        text = f"count({inner}, {self.random.randint(field.low, field.high)})" if fold == "count" else f"{fold}({inner})"
        if (field.sizes and field.path or len(field.path) > 1) and self.chance(40):
            text = f"{self.pick(('sum', 'max', 'min'))}({text})"
        return text

    def fold(self):
        text = self.folded()
        if text is None:
            return None
        if self.chance(25) and self.single_numbers():
            return f"{text} {self.pick(COMPARISONS)} {self.pick(self.single_numbers()).name}"
        if self.chance(10):
            return f"{text} {self.pick(COMPARISONS)} {self.folded()}"
        if self.chance(10):
            return f"not {text} {self.pick(COMPARISONS)} {self.pick((0, 1, 2))}"
        return f"{text} {self.pick(COMPARISONS + ('<=', '<=', '>='))} {self.pick((0, 1, 1, 2, 3, 4))}"

    def order(self):
        lists = self.where(lambda field: field.sizes or field.path or field.forms)
        if not lists:
            return None
        field = self.pick(lists)
        word = self.pick(ORDERS + ("distinct",) * 4)
        if self.chance(15):
            like = [other for other in lists if (other.path, other.rank, other.kind) == (field.path, field.rank, field.kind)]
            near = self.near(field, [other for other in like if other.name != field.name])
            if near:
                return f"disjoint({field.name}, {self.pick(near).name})"
        if word == "distinct" and self.chance(35):
            like = [other for other in lists if (other.path, other.rank, other.kind) == (field.path, field.rank, field.kind)]
            near = self.near(field, like)
            if near:
                return f"distinct(({field.name}, {self.pick(near).name}))"
        if word == "distinct" and self.chance(20) and len(self.single_numbers()) > 1:
            one, other = self.random.sample(self.single_numbers(), 2)
            return f"distinct({one.name}, {other.name}{self.pick(('', ', 1'))})"
        return f"{word}({field.name})"

    def permutation(self):
        numbers = self.where(lambda field: field.kind == "number" and (len(field.sizes) == 1 or field.path))
        if not numbers:
            return None
        field = self.pick(numbers)
        size = field.sizes[0] if field.sizes else self.pick(("2", "3"))
        return f"{field.name} permutation of {self.pick(('1..' + (size or '2'), '0..' + (size or '2') + '-1'))}"

    def textual(self):
        texts = self.where(lambda field: field.kind in ("text", "word", "pattern"))
        if not texts:
            return None
        field = self.pick(texts)
        name, letter = field.name, self.pick("ab01.#-c")
        single = [other for other in texts if not other.sizes or other.kind == "text" and other.rank == 0]
        near = [other.name for other in self.near(field, single)]
        rules = [f"count({name}, '{letter}') <= {self.pick((0, 1, 1, 2))}"] if field.kind == "text" else []
        if field.kind == "word":
            rules += [f'count({name}, "{word}") {self.pick(("<=", ">=", "="))} 1' for word in ("a", "go", "x", "push")]
        if field.rank == 0:
            rules += [f'{name} {self.pick(COMPARISONS)} "{self.pick(("a", "b", "ab", "1", "#", ""))}"']
            rules += [f"{name} {self.pick(COMPARISONS)} {other}" for other in near]
        if field.kind == "text":
            rules += [f"sum(len({name})) <= {self.pick((1, 2, 3))}", f"len({name}) != 1", f"max(len({name})) >= 1"]
            if field.rank == 0:
                rules += [f"{name}[1] = '{letter}'", f"{name}[1] != '{letter}'", f"{name}[2] <= {name}[1]"]
            if field.rank == 0 and field.path:
                rules += [f"{name}[1] {self.pick(COMPARISONS)} {name}[2]", f'{name}[2] != "{letter}"', f"len({name}[2]) <= 1"]
                rules += [f"{name}[1][1] = '{letter}'", f'count({name}[1], "{letter}") <= 1', f"len({name}[1]) = len({name}[2])"]
                rules += [f"forall i in 1..2: len({name}[i]) {self.pick(COMPARISONS)} i", f"exists i in 1..3: {name}[i] = {name}[i+1]"]
            if field.rank == 1:
                size = field.sizes[0]
                rules += [f"forall i in 1..{size}: count({name}[i], '{letter}') <= 1"]
                rules += [f"forall i in 1..{size}-1: {name}[i] {self.pick(COMPARISONS)} {name}[i+1]"]
                rules += [f"exists i in 1..{size}: {name}[i][1] = '{letter}'", f"forall i in 1..{size}: len({name}[i]) <= i"]
        return self.pick(rules) if rules else None

    def arrays(self):
        arrays = self.where(lambda field: field.kind == "number" and len(field.sizes) == 1 and field.sizes[0])
        if not arrays:
            return None
        field = self.pick(arrays)
        same = self.near(field, [other for other in arrays if other.sizes == field.sizes and other.path == field.path])
        if same:
            other = self.pick(same).name
            return self.pick(
                (
                    f"{field.name} {self.pick(COMPARISONS)} {other}", f"whole({field.name}) {self.pick(COMPARISONS)} whole({other})",
                    f"{field.name} + {other} <= 3", f"sum({field.name}*{other}) <= 3",
                )
            )  # fmt: skip
        singles = self.near(field, self.single_numbers())
        return f"{field.name} {self.pick(COMPARISONS)} {self.pick(singles).name}" if singles else f"{field.name} != 1"

    def element_of(self, index):
        """Returns an indexed number, with the size of its array."""
        lists = self.where(lambda field: field.kind == "number" and len(field.sizes) < 2)
        numbers = [field for field in lists if (field.sizes[0] if field.sizes else field.path)]
        if not numbers:
            return None
        field = self.pick(numbers)
        return f"{field.name}[{index}]", field.sizes[0] if field.sizes else self.pick(("2", "2", "3"))

    def quantified(self):
        matrices = self.where(lambda field: field.kind == "number" and len(field.sizes) == 2 and field.sizes[1])
        if matrices and self.chance(50):
            return self.of_matrix(self.pick(matrices))
        one = self.element_of("i")
        if one is None:
            return None
        (text, size), plain = one, one[0][:-3]
        sign = self.pick(COMPARISONS)
        other = self.element_of("i")[0]
        single = self.pick([field.name for field in self.single_numbers()] + ["1", "2"])
        word = self.pick(("forall", "forall", "exists"))
        return self.pick(
            (
                f"{word} i in 1..{size}: {text} {sign} {single}", f"{word} i in 1..{size}-1: {plain}[i] {sign} {plain}[i+1]",
                f"{word} i in 1..{size}: {plain}[i] {sign} {plain}[i+1]", f"{word} i in 1..{size}: {text} {sign} {other}",
                f"{word} i in 1..{size}: {text} {sign} i", f"{word} i in 2..{size}: {plain}[i] {sign} {plain}[1]",
                f"forall i in 1..{size}: if {text} = 1: {other} {sign} 1", f"forall i in 1..{size}: {text} = 1 or not {other} {sign} 1",
                f"forall i in 1..{size}: exists j in 1..{size}: {plain}[i] {sign} {plain}[j]",
                f"exists i in 1..{size}: forall j in 1..{size}: {plain}[i] {sign} {plain}[j] + 1",
                f"forall i in 1..{size}: forall j in i+1..{size}: {plain}[i] {sign} {plain}[j]",
                f"{plain}[{self.pick((1, 1, 2))}] {sign} {single}", f"not {plain}[{self.pick((1, 2))}] {sign} {single}",
                f"not (forall i in 1..{size}: {text} {sign} {other})", f"{plain}[{single}] {sign} 1",
                f"{word} i in 1..{size}: {plain}[{text}] {sign} 1", f"{word} i in 1..{size}: count({plain}, {text}) {sign} 1",
            )
        )  # fmt: skip

    def of_matrix(self, field):
        name, (rows, columns), sign = field.name, field.sizes, self.pick(COMPARISONS)
        return self.pick(
            (
                f"forall i in 1..{rows}: sum({name}[i]) {sign} {self.pick((1, 2, 3))}",
                f"forall i in 1..{rows}: max({name}[i]) {sign} 1 and min({name}[i]) <= 1",
                f"forall i in 1..{rows}-1: whole({name}[i]) {sign} whole({name}[i+1])",
                f"forall i in 1..{rows}: {name}[i][1] {sign} 1", f"exists i in 1..{rows}: {name}[i][i] {sign} 1",
                f"forall i in 1..{rows}: forall j in 1..{columns}: {name}[i][j] {sign} {name}[j][i]",
                f"forall i in 1..{rows}-1: {name}[i] {sign} {name}[i+1]", f"forall i in 1..{rows}: count({name}[i], 1) <= 1",
                f"forall i in 1..{rows}: distinct({name}[i])", f"forall j in 1..{columns}: distinct({name}[1..{rows}][j])",
                f"forall j in 1..{columns}: sum({name}[1..{rows}][j]) {sign} {self.pick((1, 2, 3))}",
                f"sum({name}) {sign} 2", f"distinct({name})", f"max({name}) {sign} 1",
            )
        )  # fmt: skip

    def atom(self):
        for _ in range(5):
            made = self.pick((self.comparison, self.fold, self.arithmetic, self.quantified, self.textual))()
            if made is not None and ";" not in made:
                return made if " in " not in made and "if " not in made else f"({made})"
        return "1 = 1"

    def combined(self):
        one, two = self.atom(), self.atom()
        if self.chance(10):
            return f"{one} and ({two} or {self.atom()})"
        return self.pick((f"{one} or {two}", f"{one} and {two}", f"{one} => {two}", f"not ({one} and {two})", f"not ({one} or {two})",
                          f"if {one}: {two}", f"not {one}" if " in " not in one else f"not {one}", f"{one} or not ({two})"))  # fmt: skip

    def conditional(self):
        rules = [self.atom() for _ in range(self.pick((1, 2)))]
        return f"if {self.atom()}:\n" + "\n".join(INDENT * 2 + rule for rule in rules)

    def graph(self):
        if not self.pairs or self.chance(25):
            return self.parents()
        (one, two), size = self.pick(self.pairs)
        if self.chance(30):
            self.rules.append(f"{self.pick((-1, 0))} <= {one.name}, {two.name} <= {self.pick((1, 2))}")
            words = self.pick(("", "", "convex", "strictly convex", "no straight angles", "clockwise", "convex, counterclockwise"))
            return f"polygon ({one.name}, {two.name})" + (f": {words}" if words else "")
        high = self.pick(("2", "3", "3"))
        near = [field for field in self.near(one, self.single_numbers()) if len(field.path) < len(one.path)]
        counts = [field.name for field in near if field.low >= 1 and not field.forms]
        if counts and self.chance(60):
            high = self.pick(counts)
        low = self.pick(("1", "1", "0"))
        if low == "0" and not high.isdigit():
            high += "-1"
        words = ", ".join(self.pick(GRAPHS))
        return f"edges ({one.name}, {two.name}) on {low}..{high}" + (f": {words}" if words else "")

    def parents(self):
        arrays = self.where(lambda field: field.kind == "number" and len(field.sizes) == 1 and field.sizes[0])
        if not arrays:
            return None
        field = self.pick(arrays)
        size = field.sizes[0]
        words = self.pick(("tree", "tree", "path", "star", "tree, bipartite"))
        return f"parents {field.name} of 2..{size}+1 on 1..{size}+1: {words}"

    # Whole formats.

    def format(self):
        lines = self.body((), (), True, 4)
        rules = list(self.rules)
        for _ in range(self.pick((0, 1, 1, 2, 2, 3, 4))):
            rule = self.whole_rule()
            if rule is not None:
                rules.append(rule)
        lets = [f"let {name} = {value}" for name, value in self.lets.items()]
        layout = [line for text in lines for line in text.split("\n")]
        return "\n".join(layout + ["where:"] + [INDENT + rule for rule in lets + rules]) + "\n"


def random_format(seed, number):
    return Maker(seed, number).format()
