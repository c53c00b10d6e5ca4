"""A drill: hands of one kind, dealt from full shoes, to be played and judged.

A hand is plain data that says everything about itself, so whoever keeps it may be anybody: what
comes back is looked at like any other hand before it is judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random, SystemRandom

import numpy as np

from upcard.cards import Card
from upcard.coach.advice import (
    DOUBLED,
    HARD,
    INSURANCE,
    KINDS,
    PAIRS,
    RESCUE,
    SOFT,
    SURRENDER,
    TRADES,
    CoachAdvice,
    Mistake,
    Said,
    Why,
    judge,
    kind_of,
    ranked,
)
from upcard.coach.values import EXACT, declined, method_of
from upcard.compile.bets import usual_bet
from upcard.compile.context import Action, Phase, meant
from upcard.compile.deal import Receiver
from upcard.compile.shows import DealerShows, ShowsLike, cards_in, told_in, told_names
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.library.games import Game
from upcard.library.hands import Hand
from upcard.money import BASE, MOST_CENTS
from upcard.solve.advice import Advice
from upcard.text import did_you_mean, listed

_TRIES = 20_000
"""Hands that are dealt before a kind counts as one that never comes."""
_NEAR = 0.3
"""Base wagers by which surrender may be worse than the best, to be worth a thought."""


class DrillHand(Said, frozen=True):
    """A hand to be played: its cards in the order in which they came, and what may be done.

    The last cards came by `doubles`. Unless it is `checked`, the dealer has not looked for a
    natural.
    """

    game: str
    fingerprint: str
    kind: str
    cards: tuple[str, ...]
    up: str
    total: str
    actions: tuple[str, ...]
    wager: int
    phase: str = ""
    doubles: int = 0
    checked: bool = False


class DrillAnswer(Said, frozen=True):
    """What an answer was worth. Of one that is not legal, `why` has the rule and nothing is lost.

    `mistake` is None for the best answer.
    """

    hand: DrillHand
    taken: str
    advice: CoachAdvice
    right: bool = False
    mistake: Mistake | None = None
    why: Why | None = None


def drill_kinds(tables: GameTables) -> tuple[str, ...]:
    """The kinds of hands that a game has.

    >>> from upcard import tables_for
    >>> drill_kinds(tables_for("pure-spanish-21.5"))
    ('hard', 'soft', 'pairs', 'rescue', 'surrender')
    """
    actions = {*tables.actions}
    offered = {
        HARD: True,
        SOFT: True,
        PAIRS: any(action.word == Action.SPLIT.word for action in actions),
        DOUBLED: Action.RESCUE not in actions and _decides_doubled(tables),
        RESCUE: Action.RESCUE in actions,
        TRADES: Action.TRADE in actions,
        INSURANCE: Action.INSURE in actions and _insurable(tables) > 0,
        SURRENDER: Action.SURRENDER in actions,
    }
    return tuple(kind for kind in KINDS if offered.get(kind))


def _decides_doubled(tables: GameTables) -> bool:
    """Whether there is something to decide after a double, bonus cards apart."""
    contexts = enumerate(tables.contexts.contexts)
    doubled = np.array([n for n, one in contexts if one.is_turn and one.doubles], dtype=np.intp)
    plain = np.flatnonzero(tables.hands.pending == 0)
    mask = tables.legal.mask[np.ix_(plain, doubled)].astype(np.int64)
    return bool(((mask & (mask - 1)) != 0).any())


def _insurable(tables: GameTables) -> int:
    """The smallest base wager that can be insured, 0 if none can: a share may be no whole chip."""
    plan, least = tables.money.wagers[BASE], usual_bet(tables)
    most = plan.maximum or MOST_CENTS
    amounts = sorted(plan.amounts) or range(least, most + 1, tables.money.unit)
    return next((one for one in amounts if tables.settlement.largest(INSURANCE, one)), 0)


class Drill:
    """Deals hands of a kind and judges the answers.

    >>> from upcard import tables_for
    >>> drill = Drill(tables_for("blackjack"), "pairs", seed=1)
    >>> hand = drill.next()
    >>> "split" in hand.actions, drill.answer(hand, "trade").right
    (True, False)
    """

    def __init__(self, tables: GameTables, kind: str, seed: int | str | None = None) -> None:
        kinds = drill_kinds(tables)
        if kind not in kinds:
            guess = did_you_mean(kind, kinds)
            raise UpcardError(
                f'{tables.name} has no drill of "{kind}": it has {listed(kinds, "and")}{guess}'
            )
        self.tables = tables
        self.kind = kind
        self.game = Game(tables)
        self.wager = _insurable(tables) if kind == INSURANCE else usual_bet(tables)
        self.dice = SystemRandom() if seed is None else Random(f"drill {seed}")
        self.deck = [card for card in tables.alphabet.cards for _ in range(tables.alphabet.decks)]

    # ------------------------------------------------------------------ dealing

    def next(self) -> DrillHand:
        """A new hand."""
        for _ in range(_TRIES):
            found = self._dealt()
            if found is not None:
                return found
        raise UpcardError(f"{self.tables.name} deals no hands for a drill of {self.kind}")

    def _dealt(self) -> DrillHand | None:
        """A random hand, if it is one of the kind."""
        dice, first = self.dice, self.tables.round_plan.first_cards
        more = doubles = 0
        if self.kind in (RESCUE, DOUBLED):
            more = doubles = dice.choice((1, 1, 1, 2, 2, 3))
        elif self.kind in (HARD, SOFT, TRADES):
            more = dice.choice((0, 0, 0, 1, 1, 2))
        early = self.kind in (INSURANCE, TRADES) or (self.kind == SURRENDER and dice.random() < 0.5)
        dealers = self.tables.round_plan.dealt(Receiver.DEALER, "up")
        tells = bool(self.tables.dealer.shown.told)
        dealt = dice.sample(self.deck, dealers + tells + first + more)
        above, cards = dealt[: dealers + tells], dealt[dealers + tells :]
        up = DealerShows(tuple(above[:dealers]), self._told_of(above[-1]) if tells else "")
        try:
            hand = self._hand(cards, up, doubles=doubles, checked=not early)
            if early and hand.phase == Phase.TURNS:  # nothing was asked before
                early, hand = False, self._hand(cards, up, doubles=doubles, checked=True)
        except UpcardError:  # over before its last card, or a double that is not allowed
            return None
        if len(hand.legal) < 2 or self._kind(hand) != self.kind:
            return None
        return self._told(hand, doubles, checked=not early)

    def _told_of(self, card: Card) -> str:
        """What would be told of a down card."""
        group = int(self.tables.dealer.shown.told_of[self.tables.alphabet.symbol(card)])
        return told_names(self.tables)[group]

    def _hand(self, cards: Sequence[Card], up: ShowsLike, *, doubles: int, checked: bool) -> Hand:
        return self.game.hand(cards, up=up, doubles=doubles, checked=checked)

    def _kind(self, hand: Hand) -> str:
        """The kind of a hand in this drill: where giving up is near, it is one of its own."""
        if self.kind == SURRENDER and Action.SURRENDER in hand.legal:
            values = self._values(hand)
            best = max(values.values())
            return SURRENDER if best - values[Action.SURRENDER.text] < _NEAR else ""
        box = hand.hands[hand.current]
        legal = sum(action.bit for action in hand.legal)
        return kind_of(self.tables, hand.phase, box.state, box.context, legal)

    def _told(self, hand: Hand, doubles: int, *, checked: bool) -> DrillHand:
        return DrillHand(
            game=self.tables.id,
            fingerprint=self.tables.fingerprint,
            kind=self.kind,
            cards=tuple(map(str, hand.cards)),
            up=str(hand.shows),
            total=f"{'soft ' if hand.soft else ''}{hand.total:g}",
            actions=hand.legal.texts,
            wager=self.wager,
            phase=hand.phase,
            doubles=doubles,
            checked=checked,
        )

    # ------------------------------------------------------------------ judging

    def answer(self, hand: DrillHand, action: str) -> DrillAnswer:
        """What an action was worth; a hand that this drill never dealt is refused."""
        dealt = self.again(hand)
        wanted = meant(Action.parse(action), dealt.legal)
        advice = self.advise(dealt, hand)
        if wanted not in dealt.legal:
            reason = dealt.why(wanted)
            why = Why(action=wanted.text, words=reason.refusal, clauses=tuple(reason.clauses))
            return DrillAnswer(hand=hand, taken=wanted.text, advice=advice, why=why)
        mistake = judge(advice, wanted)
        return DrillAnswer(
            hand=hand, taken=wanted.text, advice=advice, right=mistake is None, mistake=mistake
        )

    def again(self, hand: DrillHand) -> Hand:
        """The hand that a drill has dealt, or a refusal of one that it never would."""
        strange = UpcardError("this is no hand of this drill")
        if hand.fingerprint != self.tables.fingerprint or hand.kind != self.kind:
            raise strange
        if len(hand.cards) > len(self.deck):
            raise strange
        cards = list(map(Card.parse, hand.cards))
        up = DealerShows(tuple(map(Card.parse, cards_in(hand.up))), told_in(hand.up))
        if up.told and up.told not in told_names(self.tables):
            raise strange
        dealt = self._hand(cards, up, doubles=hand.doubles, checked=hand.checked)
        if len(dealt.legal) < 2 or self._kind(dealt) != self.kind:
            raise strange
        if self._told(dealt, hand.doubles, checked=hand.checked) != hand:
            raise strange
        return dealt

    def advise(self, hand: Hand, told: DrillHand) -> CoachAdvice:
        """Every action of a dealt hand, priced."""
        found = hand.advise(bet=self.wager)
        insures = hand.phase == Phase.INSURANCE
        largest = self.tables.settlement.largest
        wager = largest(INSURANCE, self.wager) if insures else self.wager
        method = EXACT if insures else method_of(self.tables, found, hand.hands[0].state)
        return CoachAdvice(
            game=self.tables.id,
            phase=hand.phase,
            kind=self.kind,
            cards=told.cards,
            total=told.total,
            up=told.up,
            doubles=told.doubles,
            wager=wager,
            of="the insurance" if insures else "the base wager",
            actions=ranked(self._values(hand, found), wager),
            method=method,
            exact=method == EXACT,
            before_check=insures or found.before_check,
            natural=found.natural if insures or found.before_check else None,
            unseen=len(self.deck) - len(told.cards) - len(cards_in(told.up)),
        )

    def _values(self, hand: Hand, known: Advice | None = None) -> Mapping[str, float]:
        """What the legal actions are worth, in wagers."""
        found = known or hand.advise(bet=self.wager)
        if hand.phase == Phase.INSURANCE:
            assert found.insurance is not None
            return {a.text: found.insurance if a is Action.INSURE else 0.0 for a in hand.legal}
        values = dict(found.actions)
        if hand.phase == Phase.EARLY_SURRENDER:
            turn = self._hand(hand.cards, hand.shows, doubles=0, checked=True).advise(
                bet=self.wager
            )
            values[Action.DECLINE] = declined(found, turn)
        return {action.text: values[action] for action in hand.legal}
