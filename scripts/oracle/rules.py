"""Evaluates rules on the values of an input, naively: each rule separately, for each repetition of its home block.

A formula is not just true or false. A comparison with the minimum or maximum of nothing is true, and so is its
negation; one with an index out of range, or a number without a value, is false, and so is its negation. So the truth of
a formula is a pair: that of itself, and that of its negation. Each of them is true, false or void (it contains an
absent number); a void one is an Absent, which identifies the quantifier that causes it.
"""

import functools
import math
import operator
from dataclasses import dataclass

from . import graphs, polygons, syntax, texts
from .model import calculate
from .reading import SIGNS
from .syntax import FormatError

TRUE, FALSE, BOTH, NEITHER = (True, False), (False, True), (True, True), (False, False)
NOTHING = object()  # the minimum or maximum of nothing
UNDEFINED = None  # an index out of range, a division by zero


@dataclass(frozen=True)
class Absent:
    """A number that is absent, or a formula that is void because of one.

    `depth` is the nesting depth of the quantifier with the variable in its indices, from 1; 0 is none."""

    depth: int


class Whole(list):
    """An array that is compared as a whole."""


def negated(truth):
    return truth[1], truth[0]


def void(depth):
    return Absent(depth), Absent(depth)


def every(parts):
    return junction(parts, False)


def some(parts):
    return junction(parts, True)


def junction(parts, deciding):
    """Combines parts: a false part decides `and`, a true one `or`; otherwise a void part makes the result void."""
    if any(part is deciding for part in parts):
        return deciding
    depths = [part.depth for part in parts if isinstance(part, Absent)]
    return Absent(min(depths)) if depths else not deciding


def conjunction(truths):
    truths = list(truths)
    return every([truth[0] for truth in truths]), some([truth[1] for truth in truths])


def disjunction(truths):
    return negated(conjunction(negated(truth) for truth in truths))


def flat(value):
    """Returns the elements of an array of any depth; a single value as one element."""
    if isinstance(value, list) and not isinstance(value, Whole):
        return [element for inner in value for element in flat(inner)]
    return [value]


def apply(function, *values):
    """Applies a function to numbers; arrays are combined element by element, and numbers with each element."""
    if any(isinstance(value, list) for value in values):
        sizes = {len(value) for value in values if isinstance(value, list)}
        if len(sizes) > 1:
            raise FormatError("arrays of different sizes")
        rows = [value if isinstance(value, list) else [value] * min(sizes) for value in values]
        return [apply(function, *row) for row in zip(*rows)]
    fault = first_fault(values)
    return function(*values) if fault is None else fault[0]


def remembered(method):
    """Caches the results of a method for nodes of the format."""

    def of_node(self, node, *names):
        known = self.known.setdefault(method.__name__, {})
        key = (id(node), *names)
        if key not in known:
            # The node is kept alive, so that no other one gets its identity.
            known[key] = (node, method(self, node, *names))
        return known[key][1]

    return of_node


def first_fault(values):
    """Returns the result of a calculation in a list if one of these values is not a number, else None."""
    for value in values:
        if value is UNDEFINED or value is NOTHING or type(value) is Absent:
            break
    else:
        return None
    depths = [value.depth for value in values if isinstance(value, Absent)]
    if depths:
        return [Absent(min(depths))]
    return [UNDEFINED if any(value is UNDEFINED for value in values) else NOTHING]


