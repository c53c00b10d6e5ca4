"""A live table under random commands, legal and not: what must always hold."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from msgspec.structs import replace
from random_rounds import CASINO, RandomTable, check_cards

from chance import DICE, examples, word
from conftest import compiled
from upcard import GAME_IDS
from upcard.table import commands as cm
from upcard.table.clerk import Question
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.judge import Refusal
from upcard.table.ledger import BANK, LAYOUT
from upcard.table.notation import parse_log, write_log
from upcard.table.session import Session, cut
from upcard.table.shoe import secret_from
from upcard.table.state import Round, TableState
from upcard.table.verify import verify
from upcard.table.view import AUDITOR, DEALER, PUBLIC, Viewer, redacted, view

pytestmark = pytest.mark.chance
"""Tracing would make these several times slower; the tests by command cover the same lines."""

NAMES = ("Ann", "Bo", "Cy", "Di")
STRANGERS = (*NAMES, "Zoe", "")
AMOUNTS = (-100, 0, 1, 50, 100, 200, 300, 400, 500, 600, 1000, 2500, 20000, 60000, 10**9)

TABLES: dict[str, tuple[dict[str, object], ...]] = {
    "blackjack": (
        {},
        {"decks": 1, "penetration": 1.0, "positions": 9, "max_hands": 4, "resplit_aces": True},
        {"peek": "none", "surrender": "early", "double_for_less": True, "chip": 50},
    ),
    "blackjack-switch": (
        {},
        {"decks": 1, "penetration": 1.0, "resplit_aces": True},
        {"switched_natural": "natural", "soft17": "stand"},
    ),
    "ten-sticks-21": (
        {"decks": 1, "prize": 20000},
        {"players_card": True, "decks": 2, "trade_time": "own-turn"},
        {"trade": False, "lights_owner": "player", "decks": 1, "light_surplus": "lost"},
    ),
    "pure-spanish-21.5": (
        {},
        {"fee_schedule": 42, "double_double": False, "bank_cover": "each-way"},
        {"fee_schedule": 46, "backline": "must-match", "fee_resolution": "lower-fee"},
    ),
    "games-of-chance-blackjack": (
        {},
        {"surrender": "early", "tie_dollar": "player"},
        {"surrender": "both"},
    ),
    "twisted-21": (
        {},
        {"stud_bonus": "seven-card-low", "positions": 9},
        {"stud_bonus": "seven-card", "community_cards": "seen", "hit_cards": "in-order"},
    ),
    "blackjack-tie": (
        {},
        {"surrender": "early", "peek": "ace", "insurance": False},
        {"bonus_limit": "player"},
    ),
    "european-blackjack": (
        {},
        {"decks": 1, "penetration": 1.0, "late_natural_takes": "original"},
    ),
    "vegas-strip": ({}, {"split": "rank", "insurance": False}),
    "single-deck-6-5": ({}, {"double": "10-11", "penetration": 1.0}),
    "down-under": ({}, {"natural": "6:5", "split": "rank", "gold_hands": "tens"}),
    "double-exposure": (
        {},
        {"decks": 1, "penetration": 1.0, "positions": 9, "double": "any-two"},
        {"soft17": "stand", "split": "rank", "both_natural": "push"},
    ),
    "spanish-21": (
        {"redouble": True},
        {"decks": 1, "penetration": 1.0, "chip": 100},
        {"bonus_after_split": False, "soft17": "stand", "surrender": "none"},
    ),
    "pontoon": ({}, {"decks": 1, "penetration": 1.0, "rescue": True}, {"surrender": "late"}),
    "super-fun-21": ({}, {"penetration": 1.0}, {"decks": 2, "bonus_after_split": False}),
    "free-bet": (
        {},
        {"decks": 1, "penetration": 1.0, "positions": 9},
        {"free_double_cards": "any", "fours": "own", "surrender": "late", "chip": 50},
        {"decks": 1, "penetration": 1.0, "free_splits": "one"},
    ),
    "zappit": (
        {},
        {"decks": 1, "penetration": 1.0, "exchanged": "15-18"},
        {"exchanged_natural": "wins", "surrender": "late", "chip": 50},
    ),
}


def wild_commands() -> st.SearchStrategy[Any]:
    """Any command with any arguments, most of them wrong."""
    name = st.sampled_from(STRANGERS)
    place = st.integers(-1, 10)
    amount = st.sampled_from(AMOUNTS)
    ids = ("base", "match", "stud-poker", "stud-bonus", "tie-18", "left-side", "lottery")
    wagers = st.dictionaries(st.sampled_from(ids), amount, max_size=3)
    decisions = [
        st.builds(kind, player=name, position=place)
        for kind in cm.COMMAND_TYPES
        if issubclass(kind, cm.Decision)
    ]
    return st.one_of(
        st.builds(cm.BuyIn, player=name, amount=amount),
        st.builds(cm.Sit, player=name, seat=place),
        st.builds(cm.Move, player=name, seat=place),
        st.builds(cm.Leave, player=name),
        st.builds(cm.TakeBank, player=name, amount=amount),
        st.builds(cm.DeclineBank, player=name),
        st.builds(cm.PlaceActionButton, position=place),
        st.builds(cm.PlaceWagers, player=name, position=place, wagers=wagers),
        st.builds(cm.BackWagers, player=name, position=place, wagers=wagers, follows=st.booleans()),
        st.builds(cm.MissCards, position=place, cards=st.integers(-1, 3)),
        st.builds(cm.FindFaceUp),
        st.builds(cm.DrawInError),
        st.builds(cm.Deal),
        st.builds(cm.MixSeed, player=name, seed=st.sampled_from(("", "luck", "x" * 65, "a\nb"))),
        st.builds(cm.PresentCard, player=name, position=place, token=st.just("e30.00")),
        st.builds(cm.Double, player=name, position=place, amount=amount, pick=place),
        st.builds(cm.Hit, player=name, position=place, pick=place),
        st.builds(cm.Insure, player=name, position=place, amount=amount),
        *decisions,
    )


BANKS = st.sampled_from((300, 5_000, 100_000))
BACKED = st.sampled_from((1, 2, 4))


@cache
def some_wagers(amounts: tuple[int, ...], known: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """A base wager, with some of the others or without."""
    others = [wager for wager in known if wager != "base"]
    return st.fixed_dictionaries(
        {"base": st.sampled_from(amounts)},
        optional={wager: st.just(500) for wager in others[:3]},
    )


def hidden_cards(state: TableState) -> list[str]:
    """Every card that nobody may see now."""
    here = state.round
    found = list(state.shoe.order[state.shoe.dealt :])
    if here is not None:
        found += filter(None, () if here.dealer.shown else here.dealer.down)
        for box in here.boxes:
            found += filter(None, () if box.shown else box.down)
        if not here.community_shown:
            found += here.community
    return found


def with_hidden(state: TableState, cards: list[str]) -> TableState:
    """The same table with other cards where nobody can see them, and another secret."""
    deck = iter(cards)
    shoe = state.shoe
    order = shoe.order[: shoe.dealt] + tuple(next(deck) for _ in range(shoe.left))
    here = state.round
    if here is not None:
        here = _with_hidden_round(here, deck)
    return replace(state, shoe=replace(shoe, order=order), round=here, secret="00" * 32)


def _with_hidden_round(here: Round, deck: Any) -> Round:
    def other(down: tuple[str, ...], shown: bool) -> tuple[str, ...]:
        return down if shown else tuple(card and next(deck) for card in down)

    dealer = replace(here.dealer, down=other(here.dealer.down, here.dealer.shown))
    boxes = tuple(replace(box, down=other(box.down, box.shown)) for box in here.boxes)
    community = other(here.community, here.community_shown)
    return replace(here, dealer=dealer, boxes=boxes, community=community)


def unsettled(state: TableState) -> int:
    """The money that lies on the layout by the state itself."""
    here = state.round
    total = sum(bet.total for bet in state.bets)
    if here is None or here.over:
        return total
    for box in here.boxes:
        total += sum(bet.amount for bet in box.sides if bet.settled is None)
        total += sum(s.total for hand in box.hands for s in hand.stakes if s.settled is None)
    return total


class TableMachine(RuleBasedStateMachine):
    """Commands one after the other, and everything that must hold after each."""

    game: ClassVar[str]

    @initialize(choice=st.integers(0, 2), seed=st.integers(0, 10**6), rich=st.booleans(), rng=DICE)
    def open(self, choice: int, seed: int, rich: bool, rng: random.Random) -> None:
        options = TABLES[self.game]
        tables = compiled(self.game, **options[choice % len(options)])
        self.session = Session(tables, casino=CASINO)
        self.rng = rng
        self.full = Counter(self.session.engine.look.full_shoe)
        self.seen_by = (PUBLIC, DEALER, AUDITOR, *(Viewer("player", name) for name in NAMES))
        secret = secret_from(str(seed))
        self.do(cm.OpenTable(table=f"t{seed}", secret=secret, scripted=seed % 2 == 0))
        for number, name in enumerate(NAMES):
            self.do(cm.BuyIn(player=name, amount=500_000 if rich else 3_000))
            if number < 3:
                self.do(cm.Sit(player=name, seat=(1, 2, 4)[number]))

    @rule(command=wild_commands())
    def wild(self, command: cm.Command) -> None:
        self.do(command)

    @rule(data=st.data())
    def sensible(self, data: st.DataObject) -> None:
        """Something that fits the moment, so that rounds are played to their end."""
        for _ in range(data.draw(st.integers(4, 20))):
            self.do(self.fitting(data))

    def fitting(self, data: st.DataObject) -> cm.Command:
        state, question = self.session.state, self.session.question
        if question is not None:
            action = data.draw(st.sampled_from(question.actions))
            return cm.parse_decision(
                action.text, player=question.player, position=question.position
            )
        if state.stage == "bank" and state.offer is not None:
            name = state.offer.player
            if data.draw(st.booleans()):
                return cm.DeclineBank(player=name)
            return cm.TakeBank(player=name, amount=data.draw(BANKS))
        ways: list[tuple[str, int]] = [("", 0)]
        for player in state.players:
            ways += [(player.name, player.seat)] * bool(player.seat) + [(player.name, 0)]
        name, seat = data.draw(st.sampled_from(ways))
        if not name:
            return cm.Deal()
        money = self.session.engine.look.money
        base = money.wagers["base"]
        amounts = tuple(base.amounts) or (max(base.minimum, 500), 1000)
        wagers = data.draw(some_wagers(amounts, tuple(money.wagers)))
        if seat:
            position = data.draw(st.sampled_from((seat, seat, 3, 5)))
            return cm.PlaceWagers(player=name, position=position, wagers=wagers)
        position, follows = data.draw(BACKED), data.draw(st.booleans())
        return cm.BackWagers(player=name, position=position, wagers=wagers, follows=follows)

    def do(self, command: cm.Command) -> None:
        session = self.session
        before, entries = msgspec.json.encode(session.state), len(session.entries)
        old = session.state
        outcome = session.do(command)
        assert msgspec.json.encode(old) == before, "a state never changes"
        if isinstance(outcome, Refusal):
            assert outcome.reason.strip()
            assert "\n" not in outcome.reason
            assert session.state is old
            assert len(session.entries) == entries
            return
        state = old
        for event in outcome.events:
            state = session.engine.evolve(state, event)
            self.check(state)
        assert state == session.state, "the state is the fold of the log"
        self.look(outcome.events)

    def check(self, state: TableState) -> None:
        """What holds after every single event."""
        assert state.ledger.total == 0
        assert state.ledger.balance(LAYOUT) == unsettled(state)
        bank = state.bank
        up = bank.amount + bank.net if bank is not None and not bank.returned else 0
        assert state.ledger.balance(BANK) == up
        assert all(state.chips(player.name) >= 0 for player in state.players)
        check_cards(state, self.full)

    def look(self, events: tuple[Any, ...]) -> None:
        """No view and no redacted event tells a hidden card."""
        state, engine = self.session.state, self.session.engine
        cards = hidden_cards(state)
        self.rng.shuffle(cards)
        other = with_hidden(state, cards)
        plan = engine.look.plan
        for viewer in self.seen_by:
            seen = view(engine, state, viewer)
            if not plan.community_seen:
                assert seen == view(engine, other, viewer)
            assert state.secret.encode() not in msgspec.json.encode(seen)
            for event in events:
                told = msgspec.json.encode(redacted(event, viewer))
                assert state.secret.encode() not in told
                assert getattr(event, "face", "") != "down" or b'"??"' in told

    def teardown(self) -> None:
        if not hasattr(self, "session"):
            return
        log, engine = self.session.log(), self.session.engine
        assert parse_log(write_log(log)) == log
        checks = verify(engine.tables, log, CASINO)
        assert all(check.holds for check in checks), checks
        assert engine.fold(log.events) == self.session.state
        self.resume_anywhere(log)

    def resume_anywhere(self, log: Any) -> None:
        """Cut the record at some event, go on, and end at the same table."""
        count = sum(len(entry.events) for entry in log.entries)
        for place in {self.rng.randint(1, count) for _ in range(5)}:
            part = cut(log, place)
            session = Session.resumed(self.session.engine.tables, part, casino=CASINO)
            for entry in log.entries[len(part.entries) :]:
                assert not isinstance(session.do(entry.command), Refusal)
            assert session.state == self.session.state


def _machine(game: str) -> type[RuleBasedStateMachine]:
    return type(f"Machine_{game}", (TableMachine,), {"game": game})


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_table_under_random_commands(game: str) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        _machine(game),
        settings=examples(15, steps=20),
    )


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_session_cut_at_any_event_goes_on_to_the_same_end(game: str) -> None:
    for number, options in enumerate(TABLES[game]):
        tables = compiled(game, **options)
        table = RandomTable(tables, word(f"{game}/{number}"), record=True)
        table.play(12)
        log = table.log()
        assert parse_log(write_log(log)) == log
        assert all(check.holds for check in verify(tables, log, CASINO))
        count = sum(len(entry.events) for entry in log.entries)
        for place in range(1 + number, count, max(1, count // 6)):
            part = parse_log(write_log(cut(log, place)))
            session = Session.resumed(tables, part, casino=CASINO)
            for entry in log.entries[len(part.entries) :]:
                assert entry.command is not None
                assert not isinstance(session.do(entry.command), Refusal)
            assert session.state == table.state
            assert all(check.holds for check in verify(tables, session.log(), CASINO))


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_hundred_random_rounds_lose_no_cent_and_no_card(game: str) -> None:
    """The drive of bench/bench_table.py, which looks at money and cards after every round."""
    for number, options in enumerate(TABLES[game]):
        table = RandomTable(compiled(game, **options), word(f"{game}/{number}"))
        for _ in range(10):  # a fee schedule with gaps refuses many a deal
            if table.tally.rounds[game] < 100:
                table.play(100)
        assert table.tally.rounds[game] >= 100
        assert table.state.ledger.total == 0


def test_the_leak_check_sees_a_leak() -> None:
    """Two tables that differ in the hole card differ in a state, or the check above is void."""
    engine = Engine(compiled("blackjack"))
    state = NEW_TABLE
    for command in (
        cm.OpenTable(table="t", secret=secret_from("t"), scripted=True),
        cm.BuyIn(player="Ann", amount=10_000),
        cm.Sit(player="Ann", seat=1),
        cm.StackShoe(cards=("Ts", "9s", "2s", "8s", "5h", "6h")),
        cm.PlaceWagers(player="Ann", position=1, wagers={"base": 500}),
        cm.Deal(),
    ):
        outcome = engine.act(state, command)
        assert not isinstance(outcome, Refusal)
        state = outcome.state
    assert isinstance(engine.question(state), Question)
    other = with_hidden(state, hidden_cards(state)[::-1])
    assert state != other
    assert view(engine, state, AUDITOR) == view(engine, other, AUDITOR)
