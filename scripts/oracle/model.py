"""The semantics of a format: its fields with their positions and kinds, and its rules."""

import itertools
from dataclasses import dataclass, field
from fractions import Fraction

from . import syntax
from .patterns import letters_of, pattern_of
from .syntax import FormatError

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
GREATEST = 10**36


@dataclass
class Field:
    name: str
    path: tuple  # the enclosing blocks, outermost first
    conditions: tuple  # the enclosing alternatives and conditions: (node, set of numbers of forms) each
    sizes: tuple
    bracketed: bool
    kind: str = "number"
    details: object = None  # letters, words, pattern, or the range of decimals
    bounds: list = field(default_factory=list)  # (sign, constant)
    length_bounds: list = field(default_factory=list)

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
        self.layout, rules = syntax.parse(text)
        self.fields = {}
        self.cases = set()  # the blocks that are test cases
        self.collect_fields(self.layout, (), ())
        self.rules, self.lets = [], {}
        for rule in rules:
            self.add_rule(rule, lets or {}, subtask)
        for name, value in (lets or {}).items():
            if name in self.fields:
                self.rules.append(syntax.Chain(((syntax.Name(name),), (syntax.Number(value),)), ("=",)))
        for rule in self.rules:
            self.note_bounds(rule)

    # Fields.

    def collect_fields(self, nodes, path, conditions):
        for node in nodes:
            if isinstance(node, syntax.Line):
                self.collect_fields(node.parts, path, conditions)
            elif isinstance(node, syntax.Place):
                before = self.fields.get(node.name)
                where = self.both_forms(before, node, path, conditions) if before else conditions
                self.fields[node.name] = Field(node.name, path, where, node.sizes, node.bracketed)
            elif isinstance(node, syntax.Group):
                self.collect_fields(node.parts, path + (node.block,), conditions)
            elif isinstance(node, syntax.Repeat):
                if node.is_cases:
                    self.cases.add(node.block)
                self.collect_fields(node.body, path + (node.block,), conditions)
            elif isinstance(node, syntax.If):
                self.collect_fields(node.body, path, conditions + ((node, frozenset({0})),))
            elif isinstance(node, syntax.Either):
                for number, form in enumerate(node.forms):
                    self.collect_fields(form, path, conditions + ((node, frozenset({number})),))

    def both_forms(self, before, place, path, conditions):
        """Returns the position of a field that also occurs in another form of the same `either`."""
        if conditions and before.conditions and (before.path, before.sizes, before.bracketed) == (path, place.sizes, place.bracketed):
            (one, known), (other, form) = before.conditions[-1], conditions[-1]
            if one is other and isinstance(one, syntax.Either) and before.conditions[:-1] == conditions[:-1] and not known & form:
                return conditions[:-1] + ((one, known | form),)
        raise FormatError(f"there is more than one field {place.name}")

    def field(self, name):
        if name not in self.fields:
            raise FormatError(f"there is no field {name}")
        return self.fields[name]

    # Rules.

    def add_rule(self, rule, lets, subtask):
        if isinstance(rule, syntax.Let):
            self.lets[rule.name] = lets[rule.name] if rule.name in lets else self.constant(rule.value)
            if self.lets[rule.name] is None:
                raise FormatError(f"{rule.name} is no constant")
        elif isinstance(rule, syntax.Kind):
            self.add_kind(rule)
        elif isinstance(rule, syntax.Subtask):
            if rule.name == subtask:
                for inner in rule.rules:
                    self.add_rule(inner, lets, subtask)
        elif isinstance(rule, syntax.Chain):
            self.rules += split_chain(rule)
        elif isinstance(rule, syntax.Junction) and rule.operator == "and":
            for part in rule.operands:
                self.add_rule(part, lets, subtask)
        elif isinstance(rule, syntax.Predicate) and rule.name == "distinct" and len(rule.arguments) > 1:
            pairs = itertools.combinations(rule.arguments, 2)
            self.rules += [syntax.Chain(((one,), (other,)), ("!=",)) for one, other in pairs]
        else:
            self.rules.append(rule)

    def add_kind(self, rule):
        described = self.field(rule.name)
        described.kind = rule.kind
        if rule.kind == "over":
            described.details = letters_of(*rule.details)
        elif rule.kind == "matches":
            described.details = pattern_of(*rule.details)
        elif rule.kind == "real":
            described.details = tuple(self.constant(each) for each in rule.details)
        else:
            described.details = rule.details

    def note_bounds(self, rule):
        """Stores a comparison of one field with a constant: such bounds select between alternatives."""
        if not isinstance(rule, syntax.Chain):
            return
        (left,), (right,) = rule.lists
        sign = rule.signs[0]
        for side, other, sign in ((left, right, sign), (right, left, FLIPPED.get(sign))):
            value = self.constant(other)
            if value is None or sign not in FLIPPED:
                continue
            if isinstance(side, syntax.Name) and not side.indices and side.name in self.fields:
                self.fields[side.name].bounds.append((sign, value))
            if isinstance(side, syntax.Call) and side.function == "len" and isinstance(side.arguments[0], syntax.Name):
                name = side.arguments[0]
                measured = self.fields.get(name.name)
                if measured and not name.indices and measured.sizes[-1:] in ((), (None,)) and measured.kind != "one of":
                    measured.length_bounds.append((sign, value))

    def constant(self, expression):
        """Returns the value of an expression without fields, or None."""
        if isinstance(expression, syntax.Number):
            return expression.value
        if isinstance(expression, syntax.Name) and not expression.indices:
            return self.lets.get(expression.name)
        if isinstance(expression, syntax.Negative):
            value = self.constant(expression.operand)
            return None if value is None else -value
        if isinstance(expression, syntax.Binary):
            left, right = self.constant(expression.left), self.constant(expression.right)
            return None if left is None or right is None else calculate(expression.operator, left, right)
        if isinstance(expression, syntax.Call) and expression.function in ("min", "max", "abs"):
            values = [self.constant(each) for each in expression.arguments]
            if None in values:
                return None
            return abs(values[0]) if expression.function == "abs" else {"min": min, "max": max}[expression.function](values)
        return None


def split_chain(chain):
    """Splits a chain into comparisons of each item of a list with each of the next; each has its own home."""
    pairs = []
    for left, sign, right in zip(chain.lists, chain.signs, chain.lists[1:]):
        pairs += [syntax.Chain(((a,), (b,)), (sign,)) for a in left for b in right]
    return pairs


def calculate(operator, left, right):
    """Applies an operator to two numbers. Returns None if it has no result."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if isinstance(left, Fraction) or isinstance(right, Fraction):
        raise FormatError("reals can only be added, subtracted and multiplied")
    if operator == "^":
        return left**right if 0 <= right <= 1000 else None
    if right == 0:
        return None
    return left // right if operator == "/" else left % right
