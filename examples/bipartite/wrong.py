# Wrong if an early pair keeps two others apart: it never takes a pair back.
n, m = map(int, input().split())
used = set()
for _ in range(m):
    pair = set(input().split())
    if not pair & used:
        used |= pair
print(len(used) // 2)
