"""Merging states that nothing can tell apart (Moore's partition refinement)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def equivalent(labels: Sequence[Hashable], moves: Sequence[Sequence[int]]) -> list[int]:
    """For every state the number of its class; classes are numbered by first appearance.

    `labels[s]` is what can be seen of a state, `moves[s]` where each move leads (negative: the
    move does not exist).

    >>> equivalent(["even", "odd", "even", "odd"], [[1], [2], [3], [0]])
    [0, 1, 0, 1]
    """
    classes = _numbered(labels)
    while True:
        seen = [
            (own, *(classes[target] if target >= 0 else target for target in row))
            for own, row in zip(classes, moves, strict=True)
        ]
        refined = _numbered(seen)
        if max(refined) == max(classes):
            return refined
        classes = refined


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
