"""What goes together with doubles and splits that the house stakes."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.cards import rank_name
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules
from upcard.text import listed

Finding = tuple[str, str, tuple[str, ...]]
"""Path, message and keys whose clauses are cited."""

_DOUBLE, _SPLIT, _TIMES = "double.free_on", "split.free", "split.free_times"


def markers_work(rules: RuleSet) -> Iterator[Finding]:
    """Doubles and splits that the house stakes: there is doubling or splitting, the house banks,
    and a hand doubles once; no rescue, backline, fees, bonus cards or ties that cost; of cards that
    are split by value all ten-value ranks or none.
    """
    game = rules.game
    if game.double.free_on:
        yield from _doubles(game)
    elif game.double.free_cards != "two":
        yield (
            "double.free_cards",
            "the house stakes no doubles: free_on names the totals that it does",
            ("double.free_cards", _DOUBLE),
        )
    if game.split.free:
        yield from _splits(game)
    elif game.split.free_times:
        yield (
            _TIMES,
            "the house stakes no splits: free names the ranks whose pairs it does",
            (_TIMES, _SPLIT),
        )
    for key, used in ((_DOUBLE, game.double.free_on), (_SPLIT, game.split.free)):
        if used:
            yield from _beside(game, key)


def _doubles(game: GameRules) -> Iterator[Finding]:
    double = game.double
    if double.on == "none":
        words = 'the house stakes doubles only where players double: on = "any-two", say'
        yield _DOUBLE, words, (_DOUBLE, "double.on")
    if double.times > 1:
        yield (
            _DOUBLE,
            "where the house stakes doubles a hand doubles once: times = 1",
            (
                _DOUBLE,
                "double.times",
            ),
        )
    if double.rescue:
        words = "there is no rescue where the house stakes doubles: rescue = false"
        yield _DOUBLE, words, (_DOUBLE, "double.rescue")
    high = [total for total in double.free_on if total > game.count.over]
    if high:
        yield _DOUBLE, f"a hand of {high[0]} is over", (_DOUBLE, "count.over")
    if len(set(double.free_on)) < len(double.free_on):
        yield _DOUBLE, "a total stands there twice", (_DOUBLE,)


def _splits(game: GameRules) -> Iterator[Finding]:
    split = game.split
    if split.on == "none" or split.max_hands < 2:
        words = "the house stakes new hands only where pairs are split: on and max_hands say so"
        yield _SPLIT, words, (_SPLIT, "split.on", "split.max_hands")
    gone = [rank for rank in split.free if rank in game.shoe.removed]
    if gone:
        yield (
            _SPLIT,
            f"every {rank_name(gone[0])} is taken out of the deck",
            (
                _SPLIT,
                "shoe.removed",
            ),
        )
    tens = [rank for rank in ("T", "J", "Q", "K") if rank not in game.shoe.removed]
    named = [rank for rank in tens if rank in split.free]
    if split.on == "value" and named and named != tens:
        words = f"cards are split by value: {listed(tens, 'and')} stand there all or none"
        yield _SPLIT, words, (_SPLIT, "split.on")
    if len(set(split.free)) < len(split.free):
        yield _SPLIT, "a rank stands there twice", (_SPLIT,)


def _beside(game: GameRules, key: str) -> Iterator[Finding]:
    if game.bank.by != "house":
        yield key, 'the house stakes only what it banks: bank.by = "house"', (key, "bank.by")
    if game.bank.backline != "none":
        words = 'nobody follows what the house stakes: bank.backline = "none"'
        yield key, words, (key, "bank.backline")
    if game.fees is not None:
        yield key, "what the house stakes is not for games with collection fees", (key, "fees")
    if game.bonus_card is not None:
        yield key, "what the house stakes is not for games with bonus cards", (key, "bonus_card")
    if game.outcomes.tie == "costs":
        words = "a tie that costs is not for games in which the house stakes hands"
        yield key, words, (key, "outcomes.tie")
