"""What every legal action is worth for one hand against one up card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from upcard.cards import Card, CardsLike
from upcard.compile.bets import wagers_of
from upcard.compile.context import Action, Phase
from upcard.compile.hands import NONE
from upcard.compile.tables import GameTables
from upcard.compile.typed_cards import cards_of, check_in_shoe, one_card
from upcard.errors import UpcardError
from upcard.pages.page import Printer, Shown
from upcard.solve.lights import lights_aim
from upcard.solve.one_hand import OneHand
from upcard.solve.result import Progress, silent
from upcard.solve.shoeless import shoeless
from upcard.solve.solution import BASE, INSURANCE
from upcard.solve.split import Mode
from upcard.text import counted


@dataclass(frozen=True, repr=False)
class Advice(Shown):
    """Values of the legal actions in base units, the best first.

    `before_check` says whether they hold before the dealer's check (the chance of a natural is in
    them) or after it came up empty. `natural` is the chance that the check finds one, `insurance`
    what a unit of insurance is worth, where it is offered.
    """

    tables: GameTables
    cards: tuple[Card, ...]
    up: Card
    actions: Mapping[Action, float]
    before_check: bool
    natural: float
    insurance: float | None
    mode: Mode
    bet: int
    doubles: int
    ratios: Mapping[str, float]
    light: float
    removed: tuple[Card, ...] = ()

    @property
    def best(self) -> Action:
        """The action that is worth most."""
        return next(iter(self.actions))

    def show(self, out: Printer) -> None:
        """Print what every action is worth on a console or a page."""
        from upcard.solve.advice_page import show_advice

        show_advice(self, out)

    def __repr__(self) -> str:
        values = ", ".join(f"{action.text} {ev:+.4f}" for action, ev in self.actions.items())
        return f"<Advice for {_shown(self.cards)} against {self.up}: {values}>"


def advise(
    tables: GameTables,
    cards: CardsLike,
    up: str | Card,
    *,
    removed: CardsLike = (),
    ratios: Mapping[str, float] | None = None,
    bet: int | None = None,
    doubles: int = 0,
    kept: bool = False,
    checked: bool = False,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Advice:
    """Price every legal action of a hand; `removed` are other cards known to be out of the shoe.

    Cards are text or objects. A bonus card that came last waits for its decision, unless it was
    `kept`. When the dealer has `checked`, whatever is asked before that is over: insurance, early
    surrender, and bonus cards among the first ones, which were kept.

    >>> from upcard import tables_for
    >>> hand = advise(tables_for("blackjack"), "Ts 6d", up="9h")
    >>> hand.best.text, round(hand.actions[hand.best], 4)
    ('surrender', -0.5)
    """
    bet = wagers_of(tables, bet, ratios)[BASE]
    cards, shown, removed = cards_of(tables, cards, up, removed)
    up = one_card(shown, "the up card")
    check_cards(tables, cards, up, removed)
    symbol = tables.alphabet.symbol
    held, top = [symbol(card) for card in cards], symbol(up)
    contexts = shoeless(tables).contexts
    if not 0 <= doubles < len(contexts):
        most = counted(len(contexts) - 1, "double")
        raise UpcardError(f"a hand takes at most {most} in {tables.name}, not {doubles}")
    extra = {wager: ratio for wager, ratio in (ratios or {}).items() if wager in tables.payoffs}
    state = _state(tables, cards, held)
    kept = kept or (checked and shoeless(tables).trades_first and len(cards) == 2)
    while kept and tables.hands.keep[state] != NONE:
        state = int(tables.hands.keep[state])
    progress("hand", 0.0)
    hand = OneHand(
        tables,
        held,
        state,
        top,
        mode=mode,
        removed=[symbol(card) for card in removed],
    )
    aim = replace(lights_aim(hand, bet), extra=extra)
    values, before = hand.values(aim, doubles=doubles, checked=checked)
    progress("hand", 1.0)
    if not values:
        raise UpcardError(f"there is nothing to decide with {_shown(cards)} against {up}")
    ranked = dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))
    return Advice(
        tables=tables,
        cards=tuple(cards),
        up=up,
        actions=ranked,
        before_check=before,
        natural=hand.natural if tables.dealer.checks[top] else 0.0,
        insurance=None if checked else _insurance(hand),
        mode=mode,
        bet=bet,
        doubles=doubles,
        ratios=ratios or {},
        light=aim.lights[0],
        removed=tuple(removed),
    )


def check_cards(
    tables: GameTables, cards: Sequence[Card], up: Card, removed: Sequence[Card]
) -> None:
    """Refuse hands that the shoe cannot hold."""
    check_in_shoe(tables, (*cards, up, *removed))
    if len(cards) < 2:
        raise UpcardError(f"a hand has at least two cards, not {len(cards)}")


def _state(tables: GameTables, cards: Sequence[Card], symbols: Sequence[int]) -> int:
    """The hand's state; bonus cards before the last decision were kept."""
    hands, known = tables.hands, shoeless(tables)
    moves = np.where(known.draws(known.contexts)[:, None], hands.next, NONE)
    state = hands.start
    for number, symbol in enumerate(symbols):
        while moves[state, symbol] == NONE and hands.keep[state] != NONE:
            state = int(hands.keep[state])
        after = int(moves[state, symbol])
        over = after != NONE and hands.bust[after] and not known.busts_matter(None)
        if after == NONE or over:
            shown = _shown(cards[: number + 1])
            last = over or number + 1 == len(cards)
            why = "the hand is over with its last card" if last else "the hand ended before that"
            raise UpcardError(f"there is nothing to decide with {shown}: {why}")
        state = after
    return state


def _insurance(hand: OneHand) -> float | None:
    """What a unit of insurance is worth with this hand."""
    up = hand.above
    if not hand.first_nodes[hand.node] or not hand.may(Phase.INSURANCE, Action.INSURE, up).any():
        return None
    pays = max(float(odds) for odds in hand.tables.payoffs[INSURANCE].odds[0])
    return hand.natural * pays - (1 - hand.natural)


def _shown(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)
