"""What happened at a table. The log of events is the record; everything else is a fold of it.

Events are immutable, named in the past tense, and have a JSON form tagged with their name.
`VERSION` changes when the meaning of a stored event does. Some fields are secret until the cards
or seeds in them are exposed; `upcard.table.view` says which.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

VERSION = 1

Kind = Literal["player", "proposition"]
Face = Literal["up", "down"]
Place = Literal["hand", "down", "dealer", "community", "empty", "wager"]
Result = Literal["won", "lost", "push", "tied", "surrendered", "rescued", "returned", "dead"]


class Happened(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True, omit_defaults=True
):
    """The base of all events."""


class Added(msgspec.Struct, frozen=True, omit_defaults=True):
    """Money that one bettor adds to a hand, and the fee on it.

    `sides` are the wagers beside the new hand of a split, where each hand has its own.
    """

    player: str
    amount: int
    fee: int = 0
    sides: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        """All that comes on the layout, the fee apart."""
        return self.amount + sum(amount for _, amount in self.sides)


class Fee(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fee that is due; position 0 is the bank's."""

    player: str
    position: int
    amount: int


class Lights(msgspec.Struct, frozen=True, omit_defaults=True):
    """Lights of a player; position 0 where they are not bound to one."""

    player: str
    position: int
    lit: int


# ------------------------------------------------------------------ the table and its people


class TableOpened(Happened, frozen=True):
    """`secret` is the seed of all shoes of this table; `used_cards` are spent players' cards.

    `lights` and `first_turn` carry on where an earlier table stopped. Only at a `scripted` table
    may a shoe be stacked. Whoever knows the text in `dealt_from` knows every card.
    """

    table: str
    game: str
    fingerprint: str
    positions: tuple[int, ...]
    secret: str
    casino: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    used_cards: tuple[str, ...] = ()
    lights: tuple[Lights, ...] = ()
    first_turn: int = 1
    scripted: bool = False
    dealt_from: str = ""
    version: int = VERSION


class TableClosed(Happened, frozen=True):
    """The table is closed; whoever is there leaves."""


class ChipsBought(Happened, frozen=True):
    """A player buys chips."""

    player: str
    amount: int
    kind: Kind = "player"


class PlayerSat(Happened, frozen=True):
    """A player takes a seat."""

    player: str
    seat: int


class PlayerMoved(Happened, frozen=True):
    """A player changes chairs. `lights` are those that go along from the chair that is `left`."""

    player: str
    seat: int
    left: int
    lights: int = 0


class PlayerLeft(Happened, frozen=True):
    """A player wants to leave; the chips are cashed after the round."""

    player: str


class LightsLost(Happened, frozen=True):
    """Position 0: the player's lights are not bound to a position."""

    player: str
    position: int
    lights: int


class CardPunched(Happened, frozen=True):
    """A player's card for the lights of somebody who leaves.

    The card itself is not in the record: `Engine.players_card` makes it from this event.
    """

    player: str
    position: int
    lights: int
    serial: str


class CardSurrendered(Happened, frozen=True):
    """A player's card was given up for its lights."""

    player: str
    position: int
    lights: int
    serial: str


class CardsVoided(Happened, frozen=True):
    """Players' cards that were given up at other tables of the casino."""

    serials: tuple[str, ...]


class ChipsCashed(Happened, frozen=True):
    """A player who leaves turns in the chips."""

    player: str
    amount: int


# ------------------------------------------------------------------ the shoe


class ShoeCommitted(Happened, frozen=True):
    """The promise of a shoe before anybody can influence it."""

    shoe: int
    commitment: str


class SeedMixed(Happened, frozen=True):
    """A player's own contribution to the next shuffle."""

    player: str
    seed: str


class ShoeStacked(Happened, frozen=True):
    """Cards in a given order instead of a shuffle: for scripted rounds."""

    cards: tuple[str, ...]
    discards: tuple[str, ...] = ()


class ShoeShuffled(Happened, frozen=True):
    """`cut` cards lie before the cut card."""

    shoe: int
    order: tuple[str, ...]
    cut: int


class RestDiscarded(Happened, frozen=True):
    """After the first deal so many cards, all that are left, are put away unseen."""

    cards: int


class CardBurned(Happened, frozen=True):
    """The top card of a new shoe is put away unseen."""

    card: str


class CutCardReached(Happened, frozen=True):
    """The cut card comes up: this round is the last of the shoe."""


