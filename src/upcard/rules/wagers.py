"""The vocabulary of wagers and pay tables."""

from __future__ import annotations

from typing import Annotated, Literal, cast

import msgspec
from msgspec import Meta

from upcard.rules.card_wagers import CardWager
from upcard.rules.section import Cents, Odds, RuleSection


class HandWager(RuleSection, frozen=True, kw_only=True, tag_field="settles", tag="hand"):
    """The main wager, which every box has: the player's hand against the dealer's."""

    name: Annotated[str, Meta(description="What the layout calls it.")]
    maximum: Annotated[
        Cents, Meta(description="Its own upper limit, in cents; 0: the table's.")
    ] = 0


class TieWager(RuleSection, frozen=True, kw_only=True, tag_field="settles", tag="tie"):
    """A wager that player and dealer end with the same total; see `ties`."""

    name: Annotated[str, Meta(description="What the layout calls it.")]
    offered: Annotated[bool, Meta(description="Whether the table offers it.")] = True
    ties: Annotated[
        tuple[int | Literal["natural"], ...], Meta(description="Totals at which a tie wins.")
    ]
    pays: Annotated[Odds, Meta(description="Odds of the tie.")]
    maximum: Annotated[
        Cents, Meta(description="Its own upper limit, in cents; 0: the table's.")
    ] = 0


class Ties(RuleSection, frozen=True, kw_only=True):
    """What holds for every wager on a tie."""

    needs: Annotated[str, Meta(description="The wager that must be placed with them.")]
    hands: Annotated[
        Literal["first", "each"],
        Meta(
            description="Which of a box's hands they go by: the first; or each hand of a split has "
            "its own, and a split puts up one more of every such wager, equal to the hand's."
        ),
    ]
    over: Annotated[Literal["loses", "push"], Meta(description="When that hand is over.")]
    surrendered: Annotated[
        Literal["loses", "push"], Meta(description="When that hand was surrendered.")
    ]
    split_ten_ace: Annotated[
        Literal["21", "none"],
        Meta(description="What an ace dealt to a split ten-value card ties as."),
    ]
    charlie: Annotated[
        Literal["ties", "none"],
        Meta(description="Whether a hand that won by its number of cards ties an equal total."),
    ] = "none"


class TableWager(RuleSection, frozen=True, kw_only=True, tag_field="settles", tag="paytable"):
    """A wager on cards, whoever wins the hand."""

    name: Annotated[str, Meta(description="What the layout calls it.")]
    offered: Annotated[bool, Meta(description="Whether the table offers it.")] = True
    needs: Annotated[str, Meta(description="A wager that must be placed with it.")] = "base"
    paytable: Annotated[str, Meta(description='The pay table in use, or "none".')]
    after_bust: Annotated[
        Literal["stays", "lost"], Meta(description="What becomes of it when the hand is over.")
    ]
    settled: Annotated[
        Literal["with-base", "after-game"], Meta(description="When it is paid or collected.")
    ]
    maximum: Annotated[
        Cents, Meta(description="Its own upper limit, in cents; 0: the table's.")
    ] = 0


class ShowdownWager(RuleSection, frozen=True, kw_only=True, tag_field="settles", tag="showdown"):
    """The player's poker hand against the dealer's."""

    name: Annotated[str, Meta(description="What the layout calls it.")]
    offered: Annotated[bool, Meta(description="Whether the table offers it.")] = True
    needs: Annotated[str, Meta(description="A wager that must be placed with it.")] = "base"
    pays: Annotated[Odds, Meta(description="Odds of the better hand.")]
    qualifies: Annotated[
        Literal["king-high", "pair-of-kings", "any"],
        Meta(description="The least hand with which the dealer plays; otherwise a push."),
    ]
    tie: Annotated[Literal["push", "loses"], Meta(description="Equal hands.")]
    after_bust: Annotated[
        Literal["stays", "lost"], Meta(description="What becomes of it when the hand is over.")
    ]
    settled: Annotated[
        Literal["with-base", "after-game"], Meta(description="When it is paid or collected.")
    ]
    maximum: Annotated[
        Cents, Meta(description="Its own upper limit, in cents; 0: the table's.")
    ] = 0


Wager = HandWager | TieWager | TableWager | ShowdownWager | CardWager

Rows = tuple[tuple[str, int], ...]
Decks = Literal["1", "2", "3", "4", "5", "6", "7", "8"]
"""A number of decks as the key of a table."""


class Paytable(RuleSection, frozen=True, kw_only=True):
    """Rows of a wager on cards."""

    name: Annotated[
        str, Meta(description="What the source calls the wager by this pay table; empty: its name.")
    ] = ""
    cards: Annotated[
        Literal["own", "own-and-community", "first-two-and-up-card", "first-two-and-dealers-two"],
        Meta(description="The cards it looks at."),
    ]
    by: Annotated[
        Literal["poker", "low", "match"],
        Meta(description="How hands are ranked: poker, low poker, or ranks equal to the dealer's."),
    ]
    low: Annotated[
        Literal["deuce-to-seven", "deuce-to-six", "ace-to-six", "ace-to-five"],
        Meta(
            description="The ranking of low hands: `ace-` aces are low, `deuce-` high; straights "
            "and flushes spoil a hand in `deuce-to-seven` and `ace-to-six`."
        ),
    ] = "deuce-to-seven"
    quoted: Annotated[
        Literal["to-1", "for-1"],
        Meta(description="Whether the figures are without or with the stake."),
    ]
    overlap: Annotated[
        Literal["highest", "poker-first", "both"],
        Meta(description="A hand that fits a poker row and a row by the sum of its cards."),
    ] = "highest"
    rows: Annotated[Rows, Meta(description="Event and figure, best event first.")]
    names: Annotated[
        tuple[tuple[str, str], ...],
        Meta(description="Events with a name of their own in the source, and that name."),
    ] = ()
    printed_for: Annotated[
        int,
        Meta(ge=0, le=8, description="Decks that the source prints `rows` for; 0: any number."),
    ] = 0
    rows_by_decks: Annotated[
        dict[Decks, Rows], Meta(description="Rows for other numbers of decks, in place of `rows`.")
    ] = msgspec.field(default_factory=dict)

    def __hash__(self) -> int:
        # The compiler keeps what it made of a pay table, and a table of rows has no hash.
        return hash(msgspec.json.encode(self))

    def with_decks(self, decks: int) -> Paytable:
        """The pay table with the rows that are paid with so many decks."""
        return msgspec.structs.replace(
            self, rows=dict(self.rows_by_decks).get(_key(decks), self.rows)
        )

    def assumed_with(self, decks: int) -> bool:
        """Whether rows that the source prints for another number of decks serve these."""
        return self.printed_for not in (0, decks) and _key(decks) not in self.rows_by_decks


def _key(decks: int) -> Decks:
    return cast("Decks", str(decks))
