"""Charts from files: what `upcard strategy` writes plays as it was solved; what people write."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from conftest import compiled
from depth import deep
from shell import upcard
from upcard import GAME_IDS, GameTables
from upcard.compile.bets import usual_bet
from upcard.compile.context import Action, Context, Origin
from upcard.errors import UpcardError
from upcard.round.kernel_types import Bytes
from upcard.round.policy import ChartPlay, ChartSpot, Moves, by_state, twins
from upcard.round.setup import TableSetup
from upcard.simulate.chart_file import first_hands, load_chart
from upcard.simulate.figures import Figures
from upcard.simulate.job import Job
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import BasicPlay
from upcard.solve.chart_drawing import Drawing
from upcard.solve.odds import Solver

BLACKJACK = "blackjack"
STICKS = "ten-sticks-21"
SPANISH = "pure-spanish-21.5"
VARIANTS = [
    *((game, ()) for game in GAME_IDS),
    (BLACKJACK, (("surrender", "early"),)),
    (BLACKJACK, (("surrender", "both"), ("peek", "ace"), ("surrender_after_split", "true"))),
    (BLACKJACK, (("split", "rank"), ("charlie", "5"))),
    (STICKS, (("trade", "false"),)),
]
UPS = "23456789TA"

Rows = list[dict[str, str]]
Settings = tuple[tuple[str, str], ...]


@cache
def written(game: str, settings: Settings = ()) -> tuple[str, str]:
    """A game's chart as the command line writes it: CSV and JSON."""
    sets = [word for name, value in settings for word in ("--set", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chart.csv"
        done = upcard("strategy", game, *sets, "-o", str(file), "--json")
        assert done.status == 0, done.err
        return file.read_text("utf-8"), done.out


@cache
def solved(game: str, settings: Settings = ()) -> tuple[Solver, BasicPlay, float]:
    tables = compiled(game, **dict(settings))
    solver = Solver(BaseGame(tables), "CDP")
    basic, play = solver.basic(solver.optimal(usual_bet(tables), {}))
    return solver, play, solver.base_ev(basic)


@dataclass(frozen=True)
class Solved:
    """The solver's basic play itself."""

    play: BasicPlay
    twin: dict[int, int]
    name: str = "basic"

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        own = state if context.origin == "initial" else self.twin.get(state, state)
        return self.play.best(up, own, legal, context.level, marker=context.marker)

    def early(self, state: int, up: int, legal: int) -> int:
        if legal & Action.TRADE.bit:
            return Action.TRADE if self.play.leaning[up][state] > 0 else Action.KEEP
        return Action.SURRENDER if self.play.leaning[up][state] > 0 else Action.DECLINE


@pytest.mark.parametrize(("game", "settings"), VARIANTS)
@pytest.mark.parametrize("suffix", [".csv", pytest.param(".json", marks=deep)])
def test_a_written_chart_is_the_basic_play_in_every_decision(
    game: str, settings: Settings, suffix: str, tmp_path: Path
) -> None:
    tables = compiled(game, **dict(settings))
    file = tmp_path / f"chart{suffix}"
    file.write_text(written(game, settings)[suffix == ".json"], encoding="utf-8")
    chart = load_chart(file, tables)
    solver, play, _ = solved(game, settings)
    drawing = Drawing(solver.game, play)
    cells = 0
    for section in drawing.sections():
        for row in section.rows:
            for up, cell in row.cells.items():
                symbol = tables.dealer.shown.index(up)
                place = ChartSpot(row.state, section.doubles, symbol, section.marker)
                early = cell.before_check
                assert (chart.before if early else chart.rankings)[place] == cell.ranking
                cells += 1
    assert cells == len(written(game, settings)[0].splitlines()) - 1
    moves = by_state(tables, chart)
    exact = by_state(tables, Solved(play, twins(tables)))
    differs = np.not_equal(unpacked(tables, moves), unpacked(tables, exact))
    if moves.early is not None and moves.early.trades:
        # A first bonus card is decided before the check, and in no turn without a split.
        pending = [state for state in first_hands(tables) if tables.hands.pending[state]]
        differs[:, tables.contexts.index()][..., pending] = False
    assert not differs.any()
    assert (moves.early is None) == (exact.early is None)
    if moves.early is not None and exact.early is not None:
        shape = (len(tables.alphabet), len(tables.hands))
        own, solution = (part.action.reshape(shape) for part in (moves.early, exact.early))
        # Only hands that can come up before the check were solved.
        first = sorted(first_hands(tables))
        assert np.array_equal(own[:, first], solution[:, first])


def unpacked(tables: GameTables, moves: Moves) -> Bytes:
    """A policy's actions by role, context, up card and state."""
    rows = moves.play.action.reshape(-1, len(tables.alphabet), moves.play.nodes)
    found: Bytes = rows[moves.play.row_of[0].astype(np.int64)]
    return found


def test_early_surrender_comes_before_the_check_and_late_in_the_turn(tmp_path: Path) -> None:
    early = (("surrender", "early"),)
    tables = compiled(BLACKJACK, surrender="early")
    file = tmp_path / "early.csv"
    file.write_text(written(BLACKJACK, early)[0])
    chart = load_chart(file, tables)
    ten = tables.alphabet.index("T")
    state = tables.hands.after(tables.alphabet.index("9"), tables.alphabet.index("7"))
    both = Action.SURRENDER.bit | Action.DECLINE.bit
    assert chart.early(state, ten, both) == Action.SURRENDER
    assert chart.early(tables.hands.after(9, 8), ten, both) == Action.DECLINE
    turn = tables.contexts.contexts[tables.contexts.index()]
    assert chart.act(state, turn, ten, Action.HIT.bit | Action.STAND.bit) == Action.HIT


def test_a_loaded_chart_is_worth_what_its_solution_is(tmp_path: Path) -> None:
    tables = compiled(BLACKJACK)
    file = tmp_path / "chart.json"
    file.write_text(written(BLACKJACK)[1])
    job = Job(
        TableSetup(tables, 1000), by_state(tables, load_chart(file, tables)), seed=5, short=True
    )
    found = Figures(job, job.play(0, 200, job.block_rounds)).wager(0)
    *_, exact = solved(BLACKJACK)
    assert found.stderr < 0.001
    assert abs(found.mean.z(exact) or 0.0) < 4


# ---------------------------------------------------------------------------- written by people


def hard(total: int, up: str) -> str:
    if total in (10, 11) and up not in "TA":
        return "double"
    if total < 12:
        return "hit"
    return "stand" if total > 16 or up in "23456" else "hit"


def soft(beside: str, up: str) -> str:
    if beside == "T":
        return "stand"
    if up in "56":
        return "double"
    return "hit" if beside in "23456" else "stand"


def plain_rows() -> Rows:
    """A simple chart for blackjack: hands, up cards and actions, no other column."""
    found: list[tuple[str, str, str]] = []
    for up in UPS:
        found += [(str(total), up, hard(total, up)) for total in range(4, 22)]
        found += [(f"A,{beside}", up, soft(beside, up)) for beside in "23456789T"]
        found += [(f"{card},{card}", up, "split") for card in UPS if card != "T"]
        found.append(("T,T", up, "stand"))
    return [dict(zip(("hand", "up", "action"), row, strict=True)) for row in found]


def bonus_rows() -> Rows:
    """What the chart needs besides for cards that may be traded."""
    totals = [*(str(total) for total in range(12, 22)), "20 (2 bonus cards)"]
    hands = [*totals, "soft 21"]
    action = {"20": "keep", "21": "keep", "soft 21": "keep", "20 (2 bonus cards)": "keep"}
    return [
        {"hand": hand, "up": up, "action": action.get(hand, "trade")}
        for hand in hands
        for up in UPS
    ]


def without(rows: Rows, **cells: str) -> Rows:
    """Rows but those with these cells."""
    return [row for row in rows if any(row[name] != text for name, text in cells.items())]


def as_csv(rows: Rows) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    lines = csv.DictWriter(text, columns, restval="")
    lines.writeheader()
    lines.writerows(rows)
    return text.getvalue()


def read(folder: Path, rows: Rows | str, tables: GameTables, name: str = "chart.csv") -> ChartPlay:
    text = rows if isinstance(rows, str) else as_csv(rows)
    (folder / name).write_text(text, encoding="utf-8")
    return load_chart(folder / name, tables)


def refused(folder: Path, rows: Rows | str, tables: GameTables, name: str = "chart.csv") -> str:
    with pytest.raises(UpcardError) as error:
        read(folder, rows, tables, name)
    assert "\n" not in str(error.value)
    return str(error.value).replace(str(folder / name), name)


class Play:
    """Asks the arrays of a chart what is done with cards."""

    def __init__(self, tables: GameTables, moves: Moves) -> None:
        self.tables = tables
        self.action = unpacked(tables, moves)

    def __call__(self, cards: str, up: str, hands: int = 1, doubles: int = 0) -> str:
        alphabet, contexts = self.tables.alphabet, self.tables.contexts
        state = self.tables.hands.after(*map(alphabet.index, cards.split()))
        context = contexts.index(
            origin=Origin.INITIAL if hands == 1 else Origin.SPLIT, hands=hands, doubles=doubles
        )
        return Action(int(self.action[0, context, alphabet.index(up), state])).text


def playing(tables: GameTables, chart: ChartPlay) -> Play:
    return Play(tables, by_state(tables, chart))


def test_a_chart_with_three_columns_holds_for_any_number_of_cards(tmp_path: Path) -> None:
    tables = compiled(BLACKJACK)
    play = playing(tables, read(tmp_path, plain_rows(), tables))
    assert play("9 7", "T") == play("9 5 2", "T") == "hit"
    assert play("9 7", "6") == play("9 5 2", "6") == "stand"
    assert play("A 7", "9") == play("A 3 4", "9") == "stand"


def test_what_is_not_allowed_falls_back_where_that_is_plain(tmp_path: Path) -> None:
    tables = compiled(BLACKJACK)
    play = playing(tables, read(tmp_path, plain_rows(), tables))
    assert [play("6 5", "6"), play("4 4 3", "6")] == ["double", "hit"]
    assert [play("A 6", "6"), play("A 3 3", "6")] == ["double", "hit"]
    assert [play("A 7", "6"), play("A 4 3", "6")] == ["double", "stand"]
    # Four hands are the most: then a pair is played by its total.
    assert [play("8 8", "T"), play("8 8", "T", hands=4)] == ["split", "hit"]
    assert [play("8 8", "6"), play("8 8", "6", hands=4)] == ["split", "stand"]
    assert [play("5 5", "6", hands=3), play("5 5", "6", hands=4)] == ["split", "double"]


def test_a_small_pair_without_a_row_for_its_total_is_hit(tmp_path: Path) -> None:
    tables = compiled(BLACKJACK)
    rows = [row for row in plain_rows() if row["hand"] != "4"]
    assert playing(tables, read(tmp_path, rows, tables))("2 2", "T", hands=4) == "hit"


def test_a_fallback_and_more_exact_rows_count(tmp_path: Path) -> None:
    tables = compiled(BLACKJACK)
    rows = [row for row in plain_rows() if (row["hand"], row["up"]) != ("16", "T")]
    rows += [
        {"hand": "16", "up": "T", "action": "surrender", "fallback": "stand"},
        {"hand": "16", "up": "9", "action": "stand", "cards": "3"},
        {"hand": "hard 15", "up": "9", "action": "surrender", "ranking": "surrender stand hit"},
    ]
    rows = [row for row in rows if (row["hand"], row["up"]) != ("15", "9")]
    play = playing(tables, read(tmp_path, rows, tables))
    assert [play("9 7", "T"), play("9 5 2", "T")] == ["surrender", "stand"]
    assert [play("9 7", "9"), play("9 5 2", "9")] == ["hit", "stand"]
    assert [play("9 6", "9"), play("9 4 2", "9")] == ["surrender", "stand"]


def test_a_ten_stands_for_all_cards_that_count_ten(tmp_path: Path) -> None:
    tables = compiled(BLACKJACK, split="rank")
    rows = plain_rows()
    rows += [
        {"hand": "K,K", "up": "6", "action": "split"},
        {"hand": "12", "up": "K", "action": "stand"},
    ]
    play = playing(tables, read(tmp_path, rows, tables))
    assert [play("9 7", up) for up in "TJQK"] == ["hit"] * 4
    assert [play("9 3", up) for up in "TJQK"] == ["hit", "hit", "hit", "stand"]
    assert [play(f"{card} {card}", "6") for card in "TJQK"] == ["stand"] * 3 + ["split"]


def test_bonus_cards_are_decided_before_the_check_and_later(tmp_path: Path) -> None:
    tables = compiled(STICKS)
    chart = read(tmp_path, plain_rows() + bonus_rows(), tables)
    star, six = tables.alphabet.index("T*"), tables.alphabet.index("6")
    both = Action.KEEP.bit | Action.TRADE.bit
    sixteen = tables.hands.after(six, star)
    assert chart.early(sixteen, star, both) == Action.TRADE
    assert chart.early(tables.hands.after(star, star), six, both) == Action.KEEP
    play = playing(tables, chart)
    assert play("5 2 T*", "T*") == "trade"
    assert play("5 2 T*", "T", hands=2, doubles=1) == "trade"


def test_a_surrender_is_early_where_the_dealer_checks(tmp_path: Path) -> None:
    tables = compiled(BLACKJACK, surrender="early")
    rows = [row for row in plain_rows() if row["hand"] != "16"]
    rows += [{"hand": "16", "up": up, "action": "surrender", "fallback": "hit"} for up in UPS]
    rows.append({"hand": "14", "up": "T", "action": "decline"})
    moves = by_state(tables, read(tmp_path, rows, tables))
    assert moves.early is not None
    early = moves.early.action.reshape(len(tables.alphabet), -1)
    of = tables.alphabet.index
    sixteen, fourteen = tables.hands.after(of("9"), of("7")), tables.hands.after(of("9"), of("5"))
    assert early[of("T"), sixteen] == Action.SURRENDER
    assert early[of("T"), fourteen] == Action.DECLINE
    play = Play(tables, moves)
    assert [play("9 7", up) for up in "T5"] == ["hit", "surrender"]


def test_a_doubled_hand_has_rows_of_its_own(tmp_path: Path) -> None:
    tables = compiled(SPANISH)
    rows = [row for row in plain_rows() if row["hand"] != "T,T"]
    rows += [{"hand": "C,C", "up": up, "action": "stand"} for up in UPS]
    missing = refused(tmp_path, rows, tables)
    assert ", doubled once, against " in missing
    for row in list(rows):
        if row["hand"].isdigit() or row["hand"].startswith("A,"):
            for doubles in "123":
                rows.append({**row, "action": "stand", "doubles": doubles})
    rows += [
        {"hand": "16", "up": "T", "action": "rescue", "section": "doubled-1-hard", "cards": "3"}
    ]
    play = playing(tables, read(tmp_path, rows, tables))
    assert [play("5 6 5", "C", doubles=n) for n in (0, 1, 2)] == ["hit", "rescue", "stand"]


# ------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("game", "leaves_out", "words"),
    [
        (BLACKJACK, {"hand": "16", "up": "T"}, "hard 16 of 2 cards against T"),
        (BLACKJACK, {"hand": "A,7", "up": "9"}, "soft 18 of 2 cards against 9"),
        (BLACKJACK, {"hand": "8,8", "up": "A"}, "8,8 against A"),
        (
            STICKS,
            {"hand": "17", "up": "5", "action": "trade"},
            "hard 17 of 2 cards with a bonus card",
        ),
        (
            STICKS,
            {"hand": "20 (2 bonus cards)", "up": "A"},
            "hard 20 of 2 cards with 2 bonus cards",
        ),
    ],
)
def test_a_hand_that_is_left_out_is_named(
    game: str, leaves_out: dict[str, str], words: str, tmp_path: Path
) -> None:
    rows = plain_rows() + (bonus_rows() if game == STICKS else [])
    read(tmp_path, rows, compiled(game))
    found = refused(tmp_path, without(rows, **leaves_out), compiled(game))
    assert found.startswith(f"chart.csv does not say what to do with {words}")


def test_a_hand_of_more_cards_that_is_left_out_is_named(tmp_path: Path) -> None:
    rows = without(plain_rows(), hand="16", up="T")
    rows.append({"hand": "16", "up": "T", "action": "hit", "cards": "2"})
    assert refused(tmp_path, rows, compiled(BLACKJACK)) == (
        "chart.csv does not say what to do with hard 16 of 3 or more cards against T"
    )


def test_a_hand_that_only_a_split_gives_is_named_as_such(tmp_path: Path) -> None:
    """An ace and a ten are a natural, but not after a split: then it is a 21 that is asked."""
    tables = compiled(BLACKJACK, split_aces="draw", hand_of_21="asks")
    rows = [row for row in plain_rows() if row["hand"] != "A,T"]
    rows += [{"hand": "A,T", "up": up, "action": "stand", "cards": "3"} for up in UPS]
    assert refused(tmp_path, rows, tables) == (
        "chart.csv does not say what to do with soft 21 of 2 cards after a split against 2"
    )


def test_a_surrender_needs_to_be_told_what_else(tmp_path: Path) -> None:
    rows = without(plain_rows(), hand="16", up="T")
    rows.append({"hand": "16", "up": "T", "action": "surrender"})
    assert refused(tmp_path, rows, compiled(BLACKJACK)) == (
        "chart.csv does not say what to do with hard 16 of 3 or more cards against T "
        "where it may not surrender"
    )


def test_every_decision_of_a_written_chart_is_needed(tmp_path: Path) -> None:
    """Without the rows of one state the chart does not load, if that state can come up."""
    tables = compiled(BLACKJACK)
    rows = list(csv.DictReader(io.StringIO(written(BLACKJACK)[0])))
    states = sorted({row["state"] for row in rows}, key=int)
    for state in states:
        # A hand after a split is played like the same cards without one.
        if int(state) in twins(tables):
            continue
        words = refused(tmp_path, [row for row in rows if row["state"] != state], tables)
        assert words.startswith("chart.csv does not say what to do with ")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"hand": "A,K"}, 'no hand of this game is called "A,K": write totals such as 16, '),
        ({"hand": "99"}, 'no hand of this game is called "99"'),
        ({"hand": ""}, 'no hand of this game is called ""'),
        ({"up": "1"}, '"1" is not an up card: those of this game are A, 2, 3, '),
        ({"up": ""}, '"" is not an up card'),
        (
            {"action": "fold"},
            '"fold" is not an action: those of this game are hit, stand, double, ',
        ),
        ({"action": "insure"}, '"insure" is not an action'),
        ({"action": "split"}, "split is never allowed with 16 against T"),
        ({"action": "redouble"}, "redouble is never allowed with 16 against T"),
        ({"action": "rescue", "doubles": "1"}, "rescue is never allowed with 16 against T"),
        ({"action": "trade"}, 'no hand "16" with a bonus card fits the other columns of this row'),
        ({"action": "surrender", "before_check": "true"}, "surrender is never allowed with 16"),
        ({"action": "decline"}, "decline is never allowed with 16 against T"),
        ({"action": "stand"}, "line 310 says otherwise for the same hand: hit, else stand"),
        ({"cards": "two"}, 'cards is a whole number, not "two"'),
        ({"cards": "9"}, 'no hand "16" of 9 cards fits the other columns of this row'),
        ({"soft": "yes"}, 'soft is true or false, not "yes"'),
        ({"soft": "true"}, 'no hand "16" fits the other columns of this row'),
        ({"total": "sixteen"}, 'a total is a number of points, not "sixteen"'),
        ({"total": "15"}, 'no hand "16" fits the other columns of this row'),
        ({"pair": "8"}, "line 331 says otherwise for the same hand: split"),
        ({"doubles": "2"}, "a hand is doubled 1 time at most in this game"),
        ({"fallback": "sit"}, '"sit" is not an action'),
        ({"ranking": "stand hit"}, "the ranking begins with stand, not with hit"),
        ({"state": "9999"}, "state 9999 of blackjack@1 is not 16: the chart is for another game"),
    ],
)
def test_a_wrong_row_is_refused_with_its_line(
    row: dict[str, str], words: str, tmp_path: Path
) -> None:
    rows = plain_rows()
    last = len(rows) + 2
    rows.append({"hand": "16", "up": "T", "action": "hit", **row})
    found = refused(tmp_path, rows, compiled(BLACKJACK))
    assert found.startswith(f"chart.csv, line {last}: {words}")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "chart.csv",
            "",
            'chart.csv is not a chart: it has no column "hand" of hand, up and action',
        ),
        ("chart.csv", "hand,up\n16,T\n", 'chart.csv is not a chart: it has no column "action"'),
        (
            "chart.csv",
            "hand,up,action,falback\n",
            'chart.csv: a chart has no column "falback"; did you mean "fallback"?',
        ),
        ("chart.csv", "hand,up,action,up\n", 'chart.csv: there are two columns "up"'),
        (
            "chart.csv",
            "hand,up,action\nA,7,T,stand\n",
            "chart.csv, line 2: a row has one value for each of the 3 columns; a hand such as",
        ),
        ("chart.csv", "hand,up,action\n16,T\n", "chart.csv, line 2: a row has one value for each"),
        ("chart.csv", 'hand,up,action\n"16"x,T,hit\n', "chart.csv, line 2: this is not CSV: "),
        ("chart.csv", "hand,up,action\n", "chart.csv does not say what to do with "),
        ("chart.json", "{", "chart.json is not a chart: it is not valid JSON"),
        (
            "chart.json",
            "[1]",
            'chart.json is not a chart: a chart in JSON is a table with "sections"',
        ),
        ("chart.json", '{"sections": []}', "chart.json: game: missing: a text"),
        ("chart.txt", "hand", "chart.txt: a chart is a file in .csv or .json"),
    ],
)
def test_what_is_no_chart_is_refused(name: str, text: str, words: str, tmp_path: Path) -> None:
    assert refused(tmp_path, text, compiled(BLACKJACK), name).startswith(words)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "none.csv"
    with pytest.raises(UpcardError, match=r"^there is no file .*none\.csv$"):
        load_chart(file, compiled(BLACKJACK))