class Evaluator:
    def __init__(self, model):
        self.model = model
        self.known = {}

    def check(self, rule):
        """Raises FormatError if a rule has no home: its fields never occur together."""
        self.home(rule)
        forms = {}
        for name in sorted(self.named(rule)):
            for node, numbers in self.model.fields[name].conditions:
                forms[id(node)] = forms.get(id(node), numbers) & numbers
                if not forms[id(node)]:
                    raise FormatError("these fields are in different alternatives")

    # Homes and ranks, which do not depend on an input.

    @remembered
    def home(self, node, names=frozenset()):
        """Returns the path of the innermost block that contains the node's fields, except those in folds of
        repetitions."""
        if isinstance(node, syntax.Name):
            return self.home_of_name(node, names)
        if isinstance(node, syntax.Call) and self.folds_repetitions(node):
            inner = self.home(node.arguments[0], names)
            if not inner and not self.may_be_absent(node.arguments[0]):
                raise FormatError("this is a single value")
            return self.deepest([inner[:-1]] + [self.home(argument, names) for argument in node.arguments[1:]])
        if isinstance(node, syntax.Quantified):
            inner = names | {node.name}
            return self.deepest([self.home(node.low, names), self.home(node.high, names), self.home(node.body, inner)])
        if isinstance(node, syntax.Slice):
            inner = names | {node.variable}
            return self.deepest([self.home(node.low, names), self.home(node.high, names), self.home(node.element, inner)])
        if isinstance(node, syntax.Predicate):
            return self.home_of_predicate(node, names)
        if isinstance(node, syntax.Permutation):
            return self.deepest([self.home_of_list(node.name), self.home(node.low), self.home(node.high)])
        if isinstance(node, syntax.Edges):
            ends = [self.home_of_list(node.first), self.home_of_list(node.second)]
            lines = [self.home(each) for each in node.slice or ()]
            return self.deepest(ends + lines + [self.home(node.low), self.home(node.high)])
        if isinstance(node, syntax.Parents):
            return self.deepest([self.home_of_list(node.name)] + [self.home(each) for each in node.of + node.on])
        return self.deepest(self.home(child, names) for child in children(node))

    def home_of_name(self, node, names):
        inner = self.deepest([self.home(index, names) for index in node.indices])
        if node.name in names or node.name in self.model.lets:
            return inner
        field = self.model.field(node.name)
        above = self.above(node)
        if above > len(field.path):
            raise FormatError(f"too many indices after {node.name}")
        return self.deepest([inner, field.path[: len(field.path) - above]])

    def home_of_list(self, name):
        """Returns the home of a list: for an array its block, for a single field the block around the one that repeats
        it."""
        field = self.model.field(name)
        if field.dimensions or not field.path:
            return field.path
        return field.path[:-1]

    def home_of_predicate(self, node, names):
        if self.is_of_field(node):
            return self.home(node.arguments[0], names)
        inner = self.home(node.arguments[0], names)
        return inner if self.orders_elements(node) or not inner else inner[:-1]

    @staticmethod
    def is_of_field(node):
        """Returns True if a predicate is about a field in one place, not about its repetitions."""
        return node.name == "symmetric" or node.name in syntax.TEXT_PROPERTIES

    def may_be_absent(self, node):
        return any(self.model.fields[name].conditions for name in self.named(node))

    @remembered
    def named(self, node):
        """Returns the fields that occur by name in an expression or a formula: not indexed, and not in folds."""
        if isinstance(node, syntax.Name):
            found = {name for index in node.indices for name in self.named(index)}
            field = self.model.fields.get(node.name)
            return found | {node.name} if field and self.above(node) == 0 else found
        if isinstance(node, syntax.Call) and self.folds_repetitions(node):
            return {name for argument in node.arguments[1:] for name in self.named(argument)}
        if isinstance(node, syntax.Quantified):
            return (self.named(node.low) | self.named(node.high) | self.named(node.body)) - {node.name}
        if isinstance(node, syntax.Predicate):
            folded = not self.is_of_field(node) and not self.orders_elements(node)
            return set() if folded else {name for argument in node.arguments for name in self.named(argument)}
        if isinstance(node, (syntax.Permutation, syntax.Parents)):
            ends = (node.low, node.high) if isinstance(node, syntax.Permutation) else node.of + node.on
            lists = {node.name} if self.model.field(node.name).dimensions else set()
            return lists | {name for end in ends for name in self.named(end)}
        if isinstance(node, syntax.Edges):
            return {name for end in (node.low, node.high) + (node.slice or ()) for name in self.named(end)}
        return {name for child in children(node) for name in self.named(child)}

    @remembered
    def taken(self, node):
        """Returns the paths of the blocks with repetitions that a node folds or indexes."""
        paths = {path for child in children(node) for path in self.taken(child)}
        if isinstance(node, syntax.Name):
            field = self.model.fields.get(node.name)
            above = self.above(node) if field else 0
            return paths | ({field.path[: len(field.path) - above + 1]} if above else set())
        if isinstance(node, syntax.Call) and self.folds_repetitions(node):
            return {self.home(node.arguments[0], frozenset(self.unknown(node)))} - {()}
        if isinstance(node, syntax.Predicate) and not self.is_of_field(node) and not self.orders_elements(node):
            return {self.home(node.arguments[0])} - {()}
        if isinstance(node, (syntax.Permutation, syntax.Parents, syntax.Edges)):
            field = self.model.field(node.first if isinstance(node, syntax.Edges) else node.name)
            return set() if field.dimensions else {field.path} - {()}
        return paths

    def unknown(self, node):
        """Returns the names in a node that are not fields: variables of quantifiers."""
        if isinstance(node, syntax.Name):
            inner = {name for index in node.indices for name in self.unknown(index)}
            return inner if node.name in self.model.fields or node.name in self.model.lets else inner | {node.name}
        return {name for child in children(node) for name in self.unknown(child)}

    def stand(self, node, scope):
        """Returns True if all fields of a node exist at a scope, and so do the blocks with the repetitions that it
        uses."""
        fields = [self.model.fields[name] for name in self.named(node)]
        if not all(field.name in scope.ancestor(field.path).values for field in fields):
            return False
        return all(path[-1] in scope.ancestor(path[:-1]).blocks for path in self.taken(node) if len(path) <= len(scope.path) + 1)

    @staticmethod
    def deepest(paths):
        deepest = ()
        for path in paths:
            short, long = sorted((deepest, path), key=len)
            if long[: len(short)] != short:
                raise FormatError("these fields are in different blocks")
            deepest = long
        return deepest

    def places(self, field):
        """Returns the number of indices of a field without those for repetitions."""
        return len(field.dimensions) + field.has_characters

    def above(self, node):
        """Returns the number of a name's indices that select repetitions. For a text without brackets below `repeat`
        these come first."""
        field = self.model.field(node.name)
        is_bare = field.kind in ("over", "matches") and not field.sizes
        is_repeated = bool(field.path) and field.path[-1] not in self.model.cases
        return max(len(node.indices) - self.places(field), int(bool(node.indices) and is_bare and is_repeated), 0)

    def counts_letters(self, node):
        """Returns True if `count` counts a character in a text, in any quotes."""
        what = node.arguments[1]
        is_character = isinstance(what, syntax.Letter) or isinstance(what, syntax.Text) and len(what.value) == 1
        return self.is_textual(node.arguments[0]) and is_character

    @remembered
    def rank(self, node):
        """Returns the number of dimensions of the value of an expression; a text is one value."""
        if isinstance(node, syntax.Name):
            if node.name not in self.model.fields:
                return 0
            return max(0, len(self.model.fields[node.name].dimensions) - len(node.indices) + self.above(node))
        if isinstance(node, syntax.Slice):
            return 1
        if isinstance(node, syntax.Call):
            if node.function == "len":
                return max(0, self.rank(node.arguments[0]) - (not self.is_textual(node.arguments[0])))
            return self.rank(node.arguments[0]) if node.function in ("abs", "prime") else 0
        return max([self.rank(child) for child in children(node)], default=0)

    def is_textual(self, node):
        if not isinstance(node, syntax.Name) or node.name not in self.model.fields:
            return False
        field = self.model.fields[node.name]
        return field.kind in ("over", "matches") and len(node.indices) - self.above(node) <= len(field.dimensions)

    @remembered
    def is_list(self, node):
        """Returns True if a predicate folds the elements of the node rather than the repetitions around it."""
        if self.rank(node) > 0:
            return True
        return isinstance(node, syntax.Tuple) and any(self.is_list(item) for item in node.items)

    def orders_elements(self, node):
        """Returns True if a predicate applies to the elements of its argument: those of an array, and letters for an
        order."""
        argument = node.arguments[0]
        if self.is_textual(argument) and self.rank(argument) == 0:
            return node.name != "distinct" or not self.home(argument)
        return self.is_list(argument)

    @remembered
    def folds_repetitions(self, node):
        argument = node.arguments[0]
        if node.function in ("sum", "min", "max", "gcd", "xor"):
            return len(node.arguments) == 1 and self.rank(argument) == 0
        if node.function == "count":
            return self.rank(argument) == 0 and not self.counts_letters(node)
        return False

    # Rules.

    def broken(self, root):
        """Returns the first rule that does not hold, or None."""
        for rule in self.model.rules:
            for scope in root.instances(self.home(rule)):
                if self.stand(rule, scope) and not self.holds(rule, scope):
                    return rule
        return None

    def holds(self, formula, scope):
        """Returns True if the formula is not false: a formula that is void as a whole holds."""
        return self.truth(formula, scope, {})[0] is not False

    def truth(self, node, scope, names):
        if isinstance(node, syntax.Chain):
            return self.truth_of_chain(node, scope, names)
        if isinstance(node, syntax.Not):
            return negated(self.truth(node.operand, scope, names))
        if isinstance(node, syntax.Junction):
            join = conjunction if node.operator == "and" else disjunction
            return join(self.truth(each, scope, names) for each in node.operands)
        if isinstance(node, syntax.Implies):
            condition = self.truth(node.condition, scope, names)
            return disjunction([negated(condition), self.truth(node.conclusion, scope, names)])
        if isinstance(node, syntax.Quantified):
            return self.truth_of_quantified(node, scope, names)
        if isinstance(node, syntax.Predicate):
            return self.truth_of_predicate(node, scope, names)
        if isinstance(node, syntax.Permutation):
            return self.truth_of_permutation(node, scope, names)
        if isinstance(node, syntax.Polygon):
            corners = list(zip(self.elements(node.first, scope), self.elements(node.second, scope)))
            return truth_of(polygons.fault(corners, node.words) is None)
        return self.truth_of_graph(node, scope, names)

    def truth_of_chain(self, node, scope, names):
        truths = []
        for left, sign, right in zip(node.lists, node.signs, node.lists[1:]):
            for a in left:
                for b in right:
                    truths.append(self.compare(self.value(a, scope, names), sign, self.value(b, scope, names)))
        return conjunction(truths)

    def compare(self, left, sign, right):
        arrays = [side for side in (left, right) if isinstance(side, list) and not isinstance(side, Whole)]
        if arrays:
            if len({len(array) for array in arrays}) > 1:
                raise FormatError("these arrays have different sizes")
            size = len(arrays[0])
            rows = [side if any(side is array for array in arrays) else [side] * size for side in (left, right)]
            return conjunction(self.compare(a, sign, b) for a, b in zip(*rows))
        fault = first_fault([left, right])
        if fault is not None:
            return truth_of_fault(fault[0])
        if isinstance(left, str) != isinstance(right, str):
            raise FormatError("comparing a text with a number")
        return TRUE if SIGNS[sign](left, right) else FALSE

    def truth_of_quantified(self, node, scope, names):
        low, high = self.value(node.low, scope, names), self.value(node.high, scope, names)
        fault = first_fault([low, high])
        if fault is not None:
            return void(0) if fault[0] is NOTHING else truth_of_fault(fault[0])
        depth = 1 + max([known for _, known in names.values()], default=0)
        truths = [self.truth(node.body, scope, {**names, node.name: (index, depth)}) for index in range(low, high + 1)]
        # Numbers for which the body is void because of this quantifier are skipped.
        itself, contrary = ([truth[side] for truth in truths if truth[side] != Absent(depth)] for side in (0, 1))
        return (every(itself), some(contrary)) if node.kind == "forall" else (some(itself), every(contrary))

    def truth_of_predicate(self, node, scope, names):
        if node.name == "symmetric":
            rows = self.value(node.arguments[0], scope, names)
            size = len(rows)
            if any(len(row) != size for row in rows):
                raise FormatError("`symmetric` needs as many rows as columns")
            return truth_of(all(rows[i][j] == rows[j][i] for i in range(size) for j in range(size)))
        if node.name in syntax.TEXT_PROPERTIES:
            value = self.value(node.arguments[0], scope, names)
            if node.name == "balanced":
                return truth_of(all(texts.is_balanced(text) for text in flat(value)))
            letters = node.arguments[1].value
            return truth_of(all(texts.is_connected(board, letters) for board in texts.boards(value)))
        values = self.listed(node, scope, names)
        fault = first_fault(values)
        if fault is not None:
            return truth_of_fault(fault[0])
        if node.name == "distinct":
            return truth_of(all(a != b for number, a in enumerate(values) for b in values[:number]))
        sign = {"increasing": "<", "decreasing": ">", "nonincreasing": ">="}.get(node.name, "<=")
        return truth_of(all(SIGNS[sign](a, b) for a, b in zip(values, values[1:])))

    def listed(self, node, scope, names):
        """Returns the values that a predicate compares: the elements of an array, or the repetitions of a field."""
        argument = node.arguments[0]
        if self.orders_elements(node):
            if isinstance(argument, syntax.Tuple):
                return list(zip(*(flat(self.value(item, scope, names)) for item in argument.items)))
            values = flat(self.value(argument, scope, names))
            if self.is_textual(argument) and (node.name != "distinct" or self.rank(argument) == 0):
                return letters_of(values)
            return values
        return self.values_of_repetitions(argument, scope, names)

    def values_of_repetitions(self, argument, scope, names):
        """Returns the values of an expression in all repetitions in which its fields exist."""
        path = self.home(argument, frozenset(names))
        around = scope.ancestor(path[:-1])
        repetitions = around.blocks.get(path[-1], []) if path else [around]
        return present(self.value(argument, inner, names) for inner in repetitions if self.stand(argument, inner))

    def truth_of_permutation(self, node, scope, names):
        """Returns whether all values are in the range and different; for an array, the format requires the right
        number."""
        values = self.elements(node.name, scope)
        low, high = self.value(node.low, scope, names), self.value(node.high, scope, names)
        fault = first_fault([low, high])
        if fault is not None:
            return truth_of_fault(fault[0])
        return truth_of(len(set(values)) == len(values) and all(low <= value <= high for value in values))

    def elements(self, name, scope):
        """Returns the elements of an array, or for a single field those of its repetitions."""
        field = self.model.field(name)
        if field.dimensions or not field.path:
            return flat(self.value(syntax.Name(name), scope, {}))
        return self.values_of_repetitions(syntax.Name(name), scope, {})

    def truth_of_graph(self, node, scope, names):
        if isinstance(node, syntax.Edges):
            edges = list(zip(self.elements(node.first, scope), self.elements(node.second, scope)))
            low, high = node.low, node.high
            if node.slice:
                first, last = (self.number(each, scope) for each in node.slice)
                edges = [edge for i, edge in enumerate(edges, 1) if first <= i <= last]
            if node.condition:
                path = self.model.field(node.first).path
                lines = scope.ancestor(path[:-1]).blocks.get(path[-1], [])
                edges = [edge for edge, line in zip(edges, lines) if self.holds(node.condition, line)]
        else:
            parents = self.elements(node.name, scope)
            first, last = (self.number(each, scope) for each in node.of)
            if len(parents) != last - first + 1:
                return FALSE
            edges = list(zip(parents, range(first, last + 1)))
            low, high = node.on
        vertices = list(range(self.number(low, scope), self.number(high, scope) + 1))
        return truth_of(graphs.fault(vertices, edges, node.words) is None)

    # Values.

    def number(self, expression, scope):
        return self.value(expression, scope, {})

    def value(self, node, scope, names):
        if isinstance(node, (syntax.Number, syntax.Text, syntax.Letter)):
            return node.value
        if isinstance(node, syntax.Name):
            return self.value_of_name(node, scope, names)
        if isinstance(node, syntax.Negative):
            return apply(lambda value: -value, self.value(node.operand, scope, names))
        if isinstance(node, syntax.Binary):
            left, right = self.value(node.left, scope, names), self.value(node.right, scope, names)
            return apply(lambda a, b: calculate(node.operator, a, b), left, right)
        if isinstance(node, syntax.Slice):
            return self.values_of_slice(node, scope, names)
        if isinstance(node, syntax.Tuple):
            return tuple(self.value(item, scope, names) for item in node.items)
        return self.value_of_call(node, scope, names)

    def values_of_slice(self, node, scope, names):
        low, high = self.value(node.low, scope, names), self.value(node.high, scope, names)
        fault = first_fault([low, high])
        if fault is not None:
            return fault[0]
        # Absent values are skipped, so it does not matter which quantifier they would depend on.
        return [self.value(node.element, scope, {**names, node.variable: (at, 0)}) for at in range(low, high + 1)]

    def value_of_name(self, node, scope, names):
        if not node.indices and node.name in names:
            return names[node.name][0]
        if not node.indices and node.name in self.model.lets:
            return self.model.lets[node.name]
        field = self.model.field(node.name)
        indices = [self.value(index, scope, names) for index in node.indices]
        fault = first_fault(indices)
        if fault is not None:
            return fault[0]
        above = self.above(node)
        at = scope.ancestor(field.path[: len(field.path) - above])
        for number, index in enumerate(indices[:above]):
            block = field.path[len(field.path) - above + number]
            if block not in at.blocks:
                return self.absent(node, names)
            at = element(at.blocks[block], index)
            if at is UNDEFINED:
                return UNDEFINED
        if node.name not in at.values:
            return self.absent(node, names)
        value = at.values[node.name]
        for index in indices[above:]:
            value = element(value, index)
            if value is UNDEFINED:
                return UNDEFINED
        return value

    def absent(self, node, names):
        depths = [depth for name, (_, depth) in names.items() if self.contains(node.indices, name)]
        return Absent(max(depths, default=0))

    def contains(self, nodes, name):
        """Returns True if a name occurs in one of the expressions, at any depth."""
        for node in nodes:
            inner = node.indices if isinstance(node, syntax.Name) else children(node)
            if (isinstance(node, syntax.Name) and node.name == name) or self.contains(inner, name):
                return True
        return False

    def value_of_call(self, node, scope, names):
        argument = node.arguments[0]
        if node.function == "abs":
            return apply(abs, self.value(argument, scope, names))
        if node.function == "prime":
            return apply(is_prime, self.value(argument, scope, names))
        if node.function == "whole":
            value = self.value(argument, scope, names)
            return Whole(value) if isinstance(value, list) else value
        if node.function in ("min", "max", "gcd", "xor") and len(node.arguments) > 1:
            chosen = {"min": min, "max": max, "gcd": lambda all: math.gcd(*all), "xor": exclusive_or}[node.function]
            return apply(lambda *values: chosen(values), *(self.value(each, scope, names) for each in node.arguments))
        if node.function == "len":
            return self.lengths(argument, self.value(argument, scope, names))
        if isinstance(argument, syntax.Slice):
            ends = [self.value(argument.low, scope, names), self.value(argument.high, scope, names)]
            if (fault := first_fault(ends)) is not None:
                return fault[0]
        values = self.folded(node, scope, names)
        wanted = [self.value(each, scope, names) for each in node.arguments[1:]]
        fault = first_fault(values + wanted)
        if fault is not None:
            return fault[0]
        if node.function == "count":
            return sum(value == wanted[0] for value in values)
        if node.function == "sum":
            return sum(values)
        if node.function in ("gcd", "xor"):
            return math.gcd(*values) if node.function == "gcd" else exclusive_or(values)
        return {"min": min, "max": max}[node.function](values, default=NOTHING)

    def folded(self, node, scope, names):
        argument = node.arguments[0]
        if self.folds_repetitions(node):
            return self.values_of_repetitions(argument, scope, names)
        values = present(flat(self.value(argument, scope, names)))
        if node.function == "count" and self.counts_letters(node):
            return letters_of(values)
        return values

    def lengths(self, argument, value):
        """Returns the length of a text or a list; for several rows, that of each."""
        fault = first_fault([value])
        if fault is not None:
            return fault[0]
        if isinstance(value, str):
            return len(value)
        if not isinstance(value, list):
            raise FormatError("a number has no length")
        if self.is_textual(argument) or self.rank(argument) > 1:
            return [self.lengths(argument, inner) if isinstance(inner, str) else len(inner) for inner in value]
        return len(value)


