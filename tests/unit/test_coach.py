"""The coach at live tables: the solver's values for what the player has seen, and words."""

from __future__ import annotations

import dataclasses
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

import upcard
from coach_rounds import Met, questions
from conftest import compiled
from unit.test_coach_kit import (
    BANK,
    ME,
    SEAT,
    WAGER,
    ScriptedTable,
    scripted,
    values,
    with_other_secrets,
)
from upcard import GAME_IDS
from upcard.cards import Card
from upcard.coach import Coach, CoachAdvice, Seen, judge
from upcard.coach.lights import light_values
from upcard.compile.context import Action
from upcard.compile.shows import DealerShows, cards_in, told_in
from upcard.table import commands as cm
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.plain_tables import BASE, INSURANCE

QUESTIONS = 150
UNINSURED = (
    "pure-spanish-21.5",
    "twisted-21",
    "double-exposure",
    "blackjack-switch",
    "free-bet",
    "super-fun-21",
    "pontoon",
    "european-blackjack",
    "down-under",
)
"""Games that offer no insurance: no clause of theirs speaks of it, or one says that there is none.
"""
SPECIAL = {
    **dict.fromkeys(UNINSURED, "pairs"),
    "ten-sticks-21": "trades",
    "pure-spanish-21.5": "rescue",
    "twisted-21": "hard",
    "super-fun-21": "doubled",
    "blackjack-switch": "exchange",
}
"""The rarest of a game's questions, where that is not insurance."""


def coached(met: Met) -> Coach:
    return Coach(met.session.engine)


def met_at(game: str, count: int = QUESTIONS, seats: int = 3) -> list[Met]:
    return list(questions(compiled(game), count, seats=seats))


# ------------------------------------------------------------------ every question has an answer


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_question_is_priced_or_has_words(game: str) -> None:
    met = met_at(game)
    coach = coached(met[0])
    kinds = set()
    for one in met:
        advice = coach.advise(one.state, one.question, one.seen)
        kinds.add(advice.kind)
        assert bool(advice.words) != advice.is_priced
        assert msgspec.json.decode(msgspec.json.encode(advice), type=CoachAdvice) == advice
        if not advice.is_priced:
            continue
        assert {value.action for value in advice.actions} == {a.text for a in one.question.actions}
        best, *others = advice.actions
        assert best.best
        assert (best.cost, best.cost_percent) == (0, 0.0)
        for value in others:
            assert value.percent <= best.percent
            assert value.cost_percent == pytest.approx(best.percent - value.percent)
            assert value.cents == round(value.percent / 100 * advice.wager)
        assert advice.method
        assert advice.unseen + len(one.seen.cards) == len(one.session.engine.look.full_shoe)
    assert {"hard", "soft"} <= kinds
    assert SPECIAL.get(game, "insurance") in kinds
    assert ("insurance" in kinds) == (game not in UNINSURED)


# ------------------------------------------------------------------ the library says the same


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_hand_is_worth_what_the_library_says_with_the_same_cards_seen(game: str) -> None:
    """One question after the other of real rounds, the cards of all boxes and rounds removed."""
    tables = compiled(game)
    library = upcard.game(tables)
    compared: Counter[str] = Counter()
    for one in met_at(game):
        advice = coached(one).advise(one.state, one.question, one.seen)
        here = one.state.round
        assert here is not None
        box = here.box(one.question.position)
        own = one.seen.box(one.question.position)
        assert box is not None
        assert own is not None
        if len(box.hands) > 1 or own.traded or advice.kind in ("insurance", "trades", "exchange"):
            continue
        seen = Counter(one.seen.cards) - Counter((*advice.cards, *cards_in(advice.up)))
        checked = one.session.engine.look.plan.steps[here.step].natural_ends
        hand = library.hand(
            [Card.parse(card) for card in advice.cards],
            up=DealerShows(tuple(map(Card.parse, cards_in(advice.up))), told_in(advice.up)),
            seen=[Card.parse(card) for card in seen.elements()],
            doubles=advice.doubles,
            checked=checked,
        )
        wagers = {
            side.wager: side.amount / advice.wager
            for side in box.sides
            if side.wager in tables.payoffs and side.wager != INSURANCE
        }
        expected = hand.advise(bet=advice.wager, wagers=wagers)
        found = {action.text: value for action, value in expected.actions.items()}
        assert values(advice) == pytest.approx(found, abs=1e-9), (advice, expected)
        compared[advice.kind] += 1
    assert compared.total() > QUESTIONS / 3
    assert compared["hard"] > 0


