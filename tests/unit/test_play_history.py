"""`v` at the table: rounds as a list, each to be opened, and the session in figures."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from unit.test_play_kit import Player, Scene, own_folder, saved_session, sitting
from upcard import GAME_IDS
from upcard.cli.play.chronicle import Chronicle
from upcard.cli.play.help import told
from upcard.cli.play.keys import ENTER, ESCAPE, INTERRUPT
from upcard.cli.play.seat import PersonsSeat
from upcard.cli.play.start import Sitting, Wishes
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE
from upcard.table.journal import Journal

__all__ = ["own_folder"]

ROUNDS = 9


class Looking(Player):
    """Plays some rounds with every wager on the layout, then presses keys and quits."""

    def __init__(self, scene: Scene, rounds: int, keys: list[str], prefer: str = "pdty") -> None:
        super().__init__(scene, rounds, prefer)
        self.wagers = ["2", "right", "3", "right", "1", "right", "right"]
        self.after = keys
        self.looks = False

    def read(self) -> str:
        if self.wagers and "Your wagers at" in self.scene.now:
            return self.wagers.pop(0)
        if not self.looks:
            key = super().read()
            self.looks = key == "q"
            if not self.looks:
                return key
        return self.after.pop(0) if self.after else INTERRUPT


def played(game: str, keys: list[str], rounds: int = ROUNDS) -> tuple[Sitting, Scene]:
    wishes = Wishes(seed=f"history {game}", chips=900_000, fast=True)
    sat, scene = sitting(game, lambda s: Looking(s, rounds, keys), wishes=wishes)
    sat.run()
    return sat, scene


def chronicle_of(sat: Sitting) -> Chronicle:
    session = saved_session(sat)
    chronicle = Chronicle(session.engine, "Guest")
    state = NEW_TABLE
    for event in session.events:
        state = session.engine.evolve(state, event)
        chronicle.add(event, state, told(session, "Guest", event))
    return chronicle


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_round_is_a_line_and_the_sum_is_what_the_chips_say(game: str) -> None:
    sat, scene = played(game, ["v"])
    chronicle = chronicle_of(sat)
    assert [note.number for note in chronicle.rounds] == list(range(1, ROUNDS + 1))
    chips = saved_session(sat).state.chips("Guest")
    assert 900_000 + sum(note.net for note in chronicle.rounds) == chips
    for note in chronicle.rounds:
        row = rf"^ +{note.number}  .*{re.escape(chronicle.line(note)[:50])}"
        assert re.search(row, scene.now, re.MULTILINE), (row, scene.now)


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_figures_are_those_of_the_record(game: str) -> None:
    sat, scene = played(game, ["v", "2"])
    events = list(saved_session(sat).events)
    settled = [e for e in events if isinstance(e, ev.WagerSettled) and e.player == "Guest"]
    net: Counter[str] = Counter()
    for event in settled:
        net[event.wager] += event.won - event.collected
    chronicle = chronicle_of(sat)
    assert {wager: sums.net for wager, sums in chronicle.wagers.items()} == dict(net)
    for wager, sums in chronicle.wagers.items():
        mine = [e for e in settled if e.wager == wager]
        changes = [e.won - e.collected for e in mine]
        assert (sums.placed, sums.staked) == (len(mine), sum(e.staked for e in mine))
        assert sums.won == sum(change > 0 for change in changes)
        assert sums.lost == sum(change < 0 for change in changes)
        assert sums.even == changes.count(0)
        assert sat.screen.names[wager] in scene.now
    figures = dict(chronicle.statistics())
    nets = [note.net for note in chronicle.rounds if note.result]
    assert figures["rounds"] == f"{ROUNDS} rounds"
    won, lost = sum(n > 0 for n in nets), sum(n < 0 for n in nets)
    assert figures["results"] == f"{won} won, {lost} lost, {nets.count(0)} even"
    for words in figures.values():
        assert words in scene.now


def test_a_round_is_opened_and_its_neighbours_are_a_key_away() -> None:
    sat, scene = played("blackjack", ["v", "home", "down", ENTER, "right", "left", ESCAPE], 4)
    frames = scene.frames
    titles = [frame.split()[:2] for frame in frames if frame.startswith("  Round ")]
    assert titles == [["Round", "2"], ["Round", "3"], ["Round", "2"]]
    opened = next(frame for frame in frames if frame.startswith("  Round 2"))
    assert "Guest wagers at seat 4" in opened
    assert "Round 2 begins." in opened
    assert "Round 1 ends." not in opened
    assert "1 Rounds" in scene.now, "and back to the list"
    assert saved_session(sat).state.rounds == 4


def test_a_list_longer_than_the_screen_is_scrolled() -> None:
    _, scene = played("games-of-chance-blackjack", ["v", "home", "end", "page up"], 30)
    newest, first, last, before = scene.frames[-4:]
    assert re.search(r"^ +30  ", newest, re.MULTILINE)
    assert re.search(r"^ +1  ", first, re.MULTILINE)
    assert not re.search(r"^ +30  ", first, re.MULTILINE)
    assert re.search(r"^ +30  ", last, re.MULTILINE)
    assert before != last


def test_without_a_round_there_is_nothing_to_open() -> None:
    sat, scene = sitting("blackjack", ["v", ENTER, "q"])
    sat.run()
    assert scene.told("No round is dealt yet.")


def test_a_round_in_play_and_one_sat_out() -> None:
    sat, scene = sitting("blackjack", ["o", ENTER, ENTER, "v", "q", "q"])
    sat.run()
    assert scene.told("1 sat out 2 in play")


def test_a_resumed_session_has_its_history() -> None:
    sat, _ = played("twisted-21", [], 3)
    before = chronicle_of(sat)
    again, _ = sitting("twisted-21", ["q"], wishes=Wishes(resume=True))
    again.run()
    session = saved_session(again)
    journal = Journal.begin(again.file.with_name("other.jsonl"), session)
    seat = PersonsSeat(session, "Guest", again.keyboard, again.screen, journal)
    now = seat.chronicle
    assert [now.line(note) for note in now.rounds] == [before.line(n) for n in before.rounds]


def test_the_poker_hand_has_its_name() -> None:
    sat, scene = played("twisted-21", ["v"], 3)
    shown = [e for e in saved_session(sat).events if isinstance(e, ev.CardsShown)]
    mine = [event for event in shown if event.position == 3]
    assert mine
    over = [frame for frame in scene.frames if "Round over" in frame]
    named = r"(high|pair of \w+|two pair|three of a kind|straight|flush|full house|four of a kind)"
    assert re.search(rf"Dealer .* · .*{named}", "\n".join(over))
    assert re.search(rf"\d+ · .*{named}|over · .*{named}", "\n".join(over))
    history = " ".join(scene.now.split())
    assert re.search(rf"\(.*{named}.*\) against", history)
    words = [told(saved_session(sat), "Guest", event) for event in shown]
    assert all(re.search(rf": .*{named}", text) for text in words)


def test_no_poker_hand_before_it_is_shown() -> None:
    _, scene = played("twisted-21", [], 3)
    turns = [frame for frame in scene.frames if "Your turn" in frame]
    assert turns
    assert not any("high" in frame or "pair" in frame for frame in turns)
