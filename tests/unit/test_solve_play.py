"""Best play, basic play, single hands, lights, and bad input."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from upcard import tables_for
from upcard.cards import Card
from upcard.compile.bets import usual_bet, wagers_of
from upcard.compile.context import Action
from upcard.compile.effects import NO_CLASS
from upcard.errors import UpcardError
from upcard.solve import hands_and_shoes
from upcard.solve.advice import advise
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay, solve_basic
from upcard.solve.lights import LongRun, lights_aim, long_run, prize_value, stay
from upcard.solve.odds import Solver, odds
from upcard.solve.solution import Aim, Solution

LIGHT = 5000 / 10 / 500


def cards(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


def test_basic_play_gives_little_away() -> None:
    game = BaseGame(tables_for("blackjack", {"decks": "1"}))
    optimal = game.solve(Aim(bet=500), mode="CDZ-")
    basic, _ = solve_basic(game, optimal)
    assert 0 < optimal.ev - basic.ev < 5e-4


def test_basic_play_is_best_where_cards_do_not_matter() -> None:
    game = BaseGame(tables_for("blackjack"), endless=True)
    optimal = game.solve(Aim(bet=500), mode="CDZ-")
    basic, _ = solve_basic(game, optimal)
    assert basic.ev == pytest.approx(optimal.ev, abs=1e-12)


def test_best_play_is_at_least_as_good_up_card_by_up_card() -> None:
    game = BaseGame(tables_for("games-of-chance-blackjack", {"surrender": "early", "decks": "2"}))
    optimal = game.solve(Aim(bet=200), mode="CDZ-")
    basic, _ = solve_basic(game, optimal)
    for up, found in optimal.ups.items():
        assert basic.ups[up].ev <= found.ev + 1e-12


def test_splits_help() -> None:
    game = BaseGame(tables_for("blackjack"))
    values = {mode: game.solve(Aim(bet=500), mode=mode).ev for mode in ("none", "CDZ-", "CDP")}
    assert values["none"] < values["CDZ-"] < values["CDP"]


@pytest.mark.parametrize("wager", ["tie-17", "tie-21", "left-side"])
def test_play_adapts_to_riding_wagers(wager: str) -> None:
    tables = tables_for("blackjack-tie")
    found = odds(tables, ratios={wager: 0.5}).combined
    assert found is not None
    assert found.adapted.ev > found.ordinary.ev
    assert found.adapted.wagers["base"] < found.ordinary.wagers["base"]
    assert found.adapted.wagers[wager] > found.ordinary.wagers[wager]
    assert found.adapted.edge == pytest.approx(-found.adapted.ev / 1.5)


@pytest.mark.parametrize(
    ("ratios", "says"),
    [
        ({"tie-17": 0.6, "tie-18": 0.5}, r"may not exceed the base wager of \$\d+ \[BT-5\]"),
        ({"tie-16": 0.5}, 'no side wager "tie-16"'),
        ({"tie-17": 0}, "above 0"),
        ({"tie-17": float("nan")}, "above 0"),
        ({"base": 1}, 'no side wager "base"'),
    ],
)
def test_illegal_riders(ratios: dict[str, float], says: str) -> None:
    with pytest.raises(UpcardError, match=says):
        wagers_of(tables_for("blackjack-tie"), None, ratios)


def test_sixteen_against_a_ten() -> None:
    """One deck, ten and six: published to six places."""
    found = advise(tables_for("blackjack", {"decks": "1"}), cards("Ts 6d"), Card.parse("Th"))
    values = {action.text: round(value, 6) for action, value in found.actions.items()}
    assert values["stand"] == -0.542952
    assert values["hit"] == -0.506929
    assert found.best.text == "surrender"
    assert not found.before_check


def test_cards_out_of_the_shoe_count() -> None:
    tables = tables_for("blackjack", {"surrender": "none"})
    up = Card.parse("Th")
    before = advise(tables, cards("Ts 6d"), up)
    fives = cards("5s 5h 5d 5c") * 6
    after = advise(tables, cards("Ts 6d"), up, removed=fives)
    assert before.best.text == "hit"
    assert after.best.text == "stand"


def test_before_the_check() -> None:
    """With early surrender all values hold before the check, so they can be compared."""
    late = advise(tables_for("blackjack"), cards("Ts 6d"), Card.parse("As"))
    early = advise(
        tables_for("blackjack", {"surrender": "early"}), cards("Ts 6d"), Card.parse("As")
    )
    assert (late.before_check, early.before_check) == (False, True)
    actions = {action.text: value for action, value in early.actions.items()}
    hit = next(value for action, value in late.actions.items() if action.text == "hit")
    assert actions["surrender"] == pytest.approx(-0.5, abs=1e-12)
    assert actions["hit"] == pytest.approx(-early.natural + (1 - early.natural) * hit, abs=1e-12)
    assert early.insurance == pytest.approx(3 * early.natural - 1, abs=1e-12)


def test_keep_or_trade() -> None:
    tables = tables_for("ten-sticks-21", {"decks": "2"})
    found = advise(tables, cards("Tc 6d"), Card.parse("9h"), bet=500)
    assert [action.text for action in found.actions] == ["trade", "keep"]
    poor = advise(tables, cards("Tc 9d"), Card.parse("6h"), bet=50000)
    assert [action.text for action in poor.actions] == ["keep", "trade"]


def test_after_doubling() -> None:
    tables = tables_for("pure-spanish-21.5")
    found = advise(tables, cards("5s 6d 2c"), Card.parse("9h"), doubles=1)
    assert {action.text for action in found.actions} == {"stand", "rescue", "redouble"}
    third = advise(tables, cards("2s 3d 2c 4s 5d"), Card.parse("9h"), doubles=3)
    assert {action.text for action in third.actions} == {"stand", "rescue"}


@pytest.mark.parametrize(
    ("game", "hand", "up", "says"),
    [
        (
            "twisted-21",
            "As Ad Ah Ac",
            "As",
            "aces come 5 times, and the shoe of 1 deck has 4 of them",
        ),
        ("blackjack", "Ts", "9h", "at least 2 cards"),
        ("blackjack", "Ts Kd 5c", "9h", "over"),
        ("pure-spanish-21.5", "Ts 6d", "9h", "dealt without tens"),
    ],
)
def test_impossible_hands(game: str, hand: str, up: str, says: str) -> None:
    with pytest.raises(UpcardError, match=says):
        advise(tables_for(game), cards(hand), Card.parse(up))


def test_shoe_too_small() -> None:
    tables = tables_for("blackjack", {"decks": "1"})
    deck = [Card(rank, suit) for rank in "A23456789TJQK" for suit in "shdc"]
    gone = [card for card in deck if str(card) not in ("2s", "2d", "3h", "4c", "5s")]
    with pytest.raises(UpcardError, match="too small"):
        advise(tables, cards("2s 2d"), Card.parse("3h"), removed=gone)


def test_bets_the_table_takes() -> None:
    chance = tables_for("games-of-chance-blackjack")
    assert usual_bet(chance) == 200
    with pytest.raises(UpcardError, match=r"a base wager is \$2 or \$4, not \$3 \[GC-AMT\]"):
        odds(chance, bet=300)
    with pytest.raises(UpcardError, match="not a positive multiple"):
        odds(tables_for("blackjack"), bet=-5)


@pytest.fixture(scope="module")
def sticks() -> tuple[BaseGame, Solution, LongRun]:
    game = BaseGame(tables_for("ten-sticks-21", {"decks": "2"}))
    solution = game.solve(lights_aim(game, 500))
    return game, solution, long_run(game, solution, solution)


@pytest.fixture(scope="module")
def one_deck() -> tuple[BaseGame, Solution]:
    """The same with one bonus card, for what is solved many times over."""
    game = BaseGame(tables_for("ten-sticks-21", {"decks": "1"}))
    return game, game.solve(lights_aim(game, 500))


def test_long_run(sticks: tuple[BaseGame, Solution, LongRun]) -> None:
    _, solution, found = sticks
    assert found.light == LIGHT
    assert found.ev == pytest.approx(solution.ev, abs=1e-9)
    assert found.ev == pytest.approx(found.base_ev + found.light * found.per_round, abs=1e-9)
    assert found.rounds_to_prize == pytest.approx(10 / found.per_round)


def test_the_fair_prize_is_fair(sticks: tuple[BaseGame, Solution, LongRun]) -> None:
    game, _, found = sticks
    aim = Aim(bet=500, lights=(found.break_even_prize / 10 / 500,))
    assert game.solve(aim).ev == pytest.approx(0, abs=1e-8)


def test_a_long_stay_is_the_long_run(one_deck: tuple[BaseGame, Solution]) -> None:
    game, solution = one_deck
    endless = long_run(game, solution, solution)
    long = stay(game, solution, 1e6)
    short = stay(game, solution, 50)
    assert long.ev == pytest.approx(endless.ev, abs=2e-4)
    assert short.ev < long.ev
    assert list(short.light_by_lit) == sorted(short.light_by_lit)
    assert short.light_by_lit[0] < LIGHT < short.light_by_lit[9]


def test_a_stay_of_one_round(one_deck: tuple[BaseGame, Solution]) -> None:
    """Lights are worth nothing to somebody who leaves at once, but for the tenth."""
    game, solution = one_deck
    found = stay(game, solution, 1)
    assert found.light_by_lit[:9] == pytest.approx((0.0,) * 9, abs=1e-12)
    assert found.light_by_lit[9] == pytest.approx(10.0, abs=1e-12)
    assert found.ev == pytest.approx(game.solve(Aim(bet=500)).ev, abs=1e-6)


def test_too_short_a_stay(one_deck: tuple[BaseGame, Solution]) -> None:
    game, solution = one_deck
    with pytest.raises(UpcardError, match="at least 1 round"):
        stay(game, solution, 0.5)


def test_lights_without_trading() -> None:
    """Every playable bonus card gives a light, and nothing is decided by it."""
    game = BaseGame(tables_for("ten-sticks-21", {"trade": "false"}))
    plain = BaseGame(tables_for("blackjack", {"surrender_after_split": "true"}))
    with_lights = game.solve(lights_aim(game, 500))
    without = plain.solve(Aim(bet=500))
    found = long_run(game, with_lights, with_lights)
    assert found.ev == pytest.approx(found.base_ev + found.per_round * LIGHT, abs=1e-9)
    assert found.base_ev < without.ev
    assert found.ev > without.ev
    assert game.solve(Aim(bet=500)).ev == pytest.approx(without.ev, abs=1e-12)


def test_trades_that_are_left_out_hardly_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four decks have four bonus cards: all of them in one split against the first three."""
    tables = tables_for("ten-sticks-21", {"decks": "4"})
    game = BaseGame(tables)
    aim = lights_aim(game, 500)
    solution = game.solve(aim, mode="CDZ-")
    method = Solver(game, "CDZ-").method(solution)
    assert method == "exact, splits CDZ- (trades of a split after the first 3 left out)"
    monkeypatch.setattr(hands_and_shoes, "MOST_TRADES_SPLIT", 4)
    assert 0 < BaseGame(tables).solve(aim, mode="CDZ-").ev - solution.ev < 2e-8


