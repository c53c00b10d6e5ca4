"""Contradictions in bonuses of the main wager: each an error that says what would be right."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.rules.bonuses import BonusHand, span_of
from upcard.rules.load import RuleSet
from upcard.rules.prizes import HandPrize
from upcard.rules.schema import GameRules
from upcard.text import did_you_mean

_RESERVED = (
    "bust",
    "total",
    "push",
    "special",
    "charlie",
    "split-ten-ace",
    "two-tens",
    "two-aces",
    "natural",
    "surrendered",
    "surrendered-early",
    "rescued",
    "bonus",
)
"""Words for how hands end without a bonus."""
_HERE = "bonuses.rows"


def bonuses_work(rules: RuleSet) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Bonuses: every row has a name of its own and says which hand it is for; suits go with ranks
    or a natural; ranks are in the deck, two or more and not over; a natural has no total or number
    of cards beside it and is over without `ends`; a row is not behind one that takes all its
    hands; surrender of any number of cards is a late one, and that of doubled hands needs doubles.
    """
    game = rules.game
    for path, message in _bonuses(game):
        yield path, message, (_HERE,)
    rule = game.surrender
    for key, default in (("on", "first-two"), ("after_double", False)):
        if getattr(rule, key) != default and rule.when == "early":
            words = (
                "an early surrender is of the first two cards, before anybody draws: leave it out"
            )
            yield f"surrender.{key}", words, (f"surrender.{key}", "surrender.when")
    if rule.after_double and game.double.on == "none":
        words = "there is no doubling down in this game"
        yield "surrender.after_double", words, ("surrender.after_double", "double.on")


def _bonuses(game: GameRules) -> Iterator[tuple[str, str]]:
    if game.bonuses is None:
        return
    rows = game.bonuses.rows
    if not rows:
        yield _HERE, "no hand gets a bonus: name one, or leave the section out"
    for number, row in enumerate(rows):
        here = f"{_HERE} #{number + 1}"
        yield from ((here, message) for message in _row(game, row))
        if row.name in [other.name for other in rows[:number]]:
            yield here, f'two rows have the name "{row.name}"'
        for before in rows[:number]:
            if _asks(before) == _asks(row):
                yield (
                    here,
                    f'"{before.name}" takes all its hands: name other hands, or leave it out',
                )
            elif _asks(before)[:-1] == _asks(row)[:-1] and before.suits is None:
                yield here, f'"{before.name}" takes all its hands: put it behind this one'


def prizes_work(rules: RuleSet) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Prizes of hands: their hands are rows of bonuses and named once, up cards are in the deck,
    and sums go up with the wager; they do not go with lights, a player's bank or an exchange of
    cards.
    """
    game = rules.game
    for name, prize in game.prizes.items():
        for key, message in _prize(game, prize):
            here = f"prizes.{name}.{key}"
            yield here, message, (here,)
        if not prize.offered:
            continue
        here = f"prizes.{name}.offered"
        for key, is_there, message in (
            ("lights.count", game.lights is not None, "lights have the game's prize already"),
            (
                "bank.by",
                game.bank.by != "house",
                "prizes are the house's, and a player banks here",
            ),
            (
                "exchange.cards",
                game.exchange.cards != "none",
                "a prize is for cards as they were dealt, not for exchanged ones",
            ),
        ):
            if is_there:
                yield here, f"{message}: it would have to be false", (here, key)


def _prize(game: GameRules, prize: HandPrize) -> Iterator[tuple[str, str]]:
    if prize.name != prize.name.strip() or not prize.name.isprintable():
        yield "name", "a name stands in one line, without blanks around it"
    rows = [row.name for row in game.bonuses.rows] if game.bonuses else []
    for number, hand in enumerate(prize.hands):
        if hand not in rows:
            yield "hands", f'there is no bonus "{hand}"{did_you_mean(hand, rows)}'
        if hand in prize.hands[:number]:
            yield "hands", f'"{hand}" is named twice'
    for rank in prize.up or ():
        if rank in game.shoe.removed:
            yield "up", f"{rank} is taken out of the deck"
    if not prize.in_order:
        yield "sums", "sums stand in the order of their wagers, the smallest first, each once"


def _asks(row: BonusHand) -> tuple[object, ...]:
    ranks = tuple(sorted(row.ranks)) if row.ranks else None
    return ranks, row.natural, row.total, row.cards, row.suits


def _row(game: GameRules, row: BonusHand) -> Iterator[str]:
    if row.name in _RESERVED or row.name.replace(".", "").isdigit():
        yield f'"{row.name}" is a word for other ends of a hand: give the bonus another name'
    if row.name != row.name.strip() or not row.name.isprintable():
        yield "a name stands in one line, without blanks around it"
    if not (row.ranks or row.natural or row.total is not None or row.cards is not None):
        yield f'"{row.name}" does not say which hand it is for: ranks, natural, total or cards'
    if row.suits is not None and not (row.ranks or row.natural):
        yield "suits go with a hand that is named by its ranks, or with a natural"
    if row.natural and (row.ranks or row.total is not None or row.cards is not None):
        yield "a natural is an ace and a ten-value card: state no ranks, total or cards beside it"
    if row.suits is not None and game.bonus_card is not None:
        yield "suits do not go with bonus cards, which may be traded away: leave suits out"
    if row.natural and row.ends:
        yield "a natural draws no card anyway: leave ends out"
    if row.ends and row.suits is not None:
        yield "whether a hand goes on does not depend on its suits: leave ends out"
    yield from _numbers(game, row)
    yield from _ranks(game, row)


def _numbers(game: GameRules, row: BonusHand) -> Iterator[str]:
    for what, value in (("total", row.total), ("cards", row.cards)):
        if value is not None and span_of(value)[0] > span_of(value)[1]:
            yield f"{what}: the smallest is above the largest"
    if row.cards is not None and span_of(row.cards)[1] < 2:
        yield "a hand has two cards or more"
    if row.total is not None and span_of(row.total)[0] > game.count.over:
        yield f"a total above {game.count.over:g} is over"


def _ranks(game: GameRules, row: BonusHand) -> Iterator[str]:
    if not row.ranks:
        return
    if len(row.ranks) < 2:
        yield "a hand has two cards or more: name as many ranks"
    gone = [rank for rank in row.ranks if rank in game.shoe.removed]
    if gone:
        yield f"{gone[0]} is taken out of the deck"
    low = game.count.ace[0]
    values = [
        low if rank == "A" else int(rank) if rank.isdigit() else game.count.court
        for rank in row.ranks
    ]
    if sum(values) > game.count.over:
        yield f"{'-'.join(row.ranks)} comes to {sum(values)}, which is over"
    if len(row.ranks) == 2 and "A" in row.ranks and set(row.ranks) & set(game.natural.with_):
        yield "an ace with a ten-value card is a natural: write natural = true"
