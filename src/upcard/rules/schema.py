"""The vocabulary of game files: every key, its type, its default and what it means.

This module, with `wagers` and `index`, is the only place where a key is declared. The loader,
the checker, the page `docs/vocabulary.md` and the compiler all read these classes. A key with a
default may be left out of a game file: the default always means "this game does not have that
feature".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from upcard.rules.bonuses import BonusRules
from upcard.rules.hand_conditions import HandCondition
from upcard.rules.head import GameHead
from upcard.rules.index import Clause, Forbids, Option, Reading
from upcard.rules.prizes import HandPrize
from upcard.rules.section import (
    Cents,
    DealtOrOdds,
    Odds,
    Rank,
    ResultOrOdds,
    RuleSection,
    Share,
    SomeCents,
)
from upcard.rules.wagers import HandWager, Paytable, TableWager, Ties, Wager


class ShoeRules(RuleSection, frozen=True, kw_only=True):
    """The cards in play and how they are shuffled."""

    decks: Annotated[int, Meta(ge=1, le=8, description="52-card decks, before `removed`.")]
    removed: Annotated[
        tuple[Rank, ...], Meta(description="Ranks taken out of every deck, all four suits.")
    ] = ()
    shuffle: Annotated[
        Literal["cut-card", "every-round"],
        Meta(description="When the cards are shuffled: after the cut card, or before each round."),
    ]
    penetration: Annotated[
        float,
        Meta(gt=0, le=1, description="Share of the shoe dealt before the cut card comes up."),
    ] = 1.0
    cut_margin: Annotated[
        int, Meta(ge=0, description="Fewest cards between the cut card and either end.")
    ] = 0
    burn: Annotated[int, Meta(ge=0, le=10, description="Cards burned after a shuffle.")] = 0
    exhausted: Annotated[
        Literal["shuffle-discards", "cannot-happen"],
        Meta(
            description="What is done when the cards run out in the middle of a round. Stated, not "
            "chosen: they cannot where a round is dealt at once from a full shoe, else they can."
        ),
    ]


class CountRules(RuleSection, frozen=True, kw_only=True):
    """What cards count and when a hand is over."""

    ace: Annotated[
        tuple[int, int], Meta(description="The two values of an ace, the lower one first.")
    ]
    court: Annotated[int, Meta(ge=1, le=20, description="Value of ten, jack, queen and king.")]
    over: Annotated[
        float,
        Meta(gt=0, le=100, description="A total above this is over. Halves are allowed."),
    ]


class TableRules(RuleSection, frozen=True, kw_only=True):
    """Betting positions."""

    positions: Annotated[int, Meta(ge=1, le=50, description="Betting positions at the table.")]
    several_boxes: Annotated[
        bool, Meta(description="A player may wager at more than one position.")
    ] = False
    boxes: Annotated[
        int,
        Meta(
            ge=0,
            le=4,
            description="Boxes that every player has in a round, with equal base wagers; 0: as "
            "many as each likes.",
        ),
    ] = 0
    own_seat_first: Annotated[
        bool,
        Meta(description="Other positions are wagered at only along with the player's own seat."),
    ] = False
    empty_positions: Annotated[
        Literal["skipped", "dealt-and-discarded"],
        Meta(description="Whether positions without a wager still get cards."),
    ] = "skipped"


class Limits(RuleSection, frozen=True, kw_only=True):
    """What may be wagered, and how odd payoffs are rounded."""

    minimum: Annotated[Cents, Meta(description="Smallest wager on a spot, in cents.")] = 0
    maximum: Annotated[Cents, Meta(description="Largest wager on a spot, in cents; 0: none.")] = 0
    amounts: Annotated[
        tuple[Cents, ...], Meta(description="The only amounts allowed, in cents; empty: any.")
    ] = ()
    unit: Annotated[SomeCents, Meta(description="Wagers are multiples of this, in cents.")]
    posted: Annotated[
        Literal["here", "fee-schedule"],
        Meta(description="Where the limits stand: in this section or in the fee schedule."),
    ] = "here"
    added: Annotated[
        Literal["any", "printed"],
        Meta(
            description="What doubles for less and insurance may be: any multiple of the unit or "
            "chip, or `amounts` only."
        ),
    ] = "any"
    bonus_share: Annotated[
        Share | None,
        Meta(description="All bonus wagers of a player together, as a share of the base wager."),
    ] = None
    bonus_share_of: Annotated[
        Literal["box", "player"],
        Meta(
            description="Whether `bonus_share` binds each box, or all boxes of a player together."
        ),
    ] = "box"
    chip: Annotated[SomeCents, Meta(description="Payoffs are multiples of this, in cents.")]
    rounding: Annotated[
        Literal["down", "up", "nearest"],
        Meta(description="Where a payoff that no chip can pay exactly goes."),
    ]


class DealRules(RuleSection, frozen=True, kw_only=True):
    """The initial deal."""

    order: Annotated[
        Literal["passes", "by-position"],
        Meta(description="One card to everybody in turn, or all cards of a position at once."),
    ]
    starts: Annotated[
        Literal["dealers-left", "banks-left"],
        Meta(description="Who gets the first card, acts first and is settled first."),
    ]
    player_up: Annotated[int, Meta(ge=2, le=7, description="Player's cards dealt face up.")]
    player_down: Annotated[int, Meta(ge=0, le=7, description="Player's cards dealt face down.")] = 0
    dealer_up: Annotated[int, Meta(ge=1, le=2, description="Dealer's cards dealt face up.")]
    dealer_down: Annotated[
        int,
        Meta(
            ge=0,
            le=7,
            description="Dealer's cards dealt face down; 0: both lie face up, or the second comes "
            "after the turns.",
        ),
    ]
    community: Annotated[
        int,
        Meta(ge=0, le=5, description="Community cards, dealt only if an offered wager uses them."),
    ] = 0
    community_seen: Annotated[
        bool, Meta(description="Community cards lie face up while hands are played.")
    ] = False
    community_after: Annotated[
        Literal["dealer", "players"],
        Meta(description="Whose last card comes before the community cards."),
    ] = "dealer"
    rest_discarded: Annotated[
        bool,
        Meta(description="Behind the community cards the rest of the shoe is discarded."),
    ] = False


class Natural(RuleSection, frozen=True, kw_only=True):
    """The best hand: an ace and a ten-value card in the first two."""

    name: Annotated[str, Meta(description="What this game calls it.")]
    with_: Annotated[
        tuple[Rank, ...], Meta(description="Ranks that make it, together with an ace.")
    ] = msgspec.field(name="with")
    total: Annotated[float, Meta(gt=0, description="What it totals. Halves are allowed.")]
    pays: Annotated[Odds, Meta(description="Odds of a player's natural.")]
    against_natural: Annotated[
        ResultOrOdds,
        Meta(description="A player's natural against the dealer's: `push`, `loses`, or odds paid."),
    ]
    after_split: Annotated[
        bool, Meta(description="An ace with a ten-value card on a split hand is a natural.")
    ] = False


PaidOn22 = Literal["natural", "charlie", "21", "two-tens", "two-aces", "doubled"]
PAID_ON_22: tuple[PaidOn22, ...] = ("natural", "charlie")
"""Hands that a dealer's 22 spares where nothing else is said."""


