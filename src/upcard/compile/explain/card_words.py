"""Conditions on cards in words: what a row of a pay table or of bonuses asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from upcard.cards import Card, rank_name
from upcard.compile.explain.phrases import dealer, natural
from upcard.rules.bonuses import span_of
from upcard.rules.card_conditions import (
    CardCondition,
    FinalCondition,
    Number,
    RankCount,
    SetCondition,
)
from upcard.rules.schema import GameRules
from upcard.text import listed

SUITS_WORDS = {
    "one": "of one suit",
    "one-colour": "of one colour",
    "s": "all spades",
    "h": "all hearts",
    "d": "all diamonds",
    "c": "all clubs",
}
_ALIKE = {"rank": "all of one rank", "rank-and-suit": "all of one rank and suit"}
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def row_words(game: GameRules, when: CardCondition) -> str:
    """What a row of a side wager asks for.

    >>> from upcard.rules.load import load_game
    >>> game = load_game("blackjack").game
    >>> row_words(game, CardCondition(total=20, suits="one"))
    'a total of 20, of one suit'
    >>> two_queens = SetCondition(exactly=("Qh", "Qh"))
    >>> row_words(game, CardCondition(bust=True, cards=3, last=("6",), players_two=two_queens))
    "over, three cards, a six last; the player's first two: two queens of hearts"
    """
    parts = [", ".join(_of_cards(game, when))]
    if when.up is not None:
        parts.append(f"{_any_of(when.up)} up")
    if when.between is not None:
        count = number_words(when.between, spelled=True)
        one_of = "the only one" if when.between == 1 else f"one of {count}"
        parts.append(f"the up card's rank {one_of} between the player's two")
    for whose, two in (("the player", when.players_two), (dealer(game), when.dealers_two)):
        if two is not None:
            parts.append(f"{whose}'s first two: {', '.join(_of_cards(game, two)) or 'any cards'}")
    if when.dealers_final is not None:
        parts.append(f"{dealer(game)}'s: {', '.join(_of_final(game, when.dealers_final))}")
    if when.compared is not None:
        parts.append(_COMPARED[when.compared].format(dealer(game)))
    return "; ".join(filter(None, parts)) or "any cards"


_COMPARED = {
    "higher": "above {}'s hand",
    "equal": "equal to {}'s hand",
    "lower": "below {}'s hand",
}


def _of_final(game: GameRules, when: FinalCondition) -> Iterator[str]:
    """What is asked of a hand that has ended."""
    same = SetCondition(cards=when.cards, total=when.total, natural=when.natural, bust=when.bust)
    yield from _what_they_make(game, same)


def _of_cards(game: GameRules, when: SetCondition) -> Iterator[str]:
    found = [*_what_they_make(game, when), *_which_they_are(when)]
    if when.first is not None:
        seen = "first card" if when.first == 1 else f"first {_word(when.first)} cards"
        found[:1] = [f"the {seen}: {found[0] if found else 'any'}"]
    yield from found


def _what_they_make(game: GameRules, when: SetCondition) -> Iterator[str]:
    if when.natural is not None:
        yield natural(game) if when.natural else f"no {game.natural.name}"
    kind = {None: "", True: "soft ", False: "hard "}[when.soft]
    if when.total is not None:
        yield f"a {kind}total of {number_words(when.total)}"
    elif kind:
        yield kind.strip()
    if when.bust is not None:
        yield "over" if when.bust else "not over"
    if when.cards is not None:
        yield cards_words(when.cards)


def _which_they_are(when: SetCondition) -> Iterator[str]:
    if when.ranks is not None:
        yield ranks_words(when.ranks)
    if when.exactly is not None:
        cards = Counter(map(Card.parse, when.exactly))
        yield listed((_copies(card, count) for card, count in cards.items()), "and")
    if when.only is not None:
        named = (rank if rank.isdigit() else _many(rank) for rank in when.only)
        yield f"only {listed(named) if len(when.only) > 1 else _many(when.only[0])}"
    if when.has is not None:
        yield _so_many(when.has)
    if when.alike is not None:
        yield _ALIKE[when.alike]
    if when.pair is not None:
        yield "two of one rank" if when.pair else "no two of one rank"
    if when.sequence is not None:
        yield "in sequence" if when.sequence else "not in sequence"
    if when.suits is not None:
        yield SUITS_WORDS[when.suits]
    if when.last is not None:
        yield f"{_any_of(when.last)} last"


def ranks_words(ranks: tuple[str, ...]) -> str:
    """Ranks as a hand is called by them.

    >>> ranks_words(("7", "7", "7")), ranks_words(("K", "Q")), ranks_words(("A", "A"))
    ('7-7-7', 'king-queen', 'two aces')
    """
    if len(ranks) > 1 and len(set(ranks)) == 1 and not ranks[0].isdigit():
        return f"{_word(len(ranks))} {_many(ranks[0])}"
    return "-".join(rank if rank.isdigit() else rank_name(rank) for rank in ranks)


def cards_words(number: Number) -> str:
    """A number of cards.

    >>> cards_words(1), cards_words(5)
    ('one card', 'five cards')
    """
    return f"{number_words(number, spelled=True)} card{'' if number == 1 else 's'}"


def number_words(number: Number, *, spelled: bool = False) -> str:
    """A number or a span of numbers."""
    low, high = span_of(number)
    word = _word if spelled else str
    if low == high:
        return word(low)
    if high == float("inf"):
        return f"{word(low)} or more"
    return f"{word(int(high))} or less" if not low else f"{word(low)} to {word(int(high))}"


def _word(value: int) -> str:
    return _WORDS[value] if value < len(_WORDS) else str(value)


def _so_many(has: RankCount) -> str:
    """So many cards of some ranks: "one ace", "two or more of 7, 8 or 9"."""
    if len(has.ranks) > 1:
        named = (rank if rank.isdigit() else rank_name(rank) for rank in has.ranks)
        return f"{number_words(has.count, spelled=True)} of {listed(named)}"
    one = rank_name(has.ranks[0]) if has.count == 1 else _many(has.ranks[0])
    return f"{number_words(has.count, spelled=True)} {one}"


def _any_of(ranks: tuple[str, ...]) -> str:
    """One of some ranks: "an ace", "a 7, 8 or 9"."""
    first = rank_name(ranks[0])
    article = "an" if first[0] in "ae" else "a"
    if len(ranks) == 1:
        return f"{article} {first}"
    named = (rank if rank.isdigit() else rank_name(rank) for rank in ranks)
    return f"{article} {listed(named)}"


def _copies(card: Card, count: int) -> str:
    if count == 1:
        return f"the {card.name}"
    rank, _, suit = card.name.partition(" ")
    return f"{_word(count)} {_plural(rank)} {suit}"


def _many(rank: str) -> str:
    return _plural(rank_name(rank))


def _plural(name: str) -> str:
    """
    >>> _plural("six"), _plural("ace")
    ('sixes', 'aces')
    """
    return f"{name}{'es' if name[-1] == 'x' else 's'}"
