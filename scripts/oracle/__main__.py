"""Prints whether files are valid inputs: python3 -m oracle FORMAT FILE..."""

import pathlib
import sys

from . import Format


def main():
    judge = Format(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    valid = True
    for name in sys.argv[2:]:
        reason = judge.refusal(pathlib.Path(name).read_bytes())
        valid &= reason is None
        print(f"valid    {name}" if reason is None else f"invalid  {name}: {reason}")
    return 0 if valid else 1


sys.exit(main())
