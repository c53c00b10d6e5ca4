"""What the table refuses, everything else refuses: in the same sentence, with the same clause."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from conftest import compiled
from shell import refusal, upcard
from unit.test_table_play import Table
from upcard import tables_for
from upcard.cards import parse_cards
from upcard.compile.bets import check_wagers, usual_bet, wagers_of
from upcard.envs.vector import RoundVectorEnv
from upcard.errors import UpcardError
from upcard.money import BASE, TOO_MUCH, plain_dollars
from upcard.solve.advice import advise
from upcard.solve.chart import draw_chart
from upcard.solve.odds import odds
from upcard.solve.readings import price_readings
from upcard.table import commands as cm
from upcard.trial.trials import Request, prepare

PURE, TIE, CHANCE = "pure-spanish-21.5", "blackjack-tie", "games-of-chance-blackjack"
TWISTED = "twisted-21"

REFUSED = [
    ("blackjack", {"base": 25}),
    ("blackjack", {"base": 0}),
    ("blackjack", {"base": 550}),
    ("blackjack", {"base": 400}),
    ("blackjack", {"base": 50_100}),
    ("ten-sticks-21", {"base": 2_000_000}),
    (CHANCE, {"base": 300}),
    (PURE, {"base": 200}),
    (PURE, {"base": 20_100}),
    (PURE, {"base": 300, "match": 200}),
    (PURE, {"base": 10_000, "match": 20_100}),
    (TIE, {"base": 500, "tie-20": 600}),
    (TIE, {"base": 1000, "tie-17": 500, "tie-18": 600}),
    ("twisted-21", {"base": 500, "stud-bonus": 60_000}),
]


def table_says(game: str, wagers: dict[str, int]) -> str:
    """The refusal of the live table."""
    return open_table(game).refused(cm.PlaceWagers(player="Bob", position=2, wagers=wagers))


def table_takes(game: str, wagers: dict[str, int]) -> None:
    """The live table's consent."""
    open_table(game).do(cm.PlaceWagers(player="Bob", position=2, wagers=wagers))


def open_table(game: str) -> Table:
    table = Table(game)
    table.sit("Ann", 1, chips=10_000_000)
    table.sit("Bob", 2, chips=10_000_000)
    if game == PURE:
        table.bank("Ann", 20_000)
    return table


def ratios_of(wagers: dict[str, int]) -> dict[str, float]:
    """Side wagers in base wagers."""
    return {w: amount / wagers[BASE] for w, amount in wagers.items() if w != BASE}


Asked = Callable[[str, int, dict[str, float]], object]

ASKED: dict[str, Asked] = {
    "odds": lambda game, bet, ratios: odds(compiled(game), bet=bet, ratios=ratios),
    "chart": lambda game, bet, ratios: draw_chart(compiled(game), bet=bet, ratios=ratios),
    "advise": lambda game, bet, ratios: advise(
        compiled(game), parse_cards("9s 6d"), parse_cards("8h")[0], bet=bet, ratios=ratios
    ),
    "trial": lambda game, bet, ratios: prepare(Request(game=game, bet=bet, ratios=ratios)),
    "env": lambda game, bet, ratios: RoundVectorEnv(game, 2, bet=bet, wagers=ratios),
}


@pytest.mark.parametrize("who", ASKED)
@pytest.mark.parametrize(("game", "wagers"), REFUSED)
def test_everybody_refuses_in_the_words_of_the_table(
    game: str, wagers: dict[str, int], who: str
) -> None:
    expected = table_says(game, wagers)
    with pytest.raises(UpcardError) as caught:
        ASKED[who](game, wagers[BASE], ratios_of(wagers))
    assert str(caught.value) == expected


@pytest.mark.parametrize(("game", "wagers"), [case for case in REFUSED if len(case[1]) == 1])
def test_readings_refuse_in_the_words_of_the_table(game: str, wagers: dict[str, int]) -> None:
    with pytest.raises(UpcardError) as caught:
        price_readings(lambda settings: compiled(game, **settings), bet=wagers[BASE])
    assert str(caught.value) == table_says(game, wagers)


