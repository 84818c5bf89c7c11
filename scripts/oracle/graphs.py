"""Checks the graph properties after `edges` and `parents`, each with the simplest algorithm."""

from .syntax import FormatError


def adjacency(vertices, edges, directed):
    near = {vertex: [] for vertex in vertices}
    for first, second in edges:
        near[first].append(second)
        if not directed:
            near[second].append(first)
    return near


def reachable(near, start):
    seen, waiting = {start}, [start]
    while waiting:
        for vertex in near[waiting.pop()]:
            if vertex not in seen:
                seen.add(vertex)
                waiting.append(vertex)
    return seen


def is_connected(vertices, edges):
    """Returns True if all vertices are connected, ignoring directions."""
    near = adjacency(vertices, edges, False)
    return not vertices or len(reachable(near, vertices[0])) == len(vertices)


def is_strongly_connected(vertices, edges):
    near = adjacency(vertices, edges, True)
    return all(len(reachable(near, vertex)) == len(vertices) for vertex in vertices)


def has_no_cycle(vertices, edges):
    """Returns True if the undirected edges have no cycle: no loop, no repeated edge, no edge within a component."""
    part = {vertex: vertex for vertex in vertices}
    for first, second in edges:
        if part[first] == part[second]:
            return False
        old, new = part[first], part[second]
        part = {vertex: new if its == old else its for vertex, its in part.items()}
    return True


def has_no_directed_cycle(vertices, edges):
    near = adjacency(vertices, edges, True)
    return all(vertex not in seen for vertex in vertices for after in near[vertex] for seen in [reachable(near, after)])


def is_bipartite(vertices, edges):
    near = adjacency(vertices, edges, False)
    side = {}
    for start in vertices:
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
    return has_no_cycle(vertices, edges) and is_connected(vertices, edges)


def degrees(vertices, edges):
    return [sum((first == vertex) + (second == vertex) for first, second in edges) for vertex in vertices]


def is_path(vertices, edges):
    return is_tree(vertices, edges) and all(degree <= 2 for degree in degrees(vertices, edges))


def is_star(vertices, edges):
    return is_tree(vertices, edges) and (len(vertices) <= 2 or len(vertices) - 1 in degrees(vertices, edges))


def is_simple(edges, directed):
    """Returns True if there are no loops and no repeated edges; an undirected edge is the same in both directions."""
    known = {edge if directed else tuple(sorted(edge)) for edge in edges}
    return len(known) == len(edges) and is_loopless(edges)


def is_loopless(edges):
    return all(first != second for first, second in edges)


def fault(vertices, edges, words):
    """Returns the first property that the graph does not have, or None."""
    directed = any(word in words for word in ("directed", "dag", "strongly connected"))
    for first, second in edges:
        if first not in vertices or second not in vertices:
            return "a vertex that does not exist"
    checks = {
        "tree": lambda: is_tree(vertices, edges),
        "forest": lambda: has_no_cycle(vertices, edges),
        "acyclic": lambda: has_no_directed_cycle(vertices, edges) if directed else has_no_cycle(vertices, edges),
        "dag": lambda: has_no_directed_cycle(vertices, edges),
        "directed": lambda: True,
        "undirected": lambda: True,
        "simple": lambda: is_simple(edges, directed),
        "loopless": lambda: is_loopless(edges),
        "connected": lambda: is_connected(vertices, edges),
        "strongly connected": lambda: is_strongly_connected(vertices, edges),
        "bipartite": lambda: is_bipartite(vertices, edges),
        "path": lambda: is_path(vertices, edges),
        "star": lambda: is_star(vertices, edges),
    }
    for word in words:
        if isinstance(word, tuple) and word[0] == "degree":
            if any(degree > word[1] for degree in degrees(vertices, edges)):
                return "a degree that is too large"
            continue
        if word not in checks:
            raise FormatError(f"{word} is not a property of graphs")
        if not checks[word]():
            return f"not {word}"
    return None
