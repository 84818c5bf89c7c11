n, m = map(int, input().split())
near = [[] for _ in range(n + 1)]
for _ in range(m):
    u, v = map(int, input().split())
    near[u].append(v)
    near[v].append(u)
left = {}
for start in range(1, n + 1):
    todo = [(start, True)]
    while todo:
        v, side = todo.pop()
        if v not in left:
            left[v] = side
            todo += [(w, not side) for w in near[v]]
partner = {}


def match(v, seen):
    for w in near[v]:
        if w not in seen:
            seen.add(w)
            if w not in partner or match(partner[w], seen):
                partner[w] = v
                return True
    return False


print(sum(match(v, set()) for v in range(1, n + 1) if left[v]))