class DiscardsShuffled(Happened, frozen=True):
    """The shoe ran out in the middle of a round."""

    order: tuple[str, ...]


class ShoeOpened(Happened, frozen=True):
    """The seed behind a commitment, once the shoe is done."""

    shoe: int
    seed: str
    clients: tuple[str, ...] = ()


# ------------------------------------------------------------------ before the cards


class BankOffered(Happened, frozen=True):
    """The bank is offered to a player; `turn` counts the rounds in a row."""

    player: str
    seat: int
    turn: int


class BankDeclined(Happened, frozen=True):
    """A player does not take the bank."""

    player: str
    seat: int


class BankTaken(Happened, frozen=True):
    """A player takes the bank and puts up an amount."""

    player: str
    seat: int
    amount: int
    turn: int


class ActionButtonPlaced(Happened, frozen=True):
    """The button that says where settlement begins is placed."""

    position: int


class WagersPlaced(Happened, frozen=True):
    """All wagers of a player at a position; `moved` is what went from the player to the layout."""

    player: str
    position: int
    wagers: tuple[tuple[str, int], ...]
    moved: int
    backline: bool = False
    follows: bool = False


class CardsMissed(Happened, frozen=True):
    """A mistake of the deal to come: a position gets fewer cards."""

    position: int
    cards: int


class RoundStarted(Happened, frozen=True):
    """A round begins with the wagers that lie there."""

    round: int
    fees: tuple[Fee, ...] = ()


class StepBegun(Happened, frozen=True):
    """The round goes on to one of the steps of its plan."""

    step: str


class FeeCollected(Happened, frozen=True):
    """Position 0 is the bank's own fee."""

    player: str
    position: int
    amount: int


# ------------------------------------------------------------------ cards and decisions


class CardDealt(Happened, frozen=True):
    """A card from the shoe. The dealer and the middle have position 0.

    One that goes to a `wager` is dealt for a side wager of the position alone, and is in no hand.
    """

    card: str
    face: Face
    to: Place
    position: int = 0
    hand: int = 0


class CardTurned(Happened, frozen=True):
    """A card that lay face down is turned up; `place` counts the down cards from 1."""

    card: str
    place: int
    position: int = 0
    hand: int = 0


class DownCardTold(Happened, frozen=True):
    """The dealer tells to which group the down card belongs; `ranks` is its name, as `2-6`."""

    ranks: str


class CardsShown(Happened, frozen=True):
    """All cards of a position (0: the dealer) or of the middle are face up now."""

    cards: tuple[str, ...]
    position: int = 0
    community: bool = False


class CardKept(Happened, frozen=True):
    """A bonus card is kept; `asked` is False where nothing else was possible."""

    position: int
    hand: int
    asked: bool = True


class CardTraded(Happened, frozen=True):
    """`place` counts the hand's cards from 1; the replacement comes to lie there."""

    position: int
    hand: int
    card: str
    place: int


class HandReplaced(Happened, frozen=True):
    """Both first cards of a hand are put away; the next two come in their place."""

    position: int
    hand: int
    cards: tuple[str, ...]


class LightLit(Happened, frozen=True):
    """A light comes on. `box`: where, if the lights are not bound to a position (which is 0)."""

    player: str
    position: int
    lights: int
    box: int = 0


class PrizeWon(Happened, frozen=True):
    """The last light wins the prize. `box` is as in `LightLit`: the box that won it.

    `name` is what the prize is where it is no money; the amount is its value then, and no chips.
    A hand wins `prize`, which is what the layout calls it; `by` is whose hand won it where every
    other player gets something too.
    """

    player: str
    position: int
    amount: int
    box: int = 0
    name: str = ""
    prize: str = ""
    by: str = ""

    @property
    def won_at(self) -> int:
        """The box that the prize is booked to."""
        return self.box or self.position

    @property
    def chips(self) -> int:
        """What of the prize is paid in chips."""
        return 0 if self.name else self.amount


class InsuranceTaken(Happened, frozen=True):
    """A player takes insurance."""

    player: str
    position: int
    amount: int


class InsuranceDeclined(Happened, frozen=True):
    """A player takes no insurance."""

    position: int


class SurrenderDeclined(Happened, frozen=True):
    """A player plays on after early surrender was offered."""

    position: int


class CardsSwitched(Happened, frozen=True):
    """The second cards of two boxes of a player change places."""

    position: int
    other: int


