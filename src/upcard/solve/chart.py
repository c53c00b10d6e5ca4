"""Strategy charts: total-dependent play as rows of hands and columns of up cards.

Everything is read off the tables of a game and off its basic play: which states need a decision,
what is done in them, and what is done where the rules do not allow that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from upcard.compile.context import Action
from upcard.compile.hands import total_name
from upcard.compile.shows import OVER
from upcard.compile.tables import GameTables
from upcard.pages.page import Printer, Shown
from upcard.solve.result import Progress, silent
from upcard.solve.split import Mode

if TYPE_CHECKING:
    from upcard.solve.deviations import Deviations
    from upcard.solve.exchange_points import ExchangeRule

ALWAYS = (Action.HIT, Action.STAND, Action.KEEP)
"""Actions that no rule takes away from a hand that is asked at all, or that end the matter."""
MARKER = "marker-"
"""What the ids of sections begin with that are for hands with the house's marker."""
_MANY = 3
"""Games that count no further tell two cards from three or more."""


class Cell(NamedTuple):
    """What to do: `ranking` has every action the hand may ever have, the best first.

    With `before_check` the first one comes before the check, and the others are for the turn, where
    the same action may come up once more. `cost` is what the nearest alternative costs a hand, in
    base wagers; less than nothing where a change made the action, which `was` another, worse.
    """

    action: Action
    ranking: tuple[Action, ...]
    before_check: bool = False
    cost: float | None = None
    was: Action | None = None

    @property
    def fallback(self) -> Action | None:
        """What to do where the action is not allowed."""
        return next((a for a in self.ranking if a is not self.action and a in ALWAYS), None)


@dataclass(frozen=True)
class Row:
    """Hands that basic play does not tell apart. Totals are in half points.

    `cards` is the number of cards, the largest of a game standing for all more; `cells` are by
    the name of the up card, without those that the hand cannot meet. `state` is the hand's number
    in the tables of the game.
    """

    state: int
    hand: str
    total: int
    soft: bool
    pair: str
    cards: int
    pending: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class ChartSection:
    """Rows of one kind. `doubles` is how often the hand was doubled.

    With `marker` they are hands that the house staked, which have nothing to lose.
    """

    id: str
    title: str
    doubles: int
    rows: tuple[Row, ...]
    marker: bool = False


class Difference(NamedTuple):
    """First two cards that are better played by their cards than by their total."""

    cards: str
    up: str
    chart: Action
    better: Action
    gain: float
    chance: float


class PricedChange(NamedTuple):
    """A change of the chart: what a round is worth with it alone, and what that costs."""

    text: str
    ev: float
    cost: float


class LitTrade(NamedTuple):
    """A bonus card among the first two that is decided otherwise with so many lights lit."""

    lit: int
    hand: str
    up: str
    action: Action


class Resplit(NamedTuple):
    """A pair that the chart splits, come to a hand of a split when there are so many hands.

    Whether it makes one more hand, if it is the box's first hand and if it is another; where the
    house stakes hands, if it has the player's money on it and if it has the house's marker.
    """

    pair: str
    up: str
    hands: int
    first: bool
    others: bool


class Block(NamedTuple):
    """Columns of a chart that stand in one table: each a name and the shown cards in it."""

    title: str
    columns: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, repr=False)
