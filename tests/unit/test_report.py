"""The mathematical report: every figure in it is one that its own commands print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shell import refusal, upcard
from upcard import GAME_IDS, GameTables, tables_for
from upcard.pages.figures import percent
from upcard.papers import document as doc
from upcard.papers.report.cells import money, number, share, short_share
from upcard.papers.report.gathering import Asked, Figures, gather
from upcard.papers.report.writing import report_paper
from upcard.papers.typesetting import typeset
from upcard.papers.web_page import web_page

FEW = 2000
"""Rounds of the simulation: figures are compared, not judged."""
SMALL = Asked(game="single-deck-6-5", settings={}, rounds=FEW)
FIGURE = re.compile(r"[+-]?\$?\d[\d,]*\.\d+(?:e[+-]\d+)?%?")
"""Whatever is printed with digits behind the point."""
NOT_FIGURES = ("Source", "In force", "Software")
OF_THE_GAME = {"Effects of options": 2, "Effects of readings": 1}
"""The first columns of tables that are the game's own words."""


@pytest.fixture(scope="module")
def small() -> Figures:
    return gather(SMALL)


def parts_of(parts: Iterable[doc.Part]) -> Iterator[doc.Part]:
    for part in parts:
        yield part
        if isinstance(part, doc.PaperSection | doc.SideBySide):
            yield from parts_of(part.parts)


def section(paper: doc.Paper, title: str) -> doc.PaperSection:
    for part in parts_of(paper.parts):
        if isinstance(part, doc.PaperSection) and part.title == title:
            return part
    raise KeyError(title)


def tables_in(section: doc.PaperSection) -> list[doc.PaperTable]:
    return [part for part in parts_of(section.parts) if isinstance(part, doc.PaperTable)]


def texts(row: Iterable[doc.PaperCell | str]) -> list[str]:
    return [cell if isinstance(cell, str) else cell.text for cell in row]


def words_of(paper: doc.Paper) -> Iterator[str]:
    """All that a report prints besides the rules, the values of options and readings, and its own
    commands.
    """
    for top in paper.parts:
        assert isinstance(top, doc.PaperSection)
        if top.title in ("Rules and assumptions", "How to repeat every figure"):
            continue
        for part in parts_of(top.parts):
            match part:
                case doc.Paragraph() | doc.Callout():
                    yield part.text
                case doc.Facts():
                    yield from (what for name, what in part.rows if name not in NOT_FIGURES)
                case doc.PaperTable():
                    skip = OF_THE_GAME.get(top.title, 0)
                    for row in part.rows:
                        yield from texts(row)[skip:]


def commands_in(paper: doc.Paper) -> list[str]:
    listing = section(paper, "How to repeat every figure").parts[1]
    assert isinstance(listing, doc.Listing)
    return [line for line in listing.text.splitlines() if not line.startswith("#")]


def output_of(command: str) -> Any:
    name, *arguments = shlex.split(command)
    assert name == "upcard"
    done = upcard(*arguments, "--json")
    assert (done.status, done.err) == (0, ""), command
    return done.data


def numbers_in(data: Any) -> Iterator[float]:
    if isinstance(data, dict):
        for value in data.values():
            yield from numbers_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from numbers_in(value)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield float(data)


def written(value: float) -> set[str]:
    """A figure in all the ways in which the report writes figures."""
    whole = f"{value:.1e}", f"{value:,.1f}", f"{value:.6f}", f"{value:+.6g}", f"{value:.2f}"
    dollars = f"{'-' if round(value, 1) < 0 else ''}${abs(value) / 100:.3f}"
    shares = percent(value), share(value), short_share(value)
    signs = f"{value:+.2f}", f"{abs(value):.2f}", f"{value:+.3f}", f"{value:+.4f}"
    return {*whole, *shares, *signs, dollars, number(value), money(value)}


def check_figures(paper: doc.Paper, tables: GameTables) -> int:
    """Every figure of a report is in the output of its commands, or a sum of figures that are.

    A game may have a number in its name, which is no figure.
    """
    known: set[str] = set()
    for command in commands_in(paper):
        data = output_of(command)
        for value in numbers_in(data):
            known |= written(value)
        if "base" in data:  # a distribution's rows, and their sums
            rows = data["base"]["distribution"]
            returns = [row["result"] * row["probability"] for row in rows]
            for value in (*returns, sum(returns), sum(row["probability"] for row in rows)):
                known |= written(value)
        for key in ("hands", "split", "return", "over_a_win"):  # and those of its bonuses
            known |= written(sum(row[key] for row in data.get("bonuses", ())))
        for wager in data.get("wagers", {}).values():
            if isinstance(wager, dict) and "returns" in wager:
                known |= written(sum(row["probability"] for row in wager["returns"]))
    found: list[str] = []
    for words in words_of(paper):
        found += FIGURE.findall(words.replace(tables.title, "").replace(tables.id, ""))
    wanted = {figure.rstrip(",.") for figure in found} - {"0.001%"}  # of the method's own words
    assert wanted <= known, sorted(wanted - known)
    return len(found)


