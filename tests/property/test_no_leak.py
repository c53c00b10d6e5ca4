"""Two games that differ only in cards nobody can see look the same to everybody, event by event,
until one of those cards is exposed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import zip_longest

import pytest
from hypothesis import given

from chance import DICE, examples
from conftest import compiled
from upcard.compile.tables import GameTables
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import Outcome
from upcard.table.session import Session
from upcard.table.shoe import secret_from
from upcard.table.view import AUDITOR, DEALER, PUBLIC, Viewer, redacted, view

pytestmark = pytest.mark.chance

VIEWERS = (PUBLIC, DEALER, AUDITOR, Viewer("player", "Ann"), Viewer("player", "Bo"))
EXPOSING = (ev.CardTurned, ev.CardsShown, ev.DealerChecked, ev.CardDealt)
TABLES: tuple[tuple[str, dict[str, object]], ...] = (
    ("blackjack", {}),
    ("blackjack", {"peek": "none", "surrender": "early"}),
    ("games-of-chance-blackjack", {"surrender": "both"}),
    ("ten-sticks-21", {"trade_time": "own-turn"}),
    ("pure-spanish-21.5", {}),
    ("games-of-chance-blackjack", {}),
    ("twisted-21", {}),
    ("twisted-21", {"stud_bonus": "seven-card"}),
    ("twisted-21", {"dealer_natural": "any"}),
    ("twisted-21", {"dealer_natural": "at-turn"}),
    ("twisted-21", {"stud_bonus": "seven-card-low", "community_cards": "seen"}),
    ("blackjack-tie", {"peek": "ace"}),
)


def dealt(tables: GameTables, cards: tuple[str, ...]) -> Session:
    """Ann and Bo after the deal, with every wager that the game has; Cy banks if somebody must."""
    session = Session(tables)
    money = tables.money
    base = money.wagers["base"].amounts[:1] or (1000,)
    sides = [wager for wager in money.wagers if wager != "base"][:2]
    wagers = {"base": base[0]} | dict.fromkeys(sides, 300)
    commands: list[cm.Command] = [
        cm.OpenTable(table="t", secret=secret_from("t"), scripted=True),
        cm.StackShoe(cards=cards),
    ]
    for seat, name in ((3, "Cy"), (1, "Ann"), (2, "Bo")):
        commands += [cm.BuyIn(player=name, amount=10**6), cm.Sit(player=name, seat=seat)]
    if money.bank != "house":
        commands.append(cm.TakeBank(player="Cy", amount=10_000))
    for seat, name in ((1, "Ann"), (2, "Bo")):
        commands.append(cm.PlaceWagers(player=name, position=seat, wagers=wagers))
    for command in (*commands, cm.Deal()):
        outcome = session.do(command)
        assert isinstance(outcome, Outcome), outcome
    return session


def twins(tables: GameTables, rng: random.Random) -> tuple[Session, Session]:
    """Two tables after the deal; in one a hidden card has changed places with an undealt one."""
    cards = list(Session(tables).engine.look.full_shoe)
    rng.shuffle(cards)
    one = dealt(tables, tuple(cards))
    faces = [event.face for event in one.events if isinstance(event, ev.CardDealt)]
    hidden = rng.choice([place for place, face in enumerate(faces) if face == "down"])
    other = rng.randrange(len(faces), len(cards))
    cards[hidden], cards[other] = cards[other], cards[hidden]
    return one, dealt(tables, tuple(cards))


def first_differences(one: Session, two: Session) -> Iterator[ev.Event | None]:
    """For every viewer the first event that tells the two games apart, or None."""
    for viewer in VIEWERS:
        pairs = zip_longest(
            (redacted(event, viewer) for event in one.events),
            (redacted(event, viewer) for event in two.events),
        )
        yield next((a for a, b in pairs if a != b), None)


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
def test_nobody_can_tell_games_apart_by_hidden_cards(game: str, options: dict[str, object]) -> None:
    tables = compiled(game, **options)

    @given(rng=DICE)
    @examples(25)
    def check(rng: random.Random) -> None:
        one, two = twins(tables, rng)
        while True:
            told = set(first_differences(one, two))
            if told != {None}:
                assert all(isinstance(event, EXPOSING) for event in told), told
                assert all(getattr(event, "face", "up") == "up" for event in told), told
                return
            for viewer in VIEWERS:
                seen = view(one.engine, one.state, viewer)
                assert seen == view(two.engine, two.state, viewer)
            question = one.question
            if question is None:
                return
            assert two.question == question
            action = rng.choice(question.actions)
            decision = cm.parse_decision(
                action.text, player=question.player, position=question.position
            )
            one.do(decision)
            two.do(decision)

    check()
