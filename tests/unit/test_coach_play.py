"""The coach in `upcard play`: under a key, beside the actions, and on a page."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from boxes import bots_at
from conftest import compiled
from unit.test_play_kit import Player, Scene, own_folder, saved_session, sitting
from upcard import GAME_IDS
from upcard.cli.play.coach_page import CoachPage
from upcard.cli.play.coaching import Coaching
from upcard.cli.play.keys import ENTER, ESCAPE, LEFT, PAGE_DOWN, Keyboard
from upcard.cli.play.paint import Paint
from upcard.cli.play.start import Wishes
from upcard.coach import Coach, Seen
from upcard.table.session import Session, cut

__all__ = ["own_folder"]

VALUE = r"[+-]\d+\.\d\d%"


def wishes(seed: str = "demo", **more: object) -> Wishes:
    return Wishes(seed=seed, fast=True, **more)  # type: ignore[arg-type]


class CoachedPlayer(Player):
    """Calls the coach first, and looks at its page when the rounds are played."""

    def __init__(self, scene: Scene, rounds: int, prefer: str = "") -> None:
        super().__init__(scene, rounds, prefer)
        self.before = ["g"]
        self.after = ["v", LEFT, PAGE_DOWN, ESCAPE, "q"]

    def read(self) -> str:
        if self.before:
            return self.before.pop()
        if self.rounds <= 0:
            return self.after.pop(0)
        key = super().read()
        return self.after.pop(0) if self.rounds <= 0 else key


def test_the_key_shows_values_and_takes_them_away() -> None:
    sat, scene = sitting("blackjack", [ENTER, "g", "g", "q"], wishes=wishes())
    sat.run()
    before, off, on, coming = (scene.frames[-n] for n in (4, 1, 2, 3))
    assert "g coach off" in on
    assert "The coach is on." in on
    assert "The coach is coming" in " ".join(coming.split())
    assert re.search(rf"h hit \+\$0\.13 {VALUE}   s stand -\$0\.62 {VALUE}", on), on
    assert re.search(rf"d double \+\$0\.25 {VALUE} best", on)
    for frame in (before, off):
        assert "g coach " in frame
        assert not re.search(VALUE, frame)
    assert "The coach is off." in off


def test_a_mistake_is_told_and_stands_on_the_page() -> None:
    keys = [ENTER, "g", "h", "v", LEFT, ESCAPE, "q"]
    sat, scene = sitting("blackjack", keys, wishes=wishes())
    sat.run()
    assert scene.told("Coach: hit costs $0.12 on average (2.31%), double is best.")
    page = next(frame for frame in scene.frames if "Your decisions" in frame)
    words = " ".join(page.split())
    assert "This decision: soft 18 against 3♠" in words
    assert "Of the base wager, $5; exact; 302 cards not seen." in words
    assert "right 0 of 1 (0.0%)" in words
    assert "cost $0.12 in 1 hand" in words
    assert "A♠ 6♠ against 3♠: hit, best double" in words


def test_the_best_action_is_no_mistake() -> None:
    keys = [ENTER, "g", "d", "v", LEFT, ESCAPE, "q"]
    sat, scene = sitting("blackjack", keys, wishes=wishes())
    sat.run()
    assert not scene.told("costs $")
    page = " ".join(next(f for f in scene.frames if "Your decisions" in f).split())
    assert "right 1 of 1 (100.0%)" in page
    assert "The worst" not in page


def test_between_rounds_the_page_has_the_next_one() -> None:
    keys = ["g", "v", LEFT, PAGE_DOWN, ESCAPE, "q"]
    sat, scene = sitting("blackjack-tie", keys, wishes=wishes())
    sat.run()
    words = " ".join(" ".join(scene.frames[-3:-1]).split())
    assert "The next round, from a new shoe" in words
    assert "Primary wager -$0.02 -0.33% of $5" in words
    assert "For the smallest wager: $5." in words
    assert re.search(r"Tie 20 -\$\d\.\d\d -23\.96% of \$", words)
    assert "Nothing was decided yet." in words
    assert scene.told("The coach works out the next round.")


def test_wagers_that_are_played_for_together_have_a_total() -> None:
    """What the hand is advised for: five dollars on both win more than they lose."""
    sat, scene = sitting("blackjack-tie", ["g", "q"], wishes=wishes())
    sat.run()
    coaching = Coaching(saved_session(sat), "Guest")
    coaching.switch()
    coach = Coach(coaching.session.engine)
    before = {"base": 5_00, "tie-21": 5_00}
    ahead = coach.before_deal(coaching.session.state, Seen(), player="Guest", before=before)
    page = CoachPage(coaching, Paint(scene.console), ahead)
    words = " ".join(" ".join(line.plain for line in page.next_round(ahead, 90)).split())
    assert "All together +$5.37 +53.70% of $10" in words
    assert "exact, splits CDP, play for all that is wagered." in words


def test_the_next_round_is_for_what_was_wagered() -> None:
    """A round of two dollars more than the least, and the next is priced for as much."""
    keys = ["+", ENTER, "s", "s", "g", "v", LEFT, ESCAPE, "q"]
    sat, scene = sitting("blackjack", keys, wishes=wishes())
    sat.run()
    frames = [" ".join(frame.split()) for frame in scene.frames]
    (words,) = {frame for frame in frames if "The next round, from this shoe" in frame}
    assert "For the wagers of the last round: $10." in words


def test_the_page_says_how_the_coach_is_called() -> None:
    sat, scene = sitting("blackjack", ["v", LEFT, ESCAPE, "q"], wishes=wishes())
    sat.run()
    assert "The coach is off: g at the table switches it on." in scene.frames[-2]
    sat, scene = sitting("blackjack", ["?", "5", PAGE_DOWN, ESCAPE, "q"], wishes=wishes(new=True))
    sat.run()
    assert re.search(r"g +the coach, on or off", scene.frames[-2])


@pytest.mark.parametrize("game", GAME_IDS)
def test_values_and_own_cards_are_seen_in_the_smallest_window(game: str) -> None:
    scene = Scene(70, 22)

    def keyboard(shown: Scene) -> Keyboard:
        return CoachedPlayer(shown, 4, "p" if "pure" not in game else "nd")

    more = wishes("small", chips=900_000, bots=bots_at(game))
    # The next round of a game with bonus cards takes long in a whole shoe.
    tables = compiled(game, decks=1) if game == "ten-sticks-21" else None
    sat, scene = sitting(game, keyboard, scene=scene, wishes=more, tables=tables)
    sat.run()
    asked = [frame for frame in scene.frames if re.search(VALUE + " best", frame)]
    assert asked
    for frame in asked:
        if "Your decisions" in frame or "What you can do" in frame:
            continue
        assert "(you)" in frame, frame
        assert "best" in frame.splitlines()[-5] + frame.splitlines()[-6] + frame.splitlines()[-4]
    for frame in scene.frames:
        assert len(frame.rstrip("\n").split("\n")) == 22
    assert any(re.search(r"right +\d+ of \d+", frame) for frame in scene.frames)


@pytest.mark.parametrize("game", ["blackjack", "pure-spanish-21.5"])
def test_a_resumed_session_has_all_its_mistakes(game: str) -> None:
    """Also one whose record stops in the middle of what a command led to."""
    prefer = "nh" if "pure" in game else "h"
    sat, _ = sitting(game, lambda s: Player(s, 3, prefer), wishes=wishes("resume"))
    sat.run()
    session = saved_session(sat)
    whole = Coaching(session, "Guest")
    whole.switch()
    found = whole.review.summary()
    assert found.decisions > 2
    log = session.log()
    events = sum(len(entry.events) for entry in log.entries)
    for stop in range(events - 28, events, 9):
        part = Session.resumed(session.engine.tables, cut(log, stop))
        coaching = Coaching(part, "Guest")
        coaching.switch()
        advice = coaching.advice()
        assert coaching.review.decisions <= found.decisions
        question = part.question
        assert (advice is not None) is (question is not None and question.player == "Guest")
    again, scene = sitting(game, ["r", "g", "v", LEFT, ESCAPE, "q"], wishes=wishes("resume"))
    again.run()
    words = " ".join(next(f for f in scene.frames if "Your decisions" in f).split())
    assert f"right {found.right} of {found.decisions}" in words


def test_doubling_and_insuring_for_less_are_judged_for_what_they_are() -> None:
    tables = compiled("games-of-chance-blackjack")
    for seed in range(40):
        keys = [ENTER, "d", "2", ENTER, "q"]
        sat, _ = sitting(
            tables.id, ["right", *keys], wishes=wishes(f"less {seed}", new=True), tables=tables
        )
        sat.run()
        session = saved_session(sat)
        doubled = [e for e in session.entries if type(e.command).__name__ == "Double"]
        if doubled:
            break
    coaching = Coaching(session, "Guest")
    coaching.switch()
    assert coaching.review.unpriced == 1
    assert coaching.review.decisions == 0


def test_nobody_pays_for_a_coach_that_is_not_called() -> None:
    code = (
        "import sys; import upcard.cli.play.seat, upcard.cli.play.table; "
        "sys.exit(any(name.startswith(('upcard.coach', 'numba')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