class DealerRules(RuleSection, frozen=True, kw_only=True):
    """How the dealer's hand is played."""

    stands_on: Annotated[int, Meta(ge=2, le=30, description="The dealer hits below this total.")]
    soft17: Annotated[
        Literal["stand", "hit"],
        Meta(description="What the dealer does on a soft total of exactly `stands_on`."),
    ]
    stands_at_cards: Annotated[
        int, Meta(ge=0, le=12, description="The dealer stands on this many cards; 0: no limit.")
    ] = 0
    checks: Annotated[
        Literal["ace-or-ten", "ace", "none"],
        Meta(description="Up cards under which the dealer looks for a natural before play."),
    ]
    tells: Annotated[
        tuple[tuple[Rank, ...], ...],
        Meta(
            description="Groups of ranks, of which the dealer tells before play which one the "
            "down card belongs to; none: nothing is told."
        ),
    ] = ()
    natural_cards: Annotated[
        Literal["first", "any"],
        Meta(description="Down cards that make a natural with the up card: the first, or any."),
    ] = "first"
    late_natural_takes: Annotated[
        Literal["all", "original", "original-and-busted", "each-original"],
        Meta(
            description="What a natural found only at the end takes: everything; just the box's "
            "original wager; that and all that is wagered on hands over; or of every hand the "
            "wager that it began with, and of hands over everything."
        ),
    ]
    on_22: Annotated[
        Literal["bust", "push"],
        Meta(description="Whether a dealer's total one above the limit is over or a push."),
    ] = "bust"
    paid_on_22: Annotated[
        tuple[PaidOn22, ...],
        Meta(
            description="Player's hands that are paid all the same where `on_22` pushes: naturals, "
            "hands that win by their cards, the best drawn total, two ten-value cards or two aces "
            "as first cards that were not split, doubled hands."
        ),
    ] = PAID_ON_22
    draws_from: Annotated[
        Literal["shoe", "own-cards"],
        Meta(description="Where the dealer's further cards come from."),
    ] = "shoe"
    finishes: Annotated[
        Literal["if-it-matters", "always"],
        Meta(
            description="Whether the dealer's hand is completed when no wager depends on it any "
            "more."
        ),
    ] = "if-it-matters"