def test_a_bonus_card_is_worth_what_the_library_says() -> None:
    tables = compiled("ten-sticks-21")
    marked = next(
        str(card)
        for card in tables.alphabet.cards
        if tables.alphabet.symbols[tables.alphabet.symbol(card)].marked
    )
    table = scripted(tables, f"{marked} 6h 5d 9c 2s 3s 4s 5s 6s 7s")
    advice = table.advice
    assert advice.kind == "trades"
    hand = upcard.game(tables).hand(f"{marked} 5d", up="6h")
    expected = hand.advise(bet=WAGER)
    found = {action.text: value for action, value in expected.actions.items()}
    # Ten lights are far away: only a hand of more than ten trades would tell the difference.
    assert values(advice) == pytest.approx(found, abs=1e-9)
    table.act("trade")
    after = table.advice
    held = hand.push("trade", card="2s")
    assert held.seen == (Card.parse(marked),)
    found = {a.text: value for a, value in held.advise(bet=WAGER).actions.items()}
    assert values(after) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize(
    ("game", "cards", "actions"),
    [
        ("blackjack", "8s 6h 8d 9c 3s 8c 2s 2h 2d 2c 3d 3h", ("stand", "split", "stand")),
        ("spanish-21", "7s 5h 7d 9c 7c 6s 8s 2h 2d 2c 3d 3h", ("split", "stand", "stand", "stand")),
    ],
)
def test_hands_of_a_split_are_worth_what_the_library_says(
    game: str, cards: str, actions: tuple[str, ...]
) -> None:
    """Where suits are paid, those of hands that wait too."""
    tables = compiled(game)
    table = scripted(tables, cards, "split")
    one, up, two, _, drawn, *_ = cards.split()
    hand = upcard.game(tables).hand(f"{one} {two}", up=up).push("split", card=drawn)
    for action in actions:
        advice = table.advice
        assert "this hand alone" in " ".join(advice.notes)
        found = {a.text: value for a, value in hand.advise(bet=WAGER).actions.items()}
        assert values(advice) == pytest.approx(found, abs=1e-9)
        table.act(action)
        hand.push(action)
        here = table.state.round
        assert here is not None
        while hand.needs_card:
            box = here.boxes[0]
            number = hand.current
            hand.deal(box.hands[number].cards[-1])


def test_one_coach_tells_the_suits_of_pairs_apart() -> None:
    """Also which card of a pair is played first, and which waits."""
    tables = compiled("spanish-21", decks=2)
    coach = None
    found = []
    for pair in ("7s 5h 7d 9c", "7d 5h 7s 9c", "7s 5h 7s 9c"):
        table = scripted(tables, f"{pair} 2s 3s")
        coach = coach or table.coach
        found.append(values(coach.advise(table.state, table.question, table.seen))["split"])
        one, up, two, _ = pair.split()
        own = upcard.game(tables).hand(f"{one} {two}", up=up).advise(bet=WAGER).actions
        assert found[-1] == pytest.approx(own[Action.SPLIT], abs=1e-9)
    assert len(set(found)) == 3


# ------------------------------------------------------------------ nothing hidden is known


@pytest.mark.parametrize("game", GAME_IDS)
def test_cards_that_nobody_has_seen_change_nothing(game: str) -> None:
    """Another hole card, other burned cards, another order: the same advice to the last digit."""
    met = met_at(game, 40)
    for number, one in enumerate(met):
        engine = one.session.engine
        other = with_other_secrets(engine, one.state, number)
        assert other != one.state
        first = Coach(engine).advise(one.state, one.question, one.seen)
        assert Coach(engine).advise(other, one.question, one.seen) == first


def test_cards_that_were_seen_change_the_advice() -> None:
    table = scripted(compiled("blackjack"), "Ts Kh 6d 9c 2s 3s")
    before = values(table.advice)
    lows = tuple(card for card in table.engine.look.full_shoe if card[0] in "23456")[:60]
    seen = replace(table.seen, discards=lows)
    after = values(table.coach.advise(table.state, table.question, seen))
    assert after["hit"] < before["hit"] - 0.05


