"""What the dealer shows, as people type it and as files say it."""

from pathlib import Path

import pytest

import upcard
from shell import refusal
from shell import upcard as run
from upcard.compile.shows import DealerShows
from upcard.envs import RoundVectorEnv
from upcard.errors import UpcardError
from upcard.pages.page import Page
from upcard.rules.check import check_game
from upcard.simulate.chart_file import Names
from upcard.solve.odds_page import _by_told

UNDER = str(Path(__file__).parents[1] / "differential/down_under.toml")
EXPOSURE = "double-exposure"
HEAD = (
    'id = "mine"\nversion = 1\nname = "Mine"\nsource = "me"\nextends = "blackjack"\ndraft = true\n'
)


def problems(tmp_path: Path, text: str) -> str:
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + text)
    return "\n".join(problem.message for problem in check_game(str(file), {}, draft=True)[1])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[deal]\ndealer_up = 2", "with two cards face up the dealer has none face down"),
        ("[deal]\ndealer_up = 2\ndealer_down = 0", "so nobody looks for a natural"),
        ("[deal]\ndealer_up = 2\ndealer_down = 0", "there is nothing to insure against"),
        ('[deal]\ndealer_up = 2\ndealer_down = 0\n[surrender]\nwhen = "early"', "no check to"),
        ('[dealer]\ntells = [["2"], ["2"]]', "two is in 2 groups: every rank is in one"),
        ('[dealer]\ntells = [["2"], ["3"]]', "ace is in no group"),
        ('[dealer]\ntells = [["2"], []]', "a group has no rank in it"),
    ],
)
def test_what_does_not_go_together(tmp_path: Path, text: str, words: str) -> None:
    assert words in problems(tmp_path, text)


def test_hands_by_two_cards() -> None:
    game = upcard.game(EXPOSURE)
    hand = game.hand("8s 8h", up="Ts 6d")
    assert (str(hand.shows), str(hand.up)) == ("Ts 6d", "Ts")
    swapped = game.hand("8s 8h", up=["6d", "Ts"])
    assert hand.advise().actions == pytest.approx(swapped.advise().actions, abs=1e-12)
    assert "against T 6\n" in run("hand", EXPOSURE, "--cards", "8 8", "--up", "T 6").out
    assert "give two" in refusal("hand", EXPOSURE, "--cards", "8 8", "--up", "T")
    assert "ends the round" in refusal("hand", EXPOSURE, "--cards", "8 8", "--up", "T A")
    assert "one card" in refusal("hand", "blackjack", "--cards", "8 8", "--up", "T 6")


def test_hands_by_what_is_told() -> None:
    game = upcard.game(UNDER)
    low, high = (game.hand("Ts 6d", up=f"9h over {told}").advise() for told in ("2-6", "T"))
    assert str(high.shows) == "9h over T-A"
    assert low.best.text == "stand"
    assert high.best.text != "stand"
    assert "say it, such as" in refusal("hand", UNDER, "--cards", "T 6", "--up", "9")
    assert "2-6, 7-9 or T-A is" in refusal("hand", UNDER, "--cards", "T 6", "--up", "9 over low")
    with pytest.raises(UpcardError, match="it is not said what is told"):
        DealerShows(hand_up := game.hand("Ts 6d", up="9h over 2-6").shows.cards).number(game.tables)
    assert len(hand_up) == 1


def test_names_in_charts() -> None:
    names = Names(upcard.game(EXPOSURE).tables)
    shown = upcard.game(EXPOSURE).tables.dealer.shown
    assert [shown.names[up] for up, _ in names.up("6 T")] == ["T 6"]
    assert {shown.names[up] for up, _ in names.up("16")} == {"T 6", "9 7", "8 8"}
    assert [shown.names[up] for up, _ in names.up("soft 17")] == ["A 6"]
    with pytest.raises(UpcardError, match="is nothing that the dealer of this game shows"):
        names.up("T")


def test_environments_see_both_cards() -> None:
    env = RoundVectorEnv(EXPOSURE, num_envs=200)
    seen, _ = env.reset(seed=5)
    assert env.single_observation_space["up"].n == 55  # type: ignore[index]
    assert len(set(seen["up"].tolist())) > 20


def test_odds_stand_by_what_is_told() -> None:
    """A line for every up card, the ace last, and none of it cut off."""
    page = Page()
    evs = {"A over 2-6": -0.05, "A over T-A": -0.8, "6 over 2-6": 0.25}
    page.print(_by_told(evs, ("2-6", "7-9", "T-A")))
    lines = [line.split() for line in page.text().splitlines() if line.strip()]
    assert lines == [
        ["2-6", "7-9", "T-A"],
        ["6", "+25.0000%"],
        ["A", "-5.0000%", "-80.0000%"],
    ]
