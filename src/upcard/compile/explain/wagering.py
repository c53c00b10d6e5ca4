"""What may be wagered, how it is rounded, and collection fees, in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from upcard.compile.explain.phrases import (
    SentenceDraft,
    can_add,
    may_surrender,
    natural,
    several_boxes,
)
from upcard.fees.schedules import FeeRow, FeeSchedule
from upcard.money import CENTS_PER_DOLLAR, format_cents, parse_odds, rounded
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules, offered_wagers
from upcard.rules.wagers import HandWager
from upcard.text import listed


def wagering(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    for wager_id, wager in game.wagers.items():
        if isinstance(wager, HandWager):
            yield SentenceDraft(
                f"The main wager is called {wager.name}; every box must have it.",
                (f"wagers.{wager_id}",),
            )
    yield from _limits(rules)
    if game.limits.bonus_share:
        share = game.limits.bonus_share
        times = "" if share == "1" else f"{share} of "
        whose = {
            "box": f"of a box together may not exceed {times}its main wager",
            "player": "of a player on all boxes together may not exceed "
            f"{times}all the player's main wagers together",
        }["box" if not several_boxes(game) else game.limits.bonus_share_of]
        yield SentenceDraft(
            f"All bonus wagers {whose}.", ("limits.bonus_share", "limits.bonus_share_of")
        )
    yield from _rounding(rules)


def _limits(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    limits, schedule = game.limits, rules.fee_schedule
    whole = limits.unit == CENTS_PER_DOLLAR
    unit = "whole dollars" if whole else f"multiples of {format_cents(limits.unit)}"
    one = "whole dollar" if whole else f"multiple of {format_cents(limits.unit)}"
    if limits.posted == "fee-schedule" and schedule is not None:
        low, high = format_cents(schedule.table_min), format_cents(schedule.table_max)
        yield SentenceDraft(
            f"Every wager on a spot before the deal is from {low} to {high}, the limits of fee "
            f"schedule {schedule.id}.",
            ("limits.posted", "fees.schedule"),
        )
    elif limits.amounts:
        yield SentenceDraft(
            f"Wagers are {listed(map(format_cents, limits.amounts))}, nothing else.",
            ("limits.amounts",),
        )
        added = [
            *(["doubles for less"] if game.double.on != "none" and game.double.for_less else []),
            *(["insurance"] if game.insurance.offered else []),
        ]
        if not added:
            return
        amounts = {
            "any": f"may be any {one}",
            "printed": "may only be of these amounts too",
        }[limits.added]
        yield SentenceDraft(
            f"What is added later, {listed(added, 'and')}, {amounts}.",
            ("limits.added", "limits.unit"),
        )
        return
    else:
        low, high = format_cents(limits.minimum), format_cents(limits.maximum)
        beside = any(wager in game.wagers for wager in offered_wagers(game)[1:])
        side = f", side wagers from {format_cents(limits.unit)} to {high}" if beside else ""
        yield SentenceDraft(
            f"The main wager is from {low} to {high}{side}.", ("limits.minimum", "limits.maximum")
        )
    beyond = "; what is added during play may go beyond the limits" if can_add(game) else ""
    yield SentenceDraft(f"Wagers before the deal are {unit}{beyond}.", ("limits.unit",))


# ------------------------------------------------------------------ rounding


class Uneven(NamedTuple):
    """A result that does not come out even in chips: the wager, what is due, what is settled."""

    what: str
    wager: int
    due: Fraction
    settled: int


def uneven(rules: RuleSet) -> Iterator[Uneven]:
    """For a natural and a surrender the smallest wager whose result no chips make exactly."""
    game = rules.game
    limits = game.limits
    cases = {natural(game): parse_odds(game.natural.pays)}
    if may_surrender(game):
        cases["a surrender"] = -Fraction(game.surrender.forfeits)
    for what, one in cases.items():
        for wager in _wagers(rules):
            due = one * wager
            settled = max(-wager, rounded(due, limits.chip, limits.rounding))
            if settled != due:
                yield Uneven(what, wager, due, settled)
                break


def _wagers(rules: RuleSet) -> tuple[int, ...] | range:
    """Wagers from the smallest, as many as can differ in what is left over of a chip."""
    limits, schedule = rules.game.limits, rules.fee_schedule
    if limits.amounts:
        return limits.amounts
    posted = limits.posted == "fee-schedule" and schedule is not None
    low = schedule.table_min if posted and schedule else limits.minimum
    high = schedule.table_max if posted and schedule else limits.maximum
    first = -(-low // limits.unit) * limits.unit
    enough = first + limits.unit * limits.chip * 20
    return range(first, min(enough, high + 1) if high else enough, limits.unit)


def _rounding(rules: RuleSet) -> Iterator[SentenceDraft]:
    limits = rules.game.limits
    keys = ("limits.chip", "limits.rounding")
    found = list(uneven(rules))
    if not found:
        yield SentenceDraft(
            f"The smallest chip is {format_cents(limits.chip)}, so every payoff comes out even.",
            ("limits.chip",),
            moot=("limits.rounding",),
        )
        return
    way = {
        "down": "down, in favour of the bank",
        "up": "up, in favour of the player",
        "nearest": "to the nearest chip, a half in favour of the player",
    }[limits.rounding]
    examples = listed((_example(case) for case in found), "and")
    yield SentenceDraft(
        f"The smallest chip is {format_cents(limits.chip)}. A result that does not come out even "
        f"is rounded {way}: {examples}.",
        keys,
    )


def _example(case: Uneven) -> str:
    wager = format_cents(case.wager)
    exact = format_cents(abs(int(case.due))) if case.due.denominator == 1 else ""
    instead = f" instead of {exact}" if exact else ""
    if case.settled >= 0:
        return f"{case.what} at {wager} wins {format_cents(case.settled)}{instead}"
    back = format_cents(case.wager + case.settled)
    lost = format_cents(-case.settled)
    return f"{case.what} at {wager} costs {lost}{instead} and brings {back} back"


# ------------------------------------------------------------------ fees


def fees(rules: RuleSet) -> Iterator[SentenceDraft]:
    game, schedule = rules.game, rules.fee_schedule
    fees = game.fees
    if fees is None:
        return
    yield SentenceDraft(
        f"Collection fees are those of schedule {fees.schedule} of the printed schedules. They "
        "are taken before any card is dealt.",
        ("fees.book",),
    )
    yield SentenceDraft(
        "There are at most five collection rates for a table limit.", ("fees.book#rates",), own=True
    )
    if schedule is not None:
        yield from _who_pays(game, schedule)
        rows = (*schedule.player_dealer, *schedule.players)
        if any(row.fee % game.limits.chip for row in rows):
            yield SentenceDraft(
                "Fees are paid exactly, whatever the smallest chip is.",
                ("limits.chip",),
                assumed=True,
            )
    if not fees.on_added_wagers:
        yield SentenceDraft("Doubles and splits pay no further fee.", ("fees.on_added_wagers",))
    charged = {
        "refuse": "no round is dealt",
        "lower-fee": "the lower fee of the rows next to the amount, or of those it is in, is taken",
        "higher-fee": "the higher fee of the rows next to the amount, or of those it is in, is "
        "taken",
        "nothing": "nothing is collected if it has no row for the amount, and no round is dealt if "
        "it has two",
    }
    yield SentenceDraft(
        f"Where the printed schedule gives no single fee, {charged[fees.resolution]}.",
        ("fees.resolution",),
    )


def _who_pays(game: GameRules, schedule: FeeSchedule) -> Iterator[SentenceDraft]:
    fees = game.fees
    assert fees is not None
    bonus = len(offered_wagers(game)) > 1
    per_hand = " per hand" if schedule.charges == "nothing" else ""
    total = "base and bonus wagers" if bonus else "wagers"
    pays = f"The player-dealer pays{per_hand} by the total of all players' {total}"
    yield SentenceDraft(f"{pays}:", ("fees.schedule",), rows=_fee_rows(schedule.player_dealer))
    if schedule.charges == "nothing":
        yield SentenceDraft("Players pay no fee.", ("fees.schedule",), moot=_OF_PLAYERS)
        return
    if schedule.charges == "per-spot":
        spots = " and for every bonus wager" if bonus else ""
        yield SentenceDraft(
            f"A player pays for every base wager{spots}, by the amount on it:",
            ("fees.schedule",),
            rows=_fee_rows(schedule.players),
            moot=_OF_PLAYERS,
        )
        return
    both = bonus and fees.players_by == "base-and-bonus"
    words = {
        "circle": "A player pays for every circle, by "
        + ("base and bonus wagers on it together" if both else "the base wager on it"),
        "player": "A player pays once, by all the player's "
        + ("base and bonus wagers" if both else "base wagers")
        + " together"
        + (", backline wagers included" if game.bank.backline != "none" else ""),
    }[fees.players_per]
    yield SentenceDraft(
        f"{words}:",
        ("fees.schedule", *(_OF_PLAYERS if bonus else _OF_PLAYERS[1:])),
        rows=_fee_rows(schedule.players),
        moot=() if bonus else _OF_PLAYERS[:1],
    )


_OF_PLAYERS = ("fees.players_by", "fees.players_per")
"""What a player's fee goes by, where players pay by their wager."""


def _fee_rows(rows: tuple[FeeRow, ...]) -> tuple[tuple[str, str], ...]:
    """Rows as they are printed."""
    return tuple((row.printed_range, row.printed_fee) for row in rows)