class PlayerRules(RuleSection, frozen=True, kw_only=True):
    """What every player's hand is bound to."""

    stands_at: Annotated[
        int, Meta(ge=0, le=30, description="A hand of this total stands by itself; 0: never.")
    ] = 0
    must_stand_hard: Annotated[
        int, Meta(ge=0, le=30, description="A hard total from which players must stand; 0: none.")
    ] = 0
    must_stand_takes: Annotated[
        Literal["hit", "hit-and-double"],
        Meta(description="What `must_stand_hard` takes away."),
    ] = "hit"
    stands_at_cards: Annotated[
        int, Meta(ge=0, le=12, description="A hand of this many cards must stand; 0: no limit.")
    ] = 0
    charlie: Annotated[
        int, Meta(ge=0, le=12, description="A hand of this many cards not over wins; 0: none.")
    ] = 0
    hit_cards: Annotated[
        Literal["shoe", "own-cards-picked", "own-cards-in-order"],
        Meta(description="Where hit cards come from: the shoe, or the hand's own down cards."),
    ] = "shoe"


class DoubleRules(RuleSection, frozen=True, kw_only=True):
    """Doubling down."""

    on: Annotated[
        Literal["any-two", "9-11", "9-11-soft", "10-11", "any-count", "none"],
        Meta(
            description="Hands that may double: totals of two cards, hard ones or also soft 19 and "
            "20, or any number of cards."
        ),
    ] = "none"
    only: Annotated[
        tuple[HandCondition, ...],
        Meta(
            description="Of the hands that `on` names, those that may double: each meets one of "
            "these conditions; empty: all."
        ),
    ] = ()
    after_split: Annotated[bool, Meta(description="Split hands may double.")] = False
    for_less: Annotated[bool, Meta(description="The added wager may be smaller.")] = False
    times: Annotated[
        int, Meta(ge=1, le=3, description="Doubles in all; each doubles the total wager.")
    ] = 1
    aces: Annotated[
        Literal["either", "one"],
        Meta(
            description="Whether aces of a hand that doubles may go on counting high, or count "
            "their lower value from then on; an ace that comes later may count high."
        ),
    ] = "either"
    rescue: Annotated[
        bool,
        Meta(description="After doubling, the last doubled portion may be taken back."),
    ] = False
    free_on: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=30)], ...],
        Meta(
            description="Hard totals that the house doubles: it stakes a marker as large as the "
            "wager, which wins like money and cannot be lost. Empty: none."
        ),
    ] = ()
    free_cards: Annotated[
        Literal["two", "any"],
        Meta(description="Cards of a hand that the house doubles: two, or any number."),
    ] = "two"


