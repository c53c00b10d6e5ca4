"""What people ask of a table. A command is accepted with events or refused with a reason.

Commands are imperative and typed. `player` is who asks; decisions name the position as well,
because a player may have several. Each has a short text form, see `parse_decision`.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec.structs import force_setattr

from upcard.cards import card_texts
from upcard.compile.context import FREE, Action
from upcard.errors import UpcardError
from upcard.table.events import Kind, Lights


class Asked(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="command", tag=True, omit_defaults=True
):
    """The base of all commands."""


class OpenTable(Asked, frozen=True):
    """`secret` is 64 hexadecimal digits from a cryptographic source.

    Without `positions` the table has as many as the game says. `used_cards`, `lights` and
    `first_turn` (of the first player-dealer) carry on where an earlier table stopped. At a
    `scripted` table shoes may be stacked, and mistakes of the deal made. `dealt_from` is the text
    that the secret was made from, where it is not a fresh one.
    """

    table: str
    secret: str
    positions: tuple[int, ...] = ()
    used_cards: tuple[str, ...] = ()
    lights: tuple[Lights, ...] = ()
    first_turn: int = 1
    scripted: bool = False
    dealt_from: str = ""


class CloseTable(Asked, frozen=True):
    pass


class BuyIn(Asked, frozen=True):
    player: str
    amount: int
    kind: Kind = "player"


class Sit(Asked, frozen=True):
    player: str
    seat: int


class Move(Asked, frozen=True):
    """Change chairs: from the own seat to a free one, between rounds."""

    player: str
    seat: int


class Leave(Asked, frozen=True):
    player: str


class PresentCard(Asked, frozen=True):
    """Give up a player's card for the lights punched in it."""

    player: str
    position: int
    token: str


class VoidCards(Asked, frozen=True):
    """Players' cards that were given up at other tables of the casino."""

    serials: tuple[str, ...]


class MixSeed(Asked, frozen=True):
    player: str
    seed: str


class StackShoe(Asked, frozen=True):
    """The next cards in their order, and those in the discard tray, as text or objects."""

    cards: tuple[str, ...]
    discards: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "cards", card_texts(self.cards))
        force_setattr(self, "discards", card_texts(self.discards))


class TakeBank(Asked, frozen=True):
    player: str
    amount: int


class DeclineBank(Asked, frozen=True):
    """Decline an offer, or take the bank back while nobody has wagered against it."""

    player: str


class PlaceActionButton(Asked, frozen=True):
    position: int


class PlaceWagers(Asked, frozen=True):
    """All wagers of a player at a position, in cents by id; none takes them back."""

    player: str
    position: int
    wagers: dict[str, int]


class BackWagers(Asked, frozen=True):
    """Wagers on somebody else's position; `follows` matches that player's doubles and splits."""

    player: str
    position: int
    wagers: dict[str, int]
    follows: bool = False


class MissCards(Asked, frozen=True):
    """The dealer's mistake: a position is dealt this many cards too few."""

    position: int
    cards: int


class FindFaceUp(Asked, frozen=True):
    """The dealer finds the next card of the shoe face up."""


class DrawInError(Asked, frozen=True):
    """The dealer draws a card although the dealer's hand must stand."""


class Deal(Asked, frozen=True):
    pass


class Decision(Asked, frozen=True):
    """The base of what a player decides about cards."""

    player: str
    position: int


class Hit(Decision, frozen=True):
    pick: int = 0


class Stand(Decision, frozen=True):
    pass


class Double(Decision, frozen=True):
    """`amount` 0 is the full amount; `free` is for what the house stakes, and nothing else."""

    amount: int = 0
    pick: int = 0
    free: bool = False


class Split(Decision, frozen=True):
    """`free` is for what the house stakes, and nothing else."""

    free: bool = False


class Surrender(Decision, frozen=True):
    pass


class Insure(Decision, frozen=True):
    """`amount` 0 is as much as the rules allow."""

    amount: int = 0


class Decline(Decision, frozen=True):
    pass


