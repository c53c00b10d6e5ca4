"""The pure modules of the felt, in node: what they fold is what the table says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

import upcard
from boxes import further_boxes
from upcard.compile.tables import tables_for
from upcard.players.company import Company
from upcard.rules.registry import GAME_IDS
from upcard.service.felt import rules_info, table_info
from upcard.table import commands as cm
from upcard.table.engine import Outcome
from upcard.table.sentences import sentence
from upcard.table.session import Session
from upcard.table.shoe import secret_from
from upcard.table.view import PUBLIC, redacted, view

NODE = shutil.which("node")
MODULES = Path(upcard.__file__).parent / "web" / "felt" / "modules"
CHECKS = Path(__file__).with_name("felt_modules.mjs")

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


def check(name: str, data: Any = None) -> int:
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(CHECKS), str(MODULES), name],
        input=msgspec.json.encode(data),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[:3000]
    return int(done.stdout)


class Watched:
    """A session, and what the public is told of it."""

    def __init__(self, game: str, settings: dict[str, str]) -> None:
        self.session = Session(tables_for(game, settings))
        self.strokes: list[dict[str, Any]] = []

    @property
    def seen(self) -> Any:
        return msgspec.to_builtins(view(self.session.engine, self.session.state, PUBLIC))

    def do(self, command: cm.Command) -> bool:
        outcome = self.session.do(command)
        if not isinstance(outcome, Outcome):
            return False
        events = []
        for event in outcome.events:
            told = redacted(event, PUBLIC)
            words = sentence(self.session.engine, told)
            events.append(msgspec.to_builtins(told) | {"words": words})
        seq = len(self.strokes) + 1
        self.strokes.append({"seq": seq, "at": "", "events": events, "view": self.seen})
        return True

    def play(self, rounds: int) -> None:
        """Bots play by themselves; every second round all of them double or split if they can."""
        tables = self.session.engine.tables
        names = ("Ada", "Ben", "Cleo", "Dan")
        for seat, name in enumerate(names, 1):
            assert self.do(cm.BuyIn(player=name, amount=10_000_000))
            assert self.do(cm.Sit(player=name, seat=seat))
        company = Company(self.session.engine, names)
        while self.session.state.rounds < rounds or self.session.state.in_round:
            state = self.session.state
            question = self.session.question
            if question is not None:
                bold = [a for a in question.actions if a.text in ("split", "redouble", "trade")]
                bold += [a for a in question.actions if a.text in ("double", "rescue", "insure")]
                if bold and state.rounds % 2:
                    decision = cm.parse_decision(
                        bold[0].text, player=question.player, position=question.position
                    )
                    if self.do(decision):
                        continue
                bot = company.bots[question.player]
                assert self.do(bot.answer(state, question))
            elif state.stage == "bank":
                assert state.offer is not None
                assert self.do(company.bots[state.offer.player].take_bank(state))
            else:
                self._wager(company, state.bank.player if state.bank else "")
                for further in further_boxes(self.session.engine, self.session.state):
                    assert self.do(further)
                assert self.do(cm.Deal())
        assert tables.id

    def _wager(self, company: Company, bank: str) -> None:
        wagers = self.session.engine.tables.money.wagers
        for player in self.session.state.players:
            base = company.bots[player.name].wager
            placed = {plan.id: base if plan.mandatory else plan.minimum for plan in wagers.values()}
            command = cm.PlaceWagers(player=player.name, position=player.seat, wagers=placed)
            if player.name != bank and not self.do(command):
                least = {plan.id: base for plan in wagers.values() if plan.mandatory}
                fewer = cm.PlaceWagers(player=player.name, position=player.seat, wagers=least)
                assert self.do(fewer)


CASES: list[tuple[str, dict[str, str]]] = [(game, {}) for game in GAME_IDS] + [
    ("twisted-21", {"stud_bonus": "seven-card"}),
    ("ten-sticks-21", {"lights_owner": "player", "trade_time": "own-turn"}),
    ("blackjack", {"surrender": "early", "decks": "1"}),
]


@pytest.mark.parametrize(("game", "settings"), CASES)
def test_the_fold_of_events_is_the_view(game: str, settings: dict[str, str]) -> None:
    watched = Watched(game, settings)
    opening = cm.OpenTable(table="felt", secret=secret_from(f"felt of {game}"))
    assert watched.do(opening)
    first = watched.seen
    watched.strokes.clear()
    watched.play(12)
    info = table_info(watched.session.engine.tables)
    strokes = watched.strokes
    assert check("fold", {"table": info, "first": first, "strokes": strokes}) == len(strokes)


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_round_can_be_replayed_from_its_events(game: str) -> None:
    watched = Watched(game, {})
    assert watched.do(cm.OpenTable(table="felt", secret=secret_from("replay")))
    watched.play(3)
    ends = [
        number
        for number, stroke in enumerate(watched.strokes)
        if any(event["event"] == "RoundEnded" for event in stroke["events"])
    ]
    told = watched.strokes[ends[1] + 1 : ends[2] + 1]
    info = table_info(watched.session.engine.tables)
    stood = watched.strokes[ends[1]]["view"]["shoe"]
    data = {"table": info, "told": told, "shoe": stood, "view": watched.strokes[ends[2]]["view"]}
    assert check("replay", data) >= 1


@pytest.mark.parametrize("name", ["money", "layout", "line"])
def test_pure_parts(name: str) -> None:
    assert check(name) == 1


def test_wagers_that_are_being_placed() -> None:
    assert check("draft", {"table": table_info(tables_for("twisted-21"))}) == 1


@pytest.mark.parametrize(("game", "settings"), CASES)
def test_every_line_leads_to_its_rule_and_results_sum_up(
    game: str, settings: dict[str, str]
) -> None:
    watched = Watched(game, settings)
    assert watched.do(cm.OpenTable(table="felt", secret=secret_from(f"words of {game}")))
    watched.play(12)
    tables = watched.session.engine.tables
    data = {"table": table_info(tables), "rules": rules_info(tables), "strokes": watched.strokes}
    assert check("words", data) == 12


def test_backed_hands_stay_and_are_backed_again() -> None:
    assert check("backing", {"table": table_info(tables_for("pure-spanish-21.5"))}) == 1


def test_words_for_what_is_on_the_felt() -> None:
    assert check("phrases", {"table": table_info(tables_for("blackjack"))}) == 1
