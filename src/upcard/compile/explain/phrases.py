"""Turns of phrase of the rule sheet, and what a game has that sentences can speak of."""

from __future__ import annotations

from typing import NamedTuple

from upcard.cards import rank_name
from upcard.compile.hands import total_name
from upcard.compile.phases import surrenders_before_the_check
from upcard.money import format_odds, parse_odds
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules
from upcard.text import listed
from upcard.text import with_article as a


class SentenceDraft(NamedTuple):
    """A sentence before it is traced; it is dropped if the file states none of its keys.

    `always` keeps it even then: what a game does not have is worth saying. With `own` it is
    dropped unless a point of its keys has a provenance of its own. `moot` are keys that mean
    nothing beside what the sentence says, so that no other sentence speaks of them. What is
    `absent` by the house's choice no clause says; `assumed` is what no clause says though it has
    clauses beside it.
    """

    words: str
    keys: tuple[str, ...]
    always: bool = False
    rows: tuple[tuple[str, str], ...] = ()
    moot: tuple[str, ...] = ()
    own: bool = False
    absent: bool = False
    assumed: bool = False


def number(count: int, noun: str) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    spelled = words[count] if count < len(words) else str(count)
    return f"{spelled} {noun}" + ("" if count == 1 else "s")


def ranks(ranks: tuple[str, ...]) -> str:
    return listed(map(rank_name, ranks), "and")


def with_article(rank: str) -> str:
    """
    >>> with_article("A"), with_article("K")
    ('an ace', 'a king')
    """
    return a(rank_name(rank))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def odds(text: str) -> str:
    return "even money" if text == "1:1" else format_odds(parse_odds(text))


def share(text: str) -> str:
    return {"1": "all of", "1/2": "half"}.get(text, f"{text} of") + " the wager"


def points(total: float) -> str:
    return total_name(round(2 * total))


def dealer(game: GameRules) -> str:
    """Whose hand the players' are compared with."""
    return "the dealer" if game.bank.by == "house" else "the player-dealer"


def natural(game: GameRules) -> str:
    """One natural: "a blackjack"."""
    return a(game.natural.name)


def naturals(game: GameRules) -> str:
    """The plural, where the name has one: "blackjacks"."""
    name = game.natural.name
    return f"{name}s" if name[-1:].isalpha() else f"hands of {name}"


def best_total(game: GameRules) -> int:
    """The best total short of a natural."""
    return int(game.count.over)


def can_split(game: GameRules) -> bool:
    return game.split.on != "none" and game.split.max_hands > 1


def checks(game: GameRules) -> bool:
    """Whether a dealer looks for a natural before the players act."""
    return game.dealer.checks != "none"


def natural_may_come_late(game: GameRules) -> bool:
    """Whether a dealer's natural can show after the players have acted."""
    return game.dealer.checks != "ace-or-ten" and not both_up(game)


def both_up(game: GameRules) -> bool:
    """Whether the dealer's first two cards lie face up."""
    return game.deal.dealer_up > 1


def may_surrender(game: GameRules) -> bool:
    return game.surrender.when != "none"


def surrenders_first(game: GameRules) -> bool:
    """Whether hands may be surrendered before any turn."""
    return surrenders_before_the_check(game)


def several_boxes(game: GameRules) -> bool:
    """Whether a player can have more than one position."""
    return game.table.several_boxes and game.table.positions > 1


def pays_once(rules: RuleSet) -> bool:
    """Whether a player's fee is one for all the player's wagers together."""
    schedule, fees = rules.fee_schedule, rules.game.fees
    per_player = schedule is not None and schedule.charges == "per-player"
    return per_player and fees is not None and fees.players_per == "player"


def can_add(game: GameRules) -> bool:
    """Whether anything can be added to a wager during play."""
    return game.double.on != "none" or can_split(game)


def ten_values(game: GameRules) -> str:
    """The cards that make a natural with an ace: "a ten, jack, queen or king"."""
    present = [rank for rank in game.natural.with_ if rank not in game.shoe.removed]
    return a(listed(map(rank_name, present)))
