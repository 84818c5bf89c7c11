# Evaluates rules on the values of an input: each rule separately, for each repetition of its home block.
#
# A formula is not just true or false. A comparison with the minimum or maximum of nothing is true, and so is its
# negation; one with an index out of range, or a number without a value, is false, and so is its negation. So the truth
# of a formula is a pair: that of itself, and that of its negation. Each of them is true, false or void (it contains an
# absent number); a void one is an Absent, which identifies the quantifier that causes it.
#
# Expressions and formulas become functions of a scope and of the numbers of quantifiers: a dictionary from their names
# to pairs of the number and the nesting depth of the quantifier.

import bisect
import collections
import functools

from .properties import *
from .reading import *

TRUE, FALSE, BOTH, NEITHER = (True, False), (False, True), (True, True), (False, False)
NOTHING = object()  # the minimum or maximum of nothing
UNDEFINED = None  # an index out of range, a division by zero
NO_NAMES = {}


class Absent(collections.namedtuple("Absent", "depth")):
    """A number that is absent, or a formula that is void because of one.

    `depth` is the nesting depth of the quantifier with the variable in its indices, from 1; 0 is none."""


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
    parts = set(parts)
    if deciding in parts:
        return deciding
    depths = [part.depth for part in parts if isinstance(part, Absent)]
    return Absent(min(depths)) if depths else not deciding


def conjunction(truths):
    truths = set(truths)
    return every(truth[0] for truth in truths), some(truth[1] for truth in truths)


def disjunction(truths):
    return negated(conjunction(negated(truth) for truth in truths))


def flat(value):
    """Returns the elements of an array of any depth; a single value as one element."""
    if not isinstance(value, list) or isinstance(value, Whole):
        return [value]
    if list not in set(map(type, value)):
        return value
    return [element for inner in value for element in flat(inner)]


def apply(function, *values):
    """Applies a function to numbers; arrays are combined element by element, and numbers with each element."""
    sizes = {len(value) for value in values if isinstance(value, list)}
    if len(sizes) > 1:
        return UNDEFINED
    if sizes:
        rows = [value if isinstance(value, list) else [value] * min(sizes) for value in values]
        if all(map(PLAIN_NUMBERS.issuperset, (map(type, row) for row in rows))):
            return list(map(function, *rows))
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


PLAIN_NUMBERS = {int, Decimal}
FAULTS = {type(UNDEFINED), type(NOTHING), Absent}


def first_fault(values):
    """Returns the result of a calculation in a list if one of these values is not a number, else None."""
    if FAULTS.isdisjoint(map(type, values)):
        return None
    depths = [value.depth for value in values if isinstance(value, Absent)]
    if depths:
        return [Absent(min(depths))]
    return [UNDEFINED if any(value is UNDEFINED for value in values) else NOTHING]


