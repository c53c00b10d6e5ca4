"""A situation at the table goes in as words, a fact of the compiled tables comes out.

A hand is told as a story of cards and actions, such as "8s 8d split 3c double Tc": two eights,
split; the hand we follow gets a three, doubles and gets the ten of clubs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from upcard import load_game
from upcard.cards import Card, parse_cards
from upcard.compile.bonuses import suit_bit
from upcard.compile.context import Action, Phase, meant
from upcard.compile.observers import MatchObserver, PokerObserver, ShowdownObserver
from upcard.compile.pay_rows import NO_ROW
from upcard.compile.phases import RoundStep
from upcard.errors import UpcardError

if TYPE_CHECKING:
    from upcard import GameTables

EVEN = Fraction(1)
PUSH = Fraction(0)
LOSS = Fraction(-1)
HALF = Fraction(-1, 2)
"""What a surrender loses."""

HIT_OR_STAND = {"hit", "stand"}

_ACTIONS = {action.text: action for action in Action}
_PARTS = (
    *("alphabet", "hands", "contexts", "dealer", "player_classes", "bonuses", "payoffs"),
    "observers",
)
_PLANS = ("carry", "round_plan", "money", "floor")


class Position(NamedTuple):
    """Where a hand stands: its cards, and what has been done with it."""

    state: int
    context: int


def follow(game: GameTables, story: str) -> Position:
    """The position that a story leads to; actions on the way must be legal."""
    state, context = game.hands.start, game.contexts.index()
    for word in story.split():
        action = _ACTIONS.get(word)
        if action is None:
            state = int(game.hands.next[state, _symbol(game, word)])
        else:
            # Some rules allow it against some up cards only.
            shown = [_shown(game, up) for up in ("6s", "Ks")]
            offers = [game.legal.actions(state, context, up=up) for up in shown]
            legal = next((offer for offer in offers if meant(action, offer) in offer), offers[0])
            action = meant(action, legal)
            assert action in legal, f"{word} is not allowed in: {story}"
            state, context = _acted(game, state, context, action)
        assert state >= 0, f"{word} is not possible in: {story}"
    return Position(state, context)


def _acted(game: GameTables, state: int, context: int, action: Action) -> tuple[int, int]:
    hands, contexts = game.hands, game.contexts
    if game.effects.splits[action]:
        aces = int(game.alphabet.symbols[int(hands.pair_symbol[state])].is_ace)
        return int(hands.split_to[state]), int(contexts.after_split[context, aces])
    if action in (Action.KEEP, Action.TRADE):
        moves = hands.keep if action is Action.KEEP else hands.trade
        return int(moves[state]), int(contexts.next[context, action])
    if action in (Action.SURRENDER, Action.RESCUE):
        return state, context
    return int(game.effects.leads[action, state]), int(contexts.next[context, action])


def _symbol(game: GameTables, card: str) -> int:
    symbol = game.alphabet.symbol(Card.parse(card))
    assert symbol >= 0, f"{card} is not in this game's deck"
    return symbol


def _shown(game: GameTables, up: str) -> int:
    """The number of what the dealer shows: a card, or two where both lie face up."""
    symbols = [_symbol(game, card) for card in up.split()]
    return int(game.dealer.shown.of[symbols[0], symbols[-1]])


def may(game: GameTables, story: str, up: str, phase: str = Phase.TURNS) -> set[str]:
    """What a player may do, with the dealer's up card."""
    position = follow(game, story)
    if phase not in {context.phase for context in game.contexts.contexts}:
        return set()
    context = position.context if phase == Phase.TURNS else game.contexts.index(Phase(phase))
    legal = game.legal.actions(position.state, context, _shown(game, up))
    return {action.text for action in legal}


def refused_by(game: GameTables, story: str, up: str, action: str) -> tuple[str, ...]:
    """The clauses that refuse an action."""
    state, context = follow(game, story)
    reason = game.legal.why(state, context, _shown(game, up), _ACTIONS[action])
    assert not reason.legal, f"{action} is allowed in: {story}"
    return reason.clauses


