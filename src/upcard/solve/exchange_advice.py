"""What an exchange of cards between two boxes is worth, for the cards that lie there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from upcard.cards import Card, CardsLike
from upcard.compile.bets import wagers_of
from upcard.compile.context import Action, Phase
from upcard.compile.tables import GameTables
from upcard.compile.typed_cards import cards_of, check_in_shoe, one_card
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.pages.page import Printer, Shown
from upcard.solve.one_hand import OneHand
from upcard.solve.solution import Aim
from upcard.solve.split import Mode
from upcard.solve.two_boxes import check_two_boxes

HAND = 2
"""Cards of a hand when cards are exchanged."""


class BoxValue(NamedTuple):
    """A box as it would lie: its cards, what it is worth in its wagers, and what is done first."""

    cards: tuple[Card, ...]
    ev: float
    best: Action


@dataclass(frozen=True, repr=False)
class ExchangeAdvice(Shown):
    """What every answer is worth to both boxes together, in wagers of one box, the best first.

    `boxes[answer]` are the two boxes then. `natural` is the chance that the dealer's check found
    one, seen before it; the values are for a check that found none.
    """

    tables: GameTables
    dealt: tuple[tuple[Card, ...], tuple[Card, ...]]
    up: Card
    actions: Mapping[Action, float]
    boxes: Mapping[Action, tuple[BoxValue, BoxValue]]
    natural: float
    mode: Mode
    bet: int
    removed: tuple[Card, ...] = ()

    @property
    def best(self) -> Action:
        """The answer that is worth most."""
        return next(iter(self.actions))

    def show(self, out: Printer) -> None:
        """Print what every answer is worth on a console or a page."""
        from upcard.solve.exchange_page import show_exchange

        show_exchange(self, out)

    def __repr__(self) -> str:
        values = ", ".join(f"{action.text} {ev:+.4f}" for action, ev in self.actions.items())
        boxes = " / ".join(" ".join(map(str, cards)) for cards in self.dealt)
        return f"<ExchangeAdvice for {boxes} against {self.up}: {values}>"


def advise_exchange(
    tables: GameTables,
    one: CardsLike,
    other: CardsLike,
    up: str | Card,
    *,
    removed: CardsLike = (),
    bet: int | None = None,
    mode: Mode = "CDP",
) -> ExchangeAdvice:
    """Price the exchange of the second cards of two boxes, after the dealer's check.

    >>> from upcard import tables_for
    >>> advice = advise_exchange(tables_for("blackjack-switch"), "Ts 6d", "5h Tc", up="6c")
    >>> advice.best.text, [" ".join(map(str, box.cards)) for box in advice.boxes[advice.best]]
    ('switch', ['Ts Tc', '5h 6d'])
    """
    first, second, shown, gone = cards_of(tables, one, other, up, removed)
    for cards in (first, second):
        if len(cards) != HAND:
            raise UpcardError(f"a box has two cards when cards are exchanged, not {len(cards)}")
    top = one_card(shown, "the up card")
    check_in_shoe(tables, (*first, *second, top, *gone))
    bet = wagers_of(tables, bet, {})[BASE]
    return exchange_values(
        tables, tuple(first), tuple(second), top, removed=gone, aim=Aim(bet=bet), mode=mode
    )


def exchange_values(
    tables: GameTables,
    one: tuple[Card, ...],
    other: tuple[Card, ...],
    up: Card,
    *,
    removed: Sequence[Card],
    aim: Aim,
    mode: Mode,
) -> ExchangeAdvice:
    """The same of cards that are known to be in the shoe."""
    if not tables.round_plan.exchanges:
        raise UpcardError(f"boxes of {tables.name} do not exchange cards")
    check_two_boxes(tables)
    symbol = tables.alphabet.symbol
    natural = 0.0

    def priced(own: tuple[Card, ...], others: tuple[Card, ...], action: Action) -> BoxValue:
        nonlocal natural
        state = tables.hands.after(*map(symbol, own))
        if action in offers:
            state = int(tables.effects.leads[action, state])
        held, gone = [*map(symbol, own)], [*map(symbol, (*others, *removed))]
        hand = OneHand(tables, held, state, symbol(up), mode=mode, removed=gone)
        natural = hand.natural if tables.dealer.checks[symbol(up)] else 0.0
        values = hand.values(aim, checked=True).actions
        best = max(values, key=lambda found: (values[found], -found))
        return BoxValue(own, values[best], best)

    step = tables.round_plan.step(Phase.EXCHANGE)
    offers = step.offers
    boxes: dict[Action, tuple[BoxValue, BoxValue]] = {}
    for action in tables.legal.actions(
        tables.hands.after(*map(symbol, one)), step.context, symbol(up)
    ):
        first, second = one, other
        if action in offers:
            first, second = (one[0], other[1]), (other[0], one[1])
        boxes[action] = priced(first, second, action), priced(second, first, action)
    worth = {action: sum(box.ev for box in both) for action, both in boxes.items()}
    ranked = dict(sorted(worth.items(), key=lambda item: (-item[1], item[0])))
    return ExchangeAdvice(
        tables=tables,
        dealt=(one, other),
        up=up,
        actions=ranked,
        boxes=boxes,
        natural=natural,
        mode=mode,
        bet=aim.bet,
        removed=tuple(removed),
    )
