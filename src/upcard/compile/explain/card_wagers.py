"""Side wagers by rows of conditions, in words."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.compile.card_rows import card_rows
from upcard.compile.explain.card_words import row_words
from upcard.compile.explain.phrases import SentenceDraft, can_split, dealer, may_surrender
from upcard.rules.bonuses import span_of
from upcard.rules.card_conditions import CardCondition, SetCondition
from upcard.rules.card_wagers import CardWager
from upcard.rules.final_hands import FINAL_HANDS
from upcard.rules.fitting import counting_of, deck_size
from upcard.rules.schema import GameRules
from upcard.text import counted


def card_wager(game: GameRules, wager: CardWager, here: str) -> Iterator[SentenceDraft]:
    """Everything about a side wager by rows of conditions."""
    who, name = dealer(game), wager.name
    yield SentenceDraft(
        f"{name} may be wagered beside {game.wagers[wager.needs].name}; it may differ from it.",
        tuple(f"{here}.{key}" for key in ("settles", "name", "use", "table", "offered", "needs")),
    )
    yield SentenceDraft(
        f"{name} goes by {_cards(wager, who)}{_whatever(wager)}. {_which(wager)}",
        tuple(f"{here}.{key}" for key in ("cards", "mode", "quoted", "rows")),
        rows=tuple(_rows(game, wager)),
        moot=() if _counts_aces(wager) else (f"{here}.aces",),
    )
    if _counts_aces(wager):
        low, high = game.count.ace
        value = {
            "best": f"{high} where that is not over, else {low}",
            "low": f"{low} in every case",
        }[wager.aces]
        yield SentenceDraft(f"In a total for {name} an ace counts {value}.", (f"{here}.aces",))
    yield from _never_paid(game, wager, here)
    yield SentenceDraft(f"{name} is settled {_when(game, wager)}.", (f"{here}.settled",))
    if wager.cards == FINAL_HANDS:
        yield from _of_final_hands(game, wager, here)
    elif wager.settled == "dealer":
        yield SentenceDraft(
            f"While {name} is open {who} completes the hand, also when every player is over"
            f"{', has surrendered' if may_surrender(game) else ''} or has been paid.",
            (f"{here}.settled",),
        )
    if wager.cards == "first-three":
        yield from _third(game, wager, here)


def _of_final_hands(game: GameRules, wager: CardWager, here: str) -> Iterator[SentenceDraft]:
    """What a wager on both final hands says of hands that are split, over or given up."""
    keys = (f"{here}.cards",)
    if can_split(game):
        yield SentenceDraft(f"After a split {wager.name} goes by the first hand alone.", keys)
    if may_surrender(game) or game.double.rescue:
        ways = [
            *(("surrendered",) if may_surrender(game) else ()),
            *(("rescued",) if game.double.rescue else ()),
        ]
        yield SentenceDraft(f"If the hand is {' or '.join(ways)}, {wager.name} loses.", keys)


def _third(game: GameRules, wager: CardWager, here: str) -> Iterator[SentenceDraft]:
    split = ", on a split the first card on the first hand" if can_split(game) else ""
    yield SentenceDraft(
        f"The third card for {wager.name} is the next card that the first hand gets{split}.",
        (f"{here}.cards",),
    )
    given_up = ", but not after a surrender" if may_surrender(game) else ""
    words = {
        "guaranteed": f"A third card that still matters is dealt for {wager.name} in every case"
        f"{given_up}.",
        "if-drawn": f"If the hand gets no third card, {wager.name} is paid by the first two.",
    }[wager.third_card]
    yield SentenceDraft(words, (f"{here}.third_card",), always=True)


def _cards(wager: CardWager, who: str) -> str:
    return {
        "first": "the player's first card",
        "first-two": "the player's first two cards",
        "first-three": "the player's first, second and third card, in order",
        "first-two-and-up-card": f"the player's first two cards and {who}'s up card",
        "up-card": f"{who}'s up card",
        "dealers-two": f"{who}'s first two cards",
        "dealer": f"{who}'s final hand",
        FINAL_HANDS: f"the player's final hand and {who}'s",
    }[wager.cards]


def _whatever(wager: CardWager) -> str:
    """That what is done with a hand changes nothing."""
    if wager.cards in ("dealer", "up-card", "dealers-two", "first-three", FINAL_HANDS):
        return ""
    return ", whatever is done with the hand"


def _which(wager: CardWager) -> str:
    return {
        "first-row": "The first row that fits is paid; what is in no row loses.",
        "best-row": "Of the rows that fit the one that pays most is paid; what is in no row loses.",
        "every-row": "All rows that fit are paid together; what is in no row loses.",
        "each-card": "Each of the player's two cards beside the up card has a row of its own, and "
        "the two are paid together; if neither has one, the wager loses.",
    }[wager.mode]


def _when(game: GameRules, wager: CardWager) -> str:
    who = dealer(game)
    limited = game.bank.by != "house" and game.bank.cover == "limited"
    if limited or wager.settled == "dealer":
        return f"after {who}'s hand, at each seat after {game.wagers['base'].name}"
    return {
        "initial": "after the first cards, before anything else",
        "peek": f"after the first cards, or as soon as {who}'s second card can change nothing more",
        "third": "as soon as a further card can change nothing more",
    }[wager.settled]


def _rows(game: GameRules, wager: CardWager) -> Iterator[tuple[str, str]]:
    found = card_rows(wager, counting_of(game), decks=game.shoe.decks, deck=deck_size(game)).printed
    for row, printed in zip(wager.rows, found, strict=True):
        words = row_words(game, row.when)
        event = row.event if words == row.event else f"{row.event}: {words}"
        yield event, "pushes" if printed.printed == "push" else printed.printed


def _counts_aces(wager: CardWager) -> bool:
    """Whether a row goes by a total of cards that are counted for it alone."""
    if wager.cards == FINAL_HANDS:
        return False
    parts = [part for row in wager.rows for part in _parts(row.when)]
    return any(p.total is not None or p.soft is not None or p.bust is not None for p in parts)


def _parts(condition: CardCondition) -> Iterator[SetCondition]:
    yield condition
    for part in (condition.players_two, condition.dealers_two):
        if part is not None:
            yield part


def _never_paid(game: GameRules, wager: CardWager, here: str) -> Iterator[SentenceDraft]:
    """Rows whose cards the decks of this game do not hold."""
    decks = game.shoe.decks
    most_cards = game.dealer.stands_at_cards
    for row in wager.rows:
        few = row.when.cards
        if wager.cards == "dealer" and most_cards and few and span_of(few)[0] > most_cards:
            yield SentenceDraft(
                f"The dealer stands on {counted(most_cards, 'card')}, so that the row "
                f'"{row.event}" of {wager.name} cannot occur.',
                (f"{here}.rows",),
            )
            continue
        exactly = row.when.exactly or ()
        most = max((exactly.count(card) for card in exactly), default=0)
        copies = row.when.alike == "rank-and-suit" and wager.cards != "dealer"
        size = {"first-two": 2, "first-three": 3, "first-two-and-up-card": 3}.get(wager.cards, 1)
        if wager.mode == "each-card":
            size = 2
        if max(most, size if copies else 0) > decks:
            yield SentenceDraft(
                f'With {counted(decks, "deck")} the row "{row.event}" of {wager.name} cannot '
                "occur.",
                (f"{here}.rows",),
            )
