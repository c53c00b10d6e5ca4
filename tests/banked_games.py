"""Games of the house as a player-dealer would bank them."""

from __future__ import annotations

from pathlib import Path

GAME = """
id = "banked"
version = 1
name = "Banked"
source = "our own"
extends = "{parent}"
[bank]
by = "player-dealer"
cover = "{cover}"
cover_measure = "{measure}"
turns = 2
offered = "clockwise"
button = true
natural_paid = "{natural_paid}"
[clauses]
OWN = {{ kind = "money", says = "A player banks.", sets = ["bank"] }}
"""


def banked_game(
    folder: Path,
    parent: str,
    *,
    cover: str = "limited",
    measure: str = "net",
    natural_paid: str = "in-order",
) -> Path:
    """The file of a game that a player banks, put into a folder."""
    path = folder / "banked.toml"
    path.write_text(
        GAME.format(parent=parent, cover=cover, measure=measure, natural_paid=natural_paid)
    )
    return path
