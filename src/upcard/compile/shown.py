"""What players see of the dealer's first two cards when they decide.

Usually that is the up card, and nothing of the other one. Both cards may lie face up, or it may be
told to which of some groups the down card belongs. Whatever goes by the up card in other games then
goes by the number of what is shown; where only the up card is, that number is the up card's symbol.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.cards import RANKS
from upcard.compile.alphabet import Alphabet
from upcard.compile.arrays import frozen
from upcard.rules.schema import GameRules

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ShownCards:
    """All that the dealer can show.

    `up[shown]` is the symbol of the up card, `down[shown, symbol]` whether the second card may be
    such a one, and `of[up, second]` what is shown with these two. Where both cards lie `face_up`,
    their order makes no difference: what is shown has the lower symbol as its up card. `told` are
    the ranks of the groups that a down card is told to belong to, `told_of[symbol]` its group.
    """

    up: npt.NDArray[np.int16]
    down: npt.NDArray[np.bool_]
    of: npt.NDArray[np.int16]
    names: tuple[str, ...]
    face_up: bool
    told: tuple[str, ...]
    told_of: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.up)

    @cached_property
    def is_up_card(self) -> bool:
        """Whether the up card is all that is shown."""
        return bool(self.down.all())

    @cached_property
    def seconds(self) -> tuple[tuple[int, ...], ...]:
        """Of everything that can be shown, the symbols that the second card may be."""
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in self.down)

    def index(self, name: str) -> int:
        return self.names.index(name)

    def chances(self, counts: npt.ArrayLike, *, step: float = 1.0) -> Floats:
        """How likely each is to be shown, from a shoe with so many cards of every symbol.

        With `step` 0 cards are put back: the infinite shoe.
        """
        cards = np.asarray(counts, dtype=np.float64)
        whole = cards.sum()
        if self.is_up_card:
            return np.asarray(cards / whole)
        second = np.maximum(cards[None, :] - step * np.eye(len(cards)), 0.0)
        both = (cards[:, None] / whole) * (second / (whole - step))
        found = np.zeros(len(self))
        np.add.at(found, self.of, both)
        return found


def build_shown(game: GameRules, alphabet: Alphabet) -> ShownCards:
    """What the dealer shows in a game."""
    size = len(alphabet)
    symbols = range(size)
    face_up = game.deal.dealer_up > 1
    told = tuple("".join(group) for group in game.dealer.tells)
    told_of = [
        next((n for n, group in enumerate(told) if set(symbol.ranks) <= set(group)), -1)
        for symbol in alphabet.symbols
    ]
    rows = [(up, tuple(symbols)) for up in symbols]
    if face_up:
        rows = [(up, (down,)) for up in symbols for down in symbols[up:]]
    elif told:
        parts = [tuple(s for s in symbols if told_of[s] == n) for n in range(len(told))]
        rows = [(up, part) for up in symbols for part in parts if part]
    down = np.zeros((len(rows), size), dtype=np.bool_)
    of = np.zeros((size, size), dtype=np.int16)
    for shown, (up, seconds) in enumerate(rows):
        down[shown, list(seconds)] = True
        of[up, list(seconds)] = shown
        if face_up:
            of[list(seconds), up] = shown
    return ShownCards(
        up=frozen(np.array([up for up, _ in rows], dtype=np.int16)),
        down=frozen(down),
        of=frozen(of),
        names=tuple(_name(alphabet, up, seconds, face_up, told, told_of) for up, seconds in rows),
        face_up=face_up,
        told=told,
        told_of=frozen(np.array(told_of, dtype=np.int16)),
    )


def _name(
    alphabet: Alphabet,
    up: int,
    seconds: tuple[int, ...],
    face_up: bool,
    told: tuple[str, ...],
    told_of: list[int],
) -> str:
    """What is shown, such as `6`, `T 6` or `6 over 7-9`."""
    names = [symbol.name for symbol in alphabet.symbols]
    if face_up:
        # As hands are written: an ace first, else the higher card.
        pair = sorted((up, seconds[0]), key=lambda s: (not alphabet.symbols[s].is_ace, -s))
        return " ".join(names[symbol] for symbol in pair)
    if told:
        return f"{names[up]} over {ranks_text(told[told_of[seconds[0]]])}"
    return names[up]


def ranks_text(ranks: str) -> str:
    """Ranks as they are told: neighbours as from one to the other.

    >>> ranks_text("23456"), ranks_text("TJQKA"), ranks_text("79")
    ('2-6', 'T-A', '7, 9')
    """
    order = f"{RANKS.replace('A', '')}A"
    places = sorted(order.index(rank) for rank in ranks)
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(
        order[run[0]] if len(run) == 1 else f"{order[run[0]]}-{order[run[-1]]}" for run in runs
    )
