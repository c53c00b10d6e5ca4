"""A policy's whole play of a hand, as one small automaton by the dealer's up card.

Where nothing but cards decides how a hand goes on, what a policy does with it can be looked up
beforehand, move by move, exactly as the kernel would: then a card leads straight to the next
question that another card answers, or to how the hand has ended. The kernel walks there as it does
with the dealer's hand. A hand that may be split on its way is left to the kernel's own turns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from upcard.round.kernel_types import (
    ACTIONS,
    DRAWS,
    ENDS,
    ENDS_BY_CARDS,
    LEADS,
    LEFT,
    RAISES,
    SPLITS,
    EffectFlags,
    Play,
    RoundRules,
    Shorts,
    Stakes,
    Walk,
)


def walk_of(rules: RoundRules, effects: EffectFlags, play: Play, stakes: Stakes) -> Walk:
    """The walks of an only seat's first hand."""
    return _Walks(rules, effects, play, stakes).walk()


class _Walks:
    """Walks by up card; states from which all cards lead to the same are one."""

    def __init__(self, rules: RoundRules, effects: EffectFlags, play: Play, stakes: Stakes) -> None:
        self.symbols, self.nodes, self.classes = rules.symbols, play.nodes, stakes.classes
        self.shows = rules.shows
        self.turn, self.start = rules.turn, play.start
        self.context_next: list[int] = rules.context_next.tolist()
        self.class_compares: list[bool] = rules.compares.tolist()
        self.kind: list[int] = effects.kind.tolist()
        self.raises: list[int] = effects.raises.tolist()
        self.class_of_move: list[int] = effects.ends_as.tolist()
        self.action, self.row_of = play.action, play.row_of[0, 0].tolist()
        self.child: list[list[int]] = play.child.reshape(-1, self.symbols).tolist()
        self.leads: list[list[int]] = play.leads.reshape(-1, self.nodes).tolist()
        self.ends_as: list[int] = play.ends_as.tolist()
        self.node_compares: list[bool] = play.compares.tolist()
        self.first_two: list[int] = play.first_two.tolist()
        self.numbers: dict[tuple[int, ...], int] = {}
        self.known: dict[tuple[int, int, int], int] = {}
        self.row: list[list[int]] = []

    def walk(self) -> Walk:
        begin = [code for up in range(self.shows) for code in self._of_up(up)]
        after = [code for codes in self.numbers for code in codes]
        return Walk(begin=_shorts(begin), next=_shorts(after))

    def _of_up(self, up: int) -> list[int]:
        """Where the first two cards lead."""
        rows = self.action.reshape(-1, self.shows, self.nodes)[:, up].tolist()
        self.row = [rows[row] for row in self.row_of]
        self.known.clear()
        return [self._from(node, self.turn, 0) for node in self.first_two]

    def _from(self, node: int, context: int, doubles: int) -> int:
        """What a hand comes to without a card: a state that waits for one, an end, or `LEFT`."""
        place = (node, context, doubles)
        if place not in self.known:
            self.known[place] = self._played(node, context, doubles)
        return self.known[place]

    def _played(self, node: int, context: int, doubles: int) -> int:
        while True:
            choice = self.row[context][node]
            kind = self.kind[choice]
            if kind & ENDS_BY_CARDS:
                return self._over(self.ends_as[node], self.node_compares[node], doubles)
            if kind & SPLITS:
                return LEFT
            if kind & LEADS:
                node = self.leads[choice][node]
            if kind & RAISES:
                doubles += self.raises[choice]
                context = self.context_next[context * ACTIONS + choice]
            if kind & ENDS:
                ended = self.class_of_move[choice]
                return self._over(ended, self.class_compares[ended], doubles)
            if kind & DRAWS:
                return self._drawing(node, context, doubles)
            if not kind & (LEADS | RAISES):
                return LEFT

    def _drawing(self, node: int, context: int, doubles: int) -> int:
        """Where every card leads, known by that alone."""
        codes = tuple(self._from(after, context, doubles) for after in self.child[node])
        if LEFT in codes:
            return LEFT
        return self.numbers.setdefault(codes, len(self.numbers)) * self.symbols

    def _over(self, ended: int, compares: bool, doubles: int) -> int:
        return -1 - ((doubles * self.classes + ended) * 2 + compares)


def _shorts(codes: Sequence[int]) -> Shorts:
    return np.array(codes, dtype=np.int32)