class SplitRules(RuleSection, frozen=True, kw_only=True):
    """Splitting pairs."""

    on: Annotated[
        Literal["value", "rank", "none"],
        Meta(description="Two cards that may be split: equal value, or equal rank."),
    ] = "none"
    never: Annotated[
        tuple[Rank, ...], Meta(description="Ranks of which a pair may not be split.")
    ] = ()
    max_hands: Annotated[int, Meta(ge=1, le=4, description="Hands of one box, at most.")] = 1
    resplit_aces: Annotated[bool, Meta(description="Aces may be split more than once.")] = False
    aces: Annotated[
        Literal["one-card", "draw"],
        Meta(description="Whether split aces get one card each or are drawn to."),
    ] = "draw"
    free: Annotated[
        tuple[Rank, ...],
        Meta(
            description="Ranks whose pairs the house splits: the new hand gets its marker in the "
            "place of a wager, and the player's wager stays on the box's first hand. Empty: none."
        ),
    ] = ()
    free_times: Annotated[
        int,
        Meta(
            ge=0,
            le=3,
            description="How many splits of a box the house stakes, the first ones; further ones "
            "are with the player's own money. 0: all of them.",
        ),
    ] = 0


class SurrenderRules(RuleSection, frozen=True, kw_only=True):
    """Giving up a hand."""

    when: Annotated[
        Literal["none", "late", "early", "both"],
        Meta(
            description="After the dealer's check for a natural, before it, or before it and, if "
            "declined, after it too."
        ),
    ] = "none"
    only: Annotated[
        tuple[HandCondition, ...],
        Meta(
            description="The hands that may surrender: each meets one of these conditions; empty: "
            "all."
        ),
    ] = ()
    after_split: Annotated[
        bool, Meta(description="Split hands may surrender in their turn, split aces apart.")
    ] = False
    split_aces: Annotated[bool, Meta(description="Split aces may surrender in their turn.")] = False
    on: Annotated[
        Literal["first-two", "any-count"],
        Meta(description="The first two cards only, or any number of cards not over."),
    ] = "first-two"
    after_double: Annotated[
        bool, Meta(description="A doubled hand may surrender, all that it has at stake.")
    ] = False
    forfeits: Annotated[Share, Meta(description="Share of the wager that is lost.")] = "1/2"
    unchecked_natural: Annotated[
        Literal["takes-all", "takes-forfeit"],
        Meta(
            description="A surrender after the check, or where none was due, and then a dealer's "
            "natural that no check had found."
        ),
    ] = "takes-all"


class InsuranceRules(RuleSection, frozen=True, kw_only=True):
    """A wager on the dealer's natural."""

    offered: Annotated[bool, Meta(description="Whether it is offered.")] = False
    up: Annotated[tuple[Rank, ...], Meta(description="Up cards under which it is offered.")] = ()
    at_most: Annotated[Share, Meta(description="Largest share of the base wager.")] = "1/2"
    pays: Annotated[Odds, Meta(description="Odds if the dealer has a natural.")] = "2:1"
    pays_under: Annotated[
        dict[Rank, Odds],
        Meta(description='Up cards under which it has odds of its own, such as `K = "1:1"`.'),
    ] = {}


class SpecialHand(RuleSection, frozen=True, kw_only=True):
    """A dealer's hand with a result of its own."""

    dealer: Annotated[tuple[Rank, ...], Meta(description="The ranks it is made of, all of them.")]
    player: Annotated[Literal["over"], Meta(description="The player's hands that it concerns.")]
    result: Annotated[Literal["push", "wins"], Meta(description="What they get.")]


