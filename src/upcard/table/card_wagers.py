"""Side wagers by rows of conditions that are settled as soon as their cards are known."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.compile.card_observer import CardObserver
from upcard.table.plain_tables import PlainTables
from upcard.table.settle import given_up, natural_place, third_card, up_symbol
from upcard.table.state import Box, Round, SideBet


def open_wagers(look: PlainTables, here: Round) -> Iterator[tuple[Box, SideBet, CardObserver]]:
    """The wagers that are settled as soon as their cards are known, box by box."""
    for box in here.boxes:
        for bet in box.sides if not box.dead else ():
            observer = look.settlement[bet.wager].observer
            if bet.settled is not None or not isinstance(observer, CardObserver):
                continue
            if observer.settled.as_known:
                yield box, bet, observer


def is_known(look: PlainTables, here: Round, box: Box, observer: CardObserver) -> bool:
    """Whether no card that may still come makes a difference to a wager."""
    first = [look.card[card].number for card in box.dealt[:2]]
    up = look.card[here.dealer.cards[0]].number
    seconds, thirds = (
        [look.card[card].number for card in found]
        for found in (_seconds(look, here), _thirds(look, here, box, observer))
    )
    return observer.decided(first, up, seconds=seconds, thirds=thirds) is not None


def wants_third(look: PlainTables, here: Round, box: Box, observer: CardObserver) -> bool:
    """Whether a third card is to be dealt for a wager alone, since the hand draws none."""
    if not observer.looks_at_third or not observer.guaranteed or given_up(box):
        return False
    return _draws_no_more(look, here, box) and not third_card(observer, box)


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
        if not dealer.checked or not makes[look.symbol[card]]:
            yield card


def _thirds(look: PlainTables, here: Round, box: Box, observer: CardObserver) -> Iterator[str]:
    """The cards that may be the third of the first hand; none if it gets no third."""
    if found := third_card(observer, box) if _draws_no_more(look, here, box) else box.third:
        yield found
    elif not _draws_no_more(look, here, box) or (observer.guaranteed and not given_up(box)):
        yield from look.deck


def _draws_no_more(look: PlainTables, here: Round, box: Box) -> bool:
    """Whether the first hand has ended, or the dealer's natural has ended all."""
    return bool(box.hands[0].ended) or (here.dealer.natural and here.step >= look.turns_step)
