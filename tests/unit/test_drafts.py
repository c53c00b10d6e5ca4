"""Drafts: an idea without sources plays and is priced at once, and everything says DRAFT."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from shell import refusal, upcard
from upcard import load_game, tables_for
from upcard.rules.check import check_game
from upcard.rules.draft import draft_words
from upcard.rules.warn import warnings
from upcard.table import commands as cm
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.shoe import secret_from
from upcard.table.view import Viewer, view

IDEA = """
id = "idea"
version = 1
name = "Idea"
source = "A conversation"
extends = "blackjack"
draft = true
[outcomes]
win_pays = "2:1"
[floor]
layout = "Green."
"""
MISSING = ["outcomes.win_pays", "floor.layout"]
WORDS = (
    "DRAFT: 2 values have no source yet: outcomes.win_pays, floor.layout; "
    "upcard check --draft lists them"
)


@pytest.fixture
def idea(tmp_path: Path) -> str:
    file = tmp_path / "idea.toml"
    file.write_text(IDEA)
    return str(file)


def test_a_draft_is_sound_without_sources(idea: str) -> None:
    rules = load_game(idea)
    assert list(rules.unsourced) == MISSING
    assert {rules.provenance[path].kind for path in MISSING} == {"unsourced"}
    # Clauses of the extended game do not say what was changed.
    assert rules.cites(*MISSING) == ()


def test_check_stays_strict(idea: str) -> None:
    done = upcard("check", idea)
    assert done.status == 1
    assert "outcomes.win_pays: changed here, and only clauses of the extended game" in done.err
    assert 'floor.layout: no provenance: let a clause set it (sets = ["floor.layout"])' in done.err
    assert "2 problems in" in done.err


def test_check_draft_lists_what_is_missing(idea: str) -> None:
    done = upcard("check", idea, "--draft")
    assert done.status == 0
    assert "no source yet: outcomes.win_pays = 2:1\nno source yet: floor.layout = Green.\n" in (
        done.out
    )
    assert WORDS in done.out
    data = upcard("check", idea, "--draft", "--json").data
    assert data["unsourced"] == MISSING
    assert data["draft"] is True
    assert data["problems"] == []


def test_check_draft_of_a_file_that_is_not_marked(idea: str) -> None:
    Path(idea).write_text(IDEA.replace("draft = true\n", ""))
    done = upcard("check", idea, "--draft")
    assert done.status == 0
    assert "write draft = true at the top of the file" in done.out
    assert "no provenance" in upcard("odds", idea).err


def test_what_else_is_wrong_stays_wrong_in_a_draft(idea: str) -> None:
    Path(idea).write_text(
        IDEA + '[clauses]\nX-1 = { kind = "play", says = "x", sets = ["no.key"] }'
    )
    done = upcard("check", idea, "--draft")
    assert done.status == 1
    assert 'no value "no.key" in this game' in done.err
    assert 'no value "no.key"' in refusal("rules", idea)


def test_a_finished_game_says_nothing_of_drafts() -> None:
    for verb in (["rules", "blackjack"], ["odds", "blackjack"], ["check", "blackjack"]):
        assert "DRAFT" not in upcard(*verb).out


def test_everything_with_a_source_is_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "done.toml"
    head = IDEA.partition("[outcomes]")[0]
    file.write_text(head)
    done = upcard("check", str(file))
    assert done.status == 0
    assert "warning: " in done.err
    assert "every value has its source: take the line out" in done.err
    assert draft_words(()) in upcard("rules", str(file)).out


VERBS: list[list[str]] = [
    ["rules"],
    ["rules", "--trace"],
    ["odds"],
    ["hand", "--cards", "5 6", "--up", "9"],
    ["strategy"],
    ["readings"],
    ["simulate", "--rounds", "1000"],
]


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_page_and_every_json_says_so(idea: str, verb: list[str]) -> None:
    done = upcard(verb[0], idea, *verb[1:])
    assert done.status == 0, done.err
    assert "Idea (DRAFT)" in done.out
    assert WORDS in " ".join(done.out.split())
    data = upcard(verb[0], idea, *verb[1:], "--json").data
    assert _first(data)["draft"] == WORDS


def _first(data: Any) -> Any:
    return data[0] if isinstance(data, list) else data


def test_the_markdown_sheet_says_so(idea: str) -> None:
    out = upcard("rules", idea, "--markdown").out
    assert out.startswith("# Idea (DRAFT)\n\n**DRAFT: 2 values")
    assert "(no source yet)" in out


def test_sentences_without_a_source_are_marked(idea: str) -> None:
    out = upcard("rules", idea).out
    assert "(no source yet)" in out
    marked = [s for s in tables_for(idea).rulebook.sentences if s.unsourced]
    assert {key for sentence in marked for key in sentence.keys} >= set(MISSING)
    assert all(not sentence.clauses or set(sentence.keys) - set(MISSING) for sentence in marked)


def test_a_scripted_round_says_so(idea: str) -> None:
    script = (
        f'game = "{idea}"\nshoe = "Ts 9d 9s 7h Td"\n'
        '[[seats]]\nseat = 1\nwagers = { base = 1000 }\nactions = ["stand"]\n'
    )
    done = upcard("round", "-", stdin=script)
    assert "Idea (DRAFT)" in done.out
    assert "no source yet" in done.out
    assert upcard("round", "-", "--json", stdin=script).data["draft"] == WORDS


def test_a_table_says_so(idea: str) -> None:
    engine = Engine(tables_for(idea))
    opened = engine.act(NEW_TABLE, cm.OpenTable(table="t", secret=secret_from("x")))
    assert not isinstance(opened, str)
    seen = view(engine, opened.state, Viewer("public"))  # type: ignore[union-attr]
    assert seen.name == "Idea (DRAFT)"
    assert seen.sign.name == "Idea (DRAFT)"


def test_the_felt_and_the_catalog_say_so(idea: str) -> None:
    from upcard.service.catalog import game_info
    from upcard.service.felt import table_info

    tables = tables_for(idea)
    assert table_info(tables)["title"] == "Idea (DRAFT)"
    assert table_info(tables)["draft"] == WORDS
    assert game_info(tables).draft == WORDS


def test_environments_say_so(idea: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("upcard.envs:upcard/Round-v0", game=idea)
    _, info = env.reset(seed=1)
    assert info["draft"] == WORDS


def test_a_draft_and_the_game_it_becomes_have_one_fingerprint(idea: str) -> None:
    draft = load_game(idea)
    clauses = (
        '[clauses]\nI-1 = { kind = "money", says = "Double.", sets = ["outcomes.win_pays"] }\n'
        'I-2 = { kind = "floor", says = "Green.", sets = ["floor.layout"] }\n'
    )
    Path(idea).write_text(IDEA.replace("draft = true\n", "") + clauses)
    assert upcard("check", idea).status == 0
    assert load_game(idea).fingerprint == draft.fingerprint


def test_a_child_of_a_draft_needs_the_sources_itself(idea: str) -> None:
    child = Path(idea).with_name("child.toml")
    child.write_text('id = "c"\nversion = 1\nname = "C"\nsource = "c"\nextends = "idea.toml"\n')
    found = [problem.path for problem in check_game(str(child), {})[1]]
    assert "floor.layout" in found
    assert "no provenance" in upcard("odds", str(child)).err


def test_a_clause_that_claims_a_whole_table_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "wide.toml"
    file.write_text(
        'id = "wide"\nversion = 1\nname = "Wide"\nsource = "me"\nextends = "blackjack"\n'
        '[clauses]\nW-1 = { kind = "play", says = "As usual.", sets = ["natural", "step:deal"] }\n'
    )
    done = upcard("check", str(file))
    assert done.status == 0
    assert "warning: " in done.err
    assert 'clauses.W-1.sets: "natural" claims a whole table' in done.err
    assert '"natural.pays"' in done.err
    (warned,) = upcard("check", str(file), "--json").data["warnings"]
    assert warned["path"] == "clauses.W-1.sets"
    # Those of the extended game are for its own file to tell.
    rules = load_game(str(file))
    of_others = dataclasses.replace(rules, lineage=dict.fromkeys(rules.lineage, "other"))
    assert list(warnings(of_others)) == []
