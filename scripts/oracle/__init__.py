"""An independent checker of inputs: parses a format and decides whether an input is valid.

Written from docs/format.md alone, to be compared with the validator of rebut (scripts/agree-formats). The packages that
rebut exports contain the same program, so its modules are among their sources.
"""

import pathlib

__path__.append(str(pathlib.Path(__file__).parents[2] / "crates/packages/src/interop/python_validator"))

from .judge import Format, FormatError  # noqa: E402

__all__ = ["Format", "FormatError"]
