"""A scripted round as it is written down: seats, wagers, settings, and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from upcard.fees.schedules import FeeSchedule, load_fee_book

from . import GAMES, VARIANTS, common

Situation = Mapping[str, Any]

PURE_SPANISH = "pure-spanish-21.5"
TEN_STICKS = "ten-sticks-21"
CHANCE = "games-of-chance-blackjack"
TWISTED = "twisted-21"
TIE = "blackjack-tie"
BLACKJACK = "blackjack"
VEGAS = "vegas-strip"
SINGLE = "single-deck-6-5"
UNDER = "down-under"
SWITCH = "blackjack-switch"
FREE_BET = "free-bet"
EXPOSED = "double-exposure"
NO_TENS = {PURE_SPANISH: "PS-DECK", "spanish-21": "SP-DECK", "pontoon": "PO-DECK"}
NO_HOLE_CARD = ("pontoon", "european-blackjack")  # PO-NHC, EU-NHC

DOLLAR = 100
PRINTED = (2 * DOLLAR, 4 * DOLLAR)  # GC-AMT
TIE_WAGERS = (
    "left-side",
    "right-side",
    "tie-17",
    "tie-18",
    "tie-19",
    "tie-20",
    "tie-21",
    "tie-blackjack",
)
SIDE_WAGERS: dict[str, tuple[str, ...]] = {
    BLACKJACK: (),
    TEN_STICKS: (),
    PURE_SPANISH: ("match",),
    CHANCE: (),
    TWISTED: ("stud-poker", "stud-bonus"),
    TIE: TIE_WAGERS,
    VEGAS: (),
    SINGLE: (),
    UNDER: (),
    **dict.fromkeys(VARIANTS, ()),
}
# Settings of a round that the rules of single hands do not know, with their defaults.
ROUND_SETTINGS: dict[str, dict[str, object]] = {
    BLACKJACK: {"table_minimum": 500, "table_maximum": 50000, "burn": 1},
    TEN_STICKS: {"table_minimum": 500, "table_maximum": 50000, "burn": 1},
    PURE_SPANISH: {"match": True, "fee_resolution": "refuse"},
    CHANCE: {"insurance_amount": "half", "added_wagers": "any"},
    TWISTED: {"table_minimum": 500, "table_maximum": 50000, "stud_poker": True},
    TIE: {"table_minimum": 500, "table_maximum": 50000, "burn": 1},
    VEGAS: {"table_minimum": 500, "table_maximum": 50000, "burn": 1},
    SINGLE: {"table_minimum": 500, "table_maximum": 50000, "burn": 1},
    UNDER: {"table_minimum": 500, "table_maximum": 50000, "burn": 1},
    **{game: {"table_minimum": 500, "table_maximum": 50000, "burn": 1} for game in VARIANTS},
}


class RoundError(Exception):
    """The round cannot be played as it is written."""


@dataclass
class Bet:
    """What one bettor has on one hand, and the house's marker beside it (FB-FD, FB-FS)."""

    stake: int
    added: int = 0
    last_double: int = 0
    marker: int = 0


@dataclass
class Bettor:
    """The owner of a spot (always the first) or a backline bettor."""

    name: str
    wagers: dict[str, int]
    follows: bool
    fee: int = 0
    staked: dict[str, int] = field(default_factory=dict)
    returned: dict[str, int] = field(default_factory=dict)

    def net(self) -> int:
        """Returned minus staked."""
        return sum(self.returned.values()) - sum(self.staked.values())


@dataclass
class Hand:
    """Cards and the bets on them, in the order of the seat's bettors; None: not on this hand."""

    cards: list[str]
    bets: list[Bet | None]
    split_from: str | None = None
    doubles: int = 0
    traded: bool = False
    ended: str | None = None
    paid: bool = False
    box: int = 1
    staked: int = 0
    returned: int = 0

    def owner(self) -> Bet:
        """The bet of the seated player, who is on every hand."""
        bet = self.bets[0]
        if bet is None:
            raise RoundError("a hand without its owner's bet")
        return bet


