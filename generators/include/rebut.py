"""Takes the choices of a generator from rebut, so that its findings shrink: see docs/reference/choices.md.

The same draws give the same values in rebut.h and rebut.rs.
"""

import atexit
import os
import stat
import sys

NAME = b"rebut-choices 1 "
WORD = (1 << 64) - 1

# The draws to be replayed; the seed of those after them, or None if there are none.
_draws = []
_used = 0
_state = None
_growth = 100
_log = None


def _read_request():
    """Returns the request on the standard input, if that is a file which begins with one; whatever follows is left."""
    try:
        start = os.lseek(0, 0, os.SEEK_CUR)
        if not stat.S_ISREG(os.fstat(0).st_mode):
            return None
    except OSError:
        return None
    text = b""
    while b"\n" not in text:
        part = os.pread(0, 1 << 16, start + len(text))
        text += part
        if not part or not text.startswith(NAME):
            break
    if not text.startswith(NAME):
        return None
    line = text.split(b"\n")[0]
    os.lseek(0, start + min(len(line) + 1, len(text)), os.SEEK_SET)
    return line[len(NAME) :].split()


def _init():
    """Reads the request of rebut. Without one, the seed is made of all arguments."""
    global _draws, _state, _growth, _log
    request = _read_request()
    if request is None:
        _state = 14695981039346656037
        for argument in sys.argv[1:]:
            for byte in os.fsencode(argument) + b"\0":
                _state = (_state ^ byte) * 1099511628211 & WORD
        return
    try:
        _state = None if request[0] == b"-" else int(request[0])
        _growth = int(request[1])
        _draws = [int(word) for word in request[3:]]
        if request[2] == b"log":
            _log = ["rebut-choices 1\n"]
            atexit.register(lambda: sys.stderr.write("".join(_log)))
    except (ValueError, IndexError):
        sys.exit("rebut: malformed request for choices")


def _next_word():  # SplitMix64
    global _state
    _state = (_state + 0x9E3779B97F4A7C15) & WORD
    z = _state
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def draw(most):
    """Draws from 0 to most. Everything else is made of this."""
    global _used
    if most == 0:
        return 0
    if _used < len(_draws):
        value = min(_draws[_used], most)
    elif _state is None:
        sys.exit("rebut: out of draws")
    else:
        value = most + 1
        while value > most:
            value = _next_word() >> (64 - most.bit_length())
    _used += 1
    if _log is not None:
        _log.append("~%d\n" % value)
    return value


def next(lo, hi):
    """Returns a number from lo to hi, which shrinks towards the one nearest to 0."""
    if lo >= hi:
        return lo
    start = max(lo, min(hi, 0))
    drawn = draw(hi - lo)
    return start + drawn if drawn <= hi - start else start - (drawn - (hi - start))


def growth():
    """Returns how large inputs are to be, from 0 to 100."""
    return _growth


def size(lo, hi):
    """Returns a number from lo to hi, close to lo while the growth is small."""
    most = max(hi - lo, 0)
    if _growth < 100:
        steps = most.bit_length() * _growth
        power, rest = 1 << steps // 100, steps % 100
        most = min(most, power + power // 100 * rest + power % 100 * rest // 100 + 2)
    return lo + draw(most)


def chance(a, b):
    """Returns True in a of b cases."""
    return draw(b - 1) + a >= b


def weighted(weights):
    """Returns an index, with a probability in proportion to its weight."""
    left = draw(max(sum(weights), 1) - 1)
    at = 0
    while at + 1 < len(weights) and left >= weights[at]:
        left -= weights[at]
        at += 1
    return at


def choice(items):
    return items[draw(len(items) - 1)]


def shuffle(items):
    for last in range(len(items) - 1, 0, -1):
        other = last - draw(last)
        items[last], items[other] = items[other], items[last]


def permutation(n):
    """Returns the numbers from 1 to n in any order."""
    items = list(range(1, n + 1))
    shuffle(items)
    return items


_init()
