"""Which cards a wager on the dealer's final hand, and the dealer's rules, tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from upcard.cards import RANKS
from upcard.compile.alphabet import Alphabet
from upcard.compile.card_rows import CardRows
from upcard.compile.dealer import DealerAutomaton


@dataclass(frozen=True)
class DealerGroups:
    """Ranks in groups, and what rows ask of them."""

    dealer: DealerAutomaton
    alphabet: Alphabet
    rows: CardRows

    @cached_property
    def by_suit(self) -> bool:
        """Whether a row asks for suits."""
        conditions = self.rows.conditions
        return any(c.suits is not None or c.alike == "rank-and-suit" for c in conditions)

    @cached_property
    def by_up(self) -> bool:
        """Whether a row asks for the up card."""
        return any(c.up is not None for c in self.rows.conditions)

    @cached_property
    def by_last(self) -> bool:
        """Whether a row asks for the last card."""
        return any(c.last is not None for c in self.rows.conditions)

    @cached_property
    def by_each_rank(self) -> bool:
        """Whether a row asks for equal ranks, whichever they are."""
        return any(c.alike is not None or c.pair is not None for c in self.rows.conditions)

    @cached_property
    def listed(self) -> tuple[Sequence[str], ...]:
        """Ranks that rows ask for by a list of them."""
        found: list[Sequence[str]] = []
        for c in self.rows.conditions:
            of_has = c.has.ranks if c.has is not None else None
            found += [ranks for ranks in (c.ranks, c.only, of_has) if ranks]
        return tuple(found)

    @cached_property
    def group_of(self) -> tuple[int, ...]:
        """Every rank's group: ranks that neither the dealer's rules nor the rows tell apart.

        A rank that the deck lacks has none, -1.
        """
        dealer, alphabet = self.dealer, self.alphabet
        ends = [ranks for c in self.rows.conditions for ranks in (c.up, c.last) if ranks]
        seen: dict[object, int] = {}
        groups = []
        for number, rank in enumerate(RANKS):
            if alphabet.of_card[number] < 0:
                groups.append(-1)
                continue
            symbol = int(alphabet.plain[alphabet.of_card[number]])
            key = (
                dealer.next[:, symbol].tobytes(),
                dealer.natural[symbol].tobytes(),
                bool(dealer.checks[symbol]),
                tuple(rank in ranks for ranks in (*self.listed, *ends)),
                int(self.rows.counting.values[number]),
                rank if self.by_each_rank else "",
            )
            groups.append(seen.setdefault(key, len(seen)))
        return tuple(groups)

    @cached_property
    def members(self) -> tuple[int, ...]:
        """One rank of every group."""
        return tuple(self.group_of.index(n) for n in range(max(self.group_of) + 1))

    @cached_property
    def symbols(self) -> tuple[int, ...]:
        """The symbol that every group plays as."""
        alphabet = self.alphabet
        return tuple(int(alphabet.plain[alphabet.of_card[rank]]) for rank in self.members)