def with_options(wagers: dict[str, int]) -> list[str]:
    """Wagers of a seat as they are typed behind a verb."""
    bet = wagers[BASE]
    sides = [f"{wager}={amount}/{bet}" for wager, amount in wagers.items() if wager != BASE]
    return ["--bet", plain_dollars(bet), *(part for side in sides for part in ("--with", side))]


BOUNDS = [
    (TIE, {"base": 500, "tie-20": 500}, {"base": 500, "tie-20": 600}),
    (TIE, {"base": 500, "left-side": 500}, {"base": 500, "left-side": 1500}),
    (
        TIE,
        {"base": 1000, "tie-17": 500, "tie-18": 500},
        {"base": 1000, "tie-17": 500, "tie-18": 600},
    ),
    (PURE, {"base": 300, "match": 300}, {"base": 300, "match": 200}),
    (PURE, {"base": 300, "match": 20_000}, {"base": 300, "match": 20_100}),
    (PURE, {"base": 20_000, "match": 300}, {"base": 20_100, "match": 300}),
    (TWISTED, {"base": 500, "stud-bonus": 50_000}, {"base": 500, "stud-bonus": 50_100}),
    (TWISTED, {"base": 500, "stud-poker": 50_000}, {"base": 500, "stud-poker": 50_100}),
]
"""Games with side wagers: wagers that are just inside a bound, and the same just outside."""


@pytest.mark.parametrize(("game", "inside", "outside"), BOUNDS)
@pytest.mark.parametrize("verb", ["odds", "simulate"])
def test_side_wagers_have_the_bounds_of_the_table(
    game: str, inside: dict[str, int], outside: dict[str, int], verb: str
) -> None:
    more = ("--rounds", "100", "--policy", "mimic") if verb == "simulate" else ()
    arguments = (verb, game, *more)
    assert refusal(*arguments, *with_options(outside)) == table_says(game, outside)
    table_takes(game, inside)
    RoundVectorEnv(game, 2, bet=inside[BASE], wagers=ratios_of(inside))
    if verb == "simulate":  # Exact odds take no other way to their wagers, and longer.
        assert upcard(*arguments, *with_options(inside)).status == 0
    else:
        assert wagers_of(compiled(game), inside[BASE], ratios_of(inside)) == inside


@pytest.mark.parametrize("sizes", [(1, 3), (3, 1), (2, 2)])
def test_a_share_is_of_all_side_wagers_in_a_game_of_ones_own(
    tmp_path: Path, sizes: tuple[int, int]
) -> None:
    """Whichever games have `limits.bonus_share`, what is over it is over it for everybody."""
    path = shared_by_half(tmp_path)
    tables = tables_for(path)
    fits = {"base": 1000, "stud-poker": 100 * sizes[0], "stud-bonus": 100 * sizes[1]}
    above = fits | {"stud-poker": fits["stud-poker"] + 200}
    check_wagers(tables, fits)
    table_takes(path, fits)
    said = table_says(path, above)
    assert "all bonus wagers together are $6 and may not exceed 1/2 of the base wager" in said
    for verb in ("odds", "simulate"):
        rounds = ("--rounds", "100") if verb == "simulate" else ()
        assert refusal(verb, path, *rounds, *with_options(above)) == said
    with pytest.raises(UpcardError) as caught:
        RoundVectorEnv(path, 2, bet=above[BASE], wagers=ratios_of(above))
    assert str(caught.value) == said


def shared_by_half(folder: Path) -> str:
    """Twisted 21 with side wagers of half the base wager together."""
    text = files("upcard").joinpath("games", f"{TWISTED}.toml").read_text()
    changed = text.replace("[limits]\n", '[limits]\nbonus_share = "1/2"\n').replace(
        "[assumed]\n", '[assumed]\n"limits.bonus_share" = "A house of its own."\n'
    )
    assert changed.count("bonus_share") == 2
    (folder / "own.toml").write_text(changed)
    return str(folder / "own.toml")