def stake(game: GameTables, story: str) -> int:
    """The hand's wager in units of the original wager."""
    return int(game.effects.at_stake[game.class_of("bust"), _doubles(game, story)])


def rescue_loses(game: GameTables, story: str) -> int:
    """What a rescue would forfeit, in units of the original wager."""
    return int(game.effects.at_stake[game.class_of("rescued"), _doubles(game, story)])


def _doubles(game: GameTables, story: str) -> int:
    return game.contexts.contexts[follow(game, story).context].level


def reads(game: GameTables, story: str) -> str:
    """A player's hand in words: "soft 16", "hard 16", "natural 21.5" or "over"."""
    state = follow(game, story).state
    points = f"{game.hands.total[state] / 2:g}"
    if game.hands.bust[state]:
        return "over"
    if game.hands.natural[state]:
        return f"natural {points}"
    return f"{'soft' if game.hands.soft[state] else 'hard'} {points}"


def dealer(game: GameTables, cards: str) -> str:
    """What the dealer's cards end as, or "draws" if the dealer takes another."""
    state = game.dealer.start
    for word in cards.split():
        assert game.dealer.draws[state], f"the dealer has no {word} to draw in: {cards}"
        state = int(game.dealer.next[state, _symbol(game, word)])
    if game.dealer.draws[state]:
        return "draws"
    return game.dealer.classes[int(game.dealer.final_class[state])].name


def checked_under(game: GameTables) -> set[str]:
    """Names of the up cards under which the dealer looks for a natural."""
    flags = zip(game.alphabet.symbols, game.dealer.checks, strict=True)
    return {symbol.name for symbol, checks in flags if checks}


def makes_natural(game: GameTables, up: str, hole: str) -> bool:
    """Whether a hole card gives the dealer a natural."""
    return bool(game.dealer.natural[_symbol(game, up), _symbol(game, hole)])


def result(
    game: GameTables, player: str, dealers: str, wager: str = "base", *, added: bool = False
) -> Fraction:
    """What one unit of a wager wins net; with `added`, a unit put up after the deal."""
    payoff = game.payoffs[wager]
    matrix = payoff.added if added else payoff.odds
    return matrix[_player_class(game, player)][_dealer_class(game, dealers)]


def rates(
    game: GameTables, player: str, dealers: str, *, first: bool = True, doubles: int = 0
) -> tuple[Fraction, Fraction]:
    """What a unit wins that a hand began with, and one that doubles added to it."""
    own, other = _player_class(game, player), _dealer_class(game, dealers)
    return game.payoffs["base"].rates(own, other, first=first, doubles=doubles)


def dollars_besides(game: GameTables, player: str, dealers: str) -> int:
    """What the hand wins or loses besides the odds, in dollars, whatever the wager."""
    flat = game.payoffs["base"].flat
    cents = flat[_player_class(game, player)][_dealer_class(game, dealers)]
    assert cents % 100 == 0
    return cents // 100


def is_settled(game: GameTables, player: str, up: str = "6s", wager: str = "base") -> bool:
    """Whether the dealer's hand no longer matters to a player's."""
    return game.is_settled(wager, _player_class(game, player), _shown(game, up))


def _player_class(game: GameTables, story: str) -> int:
    last = story.split()[-1]
    state = follow(game, story).state
    if last in ("surrender", "rescue"):
        return game.class_index[{"surrender": "surrendered", "rescue": "rescued"}[last]]
    number = int(game.hands.player_class[state])
    assert number >= 0, f"no hand ends like this: {story}"
    return game.final_class(number, _suits(story), _doubles(game, story))


def _suits(story: str) -> int:
    """The suits of a story's hand; a split leaves its first card."""
    cards: list[Card] = []
    for word in story.split():
        if word == "split":
            del cards[1:]
        elif word not in _ACTIONS:
            cards.append(Card.parse(word))
    return int(np.bitwise_or.reduce([suit_bit(card) for card in cards]))


