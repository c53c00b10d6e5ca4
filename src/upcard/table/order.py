"""The order of positions and of the initial deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from upcard.compile.deal import Receiver
from upcard.table.plain_tables import PlainTables
from upcard.table.state import Box, NextCard, Round, TableState


def around(positions: Iterable[int], *, after: int, look: PlainTables) -> tuple[int, ...]:
    """Positions in the order of play: from the dealer's left, or clockwise from the bank's."""
    seats = sorted(positions)
    if look.plan.starts_at_the_bank and after:
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


def pairs_of_boxes(boxes: Iterable[Box]) -> Iterator[tuple[Box, Box]]:
    """The boxes of every player who has two, in the order of the deal."""
    of_player: dict[str, list[Box]] = {}
    for box in boxes:
        of_player.setdefault(box.player, []).append(box)
    for own in of_player.values():
        if len(own) == 2:
            yield own[0], own[1]


def partners(here: Round, box: Box) -> tuple[Box, Box]:
    """The pair of boxes that a box belongs to."""
    return next(pair for pair in pairs_of_boxes(here.boxes) if box in pair)


def deal_script(
    look: PlainTables, order: tuple[int, ...], taken: set[int], missed: Mapping[int, int]
) -> tuple[NextCard, ...]:
    """The initial deal, card by card. Cards that a position misses come after the others."""
    script = list(_slots(look, order, taken))
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


def _slots(look: PlainTables, order: tuple[int, ...], taken: set[int]) -> Iterator[NextCard]:
    for slot in look.plan.slots([position in taken for position in order]):
        match slot.to:
            case Receiver.POSITION:
                yield NextCard("hand" if slot.is_up else "down", slot.face, order[slot.place])
            case Receiver.EMPTY:
                yield NextCard("empty", slot.face, order[slot.place])
            case Receiver.DEALER:
                yield NextCard("dealer", slot.face)
            case Receiver.COMMUNITY:
                yield NextCard("community", slot.face)
