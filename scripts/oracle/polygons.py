"""Checks polygons and their properties, with the simplest algorithm: each side with each other one, in fractions."""

from fractions import Fraction

LARGEST = 10**18


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_on(point, a, b):
    """Returns True if the point is on the line segment from a to b."""
    inside = all(min(one, other) <= at <= max(one, other) for at, one, other in zip(point, a, b))
    return inside and cross(a, b, point) == 0


def common_points(a, b, c, d):
    """Returns the ends of the common part of two line segments, without repetition."""
    points = {point for point in (a, b) if is_on(point, c, d)} | {point for point in (c, d) if is_on(point, a, b)}
    parallel = (b[0] - a[0]) * (d[1] - c[1]) == (b[1] - a[1]) * (d[0] - c[0])
    if points or parallel:
        return points
    share = Fraction(cross(c, d, a), cross(c, d, a) - cross(c, d, b))
    point = tuple(one + share * (other - one) for one, other in zip(a, b))
    return {point} if 0 <= share <= 1 and is_on(point, c, d) else set()


def is_simple(corners):
    count = len(corners)
    if count < 3:
        return False
    sides = [(corners[i], corners[(i + 1) % count]) for i in range(count)]
    if any(a == b for a, b in sides):
        return False
    for i in range(count):
        for j in range(i):
            neighbours = {1: sides[i][0], count - 1: sides[j][0]}.get(i - j)
            allowed = set() if neighbours is None else {neighbours}
            if not common_points(*sides[i], *sides[j]) <= allowed:
                return False
    return True


def doubled_area(corners):
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, corners[1:] + corners[:1]))


def fault(corners, words):
    """Returns the first property that the corners do not have, or None."""
    if any(abs(each) > LARGEST for corner in corners for each in corner):
        return "coordinates"
    if not is_simple(corners):
        return "simple"
    area = doubled_area(corners)
    turns = [cross(corners[i - 2], corners[i - 1], corners[i]) for i in range(len(corners))]
    is_convex, no_straight = all(turn * area >= 0 for turn in turns), 0 not in turns
    holds = {
        "convex": is_convex,
        "strictly convex": is_convex and no_straight,
        "no straight angles": no_straight,
        "clockwise": area < 0,
        "counterclockwise": area > 0,
    }
    return next((word for word in words if not holds[word]), None)
