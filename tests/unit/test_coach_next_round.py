"""What the next round is worth: the published odds of a full shoe, and exact ones of any other."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import msgspec
import pytest

from coach_rounds import CoachedTable
from conftest import compiled
from oracle.engine_search import search
from upcard import GAME_IDS
from upcard.cards import Card
from upcard.coach import Coach, NextRound, Seen
from upcard.coach import coach as coach_module
from upcard.coach.next_round import LAST, LEAST, LYING, round_ahead
from upcard.compile.tables import GameTables
from upcard.money import BASE, INSURANCE
from upcard.solve.observers import card_wager
from upcard.solve.odds import odds
from upcard.table import commands as cm
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.session import Session
from upcard.table.shoe import secret_from


def left_of(tables: GameTables, *removed: str) -> dict[Card, int]:
    full = dict.fromkeys(tables.alphabet.cards, tables.alphabet.decks)
    for card in removed:
        full[Card.parse(card)] -= 1
    return full


def only(tables: GameTables, deck: str) -> dict[Card, int]:
    cards = Counter(map(Card.parse, deck.split()))
    return {card: cards[card] for card in tables.alphabet.cards}


def percent(found: NextRound, wager: str) -> float:
    worth = found.worth_of(wager)
    assert worth is not None
    assert worth.percent is not None
    return worth.percent


@pytest.mark.parametrize(
    ("game", "base"),
    [
        ("blackjack", -0.330259),
        ("pure-spanish-21.5", -2.124479),
        ("games-of-chance-blackjack", -4.489147),
        ("twisted-21", -1.924684),
        ("blackjack-tie", -0.330259),
    ],
)
def test_a_new_shoe_has_the_odds_of_the_game(game: str, base: float) -> None:
    """As `upcard odds` prints them for the smallest wager."""
    tables = compiled(game)
    found = round_ahead(tables, left_of(tables), fresh=True)
    assert percent(found, BASE) == pytest.approx(base, abs=1e-6)
    offered = {*tables.payoffs, *tables.observers}
    assert {worth.wager for worth in found.wagers} == offered
    for wager in tables.observers:
        assert percent(found, wager) == pytest.approx(100 * card_wager(tables, wager).ev)
    assert all(worth.method.startswith("exact") for worth in found.wagers)
    assert msgspec.json.decode(msgspec.json.encode(found), type=NextRound) == found


def test_lights_are_in_the_value_for_their_share() -> None:
    """One deck: a game with bonus cards takes long."""
    tables = compiled("ten-sticks-21", decks=1)
    few, many = (round_ahead(tables, left_of(tables), fresh=True, lit=lit) for lit in (0, 9))
    assert percent(few, BASE) == percent(many, BASE)  # in endless play it does not matter
    poor = round_ahead(compiled("ten-sticks-21", decks=1, prize=100), left_of(tables), fresh=True)
    assert percent(poor, BASE) < percent(few, BASE)


def test_a_tiny_shoe_is_worth_what_every_order_of_it_comes_to() -> None:
    tables = compiled("blackjack", surrender="none")
    deck = "As Ad Ts Td 9s 9d 6s 5s"
    found = round_ahead(tables, only(tables, deck), fresh=False, mode="none")
    # Nothing is split, there or here.
    exact = search(tables, deck.split(), 1000)
    assert percent(found, BASE) == pytest.approx(float(100 * exact))


def test_insurance_and_a_match_by_hand() -> None:
    tables = compiled("pure-spanish-21.5")
    deck = "2s 2s 2h 3s 3s 4h 4d 9c Ks Kd"
    found = round_ahead(tables, only(tables, deck), fresh=False)
    observer = tables.observers["match"]
    cards = list(map(Card.parse, deck.split()))
    results = [
        observer.result([cards[one], cards[two]], [cards[up]], []).odds
        for up in range(len(cards))
        for one, two in combinations([n for n in range(len(cards)) if n != up], 2)
    ]
    assert percent(found, "match") == pytest.approx(
        float(100 * sum(results, Fraction(0)) / len(results))
    )
    plain = compiled("blackjack")
    tens = [str(card) for card in plain.alphabet.cards if card.rank in "TJQK"] * 3
    poor = round_ahead(plain, left_of(plain, *tens), fresh=False)
    left = 312 - len(tens) - 1
    assert percent(poor, INSURANCE) == pytest.approx(100 * (2 * 48 - (left - 48)) / left)


def test_without_aces_there_is_no_insurance() -> None:
    tables = compiled("blackjack", decks=1)
    found = round_ahead(tables, left_of(tables, "As", "Ad", "Ah", "Ac"), fresh=False)
    worth = found.worth_of(INSURANCE)
    assert worth is not None
    assert (worth.percent, worth.words) == (None, "No card with which it is offered is left.")
    assert percent(found, BASE) < 0


def test_too_few_cards_are_said() -> None:
    tables = compiled("blackjack")
    found = round_ahead(tables, only(tables, "2s 3s 4s"), fresh=False)
    assert not found.wagers
    assert "too small" in found.words


@pytest.mark.parametrize("game", [game for game in GAME_IDS if game != "ten-sticks-21"])
def test_the_shoe_of_a_table(game: str) -> None:
    table = CoachedTable(compiled(game), 3, "ahead")
    coach = Coach(table.session.engine)
    fresh = coach.before_deal(table.state, table.seen)
    assert fresh.fresh
    if game == "blackjack-switch":
        assert "is not worked out for Blackjack Switch" in fresh.words
        return
    for _ in range(3):
        list(table.round())
    found = coach.before_deal(table.state, table.seen)
    assert coach.before_deal(table.state, table.seen) is found
    if game == "twisted-21":
        assert found == fresh
        return
    if not table.seen.cards:
        # The cut card of one deck has come: the next round is that of a fresh deck again.
        assert found == fresh
        list(table.round())
        found = coach.before_deal(table.state, table.seen)
    assert not found.fresh
    assert found.unseen == fresh.unseen - len(table.seen.cards)
    assert percent(found, BASE) != percent(fresh, BASE)


def test_after_the_cut_card_a_new_shoe_comes() -> None:
    table = CoachedTable(compiled("blackjack", decks=1), 3, "cut")
    coach = Coach(table.session.engine)
    for _ in range(30):
        list(table.round())
        if not table.state.shoe.order:
            break
    assert table.seen == Seen(shoe=table.state.shoe.number, boxes=table.seen.boxes)
    assert not table.seen.cards
    assert coach.before_deal(table.state, table.seen).fresh
    assert Coach(Engine(coach.tables)).before_deal(table.state, table.seen).unseen == 52


def seated(
    game: str, wagers: dict[int, int], chips: int = 10**6, sides: dict[str, int] | None = None
) -> Session:
    """Ann at seat 2 with base wagers by seat, and other wagers beside each."""
    session = Session(compiled(game))
    commands: list[cm.Command] = [
        cm.OpenTable(table="one", secret=secret_from("ahead")),
        cm.BuyIn(player="Ann", amount=chips),
        cm.Sit(player="Ann", seat=2),
    ]
    commands += [
        cm.PlaceWagers(player="Ann", position=seat, wagers={BASE: amount, **(sides or {})})
        for seat, amount in wagers.items()
    ]
    for command in commands:
        outcome = session.do(command)
        assert isinstance(outcome, Outcome), outcome
    return session


@pytest.mark.parametrize(
    ("game", "bet", "base"),
    [("ten-sticks-21", 100_00, 0.18), ("games-of-chance-blackjack", 4_00, -2.47)],
)
def test_a_round_is_worth_what_the_wager_on_the_layout_makes_it(
    game: str, bet: int, base: float
) -> None:
    """Where amounts are fixed, a larger wager is worth more or less of itself."""
    session = seated(game, {2: bet})
    found = Coach(session.engine).before_deal(session.state, Seen(), player="Ann")
    assert (found.bet, found.of) == (bet, LYING)
    assert percent(found, BASE) == pytest.approx(base, abs=0.005)
    worth = found.worth_of(BASE)
    assert worth is not None
    assert (worth.bet, worth.cents) == (bet, round(percent(found, BASE) / 100 * bet))


def test_without_a_wager_it_is_the_last_one_and_else_the_smallest() -> None:
    session = seated("blackjack", {})
    coach = Coach(session.engine)
    assert coach.before_deal(session.state, Seen(), player="Ann").of == LEAST
    before = coach.before_deal(session.state, Seen(), player="Ann", before={BASE: 35_00})
    assert (before.bet, before.of) == (35_00, LAST)
    worth, insurance = before.worth_of(BASE), before.worth_of(INSURANCE)
    assert worth is not None
    assert insurance is not None
    assert (worth.cents, insurance.bet) == (-12, 17_50), "half of it"
    for command in (
        cm.PlaceWagers(player="Ann", position=2, wagers={BASE: 25_00}),
        cm.Deal(),
    ):
        assert isinstance(session.do(command), Outcome)
    while (question := session.question) is not None:
        decision = cm.parse_decision(
            question.actions[0].text, player="Ann", position=question.position
        )
        assert isinstance(session.do(decision), Outcome)
    found = coach.before_deal(session.state, Seen(), player="Ann", before={BASE: 35_00})
    assert (found.bet, found.of) == (25_00, LAST)
    assert coach.before_deal(session.state, Seen()).of == LEAST, "of nobody's wager"


def test_of_several_boxes_it_is_the_own_seat() -> None:
    session = seated("blackjack", {2: 10_00, 1: 50_00})
    found = Coach(session.engine).before_deal(session.state, Seen(), player="Ann")
    assert found.bet == 10_00
    assert "You have wagers at 2 seats; this is for seat 2." in found.notes


def test_one_price_holds_for_all_wagers_where_nothing_is_fixed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coach = Coach(seated("blackjack", {}).engine)
    priced = []

    def noted(*args: Any, **more: Any) -> NextRound:
        priced.append(1)
        return round_ahead(*args, **more)

    monkeypatch.setattr(coach_module, "round_ahead", noted)
    for bet in (5_00, 25_00, 100_00):
        session = seated("blackjack", {2: bet})
        assert coach.before_deal(session.state, Seen(), player="Ann").bet == bet
    assert len(priced) == 1


# ------------------------------------------------------------------ wagers together


def test_wagers_that_ride_on_the_hand_are_priced_for_play_that_goes_by_all_of_them() -> None:
    """As the hand itself is advised: to play for a tie of 21 wins eleven dollars of twenty."""
    session = seated("blackjack-tie", {2: 10_00}, sides={"tie-21": 10_00})
    coach = Coach(session.engine)
    found = coach.before_deal(session.state, Seen(), player="Ann")
    combined = odds(coach.tables, bet=10_00, ratios={"tie-21": 1.0}).combined
    assert combined is not None
    for wager in (BASE, "tie-21", "tie-20"):
        assert percent(found, wager) == pytest.approx(100 * combined.adapted.wagers[wager])
    assert found.together is not None
    assert found.together.percent == pytest.approx(-100 * combined.adapted.edge)
    assert (found.together.bet, found.together.cents) == (20_00, round(1000 * combined.adapted.ev))
    assert found.together.cents == 10_74
    assert found.together.method == "exact, splits CDP, play for all that is wagered"
    assert msgspec.json.decode(msgspec.json.encode(found), type=NextRound) == found
    half = coach.before_deal(
        session.state, Seen(), player="Bo", before={BASE: 10_00, "tie-21": 5_00}
    )
    assert percent(half, "tie-21") < percent(found, "tie-21"), "less is played for it"
    plain = coach.before_deal(session.state, Seen(), player="Bo", before={BASE: 10_00})
    assert plain.together is None
    assert percent(plain, BASE) == pytest.approx(-0.330259, abs=1e-6)
    assert "Of a wager that is not made, more may be won by playing for it." in plain.notes


def test_a_tiny_shoe_is_worth_what_every_order_of_it_comes_to_with_ties() -> None:
    tables = compiled("blackjack-tie", surrender="none")
    deck = "As Ts Td Th 9s 8s 5s 6d"
    sides = {"tie-20": 500, "tie-17": 300}
    extra = {wager: amount / 1000 for wager, amount in sides.items()}
    found = round_ahead(tables, only(tables, deck), fresh=False, bet=1000, extra=extra, mode="none")
    assert found.together is not None
    assert found.together.percent is not None
    exact = search(tables, deck.split(), 1000, sides)
    assert found.together.percent * 1.8 == pytest.approx(float(100 * exact))


def test_a_shoe_that_is_too_small_has_no_total() -> None:
    tables = compiled("blackjack-tie")
    found = round_ahead(tables, only(tables, "2s 3s 4s"), fresh=False, extra={"tie-20": 1.0})
    assert found.together is None
    assert found.words


@pytest.mark.parametrize(
    ("game", "bet", "base"), [("blackjack", 600, -0.330259), ("twisted-21", 600, -2.079659)]
)
def test_where_chips_are_coarse_the_wager_on_the_layout_is_priced(
    game: str, bet: int, base: float
) -> None:
    """Payments in whole dollars are less of five dollars than of six, or more."""
    tables = compiled(game, chip=100)
    coach = Coach(Engine(tables))
    found = coach.before_deal(NEW_TABLE, Seen(), bet=bet)
    assert percent(found, BASE) == pytest.approx(base, abs=1e-6)
    assert percent(found, BASE) == pytest.approx(100 * odds(tables, bet=bet).wagers[BASE].ev)
    least = coach.before_deal(NEW_TABLE, Seen(), bet=500)
    assert percent(least, BASE) != pytest.approx(base, abs=0.1)


def test_a_shoe_that_may_run_out_is_said() -> None:
    """Of seven boxes and the dealer, who take about three cards each."""
    table = CoachedTable(compiled("blackjack", decks=1, penetration=0.8), 7, "few")
    coach = Coach(table.session.engine)
    said = set()
    for _ in range(8):
        list(table.round())
        found = coach.before_deal(table.state, table.seen)
        left = table.state.shoe.left
        notes = [note for note in found.notes if note.startswith("The shoe has")]
        few = not found.fresh and left < 3 * 8
        words = f"The shoe has {left} cards left; that it may run out is not counted."
        assert notes == ([words] if few else [])
        said.add(few)
    assert said == {True, False}
