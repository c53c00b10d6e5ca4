"""The dealer automaton: the dealer's hand, when it draws, and what it ends as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.alphabet import Alphabet, Symbol
from upcard.compile.arrays import frozen
from upcard.compile.ends import EndKind, FinalClass
from upcard.compile.hands import NONE, counted_name, total_name
from upcard.compile.minimise import equivalent
from upcard.compile.shown import ShownCards, build_shown
from upcard.compile.trackers import (
    CountTracker,
    NaturalTracker,
    SpecialTracker,
    Total,
    TotalTracker,
    Tracker,
)
from upcard.rules.final_hands import cards_told_apart
from upcard.rules.schema import GameRules

FIRST_CARDS = 2
"""Cards that every dealer's hand has, the second dealt with the first or after the turns."""


@dataclass(frozen=True)
class DealerAutomaton:
    """States of the dealer's hand.

    `next[state, symbol]` is the state after a card, `draws[state]` whether the dealer takes
    one, `final_class[state]` what the hand is when it stands (-1 while it draws). `checks[up]`
    says under which up cards a natural is looked for or lies there for all to see,
    `natural[up, hole]` which hole cards make one. `shown` is what players see of the first two
    cards, and `ends[shown, class]` which classes can still come once the check, if there is
    one, has found nothing. `looks` is how many of the dealer's down cards can make a natural with
    the up card, from the first on; the check finds all of them.
    """

    start: int
    next: npt.NDArray[np.int16]
    draws: npt.NDArray[np.bool_]
    final_class: npt.NDArray[np.int16]
    total: npt.NDArray[np.int16]
    soft: npt.NDArray[np.bool_]
    checks: npt.NDArray[np.bool_]
    natural: npt.NDArray[np.bool_]
    ends: npt.NDArray[np.bool_]
    classes: tuple[FinalClass, ...]
    looks: int
    shown: ShownCards

    def __len__(self) -> int:
        return len(self.total)

    def after(self, *symbols: int) -> int:
        """The state after some cards."""
        state = self.start
        for symbol in symbols:
            state = int(self.next[state, symbol])
        return state


class _Label(NamedTuple):
    total: int
    soft: bool
    draws: bool
    final: FinalClass | None