def test_lost_surplus_costs_a_little(sticks: tuple[BaseGame, Solution, LongRun]) -> None:
    _, solution, endless = sticks
    lost = BaseGame(tables_for("ten-sticks-21", {"decks": "2", "light_surplus": "lost"}))
    value = prize_value(lost, lost.solve(solution.aim))
    assert 0 < endless.ev - value < 0.001


def test_payoffs_in_chips() -> None:
    """With one-dollar chips a natural of $5 pays $7, rounded down: half a dollar less."""
    tables = tables_for("blackjack", {"chip": "100", "surrender": "none", "max_hands": "1"})
    exact = tables_for("blackjack", {"surrender": "none", "max_hands": "1"})
    naturals = 2 * 24 * 96 / (312 * 311) * (1 - 2 * 23 * 95 / (310 * 309))
    lost = BaseGame(exact).solve(Aim(bet=500)).ev - BaseGame(tables).solve(Aim(bet=500)).ev
    assert lost == pytest.approx(0.1 * naturals, abs=1e-9)


def test_community_cards_help_who_sees_them() -> None:
    """Two known cards of a single deck are worth something, and less than a tenth of a per cent."""
    settings = {"stud_bonus": "seven-card", "community_cards": "seen"}
    seen = Solver(BaseGame(tables_for("twisted-21", settings)), "CDP")
    hidden = Solver(BaseGame(tables_for("twisted-21", {"stud_bonus": "seven-card"})), "CDP")
    solution = seen.optimal(500)
    assert solution.ev == hidden.optimal(500).ev
    assert 0 < seen.base_ev(solution) - hidden.base_ev(hidden.optimal(500)) < 0.001


