"""S7-4: whoever surrenders gives up the third card, and what is priced with it says so."""

from __future__ import annotations

import pytest

import upcard
from shell import upcard as run
from upcard import UpcardError
from upcard.trial.trials import Request, prepare

SEVENS = {"sides": "super-sevens"}


def shown(*arguments: str) -> str:
    """What a command prints, in one line."""
    done = run(*arguments)
    assert done.status == 0, done.err
    return " ".join(done.out.split())


@pytest.mark.parametrize(
    ("game", "policy", "priced"),
    [
        ("super-fun-21", "basic", False),  # which surrenders 7-7 against a ten
        ("super-fun-21", "mimic", True),  # which never surrenders
        ("blackjack", "basic", True),  # with six decks two sevens are split or hit
        ("blackjack", "random", False),
        ("vegas-strip", "random", True),  # where nobody can surrender
    ],
)
def test_a_value_is_that_of_the_play_or_there_is_none(game: str, policy: str, priced: bool) -> None:
    trial = prepare(Request(game=game, policy=policy, settings=SEVENS))
    assert ("super-sevens" in trial.exact) is priced


def test_a_simulation_and_the_odds_say_why() -> None:
    side = ("--side", "super-sevens")
    simulated = shown("simulate", "super-fun-21", *side, "--rounds", "1e4")
    assert "Super Sevens has no exact value for the play that was simulated" in simulated
    words = "Super Sevens is priced for a third card in every case"
    assert words in shown("odds", "super-fun-21", *side)
    assert words not in shown("odds", "vegas-strip", *side)


def test_who_gives_up_the_third_card_wins_less() -> None:
    """The simulator gives it up: what it finds lies far from the price with every third card."""
    game = upcard.game("super-fun-21", sides=["super-sevens"])
    found = game.simulate(rounds=2_000_000, seed=3).wagers["super-sevens"]
    assert found.z is None
    assert found.figures.ev < game.odds().wagers["super-sevens"].ev - 5 * found.figures.stderr


@pytest.mark.parametrize("side", ["super-sevens", "super-sevens=no-guarantee"])
def test_play_for_it_is_refused_and_not_pretended(side: str) -> None:
    game = upcard.game("blackjack", sides=[side])
    words = "play that looks to it is not worked out"
    sevens = {"super-sevens": 1}
    with pytest.raises(UpcardError, match=words):
        game.odds(wagers=sevens)
    with pytest.raises(UpcardError, match=words):
        game.strategy(wagers=sevens)
    with pytest.raises(UpcardError, match=words):
        game.hand("7s 7d", up="Th").advise(wagers=sevens)


def test_it_may_lie_there_where_nobody_can_give_it_up() -> None:
    game = upcard.game("vegas-strip", sides=["super-sevens"])
    assert game.odds(wagers={"super-sevens": 1}).combined is not None


def test_wagers_counted_in_decks_say_so_beside_an_endless_shoe() -> None:
    assert "exact, real shoe" in shown("odds", "spanish-21", "--infinite", "--side", "21+3")