class DealerBuilder:
    """Explores every hand that the dealer's rules let arise."""

    def __init__(self, game: GameRules, alphabet: Alphabet) -> None:
        self.game = game
        self.alphabet = alphabet
        self.over = round(2 * game.count.over)
        self.shown = build_shown(game, alphabet)
        _, self.counted = cards_told_apart(game)
        self.trackers: tuple[Tracker, ...] = (
            TotalTracker(over=self.over),
            CountTracker(most=max(2, game.dealer.stands_at_cards, self.counted)),
            NaturalTracker(after_split=False, after_trade=True, split_ten_apart=False),
            *(SpecialTracker(hand.dealer) for hand in game.outcomes.special),
        )

    def build(self) -> DealerAutomaton:
        start = tuple(tracker.start(split=False) for tracker in self.trackers)
        states: list[tuple[Any, ...]] = [start]
        known = {start: 0}
        moves: list[list[int]] = []
        while len(moves) < len(states):
            state = states[len(moves)]
            row = [NONE] * len(self.alphabet)
            if self._draws(state):
                for number, symbol in enumerate(self.alphabet.symbols):
                    target = self._step(state, symbol)
                    if target not in known:
                        known[target] = len(states)
                        states.append(target)
                    row[number] = known[target]
            moves.append(row)
        return self._arrays(states, moves)

    def _step(self, state: tuple[Any, ...], symbol: Symbol) -> tuple[Any, ...]:
        pairs = zip(self.trackers, state, strict=True)
        # The dealer plays a marked card as a plain one.
        return tuple(tracker.step(own, symbol, replaced=False) for tracker, own in pairs)

    def _draws(self, state: tuple[Any, ...]) -> bool:
        total: Total = state[0]
        rules = self.game.dealer
        if state[1] < FIRST_CARDS:
            return True
        if state[2] == "natural" or total.low > self.over:
            return False
        if rules.stands_at_cards and state[1] >= rules.stands_at_cards:
            return False
        line = 2 * rules.stands_on
        on_the_line = total.best == line and total.soft and rules.soft17 == "hit"
        return total.best < line or on_the_line

    def _final(self, state: tuple[Any, ...]) -> FinalClass:
        total: Total = state[0]
        cards = min(state[1], self.counted)
        for hand, missing in zip(self.game.outcomes.special, state[3:], strict=True):
            if missing == ():
                name = "-".join(hand.dealer)
                return FinalClass(name, EndKind.SPECIAL, total.best, cards=cards)
        if state[2] == "natural":
            best = round(2 * self.game.natural.total)
            return FinalClass("natural", EndKind.NATURAL, best, cards=cards)
        if total.low > self.over:
            if self.game.dealer.on_22 == "push" and total.low == self.over // 2 * 2 + 2:
                return FinalClass(total_name(total.low), EndKind.PUSH, total.low)
            return FinalClass("bust", EndKind.BUST, 0)
        if self.counted:
            name = counted_name(total.best, cards, self.counted)
            return FinalClass(name, EndKind.TOTAL, total.best, cards=cards)
        return FinalClass(total_name(total.best), EndKind.TOTAL, total.best)

    def _label(self, state: tuple[Any, ...]) -> _Label:
        total: Total = state[0]
        draws = self._draws(state)
        shown = self._final(state).total if state[2] == "natural" else total.best
        return _Label(shown, total.soft, draws, None if draws else self._final(state))

    def _arrays(self, states: list[tuple[Any, ...]], moves: list[list[int]]) -> DealerAutomaton:
        labels = [self._label(state) for state in states]
        merged = equivalent(labels, moves)
        first = [merged.index(number) for number in range(max(merged) + 1)]
        rows = [[merged[t] if t >= 0 else NONE for t in moves[state]] for state in first]
        labels = [labels[state] for state in first]
        classes = tuple(
            sorted(
                {lb.final for lb in labels if lb.final},
                key=lambda c: (_ORDER.index(c.kind), c.total, c.cards),
            )
        )
        final = [classes.index(lb.final) if lb.final else NONE for lb in labels]
        return DealerAutomaton(
            start=merged[0],
            next=frozen(np.array(rows, dtype=np.int16)),
            draws=frozen(np.array([lb.draws for lb in labels], dtype=np.bool_)),
            final_class=frozen(np.array(final, dtype=np.int16)),
            total=frozen(np.array([lb.total for lb in labels], dtype=np.int16)),
            soft=frozen(np.array([lb.soft for lb in labels], dtype=np.bool_)),
            checks=frozen(self._checks()),
            natural=frozen(self._naturals()),
            ends=frozen(self._ends(rows, rows[merged[0]], final, len(classes))),
            classes=classes,
            looks=self._looks,
            shown=self.shown,
        )

    @property
    def _looks(self) -> int:
        """A second card that is still to come is as good as one that lies face down."""
        return self.game.deal.dealer_down if self.game.dealer.natural_cards == "any" else 1

    def _ends(
        self, rows: list[list[int]], after_up: list[int], final: list[int], classes: int
    ) -> npt.NDArray[np.bool_]:
        """For all that is shown the classes that can come when the check has found nothing."""
        found_out = self._naturals() & self._checks()[:, None]
        ends = np.zeros((len(self.shown), classes), dtype=np.bool_)
        for shown, up in enumerate(self.shown.up.tolist()):
            state = after_up[up]
            seconds = self.shown.seconds[shown]
            holes = [rows[state][down] for down in seconds if not found_out[up, down]]
            # Where the check has seen all down cards, none that makes a natural is drawn either.
            never = found_out[up] if self._looks > 1 else np.zeros_like(found_out[up])
            ends[shown, list(_finals(rows, final, holes, never))] = True
        return ends

    def _checks(self) -> npt.NDArray[np.bool_]:
        if self.shown.face_up:  # nothing is looked for: it is seen
            return np.asarray(self._naturals().any(axis=1))
        rule = self.game.dealer.checks
        looked_under = [
            (symbol.is_ace and rule != "none") or (symbol.makes_natural and rule == "ace-or-ten")
            for symbol in self.alphabet.symbols
        ]
        return np.array(looked_under, dtype=np.bool_)

    def _naturals(self) -> npt.NDArray[np.bool_]:
        aces = np.array([symbol.is_ace for symbol in self.alphabet.symbols], dtype=np.bool_)
        tens = np.array([symbol.makes_natural for symbol in self.alphabet.symbols], dtype=np.bool_)
        return np.outer(aces, tens) | np.outer(tens, aces)


def _finals(
    rows: list[list[int]], final: list[int], states: list[int], never: npt.NDArray[np.bool_]
) -> set[int]:
    """The final classes that can be reached from some states, without the symbols `never`."""
    seen = set(states)
    waiting = list(states)
    while waiting:
        state = waiting.pop()
        for target, is_out in zip(rows[state], never, strict=True):
            if target != NONE and not is_out and target not in seen:
                seen.add(target)
                waiting.append(target)
    return {final[state] for state in seen if final[state] != NONE}


_ORDER = [EndKind.BUST, EndKind.TOTAL, EndKind.PUSH, EndKind.SPECIAL, EndKind.NATURAL]