VERBS = {
    "odds": (),
    "strategy": (),
    "readings": (),
    "simulate": ("--rounds", "100"),
    "hand": ("--cards", "9 6", "--up", "8"),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("game", "wagers"), [case for case in REFUSED if len(case[1]) == 1])
def test_every_verb_refuses_in_the_words_of_the_table(
    game: str, wagers: dict[str, int], verb: str
) -> None:
    said = refusal(verb, game, *VERBS[verb], "--bet", plain_dollars(wagers[BASE]))
    assert said == table_says(game, wagers)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("amount", ["9" * 20, "9" * 200, f"{10**30}c"])
def test_every_verb_has_one_sentence_for_too_much(verb: str, amount: str) -> None:
    assert refusal(verb, "blackjack", *VERBS[verb], "--bet", amount) == TOO_MUCH


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "blackjack", "--chips"),
        ("bank", PURE, "--seat", "base=10", "--bank"),
        ("simulate", PURE, "--rounds", "100", "--bank"),
        ("simulate", "blackjack", "--rounds", "100", "--session", "10", "--bankroll"),
    ],
)
def test_every_amount_has_the_same_words(arguments: tuple[str, ...]) -> None:
    assert refusal(*arguments, "9" * 30) == TOO_MUCH
    assert refusal(*arguments, "-5") == "an amount is $0 or more, not -$5"
    done = upcard(*arguments, "much")
    assert (done.status, done.out) == (2, "")
    assert '"much" is not an amount' in done.err


@pytest.mark.parametrize(
    ("verb", "options"),
    [
        ("odds", ["--bet"]),
        ("hand", ["--bet"]),
        ("strategy", ["--bet"]),
        ("readings", ["--bet", "--seat", "--bank"]),
        ("play", ["--chips"]),
        ("bank", ["--seat", "--bank"]),
        ("simulate", ["--bet", "--bank", "--bankroll"]),
    ],
)
def test_the_help_says_what_an_amount_is(verb: str, options: list[str]) -> None:
    text = " ".join(upcard(verb, "--help").out.replace("│", " ").split())
    assert text.count("dollars (25, $25, 25.00) or cents (2500c)") == len(options) + 1, "and --set"
    assert "CENTS" not in text


@pytest.mark.parametrize("bet", [500.0, True, "500"])
def test_a_library_takes_whole_cents_only(bet: Any) -> None:
    with pytest.raises(UpcardError, match="a base wager is a whole number of cents, not"):
        wagers_of(compiled("blackjack"), bet)


def test_the_smallest_wagers_that_the_table_takes() -> None:
    assert usual_bet(compiled("blackjack")) == 500
    assert wagers_of(compiled("blackjack")) == {"base": 500}
    assert wagers_of(compiled(PURE), None, {"match": 0.25}) == {"base": 1200, "match": 300}
    assert wagers_of(compiled(PURE), None, {"match": 2}) == {"base": 300, "match": 600}
    assert wagers_of(compiled(TIE), None, {"tie-20": 1 / 3, "tie-21": 0.5}) == {
        "base": 600,
        "tie-20": 200,
        "tie-21": 300,
    }


def test_what_fits_no_base_wager_is_refused_with_the_reason() -> None:
    with pytest.raises(UpcardError) as caught:
        wagers_of(compiled(PURE), None, {"match": 0.001})
    assert str(caught.value) == (
        "no base wager takes match=0.001 beside it: with $3,000, "
        "a base wager of $3,000 is above the maximum of $200 [PS-D11, PS-M5]"
    )


def test_too_much_is_refused_where_there_is_no_maximum() -> None:
    table = Table("blackjack")
    assert TOO_MUCH in table.refused(cm.BuyIn(player="Ann", amount=10**12))
    with pytest.raises(UpcardError, match="above the maximum"):
        check_wagers(compiled("blackjack"), {"base": 10**30})


def test_a_chart_of_play_for_dollars_is_not_one_for_cents() -> None:
    """`--bet 5` once meant five cents, which chips round away."""
    found = upcard("odds", "blackjack", "--bet", "5", "--json").data
    assert found["bet"] == 500
    assert found["wagers"]["base"]["edge"] == pytest.approx(0.003303, abs=5e-7)