@dataclass
class Seat:
    """One box."""

    number: int
    player: str
    bettors: list[Bettor]
    script: list[str]
    missed: int
    lights: int
    hands: list[Hand] = field(default_factory=list)
    first_two: list[str] = field(default_factory=list)
    down: dict[int, str] = field(default_factory=dict)
    five: list[str] = field(default_factory=list)
    insurance: int = 0
    prizes: int = 0
    prize_won: bool = False
    taken: list[str] = field(default_factory=list)
    taken_at: list[int] = field(default_factory=list)

    def dead(self) -> bool:
        """A hand that got no cards."""
        return self.missed == 2


@dataclass
class Table:
    """Everything that is fixed before the first card."""

    game: str
    settings: dict[str, object]
    rules: common.Rules
    extra: dict[str, object]
    seats: list[Seat]
    shoe: list[str]
    errors: list[str]
    bank_seat: int = 0
    bank_amount: int = 0
    bank_turn: int = 1
    action_button: int = 0
    schedule: FeeSchedule | None = None

    def word(self, name: str) -> str:
        """A setting that is a word."""
        return str(self.rules[name])

    def reading(self, name: str, default: str) -> str:
        """A reading that the oracle of single hands does not look at."""
        return str(self.rules.get(name) or default)

    def double_for_less(self) -> bool:
        """Whether the added wager may be smaller."""
        if "double_for_less" in self.settings:
            return bool(self.rules["double_for_less"])
        if self.game == PURE_SPANISH:
            return not self.rules["double_double"]  # PS-O1 with PS-O3a
        if self.game in (BLACKJACK, TIE):
            return False  # house-blackjack.md: for less is in the Deadwood column only
        return bool(self.rules["double_for_less"])

    def most_insurance(self, wager: int) -> int:
        """Half the wager, in whole dollars."""
        most = wager
        if self.extra.get("insurance_amount") != "whole":
            most = wager // 2
        if self.only_printed():
            return max([amount for amount in PRINTED if amount <= most], default=0)
        return most - most % DOLLAR

    def only_printed(self) -> bool:
        """SR-32: what is added to a wager is two or four dollars too (GC-AMT)."""
        return self.extra.get("added_wagers") == "printed"


def whole_dollars(amount: object, where: str) -> int:
    """A wager."""
    if isinstance(amount, bool) or not isinstance(amount, int):
        raise RoundError(f"{where}: {amount!r} is not an amount in cents")
    if amount <= 0 or amount % DOLLAR != 0:
        raise RoundError(f"{where}: {amount} is not a positive number of whole dollars")
    return amount


def plain(value: object) -> object:
    """The words true and false are the values."""
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def read_table(situation: Situation) -> Table:
    """The table before the first card, or a refusal."""
    game = situation["game"]
    if game not in GAMES:
        raise RoundError(f"there is no game {game!r}")
    extra: dict[str, object] = {"chip": 1, "rounding": "down", **ROUND_SETTINGS[game]}
    settings: dict[str, object] = {}
    for name, value in situation.get("set", {}).items():
        if name in extra:
            extra[name] = plain(value)
        else:
            settings[name] = plain(value)
    try:
        rules: common.Rules = GAMES[game].rules_of(settings)
    except (ValueError, TypeError) as error:
        raise RoundError(str(error)) from error
    shoe = situation["shoe"].split()
    for card in shoe:
        common.check_card(card)
        if game in NO_TENS and card[0] == "T":
            raise RoundError(f"{card}: there are no tens in the deck ({NO_TENS[game]})")
    table = Table(game, settings, rules, extra, [], shoe, list(situation.get("dealer_errors", [])))
    check_settings(table)
    if game == PURE_SPANISH:
        number = int(str(rules["fee_schedule"]))
        if not 1 <= number <= 52:
            raise RoundError(f"there is no fee schedule {number} (PS-F5)")
        table.schedule = load_fee_book(PURE_SPANISH).schedule(number)
        read_bank(table, situation)
    elif "bank" in situation or "action_button" in situation:
        raise RoundError(f"{game} is banked by the house")
    for entry in situation["seats"]:
        if is_only_a_chair(situation, entry):
            if game == PURE_SPANISH:
                raise RoundError("other circles only along with the own seat (PS-D2)")
            continue
        table.seats.append(read_seat(table, entry))
    check_seats(table)
    put_in_order(table)
    share_lights(table)
    return table