# --------------------------------------------------------------------------------------- the tests


def test_every_figure_is_one_that_its_commands_print(small: Figures) -> None:
    assert check_figures(report_paper(small), small.tables) > 700


def test_tables_are_those_of_the_commands_row_by_row(small: Figures) -> None:
    paper = report_paper(small)
    odds = output_of(small.commands["odds"])
    rows = tables_in(section(paper, "Insurance"))[0].rows
    priced = odds["wagers"]["insurance"]
    assert [texts(row) for row in rows[:-1]] == [
        [
            row["event"],
            row["printed"],
            f"{row['combinations']:,}",
            share(row["probability"]),
            percent(row["return"]),
        ]
        for row in priced["returns"]
    ]
    assert texts(rows[-1])[-1] == percent(priced["ev"])
    (heat,) = tables_in(section(paper, "Results by first cards"))
    ups = [column.title for column in heat.columns][1:]
    shown = {
        (hand.replace(",", " "), up): figure
        for hand, *figures in map(texts, heat.rows)
        for up, figure in zip(ups, figures, strict=True)
    }
    assert shown == {
        (hand["cards"], hand["up"]): f"{hand['ev']:+.4f}" for hand in odds["base"]["by_first_hand"]
    }
    removal = output_of(small.commands["removal"])["wagers"]
    effects, fits = tables_in(section(paper, "Exposure to counting"))
    for card, _, *figures in map(texts, effects.rows):
        assert figures == [percent(wager["effects"][card]) for wager in removal.values()]
    for count, *figures in map(texts, fits.rows):
        own = [wager["counts"][count] for wager in removal.values()]
        assert figures[::2] == [f"{fit['correlation']:+.3f}" for fit in own]


def test_simulated_wagers_stand_beside_exact_ones(small: Figures) -> None:
    data = output_of(small.commands["sessions"])
    (compared,) = tables_in(section(report_paper(small), "Independent simulation"))
    for row, wager in zip(map(texts, compared.rows), data["wagers"].values(), strict=True):
        assert row[1] == percent(wager["exact"])
        assert row[2] == (percent(wager["ev"]) if wager["made"] else "not made")
        if wager["made"]:
            assert row[-1] == f"{wager['z']:+.2f}"


def test_the_report_is_set_on_pages_and_for_a_browser(small: Figures) -> None:
    paper = report_paper(small)
    (pdf,) = typeset(paper, ".pdf")
    assert pdf.startswith(b"%PDF-")
    page = web_page(paper)
    assert page.count("<svg") == sum(isinstance(p, doc.Picture) for p in parts_of(paper.parts))
    assert tables_for(SMALL.game).fingerprint in page
    for title in ("Exposure to counting", "Method and sources of error", "Statement"):
        assert f"{title}</h2>" in page


def test_a_report_is_refused_before_any_work(tmp_path: Path) -> None:
    assert "written as .pdf or .html" in refusal("report", "blackjack", "-o", "report.doc")
    there = str(tmp_path / "none" / "x.pdf")
    assert "there is no folder" in refusal("report", "blackjack", "-o", there)
    own = str(tmp_path / "x.pdf")
    few = refusal("report", "blackjack", "-o", own, "--rounds", "10")
    assert "a report simulates 500 to" in few
    assert 'no game "nothing"' in refusal("report", "nothing", "-o", own)
    assert not list(tmp_path.iterdir())


def test_settings_and_wager_stand_in_the_commands() -> None:
    asked = Asked("blackjack", {"decks": "1"}, ("--set", "decks=1"), 2500, ("--bet", "$25"))
    assert asked.command("odds") == "upcard odds blackjack --set decks=1 --bet '$25'"
    assert asked.command("bank") == "upcard bank blackjack --set decks=1"


@pytest.mark.deep
@pytest.mark.parametrize("game", [game for game in GAME_IDS if game != SMALL.game])
def test_every_figure_of_every_game(game: str) -> None:
    found = gather(Asked(game=game, settings={}, rounds=FEW))
    paper = report_paper(found)
    first = section(paper, "Results by first cards")
    pictured = any(isinstance(part, doc.Picture) for part in first.parts)
    cells = 0 if pictured else len(found.odds.base.by_first_hand)
    assert (cells > 0) is (len(tables_in(first)) > 0)
    assert check_figures(paper, found.tables) > 150 + cells
    assert typeset(paper, ".pdf")[0].startswith(b"%PDF-")
