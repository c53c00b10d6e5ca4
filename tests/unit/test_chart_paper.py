"""Charts on paper, charts of one's own with their prices, and play by the cards of a hand."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from conftest import compiled
from depth import deep
from shell import refusal, upcard
from upcard import GAME_IDS, game
from upcard.errors import UpcardError
from upcard.papers import document as doc
from upcard.papers.chart_paper import ChartSize, chart_paper
from upcard.papers.typesetting import typeset
from upcard.papers.web_page import web_page
from upcard.rules.head import contrast
from upcard.simulate.chart_file import load_chart
from upcard.solve.chart import Chart
from upcard.solve.chart_grid import CHANGED, CODES, NOTHING, chart_grids
from upcard.solve.chart_maker import ChartMaker
from upcard.trial.exact import Prices

SOONER = {
    "blackjack": {"decks": "1", "max_hands": "2"},
    "ten-sticks-21": {"decks": "1"},
    "blackjack-tie": {"decks": "1"},
    "games-of-chance-blackjack": {"max_hands": "2"},
}
INK, SMALL_INK = "#000000", "#333333"
READ_WITH_EASE = 4.5


@cache
def maker(name: str) -> ChartMaker:
    return ChartMaker(compiled(name, **SOONER.get(name, {})))


@cache
def chart(name: str) -> Chart:
    return maker(name).chart()


def tables_of(paper: doc.Paper) -> list[doc.PaperTable]:
    found: list[doc.PaperTable] = []
    for part in paper.parts:
        parts = [p for c in part.columns for p in c] if isinstance(part, doc.InColumns) else [part]
        found += [
            one
            for one in parts
            if isinstance(one, doc.PaperTable) and one.style is doc.TableStyle.CHART
        ]
    return found


@pytest.mark.parametrize("name", GAME_IDS)
def test_every_letter_is_explained(name: str) -> None:
    """Also those of two letters, in colours that are read with ease and in grey."""
    paper = chart_paper(chart(name))
    (legend,) = (part for part in paper.parts if isinstance(part, doc.Swatches))
    explained = {letters: (ground, words) for ground, letters, words in legend.items}
    notes = " ".join(part.text for part in paper.parts if isinstance(part, doc.Paragraph))
    assert tables_of(paper)
    for table in tables_of(paper):
        for _, *cells in table.rows:
            for cell in cells:
                assert isinstance(cell, doc.PaperCell)
                if cell.text == NOTHING:
                    assert f"{NOTHING} stands where" in notes
                else:
                    assert explained[cell.text][0] == cell.shade
                    assert explained[cell.text][1]
    assert paper.accent == (chart(name).tables.head.felt or doc.Paper.accent)
    assert contrast(paper.accent, "#ffffff") >= READ_WITH_EASE
    if any("for some cards" in words for _, words in explained.values()):
        assert "A small letter is for" in notes


def test_grounds_leave_letters_readable() -> None:
    for code in CODES.values():
        assert contrast(code.ground, INK) >= READ_WITH_EASE
        assert contrast(code.ground, SMALL_INK) >= READ_WITH_EASE


@pytest.mark.parametrize("name", ["blackjack", "pure-spanish-21.5", "free-bet"])
def test_cells_are_those_of_the_strategy_in_json(name: str) -> None:
    settings = [f"--set={key}={value}" for key, value in SOONER.get(name, {}).items()]
    data = upcard("strategy", name, *settings, "--costs", "--json").data
    grids = {grid.title: grid for grid in chart_grids(chart(name), costs=True)}
    checked = 0
    for section in data["sections"]:
        grid = grids[section["title"]]
        lines = {line.name: line for line in grid.lines}
        seen: set[str] = set()
        for row in sorted(section["rows"], key=lambda row: row["cards"]):
            if row["hand"] in seen or (section["doubles"] and row["cards"] == 2):
                continue
            seen.add(row["hand"])
            cells = dict(zip(grid.columns, lines[row["hand"]].cells, strict=True))
            for up, cell in row["actions"].items():
                letters = CODES[cell["action"]].letters
                assert re.fullmatch(f"{letters}[a-z]*", cells[up].letters), (row["hand"], up)
                assert cells[up].cost == pytest.approx(cell["cost"], abs=1e-12)
                checked += 1
        assert seen == lines.keys()
    assert checked > 200


def test_the_nearest_alternative_costs_what_its_value_lacks() -> None:
    """Of an ace and a nine, which are the only two cards that make a soft 20."""
    tables = compiled("blackjack", **SOONER["blackjack"])
    cell = chart("blackjack").cell("soft", "A,9", "6")
    values = game(tables).hand("As 9h", "6d").advise().actions
    best, second = sorted(values.values(), reverse=True)[:2]
    assert cell.cost == pytest.approx(best - second, abs=1e-9)
    costs = [c.cost for s in chart("blackjack").sections for r in s.rows for c in r.cells.values()]
    assert all(cost is None or cost >= 0 for cost in costs)


# ------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("size", ChartSize)
def test_every_format_comes_out(size: ChartSize) -> None:
    paper = chart_paper(chart("blackjack"), size=size, costs=size is ChartSize.PAGE)
    starts = {".pdf": b"%PDF-", ".png": b"\x89PNG", ".svg": b"<svg"}
    for ending, start in starts.items():
        (page,) = typeset(paper, ending)
        assert page.startswith(start)
    page_text = web_page(paper)
    assert 'class="chart"' in page_text
    assert "<script" not in page_text


def test_charts_are_written_by_the_ending(tmp_path: Path) -> None:
    arguments = ("strategy", "blackjack", "--set", "decks=1", "--set", "max_hands=2")
    for ending in ("pdf", "svg", "html"):
        done = upcard(*arguments, "-o", str(tmp_path / f"chart.{ending}"), "--size", "card")
        assert done.status == 0, done.err
        assert (tmp_path / f"chart.{ending}").stat().st_size > 3000
    done = upcard("strategy", "pure-spanish-21.5", "-o", f"{tmp_path}/card.png", "--size", "card")
    written = sorted(path.name for path in tmp_path.glob("card*.png"))
    assert written == ["card-1.png", "card-2.png", "card-3.png"]
    assert [line.split(": ")[1] for line in done.out.splitlines()] == [
        f"page {number} of 3" for number in (1, 2, 3)
    ]


def test_what_is_not_written(tmp_path: Path) -> None:
    assert ".html" in refusal("strategy", "blackjack", "-o", str(tmp_path / "chart.docx"))
    assert "--size is for charts on paper" in refusal("strategy", "blackjack", "--size", "card")
    empty = tmp_path / "none.txt"
    empty.write_text("# nothing\n")
    assert "no change in this file" in refusal("strategy", "blackjack", "--changes", str(empty))
    assert not [*tmp_path.glob("chart*")]


# ----------------------------------------------------------------------------------------- changes


def test_a_chart_without_a_real_change_is_worth_the_same() -> None:
    found = maker("blackjack").chart(changes=["hard 12 vs 2: hit", "8,8 vs T: split"])
    assert found.basic_ev == pytest.approx(chart("blackjack").basic_ev, abs=1e-15)
    assert all(change.cost == pytest.approx(0, abs=1e-15) for change in found.changes)


CHANGES = {
    "blackjack": ("hard 16 vs T: stand", "A,7 vs 9: stand", "8,8 vs A: hit", "hard 11 vs 2-5: hit"),
    "pure-spanish-21.5": ("doubled-1-hard 13-16 vs C: stand", "17 vs A: stand"),
    "twisted-21": ("hard 16 of 3 cards vs T: hit", "soft 18 vs 9: stand"),
    "free-bet": ("marker-hard 17 vs 7: stand", "9,9 vs 8: stand", "hard 10 vs A: hit"),
    "double-exposure": ("T,T vs 13-16: stand", "A,7 vs soft 17: hit"),
    "pontoon": ("hard 14 of 2 cards vs 4-6: hit",),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_price_is_that_of_playing_the_changed_chart(name: str, tmp_path: Path) -> None:
    """Written to a file and read as a policy, the chart has the same exact value."""
    file = _written(name, tmp_path)
    data = json.loads(file.read_text())
    tables = compiled(name, **SOONER.get(name, {}))
    prices = Prices(tables)
    priced = prices.of_play(prices.priced(load_chart(file, tables)))["base"].ev
    assert data["basic_ev"] == pytest.approx(priced, abs=1e-12)
    assert data["unchanged_ev"] == pytest.approx(chart(name).basic_ev, abs=1e-12)
    assert all(change["cost"] > 0 for change in data["changes"])


@deep
@pytest.mark.parametrize("name", ["blackjack", "pure-spanish-21.5", "free-bet", "pontoon"])
def test_the_price_is_that_of_simulated_rounds(name: str, tmp_path: Path) -> None:
    tables = compiled(name, **SOONER.get(name, {}))
    found = game(tables).simulate(2e7, policy=str(_written(name, tmp_path))).wagers["base"]
    exact = json.loads((tmp_path / "chart.json").read_text())["basic_ev"]
    assert abs(found.figures.ev - exact) < 4 * found.figures.stderr


def _written(name: str, folder: Path) -> Path:
    file = folder / "chart.json"
    settings = [f"--set={key}={value}" for key, value in SOONER.get(name, {}).items()]
    changes = [f"--change={change}" for change in CHANGES[name]]
    done = upcard("strategy", name, *settings, *changes, "-o", str(file))
    assert done.status == 0, done.err
    return file


def test_changes_against_different_cards_add_up() -> None:
    found = maker("blackjack").chart(changes=["hard 16 vs T: stand", "hard 12 vs 2: stand"])
    assert found.unchanged_ev is not None
    together = found.unchanged_ev - found.basic_ev
    assert together == pytest.approx(sum(change.cost for change in found.changes), abs=1e-14)
    marked = [
        (grid.title, line.name, column)
        for grid in chart_grids(found)
        for line in grid.lines
        for column, cell in zip(grid.columns, line.cells, strict=True)
        if cell.changed
    ]
    assert marked == [("Hard totals", "12", "2"), ("Hard totals", "16", "T")]
    assert found.cell("hard", "16", "T").was is not None
    assert any(CHANGED in cell.text for t in tables_of(chart_paper(found)) for cell in _cells(t))


def _cells(table: doc.PaperTable) -> list[doc.PaperCell]:
    return [cell for row in table.rows for cell in row if isinstance(cell, doc.PaperCell)]


def test_surrender_before_the_check_can_be_changed() -> None:
    own = ChartMaker(compiled("blackjack", decks="1", max_hands="2", surrender="early"))
    usual = own.chart().cell("hard", "16", "A")
    assert usual.before_check
    found = own.chart(changes=["hard 16 vs A: hit"])
    assert found.cell("hard", "16", "A").action.text == "hit"
    assert found.changes[0].cost > 0
    back = own.chart(changes=["hard 10 vs A: surrender"])
    assert back.cell("hard", "10", "A").before_check
    assert back.changes[0].cost > 0


def test_trades_can_be_changed() -> None:
    found = maker("ten-sticks-21").chart(changes=["trade-first 12-20 vs 2: keep"])
    assert found.cell("trade-first", "16", "2").action.text == "keep"
    assert found.changes[0].cost > 1e-4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("stand", "is not a change: write a hand, an up card and an action"),
        ("hard 16 vs T: fold", "is not an action of this chart"),
        ("hard 44 vs T: stand", "there is no row 44 under hard: its sections are"),
        ("hard 16 vs 1: stand", '"1" is nothing that the dealer shows here'),
        ("hard 16 of 9 cards vs T: stand", "no row 16 of 9 cards under hard"),
        ("hard 16 vs T: split", "split is never allowed there"),
    ],
)
def test_changes_that_are_refused(change: str, words: str) -> None:
    with pytest.raises(UpcardError, match=re.escape(words)):
        maker("blackjack").chart(changes=[change])


def test_changes_do_not_contradict_each_other(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="speak of the same hand"):
        maker("blackjack").chart(changes=["hard 16 vs T: stand", "hard 15-16 vs 9-T: hit"])
    file = tmp_path / "mine.txt"
    file.write_text("# never surrender\nhard 15-16 vs 9-A: hit   # whatever it costs\n")
    settings = ("--set", "decks=1", "--set", "max_hands=2")
    done = upcard("strategy", "blackjack", *settings, "--changes", str(file))
    assert "hard 15-16 vs 9-A: hit" in done.out
    assert "What the changes cost" in done.out


# -------------------------------------------------------------------------------------- deviations


@pytest.mark.parametrize("name", ["blackjack", "twisted-21", "pure-spanish-21.5", "ten-sticks-21"])
def test_gains_of_deviations_add_up_to_what_the_best_play_is_worth_more(name: str) -> None:
    found = maker(name).chart(deviations=True)
    deviations = found.deviations
    assert deviations is not None
    assert deviations.total == pytest.approx(found.ev - found.basic_ev, abs=1e-15)
    assert deviations.hands
    assert deviations.rest == pytest.approx(0.0, abs=1e-9)
    assert all(one.gain > 0 and one.chart is not one.better for one in deviations.hands)
    first = {(d.cards, d.up): d.gain for d in deviations.hands if d.cards.count(",") == 1}
    for known in found.differences:
        if not known.cards.count("*"):
            assert first[known.cards, known.up] == pytest.approx(known.gain, abs=1e-12)


def test_deviations_in_words_and_in_json() -> None:
    arguments = ("strategy", "blackjack", "--set", "decks=1", "--set", "max_hands=2")
    data = upcard(*arguments, "--deviations", "--json").data["deviations"]
    together = data["hands_gain"] + data["splits_gain"] + data["rest"]
    assert together == pytest.approx(data["total"], abs=1e-15)
    text = upcard(*arguments, "--deviations").out
    assert "Hands that the best play plays otherwise" in text
    assert "all that the best play is worth more" in text
    paper = chart_paper(maker("blackjack").chart(deviations=True, changes=["hard 16 vs T: stand"]))
    titles = [part.title for part in paper.parts if isinstance(part, doc.PaperSection)]
    assert titles == ["What the changes cost", "Hands that the best play plays otherwise"]
    assert typeset(paper, ".pdf")[0].startswith(b"%PDF")


@deep
def test_two_boxes_are_priced_with_the_best_exchange() -> None:
    own = ChartMaker(compiled("blackjack-switch"))
    found = own.chart(changes=["hard 12 vs 6: hit"])
    assert found.unchanged_ev is not None
    assert own.both is not None
    assert found.unchanged_ev == pytest.approx(own.both.with_basic.ev, abs=1e-15)
    assert found.changes[0].cost > 0
    assert found.exchange is not None
    assert found.exchange.ev == pytest.approx(found.basic_ev, abs=1e-15)
