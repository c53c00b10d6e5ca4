"""The hand automaton: what a player's hand is, card by card.

A state is the product of the trackers plus what concerns marked cards: how many of them wait for
the player's decision (`pending`), and whether a replacement is still to come (`owed`). The
trackers see a marked card only when it is kept, and then as a plain one, so that a trade needs
no undoing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.alphabet import Alphabet, Symbol
from upcard.compile.arrays import frozen
from upcard.compile.bonuses import BonusRows, class_names, most_counted
from upcard.compile.ends import DEALT_ALIKE, EndKind
from upcard.compile.exchanges import exchanges, replaces, trades
from upcard.compile.minimise import equivalent
from upcard.compile.trackers import (
    MADE,
    BonusTracker,
    CountTracker,
    Missing,
    NamedHands,
    NaturalTracker,
    PairTracker,
    Total,
    TotalTracker,
    Tracker,
)
from upcard.rules.final_hands import asks_totals, cards_told_apart
from upcard.rules.hand_conditions import hands_told_apart, takes_in
from upcard.rules.schema import GameRules
from upcard.rules.section import AS_DEALT

CHARLIE = EndKind.CHARLIE.value
"""The class of a hand that wins by its number of cards; its total follows where that counts."""
FIRST_CARDS = 2
"""Cards that a hand has before anything can be decided about it."""
NONE = -1
"""No such move, pair or class."""


class Core(NamedTuple):
    """The trackers' states over the cards that are decided."""

    total: Total
    cards: int
    pair: tuple[str, str]
    natural: str
    bonus: NamedHands = NamedHands((), barred=False)


class TrackedHand(NamedTuple):
    """`owed` cards are to come for some that were put away; a hand with `as_dealt` cards may still
    be exchanged as a whole.
    """

    core: Core
    pending: int
    owed: int
    as_dealt: bool = False


class Label(NamedTuple):
    """Everything that can be seen of a state. Totals are in half points."""

    total: int
    soft: bool
    cards: int
    pair: str
    natural: bool
    apart: str
    """What its first two cards tell it from others by: the class that it ends as."""
    pending: int
    owed: int
    bust: bool
    bonus: tuple[int, ...] = ()
    """The rows of bonuses that its ranks fit."""
    named: tuple[Missing, ...] = ()
    """What is there of the hands that bonuses name."""


@dataclass(frozen=True)
class HandAutomaton:
    """States of a player's hand.

    `next[state, symbol]` is the state after a card. `keep`, `trade` and `split_to` lead on from
    states in which a marked card is pending or which are a pair; `exchanged` to the same two cards
    if one of them came from another box, `replaced` to that of two cards still to come for both,
    `aces_low` to a state in which aces count their lower value and a card is owed.
    `player_class` is the final class of the hand if it ends there. `light[state, symbol]` counts
    lights that come by themselves with a card. `bonus_rows[class]` are the bonuses that the ranks
    of such a hand fit, and `paid_out[state]` says that one ends the hand. Moves and classes that do
    not exist are -1.
    """

    start: int
    next: npt.NDArray[np.int16]
    keep: npt.NDArray[np.int16]
    trade: npt.NDArray[np.int16]
    split_to: npt.NDArray[np.int16]
    exchanged: npt.NDArray[np.int16]
    replaced: npt.NDArray[np.int16]
    aces_low: npt.NDArray[np.int16]
    pair_symbol: npt.NDArray[np.int16]
    total: npt.NDArray[np.int16]
    soft: npt.NDArray[np.bool_]
    cards: npt.NDArray[np.int16]
    natural: npt.NDArray[np.bool_]
    bust: npt.NDArray[np.bool_]
    pending: npt.NDArray[np.int16]
    owed: npt.NDArray[np.bool_]
    light: npt.NDArray[np.int16]
    player_class: npt.NDArray[np.int16]
    class_names: tuple[str, ...]
    bonus_rows: tuple[BonusRows, ...]
    paid_out: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.total)

    def after(self, *symbols: int, start: int | None = None) -> int:
        """The state after some cards."""
        state = self.start if start is None else start
        for symbol in symbols:
            state = int(self.next[state, symbol])
        return state

    @property
    def settled_class(self) -> npt.NDArray[np.int16]:
        """The class of every state if the hands end at once, pending cards being kept."""
        after = np.arange(len(self), dtype=np.int16)
        while (self.keep[after] >= 0).any():
            after = np.where(self.keep[after] >= 0, self.keep[after], after)
        return self.player_class[after]


