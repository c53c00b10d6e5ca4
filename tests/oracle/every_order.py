"""The best that can be done with a tiny deck, by playing every order of its cards.

Rounds that look alike to the player so far get the same answer, the one that is best on average.
Nothing is computed by a formula: this is the check of `exact_play`.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from .plain_round import Question, play

Order = tuple[str, ...]


def orders(cards: Sequence[str]) -> Iterator[Order]:
    """Every order of the cards that looks different: all of them are equally likely."""
    if len(cards) == 0:
        yield ()
    for card in sorted(set(cards)):
        rest = list(cards)
        rest.remove(card)
        for more in orders(rest):
            yield (card, *more)


def best_by_every_order(
    game: str,
    settings: Mapping[str, object],
    cards: Sequence[str],
    never: Sequence[str] = (),
) -> Fraction:
    """What is won on average, in base wagers, by somebody who never takes some actions."""
    every = list(orders(cards))
    return _best(game, settings, every, (), tuple(never)) / len(every)


def follow(
    game: str, settings: Mapping[str, object], order: Order, answers: Sequence[str]
) -> Question | Fraction:
    """The question after some answers, or the result."""
    going = play(game, settings, order)
    try:
        question = next(going)
        for answer in answers:
            question = going.send(answer)
    except StopIteration as over:
        result: Fraction = over.value
        return result
    return question


def _best(
    game: str,
    settings: Mapping[str, object],
    alike: Sequence[Order],
    answers: tuple[str, ...],
    never: tuple[str, ...],
) -> Fraction:
    """The sum over orders that have looked alike so far, with the same answers."""
    total = Fraction(0)
    groups: dict[Question, list[Order]] = {}
    for order in alike:
        found = follow(game, settings, order, answers)
        if isinstance(found, Fraction):
            total = total + found
        else:
            groups.setdefault(found, []).append(order)
    for question, group in groups.items():
        total = total + max(
            _best(game, settings, group, (*answers, action), never)
            for action in question.actions
            if action not in never
        )
    return total
