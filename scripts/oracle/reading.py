"""Reads an input according to a format, byte by byte, into a tree of scopes, one for each repetition."""

import re
from fractions import Fraction

from . import syntax
from .model import GREATEST
from .syntax import FormatError

INTEGER = re.compile(r"-?[0-9]+")
REAL = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
SIGNS = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}


class Refusal(Exception):
    """The input is not valid. Contains the reason."""


class Scope:
    """The values of fields and the scopes of inner blocks in one repetition of a block, or in the whole input."""

    def __init__(self, path, parent=None):
        self.path = path
        self.parent = parent
        self.values = {}
        self.blocks = {}

    def ancestor(self, path):
        """Returns the enclosing scope that is a repetition of the block at a path."""
        scope = self
        while len(scope.path) > len(path):
            scope = scope.parent
        return scope

    def repeated(self, block):
        return self.blocks.setdefault(block, [])

    def instances(self, path):
        """Returns all repetitions within this scope of the block at a path below it."""
        found = [self]
        for block in path[len(self.path) :]:
            found = [inner for scope in found for inner in scope.blocks.get(block, [])]
        return found

    def copy(self):
        """Returns a copy for reading with backtracking."""
        other = Scope(self.path, self.parent)
        other.values = dict(self.values)
        other.blocks = {block: list(scopes) for block, scopes in self.blocks.items()}
        return other