class HandBuilder:
    """Explores every hand that the rules let arise."""

    def __init__(self, game: GameRules, alphabet: Alphabet) -> None:
        self.game = game
        self.alphabet = alphabet
        self.over = round(2 * game.count.over)
        self.total = TotalTracker(over=self.over)
        self.counted, _ = cards_told_apart(game)
        self.trackers: tuple[Tracker, ...] = (
            self.total,
            CountTracker(
                most=max(
                    3,
                    game.player.stands_at_cards,
                    game.player.charlie,
                    hands_told_apart(game.double.only, game.surrender.only),
                    most_counted(game.bonuses),
                    self.counted,
                )
            ),
            PairTracker(),
            NaturalTracker(
                after_split=game.natural.after_split,
                after_trade=game.exchange.makes_natural
                or (game.bonus_card is None and game.exchange.cards == "none"),
                split_ten_apart=game.ties is not None and game.ties.split_ten_ace == "none",
                alike_apart=alike_apart(game),
            ),
            BonusTracker(game.bonuses),
        )
        self.bonus = BonusTracker(game.bonuses)
        self.charlies_count = asks_totals(game) or (
            game.ties is not None and game.ties.charlie == "ties"
        )
        self.trades = trades(game)
        self.marked = [symbol for symbol in alphabet.symbols if symbol.marked]

    def build(self) -> HandAutomaton:
        start = self.fresh(split=False)
        hands = [start]
        known = {start: 0}
        moves: list[list[int]] = []
        while len(moves) < len(hands):
            row = []
            for target in self.moves(hands[len(moves)]):
                if target is not None and target not in known:
                    known[target] = len(hands)
                    hands.append(target)
                row.append(NONE if target is None else known[target])
            moves.append(row)
        return self._arrays(hands, moves)

    def fresh(self, *, split: bool) -> TrackedHand:
        core = Core(*(tracker.start(split=split) for tracker in self.trackers))
        return TrackedHand(core, 0, owed=0, as_dealt=not split and replaces(self.game))

    def moves(self, hand: TrackedHand) -> Iterator[TrackedHand | None]:
        """Where every symbol, keep, trade, split and both exchanges lead, and a double with low
        aces.
        """
        goes_on = self._may_get_cards(hand)
        for symbol in self.alphabet.symbols:
            yield self.dealt(hand, symbol) if goes_on else None
        deciding = hand.pending > 0 and not hand.owed and hand.core.cards + hand.pending >= 2
        yield self._kept(hand) if deciding else None
        yield self._traded(hand) if deciding else None
        yield self._split(hand)
        yield self._exchanged(hand)
        yield self._replaced(hand)
        yield self._aces_low(hand) if goes_on else None

    def _exchanged(self, hand: TrackedHand) -> TrackedHand | None:
        """Two cards, the second of another box: what they are apart from a natural is the same."""
        if not exchanges(self.game) or hand.core.cards != 2:
            return None
        kept = self.game.exchange.makes_natural
        return hand if kept else hand._replace(core=hand.core._replace(natural="no"))

    def _replaced(self, hand: TrackedHand) -> TrackedHand | None:
        """Both cards gone, and two to come: they are exchanged no more."""
        if not hand.as_dealt or hand.core.cards != FIRST_CARDS:
            return None
        found, only = self.label(hand), self.game.exchange.only
        fitting = (
            takes_in(one, total=found.total / 2, soft=found.soft, cards=found.cards) for one in only
        )
        if found.natural or (only and not any(fitting)):
            return None
        core = Core(*(tracker.start(split=False) for tracker in self.trackers))
        if self.game.exchange.natural_pays != AS_DEALT:
            core = core._replace(natural=MADE)
        return TrackedHand(core, 0, owed=FIRST_CARDS)

    def _aces_low(self, hand: TrackedHand) -> TrackedHand | None:
        """The hand as it doubles, where its aces then count low."""
        if self.game.double.aces == "either" or hand.owed or hand.core.cards < FIRST_CARDS:
            return None
        low = hand.core.total.low
        core = hand.core._replace(
            total=Total(low, low, soft=False), pair=("over", ""), natural="no"
        )
        return hand._replace(core=core, owed=1)

    def dealt(self, hand: TrackedHand, symbol: Symbol) -> TrackedHand:
        if self._is_tradable(hand, symbol):
            return hand._replace(pending=hand.pending + 1, owed=0)
        return self._with(hand, symbol, replaced=hand.owed > 0)

    def _is_tradable(self, hand: TrackedHand, symbol: Symbol) -> bool:
        if not symbol.marked or not self.trades:
            return False
        if hand.owed and not self.game.exchange.again:
            return False
        return self._total(hand, extra=symbol).low <= self.over

    def _with(self, hand: TrackedHand, symbol: Symbol, *, replaced: bool) -> TrackedHand:
        core = Core._make(
            [
                tracker.step(state, symbol, replaced=replaced)
                for tracker, state in zip(self.trackers, hand.core, strict=True)
            ]
        )
        if core.total.low > self.over:
            core = Core(core.total, 0, ("over", ""), "no")
        return hand._replace(core=core, owed=max(0, hand.owed - 1))

    def _kept(self, hand: TrackedHand) -> TrackedHand:
        plain = self._plain(self.marked[0])
        return self._with(hand._replace(pending=hand.pending - 1), plain, replaced=False)

    def _traded(self, hand: TrackedHand) -> TrackedHand:
        """One marked card is gone; where one is the most, another of the first two stays."""
        if hand.pending > 1 and self.game.exchange.first_two == "one":
            hand = self._kept(hand)
        return hand._replace(pending=hand.pending - 1, owed=1)

    def _plain(self, symbol: Symbol) -> Symbol:
        number = self.alphabet.symbols.index(symbol)
        return self.alphabet.symbols[int(self.alphabet.plain[number])]

    def _split(self, hand: TrackedHand) -> TrackedHand | None:
        if not self._is_pair(hand):
            return None
        symbol = self.alphabet.symbols[self._pair_symbol(hand.core.pair[1])]
        return self._with(self.fresh(split=True), symbol, replaced=False)

    def _is_pair(self, hand: TrackedHand) -> bool:
        allowed = self.game.split.on != "none" and self.game.split.max_hands > 1
        if hand.core.pair[0] == "pair" and self.game.split.never:
            ranks = self.alphabet.symbols[self._pair_symbol(hand.core.pair[1])].ranks
            allowed &= set(ranks).isdisjoint(self.game.split.never)
        return allowed and hand.core.pair[0] == "pair" and not hand.pending and not hand.owed

    def _pair_symbol(self, group: str) -> int:
        return next(
            number
            for number, symbol in enumerate(self.alphabet.symbols)
            if symbol.pair_group == group and not symbol.marked
        )

    def _may_get_cards(self, hand: TrackedHand) -> bool:
        total = self._total(hand)
        if total.low > self.over:
            return False
        if hand.owed or hand.core.cards + hand.pending < 2:
            return True
        stop = self.game.player.stands_at_cards
        limit = self.game.player.charlie
        return not (
            hand.pending
            or hand.core.natural in ("natural", EndKind.MADE_NATURAL.value)
            or total.best == 2 * self.game.player.stands_at
            or (stop and hand.core.cards >= stop)
            or (limit and hand.core.cards >= limit)
            # A hand that is doubled again and again gets no bonus, and goes on.
            or (self.game.double.times == 1 and self._is_paid_out(self.label(hand)))
        )

    def _is_paid_out(self, label: Label) -> bool:
        """Whether a bonus ends such a hand, whatever its suits."""
        rules = self.game.bonuses
        if rules is None or label.pending or label.owed:
            return False
        return any(rules.rows[row].ends and rules.rows[row].suits is None for row in label.bonus)

    def _total(self, hand: TrackedHand, extra: Symbol | None = None) -> Total:
        """The total with pending cards, which count like any other until they are traded."""
        total = hand.core.total
        for symbol in (*self.marked[:1] * hand.pending, *((extra,) if extra else ())):
            total = self.total.step(total, symbol, replaced=False)
        return total

    def label(self, hand: TrackedHand) -> Label:
        total = self._total(hand)
        natural = hand.core.natural == "natural" and not hand.owed and not hand.pending
        best = round(2 * self.game.natural.total) if natural else total.best
        cards = hand.core.cards + hand.pending
        bonus: tuple[int, ...] = ()
        if cards >= FIRST_CARDS and total.low <= self.over:
            bonus = self.bonus.rows(
                hand.core.bonus, total=best / 2, cards=hand.core.cards, natural=natural
            )
        return Label(
            total=best,
            soft=total.soft,
            cards=cards,
            pair=hand.core.pair[1] if self._is_pair(hand) else "",
            natural=natural,
            apart=hand.core.natural if hand.core.natural in _TOLD_APART else "",
            pending=hand.pending,
            owed=hand.owed,
            bust=total.low > self.over,
            bonus=bonus,
            named=hand.core.bonus.missing,
        )

    def _class_name(self, label: Label) -> str | None:
        """The final class of a hand; None where no hand can end."""
        limit = self.game.player.charlie
        if label.bust:
            return "bust"
        if label.owed or label.pending or label.cards < 2:
            return None
        if label.natural:
            return "natural"
        if limit and label.cards >= limit:
            return f"{CHARLIE}-{total_name(label.total)}" if self.charlies_count else CHARLIE
        if label.apart or not self.counted:
            return label.apart or total_name(label.total)
        return counted_name(label.total, label.cards, self.counted)

    def _arrays(self, hands: list[TrackedHand], moves: list[list[int]]) -> HandAutomaton:
        labels = [self.label(hand) for hand in hands]
        merged = equivalent(labels, moves)
        first = [merged.index(number) for number in range(max(merged) + 1)]
        rows = [[merged[t] if t >= 0 else NONE for t in moves[state]] for state in first]
        labels = [labels[state] for state in first]
        names = [self._class_name(label) for label in labels]
        rows_of: dict[str, BonusRows] = {}
        if self.game.bonuses is not None:
            fitting = [
                BonusRows(label.bonus, name) if name else None
                for label, name in zip(labels, names, strict=True)
            ]
            called = class_names(self.game.bonuses, [one for one in fitting if one])
            names = [called[one] if one else None for one in fitting]
            rows_of = {called[one]: one for one in fitting if one}

        def in_order(name: str) -> tuple[float, ...]:
            """Classes of a bonus behind those of the same hand without it."""
            one = rows_of.get(name)
            if one is None or not one.rows:
                return _class_order(name)
            return (*_class_order(one.ordinary), *one.rows)

        ends = tuple(sorted({name for name in names if name}, key=in_order))
        width = len(self.alphabet)
        table = np.array(rows, dtype=np.int16)

        def column(values: list[int]) -> npt.NDArray[np.int16]:
            return frozen(np.array(values, dtype=np.int16))

        def flags(values: list[bool]) -> npt.NDArray[np.bool_]:
            return frozen(np.array(values, dtype=np.bool_))

        return HandAutomaton(
            start=merged[0],
            next=frozen(table[:, :width].copy()),
            keep=frozen(table[:, width].copy()),
            trade=frozen(table[:, width + 1].copy()),
            split_to=frozen(table[:, width + 2].copy()),
            exchanged=frozen(table[:, width + 3].copy()),
            replaced=frozen(table[:, width + 4].copy()),
            aces_low=frozen(table[:, width + 5].copy()),
            pair_symbol=column([self._pair_symbol(lb.pair) if lb.pair else NONE for lb in labels]),
            total=column([lb.total for lb in labels]),
            soft=flags([lb.soft for lb in labels]),
            cards=column([lb.cards for lb in labels]),
            natural=flags([lb.natural for lb in labels]),
            bust=flags([lb.bust for lb in labels]),
            pending=column([lb.pending for lb in labels]),
            owed=flags([lb.owed > 0 for lb in labels]),
            light=frozen(self._lights(labels, table[:, :width])),
            player_class=column([ends.index(name) if name else NONE for name in names]),
            class_names=ends,
            bonus_rows=tuple(rows_of.get(name, BonusRows((), name)) for name in ends),
            paid_out=flags([self._is_paid_out(label) for label in labels]),
        )

    def _lights(self, labels: list[Label], moves: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """One light for every playable marked card where trading is not allowed."""
        lights = np.zeros(moves.shape, dtype=np.int16)
        if self.game.bonus_card is not None and not self.trades:
            for number, symbol in enumerate(self.alphabet.symbols):
                if symbol.marked:
                    targets = moves[:, number]
                    playable = [t >= 0 and not labels[t].bust for t in targets]
                    lights[:, number] = playable
        return lights


def total_name(total: int) -> str:
    """A total in half points as people say it.

    >>> total_name(34), total_name(43)
    ('17', '21.5')
    """
    return str(total // 2) if total % 2 == 0 else f"{total / 2:.1f}"


def counted_name(total: int, cards: int, most: int) -> str:
    """The class of a total, where hands of so many cards and more are alike.

    >>> counted_name(42, 3, 5), counted_name(42, 7, 5)
    ('21, 3 cards', '21, 5 cards or more')
    """
    more = " or more" if cards >= most else ""
    return f"{total_name(total)}, {min(cards, most)} cards{more}"


def points(total: int) -> int | float:
    """A total in half points as a number.

    >>> points(34), points(43)
    (17, 21.5)
    """
    return total // 2 if total % 2 == 0 else total / 2


def alike_apart(game: GameRules) -> tuple[str, ...]:
    """The first two cards of one kind that a dealer's 22 tells from others of their total."""
    if game.dealer.on_22 != "push":
        return ()
    return tuple(kind.value for kind in DEALT_ALIKE if kind.value in game.dealer.paid_on_22)


_TOLD_APART = (
    EndKind.SPLIT_TEN_ACE.value,
    *(kind.value for kind in DEALT_ALIKE),
    EndKind.MADE_NATURAL.value,
)
_LAST_CLASSES = (*_TOLD_APART, CHARLIE, "natural")


def _class_order(name: str) -> tuple[int, float, float]:
    if name == "bust":
        return (0, 0, 0)
    if name in _LAST_CLASSES:
        return (2, _LAST_CLASSES.index(name), 0)
    if name.startswith(CHARLIE):
        return (2, _LAST_CLASSES.index(CHARLIE), float(name.removeprefix(f"{CHARLIE}-")))
    total, _, cards = name.partition(", ")
    return (1, float(total), float(cards.partition(" ")[0] or 0))
