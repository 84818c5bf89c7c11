"""Properties of texts and boards, from their definitions."""

PAIRS = ("()", "[]", "{}", "<>")


def is_balanced(text):
    """Returns True if nothing is left of the brackets after removing pairs that stand side by side."""
    rest = "".join(letter for letter in text if any(letter in pair for pair in PAIRS))
    while any(pair in rest for pair in PAIRS):
        for pair in PAIRS:
            rest = rest.replace(pair, "")
    return not rest


def boards(value):
    """Returns the boards in a value: lists of texts."""
    if all(isinstance(row, str) for row in value):
        return [value]
    return [board for part in value for board in boards(part)]


def is_connected(board, letters):
    """Returns True if the cells with these letters have a single label after neighbors have taken the lower of their
    labels until nothing changes."""
    label = {(i, j): (i, j) for i, row in enumerate(board) for j, letter in enumerate(row) if letter in letters}
    changed = True
    while changed:
        changed = False
        for i, j in label:
            for beside in ((i + 1, j), (i, j + 1)):
                if beside in label and label[beside] != label[i, j]:
                    label[beside] = label[i, j] = min(label[beside], label[i, j])
                    changed = True
    return len(set(label.values())) <= 1