def test_a_chart_of_other_rules_is_refused(tmp_path: Path) -> None:
    text, data = written(BLACKJACK)
    found = refused(tmp_path, data, compiled("twisted-21"), "chart.json")
    assert found == "chart.json is a chart of blackjack@1, not of twisted-21@2"
    found = refused(tmp_path, data, compiled(BLACKJACK, decks=1), "chart.json")
    assert found.startswith("chart.json is a chart of blackjack@1 with no settings (fingerprint ")
    assert ", not of blackjack@1 with decks=1 (fingerprint " in found
    # CSV has no fingerprint, but its states are others where hands are told apart otherwise.
    found = refused(tmp_path, text, compiled(BLACKJACK, split="rank"))
    assert "the chart is for another game or for other settings" in found
    assert found.startswith("chart.csv, line ")


def test_a_wrong_value_in_json_is_named_by_its_place(tmp_path: Path) -> None:
    data = json.loads(written(BLACKJACK)[1])
    data["sections"][0]["rows"][0]["actions"]["2"]["action"] = "fold"
    found = refused(tmp_path, json.dumps(data), compiled(BLACKJACK), "chart.json")
    assert found.startswith('chart.json: sections[1].rows[1].actions.2: "fold" is not an action')
    data["sections"][0]["rows"][0]["cards"] = "two"
    found = refused(tmp_path, json.dumps(data), compiled(BLACKJACK), "chart.json")
    assert found.startswith('chart.json: sections[1].rows[1].cards: "two" is not allowed here')