def check_settings(table: Table) -> None:
    """Settings that do not go together."""
    rules = table.rules
    if table.game == PURE_SPANISH and not 4 <= int(str(rules["decks"])) <= 8:
        raise RoundError("the game is played with four to eight decks (PS-DECK)")
    if table.game == PURE_SPANISH and "double_for_less" in table.settings:
        raise RoundError("doubling for less is granted, but with double-double (PS-O1, PS-O3a)")
    if table.game == PURE_SPANISH and rules["double_double"] and rules["soft17"] == "stand":
        raise RoundError("no double-double down where the player-dealer stands (PS-O3a)")
    if table.game == TWISTED and rules["decks"] != 1:
        raise RoundError("the game is played with one deck, decks is no option (TW-1)")
    if table.game == TWISTED and len(set(table.shoe)) != len(table.shoe):
        raise RoundError("one deck has every card once (TW-1)")
    if table.game == TEN_STICKS and rules["natural"] == "6:5" and rules["decks"] != 1:
        raise RoundError("6 to 5 only with a single deck (TS-0)")


def read_bank(table: Table, situation: Situation) -> None:
    """The player-dealer and the action button."""
    if "bank" not in situation:
        raise RoundError("a player must bank (PS-D1)")
    bank = situation["bank"]
    table.bank_seat = bank["seat"]
    table.bank_amount = whole_dollars(bank["amount"], "bank")
    table.bank_turn = bank.get("turn", 1)
    if table.bank_turn not in (1, 2):
        raise RoundError("the bank's turn is 1 or 2 (PS-T1)")
    table.action_button = situation.get("action_button", table.bank_seat + 1)


def is_only_a_chair(situation: Situation, entry: Mapping[str, Any]) -> bool:
    """A player sits here without a wager and has one elsewhere (SR-11)."""
    if entry.get("wagers") or "player" not in entry:
        return False
    others = [seat for seat in situation["seats"] if seat.get("player") == entry["player"]]
    return any(seat.get("wagers") for seat in others)


def read_seat(table: Table, entry: Mapping[str, Any]) -> Seat:
    """One box and its bettors."""
    number = entry["seat"]
    where = f"seat {number}"
    owner = Bettor("", read_wagers(table, entry.get("wagers", {}), where), follows=True)
    bettors = [owner]
    for back in entry.get("backline", []):
        if table.game != PURE_SPANISH:
            raise RoundError(f"{where}: {table.game} has no backline betting")
        follows = bool(back.get("follows", False))
        if table.reading("backline", "may-stay") == "must-match":
            follows = True
        name = back["player"]
        wagers = read_wagers(table, back["wagers"], f"{where}, {name}")
        bettors.append(Bettor(name, wagers, follows))
    missed = entry.get("missed", 0)
    if missed not in (0, 1, 2) or (missed and table.game in (TWISTED, SWITCH)):
        raise RoundError(f"{where}: {missed} missed cards")
    lights = entry.get("lights", 0)
    if not 0 <= lights <= 9 or (lights and table.game != TEN_STICKS):
        raise RoundError(f"{where}: {lights} lights")
    return Seat(
        number=number,
        player=entry.get("player", f"the player of seat {number}"),
        bettors=bettors,
        script=list(entry.get("actions", [])),
        missed=missed,
        lights=lights,
    )