class Outcomes(RuleSection, frozen=True, kw_only=True):
    """Who wins the base wager."""

    win_pays: Annotated[Odds, Meta(description="Odds of an ordinary win.")]
    tie: Annotated[
        Literal["push", "wins", "loses", "costs"],
        Meta(description="Equal totals: for the player a push, a win, a loss, or a fixed cost."),
    ]
    tie_costs: Annotated[Cents, Meta(description="What a tie costs the player, in cents.")] = 0
    tie_costs_per: Annotated[
        Literal["hand", "player"],
        Meta(description="Whether each tied hand costs it, or all of a player's once."),
    ] = "hand"
    tie_at_21: Annotated[
        Literal["tie", "wins"],
        Meta(description="Both drawn to the best total short of a natural."),
    ] = "tie"
    ties_at: Annotated[
        dict[str, Literal["push", "wins", "loses"]],
        Meta(
            description="Totals at which a tie has another result than `tie`, such as "
            '`17 = "loses"`.'
        ),
    ] = {}
    both_over: Annotated[
        Literal["loses", "push"], Meta(description="Player and dealer are both over.")
    ] = "loses"
    dealer_natural_against_21: Annotated[
        Literal["wins", "ties", "loses"],
        Meta(description="A dealer's natural against a player's drawn 21."),
    ] = "wins"
    special: Annotated[
        tuple[SpecialHand, ...], Meta(description="Dealer's hands with a result of their own.")
    ] = ()


class ExchangeRules(RuleSection, frozen=True, kw_only=True):
    """Cards that players exchange: with the shoe, or between two boxes."""

    cards: Annotated[
        Literal["none", "second-cards", "bonus-cards", "hand"],
        Meta(
            description="What a player may exchange: nothing; the second cards of both boxes with "
            "each other; a bonus card, which is traded for the next card and a light; or both "
            "first cards for the next two."
        ),
    ] = "none"
    when: Annotated[
        Literal["before-insurance", "after-check", "own-turn"],
        Meta(
            description="When first cards are exchanged: second cards after the dealer's check, "
            "bonus cards before insurance or in the player's own turn, a whole hand as the first "
            "decision of the own turn."
        ),
    ] = "after-check"
    only: Annotated[
        tuple[HandCondition, ...],
        Meta(description="First two cards that may be exchanged as a hand; none named: any."),
    ] = ()
    again: Annotated[
        bool,
        Meta(description="What came by an exchange may be exchanged again; a hand never is."),
    ] = True
    on_double: Annotated[
        bool, Meta(description="A bonus card drawn on a double may be traded.")
    ] = True
    first_two: Annotated[
        Literal["each", "one"],
        Meta(description="Two bonus cards as first cards: each may be traded, or only one."),
    ] = "each"
    makes_natural: Annotated[
        bool, Meta(description="A natural may be made with a card that came by an exchange.")
    ] = False
    natural_pays: Annotated[
        DealtOrOdds,
        Meta(
            description="What a natural pays that the exchange of a hand has made: `as-dealt`, or "
            "odds at which it wins at once, whatever the dealer gets."
        ),
    ] = "as-dealt"


class BonusCard(RuleSection, frozen=True, kw_only=True):
    """A marked card that gives lights: for a trade, or where none are traded by itself."""

    cards: Annotated[tuple[str, ...], Meta(description="The marked cards of every deck.")]


class LightRules(RuleSection, frozen=True, kw_only=True):
    """What lasts between rounds: lights towards a prize."""

    count: Annotated[int, Meta(ge=1, le=100, description="Lights that win the prize.")]
    prize: Annotated[Cents, Meta(description="The prize, in cents; its value if it is no money.")]
    prize_name: Annotated[
        str, Meta(description="What the prize is, such as `a weekend for two`; empty: money.")
    ] = ""
    surplus: Annotated[
        Literal["carries", "lost"],
        Meta(description="Further lights in the round that won the prize."),
    ]
    belong_to: Annotated[
        Literal["player-at-position", "player"],
        Meta(description="Whether a player on two boxes has two sets or one."),
    ]
    on_leaving: Annotated[
        Literal["lost"],
        Meta(description="When a player leaves, unless they go along on a card."),
    ]
    players_card: Annotated[
        bool, Meta(description="A leaving player may take the lights on a punched card.")
    ]


