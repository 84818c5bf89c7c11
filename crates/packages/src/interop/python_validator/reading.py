# Reads an input according to a format into a tree of scopes, one for each repetition.

import operator

from .model import *

INTEGER = re.compile(r"-?[0-9]+")
REAL = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
WELL_FORMED = r"0|-?[1-9][0-9]{0,35}"
MOST_IDLE = 10**6  # repetitions that read nothing
SIGNS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


class Refusal(Exception):
    """The input is not valid. Contains the reason, and the place where reading stopped."""

    def __init__(self, reason, at):
        super().__init__(reason)
        self.at = at


NO_BLOCKS = {}  # of all scopes without inner blocks


class Scope:
    """The values of fields and the scopes of inner blocks in one repetition of a block, or in the whole input."""

    __slots__ = ("path", "depth", "parent", "values", "blocks")

    def __init__(self, path, parent=None):
        self.path = path
        self.depth = len(path)
        self.parent = parent
        self.values = {}
        self.blocks = NO_BLOCKS

    def ancestor(self, depth):
        """Returns the enclosing scope in so many blocks."""
        scope = self
        while scope.depth > depth:
            scope = scope.parent
        return scope

    def repeated(self, block):
        if self.blocks is NO_BLOCKS:
            self.blocks = {}
        return self.blocks.setdefault(block, [])

    def instances(self, path):
        """Returns all repetitions within this scope of the block at a path below it."""
        found = [self]
        for block in path[len(self.path) :]:
            found = [inner for scope in found for inner in scope.blocks.get(block, ())]
        return found

    def copy(self):
        """Returns a copy for reading with backtracking."""
        other = Scope(self.path, self.parent)
        other.values = dict(self.values)
        other.blocks = {block: list(scopes) for block, scopes in self.blocks.items()}
        return other

    def adopt(self, other):
        """Takes over what was read into a copy."""
        self.values, self.blocks = other.values, other.blocks
        for scopes in self.blocks.values():
            for inner in scopes:
                inner.parent = self


class PlainLine:
    """A line of single tokens with spaces between them: one regular expression reads it."""

    def __init__(self, model, parts):
        self.fields, patterns = [], []
        for part in parts:
            if isinstance(part, Fixed):
                patterns.append(re.escape(part.text))
            else:
                field = model.field(part.name)
                patterns.append(f"({token_pattern(field)})")
                self.fields.append((field.name, token_reader(field)))
        self.pattern = re.compile(" ".join(patterns) + "\n")

    @staticmethod
    def fits(model, parts):
        """Returns True if a line consists of such tokens only."""
        for number, part in enumerate(parts):
            if isinstance(part, Group) or (part.glued and number > 0):
                return False
            if isinstance(part, Place):
                field = model.field(part.name)
                sizes = (None,) if field.kind == "over" else ()
                if part.bracketed or field.sizes not in ((), sizes) or token_pattern(field) is None:
                    return False
        return True

    def read(self, text, at, scope):
        """Adds the values of a line to a scope, and returns its end. Returns None if it is not like this."""
        match = self.pattern.match(text, at)
        if match is None:
            return None
        values = {}
        for (name, reader), token in zip(self.fields, match.groups()):
            value = values[name] = reader(token)
            if value is None:
                return None
        # Most lines are all of their scope.
        scope.values = {**scope.values, **values} if scope.values else values
        return match.end()


def token_pattern(field):
    """Returns the regular expression of a token, or None if an expression does not tell where it ends."""
    if field.kind == "number":
        return WELL_FORMED
    if field.kind == "real":
        low, high = field.details
        digits = rf"(?:\.[0-9]{{{max(low, 1)},{high}}})" if high else ""
        return "-?(?:0|[1-9][0-9]*)" + digits + ("?" if digits and not low else "")
    if field.kind == "one of":
        return "|".join(re.escape(word) for word in sorted(field.details, key=len, reverse=True))
    if field.kind == "over" and field.details and not field.details & set(" \n"):
        return f"[{''.join(re.escape(letter) for letter in sorted(field.details))}]*"
    return None