def read_wagers(table: Table, wagers: Mapping[str, Any], where: str) -> dict[str, int]:
    """The wagers of one bettor on one spot."""
    answer: dict[str, int] = {}
    for wager, amount in wagers.items():
        if wager != "base" and wager not in SIDE_WAGERS[table.game]:
            raise RoundError(f"{where}: {table.game} has no wager {wager!r}")
        answer[wager] = whole_dollars(amount, f"{where}, {wager}")
    if "base" not in answer:
        raise RoundError(f"{where}: the base wager is missing")
    base = answer["base"]
    if table.game == CHANCE and base not in PRINTED:
        raise RoundError(f"{where}: two dollars or four dollars, nothing else (GC-AMT)")
    if "table_minimum" in table.extra:
        low, high = (int(str(table.extra[end])) for end in ("table_minimum", "table_maximum"))
        if not low <= base <= high:
            raise RoundError(f"{where}: {base} is outside the table's limits")
    if table.schedule is not None:
        for wager, amount in answer.items():
            if not table.schedule.table_min <= amount <= table.schedule.table_max:
                raise RoundError(f"{where}: the {wager} wager is outside the limits (PS-M5)")
    by_box = table.game == TIE and table.word("bonus_limit") == "box"
    if by_box and sum(answer.values()) - base > base:
        raise RoundError(f"{where}: the bonus wagers exceed the primary wager (BT-5)")
    if "match" in answer and not table.extra["match"]:
        raise RoundError(f"{where}: the Match wager is not offered (PS-M1)")
    if "stud-poker" in answer and not table.extra["stud_poker"]:
        raise RoundError(f"{where}: Stud Poker is not offered (TW-2)")
    if "stud-bonus" in answer and table.rules["stud_bonus"] == "none":
        raise RoundError(f"{where}: no Stud Bonus is offered (TW-2)")
    return answer


def check_seats(table: Table) -> None:
    """Seats are different, at the table, and not the bank's."""
    numbers = [seat.number for seat in table.seats]
    positions = int(str(table.rules["positions"]))
    if len(numbers) == 0:
        raise RoundError("nobody plays")
    if len(set(numbers)) != len(numbers):
        raise RoundError("a seat is listed twice")
    if table.bank_seat in numbers:
        raise RoundError(f"seat {table.bank_seat} is the player-dealer's")
    for number in [*numbers, table.bank_seat]:
        if number > positions or (number < 1 and number != 0):
            raise RoundError(f"seat {number}: the table has {positions} positions")
    if table.game == TIE and table.word("bonus_limit") == "player":
        check_bonus_wagers_by_player(table)
    players = [seat.player for seat in table.seats]
    alone = table.game == TWISTED and not table.rules["several_positions"]  # SR-43
    if alone and len(set(players)) != len(players):
        raise RoundError("one position for each player")


def check_bonus_wagers_by_player(table: Table) -> None:
    """BT-5 by the reading bonus_limit = "player" (SR-51): over all boxes of a player."""
    for player in {seat.player for seat in table.seats}:
        boxes = [seat.bettors[0].wagers for seat in table.seats if seat.player == player]
        primary = sum(wagers["base"] for wagers in boxes)
        if sum(sum(wagers.values()) for wagers in boxes) - primary > primary:
            raise RoundError(f"{player}: the bonus wagers exceed the primary wagers (BT-5)")


def clockwise(seats: list[Seat], start: int) -> list[Seat]:
    """The seats from `start` on (it included), clockwise."""
    before = [seat for seat in seats if seat.number < start]
    after = [seat for seat in seats if seat.number >= start]
    return after + before


def put_in_order(table: Table) -> None:
    """Seats by number, or from the player-dealer's left."""
    in_order = sorted(table.seats, key=lambda seat: seat.number)
    table.seats = clockwise(in_order, table.bank_seat + 1)


def share_lights(table: Table) -> None:
    """Reading lights_owner = "player": one set for all boxes of a player."""
    if table.game != TEN_STICKS:
        return
    if table.reading("lights_owner", "player-at-position") != "player":
        return
    for seat in table.seats:
        seat.lights = max(other.lights for other in table.seats if other.player == seat.player)
