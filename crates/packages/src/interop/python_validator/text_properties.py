def text_property(scope, field, name, dimensions, letters):
    check, letters = globals()[name], letters.encode("latin-1")
    return all(check(rows, letters) for rows in boards_of(scope.field(field), dimensions))


def boards_of(value, dimensions):
    """Returns the rows of each text, or of each board of two dimensions."""
    if isinstance(value, bytes):
        return [[value]]
    if dimensions > 1 and all(isinstance(row, bytes) for row in value):
        return [value]
    return [board for row in value for board in boards_of(row, dimensions)]


OTHERS["text"] = text_property
