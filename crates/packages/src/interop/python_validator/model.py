# The meaning of a format: its fields with their positions and kinds, and its rules.

import decimal
import math

from .syntax import *

# Reals are exact: no sum or product of them has more digits than this.
decimal.getcontext().prec = 2000
# Syntax of regular expressions that Rust and Python read differently, or that only one of them supports.
UNPORTABLE = re.compile(r"\(\?(?!:)|&&|--|~~|\|\||\[\[|\\[pPxuUzAZ]|[+*?}]\+")
ATOM = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\.| ")
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
GREATEST = 10**36


class Field:
    def __init__(self, name, path, conditions, sizes, bracketed):
        self.name = name
        self.path = path  # the enclosing blocks, outermost first
        self.conditions = conditions  # the enclosing alternatives and conditions: (node, set of numbers of forms) each
        self.sizes = sizes
        self.bracketed = bracketed
        self.kind = "number"
        self.details = None  # letters, words, pattern, or the range of decimals
        self.run = None  # of a pattern: the characters up to the end of the token, or of the line if there are spaces
        self.bounds = []  # (sign, constant)
        self.length_bounds = []

    @property
    def has_characters(self):
        return self.kind in ("over", "matches")

    @property
    def dimensions(self):
        """Returns the sizes of the array; for a text, without the number of its characters."""
        return self.sizes[:-1] if self.has_characters else self.sizes


class Model:
    """A format by which inputs can be read. `lets` replaces constants and fixes fields to values; `subtask` selects a
    subtask."""

    def __init__(self, text, lets=None, subtask=None):
        self.layout, rules, self.wording = parse(text)
        self.unchecked = []  # expressions that Python cannot check
        self.fields = {}
        self.cases = set()  # the blocks that are test cases
        self.optional = set()  # the blocks that may be absent
        self.collect_fields(self.layout, (), ())
        self.rules, self.lets = [], {}
        for rule in rules:
            self.add_rule(rule, lets or {}, subtask)
        for name, value in (lets or {}).items():
            if name in self.fields:
                self.rules.append(Chain(((Name(name),), (Number(value),)), ("=",)))
        # What reading checks by itself, with the place of the fault.
        self.bounds = [rule for rule in self.rules if self.note_bounds(rule)]
        for described in self.fields.values():
            # The least and the greatest value of a whole number, and length of a text or a list.
            described.low, described.high = limits(described.bounds)
            described.least, described.most = limits(described.length_bounds)

    # Fields.

    def collect_fields(self, nodes, path, conditions):
        for node in nodes:
            if isinstance(node, Line):
                self.collect_fields(node.parts, path, conditions)
            elif isinstance(node, Place):
                before = self.fields.get(node.name)
                where = self.both_forms(before, node, path, conditions) if before else conditions
                self.fields[node.name] = Field(node.name, path, where, node.sizes, node.bracketed)
            elif isinstance(node, Group):
                self.note_block(node, conditions)
                self.collect_fields(node.parts, path + (node.block,), conditions)
            elif isinstance(node, Repeat):
                self.note_block(node, conditions)
                if node.is_cases:
                    self.cases.add(node.block)
                self.collect_fields(node.body, path + (node.block,), conditions)
            elif isinstance(node, If):
                self.collect_fields(node.body, path, conditions + ((node, frozenset({0})),))
            elif isinstance(node, Either):
                for number, form in enumerate(node.forms):
                    self.collect_fields(form, path, conditions + ((node, frozenset({number})),))

    def note_block(self, node, conditions):
        if conditions:
            self.optional.add(node.block)

    def both_forms(self, before, place, path, conditions):
        """Returns the position of a field that also occurs in another form of the same `either`."""
        if conditions and before.conditions and (before.path, before.sizes, before.bracketed) == (path, place.sizes, place.bracketed):
            (one, known), (other, form) = before.conditions[-1], conditions[-1]
            if one is other and isinstance(one, Either) and before.conditions[:-1] == conditions[:-1] and not known & form:
                return conditions[:-1] + ((one, known | form),)
        raise FormatError(f"there is more than one field {place.name}")

    def field(self, name):
        if name not in self.fields:
            raise FormatError(f"there is no field {name}")
        return self.fields[name]

    # Rules.

    def add_rule(self, rule, lets, subtask):
        if isinstance(rule, Let):
            self.lets[rule.name] = lets[rule.name] if rule.name in lets else self.constant(rule.value)
            if self.lets[rule.name] is None:
                raise FormatError(f"{rule.name} is no constant")
        elif isinstance(rule, Kind):
            self.add_kind(rule)
        elif isinstance(rule, Subtask):
            if rule.name == subtask:
                for inner in rule.rules:
                    self.add_rule(inner, lets, subtask)
        elif isinstance(rule, Chain):
            self.take_parts(rule, split_chain(rule))
        elif isinstance(rule, Junction) and rule.operator == "and":
            for part in rule.operands:
                self.wording[id(part)] = self.wording.get(id(rule), "")
                self.add_rule(part, lets, subtask)
        elif isinstance(rule, Predicate) and rule.name == "distinct" and len(rule.arguments) > 1:
            pairs = itertools.combinations(rule.arguments, 2)
            self.take_parts(rule, [Chain(((one,), (other,)), ("!=",)) for one, other in pairs])
        else:
            self.rules.append(rule)

    def take_parts(self, rule, parts):
        self.rules += parts
        self.wording.update((id(part), self.wording.get(id(rule), "")) for part in parts)

    def add_kind(self, rule):
        described = self.field(rule.name)
        described.kind = rule.kind
        if rule.kind == "over":
            described.details = letters_of(*rule.details)
        elif rule.kind == "matches":
            described.details = pattern_of(*rule.details)
            if described.details is None:
                self.unchecked.append(rule)
                described.details = re.compile("[ -~]*")
            described.run = re.compile("[ -~]*" if can_match_space(*rule.details) else "[!-~]*")
        elif rule.kind == "real":
            described.details = tuple(self.constant(each) for each in rule.details)
        else:
            described.details = rule.details

    def note_bounds(self, rule):
        """Stores a comparison of one field with a constant, which also selects between alternatives. Returns whether
        it is one."""
        if not isinstance(rule, Chain):
            return False
        (left,), (right,) = rule.lists
        sign, is_bound = rule.signs[0], False
        for side, other, sign in ((left, right, sign), (right, left, FLIPPED.get(sign))):
            value = self.constant(other)
            if value is None or sign not in FLIPPED:
                continue
            if isinstance(side, Name) and not side.indices and side.name in self.fields:
                self.fields[side.name].bounds.append((sign, value))
                is_bound = self.fields[side.name].kind in ("number", "real")
            if isinstance(side, Call) and side.function == "len" and isinstance(side.arguments[0], Name):
                name = side.arguments[0]
                measured = self.fields.get(name.name)
                if measured and not name.indices and measured.sizes[-1:] in ((), (None,)) and measured.kind != "one of":
                    measured.length_bounds.append((sign, value))
                    is_bound = measured.has_characters or measured.sizes != ()
        return is_bound

    def constant(self, expression):
        """Returns the value of an expression without fields, or None."""
        if isinstance(expression, Number):
            return expression.value
        if isinstance(expression, Name) and not expression.indices:
            return self.lets.get(expression.name)
        if isinstance(expression, Negative):
            value = self.constant(expression.operand)
            return None if value is None else -value
        if isinstance(expression, Binary):
            left, right = self.constant(expression.left), self.constant(expression.right)
            return None if left is None or right is None else calculate(expression.operator, left, right)
        if isinstance(expression, Call) and expression.function in ("min", "max", "abs"):
            values = [self.constant(each) for each in expression.arguments]
            if None in values:
                return None
            return abs(values[0]) if expression.function == "abs" else {"min": min, "max": max}[expression.function](values)
        return None


