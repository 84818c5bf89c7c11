# Properties of graphs, polygons, texts and boards.

from .syntax import *

LARGEST_COORDINATE = 10**18
BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def neighbours(edges, directed):
    """Returns the vertices next to each vertex that has an edge."""
    near = {}
    for first, second in edges:
        near.setdefault(first, []).append(second)
        if not directed:
            near.setdefault(second, []).append(first)
    return near


def reachable(near, start):
    seen, waiting = {start}, [start]
    while waiting:
        for vertex in near.get(waiting.pop(), ()):
            if vertex not in seen:
                seen.add(vertex)
                waiting.append(vertex)
    return seen


def is_connected(vertices, edges):
    """Returns True if all vertices are connected, ignoring directions."""
    if len(edges) < len(vertices) - 1:
        return False
    return not vertices or len(reachable(neighbours(edges, False), vertices[0])) == len(vertices)


def is_strongly_connected(vertices, edges):
    """Returns True if each vertex can be reached from the first one, and it from each of them."""
    if len(vertices) > 1 and len(edges) < len(vertices):
        return False
    turned = [(second, first) for first, second in edges]
    return not vertices or all(
        len(reachable(neighbours(all_edges, True), vertices[0])) == len(vertices) for all_edges in (edges, turned)
    )


def has_no_cycle(edges):
    """Returns True if the undirected edges have no cycle: no loop, no repeated edge, no edge within a component."""
    above = {}

    def top(vertex):
        while (higher := above.get(vertex, vertex)) != vertex:
            above[vertex] = vertex = above.get(higher, higher)
        return vertex

    for first, second in edges:
        first, second = top(first), top(second)
        if first == second:
            return False
        above[first] = second
    return True


def has_no_directed_cycle(edges):
    """Returns True if all edges go away by removing vertices that no edge enters."""
    near, entering = neighbours(edges, True), {}
    for _, second in edges:
        entering[second] = entering.get(second, 0) + 1
    waiting, left = [vertex for vertex in near if vertex not in entering], len(edges)
    while waiting:
        for other in near.get(waiting.pop(), ()):
            left -= 1
            entering[other] -= 1
            if entering[other] == 0:
                waiting.append(other)
    return left == 0


def is_bipartite(edges):
    near = neighbours(edges, False)
    side = {}
    for start in near:
        if start in side:
            continue
        side[start], waiting = 0, [start]
        while waiting:
            vertex = waiting.pop()
            for other in near[vertex]:
                if other not in side:
                    side[other] = 1 - side[vertex]
                    waiting.append(other)
                elif side[other] == side[vertex]:
                    return False
    return True


def is_tree(vertices, edges):
    return has_no_cycle(edges) and len(edges) == max(len(vertices) - 1, 0)


def degrees_of(edges):
    degrees = {}
    for edge in edges:
        for end in edge:
            degrees[end] = degrees.get(end, 0) + 1
    return degrees


def greatest_degree(edges):
    return max(degrees_of(edges).values(), default=0)


def depth_of(vertices, edges, has_parents):
    """Returns the depth of a tree from its first vertex that is no child; without parents, from its first vertex."""
    neighbours, children = {}, set()
    for first, second in edges:
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)
        children.add(second)
    root = next((vertex for vertex in vertices if not has_parents or vertex not in children), None)
    depths, level = {root}, [root]
    depth = -1
    while level:
        depth += 1
        level = [near for at in level for near in neighbours.get(at, ()) if near not in depths]
        depths.update(level)
    return depth


def is_even(edges):
    return all(degree % 2 == 0 for degree in degrees_of(edges).values())


def is_regular(vertices, edges):
    degrees = degrees_of(edges)
    return len({degrees.get(vertex, 0) for vertex in vertices if edges}) <= 1


def is_path(vertices, edges):
    return is_tree(vertices, edges) and greatest_degree(edges) <= 2


def is_star(vertices, edges):
    return is_tree(vertices, edges) and (len(vertices) <= 2 or greatest_degree(edges) == len(vertices) - 1)


def is_simple(edges, directed):
    """Returns True if there are no loops and no repeated edges; an undirected edge is the same in both directions."""
    known = {edge if directed or edge[0] < edge[1] else edge[::-1] for edge in edges}
    return len(known) == len(edges) and is_loopless(edges)


def is_loopless(edges):
    return all(first != second for first, second in edges)


