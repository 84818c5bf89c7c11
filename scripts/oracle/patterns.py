"""Translates the letters after `over` and the regular expressions after `matches` to Python."""

import re

from .syntax import FormatError


def letters_of(quoted):
    """Returns the characters after `over`: `-` between two is a range, a backslash makes the next character literal."""
    characters, at = [], 0
    while at < len(quoted):
        character, at, plain = next_character(quoted, at)
        if character == "-" and plain and characters and at < len(quoted):
            last, at, _ = next_character(quoted, at)
            first = characters.pop()
            if ord(last) < ord(first):
                raise FormatError("a descending range of letters")
            characters += [chr(code) for code in range(ord(first), ord(last) + 1)]
        else:
            characters.append(character)
    return frozenset(characters)


def next_character(quoted, at):
    if quoted[at] == "\\" and at + 1 < len(quoted):
        return quoted[at + 1], at + 2, False
    return quoted[at], at + 1, True


def pattern_of(quoted):
    """Translates a regular expression of Rust's `regex` crate to Python, if both have the same syntax for it, for
    ASCII."""
    if re.search(r"\(\?|\\[^.+*?()\[\]{}|^$\\/dws-]|\[\[|&&|~~|--|\[[^\]]*\[", quoted):
        raise FormatError(f"the checker does not support the expression {quoted!r}")
    return re.compile(quoted, re.ASCII)
