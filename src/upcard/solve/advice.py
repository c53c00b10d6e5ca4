"""What every legal action is worth for one hand against one up card."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

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
from upcard.solve.solution import BASE, INSURANCE, Aim
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
    cards, shown, removed = cards_of(tables, cards, up, removed)
    up = one_card(shown, "the up card")
    _check_cards(tables, cards, up, removed)
    contexts = shoeless(tables).contexts
    if not 0 <= doubles < len(contexts):
        most = counted(len(contexts) - 1, "double")
        raise UpcardError(f"a hand takes at most {most} in {tables.name}, not {doubles}")
    state = _state(tables, cards)
    is_first = len(cards) == tables.round_plan.first_cards and not doubles
    kept = kept or (checked and is_first and shoeless(tables).trades_first)
    while kept and tables.hands.keep[state] != NONE:
        state = int(tables.hands.keep[state])
    return advise_held(
        tables,
        HeldHand(tuple(cards), state, contexts[doubles]),
        up,
        removed=removed,
        ratios=ratios,
        bet=bet,
        checked=checked or not is_first,
        mode=mode,
        progress=progress,
    )


def warm_up(tables: GameTables, stopped: Callable[[], bool] = lambda: False) -> None:
    """Price some hands of a game, so that no later one is the first to need anything.

    These are a hand that can still take many cards, one that cannot, and one with a bonus card,
    against every up card, a pair, and two bonus cards. Then garbage is looked for, which Python
    might do in the middle of a hand otherwise. It is left off when it is `stopped`; once is enough
    for as long as the tables live.
    """
    known = shoeless(tables)
    if known.is_warm:
        return
    symbol, deck = tables.alphabet.symbol, tables.alphabet.cards
    low = [card for card in deck if card.rank in "23456"]
    two = low[0], next(card for card in low if card.rank != low[0].rank)
    stiff = low[-1], next(card for card in deck if card.rank in "9K")
    pair = low[0], next(card for card in low[1:] if card.rank == low[0].rank)
    hands = [
        (hand, up)
        for hand in (two, stiff)
        for up in {symbol(up): up for up in deck if up not in hand}.values()
    ]
    hands.append((pair, deck[-1]))
    for bonus in [card for card in deck if tables.alphabet.symbols[symbol(card)].marked][:1]:
        plain = [card for card in deck if not tables.alphabet.symbols[symbol(card)].marked]
        hands += [((low[0], bonus), up) for up in {symbol(up): up for up in plain}.values()]
        if tables.alphabet.counts[symbol(bonus)] > 1:
            hands.append(((bonus, bonus), low[-1]))
    for hand, up in hands:
        if stopped():
            return
        advise(tables, hand, up)
    gc.collect()
    known.is_warm = True


class HeldHand(NamedTuple):
    """A hand as it lies there: its cards, and its state and context in the tables of the game.

    `traded` are cards that were traded away, `others` those of the box's other hands, `place` the
    hand's own among them. Wagers that ride on the first hand of a box count for that one.
    """

    cards: tuple[Card, ...]
    state: int
    context: int
    traded: tuple[Card, ...] = ()
    others: tuple[Card, ...] = ()
    place: int = 0

    @property
    def other_cards(self) -> tuple[Card, ...]:
        """Cards of the box that are not in the hand."""
        return (*self.others, *self.traded)


def advise_held(
    tables: GameTables,
    held: HeldHand,
    up: Card,
    *,
    removed: Sequence[Card] = (),
    ratios: Mapping[str, float] | None = None,
    bet: int | None = None,
    aim: Aim | None = None,
    checked: bool = True,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Advice:
    """Price every legal action of a hand as it lies there.

    With an `aim` the wagers lie there already: `bet` and `ratios` are not looked at, and lights
    are worth what it says.

    Cards that nobody has seen are exchangeable: whatever other hands of a split still draw, by
    whatever play, leaves this hand and the dealer the same chances. So it can be priced by itself,
    with the others' cards out of the shoe. Only a further split is a matter of the box: its value
    is that of the new hands, and what hands that wait lose by it, as they may then split less
    often. From here on all these are played as CDP or CDP+ says, with the cards that lie there
    known.
    """
    if aim is not None:
        bet, ratios = aim.bet, aim.extra
    else:
        bet = wagers_of(tables, bet, ratios)[BASE]
    symbol, top = tables.alphabet.symbol, tables.alphabet.symbol(up)
    here = tables.contexts.contexts[held.context]
    extra = {wager: ratio for wager, ratio in (ratios or {}).items() if wager in tables.payoffs}
    legal = int(tables.legal.mask[held.state, held.context, top])
    splits_again = here.is_split and bool(legal & tables.effects.splitting)
    if splits_again and mode == "CDZ-":
        raise UpcardError(
            f"{_shown(held.cards)} is not priced in CDZ-: that is no play for a hand of a split by "
            f"itself; take CDP or CDP+"
        )
    progress("hand", 0.0)
    hand = OneHand(
        tables,
        [symbol(card) for card in (*held.cards, *held.traded)],
        held.state,
        top,
        mode=mode if splits_again or not here.is_split else "none",
        removed=[symbol(card) for card in (*held.others, *removed)],
        contexts=tables.contexts.doubled(tables.contexts.contexts.index(here._replace(doubles=0))),
        place=held.place,
    )
    if here.is_split and hand.marked is not None and hand.may_split:
        raise UpcardError(
            f"{_shown(held.cards)} is not priced: pairs that bonus cards may make of the hands "
            f"that wait are not counted in the middle of a split"
        )
    aim = aim or replace(lights_aim(hand, bet), extra=extra)
    values, before = hand.values(aim, doubles=here.doubles, checked=checked)
    progress("hand", 1.0)
    if not values:
        raise UpcardError(f"there is nothing to decide with {_shown(held.cards)} against {up}")
    ranked = dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))
    return Advice(
        tables=tables,
        cards=held.cards,
        up=up,
        actions=ranked,
        before_check=before,
        natural=hand.natural if tables.dealer.checks[top] else 0.0,
        insurance=None if checked else _insurance(hand, bet),
        mode=hand.mode,
        bet=bet,
        doubles=here.doubles,
        ratios=ratios or {},
        light=aim.lights[0],
        removed=(*held.other_cards, *removed),
    )


def _check_cards(
    tables: GameTables, cards: Sequence[Card], up: Card, removed: Sequence[Card]
) -> None:
    """Refuse hands that the shoe cannot hold."""
    check_in_shoe(tables, (*cards, up, *removed))
    first = tables.round_plan.first_cards
    if len(cards) < first:
        raise UpcardError(f"a hand has at least {counted(first, 'card')}, not {len(cards)}")


def _state(tables: GameTables, cards: Sequence[Card]) -> int:
    """The hand's state; bonus cards before the last decision were kept."""
    hands, known = tables.hands, shoeless(tables)
    moves = np.where(known.draws(known.contexts)[:, None], hands.next, NONE)
    state = hands.start
    for number, symbol in enumerate(map(tables.alphabet.symbol, cards)):
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


def _insurance(hand: OneHand, bet: int) -> float | None:
    """What a unit of insurance is worth with this hand, where such a wager may be insured."""
    up = hand.above
    if not hand.tables.settlement.largest(INSURANCE, bet):
        return None
    if not hand.may(Phase.INSURANCE, Action.INSURE, up).any():
        return None
    pays = max(float(odds) for odds in hand.tables.payoffs[INSURANCE].odds[0])
    return hand.natural * pays - (1 - hand.natural)


def _shown(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)