class Chart(Shown):
    """The basic play of a game. `ups` is all that the dealer shows, as usual with the ace last.

    `resplits` has the pairs that are split, but not again by every hand that may. `by_lit` is what
    a player who stays for so many `rounds` trades unlike the chart, which is for endless play.
    `basic_ev` is the value of play by this chart; with `changes`, `unchanged_ev` is that without.
    `deviations` are there where they were asked for.
    """

    tables: GameTables
    bet: int
    ratios: Mapping[str, float]
    mode: Mode
    ups: tuple[str, ...]
    sections: tuple[ChartSection, ...]
    differences: tuple[Difference, ...]
    resplits: tuple[Resplit, ...]
    ev: float
    basic_ev: float
    rounds: float | None
    by_lit: tuple[LitTrade, ...]
    exchange: ExchangeRule | None = None
    deviations: Deviations | None = None
    changes: tuple[PricedChange, ...] = ()
    unchanged_ev: float | None = None

    def show(self, out: Printer) -> None:
        """Print the chart, its legend and its exceptions on a console or a page."""
        from upcard.solve.chart_page import show_chart

        show_chart(self, out)

    def __repr__(self) -> str:
        rows = sum(len(section.rows) for section in self.sections)
        return f"<Chart of {self.tables.ref}: {rows} rows, EV {self.basic_ev:+.4%}>"

    def section(self, name: str) -> ChartSection | None:
        """The section of that id, if the chart has it."""
        return next((found for found in self.sections if found.id == name), None)

    def cell(self, section: str, hand: str, up: str, cards: int = 2) -> Cell:
        """One decision.

        >>> from upcard import tables_for
        >>> chart = draw_chart(tables_for("blackjack"))
        >>> chart.cell("hard", "16", "T").action.text, chart.cell("pairs", "8,8", "T").action.text
        ('surrender', 'split')
        """
        found = self.section(section)
        for row in found.rows if found else ():
            if row.hand == hand and row.cards == cards and up in row.cells:
                return row.cells[up]
        raise KeyError(section, hand, up, cards)

    @cached_property
    def by_count(self) -> bool:
        """Whether play goes by the number of cards beyond telling two from more."""
        for section in self.sections:
            seen: dict[tuple[int, bool, str], Action] = {}
            for row in section.rows:
                if row.cards < _MANY or row.pending:
                    continue
                for up, cell in row.cells.items():
                    if seen.setdefault((row.total, row.soft, up), cell.action) is not cell.action:
                        return True
        return False

    @property
    def columns(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Up cards that are played alike in every row, under the name of the first."""
        return tuple(column for block in self.blocks for column in block.columns)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Columns that stand in one table: all, where only the up card is shown.

        A column has all that is shown and played alike, of cards with equal values; where both of
        the dealer's cards lie face up, of equal totals.
        """
        blocks: dict[str, list[tuple[object, str, list[str]]]] = {}
        for up in self.ups:
            title, key, name = self.shown_as(up)
            columns = blocks.setdefault(title, [])
            for other, _, group in columns:
                if other == key and self._alike(group[0], up):
                    group.append(up)
                    break
            else:
                columns.append((key, name, [up]))
        return tuple(
            Block(title, tuple(self._named(columns))) for title, columns in sorted(blocks.items())
        )

    def shown_as(self, up: str) -> tuple[str, object, str]:
        """The block that something shown belongs to, what columns in it go by, and its name."""
        dealer, symbols = self.tables.dealer, self.tables.alphabet.symbols
        number = dealer.shown.index(up)
        above = dealer.shown.up[number]
        symbol = symbols[above]
        if dealer.shown.face_up:
            state = dealer.after(int(above), dealer.shown.seconds[number][0])
            total = total_name(int(dealer.total[state]))
            kind = "soft" if dealer.soft[state] else "hard"
            return f"the dealer has a {kind} total", total, total
        told = up.partition(OVER)[2]
        return f"the down card is {told}" if told else "", (symbol.low, symbol.high), symbol.name

    def _named(
        self, columns: list[tuple[object, str, list[str]]]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Columns by name: where cards of one total are not played alike, by their cards."""
        often = Counter(name for _, name, _ in columns)
        for _, name, group in columns:
            own = group[0] if self.tables.dealer.shown.face_up and often[name] > 1 else name
            yield own, tuple(group)

    def _alike(self, one: str, two: str) -> bool:
        for section in self.sections:
            for row in section.rows:
                cells = (row.cells.get(one), row.cells.get(two))
                actions = {cell.action for cell in cells if cell is not None}
                if len(actions) > 1:
                    return False
        return True


def draw_chart(
    tables: GameTables,
    *,
    bet: int | None = None,
    ratios: Mapping[str, float] | None = None,
    mode: Mode = "CDP",
    rounds: float | None = None,
    changes: Sequence[str] = (),
    deviations: bool = False,
    progress: Progress = silent,
) -> Chart:
    """Solve a game and draw its basic play; with lights, also for a stay of so many rounds.

    With `changes` such as `hard 16 vs T: stand` it is the chart with these, each priced.
    """
    from upcard.solve.chart_maker import ChartMaker

    maker = ChartMaker(tables, bet=bet, ratios=ratios, mode=mode, progress=progress)
    return maker.chart(rounds=rounds, changes=changes, deviations=deviations)
