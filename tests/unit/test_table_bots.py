"""Bots: legal in every game, and sound where everybody knows the answer."""

from __future__ import annotations

from typing import Any

import pytest

from boxes import further_boxes
from unit.test_table_play import ALL_GAMES, CHANCE, PURE, STICKS, Table
from upcard.players import basic_strategy
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.bots import Bot
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE
from upcard.table.judge import Refusal


def solved(table: Table, name: str, *, wager: int, bank: int = 0) -> Bot:
    """A bot that plays the solver's basic strategy."""
    strategy = basic_strategy(table.engine.tables)
    return Bot(table.engine, name, wager=wager, bank=bank, strategy=strategy)


def bots_of(table: Table, wager: int) -> list[Bot]:
    bots = [
        solved(table, name, wager=wager, bank=20_000 if name != "Cy" else 0)
        for name in ("Ann", "Bob", "Cy")
    ]
    for seat, bot in enumerate(bots, 1):
        table.sit(bot.name, seat)
    return bots


def play_round(table: Table, bots: list[Bot]) -> list[Question]:
    """A round of bots; every answer must be accepted."""
    by_name = {bot.name: bot for bot in bots}
    for bot in bots:
        if table.state.chips(bot.name) < 30_000:
            table.do(cm.BuyIn(player=bot.name, amount=100_000))
    while table.state.stage == "bank":
        offer = table.state.offer
        assert offer is not None
        table.do(by_name[offer.player].take_bank(table.state))
    for seat, bot in enumerate(bots, 1):
        command = bot.open_round(table.state, seat)
        if command is not None:
            table.do(command)
    for further in further_boxes(table.engine, table.state):
        table.do(further)
    table.deal()
    asked = []
    while (question := table.question) is not None:
        asked.append(question)
        table.do(by_name[question.player].answer(table.state, question))
    return asked


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_answer_of_a_bot_is_legal(game: str) -> None:
    table = Table(game)
    bots = bots_of(table, 400 if game == CHANCE else 1000)
    asked = sum(len(play_round(table, bots)) for _ in range(200))
    assert asked > 100
    assert table.state.rounds == 200
    assert table.state.ledger.total == 0


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_bot_with_few_chips_does_only_what_it_can_pay(game: str) -> None:
    wager = 400 if game == CHANCE else 1000
    for secret in ("a", "b", "c"):
        table = Table(game, secret=secret)
        table.sit("Bank", 1)
        bot = solved(table, "Ann", wager=wager)
        table.sit("Ann", 2, wager * max(1, table.engine.look.plan.boxes) + 300)
        for _ in range(15):
            while table.state.stage == "bank":
                offer = table.state.offer
                assert offer is not None
                if offer.player == "Bank":
                    table.bank("Bank", 20_000)
                else:
                    table.do(bot.take_bank(table.state))
            command = bot.open_round(table.state, 2)
            if command is None:
                break
            table.do(command)
            table.do(*further_boxes(table.engine, table.state))
            if not table.accepts(cm.Deal()):  # too few chips for all boxes
                break
            table.do(cm.Deal())
            while (question := table.question) is not None:
                table.do(bot.answer(table.state, question))


def test_a_bot_without_chips_for_its_wager_does_not_wager() -> None:
    table = Table()
    table.sit("Ann", 1, 900)
    assert Bot(table.engine, "Ann", wager=1000).open_round(table.state, 1) is None


def test_a_bot_that_banks_does_not_wager_against_itself() -> None:
    table = Table(PURE)
    table.sit("Ann", 1)
    bot = Bot(table.engine, "Ann", wager=1000, bank=20_000)
    assert bot.open_round(table.state, 1) is None
    table.do(bot.take_bank(table.state))
    assert bot.open_round(table.state, 1) is None


def test_a_bot_without_a_bank_declines() -> None:
    table = Table(PURE)
    table.sit("Ann", 1)
    bot = Bot(table.engine, "Ann", wager=1000)
    assert bot.take_bank(table.state) == cm.DeclineBank(player="Ann")


