"""Side wagers by rows of conditions that are settled as soon as their cards are known."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.compile.card_observer import CardObserver
from upcard.table.plain_tables import PlainTables
from upcard.table.settle import given_up, natural_place, third_card, up_symbol
from upcard.table.state import Box, Round, SideBet


def open_wagers(look: PlainTables, here: Round) -> Iterator[tuple[Box, SideBet, CardObserver]]:
    """The wagers by rows of conditions that are not settled yet, box by box."""
    for box in here.boxes:
        for bet in box.sides if not box.dead else ():
            observer = look.settlement[bet.wager].observer
            if bet.settled is None and isinstance(observer, CardObserver):
                yield box, bet, observer


def is_known(look: PlainTables, here: Round, box: Box, observer: CardObserver) -> bool:
    """Whether a wager is settled by now: no card that may still come makes a difference to it."""
    if not observer.settled.as_known:
        return False
    return _is_decided(look, here, box, observer)


def _is_decided(look: PlainTables, here: Round, box: Box, observer: CardObserver) -> bool:
    """Whether no card that may still come makes a difference to a wager."""
    first = [look.card[card].number for card in box.dealt[:2]]
    up = look.card[here.dealer.cards[0]].number
    seconds, thirds = (
        [look.card[card].number for card in found]
        for found in (_seconds(look, here), _thirds(look, here, box, observer))
    )
    return observer.decided(first, up, seconds=seconds, thirds=thirds) is not None


def waits_for_second(look: PlainTables, here: Round) -> bool:
    """Whether a wager goes by a second card of the dealer's that is still to come."""
    return any(
        not (observer.looks_at_dealer or observer.looks_at_third)
        and not _is_decided(look, here, box, observer)
        for box, _, observer in open_wagers(look, here)
    )


def wants_third(look: PlainTables, here: Round, box: Box, observer: CardObserver) -> bool:
    """Whether a third card is to be dealt for a wager alone, since the hand draws none.

    It comes when the box's turn has come and gone, also for a natural that stood before.
    """
    if not observer.looks_at_third or not observer.guaranteed or given_up(box):
        return False
    if not _had_its_turn(look, here, box) or third_card(observer, box):
        return False
    return not _is_decided(look, here, box, observer)


def _seconds(look: PlainTables, here: Round) -> Iterator[str]:
    """The cards that may be the dealer's second."""
    dealer = here.dealer
    if len(dealer.cards) > 1:
        yield dealer.cards[1]
        return
    makes = look.dealer_natural[up_symbol(look, here)]
    if dealer.checked and dealer.natural:
        place = natural_place(look, here) or 1
        yield dealer.down[place - 1]
        return
    for card in look.deck:
        if dealer.told and look.told[card] != dealer.told:
            continue
        if not dealer.checked or not makes[look.symbol[card]]:
            yield card


def _thirds(look: PlainTables, here: Round, box: Box, observer: CardObserver) -> Iterator[str]:
    """The cards that may be the third of the first hand; none if it gets no third."""
    if found := third_card(observer, box) if _draws_no_more(look, here, box) else box.third:
        yield found
    elif not _draws_no_more(look, here, box) or (observer.guaranteed and not given_up(box)):
        yield from look.deck


def _had_its_turn(look: PlainTables, here: Round, box: Box) -> bool:
    """Whether a box and all before it have played, or the dealer's natural has ended all."""
    before = here.boxes[: here.boxes.index(box) + 1]
    return all(_draws_no_more(look, here, other, every_hand=True) for other in before)


def _draws_no_more(look: PlainTables, here: Round, box: Box, *, every_hand: bool = False) -> bool:
    """Whether the first hand has ended, or all have; or the dealer's natural has ended all."""
    hands = box.hands if every_hand else box.hands[:1]
    by_natural = here.dealer.natural and here.step >= look.turns_step
    return by_natural or all(hand.ended for hand in hands)