def test_cards_nobody_looks_at_change_nothing() -> None:
    """Removing an unseen card, averaged over all of them, gives the full deck's value."""
    game = BaseGame(tables_for("twisted-21"))
    _, basic = solve_basic(game, game.solve(Aim(bet=500)))
    total = 0.0
    for card in range(len(game.counts)):
        fewer = BaseGame(game.tables, removed=[card])
        share = game.counts[card] / game.counts.sum()
        total += share * sum(chance * ev for _, chance, ev in _followed(fewer, basic))
    exact = sum(chance * ev for _, chance, ev in _followed(game, basic))
    assert total == pytest.approx(exact, abs=1e-12)


def _followed(game: BaseGame, play: BasicPlay) -> Iterator[tuple[int, float, float]]:
    """Up cards with the value of a given basic play on another shoe."""
    aim = Aim(bet=500)
    roles = game.pay(aim)
    for up in range(len(game.counts)):
        played = game.backward(
            game.graph,
            game.shoes,
            game.contexts,
            up,
            roles.first,
            aim,
            scores=play.scores[up],
            twin=game.graph.state,
        )
        found = game.price(up, aim, roles, {}, played, play.leaning[up])
        yield up, found.chance, found.ev


@pytest.fixture(scope="module")
def eight_decks() -> tuple[BaseGame, Solution]:
    game = BaseGame(tables_for("ten-sticks-21", {"decks": "8"}))
    return game, game.solve(lights_aim(game, 500))