# ------------------------------------------------------------------ sound play


def first_answer(cards: str, game: str = "blackjack", **settings: Any) -> str:
    """What a bot at seat 2 says first to these cards."""
    table = Table(game, **settings)
    if game == PURE:
        table.sit("Bank", 1)
    table.sit("Ann", 2)
    if game == PURE:
        table.bank("Bank")
    table.bet("Ann", 2, 400 if game == CHANCE else 1000)
    table.stack(cards)
    table.deal()
    bot = solved(table, "Ann", wager=1000)
    return cm.decision_text(bot.answer(table.state, table.asked))


KNOWN = [
    ("9s Th 7s 7d", {"hit", "surrender"}),
    ("9s 6h 7s 7d", {"stand"}),
    ("Ts Th Ks 7d", {"stand"}),
    ("Ts 6h Ks 7d", {"stand"}),
    ("5s 6h 6s 7d", {"double"}),
    ("4s 6h 6s 7d", {"double"}),
    ("8s Th 8h 7d", {"split"}),
    ("As 6h Ah 7d", {"split"}),
    ("2s Th 3h 7d", {"hit"}),
    ("As 9h 6h 7d", {"hit"}),
    ("Ts 7h 2h 7d", {"hit"}),
    ("Ts 5h 3h 7d", {"stand"}),
    ("As 2h 8h 7d", {"stand"}),
]


@pytest.mark.parametrize(("cards", "good"), KNOWN)
@pytest.mark.parametrize("game", ["blackjack", STICKS, "blackjack-tie"])
def test_a_bot_plays_what_everybody_knows(game: str, cards: str, good: set[str]) -> None:
    assert first_answer(cards, game) in good


@pytest.mark.parametrize("hand", ["9s Ah 7s 9d", "Ts Ah As 9d", "Ts Ah Ks 9d"])
def test_a_bot_declines_insurance(hand: str) -> None:
    assert first_answer(hand) == "decline"


def test_a_bot_surrenders_sixteen_against_a_ten_and_hits_it_where_it_cannot() -> None:
    assert first_answer("9s Th 7s 7d") == "surrender"
    assert first_answer("9s Th 7s 7d", surrender="none") == "hit"


def test_a_bot_does_not_hit_a_hand_that_must_stand() -> None:
    """PS-1A: hard 17 has no hit, even against an ace."""
    for cards in ("9s Ah 8s 9d", "Ks Ah 7s 9d", "9s Kh 8s 9d"):
        assert first_answer(cards, PURE) != "hit"


def hard_total(cards: tuple[str, ...]) -> int | None:
    """The total of a hand, None where an ace counts eleven."""
    low = sum(1 if c[0] == "A" else 10 if c[0] in "JQK" else int(c[0]) for c in cards)
    return None if low <= 11 and any(c[0] == "A" for c in cards) else low


def test_hard_seventeen_is_never_hit_in_pure_spanish() -> None:
    """PS-1A."""
    table = Table(PURE)
    bots = bots_of(table, 1000)
    for _ in range(150):
        play_round(table, bots)
    hits = 0
    state = NEW_TABLE
    for event in table.session.events:
        if isinstance(event, ev.HandHit):
            box = state.round.box(event.position) if state.round else None
            assert box is not None
            total = hard_total(box.hands[event.hand].cards)
            assert total is None or total < 17
            hits += 1
        state = table.engine.evolve(state, event)
    assert hits > 50


def test_a_chooser_of_ones_own_takes_the_place_of_the_policy() -> None:
    table = Table()
    table.sit("Ann", 2)
    table.bet("Ann", 2)
    table.stack("9s 6h 7s 7d")
    table.deal()
    bot = Bot(table.engine, "Ann", wager=1000, chooser=lambda _, asked: asked.actions[-1])
    answer = bot.answer(table.state, table.asked)
    assert cm.action_of(answer) == table.asked.actions[-1]
    assert not isinstance(table.session.do(answer), Refusal)
