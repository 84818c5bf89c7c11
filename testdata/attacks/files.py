# attack: reads and writes files from Python
# expect: ok
# needs: files
import os
import tempfile

folder, harness, _ = input().split()
for path, mode in ((f"{folder}/answer.txt", "r"), (f"{folder}/new", "w"), ("/tmp/rebut-attack", "w"), (f"/proc/{harness}/environ", "rb")):
    try:
        open(path, mode).read()
        print("ESCAPED", path)
    except OSError:
        pass
try:
    os.listdir(folder)
    print("ESCAPED", folder)
except OSError:
    pass
# What is its own it may use.
with tempfile.NamedTemporaryFile("w+", delete=False) as own:
    own.write("here")