def _dealer_class(game: GameTables, cards: str) -> int:
    name = dealer(game, cards)
    assert name != "draws", f"the dealer is not done with: {cards}"
    return [found.name for found in game.dealer.classes].index(name)


def side(game: GameTables, wager: str, player: str, other: str = "") -> Fraction:
    """What one unit of a wager on cards wins net: player's cards, and the dealer's or community."""
    observer = game.observers[wager]
    own, others = parse_cards(player), parse_cards(other)
    if isinstance(observer, ShowdownObserver):
        return observer.odds(own, others)
    assert isinstance(observer, MatchObserver | PokerObserver)
    row = observer.row_of(own, others)
    return LOSS if row == NO_ROW else observer.rows[row].odds


def deal_of(game: GameTables) -> list[str]:
    """The initial deal, such as ["position up", "dealer up", ...]."""
    return [f"{card.to} {card.face}" for card in game.round_plan.passes]


def in_order(game: GameTables, *steps: str) -> bool:
    """Whether the round has all these steps, in this order."""
    kinds: list[str] = list(game.round_plan.kinds)
    places = [kinds.index(step) for step in steps]
    return places == sorted(places)


def step_cites(game: GameTables, step: str) -> set[str]:
    """The clauses behind a step of the round."""
    return {clause for s in game.round_plan.steps if s.kind == step for clause in s.clauses}


def refusal(game_id: str, **settings: object) -> str:
    """The sentence with which a game refuses some settings."""
    texts = {name: str(value) for name, value in settings.items()}
    with pytest.raises(UpcardError) as caught:
        load_game(game_id, texts)
    return str(caught.value)


def differences(one: GameTables, other: GameTables) -> set[str]:
    """The parts in which two compiled games differ, apart from words and citations.

    Legal actions are listed by hand, so they are compared only where the hands are the same.
    """
    found = {
        part
        for part in (*_PARTS, *_PLANS)
        if _plain(getattr(one, part)) != _plain(getattr(other, part))
    }
    if "hands" not in found and _plain(one.legal.mask) != _plain(other.legal.mask):
        found.add("legal")
    if one.effects.stake != other.effects.stake:
        found.add("stakes")
    return found


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, RoundStep):
        return value.kind
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return value


def own_clauses(game: GameTables) -> set[str]:
    """The clauses that stand in the game's own file."""
    return {clause.id for clause in game.rulebook.clauses if clause.origin == game.id}


def shown(game: GameTables) -> set[str]:
    """The clauses on the rule sheet, and those that mean nothing under the settings."""
    book = game.rulebook
    steps = {f"step:{kind}" for kind in game.round_plan.kinds}
    idle = {
        clause.id
        for clause in book.clauses
        if not clause.in_force or not (book.matters(*clause.sets) or steps & set(clause.sets))
    }
    chosen = {clause for option in book.options for clause in option.clauses}
    chosen |= {clause for reading in book.readings for clause in reading.clauses}
    return said_by_sentences(game) | chosen | idle


def said_by_sentences(game: GameTables) -> set[str]:
    """The clauses cited by some sentence of the rule sheet or some step of the round."""
    cited = {clause for sentence in game.rulebook.sentences for clause in sentence.clauses}
    return cited | {clause for step in game.round_plan.steps for clause in step.clauses}


def readings(game: GameTables) -> dict[str, str]:
    """Every open question of the game, and the answer decided."""
    return {reading.name: reading.default for reading in game.rulebook.readings}


def named_in_tests(module: Mapping[str, object]) -> set[str]:
    """Clause ids in the docstrings of a module's tests."""
    docs = [str(test.__doc__) for name, test in module.items() if name.startswith("test_")]
    return set(re.findall(r"\b[A-Z]{2,3}-\w+", "\n".join(docs)))


def said(text: str | None) -> str:
    """A floor text in small letters, which must be there."""
    assert text, "the floor is told nothing"
    return text.lower()