def test_endless_trading_ends(eight_decks: tuple[BaseGame, Solution]) -> None:
    """In an endless shoe a bonus card can replace a bonus card for ever."""
    game = BaseGame(tables_for("ten-sticks-21"), endless=True)
    optimal = game.solve(lights_aim(game, 500))
    basic, _ = solve_basic(game, optimal)
    _, eight = eight_decks
    assert eight.aim == optimal.aim
    assert optimal.ev == pytest.approx(eight.ev, abs=0.001)
    assert 0 <= optimal.ev - basic.ev < 5e-5


def test_basic_play_with_more_bonus_cards_than_play_trades(
    eight_decks: tuple[BaseGame, Solution],
) -> None:
    game, optimal = eight_decks
    basic, _ = solve_basic(game, optimal)
    assert 0 < optimal.ev - basic.ev < 5e-5


def test_first_hands_are_all_there_is() -> None:
    for endless in (False, True):
        base = odds(tables_for("blackjack"), endless=endless).base
        hands = base.by_first_hand
        assert sum(hand.chance for hand in hands) == pytest.approx(1, abs=1e-12)
        whole = sum(hand.chance * hand.ev for hand in hands)
        assert whole == pytest.approx(base.ev, abs=1e-12)


def test_only_the_first_hand_chases_a_tie() -> None:
    """Eights against a ten are split for the primary wager, whatever rides on the first hand."""
    game = BaseGame(tables_for("blackjack-tie"))
    optimal = game.solve(Aim(bet=500, extra={"tie-20": 1.0}))
    basic, _ = solve_basic(game, optimal)
    assert 0 < optimal.ev - basic.ev < 0.002


def test_effects_that_no_odds_are_worked_out_for_are_refused() -> None:
    tables = tables_for("blackjack")
    draws = tables.effects.draws.copy()
    draws[Action.DOUBLE] = 2
    ends_as = tables.effects.ends_as.copy()
    ends_as[Action.SURRENDER] = NO_CLASS
    for change in ({"draws": draws}, {"ends_as": ends_as}):
        with pytest.raises(UpcardError, match="odds are worked out for actions that"):
            BaseGame(replace(tables, effects=replace(tables.effects, **change)))


def test_endless_shoe() -> None:
    """The oracle's figure: `tests/oracle/test_odds_oracle.py` works it out in fractions."""
    tables = tables_for("blackjack", {"surrender": "none"})
    solution = BaseGame(tables, endless=True).solve(Aim(bet=500))
    assert f"{100 * solution.ev:.6f}" == "-0.511734"


def test_standard_deviation() -> None:
    """One dealer's hand for all hands of a split; `test_trial` simulates the same figure."""
    found = odds(tables_for("blackjack", {"surrender": "none"})).wagers["base"]
    assert found.sd == pytest.approx(1.154, abs=0.0006)
    assert 0 < found.error < 2e-4
