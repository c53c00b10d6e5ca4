"""Observers: wagers on cards rather than on play. A window, a classifier and a pay table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.cards import Card
from upcard.compile import poker
from upcard.compile.arrays import frozen
from upcard.compile.card_observer import CardObserver, card_observer
from upcard.compile.pay_rows import LOSES, NO_ROW, PayRow, SettledWhen, Window
from upcard.money import parse_odds
from upcard.rules.card_wagers import CardWager
from upcard.rules.final_hands import FINAL_HANDS
from upcard.rules.rows import MATCH_EVENTS, POKER_HAND_SIZE, high_row, pair_row, sum_row
from upcard.rules.schema import GameRules, offered_wagers
from upcard.rules.wagers import Paytable, ShowdownWager, TableWager


@dataclass(frozen=True)
class MatchObserver:
    """Player's first cards that match the dealer's in rank.

    Each of the player's cards counts once, at its best match; `row[suited, unsuited]` is the
    row paid for so many matches.
    """

    wager: str
    window: Window
    rows: tuple[PayRow, ...]
    row: npt.NDArray[np.int8]
    stays_after_bust: bool
    settled: SettledWhen

    def row_of(self, player: Sequence[Card], dealer: Sequence[Card]) -> int:
        suited = unsuited = 0
        for card in player[: self.window.player]:
            same = [other for other in dealer[: self.window.dealer] if other.rank == card.rank]
            if any(other.suit == card.suit for other in same):
                suited += 1
            elif same:
                unsuited += 1
        return int(self.row[suited, unsuited])

    def result(
        self, player: Sequence[Card], dealer: Sequence[Card], community: Sequence[Card]
    ) -> PayRow:
        return _paid(self.rows, self.row_of(player, dealer))

    @property
    def most_wins(self) -> Fraction:
        """The most that one unit can win."""
        return max(row.odds for row in self.rows)


@dataclass(frozen=True)
class PokerObserver:
    """A pay table for the player's five cards, or the best-paid five of more.

    `row[flush, multiset]` is the row paid for five cards (see `upcard.compile.poker`).
    """

    wager: str
    window: Window
    rows: tuple[PayRow, ...]
    row: npt.NDArray[np.int8]
    stays_after_bust: bool
    settled: SettledWhen

    def row_of(self, player: Sequence[Card], community: Sequence[Card] = ()) -> int:
        cards = (*player[: self.window.player], *community[: self.window.community])
        found = [
            int(self.row[poker.hand_index(five)]) for five in combinations(cards, POKER_HAND_SIZE)
        ]
        return max(found, key=lambda row: self.rows[row].odds if row != NO_ROW else LOSES)

    def result(
        self, player: Sequence[Card], dealer: Sequence[Card], community: Sequence[Card]
    ) -> PayRow:
        return _paid(self.rows, self.row_of(player, community))

    @property
    def most_wins(self) -> Fraction:
        """The most that one unit can win."""
        return max(row.odds for row in self.rows)


@dataclass(frozen=True)
class ShowdownObserver:
    """The player's poker hand against the dealer's, larger `strength` wins."""

    wager: str
    window: Window
    wins: Fraction
    ties: Fraction
    loses: Fraction
    unqualified: Fraction
    qualifies: int
    strength: npt.NDArray[np.int32]
    stays_after_bust: bool
    settled: SettledWhen

    def odds(self, player: Sequence[Card], dealer: Sequence[Card]) -> Fraction:
        own = int(self.strength[poker.hand_index(player)])
        other = int(self.strength[poker.hand_index(dealer)])
        if other < self.qualifies:
            return self.unqualified
        if own == other:
            return self.ties
        return self.wins if own > other else self.loses

    def result(
        self, player: Sequence[Card], dealer: Sequence[Card], community: Sequence[Card]
    ) -> PayRow:
        return PayRow("", self.odds(player, dealer), "")

    @property
    def most_wins(self) -> Fraction:
        """The most that one unit can win."""
        return self.wins


def _paid(rows: Sequence[PayRow], row: int) -> PayRow:
    """The row that is paid, or that of a wager that lost."""
    return rows[row] if row != NO_ROW else PayRow("", LOSES, "")


Observer = MatchObserver | PokerObserver | ShowdownObserver | CardObserver


def build_observers(game: GameRules) -> Mapping[str, Observer]:
    """The observers of the wagers on offer, by wager id."""
    observers: dict[str, Observer] = {}
    for wager_id in offered_wagers(game):
        wager = game.wagers.get(wager_id)
        if isinstance(wager, ShowdownWager):
            observers[wager_id] = _showdown(game, wager_id, wager)
        if isinstance(wager, TableWager):
            observers[wager_id] = _paytable(game, wager_id, wager)
        if isinstance(wager, CardWager) and wager.cards != FINAL_HANDS:
            observers[wager_id] = card_observer(game, wager_id, wager)
    return observers


def uses_community(game: GameRules) -> bool:
    """Whether a wager on offer looks at community cards."""
    wagers = (game.wagers.get(wager_id) for wager_id in offered_wagers(game))
    return any(
        isinstance(wager, TableWager)
        and game.paytables[wager.paytable].cards == "own-and-community"
        for wager in wagers
    )


def _paytable(game: GameRules, wager_id: str, wager: TableWager) -> Observer:
    table = game.paytables[wager.paytable].with_decks(game.shoe.decks)
    stays, when = wager.after_bust == "stays", SettledWhen(wager.settled)
    own = game.deal.player_up + game.deal.player_down
    if table.by == "match":
        window = Window(2, 1 if table.cards == "first-two-and-up-card" else 2, 0)
        return MatchObserver(wager_id, window, _rows(table), _match_rows(table), stays, when)
    community = game.deal.community if table.cards == "own-and-community" else 0
    values = tuple(_low_value(game, rank) for rank in poker.ORDER)
    rows, row = _low_rows(table) if table.by == "low" else _poker_rows(table, values)
    return PokerObserver(wager_id, Window(own, 0, community), rows, row, stays, when)


def _showdown(game: GameRules, wager_id: str, wager: ShowdownWager) -> ShowdownObserver:
    own = game.deal.player_up + game.deal.player_down
    dealer = game.deal.dealer_up + game.deal.dealer_down
    king = poker.ORDER.index("K")
    least = {
        "king-high": poker.PokerHand("high card", (king,)).strength,
        "pair-of-kings": poker.PokerHand("pair", (king,)).strength,
        "any": 0,
    }
    return ShowdownObserver(
        wager=wager_id,
        window=Window(own, dealer, 0),
        wins=parse_odds(wager.pays),
        ties=Fraction(0) if wager.tie == "push" else LOSES,
        loses=LOSES,
        unqualified=Fraction(0),
        qualifies=least[wager.qualifies],
        strength=poker.strengths(),
        stays_after_bust=wager.after_bust == "stays",
        settled=SettledWhen(wager.settled),
    )


def _rows(table: Paytable) -> tuple[PayRow, ...]:
    """The rows as they are printed, in the order of `table.rows`."""
    names = dict(table.names)
    per = "for" if table.quoted == "for-1" else "to"
    return tuple(
        PayRow(names.get(event, event), parse_odds(f"{figure} {per} 1"), f"{figure} {per} 1")
        for event, figure in table.rows
    )


def _match_rows(table: Paytable) -> npt.NDArray[np.int8]:
    counts = dict(zip(MATCH_EVENTS, ((2, 0), (1, 1), (1, 0), (0, 2), (0, 1)), strict=True))
    row = np.full((3, 3), NO_ROW, dtype=np.int8)
    for number, (event, _) in enumerate(table.rows):
        row[counts[event]] = number
    return frozen(row)


@cache
def _poker_rows(
    table: Paytable, values: tuple[int, ...]
) -> tuple[tuple[PayRow, ...], npt.NDArray[np.int8]]:
    """Rows and the row of every hand; hands paid twice get a row of their own.

    `values` are what the ranks add to the sum of the five cards.
    """
    rows = list(_rows(table))
    events = [event for event, _ in table.rows]
    by_name = {event: number for number, event in enumerate(events)}
    sums = [(most, n) for n, event in enumerate(events) if (most := sum_row(event)) is not None]
    pairs = [
        (poker.ORDER.index(rank), number)
        for number, event in enumerate(events)
        if (rank := pair_row(event)) is not None
    ]
    together: dict[tuple[int, int], int] = {}

    def paid(hand: poker.PokerHand, total: int) -> int:
        fitting = [by_name[hand.name]] if hand.name in by_name else []
        fitting += [n for least, n in pairs if hand.name == "pair" and hand.ranks[0] >= least]
        low = [number for most, number in sums if total <= most]
        if fitting and low and table.overlap == "both":
            key = (fitting[0], low[0])
            if key not in together:
                first, second = rows[key[0]], rows[key[1]]
                event = f"{first.event} and {second.event}"
                both = PayRow(event, first.odds + second.odds, f"{first.printed}, {second.printed}")
                together[key] = len(rows)
                rows.append(both)
            return together[key]
        if fitting and table.overlap == "poker-first":
            return fitting[0]
        return max(fitting + low, key=lambda n: rows[n].odds, default=NO_ROW)

    row = np.full((2, poker.MULTISETS), NO_ROW, dtype=np.int8)
    for number, (ranks, off, on) in enumerate(poker.all_hands()):
        total = sum(values[rank] for rank in ranks)
        row[0, number] = paid(off, total)
        if len(set(ranks)) == POKER_HAND_SIZE:
            row[1, number] = paid(on, total)
    return tuple(rows), frozen(row)


def _low_value(game: GameRules, rank: str) -> int:
    """What a rank adds to the sum of five cards: aces count low."""
    if rank == "A":
        return game.count.ace[0]
    return int(rank) if rank.isdigit() else game.count.court


class _LowRanking(NamedTuple):
    """What a ranking of low hands says of aces, and of straights and flushes; pairs always spoil.

    With aces low, the wheel is a straight like any other.
    """

    ace_low: bool
    runs_spoil: bool


_LOW = {
    "deuce-to-seven": _LowRanking(ace_low=False, runs_spoil=True),
    "deuce-to-six": _LowRanking(ace_low=False, runs_spoil=False),
    "ace-to-six": _LowRanking(ace_low=True, runs_spoil=True),
    "ace-to-five": _LowRanking(ace_low=True, runs_spoil=False),
}


@cache
def _low_rows(table: Paytable) -> tuple[tuple[PayRow, ...], npt.NDArray[np.int8]]:
    rows = _rows(table)
    ranking = _LOW[table.low]

    def height(rank: int) -> int:
        return -1 if ranking.ace_low and rank == poker.ACE else rank

    limits = sorted(
        (height(poker.ORDER.index(rank)), number)
        for number, (event, _) in enumerate(table.rows)
        if (rank := high_row(event)) is not None
    )
    row = np.full((2, poker.MULTISETS), NO_ROW, dtype=np.int8)
    for number, (ranks, off, on) in enumerate(poker.all_hands()):
        top = max(height(rank) for rank in ranks)
        fitting = [n for limit, n in limits if top <= limit]
        for flush, hand in enumerate((off, on)):
            unpaired = len(set(ranks)) == POKER_HAND_SIZE
            spoilt = ranking.runs_spoil and hand.name != "high card"
            if fitting and unpaired and not spoilt:
                row[flush, number] = fitting[0]
    return rows, frozen(row)
