# Wrong if four numbers change places in a circle: it assumes that a swap puts two numbers into their places.
n = int(input())
misplaced = sum(i + 1 != int(x) for i, x in enumerate(input().split()))
print((misplaced + 1) // 2)