class Evaluator:
    def __init__(self, model):
        self.model = model
        self.known = {}
        self.plain_lines = {}  # what the reader knows about lines, by their identities

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
        if isinstance(node, Name):
            return self.home_of_name(node, names)
        if isinstance(node, Call) and self.folds_repetitions(node):
            inner = self.home(node.arguments[0], names)
            return self.deepest([inner[:-1]] + [self.home(argument, names) for argument in node.arguments[1:]])
        if isinstance(node, Quantified):
            inner = names | {node.name}
            return self.deepest([self.home(node.low, names), self.home(node.high, names), self.home(node.body, inner)])
        if isinstance(node, Slice):
            inner = names | {node.variable}
            return self.deepest([self.home(node.low, names), self.home(node.high, names), self.home(node.element, inner)])
        if isinstance(node, Predicate):
            return self.home_of_predicate(node, names)
        if isinstance(node, Permutation):
            return self.deepest([self.home_of_list(node.name), self.home(node.low), self.home(node.high)])
        if isinstance(node, Edges):
            ends = [self.home_of_list(node.first), self.home_of_list(node.second)]
            lines = [self.home(each) for each in node.slice or ()]
            return self.deepest(ends + lines + [self.home(node.low), self.home(node.high)])
        if isinstance(node, Parents):
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

    def home_of_elements(self, name):
        """Returns the home of the elements that `disjoint` compares: letters are in the block of their text."""
        field = self.model.field(name)
        return field.path if field.has_characters else self.home_of_list(name)

    def home_of_predicate(self, node, names):
        if node.name == "disjoint":
            return self.deepest(self.home_of_elements(argument.name) for argument in node.arguments)
        if self.is_of_field(node):
            return self.home(node.arguments[0], names)
        inner = self.home(node.arguments[0], names)
        return inner if self.orders_elements(node) or not inner else inner[:-1]

    @staticmethod
    def is_of_field(node):
        """Returns True if a predicate is about a field in one place, not about its repetitions."""
        return node.name == "symmetric" or node.name in TEXT_PROPERTIES

    @remembered
    def named(self, node):
        """Returns the fields that occur by name in an expression or a formula: not indexed, and not in folds."""
        if isinstance(node, Name):
            found = {name for index in node.indices for name in self.named(index)}
            field = self.model.fields.get(node.name)
            return found | {node.name} if field and self.above(node) == 0 else found
        if isinstance(node, Call) and self.folds_repetitions(node):
            return {name for argument in node.arguments[1:] for name in self.named(argument)}
        if isinstance(node, Quantified):
            return (self.named(node.low) | self.named(node.high) | self.named(node.body)) - {node.name}
        if isinstance(node, Predicate) and node.name == "disjoint":
            fields = [self.model.field(argument.name) for argument in node.arguments]
            return {field.name for field in fields if field.dimensions or field.has_characters}
        if isinstance(node, Predicate):
            folded = not self.is_of_field(node) and not self.orders_elements(node)
            return set() if folded else {name for argument in node.arguments for name in self.named(argument)}
        if isinstance(node, (Permutation, Parents)):
            ends = (node.low, node.high) if isinstance(node, Permutation) else node.of + node.on
            lists = {node.name} if self.model.field(node.name).dimensions else set()
            return lists | {name for end in ends for name in self.named(end)}
        if isinstance(node, Edges):
            return {name for end in (node.low, node.high) + (node.slice or ()) for name in self.named(end)}
        return {name for child in children(node) for name in self.named(child)}

    @remembered
    def taken(self, node):
        """Returns the paths of the blocks with repetitions that a node folds or indexes."""
        paths = {path for child in children(node) for path in self.taken(child)}
        if isinstance(node, Name):
            field = self.model.fields.get(node.name)
            above = self.above(node) if field else 0
            return paths | ({field.path[: len(field.path) - above + 1]} if above else set())
        if isinstance(node, Call) and self.folds_repetitions(node):
            return {self.home(node.arguments[0], frozenset(self.unknown(node)))} - {()}
        if isinstance(node, Predicate) and node.name == "disjoint":
            fields = [self.model.field(argument.name) for argument in node.arguments]
            return {field.path for field in fields if not field.dimensions and not field.has_characters} - {()}
        if isinstance(node, Predicate) and not self.is_of_field(node) and not self.orders_elements(node):
            return {self.home(node.arguments[0])} - {()}
        if isinstance(node, (Permutation, Parents, Edges)):
            field = self.model.field(node.first if isinstance(node, Edges) else node.name)
            return set() if field.dimensions else {field.path} - {()}
        return paths

    def unknown(self, node):
        """Returns the names in a node that are not fields: variables of quantifiers."""
        if isinstance(node, Name):
            inner = {name for index in node.indices for name in self.unknown(index)}
            return inner if node.name in self.model.fields or node.name in self.model.lets else inner | {node.name}
        return {name for child in children(node) for name in self.unknown(child)}

    @remembered
    def stands(self, node):
        """Returns a function that is true for the scopes at which all fields of a node exist, and so do the blocks with
        the repetitions that it uses. Returns None if they always do."""
        named = [self.model.fields[name] for name in sorted(self.named(node))]
        fields = [(field.name, len(field.path)) for field in named if field.conditions]
        blocks = [(path[-1], len(path) - 1) for path in self.taken(node) if path[-1] in self.model.optional]

        def stand(scope):
            return all(name in scope.ancestor(depth).values for name, depth in fields) and all(
                block in scope.ancestor(depth).blocks for block, depth in blocks if depth <= scope.depth
            )

        return stand if fields or blocks else None

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
        is_character = isinstance(what, Letter) or isinstance(what, Text) and len(what.value) == 1
        return self.is_textual(node.arguments[0]) and is_character

    @remembered
    def rank(self, node):
        """Returns the number of dimensions of the value of an expression; a text is one value."""
        if isinstance(node, Name):
            if node.name not in self.model.fields:
                return 0
            return max(0, len(self.model.fields[node.name].dimensions) - len(node.indices) + self.above(node))
        if isinstance(node, Slice):
            return 1
        if isinstance(node, Call):
            if node.function == "len":
                return max(0, self.rank(node.arguments[0]) - (not self.is_textual(node.arguments[0])))
            return self.rank(node.arguments[0]) if node.function in ("abs", "prime") else 0
        return max([self.rank(child) for child in children(node)], default=0)

    def is_textual(self, node):
        if not isinstance(node, Name) or node.name not in self.model.fields:
            return False
        field = self.model.fields[node.name]
        return field.kind in ("over", "matches") and len(node.indices) - self.above(node) <= len(field.dimensions)

    @remembered
    def is_list(self, node):
        """Returns True if a predicate folds the elements of the node rather than the repetitions around it."""
        if self.rank(node) > 0:
            return True
        return isinstance(node, Tuple) and any(self.is_list(item) for item in node.items)

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
        if node.function in FOLDS:
            letters = node.function in ("distinct", "size") and self.is_textual(argument)
            return len(node.arguments) == 1 and self.rank(argument) == 0 and not letters
        if node.function == "count":
            return self.rank(argument) == 0 and not self.counts_letters(node)
        return False

    # Rules.

    def broken(self, root):
        """Returns the first rule that does not hold, or None. Reading has checked the bounds."""
        checked = set(map(id, self.model.bounds))
        for rule in self.model.rules:
            if id(rule) in checked:
                continue
            truth, stands = self.truth(rule), self.stands(rule)
            for scope in root.instances(self.home(rule)):
                if (stands is None or stands(scope)) and truth(scope, NO_NAMES)[0] is False:
                    return rule
        return None

    def holds(self, formula, scope):
        """Returns True if the formula is not false: a formula that is void as a whole holds."""
        return self.truth(formula)(scope, NO_NAMES)[0] is not False

    @remembered
    def truth(self, node):
        """Returns the function of a formula, to its truth."""
        if isinstance(node, Chain):
            return self.truth_of_chain(node)
        if isinstance(node, Not):
            operand = self.truth(node.operand)
            return lambda scope, names: negated(operand(scope, names))
        if isinstance(node, Junction):
            join = conjunction if node.operator == "and" else disjunction
            operands = list(map(self.truth, node.operands))
            return lambda scope, names: join([operand(scope, names) for operand in operands])
        if isinstance(node, Implies):
            condition, conclusion = self.truth(node.condition), self.truth(node.conclusion)
            return lambda scope, names: disjunction([negated(condition(scope, names)), conclusion(scope, names)])
        if isinstance(node, Quantified):
            return self.truth_of_quantified(node)
        if isinstance(node, Predicate):
            return self.truth_of_predicate(node)
        if isinstance(node, Permutation):
            return self.truth_of_permutation(node)
        if isinstance(node, Polygon):
            first, second = self.elements(node.first), self.elements(node.second)
            return lambda scope, names: truth_of(
                polygon_fault(list(zip(first(scope, names), second(scope, names))), node.words) is None
            )
        return self.truth_of_graph(node)

    def truth_of_chain(self, node):
        comparisons = [
            self.comparison(a, sign, b)
            for left, sign, right in zip(node.lists, node.signs, node.lists[1:])
            for a in left
            for b in right
        ]
        if len(comparisons) == 1:
            return comparisons[0]
        return lambda scope, names: conjunction([each(scope, names) for each in comparisons])

    def comparison(self, left, sign, right):
        left, right, holds = self.value(left), self.value(right), SIGNS[sign]

        def comparison(scope, names):
            a, b = left(scope, names), right(scope, names)
            if type(a) is int and type(b) is int:
                return TRUE if holds(a, b) else FALSE
            return compare(a, holds, b)

        return comparison

    def truth_of_quantified(self, node):
        low, high, body = self.value(node.low), self.value(node.high), self.truth(node.body)

        def quantified(scope, names):
            first, last = low(scope, names), high(scope, names)
            fault = first_fault([first, last])
            if fault is not None:
                return void(0) if fault[0] is NOTHING else truth_of_fault(fault[0])
            depth = 1 + max([known for _, known in names.values()], default=0)
            inner, truths = dict(names), set()
            for index in range(first, last + 1):
                inner[node.name] = index, depth
                truths.add(body(scope, inner))
            # Numbers for which the body is void because of this quantifier are skipped.
            itself, contrary = ([truth[side] for truth in truths if truth[side] != Absent(depth)] for side in (0, 1))
            return (every(itself), some(contrary)) if node.kind == "forall" else (some(itself), every(contrary))

        return quantified

    def truth_of_predicate(self, node):
        if node.name == "symmetric":
            value = self.value(node.arguments[0])
            return lambda scope, names: truth_of(is_symmetric(value(scope, names)))
        if node.name == "balanced":
            value = self.value(node.arguments[0])
            return lambda scope, names: truth_of(all(map(is_balanced, flat(value(scope, names)))))
        if node.name == "connected":
            value, letters = self.value(node.arguments[0]), node.arguments[1].value
            return lambda scope, names: truth_of(
                all(is_board_connected(board, letters) for board in boards(value(scope, names)))
            )
        if node.name == "disjoint":
            return self.truth_of_disjoint(node)
        listed = self.listed(node)
        sign = {"increasing": "<", "decreasing": ">", "nonincreasing": ">="}.get(node.name, "<=")

        def predicate(scope, names):
            values = listed(scope, names)
            fault = first_fault(values)
            if fault is not None:
                return truth_of_fault(fault[0])
            if node.name == "distinct":
                return truth_of(len(set(values)) == len(values))
            return truth_of(all(map(SIGNS[sign], values, values[1:])))

        return predicate

    def truth_of_disjoint(self, node):
        """Returns whether no value is an element of two of the fields."""
        lists = []
        for argument in node.arguments:
            is_text = self.model.field(argument.name).has_characters
            lists.append(self.value(argument) if is_text else self.elements(argument.name))

        def disjoint(scope, names):
            sets = [set(characters(present(flat(values(scope, names))))) for values in lists]
            return truth_of(all(one.isdisjoint(other) for one, other in itertools.combinations(sets, 2)))

        return disjoint

    def listed(self, node):
        """Returns the function to the values that a predicate compares: the elements of an array, or the repetitions of
        a field."""
        argument = node.arguments[0]
        if not self.orders_elements(node):
            return self.values_of_repetitions(argument)
        if isinstance(argument, Tuple):
            items = list(map(self.value, argument.items))
            return lambda scope, names: list(zip(*(flat(item(scope, names)) for item in items)))
        value = self.value(argument)
        if self.is_textual(argument) and (node.name != "distinct" or self.rank(argument) == 0):
            return lambda scope, names: characters(flat(value(scope, names)))
        return lambda scope, names: flat(value(scope, names))

    def values_of_repetitions(self, argument):
        """Returns the function to the values of an expression in all repetitions in which its fields exist."""
        path = self.home(argument, frozenset(self.unknown(argument)))
        depth, block = max(len(path) - 1, 0), path[-1] if path else None
        value, stands = self.value(argument), self.stands(argument)

        def values(scope, names):
            around = scope.ancestor(depth)
            repetitions = around.blocks.get(block, ()) if path else (around,)
            return present([value(inner, names) for inner in repetitions if stands is None or stands(inner)])

        return values

    def truth_of_permutation(self, node):
        """Returns whether all values are in the range and different; for an array, the format requires the right
        number."""
        elements, low, high = self.elements(node.name), self.value(node.low), self.value(node.high)

        def permutation(scope, names):
            values, first, last = elements(scope, names), low(scope, names), high(scope, names)
            fault = first_fault([first, last])
            if fault is not None:
                return truth_of_fault(fault[0])
            in_range = not values or (first <= min(values) and max(values) <= last)
            return truth_of(in_range and len(set(values)) == len(values))

        return permutation

    def elements(self, name):
        """Returns the function to the elements of an array, or for a single field to those of its repetitions."""
        field = self.model.field(name)
        if field.dimensions or not field.path:
            value = self.value(Name(name))
            return lambda scope, names: flat(value(scope, names))
        return self.values_of_repetitions(Name(name))

    def truth_of_graph(self, node):
        edges = self.edges(node) if isinstance(node, Edges) else self.edges_to_parents(node)
        ends = (node.low, node.high) if isinstance(node, Edges) else node.on
        low, high = map(self.value, ends)
        bounds = [None if isinstance(word, str) else self.value(word[1]) for word in node.words]

        def graph(scope, names):
            lines, vertices = edges(scope, names), range(low(scope, names), high(scope, names) + 1)
            words = [bound and (word[0], bound(scope, names)) or word for word, bound in zip(node.words, bounds)]
            has_parents = not isinstance(node, Edges)
            return truth_of(lines is not None and graph_fault(vertices, lines, words, has_parents) is None)

        return graph

    def edges(self, node):
        first, second = self.elements(node.first), self.elements(node.second)
        path = self.model.field(node.first).path
        ends = list(map(self.value, node.slice or ()))

        def edges(scope, names):
            found = list(zip(first(scope, names), second(scope, names)))
            if ends:
                low, high = (end(scope, names) for end in ends)
                found = found[max(low - 1, 0) : max(high, 0)]
            if node.condition:
                lines = scope.ancestor(len(path) - 1).blocks.get(path[-1], ())
                found = [edge for edge, line in zip(found, lines) if self.holds(node.condition, line)]
            return found

        return edges

    def edges_to_parents(self, node):
        """Returns the function to the edges from parents to their children, or to None if there are too few or too
        many parents."""
        elements, low, high = self.elements(node.name), *map(self.value, node.of)

        def edges(scope, names):
            parents, children = elements(scope, names), range(low(scope, names), high(scope, names) + 1)
            return list(zip(parents, children)) if len(parents) == len(children) else None

        return edges

    # Values.

    def number(self, expression, scope):
        return self.value(expression)(scope, NO_NAMES)

    @remembered
    def value(self, node):
        """Returns the function of an expression, to its value."""
        if isinstance(node, (Number, Text, Letter)):
            return constant(node.value)
        if isinstance(node, Name):
            return self.value_of_element(node) if node.indices else self.value_of_name(node)
        if isinstance(node, Negative):
            operand = self.value(node.operand)
            return lambda scope, names: apply(operator.neg, operand(scope, names))
        if isinstance(node, Binary):
            return self.value_of_binary(node)
        if isinstance(node, Slice):
            return self.values_of_slice(node)
        if isinstance(node, Tuple):
            items = list(map(self.value, node.items))
            return lambda scope, names: tuple([item(scope, names) for item in items])
        return self.value_of_call(node)

    def value_of_binary(self, node):
        left, right = self.value(node.left), self.value(node.right)
        function = {"+": operator.add, "-": operator.sub, "*": operator.mul}.get(node.operator)
        function = function or functools.partial(calculate, node.operator)

        def binary(scope, names):
            a, b = left(scope, names), right(scope, names)
            return function(a, b) if type(a) is int and type(b) is int else apply(function, a, b)

        return binary

    def values_of_slice(self, node):
        low, high, element = self.value(node.low), self.value(node.high), self.value(node.element)

        def values(scope, names):
            first, last = low(scope, names), high(scope, names)
            fault = first_fault([first, last])
            if fault is not None:
                return fault[0]
            inner, found = dict(names), []
            for at in range(first, last + 1):
                # Absent values are skipped, so it does not matter which quantifier they would depend on.
                inner[node.variable] = at, 0
                found.append(element(scope, inner))
            return found

        return values

    def value_of_name(self, node):
        name = node.name
        if name in self.model.lets:
            value = self.model.lets[name]
            return lambda scope, names: names[name][0] if name in names else value
        if name not in self.model.fields:
            return lambda scope, names: names[name][0]
        depth = len(self.model.fields[name].path)

        def of_field(scope, names):
            if names and name in names:
                return names[name][0]
            while scope.depth > depth:
                scope = scope.parent
            values = scope.values
            return values[name] if name in values else self.absent(node, names)

        return of_field

    def value_of_element(self, node):
        field, name, above = self.model.field(node.name), node.name, self.above(node)
        depth, blocks = len(field.path) - above, field.path[len(field.path) - above :]
        indices = list(map(self.value, node.indices))

        def of_element(scope, names):
            numbers = [index(scope, names) for index in indices]
            fault = first_fault(numbers)
            if fault is not None:
                return fault[0]
            at = scope.ancestor(depth)
            for block, number in zip(blocks, numbers):
                if block not in at.blocks:
                    return self.absent(node, names)
                at = element(at.blocks[block], number)
                if at is UNDEFINED:
                    return UNDEFINED
            if name not in at.values:
                return self.absent(node, names)
            value = at.values[name]
            for number in numbers[above:]:
                value = element(value, number)
                if value is UNDEFINED:
                    return UNDEFINED
            return value

        return of_element

    def absent(self, node, names):
        depths = [depth for name, (_, depth) in names.items() if self.contains(node.indices, name)]
        return Absent(max(depths, default=0))

    def contains(self, nodes, name):
        """Returns True if a name occurs in one of the expressions, at any depth."""
        for node in nodes:
            inner = node.indices if isinstance(node, Name) else children(node)
            if (isinstance(node, Name) and node.name == name) or self.contains(inner, name):
                return True
        return False

    def value_of_call(self, node):
        argument = node.arguments[0]
        if node.function in ("abs", "prime"):
            value, function = self.value(argument), {"abs": abs, "prime": is_prime}[node.function]
            return lambda scope, names: apply(function, value(scope, names))
        if node.function == "whole":
            value = self.value(argument)
            return lambda scope, names: whole(value(scope, names))
        if len(node.arguments) > 1 and node.function in FOLDS:
            values, fold = list(map(self.value, node.arguments)), FOLDS[node.function]
            return lambda scope, names: apply(lambda *all: fold(all), *(value(scope, names) for value in values))
        if node.function == "len":
            value = self.value(argument)
            return lambda scope, names: self.lengths(argument, value(scope, names))
        return self.value_of_fold(node)

    def value_of_fold(self, node):
        argument, folded = node.arguments[0], self.folded(node)
        wanted = list(map(self.value, node.arguments[1:]))
        ends = [self.value(argument.low), self.value(argument.high)] if isinstance(argument, Slice) else []

        def of_fold(scope, names):
            fault = first_fault([end(scope, names) for end in ends])
            if fault is not None:
                return fault[0]
            values, others = folded(scope, names), [each(scope, names) for each in wanted]
            fault = first_fault(values + others)
            if fault is not None:
                return fault[0]
            return values.count(others[0]) if wanted else FOLDS[node.function](values)

        return of_fold

    def folded(self, node):
        argument = node.arguments[0]
        if self.folds_repetitions(node):
            return self.values_of_repetitions(argument)
        value = self.value(argument)
        if self.is_textual(argument) and (node.function != "count" or self.counts_letters(node)):
            return lambda scope, names: characters(present(flat(value(scope, names))))
        if node.function == "size" and not isinstance(argument, Slice):
            # What is absent has no length.
            return lambda scope, names: flat(value(scope, names))
        return lambda scope, names: present(flat(value(scope, names)))

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


