# attack: starts processes from Python
# expect: ok
# needs: system calls
import os
import subprocess

for start in (os.fork, lambda: subprocess.run(["true"]), lambda: os.system("exit 7") in (0, 7 << 8) or 1 / 0):
    try:
        if start() == 0:
            os._exit(0)
        print("ESCAPED")
    except (OSError, ZeroDivisionError):
        pass
