"""An independent checker of inputs: parses a format and decides whether an input is valid.

Written from docs/format.md alone, to be compared with the validator of rebut (scripts/agree-formats). It is naive on
purpose: it follows the page literally, without regard to speed.
"""

from .model import Model
from .reading import Reader, Refusal, decode
from .rules import Evaluator
from .syntax import FormatError

__all__ = ["Format", "FormatError"]


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
        try:
            root = Reader(self.model, self.evaluator, decode(data)).read()
        except Refusal as refusal:
            return str(refusal)
        rule = self.evaluator.broken(root)
        return None if rule is None else f"does not hold: {rule}"