def constant(value):
    return lambda scope, names: value


def whole(value):
    return Whole(value) if isinstance(value, list) else value


def compare(left, holds, right):
    """Returns the truth of a comparison; that of arrays is that of all pairs of elements."""
    arrays = [side for side in (left, right) if isinstance(side, list) and not isinstance(side, Whole)]
    if arrays:
        size = len(arrays[0])
        if any(len(array) != size for array in arrays):
            return NEITHER
        rows = [side if any(side is array for array in arrays) else [side] * size for side in (left, right)]
        if all(map(PLAIN_NUMBERS.issuperset, (map(type, row) for row in rows))):
            return truth_of(all(map(holds, *rows)))
        return conjunction(compare(a, holds, b) for a, b in zip(*rows))
    fault = first_fault([left, right])
    if fault is not None:
        return truth_of_fault(fault[0])
    if isinstance(left, str) != isinstance(right, str):
        raise FormatError("comparing a text with a number")
    return TRUE if holds(left, right) else FALSE


def is_symmetric(rows):
    return list(map(list, zip(*rows))) == list(map(list, rows)) and all(len(row) == len(rows) for row in rows)


def is_prime(number):
    """Returns 1 for a prime: by strong pseudoprimes to the first primes, which err for no number below 3.3e24."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if number < 2 or any(number % base == 0 for base in bases):
        return int(number in bases)
    odd = number - 1
    while odd % 2 == 0:
        odd //= 2
    for base in bases:
        exponent, power = odd, pow(base, odd, number)
        while exponent != number - 1 and power not in (1, number - 1):
            exponent, power = exponent * 2, power * power % number
        if power != number - 1 and exponent % 2 == 0 or power not in (1, number - 1):
            return 0
    return 1


FOLDS = {
    "sum": sum,
    "min": functools.partial(min, default=NOTHING),
    "max": functools.partial(max, default=NOTHING),
    "gcd": lambda values: functools.reduce(math.gcd, values, 0),
    "xor": lambda values: functools.reduce(operator.xor, values, 0),
    "distinct": lambda values: len(set(values)),
    "size": len,
    "inversions": lambda values: inversions(values),
    "cycles": lambda values: cycles(values),
}


def inversions(values):
    """Returns the number of pairs of which the first is greater: each value is put in its place among those before it."""
    count, before = 0, []
    for value in values:
        place = bisect.bisect_right(before, value)
        count += len(before) - place
        before.insert(place, value)
    return count


def cycles(values):
    """Returns the number of cycles of a permutation of consecutive numbers, or UNDEFINED for other values."""
    first = min(values, default=0)
    if sorted(values) != list(range(first, first + len(values))):
        return UNDEFINED
    count, left = 0, set(range(len(values)))
    while left:
        at = next(iter(left))
        while at in left:
            left.remove(at)
            at = values[at] - first
        count += 1
    return count


def present(values):
    """Returns the values for a fold or `distinct`, without absent numbers and the minimum and maximum of nothing."""
    if FAULTS.isdisjoint(map(type, values)):
        return values
    return [value for value in values if value is not NOTHING and not isinstance(value, Absent)]


def characters(values):
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
    if isinstance(node, Chain):
        return [each for inner in node.lists for each in inner]
    if isinstance(node, Junction):
        return node.operands
    if isinstance(node, Implies):
        return (node.condition, node.conclusion)
    if isinstance(node, (Not, Negative)):
        return (node.operand,)
    if isinstance(node, Quantified):
        return (node.low, node.high, node.body)
    if isinstance(node, Name):
        return node.indices
    if isinstance(node, Binary):
        return (node.left, node.right)
    if isinstance(node, Tuple):
        return node.items
    if isinstance(node, Slice):
        return (node.element, node.low, node.high)
    if isinstance(node, Call):
        return node.arguments
    return ()
