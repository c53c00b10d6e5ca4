"""Blackjack Switch, clause by clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulebook.facts import (
    EVEN,
    LOSS,
    PUSH,
    checked_under,
    deal_of,
    dealer,
    is_settled,
    makes_natural,
    may,
    named_in_tests,
    own_clauses,
    readings,
    reads,
    refusal,
    refused_by,
    result,
    shown,
    stake,
    step_cites,
)
from upcard import GameTables
from upcard.compile.context import Action, Phase

if TYPE_CHECKING:
    from conftest import Tables

ID = "blackjack-switch"
OWN = {"DECK", "BOX", "PEEK", "SW", "NAT", "S21", "22", "PLAY"}
CLAUSES = {f"CV-{number}" for number in range(1, 10)} | {f"SWI-{name}" for name in OWN}


@pytest.fixture
def game(tables: Tables) -> GameTables:
    return tables(ID)


def test_every_clause_is_in_the_game_shown_and_tested(game: GameTables) -> None:
    assert own_clauses(game) == CLAUSES
    assert shown(game) >= CLAUSES
    assert named_in_tests(globals()) >= CLAUSES


def test_there_are_no_open_questions(game: GameTables) -> None:
    assert readings(game) == {}


def exchanged(game: GameTables, one: str, two: str) -> str:
    """The final class of two cards that an exchange has brought together."""
    state = game.hands.after(*(game.alphabet.index(rank) for rank in (one, two)))
    after = int(game.effects.leads[Action.SWITCH, state])
    return str(game.hands.class_names[game.hands.player_class[after]])


def test_cv_1_counting(game: GameTables) -> None:
    """CV-1."""
    assert reads(game, "As 6d") == "soft 17"
    assert reads(game, "Ks 6d As") == "hard 17"
    assert is_settled(game, "Ks 6d 9s")
    assert result(game, "Ks 6d 9s", "Ts 6s 9d") == LOSS


def test_cv_2_deal_and_dealer(game: GameTables) -> None:
    """CV-2: passes of cards, the dealer's second face down; draws to 16."""
    assert deal_of(game) == ["position up", "dealer up", "position up", "dealer down"]
    assert dealer(game, "Ts 6d") == "draws"
    assert dealer(game, "Ts 7d") == "17"


def test_cv_3_naturals(game: GameTables) -> None:
    """CV-3: an ace and a ten-value card in the first two of an unsplit hand."""
    assert reads(game, "As Kd") == "natural 21"
    assert makes_natural(game, "As", "Kd")
    assert not makes_natural(game, "As", "9d")


def test_cv_4_and_swi_peek_the_check(game: GameTables) -> None:
    """CV-4, SWI-PEEK: under an ace or a ten, before any switch; the dealt natural pushes."""
    assert checked_under(game) == {"A", "T"}
    kinds = game.round_plan.kinds
    assert kinds.index(Phase.PEEK) < kinds.index(Phase.EXCHANGE) < kinds.index(Phase.TURNS)
    assert result(game, "As Kd", "Ah Ks") == PUSH
    assert result(game, "Ts 9d", "Ah Ks") == LOSS
    assert "SWI-PEEK" in step_cites(game, "peek")


def test_cv_5_a_hand_of_21_stands(game: GameTables) -> None:
    """CV-5: and any total below may be hit."""
    assert may(game, "Ts 5d hit 6h", "9s") == {"stand"}
    assert "hit" in may(game, "Ts Kd", "9s")


def test_cv_6_doubling(game: GameTables) -> None:
    """CV-6: an equal wager for one card."""
    assert stake(game, "5s 6d double 9h") == 2


def test_cv_7_splitting_by_value(game: GameTables) -> None:
    """CV-7: a king and a jack are a pair."""
    assert "split" in may(game, "Ks Jd", "6s")
    assert "split" not in may(game, "9s 8d", "6s")


def test_cv_8_wins_and_ties(game: GameTables) -> None:
    """CV-8."""
    assert result(game, "Ts 9d", "Ts 8d") == EVEN
    assert result(game, "Ts 9d", "Th 9h") == PUSH
    assert result(game, "As Kd", "Ts 5d 6d") == EVEN


def test_cv_9_the_dealer_draws_only_for_a_hand(game: GameTables) -> None:
    """CV-9."""
    assert not game.round_plan.dealer_always_finishes


def test_swi_deck(game: GameTables, tables: Tables) -> None:
    """SWI-DECK: six decks, hits soft 17, both options."""
    assert game.alphabet.decks == 6
    assert dealer(game, "As 6d") == "draws"
    assert dealer(tables(ID, soft17="stand"), "As 6d") == "17"
    assert "SWI-DECK" in refusal(ID, decks=9)


def test_swi_box(game: GameTables) -> None:
    """SWI-BOX: two boxes for every player, with equal wagers."""
    assert game.round_plan.boxes == 2
    assert game.round_plan.several_boxes
    words = [one.words for one in game.rulebook.sentences if "SWI-BOX" in one.clauses]
    assert any("equal base wagers" in sentence for sentence in words)


def test_swi_sw_the_switch(game: GameTables) -> None:
    """SWI-SW: offered once, with any two cards, before the turns."""
    assert may(game, "Ts 6d", "9s", Phase.EXCHANGE) == {"switch", "decline"}
    assert may(game, "As Kd", "9s", Phase.EXCHANGE) == {"switch", "decline"}
    assert refused_by(game, "Ts 6d", "9s", "switch") == ("SWI-SW",)
    assert step_cites(game, "exchange") == {"SWI-SW"}


def test_swi_nat_and_swi_22_a_natural_beats_22(game: GameTables) -> None:
    """SWI-NAT, SWI-22: 1 to 1, while every other hand pushes against 22."""
    assert result(game, "As Kd", "Ts 6d 6h") == EVEN
    assert result(game, "Ts Kd", "Ts 6d 6h") == PUSH
    assert result(game, "5s 6d double Ts", "Ts 6d 6h") == PUSH
    assert result(game, "Ts 6d hit 9s", "Ts 6d 6h") == LOSS
    assert result(game, "Ts 6d", "Ts 6d 7h") == EVEN


def test_swi_s21_ace_and_ten_of_a_switch(game: GameTables, tables: Tables) -> None:
    """SWI-S21: 21 and no natural, unless the house says so."""
    assert exchanged(game, "A", "T") == exchanged(game, "T", "A") == "21"
    assert exchanged(tables(ID, switched_natural="natural"), "A", "T") == "natural"
    assert exchanged(game, "T", "6") == "16"


def test_swi_play(game: GameTables) -> None:
    """SWI-PLAY: any two double, four hands, aces once with one card each, no surrender."""
    assert may(game, "8s 8d", "6s") == {"hit", "stand", "double", "split"}
    assert "double" in may(game, "8s 8d split 3s", "6s")
    assert may(game, "As Ad split 3s", "6s") == {"stand"}
    assert "split" not in may(game, "As Ad split Ah", "6s")
    assert refused_by(game, "Ts 6d", "9s", "surrender") == ("SWI-PLAY",)
    assert max(context.hands for context in game.contexts.contexts) == 4