def graph_fault(vertices, edges, words, has_parents=False):
    """Returns the first property that the graph on a range of vertices does not have, or None."""
    directed = any(word in words for word in ("directed", "dag", "strongly connected"))
    if edges and not all(min(ends) in vertices and max(ends) in vertices for ends in zip(*edges)):
        return "a vertex that does not exist"
    checks = {
        "tree": lambda: is_tree(vertices, edges),
        "forest": lambda: has_no_cycle(edges),
        "acyclic": lambda: has_no_directed_cycle(edges) if directed else has_no_cycle(edges),
        "dag": lambda: has_no_directed_cycle(edges),
        "directed": lambda: True,
        "undirected": lambda: True,
        "simple": lambda: is_simple(edges, directed),
        "loopless": lambda: is_loopless(edges),
        "connected": lambda: is_connected(vertices, edges),
        "strongly connected": lambda: is_strongly_connected(vertices, edges),
        "bipartite": lambda: is_bipartite(edges),
        "path": lambda: is_path(vertices, edges),
        "star": lambda: is_star(vertices, edges),
        "even": lambda: is_even(edges),
        "eulerian": lambda: is_even(edges) and is_connected(vertices, edges),
        "regular": lambda: is_regular(vertices, edges),
    }
    for word in words:
        if isinstance(word, tuple) and word[0] == "degree":
            if greatest_degree(edges) > word[1]:
                return "a degree that is too large"
            continue
        if isinstance(word, tuple) and word[0] in ("depth", "least depth"):
            depth = depth_of(vertices, edges, has_parents)
            if depth > word[1] if word[0] == "depth" else depth < word[1]:
                return "a wrong depth"
            continue
        if isinstance(word, tuple) and word[0] == "regular":
            if any(degrees_of(edges).get(vertex, 0) != word[1] for vertex in vertices):
                return "a vertex with another degree"
            continue
        if word not in checks:
            raise FormatError(f"{word} is not a property of graphs")
        if not checks[word]():
            return f"not {word}"
    return None


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_on(point, a, b):
    """Returns True if the point is on the line segment from a to b."""
    inside = all(min(one, other) <= at <= max(one, other) for at, one, other in zip(point, a, b))
    return inside and cross(a, b, point) == 0


def common_points(a, b, c, d):
    """Returns the ends of two line segments that are on both, and True if they have a common point inside."""
    for axis in (0, 1):
        (low, high), (other_low, other_high) = sorted((a[axis], b[axis])), sorted((c[axis], d[axis]))
        if high < other_low or other_high < low:
            return set()
    points = {point for point in (a, b) if is_on(point, c, d)} | {point for point in (c, d) if is_on(point, a, b)}
    crossing = cross(a, b, c) * cross(a, b, d) < 0 and cross(c, d, a) * cross(c, d, b) < 0
    return points | {True} if crossing else points


def is_simple_polygon(corners):
    """Returns True if the sides have no common points but the corners between neighbours. Each side is compared with
    those that begin further to the left and reach it."""
    count = len(corners)
    if count < 3:
        return False
    sides = [(corners[i], corners[(i + 1) % count]) for i in range(count)]
    if any(a == b for a, b in sides):
        return False
    reaching = []
    for i in sorted(range(count), key=lambda i: min(sides[i])):
        left = min(sides[i])[0]
        reaching = [j for j in reaching if max(sides[j])[0] >= left]
        for j in reaching:
            later, earlier = max(i, j), min(i, j)
            corner = {1: sides[later][0], count - 1: sides[earlier][0]}.get(later - earlier)
            if not common_points(*sides[i], *sides[j]) <= {corner}:
                return False
        reaching.append(i)
    return True


def doubled_area(corners):
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, corners[1:] + corners[:1]))


def polygon_fault(corners, words):
    """Returns the first property that the corners do not have, or None."""
    if any(abs(each) > LARGEST_COORDINATE for corner in corners for each in corner):
        return "coordinates"
    if not is_simple_polygon(corners):
        return "simple"
    area = doubled_area(corners)
    turns = [cross(corners[i - 2], corners[i - 1], corners[i]) for i in range(len(corners))]
    is_convex, no_straight = all(turn * area >= 0 for turn in turns), 0 not in turns
    holds = {
        "convex": is_convex,
        "strictly convex": is_convex and no_straight,
        "no straight angles": no_straight,
        "clockwise": area < 0,
        "counterclockwise": area > 0,
    }
    return next((word for word in words if not holds[word]), None)


def is_balanced(text):
    """Returns True if each closing bracket is that of the last open one, and none is left open."""
    expected = []
    for letter in text:
        if letter in BRACKETS:
            expected.append(BRACKETS[letter])
        elif letter in ")]}>" and (not expected or expected.pop() != letter):
            return False
    return not expected


def boards(value):
    """Returns the boards in a value: lists of texts."""
    if all(isinstance(row, str) for row in value):
        return [value]
    return [board for part in value for board in boards(part)]


def is_board_connected(board, letters):
    """Returns True if all cells with these letters can be reached from one of them."""
    left = {(i, j) for i, row in enumerate(board) for j, letter in enumerate(row) if letter in letters}
    waiting = [left.pop()] if left else []
    while waiting:
        i, j = waiting.pop()
        for cell in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if cell in left:
                left.remove(cell)
                waiting.append(cell)
    return not left
