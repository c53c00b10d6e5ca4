"""Effects of removal: what a wager gains when one card of a kind is taken out of the shoe.

Every shoe that lacks a card is solved anew, with the play that is then best. How well a count
foretells a wager is the correlation of its weights with these effects, over the cards of the shoe.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from upcard.cards import Card
from upcard.compile.bets import wagers_of
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.pages.figures import wager_name
from upcard.pages.page import Printer, Shown
from upcard.round.count import HUNDREDTHS, Count
from upcard.simulate.count_file import SHIPPED, load_count
from upcard.solve.base_game import BaseGame
from upcard.solve.match import match_shoe
from upcard.solve.observers import card_wager
from upcard.solve.odds import Solver, insurance, seen_cards
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode

NOT_WITH_EXCHANGES = (
    "its boxes exchange cards: every shoe would take as long as the whole game, so effects on this "
    "wager are left out"
)


@dataclass(frozen=True)
class CardKind:
    """Cards that no wager of the game tells apart but by suit; `name` is that of their rank."""

    name: str
    cards: tuple[Card, ...]
    symbol: int


@dataclass(frozen=True)
class CountFit:
    """How well a count foretells a wager: the correlation with the effects of removal, and what a
    true count of one more is worth. None where one of the two does not vary.
    """

    correlation: float | None
    per_true_count: float | None


@dataclass(frozen=True)
class WagerRemoval:
    """A wager: its value in a full shoe, and by kind of card without one of them."""

    wager: str
    name: str
    ev: float
    without: Mapping[str, float]

    @cached_property
    def effects(self) -> Mapping[str, float]:
        """What the player gains when one card of a kind is gone."""
        return {name: ev - self.ev for name, ev in self.without.items()}


@dataclass(frozen=True, repr=False)
class Removal(Shown):
    """The effects of removal on every wager of a game; `left_out` says why a wager has none."""

    tables: GameTables
    bet: int
    mode: Mode
    kinds: tuple[CardKind, ...]
    wagers: Mapping[str, WagerRemoval]
    counts: Mapping[str, Count]
    left_out: Mapping[str, str] = field(default_factory=dict)

    def fit(self, wager: str, count: str) -> CountFit:
        """How well a count foretells a wager."""
        weights, effects = [], []
        for kind in self.kinds:
            for card in kind.cards:
                weights.append(self.counts[count].weight(card) / HUNDREDTHS)
                effects.append(self.wagers[wager].effects[kind.name])
        means = sum(weights) / len(weights), sum(effects) / len(effects)
        pairs = [(w - means[0], e - means[1]) for w, e in zip(weights, effects, strict=True)]
        both = sum(w * e for w, e in pairs)
        squares = sum(w * w for w, _ in pairs), sum(e * e for _, e in pairs)
        if not all(squares):
            return CountFit(None, None)
        left = sum(self.tables.alphabet.counts.tolist()) - 1
        decks_left = left / len(self.tables.alphabet.cards)
        return CountFit(both / math.sqrt(squares[0] * squares[1]), both / squares[0] * decks_left)

    def show(self, out: Printer) -> None:
        """Print the effects and the counts on a console or a page."""
        from upcard.papers.removal_page import show_removal

        show_removal(self, out)

    def __repr__(self) -> str:
        return f"<Removal of {self.tables.ref}: {', '.join(self.wagers)}>"


def removal(
    tables: GameTables,
    *,
    bet: int | None = None,
    mode: Mode = "CDP",
    progress: Progress = silent,
) -> Removal:
    """Price every wager with one card of each kind taken out of a full shoe.

    >>> from upcard import tables_for
    >>> found = removal(tables_for("single-deck-6-5"))
    >>> effects = found.wagers["base"].effects
    >>> max(effects, key=effects.get), round(found.fit("base", "hi-lo").correlation, 2)
    ('5', 0.95)
    """
    bet = wagers_of(tables, bet)[BASE]
    kinds = card_kinds(tables)
    symbols = sorted({kind.symbol for kind in kinds})
    left_out = _left_out(tables)
    riding = [wager for wager in tables.payoffs if wager not in left_out]
    steps = 1 + len(symbols) + len(tables.observers) * len(kinds)
    done = 0

    def told(what: str) -> None:
        nonlocal done
        progress(what, done / steps)
        done += 1

    told("the full shoe")
    full = _played(tables, riding, bet, mode, None)
    without = {}
    for symbol in symbols:
        told(f"without {tables.alphabet.symbols[symbol].name}")
        without[symbol] = _played(tables, riding, bet, mode, symbol)
    found = {
        wager: WagerRemoval(
            wager,
            wager_name(tables, wager),
            full[wager],
            {kind.name: without[kind.symbol][wager] for kind in kinds},
        )
        for wager in riding
    }
    for wager in tables.observers:
        by_kind = {}
        for kind in kinds:
            told(f"{wager} without {kind.name}")
            by_kind[kind.name] = _of_cards(tables, wager, kind)
        ev = float(card_wager(tables, wager).ev)
        found[wager] = WagerRemoval(wager, wager_name(tables, wager), ev, by_kind)
    progress("removal", 1.0)
    return Removal(tables, bet, mode, kinds, found, usual_counts(tables), left_out)


def card_kinds(tables: GameTables) -> tuple[CardKind, ...]:
    """The cards of a game by the symbol they play as, and by rank where wagers look at cards."""
    groups: dict[tuple[int, str], list[Card]] = {}
    for card in tables.alphabet.cards:
        symbol = tables.alphabet.symbol(card)
        groups.setdefault((symbol, card.rank if tables.observers else ""), []).append(card)
    several: dict[int, int] = {}
    for symbol, _ in groups:
        several[symbol] = several.get(symbol, 0) + 1
    return tuple(
        CardKind(
            rank if several[symbol] > 1 else tables.alphabet.symbols[symbol].name,
            tuple(cards),
            symbol,
        )
        for (symbol, rank), cards in sorted(groups.items(), key=_order)
    )


def _order(item: tuple[tuple[int, str], Sequence[Card]]) -> tuple[int, int]:
    (symbol, _), cards = item
    return symbol, cards[0].number


def usual_counts(tables: GameTables) -> Mapping[str, Count]:
    """The shipped counts, but those that a game has no use for."""
    found = {}
    for name in SHIPPED:
        try:
            found[name] = load_count(name, tables)
        except UpcardError:
            continue
    return found


def _left_out(tables: GameTables) -> Mapping[str, str]:
    return {BASE: NOT_WITH_EXCHANGES} if tables.round_plan.exchanges else {}


def _played(
    tables: GameTables, wagers: Sequence[str], bet: int, mode: Mode, symbol: int | None
) -> Mapping[str, float]:
    """Wagers that ride on hands, and insurance, with a card of a symbol gone."""
    if not wagers:
        return {}
    game = BaseGame(tables, removed=() if symbol is None else (symbol,))
    solver = Solver(game, mode)
    found = {}
    if INSURANCE in wagers:
        found[INSURANCE] = float(insurance(game).ev)
    if BASE not in wagers:
        return found
    if symbol is not None and seen_cards(tables):
        raise UpcardError(
            f"{tables.name} shows community cards while hands are played: effects of removal are "
            "not worked out for such play"
        )
    solution = solver.optimal(bet)
    found[BASE] = float(solver.base_ev(solution))
    for wager in wagers:
        if wager not in found:
            found[wager] = float(solver.tie_wager(wager, solution).ev)
    return found


def _of_cards(tables: GameTables, wager: str, kind: CardKind) -> float:
    """A wager on cards with one card of a kind gone, whichever suit it had."""
    full = match_shoe(tables.alphabet)
    values = [
        float(card_wager(tables, wager, shoe={**full, card: full[card] - 1}).ev)
        for card in kind.cards
    ]
    return sum(values) / len(values)