def token_reader(field):
    """Returns a function from a token to its value, or to None if it is not allowed."""
    low, high, least, most = field.low, field.high, field.least, field.most

    def read_number(token):
        value = int(token)
        return value if low <= value <= high else None

    def read_real(token):
        value = Decimal(token)
        allowed = all(SIGNS[sign](value, bound) for sign, bound in field.bounds)
        return value if allowed and (value or token[0] != "-") else None

    def read_text(token):
        return token if least <= len(token) <= most else None

    return {"number": read_number, "real": read_real, "over": read_text}.get(field.kind, lambda token: token)


class Reader:
    def __init__(self, model, evaluator, text):
        self.model = model
        self.evaluator = evaluator
        self.text = text
        self.at = 0
        self.fresh = True  # whether the line is empty so far
        self.plain = evaluator.plain_lines

    def read(self):
        root = Scope(())
        self.read_nodes(self.model.layout, root)
        if self.at != len(self.text):
            self.refuse("expected the end of the input")
        return root

    def refuse(self, reason):
        raise Refusal(reason, self.at)

    def times(self, count):
        """Yields so many times, but refuses an input with too many repetitions of nothing."""
        idle = 0
        for _ in range(count):
            before = self.at
            yield
            idle += self.at == before
            if idle > MOST_IDLE:
                self.refuse("too many empty repetitions")

    # Blocks.

    def read_nodes(self, nodes, scope):
        for node in nodes:
            if isinstance(node, Line):
                self.read_line(node, scope)
            elif isinstance(node, Repeat):
                self.read_repeat(node, scope)
            elif isinstance(node, If):
                if self.evaluator.holds(node.condition, scope):
                    self.read_nodes(node.body, scope)
            else:
                self.read_either(node, scope)

    def read_repeat(self, node, scope):
        repeated = scope.repeated(node.block)
        path = scope.path + (node.block,)
        if node.count is not None:
            for _ in self.times(self.size(node.count, scope)):
                self.read_repetition(node, scope, path, repeated)
            return
        low, high = self.size(node.low, scope), self.size(node.high, scope)
        for _ in self.times(high):
            if self.ended(node.end):
                break
            self.read_repetition(node, scope, path, repeated)
        if len(repeated) < low or not self.ended(node.end):
            self.refuse(f"expected {low} to {high} repetitions")
        self.at += len(node.end)

    def read_repetition(self, node, scope, path, repeated):
        if repeated and node.between is not None:
            self.read_between(node)
        inner = Scope(path, scope)
        repeated.append(inner)
        self.read_nodes(node.body, inner)

    def read_between(self, node):
        if not self.text.startswith(node.between, self.at):
            self.refuse(f"expected the line {node.between[:-1]!r} before the next repetition")
        self.at += len(node.between)
        if node.end is not None and self.ended(node.end):
            self.refuse("expected a repetition after the line between two")

    def ended(self, end):
        if end == "":
            return self.at == len(self.text)
        return self.text.startswith(end, self.at)

    def read_either(self, node, scope):
        """Reads the first form with lines that can be read, regardless of what follows."""
        before, furthest = self.at, None
        for form in node.forms:
            if len(form) == 1 and isinstance(form[0], Line) and self.read_plainly(form[0], scope):
                return
            trial = scope.copy()
            try:
                self.read_nodes(form, trial)
                scope.adopt(trial)
                return
            except Refusal as refusal:
                if furthest is None or refusal.at > furthest.at:
                    furthest = refusal
                self.at, self.fresh = before, True
        raise furthest

    # Lines.

    def read_line(self, node, scope):
        if self.read_plainly(node, scope):
            return
        parts = node.parts
        if len(parts) == 1 and isinstance(parts[0], Place) and not parts[0].bracketed:
            field = self.model.field(parts[0].name)
            if len(field.dimensions) > 1 or (field.has_characters and field.dimensions):
                scope.values[field.name] = self.read_rows(field, field.sizes, scope)
                return
        self.fresh = True
        self.read_parts(parts, scope, True)
        self.end_line()

    def read_plainly(self, node, scope):
        """Reads a line of single tokens. Returns False if it is not one, or not like that; reading it token by token
        finds the fault."""
        if id(node) not in self.plain:
            self.plain[id(node)] = PlainLine(self.model, node.parts) if PlainLine.fits(self.model, node.parts) else None
        plain = self.plain[id(node)]
        end = plain and plain.read(self.text, self.at, scope)
        if end is None:
            return False
        self.at, self.fresh = end, True
        return True

    def read_rows(self, field, sizes, scope):
        """Reads lines: each has the last dimension of numbers, or the characters of a text."""
        if len(sizes) == 1:
            self.fresh = True
            row = self.read_array(field, sizes, scope, False, True)
            self.end_line()
            return row
        return [self.read_rows(field, sizes[1:], scope) for _ in self.times(self.size(sizes[0], scope))]

    def end_line(self):
        if not self.text.startswith("\n", self.at):
            self.refuse("expected the end of the line")
        self.at += 1
        self.fresh = True

    def read_parts(self, parts, scope, is_line):
        for part in parts:
            if isinstance(part, Fixed):
                self.read_fixed(part)
            elif isinstance(part, Group):
                self.read_group(part, scope)
            else:
                field = self.model.field(part.name)
                scope.values[part.name] = self.read_array(field, field.sizes, scope, part.glued, is_line)

    def read_fixed(self, part):
        self.begin_token(part.glued)
        if not self.text.startswith(part.text, self.at):
            self.refuse(f"expected {part.text!r}")
        self.at += len(part.text)

    def read_group(self, group, scope):
        repeated = scope.repeated(group.block)
        path = scope.path + (group.block,)
        parts, others = group.parts_of(0), group.parts_of(1)
        for _ in self.times(self.size(group.count, scope)):
            inner = Scope(path, scope)
            repeated.append(inner)
            self.read_parts(parts, inner, False)
            parts = others

    def read_array(self, field, sizes, scope, glued, is_line=False):
        """Reads tokens of one line: one for a single field, or all elements of an array."""
        if not sizes or (field.has_characters and len(sizes) == 1):
            self.begin_token(glued)
            return self.read_token(field, sizes, scope)
        count = None if sizes[0] is None else self.size(sizes[0], scope)
        # The rest of a line is not split again for each of many arrays on it.
        if is_line and len(sizes) == 1 and (found := self.read_numbers(field, count, glued)) is not None:
            return found
        found = []
        if count is None:
            while not self.text.startswith("\n", self.at) and self.at < len(self.text):
                found.append(self.read_array(field, sizes[1:], scope, glued and not found))
            self.check(field, field.length_bounds, len(found))
            return found
        for _ in self.times(count):
            found.append(self.read_array(field, sizes[1:], scope, glued and not found))
        return found

    def read_numbers(self, field, count, glued):
        """Reads numbers with spaces between them at once. Returns None if there is a fault, or nothing to read."""
        if field.kind not in ("number", "real") or count == 0 or (count or 0) > len(self.text):
            return None
        start = self.at
        if not self.fresh and not glued:
            if not self.text.startswith(" ", start):
                return None
            start += 1
        end = self.text.find("\n", start)
        tokens = self.text[start:end].split(" ", -1 if count is None else count)[:count]
        if end < 0 or len(tokens) < (count or 1) or not all(map(re.compile(token_pattern(field)).fullmatch, tokens)):
            return None
        values = list(map(int if field.kind == "number" else Decimal, tokens))
        if not all(SIGNS[sign](value, bound) for sign, bound in field.bounds for value in (min(values), max(values))):
            return None
        if field.kind == "real" and 0 in values and any(map(re.compile("-[0.]*").fullmatch, tokens)):
            return None
        if count is None and not field.least <= len(values) <= field.most:
            return None
        self.at = start + sum(map(len, tokens)) + len(tokens) - 1
        self.fresh = False
        return values

    def size(self, expression, scope):
        size = self.evaluator.number(expression, scope)
        if not isinstance(size, int):
            self.refuse("the number of values here cannot be computed")
        if size < 0:
            self.refuse("a size is negative")
        return size

    # Tokens.

    def begin_token(self, glued):
        """Reads the space before a token, unless it is the first on its line or joined to the previous one."""
        if not self.fresh and not glued:
            if not self.text.startswith(" ", self.at):
                self.refuse("expected a space")
            self.at += 1
        self.fresh = False

    def read_token(self, field, sizes, scope):
        if field.kind == "number":
            value = self.read_integer(field)
        elif field.kind == "real":
            value = self.read_real(field, *field.details)
        elif field.kind == "over":
            return self.read_text(field, sizes, scope)
        elif field.kind == "one of":
            return self.read_word(field.details)
        else:
            return self.read_matching(field, sizes, scope)
        self.check(field, field.bounds, value)
        return value

    def check(self, field, bounds, value):
        """Refuses a value or a length that the bounds of its field do not allow."""
        if not all(SIGNS[sign](value, bound) for sign, bound in bounds):
            what = "`{}`" if bounds is field.bounds else "the length of `{}`"
            self.refuse(f"{what.format(field.name)} is out of range")

    def match(self, field, pattern):
        match = pattern.match(self.text, self.at)
        digits = match.group().lstrip("-").partition(".")[0] if match else ""
        if not digits or (len(digits) > 1 and digits[0] == "0"):
            self.refuse(f"expected `{field.name}`, a number without leading zeros")
        return match.group()

    def read_integer(self, field):
        token = self.match(field, INTEGER)
        if token == "-0":
            self.refuse(f"expected `{field.name}`, a number without a sign in front of zero")
        if len(token.lstrip("-")) >= len(str(GREATEST)):
            self.refuse(f"`{field.name}` is out of range")
        self.at += len(token)
        return int(token)

    def read_real(self, field, low, high):
        token = self.match(field, REAL)
        _, point, digits = token.partition(".")
        if (point and not digits) or not low <= len(digits) <= high:
            self.refuse(f"`{field.name}` should have {low} to {high} digits after the point")
        value = Decimal(token)
        if value == 0 and token[0] == "-":
            self.refuse(f"expected `{field.name}`, a number without a sign in front of zero")
        self.at += len(token)
        return value

    def read_text(self, field, sizes, scope):
        """Reads as many letters as the size requires, or as many as possible."""
        start = self.at
        if sizes and sizes[0] is not None:
            size = self.size(sizes[0], scope)
            token = self.text[start : start + size]
            if len(token) < size or not field.details.issuperset(token):
                self.refuse(f"expected `{field.name}`, {size} of its characters")
            self.at += size
            return token
        at = start
        while at < len(self.text) and self.text[at] in field.details:
            at += 1
        token = self.text[start:at]
        self.check(field, field.length_bounds, len(token))
        self.at = at
        return token

    def read_word(self, words):
        fitting = [word for word in words if self.text.startswith(word, self.at)]
        if not fitting:
            self.refuse("expected one of the allowed words")
        word = max(fitting, key=len)
        self.at += len(word)
        return word

    def read_matching(self, field, sizes, scope):
        """Reads the longest part of the line, without a space if the expression has none, that matches as a whole."""
        size = self.size(sizes[0], scope) if sizes and sizes[0] is not None else None
        rest = field.run.match(self.text, self.at)
        for end in range(rest.end(), self.at - 1, -1):
            token = self.text[self.at : end]
            if field.details.fullmatch(token):
                self.check(field, field.length_bounds if size is None else [("=", size)], len(token))
                self.at = end
                return token
        self.refuse(f"expected `{field.name}`, which matches its expression")