class Reader:
    def __init__(self, model, evaluator, text):
        self.model = model
        self.evaluator = evaluator
        self.text = text
        self.at = 0
        self.fresh = True  # whether the line is empty so far

    def read(self):
        root = Scope(())
        self.read_nodes(self.model.layout, root)
        if self.at != len(self.text):
            raise Refusal("there is more input after the end")
        return root

    # Blocks.

    def read_nodes(self, nodes, scope):
        for node in nodes:
            if isinstance(node, syntax.Line):
                self.read_line(node.parts, scope)
            elif isinstance(node, syntax.Repeat):
                self.read_repeat(node, scope)
            elif isinstance(node, syntax.If):
                if self.evaluator.holds(node.condition, scope):
                    self.read_nodes(node.body, scope)
            else:
                self.read_either(node, scope)

    def read_repeat(self, node, scope):
        repeated = scope.repeated(node.block)
        if node.count is not None:
            for _ in range(self.size(node.count, scope)):
                self.read_repetition(node, scope, repeated)
            return
        low, high = self.size(node.low, scope), self.size(node.high, scope)
        while not self.ended(node.end):
            if len(repeated) == high:
                raise Refusal("too many repetitions")
            self.read_repetition(node, scope, repeated)
        if len(repeated) < low:
            raise Refusal("too few repetitions")
        self.at += len(node.end)

    def read_repetition(self, node, scope, repeated):
        if repeated and node.between is not None:
            self.read_between(node)
        inner = Scope(scope.path + (node.block,), scope)
        repeated.append(inner)
        self.read_nodes(node.body, inner)

    def read_between(self, node):
        if not self.text.startswith(node.between, self.at):
            raise Refusal("the line between two repetitions is missing")
        self.at += len(node.between)
        if node.end is not None and self.ended(node.end):
            raise Refusal("there is no repetition after the line between two")

    def ended(self, end):
        if end == "":
            return self.at == len(self.text)
        return self.text.startswith(end, self.at)

    def read_either(self, node, scope):
        """Reads the first form with lines that can be read, regardless of what follows."""
        before, reason = self.at, None
        for form in node.forms:
            trial = scope.copy()
            try:
                self.read_nodes(form, trial)
            except Refusal as refusal:
                self.at, self.fresh = before, True
                reason = reason or refusal
                continue
            self.at, self.fresh = before, True
            self.read_nodes(form, scope)
            return
        raise Refusal(f"none of the alternatives: {reason}")

    # Lines.

    def read_line(self, parts, scope):
        if len(parts) == 1 and isinstance(parts[0], syntax.Place) and not parts[0].bracketed:
            field = self.model.field(parts[0].name)
            if len(field.dimensions) > 1 or (field.has_characters and field.dimensions):
                scope.values[field.name] = self.read_rows(field, field.sizes, scope)
                return
        self.fresh = True
        self.read_parts(parts, scope)
        self.end_line()

    def read_rows(self, field, sizes, scope):
        """Reads lines: each has the last dimension of numbers, or the characters of a text."""
        if len(sizes) == 1:
            self.fresh = True
            row = self.read_array(field, sizes, scope, False)
            self.end_line()
            return row
        return [self.read_rows(field, sizes[1:], scope) for _ in range(self.size(sizes[0], scope))]

    def end_line(self):
        if not self.text.startswith("\n", self.at):
            raise Refusal(f"expected the end of the line at {self.at}")
        self.at += 1
        self.fresh = True

    def read_parts(self, parts, scope):
        for part in parts:
            if isinstance(part, syntax.Fixed):
                self.read_fixed(part)
            elif isinstance(part, syntax.Group):
                self.read_group(part, scope)
            else:
                field = self.model.field(part.name)
                scope.values[part.name] = self.read_array(field, field.sizes, scope, part.glued)

    def read_fixed(self, part):
        self.begin_token(part.glued)
        if not self.text.startswith(part.text, self.at):
            raise Refusal(f"expected {part.text!r} at {self.at}")
        self.at += len(part.text)

    def read_group(self, group, scope):
        repeated = scope.repeated(group.block)
        for number in range(self.size(group.count, scope)):
            inner = Scope(scope.path + (group.block,), scope)
            repeated.append(inner)
            first = group.parts[0]
            glued = group.glued if number == 0 else False
            self.read_parts((type(first)(**{**first.__dict__, "glued": glued}),) + group.parts[1:], inner)

    def read_array(self, field, sizes, scope, glued):
        """Reads tokens of one line: one for a single field, or all elements of an array."""
        if not sizes or (field.has_characters and len(sizes) == 1):
            self.begin_token(glued)
            return self.read_token(field, sizes, scope)
        found = []
        if sizes[0] is None:
            while not self.text.startswith("\n", self.at) and self.at < len(self.text):
                found.append(self.read_array(field, sizes[1:], scope, glued and not found))
            self.check(field.length_bounds, len(found), "length")
            return found
        for _ in range(self.size(sizes[0], scope)):
            found.append(self.read_array(field, sizes[1:], scope, glued and not found))
        return found

    def size(self, expression, scope):
        size = self.evaluator.number(expression, scope)
        if size is None or size < 0:
            raise Refusal("a size that is not a number, or negative")
        return size

    # Tokens.

    def begin_token(self, glued):
        """Reads the space before a token, unless it is the first on its line or joined to the previous one."""
        if not self.fresh and not glued:
            if not self.text.startswith(" ", self.at):
                raise Refusal(f"expected a space at {self.at}")
            self.at += 1
        self.fresh = False

    def read_token(self, field, sizes, scope):
        if field.kind == "number":
            value = self.read_integer()
        elif field.kind == "real":
            value = self.read_real(*field.details)
        elif field.kind == "over":
            return self.read_text(field, sizes, scope)
        elif field.kind == "one of":
            return self.read_word(field.details)
        else:
            return self.read_matching(field, sizes, scope)
        self.check(field.bounds, value, "value")
        return value

    def check(self, bounds, value, what):
        for sign, bound in bounds:
            if not SIGNS[sign](value, bound):
                raise Refusal(f"a {what} of {value}, which is not {sign} {bound}")

    def match(self, pattern):
        match = pattern.match(self.text, self.at)
        if match is None:
            raise Refusal(f"expected a number at {self.at}")
        self.at = match.end()
        digits = match.group().lstrip("-").partition(".")[0]
        if len(digits) > 1 and digits[0] == "0":
            raise Refusal("a leading zero")
        return match.group()

    def read_integer(self):
        token = self.match(INTEGER)
        if token == "-0":
            raise Refusal("zero is written without a sign")
        value = int(token)
        if abs(value) >= GREATEST:
            raise Refusal("a number that is too large")
        return value

    def read_real(self, low, high):
        token = self.match(REAL)
        whole, point, digits = token.partition(".")
        if point and not digits:
            raise Refusal("no digits after the point")
        if not low <= len(digits) <= high:
            raise Refusal(f"{len(digits)} digits after the point")
        value = Fraction(token)
        if value == 0 and token[0] == "-":
            raise Refusal("zero is written without a sign")
        return value

    def read_text(self, field, sizes, scope):
        """Reads as many letters as the size requires, or as many as possible."""
        start = self.at
        if sizes and sizes[0] is not None:
            size = self.size(sizes[0], scope)
            self.at = min(start + size, len(self.text))
            token = self.text[start : self.at]
            if len(token) < size or not set(token) <= field.details:
                raise Refusal(f"expected {size} letters at {start}")
            return token
        while self.at < len(self.text) and self.text[self.at] in field.details:
            self.at += 1
        token = self.text[start : self.at]
        self.check(field.length_bounds, len(token), "length")
        return token

    def read_word(self, words):
        fitting = [word for word in words if self.text.startswith(word, self.at)]
        if not fitting:
            raise Refusal(f"none of the words at {self.at}")
        word = max(fitting, key=len)
        self.at += len(word)
        return word

    def read_matching(self, field, sizes, scope):
        """Reads the longest part of the line without a space that matches the whole expression."""
        size = self.size(sizes[0], scope) if sizes and sizes[0] is not None else None
        rest = re.compile(r"[^ \n]*").match(self.text, self.at)
        for end in range(rest.end(), self.at - 1, -1):
            token = self.text[self.at : end]
            if field.details.fullmatch(token):
                self.at = end
                self.check(field.length_bounds if size is None else [("=", size)], len(token), "length")
                return token
        raise Refusal(f"nothing matches at {self.at}")


def decode(data):
    """Returns the characters of an input; a byte that is not ASCII becomes one that no field allows."""
    if isinstance(data, bytes):
        return data.decode("latin-1")
    if not isinstance(data, str):
        raise FormatError("an input has to be bytes or text")
    return data