def is_prime(number):
    """Returns 1 for a prime: by trial division, or by strong pseudoprimes to twenty bases."""
    if number < 10**8:
        return int(number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1)))
    odd = number - 1
    while odd % 2 == 0:
        odd //= 2
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71):
        exponent, power = odd, pow(base, odd, number)
        while exponent != number - 1 and power not in (1, number - 1):
            exponent, power = exponent * 2, power * power % number
        if power != number - 1 and exponent % 2 == 0 or power not in (1, number - 1):
            return 0
    return 1


def exclusive_or(values):
    return functools.reduce(operator.xor, values, 0)


def present(values):
    """Returns the values for a fold or `distinct`, without absent numbers and the minimum and maximum of nothing."""
    return [value for value in values if value is not NOTHING and not isinstance(value, Absent)]


def letters_of(values):
    """Returns the letters of texts. A value that cannot be computed stands for itself: nothing can be computed then."""
    return [letter for value in values for letter in (value if isinstance(value, str) else [value])]


def truth_of(holds):
    return TRUE if holds else FALSE


def truth_of_fault(fault):
    if isinstance(fault, Absent):
        return void(fault.depth)
    return NEITHER if fault is UNDEFINED else BOTH


def element(values, index):
    """Returns the element at an index from 1, or UNDEFINED."""
    if index is UNDEFINED or not 1 <= index <= len(values):
        return UNDEFINED
    return values[index - 1]


def children(node):
    """Returns the expressions and formulas in a node."""
    if isinstance(node, syntax.Chain):
        return [each for inner in node.lists for each in inner]
    if isinstance(node, syntax.Junction):
        return node.operands
    if isinstance(node, syntax.Implies):
        return (node.condition, node.conclusion)
    if isinstance(node, (syntax.Not, syntax.Negative)):
        return (node.operand,)
    if isinstance(node, syntax.Quantified):
        return (node.low, node.high, node.body)
    if isinstance(node, syntax.Name):
        return node.indices
    if isinstance(node, syntax.Binary):
        return (node.left, node.right)
    if isinstance(node, syntax.Tuple):
        return node.items
    if isinstance(node, syntax.Slice):
        return (node.element, node.low, node.high)
    if isinstance(node, syntax.Call):
        return node.arguments
    return ()
