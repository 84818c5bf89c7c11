"""Letters after `over`, and regular expressions after `matches`, as Python knows them."""

import re

from .syntax import FormatError


def letters_of(quoted):
    """The characters that `over` names: `-` between two is a range, a backslash takes the meaning from what follows it."""
    characters, at = [], 0
    while at < len(quoted):
        character, at, plain = next_character(quoted, at)
        if character == "-" and plain and characters and at < len(quoted):
            last, at, _ = next_character(quoted, at)
            first = characters.pop()
            if ord(last) < ord(first):
                raise FormatError("a range of letters that runs backwards")
            characters += [chr(code) for code in range(ord(first), ord(last) + 1)]
        else:
            characters.append(character)
    return frozenset(characters)


def next_character(quoted, at):
    if quoted[at] == "\\" and at + 1 < len(quoted):
        return quoted[at + 1], at + 2, False
    return quoted[at], at + 1, True


def pattern_of(quoted):
    """The regular expression of Rust's `regex` crate in Python: what both write alike, for ASCII."""
    if re.search(r"\(\?|\\[^.+*?()\[\]{}|^$\\/dws-]|\[\[|&&|~~|--|\[[^\]]*\[", quoted):
        raise FormatError(f"the checker does not translate the expression {quoted!r}")
    return re.compile(quoted, re.ASCII)
