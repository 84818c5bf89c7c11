h, w = map(int, input().split())
rows = [list(input()) for _ in range(h)]
islands = 0
for i in range(h):
    for j in range(w):
        islands += rows[i][j] == "#"
        todo = [(i, j)]
        while todo:
            r, c = todo.pop()
            if 0 <= r < h and 0 <= c < w and rows[r][c] == "#":
                rows[r][c] = "."
                todo += [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
print(islands)