def letters_of(quoted):
    """Returns the characters after `over`: `-` between two is a range, a backslash makes the next character literal."""
    characters, at = [], 0
    while at < len(quoted):
        character, at, plain = next_character(quoted, at)
        if character == "-" and plain and characters and at < len(quoted):
            last, at, _ = next_character(quoted, at)
            first = characters.pop()
            if ord(last) < ord(first):
                raise FormatError("a descending range of letters")
            characters += [chr(code) for code in range(ord(first), ord(last) + 1)]
        else:
            characters.append(character)
    return frozenset(characters)


def next_character(quoted, at):
    if quoted[at] == "\\" and at + 1 < len(quoted):
        return quoted[at + 1], at + 2, False
    return quoted[at], at + 1, True


def pattern_of(quoted):
    """Returns a regular expression of Rust's `regex` crate for ASCII, or None if Python reads it differently."""
    if UNPORTABLE.search(quoted) or not quoted.isascii():
        return None
    return re.compile(quoted, re.ASCII)


def can_match_space(quoted):
    """Returns True if one of the characters and classes of a regular expression includes the space."""
    if UNPORTABLE.search(quoted):
        return " " in quoted or "\\s" in quoted
    return any(re.fullmatch(atom, " ") for atom in ATOM.findall(quoted))


def limits(bounds):
    """Returns the least and the greatest integer that bounds allow."""
    low, high = -math.inf, math.inf
    for sign, value in bounds:
        if sign in (">", ">=", "="):
            low = max(low, math.floor(value) + 1 if sign == ">" else math.ceil(value))
        if sign in ("<", "<=", "="):
            high = min(high, math.ceil(value) - 1 if sign == "<" else math.floor(value))
    return low, high


def split_chain(chain):
    """Splits a chain into comparisons of each item of a list with each of the next; each has its own home."""
    pairs = []
    for left, sign, right in zip(chain.lists, chain.signs, chain.lists[1:]):
        pairs += [Chain(((a,), (b,)), (sign,)) for a in left for b in right]
    return pairs


def calculate(operator, left, right):
    """Applies an operator to two numbers. Returns None if it has no result."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        raise FormatError("reals can only be added, subtracted and multiplied")
    if operator == "^":
        return left**right if 0 <= right <= 1000 else None
    if right == 0:
        return None
    return left // right if operator == "/" else left % right
