# Wrong if the longest one has even length: it has no middle between two letters.
s = input()
best = 0
for middle in range(len(s)):
    left = right = middle
    while left >= 0 and right < len(s) and s[left] == s[right]:
        best = max(best, right - left + 1)
        left, right = left - 1, right + 1
print(best)
