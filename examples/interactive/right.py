low, high = 1, int(input())
reply = ""
while reply != "equal":
    middle = (low + high) // 2
    print(middle, flush=True)
    reply = input()
    if reply == "smaller":
        high = middle - 1
    else:
        low = middle + 1
