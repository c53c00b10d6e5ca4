"""Players' cards: lights that last from one visit to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import compiled
from unit.test_play_flow import _Leaving
from unit.test_play_kit import Player, own_folder, saved_session, sitting
from upcard.cli.play.start import Wishes
from upcard.cli.play.wallet import open_wallet, wallet_file
from upcard.errors import UpcardError

__all__ = ["own_folder"]

GAME = "ten-sticks-21"


def leave_with_lights() -> None:
    """Trade every bonus card until at least one light is lit, then cash out."""
    tables = compiled(GAME, players_card=True)
    for seed in range(30):
        wishes = Wishes(seed=f"lights {seed}", chips=900_000, fast=True, bots=0)
        sat, scene = sitting(
            GAME, lambda s: _Leaving(Player(s, 12, "ts", last="c")), wishes=wishes, tables=tables
        )
        sat.run()
        if open_wallet().cards.get(GAME):
            assert "You take a player's card with" in scene.now
            return
    raise AssertionError("no light in 360 rounds")


def test_a_card_is_kept_and_given_up_once() -> None:
    leave_with_lights()
    wallet = open_wallet()
    (token,) = wallet.cards[GAME]
    tables = compiled(GAME, players_card=True)
    sat, scene = sitting(GAME, ["y", "q"], tables=tables)
    sat.run()
    assert any("give it up for them?" in frame for frame in scene.frames)
    state = saved_session(sat).state
    assert state.lit("Guest", 4) > 0
    after = open_wallet()
    assert after.key == wallet.key
    assert after.cards[GAME] == []
    assert len(after.used) == 1
    assert token not in after.used
    again, other = sitting(GAME, ["q"], tables=tables, wishes=Wishes(new=True))
    again.run()
    assert not any("give it up" in frame for frame in other.frames)


def test_a_card_can_be_kept_for_another_day() -> None:
    leave_with_lights()
    sat, _ = sitting(GAME, ["n", "q"], tables=compiled(GAME, players_card=True))
    sat.run()
    assert open_wallet().cards[GAME]
    assert saved_session(sat).state.lit("Guest", 4) == 0


def test_without_the_option_there_is_no_wallet(own_folder: Path) -> None:
    sat, _ = sitting(GAME, ["q"])
    sat.run()
    assert not wallet_file().exists()
    assert wallet_file().parent == own_folder


def test_a_damaged_wallet_is_one_sentence_and_stays() -> None:
    open_wallet()
    wallet_file().write_text("nonsense")
    with pytest.raises(UpcardError, match="the players' cards cannot be read"):
        sitting(GAME, ["q"], tables=compiled(GAME, players_card=True))
    assert wallet_file().read_text() == "nonsense"
