"""The state of a table: immutable, and nothing but the fold of its events."""

from __future__ import annotations

from typing import Literal

import msgspec

from upcard.compile.context import Phase
from upcard.table.events import Face, Fee, Kind, Lights, Place, Result
from upcard.table.ledger import LAYOUT, Ledger, account

Stage = Literal["unopened", "bank", "wagers", "round", "closed"]
STOOD, BUST, DEAD = "stood", "bust", "dead"
Ending = str
"""How a hand ended: it stood, is dead, or the name of its class; "" as long as it goes on."""


class Part(msgspec.Struct, frozen=True):
    """The base of everything in a state."""


class Player(Part, frozen=True):
    """Seat 0: somebody who stands behind the table and may back others."""

    name: str
    kind: Kind
    seat: int = 0
    leaving: bool = False


class Shoe(Part, frozen=True):
    """`order` is secret; `dealt` cards of it are out. `cut` cards lie before the cut card."""

    number: int = 0
    commitment: str = ""
    clients: tuple[str, ...] = ()
    mixers: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    dealt: int = 0
    cut: int = 0
    burned: int = 0
    shuffles: int = 0
    cut_reached: bool = False
    stacked: bool = False

    @property
    def left(self) -> int:
        return len(self.order) - self.dealt


class Offer(Part, frozen=True):
    """Whom the bank is offered to, and for which of that player's turns."""

    player: str
    seat: int
    turn: int


class Bank(Part, frozen=True):
    """The player-dealer of a round; `paid` and `collected` are what the bank has moved so far.

    `covered` is how much of the wagers it has covered, where it goes by the amounts wagered.
    """

    player: str
    seat: int
    amount: int
    turn: int
    paid: int = 0
    collected: int = 0
    covered: int = 0
    returned: bool = False

    @property
    def net(self) -> int:
        return self.collected - self.paid


class Bet(Part, frozen=True):
    """Wagers on the layout before the deal."""

    position: int
    player: str
    placed: tuple[tuple[str, int], ...]
    backline: bool = False
    follows: bool = False

    @property
    def wagers(self) -> dict[str, int]:
        return dict(self.placed)

    @property
    def total(self) -> int:
        return sum(amount for _, amount in self.placed)


class Settled(Part, frozen=True):
    """What became of a wager."""

    result: Result
    collected: int = 0
    won: int = 0
    uncovered: int = 0
    why: str = ""


class Stake(Part, frozen=True):
    """One bettor's money on a hand: the wager it began with, and what was added.

    `markers` are the house's, for this bettor: they win like money and are nobody's to lose. A hand
    that the house has staked began with none of the bettor's own money.
    """

    player: str
    start: int
    added: tuple[int, ...] = ()
    follows: bool = True
    settled: Settled | None = None
    markers: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        return self.start + sum(self.added)

    @property
    def wager(self) -> int:
        """What the hand began with, as money or as the house's marker: doubles go by it."""
        return self.start or sum(self.markers[:1])


class SideBet(Part, frozen=True):
    """A wager beside the hands: insurance, bonus wagers, wagers on cards.

    `hand` is the hand that it goes by, if it goes by one.
    """

    player: str
    wager: str
    amount: int
    settled: Settled | None = None
    hand: int = 0


class TableHand(Part, frozen=True):
    """Cards of one hand. `state` and `context` are states of the game's automata.

    `due` is whether a card is to come, `pick` which down card it is (0: the next). A card that was
    traded and not yet replaced is "". `put_away`: its cards went back into the shoe.
    """

    cards: tuple[str, ...] = ()
    state: int = 0
    context: int = 0
    stakes: tuple[Stake, ...] = ()
    due: bool = False
    pick: int = 0
    ended: Ending = ""
    put_away: bool = False

    @property
    def is_done(self) -> bool:
        """Whether every wager on the hand is settled, so that its cards can be put away."""
        return bool(self.ended) and all(stake.settled for stake in self.stakes)


class Box(Part, frozen=True):
    """A betting position in a round. `dealt` are its first cards, the down cards included.

    `down` are cards still face down, "" where one was turned up. `asked` are the offers before the
    check that are answered. `third` is the next card that the first hand got in the turns, or that
    was dealt for a wager on it; it is kept only where there is such a wager.
    """

    position: int
    player: str
    hands: tuple[TableHand, ...]
    sides: tuple[SideBet, ...] = ()
    dealt: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    asked: tuple[Phase, ...] = ()
    shown: bool = False
    dead: bool = False
    third: str = ""


