# The syntax of formats: parses their text according to the grammar of docs/format.md into the nodes below.

import copy
import functools
import itertools
import re
from decimal import Decimal


class FormatError(Exception):
    """The text is not a format, or not supported by the checker."""


class Node:
    """A node of a tree; its annotations are its parts. Data classes would take longer to define than small inputs to
    judge."""

    def __init__(self, *parts):
        vars(self).update(zip(self.__annotations__, parts))

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self):
        return f"{type(self).__name__}{tuple(vars(self).values())}"


# Expressions.


class Number(Node):
    value: object  # int, or Decimal if it is not whole


class Text(Node):
    value: str


class Letter(Node):
    value: str


class Name(Node):
    name: str
    indices: tuple = ()


class Slice(Node):
    """The values of `element` for all numbers of a range, as those of the variable in its last index."""

    element: Name
    variable: str
    low: object
    high: object


class Call(Node):
    function: str
    arguments: tuple


class Tuple(Node):
    items: tuple


class Binary(Node):
    operator: str
    left: object
    right: object


class Negative(Node):
    operand: object


# Formulas and rules.


class Chain(Node):
    lists: tuple  # of tuples of expressions
    signs: tuple


class Not(Node):
    operand: object


class Junction(Node):
    operator: str  # "and", "or"
    operands: tuple


class Implies(Node):
    condition: object
    conclusion: object


class Quantified(Node):
    kind: str  # "forall", "exists"
    name: str
    low: object
    high: object
    body: object


class Predicate(Node):
    name: str
    arguments: tuple


class Permutation(Node):
    name: str
    low: object
    high: object


class Polygon(Node):
    first: str
    second: str
    words: tuple


class Edges(Node):
    first: str
    second: str
    low: object
    high: object
    slice: object  # the first and the last line that is an edge, or None
    condition: object  # what makes a line an edge, or None
    words: tuple


class Parents(Node):
    name: str
    of: tuple  # low, high
    on: tuple
    words: tuple


class Let(Node):
    name: str
    value: object


class Kind(Node):
    """The kind of a field: `over`, `one of`, `matches` or `real`, with its arguments."""

    name: str
    kind: str
    details: tuple


class Subtask(Node):
    name: str
    rules: tuple


# The layout.


class Fixed(Node):
    text: str
    glued: bool


class Place(Node):
    """The position of a field; a size of None extends as far as possible."""

    name: str
    sizes: tuple
    bracketed: bool
    glued: bool


class Group(Node):
    parts: tuple
    count: object
    glued: bool
    block: int

    def parts_of(self, number):
        """Returns the parts of a repetition, counted from 0: only the first one can be joined to what is before."""
        first = copy.copy(self.parts[0])
        first.glued = self.glued and number == 0
        return first, *self.parts[1:]


class Line(Node):
    parts: tuple


class Repeat(Node):
    count: object  # None if the end is marked
    low: object
    high: object
    end: object  # a line of the input, or "" for its end; None if the count is known
    between: object  # the line between two repetitions, or None
    body: tuple
    block: int
    is_cases: bool


class If(Node):
    condition: object
    body: tuple


class Either(Node):
    forms: tuple  # of bodies


TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
    |(?P<comment>\#.*)
    |(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<text>"(?:[^"\\]|\\.)*")
    |(?P<letter>'(?:[^'\\]|\\.)')
    |(?P<sign>=>|<=|>=|!=|\.\.|[-<>=≤≥≠+*/%^()\[\]{},:;])""",
    re.VERBOSE,
)
PLAIN_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!="}
COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")
ORDERS = ("sorted", "increasing", "nondecreasing", "decreasing", "nonincreasing")
TEXT_PROPERTIES = ("balanced", "connected")
PREDICATES = ("distinct", "disjoint", *ORDERS, "symmetric", *TEXT_PROPERTIES)
RELATIONS = ("distinct", "inversions", "cycles")
FUNCTIONS = ("sum", "min", "max", "gcd", "xor", "count", "len", "abs", "prime", "whole", *RELATIONS)
KINDS = ("over", "one", "matches", "real", "permutation")
QUANTIFIERS = ("forall", "exists")
QUOTED = ("text", "letter")


def condition_of(terms):
    """Returns the formula of terms that are one without a comparison, `prime(x)` or `distinct(V[i])`, else None."""
    if len(terms) != 1 or not isinstance(terms[0], Call):
        return None
    call = terms[0]
    if call.function == "prime":
        return Chain((terms, (Number(1),)), ("=",))
    if call.function == "distinct" and len(call.arguments) == 1:
        return Chain((terms, (Call("size", call.arguments),)), ("=",))
    if call.function == "distinct":
        pairs = itertools.combinations(call.arguments, 2)
        return Junction("and", tuple(Chain(((one,), (other,)), ("!=",)) for one, other in pairs))
    return None


class Token(Node):
    kind: str  # number, name, text, letter, sign, newline, indent, dedent, end
    text: str
    glued: bool = False
    start: int = 0  # its place in the text of the format
    end: int = 0


def tokenize(text):
    """Returns the tokens of a format, with tokens for the ends of lines and for changes of their indentation."""
    tokens, indents, braces, start = [], [0], 0, 0
    for line in text.split("\n"):
        found = tokenize_line(line.rstrip("\r"), start)
        start += len(line) + 1
        if not found:
            continue
        inside = braces > 0
        braces += sum((token.text == "{") - (token.text == "}") for token in found if token.kind == "sign")
        if inside:  # the line continues up to the closing brace
            tokens[-1:] = [Token("sign", ";"), *found, Token("newline", "")]
            continue
        margin = line[: len(line) - len(line.lstrip(" \t"))]
        indent = len(margin.replace("\t", " " * 8))
        if indent > indents[-1]:
            indents.append(indent)
            tokens.append(Token("indent", ""))
        while indent < indents[-1]:
            indents.pop()
            tokens.append(Token("dedent", ""))
        if indent != indents[-1]:
            raise FormatError("a line with unknown indentation")
        tokens += found
        tokens.append(Token("newline", ""))
    tokens += [Token("dedent", "") for _ in indents[1:]]
    tokens.append(Token("end", ""))
    return tokens


def tokenize_line(line, start):
    found, at, glued = [], 0, False
    while at < len(line):
        match = TOKEN.match(line, at)
        if match is None:
            raise FormatError(f"unexpected {line[at]!r}")
        at = match.end()
        if match.lastgroup in ("space", "comment"):
            glued = False
            continue
        token = PLAIN_SIGNS.get(match.group(), match.group())
        found.append(Token(match.lastgroup, token, glued, start + match.start(), start + at))
        glued = True
    return found


def plain_text(quoted):
    """Returns the characters of a quoted text; a backslash makes the next character literal."""
    return re.sub(r"\\(.)", r"\1", quoted[1:-1])


class Parser:
    """Parses a format by recursive descent: a method for each construct of the grammar."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokenize(text)
        self.wording = {}  # the texts of rules, by their identities
        self.at = 0
        self.blocks = 0
        self.slices = 0

    # Tokens.

    @property
    def here(self):
        return self.tokens[self.at]

    def next(self):
        token = self.here
        self.at += 1
        return token

    def stands(self, *texts):
        return self.here.kind in ("sign", "name") and self.here.text in texts

    def accept(self, *texts):
        if self.stands(*texts):
            return self.next().text
        return None

    def expect(self, text):
        if not self.accept(text):
            raise FormatError(f"expected {text!r}, not {self.here.text or self.here.kind!r}")

    def accept_kind(self, *kinds):
        return self.next() if self.here.kind in kinds else None

    def expect_kind(self, *kinds):
        token = self.accept_kind(*kinds)
        if token is None:
            raise FormatError(f"expected a {kinds[0]}, not {self.here.text or self.here.kind!r}")
        return token

    def attempt(self, parse):
        """Parses, or returns None without advancing."""
        before = self.at
        try:
            return parse()
        except FormatError:
            self.at = before
            return None

    # Formats, and bodies.

    def parse_format(self):
        layout, rules = [], []
        while self.here.kind != "end":
            if self.accept_kind("newline") or self.accept(";"):
                continue
            if self.accept("where"):
                self.accept(":")
                rules += self.parse_statements(self.parse_worded_rule, "rest")
            else:
                layout += self.parse_layout()
        return tuple(layout), tuple(rules)

    def parse_statements(self, parse, takes="one"):
        """Parses statements that are indented on the lines below, or in braces, or on this line as far as they belong
        to the body."""
        found = []
        if self.accept_kind("newline"):
            self.expect_kind("indent")
            while not self.accept_kind("dedent"):
                if not (self.accept_kind("newline") or self.accept(";")):
                    found += parse()
            return found
        if self.accept("{"):
            while not self.accept("}"):
                if not self.accept(";"):
                    found += parse()
            return found
        while not self.ends_body(takes, found):
            if not self.accept(";"):
                found += parse()
        return found

    def ends_body(self, takes, found):
        """Returns whether a body without braces ends here: after one line, or two forms, or at the end of the line."""
        if self.here.kind in ("newline", "end", "dedent") or self.stands("where", "}"):
            return True
        if takes == "subtask":
            return self.stands("subtask")
        return len(found) >= {"one": 1, "forms": 2, "rest": len(self.tokens)}[takes]

    def parse_body(self, takes="one"):
        self.expect(":")
        return tuple(self.parse_statements(self.parse_layout, takes))

    def new_block(self):
        self.blocks += 1
        return self.blocks

    # The layout.

    def parse_layout(self):
        if self.accept("cases"):
            return [self.parse_counted("rest")]
        if self.accept("repeat"):
            return [self.parse_counted("one")]
        if self.accept("if"):
            condition = self.parse_chain()
            return [If(condition, self.parse_body())]
        if self.accept("either"):
            self.expect(":")
            return [Either(tuple(self.parse_statements(self.parse_form, "forms")))]
        return [Line(tuple(self.parse_parts()))]

    def parse_form(self):
        first = self.parse_layout()
        body = self.parse_body() if self.stands(":") else ()
        return [tuple(first) + tuple(body)]

    def parse_counted(self, takes):
        block = self.new_block()
        count = self.parse_expression()
        if not self.accept(".."):
            between = self.parse_between()
            return Repeat(count, None, None, None, between, self.parse_body(takes), block, takes == "rest")
        high = self.parse_expression()
        self.expect("until")
        end = self.parse_end()
        between = self.parse_between()
        if between == end:
            raise FormatError("the line between two repetitions also ends them")
        return Repeat(None, count, high, end, between, self.parse_body(takes), block, takes == "rest")

    def parse_end(self):
        if self.accept("eof"):
            return ""
        return self.parse_fixed("until")

    def parse_between(self):
        if not self.accept("separated"):
            return None
        self.expect("by")
        return self.parse_fixed("separated by")

    def parse_fixed(self, after):
        words = []
        while not self.stands(":", "separated"):
            sign = "-" if self.accept("-") else ""
            token = self.next()
            if token.kind not in ("number", *QUOTED):
                raise FormatError(f"`{after}` needs numbers or texts")
            words.append(plain_text(token.text) if token.kind in QUOTED else sign + token.text)
        return " ".join(words) + "\n"

    def parse_parts(self):
        parts = [self.parse_part()]
        while self.here.kind in ("name", "number", *QUOTED) or self.stands("(", "-"):
            if self.stands("where"):
                break
            parts.append(self.parse_part())
        return parts

    def parse_part(self):
        glued = self.here.glued
        if self.accept("("):
            return self.parse_brackets(glued)
        if self.here.kind in QUOTED:
            return Fixed(plain_text(self.next().text), glued)
        if self.accept("-"):
            return Fixed("-" + self.expect_kind("number").text, glued)
        if self.here.kind == "number":
            return Fixed(self.next().text, glued)
        return Place(self.expect_kind("name").text, self.parse_sizes(), False, glued)

    def parse_brackets(self, glued):
        block = self.new_block()
        parts = self.parse_parts()
        self.expect(")")
        if self.accept("["):
            count = self.parse_expression()
            self.expect("]")
            return Group(tuple(parts), count, glued, block)
        if len(parts) != 1 or not isinstance(parts[0], Place):
            raise FormatError("brackets without a count contain one field")
        return Place(parts[0].name, parts[0].sizes, True, glued)

    def parse_sizes(self):
        sizes = []
        while self.accept("["):
            sizes.append(None if self.stands("]") else self.parse_expression())
            self.expect("]")
        return tuple(sizes)

    # Rules. Each method returns a list of them.

    def parse_worded_rule(self):
        first = self.here
        rules = self.parse_rule()
        last = next(token for token in reversed(self.tokens[: self.at]) if token.end)
        self.wording.update((id(rule), self.text[first.start : last.end]) for rule in rules)
        return rules

    def parse_rule(self):
        if self.begins("let"):
            name = self.expect_kind("name").text
            self.expect("=")
            return [Let(name, self.parse_expression())]
        if self.accept("subtask"):
            return [self.parse_subtask()]
        if self.stands("validator", "generator") and self.tokens[self.at + 1].kind == "text":
            self.at += 2
            return []
        if self.begins("edges", "("):
            return [self.parse_edges()]
        if self.begins("parents"):
            return [self.parse_parents()]
        if self.begins("polygon", "("):
            self.expect("(")
            first = self.expect_kind("name").text
            self.expect(",")
            second = self.expect_kind("name").text
            self.expect(")")
            return [Polygon(first, second, self.parse_words())]
        if (kinds := self.attempt(self.parse_kind)) is not None:
            return kinds
        if (predicate := self.attempt(self.parse_predicate)) is not None:
            return [predicate]
        if self.stands("if", *QUANTIFIERS):
            return self.parse_conditional_rules()
        return [self.parse_formula()]

    def parse_predicate(self):
        if not self.stands(*PREDICATES) or self.tokens[self.at + 1].text != "(":
            raise FormatError("not a predicate")
        predicate = Predicate(self.next().text, tuple(self.parse_arguments()))
        if self.stands(*COMPARISONS, "and", "or", "=>"):
            raise FormatError("a formula")
        return predicate

    def begins(self, word, after=None):
        """Accepts a word that is followed by a name, or by `after`; otherwise it is a name itself."""
        follower = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        is_word = follower.text == after if after else follower.kind == "name"
        return self.accept(word) if is_word else None

    def parse_conditional_rules(self):
        if self.accept("if"):
            condition = self.parse_formula()
            self.expect(":")
            return [Implies(condition, self.parse_joined_rules())]
        kind, name, low, high = self.parse_quantifier()
        return [Quantified(kind, name, low, high, self.parse_joined_rules())]

    def parse_joined_rules(self):
        """Parses the rules below a condition as one formula."""
        rules = self.parse_statements(self.parse_inner_rule)
        return rules[0] if len(rules) == 1 else Junction("and", tuple(rules))

    def parse_inner_rule(self):
        return self.parse_conditional_rules() if self.stands("if", *QUANTIFIERS) else [self.parse_formula()]

    def parse_quantifier(self):
        kind = self.next().text
        name = self.expect_kind("name").text
        self.expect("in")
        low, high = self.parse_range()
        self.expect(":")
        return kind, name, low, high

    def parse_range(self):
        low = self.parse_expression()
        self.expect("..")
        return low, self.parse_expression()

    def parse_subtask(self):
        name = self.next().text
        if self.accept("("):
            self.parse_expression()
            self.expect(")")
        rules = self.parse_statements(self.parse_worded_rule, "subtask") if self.accept(":") else []
        return Subtask(name, tuple(rules))

    def parse_edges(self):
        self.expect("(")
        first, lines = self.parse_end_of_edge()
        self.expect(",")
        second, others = self.parse_end_of_edge()
        self.expect(")")
        if lines != others:
            raise FormatError("both ends of an edge are on the same line")
        self.expect("on")
        low, high = self.parse_range()
        condition = self.parse_chain() if self.accept("if") else None
        if lines and condition:
            raise FormatError("a range of edges has no condition")
        return Edges(first, second, low, high, lines, condition, self.parse_words())

    def parse_end_of_edge(self):
        name = self.expect_kind("name").text
        if not self.accept("["):
            return name, None
        lines = self.parse_range()
        self.expect("]")
        return name, lines

    def parse_parents(self):
        name = self.expect_kind("name").text
        self.expect("of")
        of = self.parse_range()
        self.expect("on")
        return Parents(name, of, self.parse_range(), self.parse_words())

    def parse_words(self):
        words = []
        if self.accept(":"):
            words += self.parse_word()
            while self.accept(","):
                words += self.parse_word()
        return tuple(words)

    def parse_word(self):
        """Returns a property of a graph or a polygon; for `degree <= 3` with its number. `depth 2..3` is two properties."""
        word = self.expect_kind("name").text
        for first, *rest in (("strictly", "convex"), ("no", "straight", "angles")):
            if word == first:
                for each in rest:
                    self.expect(each)
                return [" ".join((first, *rest))]
        if word == "strongly":
            self.expect("connected")
            return ["strongly connected"]
        if self.accept("<=") or word == "regular" and self.here.kind in ("name", "number"):
            return [(word, self.parse_expression())]
        if word == "depth":
            low, high = self.parse_range()
            return [("least depth", low), (word, high)]
        return [word]

    def parse_kind(self):
        names = [self.expect_kind("name").text]
        while self.accept(","):
            names.append(self.expect_kind("name").text)
        if not self.stands(*KINDS):
            raise FormatError("not a kind of field")
        word = self.next().text
        if word == "permutation":
            self.expect("of")
            low, high = self.parse_range()
            return [Permutation(name, low, high) for name in names]
        if word == "real":
            return self.parse_real(names)
        if word == "one":
            self.expect("of")
            texts = [plain_text(self.expect_kind(*QUOTED).text)]
            while self.accept(","):
                texts.append(plain_text(self.expect_kind(*QUOTED).text))
            return [Kind(name, "one of", tuple(texts)) for name in names]
        quoted = self.expect_kind(*QUOTED).text
        details = (quoted[1:-1],)
        return [Kind(name, word, details) for name in names]

    def parse_real(self, names):
        self.expect(",")
        bounds = []
        decimals = self.attempt(self.parse_decimals)
        if decimals is None:
            bounds = [self.parse_chain(before_decimals=True)]
            self.expect(",")
            decimals = self.parse_decimals()
        return [Kind(name, "real", decimals) for name in names] + bounds

    def parse_decimals(self):
        low = self.parse_expression()
        high = self.parse_expression() if self.accept("..") else low
        if not self.accept("decimal"):
            self.expect("decimals")
        return low, high

    # Formulas.

    def parse_formula(self):
        condition = self.parse_junction("or")
        if self.accept("=>"):
            return Implies(condition, self.parse_formula())
        return condition

    def parse_junction(self, word):
        parse = (lambda: self.parse_junction("and")) if word == "or" else self.parse_simple
        operands = [parse()]
        while self.accept(word):
            operands.append(parse())
        return operands[0] if len(operands) == 1 else Junction(word, tuple(operands))

    def parse_simple(self):
        if self.accept("not"):
            return Not(self.parse_simple())
        if self.accept("if"):
            condition = self.parse_formula()
            self.expect(":")
            return Implies(condition, self.parse_formula())
        if self.stands(*QUANTIFIERS):
            kind, name, low, high = self.parse_quantifier()
            return Quantified(kind, name, low, high, self.parse_formula())
        chain = self.attempt(self.parse_chain)
        if chain is not None:
            return chain
        self.expect("(")
        formula = self.parse_formula()
        self.expect(")")
        return formula

    def parse_chain(self, before_decimals=False):
        """Parses a chain; with `before_decimals`, numbers of decimals end it."""
        parse = functools.partial(self.parse_list, before_decimals)
        lists, signs = [parse()], []
        while self.stands(*COMPARISONS):
            signs.append(self.next().text)
            lists.append(parse())
        if not signs:
            condition = condition_of(lists[0])
            if condition is None:
                raise FormatError("expected a comparison")
            return condition
        return Chain(tuple(lists), tuple(signs))

    # Expressions.

    def parse_list(self, before_decimals=False):
        items = [self.parse_expression()]
        while self.stands(",") and not (before_decimals and self.decimals_follow()):
            self.expect(",")
            items.append(self.parse_expression())
        return tuple(items)

    def decimals_follow(self):
        """Returns True if numbers of decimals stand after this comma."""
        before = self.at
        self.at += 1
        found = self.attempt(self.parse_decimals)
        self.at = before
        return found is not None

    def parse_expression(self):
        left = self.parse_term()
        while self.stands("+", "-"):
            left = Binary(self.next().text, left, self.parse_term())
        return left

    def parse_term(self):
        left = self.parse_factor()
        while self.stands("*", "/", "%"):
            left = Binary(self.next().text, left, self.parse_factor())
        return left

    def parse_factor(self):
        if self.accept("-"):
            return Negative(self.parse_factor())
        atom = self.parse_atom()
        if self.accept("^"):
            return Binary("^", atom, self.parse_factor())
        return atom

    def parse_atom(self):
        token = self.next()
        if token.kind == "number":
            value = Decimal(token.text)
            return Number(int(value) if value == value.to_integral_value() else value)
        if token.kind == "text":
            return Text(plain_text(token.text))
        if token.kind == "letter":
            return Letter(plain_text(token.text))
        if token.kind == "name":
            if token.text in FUNCTIONS and self.stands("("):
                return Call(token.text, tuple(self.parse_arguments()))
            return self.parse_element(token.text)
        if token.text == "(":
            items = self.parse_list()
            self.expect(")")
            return items[0] if len(items) == 1 else Tuple(items)
        raise FormatError(f"unexpected {token.text or token.kind!r}")

    def parse_arguments(self):
        self.expect("(")
        arguments = self.parse_list()
        self.expect(")")
        return arguments

    def parse_element(self, name):
        """Parses the indices after a name. If one of them is a range, the result is a slice."""
        indices, ends = [], None
        while self.accept("["):
            index = self.parse_expression()
            if ends is None and self.accept(".."):
                ends = index, self.parse_expression()
                self.slices += 1
                index = Name(f"slice {self.slices}")
            indices.append(index)
            self.expect("]")
        element = Name(name, tuple(indices))
        return Slice(element, f"slice {self.slices}", *ends) if ends else element


def parse(text):
    """Returns the layout and the rules of a format, and the texts of the rules by their identities."""
    parser = Parser(text)
    return *parser.parse_format(), parser.wording
