"""Contradictions in what players exchange, and in the boxes that they need for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from upcard.rules.check_finer import FIRST_TWO, unmet
from upcard.rules.load import RuleSet
from upcard.rules.schema import ExchangeRules, GameRules
from upcard.rules.section import AS_DEALT
from upcard.text import listed

Finding = tuple[str, str, tuple[str, ...]]
"""Path, message and keys whose clauses are cited."""

_CARDS = "exchange.cards"
_TIMES = {
    "second-cards": ("after-check",),
    "bonus-cards": ("before-insurance", "own-turn"),
    "hand": ("own-turn",),
}
_OF_BONUS_CARDS = ("again", "on_double", "first_two")
_OF_ALL = ("when", "makes_natural")
_OF_HANDS = ("only", "natural_pays")


def exchanges_fit(rules: RuleSet) -> Iterator[Finding]:
    """Exchange: second cards are exchanged after the check, between two boxes of a player with two
    cards each, by one up card of which no more is told, in games without bonus cards and backed
    hands; bonus cards, where there are any, before insurance or in the own turn; a hand once, as
    the first decision of the own turn, for two cards of the shoe, by one up card of which no more
    is told, in games without bonus cards, own cards, a player's bank, backed hands, bonuses and
    wagers that go by ties; a natural that it makes pays odds of its own only where it makes one; a
    fixed number of boxes needs several boxes and as many positions, with no seat that comes first.
    """
    game = rules.game
    yield from _boxes_fit(game)
    yield from _keys_have_a_meaning(game)
    rule = game.exchange
    times = _TIMES.get(rule.cards, (rule.when,))
    if rule.when not in times:
        words = listed((f'"{time}"' for time in times), "or")
        what = "hands" if rule.cards == "hand" else rule.cards.replace("-", " ")
        problem = f'{what} are exchanged {words}, not "{rule.when}"'
        yield "exchange.when", problem, (_CARDS, "exchange.when")
    if rule.cards == "bonus-cards" and game.bonus_card is None:
        problem = "no card of this game is a bonus card: [bonus_card] would have to name one"
        yield _CARDS, problem, (_CARDS,)
    if rule.cards == "second-cards":
        yield from _two_boxes_fit(game)
    if rule.cards == "hand":
        yield from _hand_fits(game)


def _boxes_fit(game: GameRules) -> Iterator[Finding]:
    table = game.table
    if table.boxes > 1 and not table.several_boxes:
        problem = f"a player has one position in this game, and not {table.boxes}: several_boxes"
        yield "table.boxes", f"{problem} would have to be true", ("table.boxes",)
    if table.boxes > table.positions:
        problem = f"the table has {table.positions} positions, too few for a player's {table.boxes}"
        yield "table.boxes", problem, ("table.boxes", "table.positions")
    if table.boxes and game.bank.backline != "none":
        problem = "hands of a player with a fixed number of boxes cannot be backed by others yet"
        yield "bank.backline", f'{problem}: it would have to be "none"', ("bank.backline",)
    if table.boxes == 1:
        problem = "one box a player is what several_boxes = false says: it would have to be 0"
        yield "table.boxes", problem, ("table.boxes",)


def _keys_have_a_meaning(game: GameRules) -> Iterator[Finding]:
    """A game with bonus cards may say how they would be traded though none are."""
    if game.exchange.cards != "hand":
        for key in _OF_HANDS:
            if getattr(game.exchange, key) != getattr(ExchangeRules(), key):
                problem = 'that is about the exchange of a hand: cards would have to be "hand"'
                yield f"exchange.{key}", problem, (f"exchange.{key}", _CARDS)
    if game.bonus_card is not None:
        return
    rule, usual = game.exchange, ExchangeRules()
    words = "that is about bonus cards, and no card of this game is one: leave it out"
    idle = dict.fromkeys(_OF_BONUS_CARDS, words)
    if rule.cards == "hand":
        del idle["again"]
    if rule.cards == "none":
        idle |= dict.fromkeys(_OF_ALL, "nothing is exchanged in this game: leave it out")
    for key, problem in idle.items():
        if getattr(rule, key) != getattr(usual, key):
            yield f"exchange.{key}", problem, (f"exchange.{key}", _CARDS)


def _two_boxes_fit(game: GameRules) -> Iterator[Finding]:
    boxes = game.table.boxes
    if boxes != 2:
        problem = "cards are exchanged between two boxes of a player: table.boxes would have to be "
        yield _CARDS, f"{problem}2, not {boxes}", (_CARDS, "table.boxes")
    if game.bonus_card is not None:
        problem = "bonus cards are not combined with an exchange between boxes"
        yield _CARDS, problem, (_CARDS, "bonus_card.cards")
    if game.dealer.tells or game.deal.dealer_up != 1:
        problem = "an exchange between boxes goes by one up card: dealer_up would have to be 1, and"
        keys = (_CARDS, "deal.dealer_up", "dealer.tells")
        yield _CARDS, f"{problem} dealer.tells left out", keys
    if game.deal.player_up != 2 or game.deal.player_down:
        problem = "hands exchange second cards of two: player_up would have to be 2, no card down"
        yield _CARDS, problem, (_CARDS, "deal.player_up")


def _hand_fits(game: GameRules) -> Iterator[Finding]:
    rule = game.exchange
    if rule.again:
        problem = "a hand is exchanged once: again would have to be false"
        yield "exchange.again", problem, (_CARDS, "exchange.again")
    for condition in rule.only:
        for words in unmet(game, condition, FIRST_TWO):
            yield "exchange.only", words, ("exchange.only",)
    if rule.natural_pays != AS_DEALT and not rule.makes_natural:
        problem = "a natural is paid only where an exchange makes one: makes_natural would have to "
        keys = ("exchange.natural_pays", "exchange.makes_natural")
        yield "exchange.natural_pays", f"{problem}be true", keys
    for key, met, problem in _BESIDE_HANDS:
        if met(game):
            yield _CARDS, f"{problem} not combined with the exchange of a hand", (_CARDS, key)


_BESIDE_HANDS: tuple[tuple[str, Callable[[GameRules], bool], str], ...] = (
    ("bonus_card.cards", lambda game: game.bonus_card is not None, "bonus cards are"),
    ("table.boxes", lambda game: game.table.boxes > 0, "a fixed number of boxes is"),
    ("dealer.tells", lambda game: bool(game.dealer.tells), "telling of the down card is"),
    ("deal.player_up", lambda game: game.deal.player_up != 2, "hands of more first cards are"),
    ("deal.player_down", lambda game: game.deal.player_down > 0, "own cards of players are"),
    ("deal.dealer_up", lambda game: game.deal.dealer_up != 1, "two up cards of the dealer are"),
    ("bank.by", lambda game: game.bank.by != "house", "a player's bank is"),
    ("bank.backline", lambda game: game.bank.backline != "none", "backed hands are"),
    ("bonuses.rows", lambda game: game.bonuses is not None, "bonuses of hands are"),
    ("ties.hands", lambda game: game.ties is not None, "wagers on ties are"),
)
