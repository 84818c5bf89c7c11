# Called with the input and the answer of the reference; the output is the standard input. Exit status 42 accepts, 43 refuses.
import sys

with open(sys.argv[1]) as file:
    n, s, *a = map(int, file.read().split())
with open(sys.argv[2]) as file:
    answer = file.read().split()
try:
    output = list(map(int, sys.stdin.read().split()))
except ValueError:
    sys.exit(43)
if output == [-1]:
    sys.exit(42 if answer == ["-1"] else 43)
if len(output) != 2 or not all(1 <= i <= n for i in output) or output[0] == output[1]:
    sys.exit(43)
sys.exit(42 if a[output[0] - 1] + a[output[1] - 1] == s else 43)