class Dealer(Part, frozen=True):
    """`down` are cards still face down, the hole card first, "" where one was turned up. `told` is
    the group that the hole card is told to belong to.
    """

    cards: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    state: int = 0
    checked: bool = False
    natural: bool = False
    result: str = ""
    shown: bool = False
    told: str = ""


class NextCard(Part, frozen=True):
    """A card of the initial deal that is still to come."""

    to: Place
    face: Face
    position: int = 0


class LightDue(Part, frozen=True):
    """A light to come on, or the prize for it. `box` is the position whose card gave it."""

    player: str
    position: int
    box: int

    @property
    def owner(self) -> tuple[str, int]:
        """Whose set of lights it is."""
        return self.player, self.position

    @property
    def elsewhere(self) -> int:
        """The box, where the set does not tell it."""
        return 0 if self.position else self.box


class PrizeDue(Part, frozen=True):
    """A prize of a hand that is to be paid; `by` is whose hand, where it is another player's."""

    player: str
    position: int
    amount: int
    prize: str
    by: str = ""


class Round(Part, frozen=True):
    """A round in play, or the last one until the next begins. `step` is an index in the plan.

    `cleared`: its cards lie there only to be looked at, a new shoe has all cards again.
    """

    number: int
    step: int
    boxes: tuple[Box, ...]
    dealer: Dealer
    script: tuple[NextCard, ...]
    fees: tuple[Fee, ...] = ()
    paid_fees: tuple[Fee, ...] = ()
    scripted: int = 0
    community: tuple[str, ...] = ()
    community_shown: bool = False
    gone: tuple[str, ...] = ()
    lights: tuple[LightDue, ...] = ()
    prize_due: LightDue | None = None
    hand_prizes: tuple[PrizeDue, ...] = ()
    prized: tuple[tuple[str, int], ...] = ()
    flat_paid: tuple[str, ...] = ()
    prizes: tuple[tuple[str, int, int], ...] = ()
    void: bool = False
    over: bool = False
    cleared: bool = False
    drawn_in_error: bool = False

    def box(self, position: int) -> Box | None:
        for box in self.boxes:
            if box.position == position:
                return box
        return None


class TableState(Part, frozen=True):
    """Everything there is to know about a table, secrets included.

    `resumed` are the sets of lights, by player and position, that a round was played for.
    """

    stage: Stage = "unopened"
    table: str = ""
    game: str = ""
    fingerprint: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    scripted: bool = False
    dealt_from: str = ""
    casino: str = ""
    secret: str = ""
    positions: tuple[int, ...] = ()
    players: tuple[Player, ...] = ()
    lights: tuple[Lights, ...] = ()
    used_cards: tuple[str, ...] = ()
    punched: int = 0
    resumed: tuple[tuple[str, int], ...] = ()
    shoe: Shoe = Shoe()
    discards: tuple[str, ...] = ()
    first_turn: int = 1
    offer: Offer | None = None
    bank: Bank | None = None
    action_button: int = 0
    bets: tuple[Bet, ...] = ()
    missed: tuple[tuple[int, int], ...] = ()
    rounds: int = 0
    round: Round | None = None
    ledger: Ledger = Ledger()

    def player(self, name: str) -> Player | None:
        """Somebody at the table by name, if there."""
        for player in self.players:
            if player.name == name:
                return player
        return None

    def sitting(self, seat: int) -> Player | None:
        """Who sits in a seat."""
        for player in self.players:
            if player.seat == seat and seat:
                return player
        return None

    def bets_at(self, position: int) -> tuple[Bet, ...]:
        """The wagers at a position, the owner's first."""
        return tuple(bet for bet in self.bets if bet.position == position)

    def chips(self, player: str) -> int:
        """A player's chips, in cents."""
        return self.ledger.balance(account(player))

    def lit(self, player: str, position: int) -> int:
        """How many lights a player has on at a position."""
        for lights in self.lights:
            if (lights.player, lights.position) == (player, position):
                return lights.lit
        return 0

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.round is not None and not self.round.over

    @property
    def bank_is_up(self) -> bool:
        """Whether a player-dealer's money waits for the deal."""
        return self.stage == "wagers" and self.bank is not None and not self.bank.returned

    @property
    def on_layout(self) -> int:
        """What lies on the layout, in cents."""
        return self.ledger.balance(LAYOUT)
