for _ in range(int(input())):
    input()
    print(len(set(input().split())))
