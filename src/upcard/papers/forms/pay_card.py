"""The dealer's pay card: what common wagers are paid, in chips, by the table's own settlement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.compile.chips import class_cents, hand_cents, in_chips, row_cents
from upcard.compile.ends import NO_BONUS, EndKind
from upcard.compile.observers import ShowdownObserver
from upcard.compile.payoff import LOSS
from upcard.money import BASE, CENTS_PER_DOLLAR, INSURANCE, format_cents, format_odds
from upcard.papers.document import (
    Align,
    PaperCell,
    PaperColumn,
    PaperTable,
    Paragraph,
    Part,
)
from upcard.papers.forms.parts import form_paper
from upcard.table.cloth import insurance_odds
from upcard.table.sign import sign_of
from upcard.text import counted, sentence_case

if TYPE_CHECKING:
    from upcard.compile.plan import WagerPlan
    from upcard.compile.tables import GameTables
    from upcard.papers.document import Paper

_COMMON = (1, 2, 3, 5, 10, 15, 20, 25, 50, 75, 100, 200, 500, 1000, 2000, 5000, 10000)
"""Wagers that dealers pay every day, in dollars."""
_MOST = 10
"""Amounts that have room beside one another."""
_ROUNDED = "*"
_SHADE = "#efe9d8"
_LARGEST = 2.0
_LETTERS_ACROSS = 190.0
"""Letters of a line of the card at their usual size."""


@dataclass(frozen=True)
class PayLine:
    """One result: what it pays in words, and for every amount what the player wins or loses.

    `exact` is the same before it is rounded to chips.
    """

    event: str
    pays: str
    cents: tuple[int, ...]
    exact: tuple[Fraction, ...]


@dataclass(frozen=True)
class WagerPayments:
    """What a wager is paid at some amounts."""

    wager: str
    name: str
    amounts: tuple[int, ...]
    lines: tuple[PayLine, ...]


def pay_card(tables: GameTables) -> Paper:
    """A table of payments for every wager, and how payments are rounded."""
    found = wager_payments(tables)
    groups = _groups(found)
    widths = _widths(tables, groups)
    parts: list[Part] = [_table(tables, group, widths) for group in groups]
    lines = [line for payments in found for line in payments.lines]
    note = sign_of(tables).rounding
    if any(_is_rounded(line, place) for line in lines for place in range(len(line.cents))):
        note += f" {_ROUNDED} is rounded."
    parts.append(Paragraph(note, quiet=True))
    scale = min(_LARGEST, _LETTERS_ACROSS / sum(widths))
    return form_paper(
        tables, "Dealer's pay card", parts, landscape=True, scale=scale, one_page=True
    )


def wager_payments(tables: GameTables) -> tuple[WagerPayments, ...]:
    """The payments of every wager on offer.

    >>> from upcard import tables_for
    >>> base, insured = wager_payments(tables_for("blackjack"))
    >>> base.amounts[:2], [(line.event, line.cents[0]) for line in base.lines]
    ((500, 1000), [('win', 500), ('blackjack', 750), ('surrender', -250)])
    >>> insured.amounts[0], insured.lines[0].cents[0]
    (250, 500)
    """
    plans = tables.money.wagers
    found = [
        WagerPayments(plan.id, plan.name, amounts, tuple(_lines(tables, plan.id, amounts)))
        for plan in plans.values()
        for amounts in (common_amounts(tables, plan),)
    ]
    return (*found, *_insured(tables, common_amounts(tables, plans[BASE])))


def common_amounts(tables: GameTables, plan: WagerPlan) -> tuple[int, ...]:
    """Amounts of a wager that are often seen, within its limits."""
    if plan.amounts:
        return plan.amounts
    often = (dollars * CENTS_PER_DOLLAR for dollars in _COMMON)
    fitting = {
        amount
        for amount in (plan.minimum, *often)
        if plan.minimum <= amount
        and (not plan.maximum or amount <= plan.maximum)
        and amount % tables.money.unit == 0
    }
    return tuple(sorted(fitting)[:_MOST])


def _lines(tables: GameTables, wager: str, amounts: tuple[int, ...]) -> Iterator[PayLine]:
    observer = tables.observers.get(wager)
    if isinstance(observer, ShowdownObserver):
        yield _line(tables, "win", format_odds(observer.wins), observer.wins, amounts)
    elif printed := tables.pay_table(wager):
        cents = [row_cents(tables, printed, amount) for amount in amounts]
        rows = sorted(enumerate(printed), key=lambda row: row[1].odds)
        for number, row in rows:
            paid = tuple(int(column[number]) for column in cents)
            exact = tuple(row.odds * amount for amount in amounts)
            yield PayLine(row.event, row.printed or format_odds(row.odds), paid, exact)
    elif wager == BASE:
        yield from _hand_lines(tables, amounts)
    else:
        odds = max(map(max, tables.payoffs[wager].odds))
        paid = tuple(int(class_cents(tables, wager, amount).max()) for amount in amounts)
        exact = tuple(odds * amount for amount in amounts)
        yield PayLine("win", format_odds(odds), paid, exact)


def _line(
    tables: GameTables, event: str, pays: str, odds: Fraction, amounts: Iterable[int]
) -> PayLine:
    exact = tuple(odds * amount for amount in amounts)
    paid = tuple(in_chips(tables, odds * amount, amount) for amount in amounts)
    return PayLine(event, pays, paid, exact)


def _insured(tables: GameTables, bets: tuple[int, ...]) -> Iterator[WagerPayments]:
    """Insurance as large as it may be beside common wagers."""
    most = {bet: tables.settlement.largest(INSURANCE, bet) for bet in bets}
    amounts = tuple(dict.fromkeys(amount for amount in most.values() if amount))
    if amounts:
        lines = (
            _line(tables, "win", format_odds(odds), odds, amounts)
            for odds in insurance_odds(tables)
        )
        yield WagerPayments(INSURANCE, "Insurance", amounts, tuple(lines))


# --------------------------------------------------------------------------------- the main wager


@dataclass(frozen=True)
class _Case:
    """A way a hand can end that a dealer pays or takes, by classes and the level of doubles."""

    event: str
    pays: str
    own: int
    other: int
    level: int
    odds: Fraction
    flat: int


def _hand_lines(tables: GameTables, amounts: tuple[int, ...]) -> Iterator[PayLine]:
    cents = [hand_cents(tables, amount) for amount in amounts]
    for case in (*_ends(tables), *_rescues(tables), *_free_wins(tables)):
        paid = tuple(int(found[0, 1, case.level, case.own, case.other]) for found in cents)
        exact = tuple(case.odds * amount + case.flat for amount in amounts)
        yield PayLine(case.event, case.pays, paid, exact)


_ORDER = ("win", "", "tie", "surrender")
"""Ordinary wins, then naturals and bonuses, then what is taken."""


def _ends(tables: GameTables) -> list[_Case]:
    """Hands without a double that are paid, or that cost less than the wager."""
    payoff = tables.payoffs[BASE]
    found: dict[tuple[str, Fraction, int], _Case] = {}
    for own in range(len(tables.player_classes)):
        for other in range(len(tables.dealer.classes)):
            odds, flat = payoff.odds[own][other], payoff.flat[own][other]
            event = _event(tables, own, odds, flat)
            if event:
                pays = _pays_words(odds, flat)
                found.setdefault((event, odds, flat), _Case(event, pays, own, other, 0, odds, flat))
    return sorted(
        found.values(),
        key=lambda case: (_ORDER.index(case.event if case.event in _ORDER else ""), case.odds),
    )


def _event(tables: GameTables, own: int, odds: Fraction, flat: int) -> str:
    player = tables.player_classes[own]
    if player.kind is EndKind.RESCUED or odds <= LOSS:
        return ""
    if player.is_surrendered:
        return "surrender" if odds < 0 else ""
    if flat:
        return "tie"
    if odds <= 0:
        return ""
    if player.row != NO_BONUS and tables.bonuses is not None:
        return tables.bonuses.names[own]
    return tables.natural_name if player.is_natural else "win"


def _pays_words(odds: Fraction, flat: int) -> str:
    if flat:
        return f"takes {format_cents(abs(flat))}"
    return f"takes {-odds}" if odds < 0 else format_odds(odds)


def _rescues(tables: GameTables) -> Iterator[_Case]:
    """What a rescue takes, for every number of doubles."""
    own = next(
        (n for n, one in enumerate(tables.player_classes) if one.kind is EndKind.RESCUED), None
    )
    levels = tables.effects.at_stake.shape[1]
    for level in range(1, levels if own is not None else 0):
        taken = int(tables.effects.at_stake[own, level])
        words = f"rescue after {counted(level, 'double')}"
        yield _Case(
            words, f"takes {counted(taken, 'wager')}", own or 0, 0, level, Fraction(-taken), 0
        )


def _free_wins(tables: GameTables) -> Iterator[_Case]:
    """Wins of hands of which the house has staked a part."""
    payoff, effects = tables.payoffs[BASE], tables.effects
    wins = (
        (own, other)
        for own, player in enumerate(tables.player_classes)
        for other in range(len(tables.dealer.classes))
        if player.kind is EndKind.TOTAL and payoff.odds[own][other] > 0
    )
    own, other = next(wins)
    seen: set[tuple[int, int]] = set()
    for level, house in enumerate(effects.house.tolist()):
        staked = int(effects.at_stake[own, level])
        if house and (staked, house) not in seen:
            seen.add((staked, house))
            odds = payoff.odds[own][other] * (staked + house)
            mine = f"{counted(staked, 'wager')} and " if staked else ""
            event = f"win with {mine}{counted(house, 'free bet')}"
            yield _Case(event, format_odds(odds), own, other, level, odds, 0)


# ------------------------------------------------------------------------------------- the printing


def _is_rounded(line: PayLine, place: int) -> bool:
    return line.exact[place] != line.cents[place]


def _groups(found: Iterable[WagerPayments]) -> list[WagerPayments]:
    """Wagers that can only be won in one way and take the same amounts in one table."""
    groups: list[WagerPayments] = []
    for payments in found:
        one = len(payments.lines) == 1 and payments.wager not in (BASE, INSURANCE)
        lines = tuple(replace(line, event=payments.name) for line in payments.lines)
        last = groups[-1] if groups else None
        if one and last and last.wager == "" and last.amounts == payments.amounts:
            groups[-1] = replace(last, lines=(*last.lines, *lines))
        elif one:
            groups.append(WagerPayments("", "Side wagers", payments.amounts, lines))
        else:
            groups.append(payments)
    return groups


def _widths(tables: GameTables, groups: Iterable[WagerPayments]) -> list[float]:
    """The letters of the longest text in every column, so that columns of all tables align."""
    widths: list[float] = []
    for group in groups:
        rows = [[group.name, "", *map(format_cents, group.amounts)]]
        rows += [[cell.text for cell in _cells(tables, line)] for line in group.lines]
        columns = [max(map(len, column)) + 2.0 for column in zip(*rows, strict=True)]
        widths += [0.0] * (len(columns) - len(widths))
        widths[: len(columns)] = map(max, widths, columns)
    return widths


def _table(tables: GameTables, payments: WagerPayments, widths: list[float]) -> PaperTable:
    name, pays, *amounts = widths
    columns = (
        PaperColumn(payments.name, share=name),
        PaperColumn("", share=pays),
        *(
            PaperColumn(format_cents(amount), Align.RIGHT, share)
            for amount, share in zip(payments.amounts, amounts, strict=False)
        ),
    )
    rows = tuple(_cells(tables, line) for line in payments.lines)
    return PaperTable(columns, rows, size=9.0)


def _cells(tables: GameTables, line: PayLine) -> tuple[PaperCell, ...]:
    amounts = (_amount(line, place) for place in range(len(line.cents)))
    texts = (sentence_case(line.event), line.pays, *amounts)
    return tuple(_bold(tables, line, text) for text in texts)


def _bold(tables: GameTables, line: PayLine, text: str) -> PaperCell:
    """Naturals are what dealers look for."""
    natural = line.event == tables.natural_name
    return PaperCell(text, bold=natural, shade=_SHADE if natural else "")


def _amount(line: PayLine, place: int) -> str:
    mark = _ROUNDED if _is_rounded(line, place) else ""
    return format_cents(abs(line.cents[place])) + mark
