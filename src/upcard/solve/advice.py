"""What every legal action is worth for one hand against one up card."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from upcard.cards import Card, CardsLike
from upcard.compile.bets import wagers_of
from upcard.compile.context import Action, Phase
from upcard.compile.hands import NONE
from upcard.compile.shows import DealerShows, ShowsLike, cards_shown, shows_of, told_names
from upcard.compile.tables import GameTables
from upcard.compile.typed_cards import cards_of, check_in_shoe, suits_said
from upcard.errors import UpcardError
from upcard.pages.page import Printer, Shown
from upcard.solve.given_up import check_adapted
from upcard.solve.lights import lights_aim
from upcard.solve.one_hand import OneHand
from upcard.solve.result import Progress, silent
from upcard.solve.shoeless import shoeless
from upcard.solve.solution import BASE, INSURANCE, Aim
from upcard.solve.split import Mode
from upcard.solve.suits import KnownSuits
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
    shows: DealerShows
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
    def up(self) -> Card:
        """The dealer's up card."""
        return self.shows.up

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
        return f"<Advice for {_shown(self.cards)} against {self.shows}: {values}>"


def advise(
    tables: GameTables,
    cards: CardsLike,
    up: ShowsLike,
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
    face_up, told = cards_shown(tables, up)
    said = suits_said(cards)
    others_said = (*suits_said(face_up), *suits_said(removed))
    cards, shown, removed = cards_of(tables, cards, face_up, removed)
    others = zip((*shown, *removed), others_said, strict=True)
    unsuited = [card for card, is_said in others if not is_said]
    shows = shows_of(tables, shown, told)
    _check_cards(tables, cards, shows, removed)
    contexts = shoeless(tables).contexts
    contexts = tuple(c for c in contexts if not tables.contexts.contexts[c].free_doubles)
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
        HeldHand(tuple(cards), state, contexts[doubles], suits_known=all(said)),
        shows,
        removed=removed,
        ratios=ratios,
        bet=bet,
        unsuited=unsuited,
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
    hands = [(hand, shows) for hand in (two, stiff) for shows in _all_shown(tables, without=hand)]
    hands.append((pair, hands[-1][1]))
    for bonus in [card for card in deck if tables.alphabet.symbols[symbol(card)].marked][:1]:
        hands += [((low[0], bonus), shows) for shows in _all_shown(tables, without=(low[0], bonus))]
        if tables.alphabet.counts[symbol(bonus)] > 1:
            hands.append(((bonus, bonus), hands[0][1]))
    for hand, shows in hands:
        if stopped():
            return
        advise(tables, hand, shows)
    gc.collect()
    known.is_warm = True


def _all_shown(tables: GameTables, without: Sequence[Card]) -> list[DealerShows]:
    """All that a dealer can show and still ask players, with cards that are not in a hand."""
    shown, told = tables.dealer.shown, told_names(tables)
    card_of = {tables.alphabet.symbol(c): c for c in tables.alphabet.cards if c not in without}
    found = []
    for number, up in enumerate(shown.up.tolist()):
        second = shown.seconds[number][0]
        if up not in card_of or second not in card_of or shoeless(tables).dealer.is_natural(number):
            continue
        cards = (card_of[up], card_of[second]) if shown.face_up else (card_of[up],)
        found.append(DealerShows(cards, told[shown.told_of[second]] if told else ""))
    return found


class HeldHand(NamedTuple):
    """A hand as it lies there: its cards, and its state and context in the tables of the game.

    `traded` are cards that were traded away, `others` those of the box's other hands, `place` the
    hand's own among them; of the others, `waiting` are the cards of hands behind it, which have one
    each, and `markers` says which of these have the house's marker. Wagers that ride on the first
    hand of a box count for that one. Without `suits_known` some card's suit was not said, and the
    one that it has says nothing.
    """

    cards: tuple[Card, ...]
    state: int
    context: int
    traded: tuple[Card, ...] = ()
    others: tuple[Card, ...] = ()
    place: int = 0
    suits_known: bool = True
    waiting: tuple[Card, ...] = ()
    markers: tuple[bool, ...] | None = None

    @property
    def other_cards(self) -> tuple[Card, ...]:
        """Cards of the box that are not in the hand."""
        return (*self.others, *self.traded)


def advise_held(
    tables: GameTables,
    held: HeldHand,
    shows: DealerShows,
    *,
    removed: Sequence[Card] = (),
    ratios: Mapping[str, float] | None = None,
    bet: int | None = None,
    aim: Aim | None = None,
    unsuited: Collection[Card] = (),
    checked: bool = True,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Advice:
    """Price every legal action of a hand as it lies there.

    With an `aim` the wagers lie there already: `bet` and `ratios` are not looked at, and lights
    are worth what it says. Where a bonus goes by suits, those of the hand count that are known, for
    a split too (see `split_suits`); of `unsuited` cards the suit was not said.

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
        check_adapted(tables, ratios or ())
    symbol, top = tables.alphabet.symbol, shows.number(tables)
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
        contexts=tables.contexts.doubled(
            tables.contexts.contexts.index(here._replace(doubles=0, free_doubles=0))
        ),
        place=held.place,
        markers=held.markers,
    )
    if here.is_split and hand.marked is not None and hand.may_split:
        raise UpcardError(
            f"{_shown(held.cards)} is not priced: pairs that bonus cards may make of the hands "
            f"that wait are not counted in the middle of a split"
        )
    aim = aim or replace(lights_aim(hand, bet), extra=extra)
    known = Counter((*held.other_cards, *shows.cards, *removed))
    known.subtract(unsuited)
    suits = None
    if held.suits_known:
        suits = KnownSuits.of(held.cards, known.elements(), held.waiting)
    values, before = hand.values(aim, doubles=here.level, checked=checked, suits=suits)
    progress("hand", 1.0)
    if not values:
        raise UpcardError(f"there is nothing to decide with {_shown(held.cards)} against {shows}")
    ranked = dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))
    return Advice(
        tables=tables,
        cards=held.cards,
        shows=shows,
        actions=ranked,
        before_check=before,
        natural=hand.natural if tables.dealer.checks[symbol(shows.up)] else 0.0,
        insurance=None if checked else _insurance(hand, bet),
        mode=hand.mode,
        bet=bet,
        doubles=here.doubles,
        ratios=ratios or {},
        light=aim.lights[0],
        removed=(*held.other_cards, *removed),
    )


def _check_cards(
    tables: GameTables, cards: Sequence[Card], shows: DealerShows, removed: Sequence[Card]
) -> None:
    """Refuse hands that the shoe cannot hold."""
    check_in_shoe(tables, (*cards, *shows.cards, *removed))
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
    pays = float(hand.tables.payoffs[INSURANCE].won_under(int(hand.shown.up[up])))
    return hand.natural * pays - (1 - hand.natural)


def _shown(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)
