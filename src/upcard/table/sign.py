"""The sign at the table, and what else the floor rules want people to see."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from upcard.compile.ends import NO_BONUS
from upcard.compile.observers import ShowdownObserver
from upcard.compile.tables import GameTables
from upcard.money import BASE, format_cents, format_odds
from upcard.text import listed


class WagerSign(msgspec.Struct, frozen=True):
    """A wager on offer with its limits in words, and what it pays: events and odds, best last.

    An event of "" is any way to win that has no odds of its own.
    """

    id: str
    name: str
    limits: str
    pays: tuple[tuple[str, str], ...] = ()


class Sign(msgspec.Struct, frozen=True):
    """Name, wagers with limits, fees, hand signals by action, and the floor rules in words.

    `together` is the limit that binds several wagers, with its clauses; "" if there is none.
    """

    name: str
    wagers: tuple[WagerSign, ...]
    fees: tuple[str, ...]
    signals: dict[str, str]
    notices: tuple[str, ...]
    rounding: str
    together: str = ""
    together_clauses: tuple[str, ...] = ()


def sign_of(tables: GameTables) -> Sign:
    """
    >>> from upcard import tables_for
    >>> sign_of(tables_for("games-of-chance-blackjack")).wagers[0].limits
    '$2 or $4'
    """
    money = tables.money
    return Sign(
        name=tables.title,
        wagers=tuple(
            WagerSign(
                plan.id,
                plan.name,
                _limits(plan.minimum, plan.maximum, plan.amounts),
                tuple(_pays(tables, plan.id)),
            )
            for plan in money.wagers.values()
        ),
        fees=tuple(_fees(tables)),
        signals={str(action): words for action, words in tables.floor.signals.items()},
        notices=tuple(_notices(tables)),
        rounding=_rounding(tables),
        together=_together(money.bonus_share, everywhere=money.boxes_share),
        together_clauses=tables.cites["share"],
    )


def _together(share: Fraction | None, *, everywhere: bool) -> str:
    if share is None:
        return ""
    part = "" if share == 1 else f"{share} of "
    if everywhere:
        return f"all bonus wagers of a player together up to {part}all the player's base wagers"
    return f"all bonus wagers of a box together up to {part}the base wager"


def _pays(tables: GameTables, wager: str) -> Iterator[tuple[str, str]]:
    """Events that a wager wins by and their odds, the least first."""
    observer = tables.observers.get(wager)
    if isinstance(observer, ShowdownObserver):
        yield "", format_odds(observer.wins)
    elif rows := tables.pay_table(wager):
        for row in sorted(rows, key=lambda row: row.odds):
            yield row.event, format_odds(row.odds)
    else:
        yield from _pays_by_hand(tables, wager)


def _pays_by_hand(tables: GameTables, wager: str) -> Iterator[tuple[str, str]]:
    """The odds of a wager on hands; a natural is named where it has odds that no other hand has,
    and bonuses are, the least first.
    """
    naturals: set[Fraction] = set()
    others: set[Fraction] = set()
    bonuses: dict[int, Fraction] = {}
    for player, odds in zip(tables.player_classes, tables.payoffs[wager].odds, strict=True):
        if player.row != NO_BONUS and wager == BASE:
            bonuses[player.row] = max(odds)
            continue
        won = naturals if player.is_natural else others
        won |= {net for net in odds if net > 0}
    for net in sorted(others or naturals):
        yield "", format_odds(net)
    for net in sorted(naturals - others if others else ()):
        yield tables.natural_name, format_odds(net)
    names = {one.row: number for number, one in enumerate(tables.player_classes)}
    for row in sorted(bonuses, key=lambda row: (bonuses[row], -row)):
        assert tables.bonuses is not None
        yield tables.bonuses.names[names[row]], format_odds(bonuses[row])


def _limits(low: int, high: int, amounts: tuple[int, ...]) -> str:
    if amounts:
        return listed(format_cents(amount) for amount in amounts)
    return f"{format_cents(low)} to {format_cents(high)}" if high else f"from {format_cents(low)}"


def _fees(tables: GameTables) -> Iterator[str]:
    """Who pays which fee by which measure, and what else the sheet says of fees."""
    for sentence in tables.rulebook.about("fees"):
        if "limits.posted" not in sentence.keys:
            rows = "; ".join(f"{amount} {fee}" for amount, fee in sentence.rows)
            yield f"{sentence.words} {rows}".rstrip()


def _rounding(tables: GameTables) -> str:
    return " ".join(sentence.words for sentence in tables.rulebook.about("limits.chip"))


def _notice(tables: GameTables) -> str | None:
    """The authorities' notice, where its clause is in force."""
    return tables.floor.notice if tables.rulebook.about("floor.notice") else None


def _notices(tables: GameTables) -> Iterator[str]:
    floor = tables.floor
    words = (
        floor.layout,
        floor.equipment,
        floor.seating,
        floor.handling,
        floor.placement,
        floor.conduct,
        floor.rates,
        _notice(tables),
        floor.house,
        floor.third_parties,
        floor.lights,
        floor.empty_positions,
    )
    yield from filter(None, words)
    carry = tables.carry
    if carry is not None:
        count = len(carry.next)
        all_lit = "One light wins" if count == 1 else f"All {count} lights win"
        yield f"{all_lit} {carry.prize_words}."
    for prize in tables.prizes:
        yield f"{prize.name}: {prize.words}."
    if carry is not None and carry.players_card and floor.players_card:
        yield floor.players_card