class BankRules(RuleSection, frozen=True, kw_only=True):
    """Who pays and collects."""

    by: Annotated[Literal["house", "player-dealer"], Meta(description="Who banks the game.")]
    turns: Annotated[
        int, Meta(ge=0, le=10, description="Hands before the bank is offered to the next player.")
    ] = 0
    offered: Annotated[
        Literal["never", "clockwise"],
        Meta(
            description="How the bank goes round the table. Stated, not chosen: a player-dealer's "
            "goes clockwise, the house's never."
        ),
    ] = "never"
    button: Annotated[
        bool,
        Meta(
            description="A button shows which player banks, and which turn. Stated, not chosen: "
            "every table with a player-dealer shows it."
        ),
    ] = False
    cover: Annotated[
        Literal["full", "limited"],
        Meta(description="Whether the bank covers every wager or only what it put up."),
    ] = "full"
    cover_measure: Annotated[
        Literal["net", "each-way", "exhausted-ends", "by-wagers"],
        Meta(
            description="Of a limited bank: its running net; gains and losses each by itself; the "
            "running net, until all is paid out; or the amounts wagered."
        ),
    ] = "net"
    natural_paid: Annotated[
        Literal["in-order", "at-once"],
        Meta(
            description="Of a limited bank: a player's natural in its place of the order, or "
            "before all others."
        ),
    ] = "in-order"
    order: Annotated[
        tuple[str, ...], Meta(description="Order of a seat's wagers when the bank settles.")
    ] = ("base",)
    action_from: Annotated[
        Literal["first-seat", "action-button"],
        Meta(description="Where settlement starts if the bank cannot cover every wager."),
    ] = "first-seat"
    backline: Annotated[
        Literal["none", "may-stay", "must-match"],
        Meta(description="Wagers on another player's spot, and what they do at a double or split."),
    ] = "none"
    proposition_players: Annotated[
        bool, Meta(description="Hired players may play and bank, marked as such.")
    ] = False


class Fees(RuleSection, frozen=True, kw_only=True):
    """Collection fees."""

    book: Annotated[str, Meta(description="A packaged fee book, or a path beside the game file.")]
    schedule: Annotated[int, Meta(ge=1, description="The schedule in force.")]
    players_by: Annotated[
        Literal["base", "base-and-bonus"],
        Meta(description="The wager by which a per-player fee is found."),
    ]
    players_per: Annotated[
        Literal["circle", "player"],
        Meta(
            description="A per-player fee is due for every circle, or once for all of a player's "
            "wagers together."
        ),
    ] = "circle"
    on_added_wagers: Annotated[
        bool, Meta(description="Doubles and splits pay a fee of their own.")
    ] = False
    resolution: Annotated[
        Literal["refuse", "lower-fee", "higher-fee", "nothing"],
        Meta(
            description="What to charge where the printed schedule gives no single fee; `nothing` "
            "is for amounts without a row, and two rows for one are refused."
        ),
    ] = "refuse"


class Irregularities(RuleSection, frozen=True, kw_only=True):
    """Remedies for mistakes of the deal."""

    face_up_card: Annotated[
        Literal["not-used"], Meta(description="A card found face up in the shoe.")
    ]
    drawn_in_error: Annotated[
        Literal["burned"], Meta(description="A card drawn for a dealer who must stand.")
    ]
    no_cards: Annotated[Literal["dead"], Meta(description="A hand that was dealt no card.")]
    one_card: Annotated[
        Literal["second-after-others"], Meta(description="A hand that was dealt only one card.")
    ]


class Floor(RuleSection, frozen=True, kw_only=True):
    """What people at the table are shown or told; no effect on odds."""

    layout: Annotated[str | None, Meta(description="What the layout must show.")] = None
    equipment: Annotated[str | None, Meta(description="Equipment.")] = None
    marking: Annotated[str | None, Meta(description="How cards of the deck are marked.")] = None
    seating: Annotated[str | None, Meta(description="Who sits where.")] = None
    handling: Annotated[str | None, Meta(description="Who touches the cards.")] = None
    placement: Annotated[str | None, Meta(description="Where cards lie.")] = None
    next_round: Annotated[str | None, Meta(description="When the next round begins.")] = None
    conduct: Annotated[str | None, Meta(description="What is said of players' conduct.")] = None
    signage: Annotated[
        tuple[Literal["name", "limits", "fees", "paytables"], ...],
        Meta(description="What the sign at the table shows."),
    ] = ()
    rates: Annotated[str | None, Meta(description="What is said of rates and limits.")] = None
    notice: Annotated[str | None, Meta(description="A notice of the authorities.")] = None
    house: Annotated[str | None, Meta(description="The part the house has.")] = None
    third_parties: Annotated[str | None, Meta(description="Who else may play.")] = None
    lights: Annotated[str | None, Meta(description="Where lights are and who switches them.")] = (
        None
    )
    players_card: Annotated[
        str | None, Meta(description="What is said of players' cards, where they are used.")
    ] = None
    empty_positions: Annotated[str | None, Meta(description="How empty positions look.")] = None
    signals: Annotated[
        dict[Literal["hit", "stand", "rule"], str],
        Meta(description="Hand signals by action, and the rule about them."),
    ] = {}


