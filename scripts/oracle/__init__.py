"""An independent checker of inputs: reads a format and says whether an input is valid by it.

Written from docs/format.md alone, to be compared with the validator of rebut (scripts/agree-formats). It is naive
on purpose: whatever the page says is done as it is said there, with no thought of speed.
"""

from .model import Model
from .reading import Reader, Refusal, decode
from .rules import Evaluator
from .syntax import FormatError

__all__ = ["Format", "FormatError"]


class Format:
    """A format, and what is valid by it.

    Raises FormatError where the text is no format, or one that the checker cannot judge by."""

    def __init__(self, text, lets=None, subtask=None):
        self.model = Model(text, lets, subtask)
        self.evaluator = Evaluator(self.model)
        for rule in self.model.rules:
            self.evaluator.check(rule)

    def refusal(self, data):
        """The reason why an input is not valid, or None where it is."""
        try:
            root = Reader(self.model, self.evaluator, decode(data)).read()
        except Refusal as refusal:
            return str(refusal)
        rule = self.evaluator.broken(root)
        return None if rule is None else f"does not hold: {rule}"
