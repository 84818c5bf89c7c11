s = input()
best = 0
for middle in range(2 * len(s)):
    left, right = middle // 2, (middle + 1) // 2
    while left >= 0 and right < len(s) and s[left] == s[right]:
        best = max(best, right - left + 1)
        left, right = left - 1, right + 1
print(best)
