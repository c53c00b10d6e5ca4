"""Advice solves only what a hand can reach; here it is held against the whole game's solution."""

import numpy as np
import pytest

import whole_game
from chance import numbers
from upcard import GAME_IDS, GameTables, tables_for
from upcard.cards import Card
from upcard.compile.deal import Receiver
from upcard.compile.shows import DealerShows, told_names
from upcard.errors import UpcardError
from upcard.solve.advice import advise
from upcard.solve.base_game import BaseGame
from upcard.solve.lights import lights_aim
from upcard.solve.one_hand import OneHand
from upcard.solve.solution import Aim
from upcard.solve.split import Mode

CLOSE = 1e-12
MODES: tuple[Mode, ...] = ("CDP", "CDP", "CDP+", "CDZ-", "none")


def cards(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


def agrees(
    tables: GameTables,
    hand: list[Card],
    up: Card | DealerShows,
    removed: list[Card] | tuple[Card, ...] = (),
    *,
    mode: Mode = "CDP",
    doubles: int = 0,
    ratios: dict[str, float] | None = None,
    checked: bool = False,
) -> None:
    by_suits = tables.bonuses is not None and tables.bonuses.depends_on_suits
    found = advise(
        tables,
        # The whole game knows ranks alone, so no suits are told where they would count.
        [card.rank for card in hand] if by_suits else hand,
        up,
        removed=removed,
        mode=mode,
        doubles=doubles,
        checked=checked,
        ratios=ratios or {},
    )
    assert not (checked and found.before_check)
    symbol = tables.alphabet.symbol
    aim = Aim(found.bet, ratios or {}, (found.light,))
    whole = whole_game.values(
        tables,
        [symbol(card) for card in hand],
        found.shows.number(tables),
        aim,
        mode=mode,
        doubles=doubles,
        removed=[symbol(card) for card in removed],
        checked=checked,
    )
    where = (tables.id, *map(str, hand), str(up), mode, doubles, checked)
    assert found.actions == pytest.approx(whole, abs=CLOSE, rel=0), where


def deal(
    tables: GameTables, dice: np.random.Generator
) -> tuple[list[Card], DealerShows, list[Card]]:
    """A hand, an up card or two and cards that are gone: often a pair, often a bonus card."""
    alphabet = tables.alphabet
    deck = [card for card in alphabet.cards for _ in range(alphabet.decks)]
    order = [deck[number] for number in dice.permutation(len(deck))]
    group = [alphabet.plain[alphabet.symbol(card)] for card in order]
    marked = [n for n, card in enumerate(order) if alphabet.symbols[alphabet.symbol(card)].marked]
    second = 1
    if dice.random() < 0.4:
        second = next(n for n in range(1, len(order)) if group[n] == group[0])
    elif marked and dice.random() < 0.6:
        second = marked[0] or marked[-1]
    order[1], order[second] = order[second], order[1]
    size = int(dice.choice([2, 2, 2, 3, 4]))
    gone = int(dice.integers(0, len(deck) // 2))
    shown = size + tables.round_plan.dealt(Receiver.DEALER, "up")
    names = told_names(tables)
    told = names[int(dice.integers(len(names)))] if names else ""
    return order[:size], DealerShows(tuple(order[size:shown]), told), order[shown : shown + gone]


@pytest.mark.chance
@pytest.mark.parametrize("game", GAME_IDS)
def test_random_hands_and_shoes(game: str) -> None:
    tables = tables_for(game)
    dice = numbers(12)
    priced = 0
    while priced < 6:
        hand, up, gone = deal(tables, dice)
        mode = MODES[int(dice.integers(len(MODES)))]
        try:
            agrees(tables, hand, up, gone, mode=mode, checked=dice.random() < 0.5)
        except UpcardError as refused:
            if "nothing to decide" not in str(refused):
                raise
        else:
            priced += 1


@pytest.mark.parametrize("mode", ["CDP", "CDP+", "CDZ-"])
@pytest.mark.parametrize("hand", ["Tc Ts", "Tc 8s", "Tc As", "8s 8d"])
def test_pairs_that_trades_make(hand: str, mode: Mode) -> None:
    tables = tables_for("ten-sticks-21", {"decks": "2"})
    agrees(tables, cards(hand), Card.parse("9h"), mode=mode)


def test_two_bonus_cards_can_become_any_pair() -> None:
    agrees(tables_for("ten-sticks-21", {"decks": "2"}), cards("Tc Tc"), Card.parse("6h"))


def test_a_traded_pair_whose_like_has_no_cards() -> None:
    """One plain ten is left: the pair of tens has a bonus card in it, traded or not."""
    tables = tables_for("ten-sticks-21", {"decks": "2"})
    courts = cards("Ts Th Td Js Jh Jd Jc Qs Qh Qd Qc Ks Kh Kd Kc")
    agrees(tables, cards("Tc Tc"), Card.parse("6h"), [*courts, *courts[:-1]])


@pytest.mark.parametrize(
    ("game", "settings", "hand", "up", "doubles"),
    [
        ("pure-spanish-21.5", {}, "5s 6d 2c", "9h", 1),
        ("pure-spanish-21.5", {}, "2s 3d 2c 4s", "8h", 2),
        ("pure-spanish-21.5", {}, "8s 8d", "8h", 0),
        ("games-of-chance-blackjack", {"surrender": "early"}, "Ts 6d", "As", 0),
        ("games-of-chance-blackjack", {"surrender": "early"}, "8s 8d", "Ts", 0),
        ("games-of-chance-blackjack", {"surrender": "both"}, "Ts 6d", "As", 0),
        ("games-of-chance-blackjack", {"surrender": "both"}, "8s 8d", "Ts", 0),
        ("blackjack", {"peek": "none"}, "8s 8d", "Ts", 0),
    ],
)
def test_doubles_busts_and_the_check(
    game: str, settings: dict[str, str], hand: str, up: str, doubles: int
) -> None:
    agrees(tables_for(game, settings), cards(hand), Card.parse(up), doubles=doubles)


@pytest.mark.parametrize("hand", ["Ts 6d", "8s 8d", "As 6d", "Ts Jd"])
@pytest.mark.parametrize("up", ["As", "Ts"])
def test_early_surrender_is_over_after_the_check(hand: str, up: str) -> None:
    tables = tables_for("blackjack", {"surrender": "early"})
    agrees(tables, cards(hand), Card.parse(up), checked=True)


def test_bonus_cards_are_decided_before_the_check() -> None:
    tables = tables_for("ten-sticks-21", {"decks": "2"})
    agrees(tables, cards("Tc 8s"), Card.parse("As"), checked=True)
    agrees(tables, cards("Tc Ts"), Card.parse("9h"), checked=True)


def test_wagers_that_ride_on_the_first_hand() -> None:
    agrees(tables_for("blackjack-tie"), cards("Ts Td"), Card.parse("8h"), ratios={"tie-18": 1.0})


@pytest.mark.parametrize(("game", "hand"), [("blackjack", "8 8"), ("ten-sticks-21", "8 T*")])
def test_endless_shoe(game: str, hand: str) -> None:
    tables = tables_for(game)
    held = [tables.alphabet.index(name) for name in hand.split()]
    up = tables.alphabet.index("9")
    aim = lights_aim(BaseGame(tables), 500)
    state = tables.hands.after(*held)
    found = OneHand(tables, held, state, up, endless=True).values(aim)
    whole = whole_game.values(tables, held, up, aim, endless=True)
    assert found.actions == pytest.approx(whole, abs=CLOSE, rel=0)


def test_only_what_the_hand_can_reach() -> None:
    tables = tables_for("blackjack")
    held = [tables.alphabet.index("T"), tables.alphabet.index("6")]
    hand = OneHand(tables, held, tables.hands.after(*held), tables.alphabet.index("9"))
    assert len(hand.graph) < 20
    assert not hand.pairs
    assert hand.met.keys.up == tables.alphabet.index("9")


@pytest.mark.parametrize("game", ["blackjack", "ten-sticks-21"])
def test_a_pair_that_is_all_there_is_of_it(game: str) -> None:
    """A split hand takes its cards from the shoe before the pair was dealt."""
    tables = tables_for(game)
    hand = cards("8h 8d")
    eights = [card for card in tables.alphabet.cards if card.rank == "8"] * tables.alphabet.decks
    for card in hand:
        eights.remove(card)
    for up in cards("6s Ah"):
        agrees(tables, hand, up, eights)


def test_a_pair_by_trade_without_the_cards_that_it_is_played_like() -> None:
    """Two plain tens are left, one of them the up card: the pair comes by a bonus card alone."""
    tables = tables_for("ten-sticks-21")
    hand, up = cards("Tc Kd"), Card("Ks")
    alphabet = tables.alphabet
    ten = alphabet.symbol(up)
    tens = [card for card in alphabet.cards if alphabet.symbol(card) == ten] * alphabet.decks
    for card in (hand[1], up):
        tens.remove(card)
    agrees(tables, hand, up, tens)
