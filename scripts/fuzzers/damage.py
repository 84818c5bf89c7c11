"""Small mutations of bytes, most of which keep the structure of the text."""

NUMBERS = [b"0", b"1", b"-1", b"2", b"10", b"255", b"65536", b"2147483648", b"-2147483649", b"9223372036854775807", b"18446744073709551616",
           b"340282366920938463463374607431768211455", b"1" * 40, b"1" * 5000, b"1e400", b"-0", b"0.1", b"nan", b"inf", b"1e-400", b"007"]
PIECES = [b"\0", b"\t", b"\n", b"\r\n", b" ", b"  ", b"\x1b[31m", b"\x07", b"\xff", b"\xc3\x28", "\u202e".encode(), "\u2066".encode(), "\ufeff".encode(),
          b"'", b'"', b"\\", b"{", b"}", b"[", b"]", b"(", b")", b"#", b"%", b"*", b"..", b":", b";", b",", b"=", b"<", b">", b"&", b"|", b"!", b"~", b"null",
          b"true", b"{}", b"[]", b"../", b"/dev/zero", b"%s", b"$(x)", b"&a", b"*a", b"<<: ", b"---\n", b"|\n", b"? "]


def mutate(draw, data, others):
    """Returns the bytes with one to a few mutations."""
    for _ in range(draw.choice([1, 1, 1, 2, 3, 6])):
        data = damage(draw, data, others)
    return data[:200_000]


def damage(draw, data, others):
    """Returns the bytes with one mutation."""
    size = len(data)
    at = draw.randrange(size + 1)
    end = min(size, at + draw.choice([1, 1, 2, 5, 20, 100]))
    kind = draw.randrange(10)
    if kind == 0:
        return data[:at] + data[end:]
    if kind == 1:
        return data[:at] + draw.choice(PIECES) + data[at:]
    if kind == 2:
        return data[:at] + draw.choice(PIECES) + data[end:]
    if kind == 3:
        return replace_number(draw, data)
    if kind == 4:
        return data[:at] + data[at:end] * draw.choice([2, 3, 50, 1000]) + data[end:]
    if kind == 5 and size:
        return data[:at] + bytes([draw.randrange(256)]) + data[at + 1:]
    if kind == 6:
        return swap_lines(draw, data)
    if kind == 7:
        other = draw.choice(others) if others else b""
        start = draw.randrange(len(other) + 1)
        return data[:at] + other[start:start + draw.choice([3, 20, 200])] + data[at:]
    if kind == 8:
        return data[:at]
    lines = data.split(b"\n")
    del lines[draw.randrange(len(lines))]
    return b"\n".join(lines)


def replace_number(draw, data):
    """Replaces one run of digits."""
    starts = [i for i in range(len(data)) if data[i:i + 1].isdigit() and not data[max(0, i - 1):i].isdigit()]
    if not starts:
        return data + draw.choice(NUMBERS)
    at = end = draw.choice(starts)
    while data[end:end + 1].isdigit():
        end += 1
    return data[:at] + draw.choice(NUMBERS) + data[end:]


def swap_lines(draw, data):
    """Swaps two lines, or changes the indentation of one."""
    lines = data.split(b"\n")
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    if draw.random() < 0.5:
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines[one] = draw.choice([b"", b"  ", b"    ", b"\t"]) + lines[one].strip()
    return b"\n".join(lines)
