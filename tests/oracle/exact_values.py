"""The exact optima of the public variants on small decks, as they stand in `exact_values.toml`.

`python -m oracle.exact_values` computes all of them again and prints the file.
"""

import sys
import time
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from .exact_play import optimum

FILE = Path(__file__).with_suffix(".toml")
HEAD = """\
# What a player wins on average who plays a small deck the best possible way: exact fractions of
# one base wager, from the rules alone (`exact_play.py`; `python -m oracle.exact_values` prints this
# file). A fresh shoe of just these cards, one player, no insurance. `7s*3` stands for three of
# them. `set` are settings other than the default, `never` actions that the player never takes. No
# line of play runs out of cards. In Blackjack Switch `worth` is of both boxes, in wagers of one.
"""


class Case(NamedTuple):
    """One deck."""

    game: str
    deck: str
    set: dict[str, object]
    never: tuple[str, ...]
    worth: Fraction
    deep: bool

    def cards(self) -> list[str]:
        """All cards."""
        found: list[str] = []
        for word in self.deck.split():
            card, _, times = word.partition("*")
            found.extend([card] * int(times or 1))
        return found

    def computed(self) -> Fraction:
        """The value once more."""
        return optimum(self.game, self.set, self.cards(), self.never)

    def lines(self) -> Iterator[str]:
        """The case as it is written."""
        yield "[[value]]"
        yield f'game = "{self.game}"'
        yield f'deck = "{self.deck}"'
        if self.set:
            yield f"set = {{ {', '.join(f'{k} = {written(v)}' for k, v in self.set.items())} }}"
        if self.never:
            yield f"never = [{', '.join(map(written, self.never))}]"
        yield f'worth = "{self.worth}"  # {float(self.worth):.6f}'
        if self.deep:
            yield "deep = true"


def written(value: object) -> str:
    """A value in TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'


def read(row: dict[str, Any]) -> Case:
    """One entry of the file."""
    return Case(
        row["game"],
        row["deck"],
        row.get("set", {}),
        tuple(row.get("never", ())),
        Fraction(row.get("worth", "0")),
        row.get("deep", False),
    )


def load() -> list[Case]:
    """All of them."""
    return [read(row) for row in tomllib.loads(FILE.read_text())["value"]]


if __name__ == "__main__":
    sys.stdout.write(HEAD)
    for case in load():
        started = time.perf_counter()
        new = case._replace(worth=case.computed())
        sys.stdout.write("\n" + "\n".join(new.lines()) + "\n")
        sys.stderr.write(f"{time.perf_counter() - started:6.1f} s {case.game} {case.deck}\n")
