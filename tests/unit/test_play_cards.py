"""Players' cards: lights that last from one visit to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import compiled
from unit.test_play_flow import _Leaving
from unit.test_play_kit import Player, own_folder, saved_session, sitting
from upcard.cli.play.start import Wishes
from upcard.cli.play.wallet import changed_wallet, open_wallet, wallet_file
from upcard.errors import UpcardError

__all__ = ["own_folder"]

GAME = "ten-sticks-21"


def leave_with_lights() -> Path:
    """Trade every bonus card until at least one light is lit, then cash out.

    Where the session was kept while it was played.
    """
    tables = compiled(GAME, players_card=True)
    for seed in range(30):
        wishes = Wishes(seed=f"lights {seed}", chips=900_000, fast=True, bots=0)
        sat, scene = sitting(
            GAME, lambda s: _Leaving(Player(s, 12, "ts", last="c")), wishes=wishes, tables=tables
        )
        sat.run()
        if open_wallet().cards.get(GAME):
            assert "You take a player's card with" in scene.now
            return sat.file
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


@pytest.mark.parametrize("wishes", [Wishes(), Wishes(new=True)])
def test_a_card_is_kept_though_the_table_was_stopped_right_before(wishes: Wishes) -> None:
    """The session is closed in its file, and the wallet does not know of its card yet."""
    file = leave_with_lights()
    (token,) = open_wallet().cards[GAME]
    with changed_wallet() as wallet:
        wallet.cards.clear()
    max(file.parent.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns).rename(file)
    sat, scene = sitting(GAME, ["n", "q"], wishes=wishes, tables=compiled(GAME, players_card=True))
    sat.run()
    assert any("give it up for them?" in frame for frame in scene.frames)
    assert open_wallet().cards[GAME] == [token]


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
