# The judge of inputs, and the program.

import sys

from .rules import *


class Format:
    """A format that can validate inputs.

    Raises FormatError if the text is not a format, or is not supported by the checker."""

    def __init__(self, text, lets=None, subtask=None):
        self.model = Model(text, lets, subtask)
        self.evaluator = Evaluator(self.model)
        for rule in self.model.rules:
            self.evaluator.check(rule)

    def refusal(self, data):
        """Returns the reason why an input is not valid, or None if it is valid."""
        # A byte that is not ASCII becomes a character that no field allows.
        text = data.decode("latin-1") if isinstance(data, bytes) else data
        try:
            root = Reader(self.model, self.evaluator, text).read()
        except Refusal as refusal:
            line = text.count("\n", 0, refusal.at) + 1
            column = refusal.at - text.rfind("\n", 0, refusal.at)
            return f"line {line}, column {column}: {refusal}"
        rule = self.evaluator.broken(root)
        return None if rule is None else f"`{self.model.wording[id(rule)] or rule}` does not hold"


def main(refusal):
    reason = refusal(sys.stdin.buffer.read())
    if reason is not None:
        print(reason, file=sys.stderr)
    sys.exit(42 if reason is None else 43)
