# Wrong if a later test case repeats a value: it does not forget what it has seen.
seen = set()
for _ in range(int(input())):
    n = int(input())
    a = input().split()
    print(len(set(a) - seen))
    seen |= set(a)
