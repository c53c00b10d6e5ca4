"""Findings: every figure is what `upcard odds` and `target` say of the same settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from depth import deep
from shell import refusal, upcard
from upcard.papers.document import Banner, Callout, PaperTable
from upcard.papers.finding import CaseKind, Finding, find
from upcard.papers.finding_sheet import finding_sheet
from upcard.papers.finding_words import headline
from upcard.papers.target import find_target
from upcard.papers.typesetting import typeset

CLOSE = 1e-12
TIES = {"decks": "1", "max_hands": "1"}


def data(*arguments: str) -> Any:
    done = upcard(*arguments, "--json")
    assert (done.status, done.err) == (0, "")
    return done.data


def given(settings: dict[str, str]) -> list[str]:
    return [text for name, value in settings.items() for text in ("--set", f"{name}={value}")]


@pytest.fixture(scope="module")
def twisted() -> Any:
    return data("finding", "twisted-21")


def test_every_edge_is_what_odds_says(twisted: Any) -> None:
    known: dict[str, Any] = {}
    for case in twisted["cases"]:
        odds = known.setdefault(
            str(case["settings"]), data("odds", "twisted-21", *given(case["settings"]))
        )
        own = odds["wagers"][case["wager"]]
        assert case["edge"] == pytest.approx(own["edge"], abs=CLOSE)
        assert case["favours_player"] == own["favours_player"]
        assert case["fingerprint"] == odds["fingerprint"]
    as_printed = {case["wager"] for case in twisted["cases"] if case["case"] == "as printed"}
    assert as_printed == {"base", "stud-poker", "stud-bonus"}
    tables = [case["settings"].get("stud_bonus") for case in twisted["cases"]]
    assert {"five-card-low", "seven-card", "seven-card-low"} <= set(tables)


def test_every_remedy_is_what_target_says(twisted: Any) -> None:
    printed, low = twisted["remedies"]
    assert [target["above"]["printed"] for target in printed["targets"]] == [
        "42 for 1",
        "2 for 1",
        "2 for 1",
    ]
    assert len(printed["cannot"]) == 7
    first = printed["targets"][0]
    asked = ("--wager", "stud-bonus", "--edge", "5%", "--solve", first["solved"]["name"])
    assert data("target", "twisted-21", *asked) == first
    assert (low["settings"], low["targets"]) == ({"stud_bonus": "seven-card-low"}, [])
    assert low["table"]["rows"] == {
        "7 high": "10 for 1",
        "8 high": "4 for 1",
        "9 high": "3 for 1",
        "T high": "1 for 1",
    }
    assert low["table"]["edge"] >= 0.05


def test_readings_that_turn_a_wager_are_told(twisted: Any) -> None:
    turned = {
        tuple(case["settings"].values()): case["favours_player"]
        for case in twisted["cases"]
        if case["case"] == "reading"
    }
    assert turned == {
        ("last",): False,
        ("five-card-low", "deuce-to-six"): True,
        ("five-card-low", "ace-to-six"): True,
        ("five-card-low", "ace-to-five"): True,
    }


def test_a_wager_that_is_played_for_is_priced_as_odds_with_it() -> None:
    found = find_target("blackjack-tie", TIES, "tie-21", "Tie 21", 0.005, played_for=1.0)
    odds = data("odds", "blackjack-tie", *given(TIES), "--with", "tie-21=1")
    assert found.now.edge == pytest.approx(odds["combined"]["adapted"]["edge"], abs=CLOSE)
    assert found.now.edge < 0 < 0.005 <= found.above.edge
    assert found.below.edge < 0.005
    assert found.above.figure < found.below.figure < found.now.figure


@pytest.fixture(scope="module")
def paper() -> Finding:
    return find("twisted-21", {"stud_bonus": "seven-card-low"}, side_edge=0.02)


def test_the_paper_is_one_page_with_the_same_figures(paper: Finding) -> None:
    sheet = finding_sheet(paper)
    assert len(typeset(sheet, ".svg")) == 1
    banner = sheet.parts[0]
    assert isinstance(banner, Banner)
    assert banner.text == headline(paper)[0] == "Stud Bonus favours the player by 61.82%"
    section = sheet.parts[1]
    table = section.parts[0]  # type: ignore[union-attr]
    assert isinstance(table, PaperTable)
    assert len(table.rows) == len(paper.cases)
    printed = str(paper)
    for case in paper.cases:
        assert f"{100 * case.edge:+.4f}%" in printed
    (remedy,) = paper.remedies
    assert remedy.table is not None
    assert remedy.table.edge >= remedy.wanted == 0.02


def test_drafts_say_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert upcard("new", "mine", "--like", "twisted-21", "-o", str(file)).status == 0
    found = find(str(file), {"stud_bonus": "none", "stud_poker": "false"})
    sheet = finding_sheet(found)
    assert isinstance(sheet.parts[0], Callout)
    assert "DRAFT" in sheet.title
    assert "DRAFT" in sheet.footer
    assert "DRAFT" in str(found)


def test_bad_asks_are_refused_in_a_sentence(tmp_path: Path) -> None:
    assert "write it in percent" in refusal("finding", "twisted-21", "--edge", "five")
    assert ".pdf, .html, .png or .svg" in refusal("finding", "twisted-21", "-o", "finding.txt")
    nowhere = str(tmp_path / "no" / "finding.pdf")
    assert "there is no folder" in refusal("finding", "twisted-21", "-o", nowhere)


@deep
def test_a_sheet_that_gives_nothing_away_says_how_far_it_is() -> None:
    found = find("pure-spanish-21.5")
    assert [case.settings for case in found.favouring] == [
        {"match_by": "both-cards"},
        {"both_over": "push"},
    ]
    assert headline(found)[0] == "No wager favours the player"
    for target in found.room:
        assert target.below.edge <= 0 < target.now.edge
        assert target.now.figure < target.below.figure


@deep
def test_every_wager_on_a_tie_is_played_for() -> None:
    found = find("blackjack-tie", TIES)
    played = [case for case in found.cases if case.kind is CaseKind.PLAYED_FOR]
    assert len(played) == 8
    for remedy in found.remedies:
        assert remedy.targets[0].above.edge >= remedy.wanted
    assert len(typeset(finding_sheet(found), ".svg")) == 1


@deep
def test_lights_are_what_odds_says() -> None:
    found = find("ten-sticks-21", {"decks": "1", "max_hands": "2"})
    lights = data("odds", "ten-sticks-21", "--set", "decks=1", "--set", "max_hands=2")["lights"]
    run = found.lights[0].run
    assert run.alone_ev == pytest.approx(lights["alone_ev"])
    assert run.per_round == pytest.approx(lights["per_round"])
    assert run.rounds_to_prize == pytest.approx(lights["rounds_to_prize"])
    assert found.favouring[0].wager == "base"


def test_a_figure_that_a_reading_decides_can_be_solved_for() -> None:
    chosen = {"decks": "1", "max_hands": "2"}
    found = find_target("games-of-chance-blackjack", chosen, "base", "blackjack", 0.0)
    assert found.below.edge <= 0 <= found.above.edge
    assert found.now.figure < found.above.figure < found.below.figure