class Redouble(Decision, frozen=True):
    pick: int = 0


class Rescue(Decision, frozen=True):
    pass


class Keep(Decision, frozen=True):
    pass


class Trade(Decision, frozen=True):
    pass


class Switch(Decision, frozen=True):
    """Exchange the second cards of both boxes; `position` is the one that is asked."""


class Replace(Decision, frozen=True):
    """Put both first cards away for the next two."""


AnyDecision = (
    Hit
    | Stand
    | Double
    | Split
    | Surrender
    | Insure
    | Decline
    | Redouble
    | Rescue
    | Keep
    | Trade
    | Switch
    | Replace
)
Command = (
    OpenTable
    | CloseTable
    | BuyIn
    | Sit
    | Move
    | Leave
    | PresentCard
    | VoidCards
    | MixSeed
    | StackShoe
    | TakeBank
    | DeclineBank
    | PlaceActionButton
    | PlaceWagers
    | BackWagers
    | MissCards
    | FindFaceUp
    | DrawInError
    | Deal
    | AnyDecision
)
COMMAND_TYPES: tuple[type[Asked], ...] = get_args(Command)

_BY_ACTION: dict[Action, type[AnyDecision]] = {
    Action[kind.__name__.upper()]: kind for kind in get_args(AnyDecision)
}
_ACTIONS = {kind: action for action, kind in _BY_ACTION.items()}
_FREE = {own: free for free, own in FREE.items()}
_BY_ACTION.update({free: _BY_ACTION[own] for free, own in FREE.items()})
DECISION_TYPES: tuple[type[AnyDecision], ...] = get_args(AnyDecision)


def action_of(decision: AnyDecision) -> Action:
    """The action that a decision names; the house may stake what it adds, see `meant`."""
    action = _ACTIONS[type(decision)]
    return _FREE[action] if getattr(decision, "free", False) else action


def amount_of(decision: AnyDecision) -> int:
    """The amount that a decision names; 0 is as much as the rules allow."""
    return getattr(decision, "amount", 0)


def pick_of(decision: AnyDecision) -> int:
    """The down card that a decision names; 0 is the next card."""
    return getattr(decision, "pick", 0)


def parse_decision(text: str, *, player: str, position: int) -> AnyDecision:
    """A decision from its words.

    >>> parse_decision("double 500", player="Ann", position=1)
    Double(player='Ann', position=1, amount=500, pick=0, free=False)
    >>> decision_text(parse_decision("hit 2", player="Ann", position=1))
    'hit 2'
    """
    words = text.split()
    action = Action.parse(words[0] if words else "")
    kind = _BY_ACTION[action]
    details: dict[str, Any] = dict(_numbers(text, kind, words[1:]))
    if action in FREE:
        details["free"] = True
    return kind(player=player, position=position, **details)


def _numbers(text: str, kind: type[AnyDecision], words: list[str]) -> dict[str, int]:
    """The amount and the pick behind an action's name."""
    found: dict[str, int] = {}
    rest = list(words)
    if kind is Hit and len(rest) == 1:
        rest.insert(0, "pick")
    if "amount" in kind.__struct_fields__ and rest and rest[0].isdecimal() and int(rest[0]):
        found["amount"] = int(rest.pop(0))
    picks = "pick" in kind.__struct_fields__ and len(rest) == 2 and rest[0] == "pick"
    if picks and rest[1].isdecimal():
        found["pick"] = int(rest[1])
        rest = []
    if rest:
        raise UpcardError(
            f'"{text}" is not an action: numbers go as in "hit 2", "double 500", "insure 200" '
            'or "double pick 2"'
        )
    return found


def decision_text(decision: AnyDecision) -> str:
    """The short form, such as `double 500`."""
    words = [action_of(decision).text]
    if amount := amount_of(decision):
        words.append(str(amount))
    if pick := pick_of(decision):
        words += [] if isinstance(decision, Hit) else ["pick"]
        words.append(str(pick))
    return " ".join(words)
