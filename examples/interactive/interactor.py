# Replies to at most four questions. Exit status 42 accepts, 43 refuses.
import sys

with open(sys.argv[1]) as file:
    n, secret = map(int, file.read().split())
print(n, flush=True)
asked = 0
# Submissions also print bytes that are no text, and more digits than Python converts.
for line in sys.stdin.buffer:
    asked += 1
    if asked > 4 or not line.strip().isdigit() or len(line) > 20:
        break
    question = int(line)
    print("smaller" if secret < question else "larger" if secret > question else "equal", flush=True)
    if question == secret:
        sys.exit(42)
sys.exit(43)
