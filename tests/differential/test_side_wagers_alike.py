"""Side wagers: solver, simulator and live table against each other and against the clauses.

The oracle (`tests/oracle/side_wagers.py`) knows the clauses alone. Every card set is asked: a few
first cards, three in order, the dealer's second card, the dealer's final hand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest

import chance
import upcard
from depth import deep
from differential.simulator_rounds import Cards, Setup, compare
from oracle import side_wagers as oracle
from upcard import GAME_IDS, GameTables, tables_for
from upcard.cards import DECK, Card
from upcard.compile.context import Action
from upcard.rules.side_files import SIDE_IDS, find_side
from upcard.solve.observers import card_wager, depends_on_play
from upcard.table import commands as cm
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.judge import Refusal
from upcard.table.shoe import secret_from
from upcard.table.state import TableState

TABLES = [(side, table) for side in SIDE_IDS for table in find_side(side).side.tables]
OF_DEALER = ("buster", "dealer-bust", "bust-it", "push-22")
THIRD = Path(__file__).parent / "three_in_order.toml"
BOTH = Path(__file__).parent / "both_hands.toml"
MIXES = (
    (str(THIRD), "push-22", f"{BOTH}=plain"),
    (f"{THIRD}=if-drawn", "bust-it"),
    ("21+3", "perfect-pairs", "super-sevens", "lucky-ladies", "buster=natural-bonus"),
    ("royal-match=crown-treasure", "super-sevens=no-guarantee", "push-22=50-20-8", "bust-it"),
    ("lucky-lucky", "kings-bounty", "in-between", "dealer-bust", "sweet-sixteen", "blazing-7s"),
)
MORE = {
    "blackjack": ({}, {"peek": "none"}, {"soft17": "hit", "surrender": "early"}),
    "twisted-21": ({}, {"dealer_natural": "any"}),
}
SEED, ROUNDS = 11, 20


# ------------------------------------------------------------------ simulator and live table


def setups(game: str, cards: Cards) -> Iterator[Setup]:
    """Tables with side wagers, all of them staked; other rules where every round is stacked."""
    settings_of = MORE.get(game, ({},)) if cards == "stacked" else ({},)
    for number, (mix, more) in enumerate(product(MIXES, settings_of)):
        if more.get("dealer_natural") == "any":
            mix = tuple(s for s in mix if s.split("=")[0] not in NEEDS_SECOND)
        wagers = tuple((wager_of(side), 100) for side in mix)
        bet = 1000 if game == "blackjack-tie" else 500
        if game == "games-of-chance-blackjack":
            bet, wagers = 400, tuple((side, 400) for side, _ in wagers)
        if game == "pure-spanish-21.5":
            bet, wagers = 300, tuple((side, 300) for side, _ in wagers)
        settings = (("sides", ",".join(mix)), *more.items())
        found = Setup(game, bet, wagers, settings, cards=cards)
        yield replace(found, seats=-(-(2 + number % 3) // found.boxes) * found.boxes)


def wager_of(side: str) -> str:
    return find_side(side.split("=")[0]).side.id


NEEDS_SECOND = ("lucky-ladies", "kings-bounty", "royal-match")


@pytest.mark.chance
@pytest.mark.parametrize(
    ("game", "cards"),
    [
        *((game, "stacked") for game in GAME_IDS),
        (GAME_IDS[0], "cut"),
        *(pytest.param(game, "cut", marks=deep) for game in GAME_IDS[1:]),
    ],
)
def test_the_simulator_settles_side_wagers_as_the_live_table(game: str, cards: Cards) -> None:
    """SW-1, SW-2, SW-4, SW-8, SW-9, S7-3, S7-4: card by card, wager by wager."""
    seated = list(setups(game, cards))
    report = compare(seated, ROUNDS, SEED)
    assert not report.differences, "\n".join(report.differences[:12])
    assert report.counts["rounds"] > ROUNDS // 2 * len(seated)


PRICED = [
    mix if "super-sevens" in " ".join(mix) else (*mix, "super-sevens")
    for mix in MIXES
    if not mix[0].startswith(str(THIRD))
]
"""Those of which play does not decide whether a third card comes: a price is for one that does, and
whoever stands or surrenders goes without it. Each has a third card, for which one kernel serves.
"""


@pytest.mark.parametrize("mix", PRICED, ids=lambda mix: mix[0])
def test_simulated_side_wagers_come_to_their_exact_value(mix: tuple[str, ...]) -> None:
    """SW-2, SW-8: many rounds; wagers that nobody staked are watched like the others.

    One whose third card comes by the play alone has no value to be compared with.
    """
    game = upcard.game("blackjack", sides=list(mix))
    found = game.simulate(rounds=2_000_000, seed=SEED)
    compared = [side for side in mix if not depends_on_play(game.tables, wager_of(side))]
    assert len(compared) >= len(mix) - 1
    for side in mix:
        z = found.wagers[wager_of(side)].z
        assert (z is not None) is (side in compared)
        assert z is None or abs(z) < 4.5, side


# ------------------------------------------------------------------ live table and clauses


def biased_cards(wager: str, dice: Random) -> list[str]:
    """A shuffle in which what the wager pays for comes often."""
    ranks = {
        "super-sevens": "7778T",
        "blazing-7s": "777T9",
        "lucky-ladies": "QQQA9T",
        "kings-bounty": "KKKQA9T",
        "bust-it": "8888667T9",
        "buster": "A234T6",
        "royal-match": "KKQQ5",
        "pair-square": "2KQ",
        "perfect-pairs": "2KQ",
        "push-22": "26TK84",
        "sweet-sixteen-tcs": "A5679T8",
    }.get(wager, "A2346789TJQK")
    suits = dice.choice(["shdc", "hd", "s", "hs"])
    shoe = [str(card) for card in DECK] * 6
    dice.shuffle(shoe)
    wanted = [card for card in shoe if card[0] in ranks and card[1] in suits][:12]
    for card in wanted:
        shoe.remove(card)
    return [*wanted, *shoe[:48]]


def played_live(tables: GameTables, wager: str, cards: list[str], dice: Random) -> TableState:
    """A round of one seat with the side wager, decisions at random."""
    engine = Engine(tables)
    state = NEW_TABLE
    commands: list[cm.Command] = [
        cm.OpenTable(table="t", secret=secret_from("t"), positions=(1,), scripted=True),
        cm.BuyIn(player="Ann", amount=10**9),
        cm.Sit(player="Ann", seat=1),
        cm.StackShoe(cards=tuple(cards)),
        cm.PlaceWagers(player="Ann", position=1, wagers={"base": 1000, wager: 200}),
        cm.Deal(),
    ]
    for command in commands:
        outcome = engine.act(state, command)
        assert not isinstance(outcome, Refusal), str(outcome)
        state = outcome.state
    while question := engine.question(state):
        action = dice.choice(question.actions)
        outcome = engine.act(state, command_of(action, question))
        assert not isinstance(outcome, Refusal), str(outcome)
        state = outcome.state
    return state


def command_of(action: Action, question: Question) -> cm.Command:
    return cm.parse_decision(action.text, player=question.player, position=question.position)


@pytest.mark.chance
@pytest.mark.parametrize("settings", [{}, {"peek": "none"}, {"surrender": "early"}], ids=str)
@pytest.mark.parametrize(("side", "table"), TABLES, ids=lambda part: part)
def test_the_live_table_pays_what_the_clauses_say(
    side: str, table: str, settings: dict[str, str]
) -> None:
    """SW-3, SW-5, SW-6, SW-7, SW-9 and the clauses of every wager, by the oracle."""
    dice = chance.dice(f"{side} {table} {settings}")
    tables = tables_for("blackjack", settings, sides=[f"{side}={table}"])
    paid: Counter[Fraction] = Counter()
    for _ in range(25):
        state = played_live(tables, side, biased_cards(side, dice), dice)
        here = state.round
        assert here is not None
        box = here.boxes[0]
        bet = box.sides[-1]
        assert bet.settled is not None
        got = Fraction(bet.settled.won - bet.settled.collected, bet.amount)
        dealer = [*here.dealer.cards, *filter(None, here.dealer.down)]
        wanted = oracle.net(
            side, table, list(box.dealt), box.third, dealer, list(here.dealer.cards)
        )
        assert got == wanted, (box, here.dealer)
        paid[got] += 1
        if side in OF_DEALER:
            assert here.dealer.result != "not needed", "SW-8"
    assert len(paid) > 1


# ------------------------------------------------------------------ solver and clauses

FIRST = "As Ah Kh Qh Qh 7s 7s 7d 5h 9d"
TINY = {
    "royal-match": "Ks Qs Kh Qh Kh Qh 5d 5c",
    "kings-bounty": "Ks Ks Kh Kh Qd Qd As 9s",
    "buster": "As 2h 2s 3d 4c 6h Ts 8d 9h Kd 5s",
    "buster=natural-bonus": "As 2h 3d 4c 6h Ts Th 9h Kd",
    "push-22": "2s 2h 6s 6s 5s Ts Th 8s 4s Ks",
    "bust-it": "8s 8s 8s 8c 6h 7d 9h Td 4s",
    "dealer-bust": "As 2h 6s 7d 9c Ts Jh 5d 8s Kc",
}


@cache
def orders_of_five(text: str) -> Counter[tuple[str, ...]]:
    """Every order of five of some cards, and how often it comes."""
    return Counter(permutations(text.split(), 5))


def shoe_of(text: str) -> dict[Card, int]:
    return dict(Counter(Card.parse(card) for card in text.split()))


def dealers(
    cards: list[str], hand: list[str], *, hits_soft: bool
) -> Iterator[tuple[list[str], Fraction]]:
    """Every final hand of the dealer with its chance; a shoe that runs out gives none."""
    points = oracle.total(hand)
    soft = points != sum(map(oracle.value, hand))
    if points > 17 or (points == 17 and not (soft and hits_soft)):
        yield hand, Fraction(1)
        return
    for number, card in enumerate(cards):
        rest = cards[:number] + cards[number + 1 :]
        for final, share in dealers(rest, [*hand, card], hits_soft=hits_soft):
            yield final, share / len(cards)


@pytest.mark.parametrize(("side", "table"), TABLES, ids=lambda part: part)
def test_the_exact_value_is_that_of_every_order_of_a_few_cards(side: str, table: str) -> None:
    """SW-2, SW-3: plain loops over all cards of a small shoe."""
    text = TINY.get(f"{side}={table}", TINY.get(side, FIRST))
    cards = text.split()
    tables = tables_for("blackjack", sides=[f"{side}={table}"])
    found = card_wager(tables, side, shoe=shoe_of(text))
    whole: defaultdict[str, Fraction] = defaultdict(Fraction)
    if side in OF_DEALER:
        needs_player = table == "natural-bonus"
        firsts = list(permutations(range(len(cards)), 2)) if needs_player else [()]
        for first in firsts:
            two = [cards[n] for n in first] or ["2c", "3c"]
            rest = [card for n, card in enumerate(cards) if n not in first]
            for n, m in permutations(range(len(rest)), 2):
                left = [card for k, card in enumerate(rest) if k not in (n, m)]
                for final, share in dealers(left, [rest[n], rest[m]], hits_soft=False):
                    net = oracle.net(side, table, two, "", final[:2], final)
                    whole["net"] += share * net
                    whole["all"] += share
    else:
        for (p1, p2, up, second, third), times in orders_of_five(text).items():
            last = "" if table == "no-guarantee" and oracle.is_natural([up, second]) else third
            net = oracle.net(side, table, [p1, p2], last, [up, second], [up, second])
            whole["net"] += times * net
            whole["all"] += times
    assert found.ev == pytest.approx(float(whole["net"] / whole["all"]), abs=1e-12)


def test_the_card_after_an_exchange_of_a_hand_is_the_third() -> None:
    """S7-3, ZA-ZAP: it is the next card that the first hand gets, whatever became of its two."""
    tables = tables_for("zappit", sides=[str(THIRD)])
    cards = ["Ks", "9c", "5s", "Td", "Ts", "Qd"]
    dice = Random(1)
    while True:
        state = played_live(tables, "three-in-order", [*cards, "2c", "3c", "4c"], dice)
        here = state.round
        assert here is not None
        (box,) = here.boxes
        if box.hands[0].cards[:2] == ("Ts", "Qd"):  # the hand was exchanged
            break
    assert (box.dealt[:2], box.third) == (("Ks", "5s"), "Ts")
    (bet,) = box.sides
    assert bet.settled is not None
    assert bet.settled.won == 7 * bet.amount  # three of one suit