def test_more_cards_than_the_shoe_has_are_refused_in_words() -> None:
    table = scripted(compiled("blackjack", decks=1), "Ts Kh 6d 9c 2s 3s")
    seen = replace(table.seen, discards=("Ts",))
    advice = table.coach.advise(table.state, table.question, seen)
    assert advice.words == "More cards were seen than a shoe of Blackjack has."
    assert not advice.is_priced


def test_what_was_seen_elsewhere_is_refused_in_words() -> None:
    table = scripted(compiled("blackjack"), "Ts Kh 6d 9c 2s 3s")
    advice = table.coach.advise(table.state, table.question, Seen())
    assert advice.words == "The cards that were seen are not those of this table."


# ------------------------------------------------------------------ what is offered before the turn


def test_insurance_has_the_price_of_the_cards_not_seen() -> None:
    table = scripted(compiled("blackjack"), "9s Ah 9d 5c 2s 3s 4s 5s 6s 7s")
    advice = table.advice
    tens, cards = 96, 312 - 3
    worth = (2 * tens - (cards - tens)) / cards
    assert advice.kind == "insurance"
    assert advice.best == "decline"
    assert (advice.wager, advice.of, advice.exact) == (WAGER // 2, "the insurance", True)
    assert values(advice) == pytest.approx({"decline": 0.0, "insure": worth})
    mistake = judge(advice, "insure")
    assert mistake is not None
    assert mistake.cost == round(-worth * WAGER / 2)
    assert judge(advice, Action.DECLINE) is None
    low = tuple(card for card in table.engine.look.full_shoe if card[0] in "345678")[:120]
    rich = table.coach.advise(table.state, table.question, replace(table.seen, discards=low))
    assert rich.best == "insure"
    assert judge(rich, "insure") is None


@pytest.mark.parametrize(("when", "peek"), [("early", ""), ("both", ""), ("both", "none")])
def test_to_decline_surrender_is_worth_the_turn_that_follows(when: str, peek: str) -> None:
    settings: dict[str, object] = {"surrender": when, "insurance": False}
    tables = compiled("blackjack", **settings | ({"peek": peek} if peek else {}))
    table = scripted(tables, "Ts Kh 4d 9c 2s 3s 4s 5s")
    advice = table.advice
    assert (advice.kind, advice.phase) == ("surrender", "early-surrender")
    found = values(advice)
    assert found["surrender"] == pytest.approx(-0.5, abs=1e-9)
    table.act("decline")
    turn = values(table.advice)
    if peek == "none":
        assert found["decline"] == pytest.approx(max(turn.values()))
    else:
        natural = advice.natural
        assert natural is not None
        # With a natural under the ten the whole wager is lost.
        assert found["decline"] == pytest.approx((1 - natural) * max(turn.values()) - natural)


# ------------------------------------------------------------------ wagers that ride, lights, fees


def test_tie_wagers_are_in_the_values() -> None:
    tables = compiled("blackjack-tie")
    plain = values(scripted(tables, "Ts Kh 7d 9c 2s 3s").advice)
    tied = scripted(tables, "Ts Kh 7d 9c 2s 3s", wagers={"tie-17": 500}).advice
    # Half a wager on 17 at 50 to 1 is worth much to a hand that stands on it.
    assert values(tied)["stand"] > plain["stand"] + 2
    assert tied.best == "stand"


def test_lights_beyond_the_prize_are_worth_nothing() -> None:
    carry, lost = (
        compiled("ten-sticks-21").carry,
        compiled("ten-sticks-21", light_surplus="lost").carry,
    )
    assert carry is not None
    assert lost is not None
    share = float(carry.prize.sum()) / 10 / WAGER
    assert light_values(carry, WAGER, 8) == light_values(carry, WAGER, 3, prized=True) == (share,)
    assert light_values(lost, WAGER, 8) == (share, share, 0.0)
    assert light_values(lost, WAGER, 3, prized=True) == (0.0,)
    assert light_values(None, WAGER, 3) == (0.0,)


def test_a_trade_is_worth_less_when_its_lights_count_no_more() -> None:
    tables = compiled("ten-sticks-21", light_surplus="lost")
    cards = "Tc 6h Tc 9c 2s 3s 4s 5s 6s 7s"
    first, last = (scripted(tables, cards, lit=lit, bet=500) for lit in (0, 9))
    assert "9 of 10 are lit" in " ".join(last.advice.notes)
    gained = values(first.advice)["trade"] - values(last.advice)["trade"]
    # The second bonus card would give an eleventh light, which is one too many.
    assert 0.5 < gained < 1.05


def test_a_fee_on_what_is_added_is_counted() -> None:
    tables = compiled("pure-spanish-21.5", fee_schedule=44)
    assert tables.money.fees is not None
    fees = dataclasses.replace(tables.money.fees, on_added_wagers=True)
    other = dataclasses.replace(tables, money=dataclasses.replace(tables.money, fees=fees))
    plain, dear = (scripted(one, "5s 6h 6d 9c 2s 3s 4s 5s", bet=2000) for one in (tables, other))
    one, two = values(plain.advice), values(dear.advice)
    assert two["double"] == pytest.approx(one["double"] - 100 / 2000)
    assert two["hit"] == one["hit"]
    assert not dear.advice.exact


# ------------------------------------------------------------------ what is not priced


def test_a_resplit_with_bonus_cards_is_refused_in_words() -> None:
    table = scripted(compiled("ten-sticks-21"), "8s 6h 8d 9c 8c 2s 2d 2c 3d 3h", "split")
    advice = table.advice
    assert not advice.is_priced
    assert "not priced" in advice.words
    assert advice.words.endswith(".")
    assert judge(advice, "split") is None


def test_a_double_for_less_is_refused_in_words() -> None:
    tables = compiled("pure-spanish-21.5", double_double=False)
    table = scripted(tables, "5s 6h 6d 9c 2s 3s 4s 5s", "double 500")
    assert table.advice.words.startswith("This hand was doubled for less")


def test_words_for_who_has_nothing_to_decide() -> None:
    table = scripted(compiled("pure-spanish-21.5"), "5s 6h 6d 9c 2s 3s 4s 5s")
    coach, state, seen = table.coach, table.state, table.seen
    assert coach.advise_player(state, ME, seen) == table.advice
    assert coach.advise_player(state, BANK, seen).words.startswith("You are the bank")
    assert coach.advise_player(state, "Cy", seen).words == "It is Ann's turn."
    assert coach.advise(state, None, seen).words == "There is nothing to decide now."
    assert coach.advise_player(NEW_TABLE, ME, seen).words == "There is nothing to decide now."


def test_a_bank_that_may_not_cover_is_said() -> None:
    table = ScriptedTable(compiled("pure-spanish-21.5"))
    table.seat(BANK, 2)
    table.do(cm.StackShoe(cards=("5s", "6h", "6d", "9c", "2s", "3s", "4s", "5s")))
    table.do(cm.DeclineBank(player=ME))
    table.do(cm.TakeBank(player=BANK, amount=WAGER))
    table.do(cm.PlaceWagers(player=ME, position=SEAT, wagers={BASE: WAGER}))
    table.do(cm.Deal())
    assert any("bank could pay" in note for note in table.advice.notes)
    assert not table.advice.exact


# ------------------------------------------------------------------ simulation, and threads


@pytest.mark.parametrize(("action", "cards"), [("hit", "Ts Kh 6d"), ("double", "6s 5h 5d")])
def test_simulated_rounds_come_to_the_value(action: str, cards: str) -> None:
    """The rest of the shoe in random orders, by the engine; the hand then stands."""
    tables = compiled("blackjack", decks=1, peek="none", insurance=False)
    engine, dice = Engine(tables), Random(14)
    top = cards.split()
    rest = list((Counter(engine.look.full_shoe) - Counter(top)).elements())
    won = []
    for _ in range(500):
        dice.shuffle(rest)
        table = scripted(tables, " ".join((*top, *rest[:20])))
        table.act(action)
        while table.engine.question(table.state) is not None:
            table.act("stand")
        here = table.state.round
        assert here is not None
        (stake,) = here.boxes[0].hands[0].stakes
        assert stake.settled is not None
        won.append((stake.settled.won - stake.settled.collected) / WAGER)
    expected = values(scripted(tables, " ".join((*top, "9c", "2s", "3s"))).advice)[action]
    error = np.std(won) / np.sqrt(len(won))
    assert abs(np.mean(won) - expected) < 4 * error


def test_threads_may_share_a_coach() -> None:
    met = met_at("ten-sticks-21", 40) + met_at("ten-sticks-21", 40)
    alone = [coached(one).advise(one.state, one.question, one.seen) for one in met[:40]]
    coach = Coach(met[0].session.engine, kept=8)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda o: coach.advise(o.state, o.question, o.seen), met))
    assert found == alone + alone
