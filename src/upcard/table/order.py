"""The order of positions and of the initial deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from upcard.table.events import Face
from upcard.table.lookup import Lookup
from upcard.table.state import Box, NextCard, TableState


def around(positions: Iterable[int], *, after: int, look: Lookup) -> tuple[int, ...]:
    """Positions in the order of play: from the dealer's left, or clockwise from the bank's."""
    seats = sorted(positions)
    if look.plan.starts == "banks-left" and after:
        seats = clockwise(seats, after)
        seats = [seat for seat in seats if seat != after]
    return tuple(seats)


def clockwise(seats: Iterable[int], after: int) -> list[int]:
    """Seats from the one to the left of `after` round to `after` itself.

    >>> clockwise([1, 2, 4, 7], 2)
    [4, 7, 1, 2]
    """
    return sorted(seats, key=lambda seat: (seat <= after, seat))


def action_order(state: TableState, boxes: Iterable[Box]) -> list[Box]:
    """Boxes in the order of settlement: from the action button if it lies somewhere."""
    button = state.action_button
    if not button:
        return list(boxes)
    return sorted(boxes, key=lambda box: (box.position < button, box.position))


def deal_script(
    look: Lookup, order: tuple[int, ...], taken: set[int], missed: Mapping[int, int]
) -> tuple[NextCard, ...]:
    """The initial deal, card by card. Cards that a position misses come after the others."""
    script = list(_passes(look, order, taken))
    late: list[NextCard] = []
    for position in order:
        count = missed.get(position, 0)
        if not count:
            continue
        places = [place for place, entry in enumerate(script) if entry.position == position]
        # A position without any card is dead and gets none later.
        late += [script[place] for place in places[-count:]] if count < len(places) else []
        for place in reversed(places[-count:]):
            del script[place]
    return (*script, *late)


def _passes(look: Lookup, order: tuple[int, ...], taken: set[int]) -> Iterator[NextCard]:
    passes = look.plan.passes
    deals_empty = look.plan.empty_positions == "dealt-and-discarded"

    def card(face: Face, position: int) -> Iterator[NextCard]:
        if position in taken:
            yield NextCard("hand" if face == "up" else "down", face, position)
        elif deals_empty:
            yield NextCard("empty", "down", position)

    own = [part for part in passes if part.to == "position"]
    if look.plan.by_position:
        for position in order:
            for part in own:
                yield from card(part.face, position)
    for part in passes:
        if part.to == "dealer":
            yield NextCard("dealer", part.face)
        elif part.to == "community":
            yield NextCard("community", part.face)
        elif not look.plan.by_position:
            for position in order:
                yield from card(part.face, position)
