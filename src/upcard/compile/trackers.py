"""Little automata that each watch one thing about a hand; a hand is their product."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple, Protocol

from upcard.compile.alphabet import Symbol
from upcard.compile.ends import EndKind
from upcard.rules.bonuses import BonusRules, fits

State = Any
MADE = "made"
"""What the states of a natural begin with that the exchange of a hand may make, paid by a rule of
its own.
"""


class Tracker(Protocol):
    """Watches the cards of a hand one by one."""

    def start(self, *, split: bool) -> State:
        """The state before any card, of an initial hand or of one that comes from a split."""

    def step(self, state: State, symbol: Symbol, *, replaced: bool) -> State:
        """The state after a card; `replaced` if it came by a trade."""


class Total(NamedTuple):
    """Sum with every ace low, and whether one ace may count high. In half points."""

    low: int
    best: int
    soft: bool


class TotalTracker:
    """The total and whether it is soft."""

    def __init__(self, *, over: int) -> None:
        self.over = over

    def start(self, *, split: bool) -> Total:
        return Total(0, 0, soft=False)

    def step(self, state: Total, symbol: Symbol, *, replaced: bool) -> Total:
        raised = state.best - state.low if state.soft else 0
        low = state.low + symbol.low
        for gain in (raised, symbol.high - symbol.low):
            if gain and low + gain <= self.over:
                return Total(low, low + gain, soft=True)
        return Total(low, low, soft=False)


class CountTracker:
    """The number of cards, as far as any rule counts them."""

    def __init__(self, *, most: int) -> None:
        self.most = most

    def start(self, *, split: bool) -> int:
        return 0

    def step(self, state: int, symbol: Symbol, *, replaced: bool) -> int:
        return min(state + 1, self.most)


class PairTracker:
    """Whether the first two cards are a pair: None, one card's group, a pair's, or no pair."""

    def start(self, *, split: bool) -> tuple[str, str]:
        return ("none", "")

    def step(self, state: tuple[str, str], symbol: Symbol, *, replaced: bool) -> tuple[str, str]:
        match state:
            case ("none", _):
                return ("one", symbol.pair_group)
            case ("one", group) if group == symbol.pair_group:
                return ("pair", group)
            case _:
                return ("over", "")


class NaturalTracker:
    """Whether the first two cards are a natural, or others that are told apart: an ace dealt to a
    split ten-value card, two ten-value cards or two aces.
    """

    def __init__(
        self,
        *,
        after_split: bool,
        after_trade: bool,
        split_ten_apart: bool,
        alike_apart: Collection[str] = (),
    ) -> None:
        self.after_split = after_split
        self.after_trade = after_trade
        self.split_ten_apart = split_ten_apart
        self.alike_apart = alike_apart

    def start(self, *, split: bool) -> str:
        return "split" if split else "initial"

    def step(self, state: str, symbol: Symbol, *, replaced: bool) -> str:
        if replaced and not self.after_trade:
            return "no"
        kind = "ace" if symbol.is_ace else "ten" if symbol.makes_natural else ""
        if state.startswith(MADE) and state != EndKind.MADE_NATURAL:
            return self._made(state, kind)
        match state:
            case "initial":
                return kind or "no"
            case "split":
                return self._split_start(kind)
            case "ace" | "ten":
                if {state, kind} == {"ace", "ten"}:
                    return "natural"
                alike = f"two-{kind}s"
                return alike if state == kind and alike in self.alike_apart else "no"
            case "split-ten":
                return "split-ten-ace" if kind == "ace" else "no"
            case _:
                return "no"

    @staticmethod
    def _made(state: str, kind: str) -> str:
        """A hand that came by an exchange: another kind of natural."""
        if state == MADE:
            return f"{MADE}-{kind}" if kind else "no"
        return EndKind.MADE_NATURAL if kind and state != f"{MADE}-{kind}" else "no"

    def _split_start(self, kind: str) -> str:
        if kind and self.after_split:
            return kind
        return "split-ten" if kind == "ten" and self.split_ten_apart else "no"


class SpecialTracker:
    """How much of a hand named rank by rank is there, and nothing else."""

    def __init__(self, ranks: tuple[str, ...]) -> None:
        self.ranks = tuple(sorted(ranks))

    def start(self, *, split: bool) -> tuple[str, ...] | None:
        return self.ranks

    def step(
        self,
        state: tuple[str, ...] | None,
        symbol: Symbol,
        *,
        replaced: bool,
    ) -> tuple[str, ...] | None:
        if state is None or symbol.ranks not in state:
            return None
        missing = list(state)
        missing.remove(symbol.ranks)
        return tuple(missing)


Missing = tuple[str, ...] | None
"""The ranks that a named hand still lacks; None where it can no longer be that hand."""


class NamedHands(NamedTuple):
    """What is there of hands that bonuses name by their ranks; `barred` if none is paid."""

    missing: tuple[Missing, ...]
    barred: bool


class BonusTracker:
    """How much of the hands that bonuses name by their ranks is there, and nothing else.

    Where split hands get no bonus they are followed all the same: they are played like the same
    cards without a split, and so are told apart like them.
    """

    def __init__(self, rules: BonusRules | None) -> None:
        self.rules = rules
        rows = rules.rows if rules else ()
        self.named = tuple(dict.fromkeys(tuple(sorted(r.ranks)) for r in rows if r.ranks))

    def start(self, *, split: bool) -> NamedHands:
        barred = self.rules is not None and split and not self.rules.after_split
        return NamedHands(self.named, barred)

    def step(self, state: NamedHands, symbol: Symbol, *, replaced: bool) -> NamedHands:
        missing = tuple(_without(one, symbol) for one in state.missing)
        return state._replace(missing=missing)

    def rows(
        self,
        state: NamedHands,
        *,
        total: float,
        cards: int,
        natural: bool,
    ) -> tuple[int, ...]:
        """The rows that a hand fits whatever its suits, up to the first that asks for none."""
        if state.barred or self.rules is None:
            return ()
        found = []
        for number, row in enumerate(self.rules.rows):
            if row.natural != natural or not fits(row.total, total) or not fits(row.cards, cards):
                continue
            if row.ranks and state.missing[self.named.index(tuple(sorted(row.ranks)))] != ():
                continue
            found.append(number)
            if row.suits is None:
                break
        return tuple(found)


def _without(missing: Missing, symbol: Symbol) -> Missing:
    if missing is None or symbol.ranks not in missing:
        return None
    left = list(missing)
    left.remove(symbol.ranks)
    return tuple(left)