class GameRules(GameHead, frozen=True, kw_only=True):
    """A game file."""

    shoe: ShoeRules
    count: CountRules
    table: TableRules
    limits: Limits
    deal: DealRules
    natural: Natural
    dealer: DealerRules
    player: PlayerRules
    double: DoubleRules = DoubleRules()
    split: SplitRules = SplitRules()
    surrender: SurrenderRules = SurrenderRules()
    insurance: InsuranceRules = InsuranceRules()
    outcomes: Outcomes
    bonuses: BonusRules | None = None
    prizes: dict[str, HandPrize] = {}
    exchange: ExchangeRules = ExchangeRules()
    bonus_card: BonusCard | None = None
    lights: LightRules | None = None
    wagers: dict[str, Wager]
    ties: Ties | None = None
    paytables: dict[str, Paytable] = {}
    bank: BankRules
    fees: Fees | None = None
    irregularities: Irregularities | None = None
    floor: Floor = Floor()

    clauses: dict[str, Clause] = {}
    options: dict[str, Option] = {}
    readings: dict[str, Reading] = {}
    fixed: Annotated[
        dict[str, tuple[str, ...]],
        Meta(
            description="Options of the extended game, or of many games, that this one does not "
            "have, and the clauses why."
        ),
    ] = {}
    assumed: Annotated[
        dict[str, str], Meta(description="Keys no clause speaks of, and why they are as they are.")
    ] = {}
    forbids: Annotated[
        tuple[Forbids, ...], Meta(description="Combinations that clauses rule out.")
    ] = ()


INDEX = ("clauses", "options", "readings", "fixed", "assumed", "forbids")
"""Top-level keys that speak about values rather than being values of the rules."""

OPTION_KEYS: Mapping[str, str] = {
    "decks": "shoe.decks",
    "soft17": "dealer.soft17",
    "natural": "natural.pays",
    "peek": "dealer.checks",
    "late_natural_takes": "dealer.late_natural_takes",
    "double": "double.on",
    "double_after_split": "double.after_split",
    "double_for_less": "double.for_less",
    "double_double": "double.times",
    "split": "split.on",
    "max_hands": "split.max_hands",
    "resplit_aces": "split.resplit_aces",
    "split_aces": "split.aces",
    "surrender": "surrender.when",
    "surrender_after_split": "surrender.after_split",
    "insurance": "insurance.offered",
    "dealer_22": "dealer.on_22",
    "charlie": "player.charlie",
    "penetration": "shoe.penetration",
    "trade": "exchange.cards",
    "players_card": "lights.players_card",
    "prize": "lights.prize",
    "fee_schedule": "fees.schedule",
    "positions": "table.positions",
    "redouble": "double.times",
    "bonus_after_split": "bonuses.after_split",
}
"""Options with a name of their own across games, and the key each of them turns."""


def offered_prizes(game: GameRules) -> tuple[HandPrize, ...]:
    """The prizes that hands of this game can win."""
    return tuple(prize for prize in game.prizes.values() if prize.offered)


def offered_wagers(game: GameRules) -> tuple[str, ...]:
    """Ids of the wagers that a table of this game takes, the main wager first."""
    found = []
    for wager_id, wager in game.wagers.items():
        offered = isinstance(wager, HandWager) or wager.offered
        if isinstance(wager, TableWager) and wager.paytable == "none":
            offered = False
        if offered:
            found.append(wager_id)
        if wager_id == "base" and game.insurance.offered:
            found.append("insurance")
    return tuple(found)