class ExchangeDeclined(Happened, frozen=True):
    """A player leaves the cards of both boxes as they are."""

    position: int


class DealerChecked(Happened, frozen=True):
    """The dealer has looked for a natural."""

    natural: bool


class HandHit(Happened, frozen=True):
    """`pick` is the down card chosen; 0 is the next card."""

    position: int
    hand: int
    pick: int = 0


class HandStood(Happened, frozen=True):
    """A hand takes no more cards; `asked` is False where it stands by itself."""

    position: int
    hand: int
    asked: bool = True


class HandDoubled(Happened, frozen=True):
    """A hand is doubled, for the time that `times` counts: by money, or by the house's marker."""

    position: int
    hand: int
    added: tuple[Added, ...]
    times: int
    pick: int = 0
    marker: int = 0


class HandSplit(Happened, frozen=True):
    """A pair becomes two hands; the new one has money on it, or nothing and the house's marker."""

    position: int
    hand: int
    added: tuple[Added, ...]
    marker: int = 0


class HandSurrendered(Happened, frozen=True):
    """A hand is given up."""

    position: int
    hand: int


class HandRescued(Happened, frozen=True):
    """A doubled hand is given up for what was doubled last."""

    position: int
    hand: int


class HandBusted(Happened, frozen=True):
    """A hand is over the limit."""

    position: int
    hand: int


class HandDead(Happened, frozen=True):
    """A hand that was dealt no card."""

    position: int


class DealerFinished(Happened, frozen=True):
    """The dealer's hand is complete, or nothing depends on it any more."""

    result: str


# ------------------------------------------------------------------ money and the end


class WagerSettled(Happened, frozen=True):
    """One wager of one bettor: of the stake some is collected and the rest returned, with `won`.

    `uncovered` is what a limited bank could not pay or collect, `covered` the part of the wager
    that was at risk, where it goes by the amounts wagered. `why` names the row or result, `banked`
    says that a player-dealer pays and collects, `flat` that a fixed amount was charged. `marker` is
    what the house had staked for the bettor: what it won is in `won`, and no money ever lay there.
    """

    position: int
    player: str
    wager: str
    staked: int
    result: Result
    hand: int = 0
    collected: int = 0
    won: int = 0
    uncovered: int = 0
    covered: int = 0
    why: str = ""
    banked: bool = False
    flat: bool = False
    marker: int = 0


class RoundVoided(Happened, frozen=True):
    """No card was left anywhere: what is not settled goes back."""


class BankReturned(Happened, frozen=True):
    """The player-dealer gets the bank back, with what it won or lost."""

    player: str
    amount: int
    net: int


class RoundEnded(Happened, frozen=True):
    """The round is over."""

    round: int


# ------------------------------------------------------------------ irregularities


class CardFoundFaceUp(Happened, frozen=True):
    """A card of the shoe that is not used."""

    card: str


class CardDrawnInError(Happened, frozen=True):
    """A card drawn for a dealer who must stand; it is burned."""

    card: str


Event = (
    TableOpened
    | TableClosed
    | ChipsBought
    | PlayerSat
    | PlayerMoved
    | PlayerLeft
    | LightsLost
    | CardPunched
    | CardSurrendered
    | CardsVoided
    | ChipsCashed
    | ShoeCommitted
    | SeedMixed
    | ShoeStacked
    | ShoeShuffled
    | RestDiscarded
    | CardBurned
    | CutCardReached
    | DiscardsShuffled
    | ShoeOpened
    | BankOffered
    | BankDeclined
    | BankTaken
    | ActionButtonPlaced
    | WagersPlaced
    | CardsMissed
    | RoundStarted
    | StepBegun
    | FeeCollected
    | CardDealt
    | CardTurned
    | DownCardTold
    | CardsShown
    | CardKept
    | CardTraded
    | HandReplaced
    | LightLit
    | PrizeWon
    | InsuranceTaken
    | InsuranceDeclined
    | SurrenderDeclined
    | CardsSwitched
    | ExchangeDeclined
    | DealerChecked
    | HandHit
    | HandStood
    | HandDoubled
    | HandSplit
    | HandSurrendered
    | HandRescued
    | HandBusted
    | HandDead
    | DealerFinished
    | WagerSettled
    | RoundVoided
    | BankReturned
    | RoundEnded
    | CardFoundFaceUp
    | CardDrawnInError
)

EVENT_TYPES: tuple[type[Happened], ...] = get_args(Event)
