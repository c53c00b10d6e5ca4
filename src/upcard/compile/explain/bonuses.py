"""Bonuses of the main wager, in words."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.cards import rank_name
from upcard.compile.explain.card_words import (
    SUITS_WORDS,
    cards_words,
    number_words,
    ranks_words,
)
from upcard.compile.explain.phrases import SentenceDraft, can_split, dealer, natural, odds
from upcard.money import format_cents
from upcard.rules.bonuses import BonusHand
from upcard.rules.schema import GameRules
from upcard.text import listed


def bonuses(game: GameRules) -> Iterator[SentenceDraft]:
    rules = game.bonuses
    if rules is None:
        return
    paid = {
        "at-once": f"at once, whatever {dealer(game)} has",
        "if-it-wins": "where the hand wins anyway",
    }[rules.paid]
    yield SentenceDraft(
        f"A hand with a bonus is paid by the first of these rows that fits, {paid}.",
        ("bonuses.rows", "bonuses.paid"),
        rows=tuple((_row_words(game, row), odds(row.pays)) for row in rules.rows),
    )
    ending = [row.name for row in rules.rows if row.ends]
    if ending:
        yield SentenceDraft(
            f"{' and '.join(ending)}: the hand is over, and draws no further card.",
            ("bonuses.rows",),
        )
    drawn = any(not row.natural for row in rules.rows)
    moot = [
        *(() if can_split(game) and drawn else ("bonuses.after_split",)),
        *(() if game.double.on != "none" and drawn else ("bonuses.after_double",)),
    ]
    if can_split(game) and drawn:
        get = "get bonuses too" if rules.after_split else "get no bonus"
        yield SentenceDraft(f"Split hands {get}.", ("bonuses.after_split",), always=True)
    if game.double.on != "none" and drawn:
        get = (
            "gets its bonus for all that it has at stake"
            if rules.after_double
            else "gets no bonus: what it wins is paid like any other win"
        )
        yield SentenceDraft(
            f"A doubled hand {get}.", ("bonuses.after_double",), always=True, moot=tuple(moot)
        )


def prizes(game: GameRules) -> Iterator[SentenceDraft]:
    """What hands win on top of their bonus, by fixed sums."""
    for prize_id, prize in game.prizes.items():
        here = f"prizes.{prize_id}"
        keys = tuple(f"{here}.{key}" for key in ("offered", "name", "hands", "up", "sums"))
        if not prize.offered:
            moot = (*keys[1:], f"{here}.others")
            yield SentenceDraft(
                f"{prize.name} is not offered.", keys[:1], always=True, absent=True, moot=moot
            )
            continue
        against = ""
        if prize.up:
            ups = [rank if rank.isdigit() else rank_name(rank) for rank in prize.up]
            against = f" against {dealer(game)}'s {listed(ups)}"
        neither = [
            *(["split"] if can_split(game) else []),
            *(["doubled"] if game.double.on != "none" else []),
        ]
        plain = ("", f", not {''.join(neither)},", ", neither split nor doubled,")[len(neither)]
        yield SentenceDraft(
            f"{prize.name}: {listed(prize.hands)}{against}{plain} wins a fixed sum on "
            "top of what the hand is paid.",
            keys,
            rows=tuple(
                (f"a wager of {format_cents(step.from_)} or more", format_cents(step.pays))
                for step in prize.sums
            ),
        )
        if prize.others:
            yield SentenceDraft(
                f"Every other player with a wager in the round then gets "
                f"{format_cents(prize.others)}.",
                (f"{here}.others",),
            )


def _row_words(game: GameRules, row: BonusHand) -> str:
    words = hand_words(game, row)
    return words if words == row.name else f"{row.name}: {words}"


def hand_words(game: GameRules, row: BonusHand) -> str:
    """What a row asks of a hand: "6-7-8, all spades".

    >>> from upcard.rules.load import load_game
    >>> hand_words(load_game("blackjack").game, BonusHand(name="x", total=21, cards=5, pays="3:2"))
    'a total of 21, five cards'
    """
    parts = []
    if row.natural:
        parts.append(natural(game))
    if row.ranks:
        parts.append(ranks_words(row.ranks))
    if row.total is not None:
        parts.append(f"a total of {number_words(row.total)}")
    if row.cards is not None:
        parts.append(cards_words(row.cards))
    if row.suits is not None:
        parts.append(SUITS_WORDS[row.suits])
    return ", ".join(parts) or "any hand"
