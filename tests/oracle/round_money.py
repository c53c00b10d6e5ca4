"""The money of a scripted round: fees, the bank, the settlement in action order."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from upcard.fees.schedules import FeeRow, FeeSchedule

from . import dealer_class, games_of_chance, player_class, settle_base, settle_side
from .round_setup import (
    CHANCE,
    PURE_SPANISH,
    TWISTED,
    Bet,
    Bettor,
    Hand,
    RoundError,
    Seat,
    Table,
    clockwise,
)


class Bank:
    """Who pays and collects: the house without limit, or a player-dealer with one."""

    def __init__(self, table: Table) -> None:
        self.limited = table.game == PURE_SPANISH
        self.amount = table.bank_amount
        measure = table.reading("bank_cover", "net")
        self.each_way = self.limited and measure == "each-way"
        self.ends_exhausted = self.limited and measure == "exhausted-ends"
        self.by_wagers = self.limited and measure == "by-wagers"
        self.chip = int(str(table.extra["chip"]))
        self.rounding = str(table.extra["rounding"])
        self.net = 0
        self.paid = 0
        self.collected = 0
        self.covered = 0

    def in_chips(self, win: Fraction) -> int:
        """A payoff in whole chips, by default of a cent and rounded down."""
        chips = win / self.chip
        down = chips.numerator // chips.denominator
        rest = chips - down
        if self.rounding == "up" and rest > 0:
            down = down + 1
        if self.rounding == "nearest" and rest >= Fraction(1, 2):
            down = down + 1
        return down * self.chip

    def settle(self, result: Fraction, at_stake: int) -> int:
        """What a bettor really wins or loses, from what the rules say."""
        if self.ends_exhausted and self.net == -self.amount:
            return 0  # SR-6: all is paid out, later wagers go back whether they win or lose
        if self.by_wagers:
            # SR-6: of what is wagered only so much is at risk as the bank still covers.
            at_risk = min(at_stake, self.amount - self.covered)
            self.covered = self.covered + at_risk
            result = result * Fraction(at_risk, at_stake)
        if result >= 0:
            win = self.in_chips(result)
            if self.limited:
                room = self.amount + self.net
                if self.each_way:
                    room = self.amount - self.paid
                win = min(win, room)
            self.net = self.net - win
            self.paid = self.paid + win
            return win
        if result.denominator != 1:
            raise RoundError(f"a loss of {-result} cents")
        loss = -int(result)
        if self.limited:
            room = self.amount - self.net
            if self.each_way:
                room = self.amount - self.collected
            loss = min(loss, room)
        self.net = self.net + loss
        self.collected = self.collected + loss
        return -loss


def fee_of(rows: Sequence[FeeRow], amount: int, resolution: str) -> int:
    """The fee that printed rows give an amount, or what the operator chose where they do not."""
    holding = [row for row in rows if row.from_ <= amount and (row.to is None or amount <= row.to)]
    if len(holding) == 1:
        return holding[0].fee
    if len(holding) == 0 and resolution == "nothing":
        return 0  # SR-9: nothing posted, nothing collected
    if resolution not in ("lower-fee", "higher-fee"):
        raise RoundError(f"fees: {len(holding)} rows for {amount} (PS-F5)")
    if len(holding) == 0:
        ends = [row.to for row in rows if row.to is not None and row.to < amount]
        starts = [row.from_ for row in rows if row.from_ > amount]
        holding += [row for row in rows if len(ends) > 0 and row.to == max(ends)]
        holding += [row for row in rows if len(starts) > 0 and row.from_ == min(starts)]
    fees = [row.fee for row in holding]
    return min(fees) if resolution == "lower-fee" else max(fees)


def fees_of(
    schedule: FeeSchedule,
    bettors: Sequence[tuple[str, Mapping[str, int]]],
    *,
    basis: str,
    per: str,
    resolution: str,
) -> tuple[list[int], int]:
    """What every bettor pays on every spot, and the player-dealer, by names and wagers."""
    fees = []
    for place, (name, wagers) in enumerate(bettors):
        if schedule.id <= 41:  # PS-F1
            fees.append(0)
        elif schedule.id <= 45:  # PS-F2: every spot by its own wager
            rows = schedule.players
            fees.append(sum(fee_of(rows, amount, resolution) for amount in wagers.values()))
        else:  # PS-F3: by the player's wager; SR-8: on this circle, or on all of them at once
            mine = [wagers]
            if per == "player":
                mine = [others for other, others in bettors if other == name]
            amount = sum(one["base"] for one in mine)
            if basis == "base-and-bonus":
                amount = sum(sum(one.values()) for one in mine)
            paid = per == "player" and name in [other for other, _ in bettors[:place]]
            fees.append(0 if paid else fee_of(schedule.players, amount, resolution))
    action = sum(sum(wagers.values()) for _, wagers in bettors)
    return fees, fee_of(schedule.player_dealer, action, resolution)


def take_fees(table: Table) -> int:
    """Fees of every bettor and spot; returns the player-dealer's (PS-F1 to PS-F4)."""
    if table.schedule is None:
        return 0
    everybody = [
        (bettor.name or seat.player, bettor) for seat in table.seats for bettor in seat.bettors
    ]
    fees, bank = fees_of(
        table.schedule,
        [(name, bettor.wagers) for name, bettor in everybody],
        basis=table.reading("fee_basis", "base"),
        per=table.reading("fee_per", "circle"),
        resolution=str(table.extra["fee_resolution"]),
    )
    for (_, bettor), fee in zip(everybody, fees, strict=True):
        bettor.fee = fee
    return bank


def put(bettor: Bettor, wager: str, staked: int, returned: int) -> None:
    """Write a settled wager down."""
    bettor.staked[wager] = bettor.staked.get(wager, 0) + staked
    bettor.returned[wager] = bettor.returned.get(wager, 0) + returned


class Settlement:
    """Settles every wager of the table."""

    def __init__(self, table: Table, bank: Bank) -> None:
        self.table = table
        self.bank = bank
        self.dealer: list[str] = []
        self.dealer_five: list[str] = []
        self.community: list[str] = []
        self.tied_players: list[str] = []

    def action_order(self) -> list[Seat]:
        """From the action button; in house games from the dealer's left."""
        if self.table.game != PURE_SPANISH:
            return self.table.seats
        by_number = sorted(self.table.seats, key=lambda seat: seat.number)
        return clockwise(by_number, self.table.action_button)

    def pay_naturals_at_once(self, dealer: list[str]) -> None:
        """PS-M6, once the player-dealer cannot have one, if that reading is in force."""
        self.dealer = dealer
        if self.table.reading("natural_paid", "in-order") != "at-once":
            return
        for seat in self.action_order():
            if seat.dead() or seat.hands[0].ended is not None:
                continue
            cards = seat.hands[0].cards
            if player_class(self.table.game, self.table.settings, cards) == "natural":
                self.settle_bases(seat)
                seat.hands[0].paid = True

    def pay_split_natural_at_once(self, seat: Seat, number: int) -> None:
        """SR-5: by that reading any hand of a split that is a natural too."""
        cards = seat.hands[number].cards
        settings = self.table.settings
        at_once = self.table.reading("natural_paid", "in-order") == "at-once"
        natural = player_class(self.table.game, settings, cards, split=True) == "natural"
        if at_once and natural:
            self.settle_bases(seat, only=number)
            seat.hands[number].paid = True

    def settle_all(self) -> None:
        """Seat by seat: base wagers of all hands, then the side wagers."""
        for seat in self.action_order():
            if seat.dead():
                for bettor in seat.bettors:
                    for wager, amount in bettor.wagers.items():
                        put(bettor, wager, amount, amount)
                continue
            self.settle_bases(seat)
            for bettor in seat.bettors:
                for wager, amount in bettor.wagers.items():
                    if wager != "base":
                        self.settle_wager(seat, bettor, wager, amount)
            if seat.insurance > 0:
                self.settle_wager(seat, seat.bettors[0], "insurance", seat.insurance)

    def settle_bases(self, seat: Seat, only: int | None = None) -> None:
        """The owner's bets on all hands not paid yet, then those of each backline bettor."""
        for position, bettor in enumerate(seat.bettors):
            for number, hand in enumerate(seat.hands):
                bet = hand.bets[position]
                if bet is None or hand.paid or only not in (None, number):
                    continue
                result = self.base_result(seat, number, bet)
                if self.is_tie(seat, hand) and self.dollar_already_lost(seat):
                    result = Fraction(0)
                staked = bet.stake + bet.added
                at_stake = staked
                if hand.ended == "rescue":
                    at_stake = staked - bet.last_double  # that was taken back before
                returned = staked + self.bank.settle(result, at_stake)
                put(bettor, "base", staked, returned)
                if position == 0:
                    hand.staked, hand.returned = staked, returned

    def base_result(self, seat: Seat, number: int, bet: Bet) -> Fraction:
        """What the rules say about one bet on one hand."""
        hand = seat.hands[number]
        return settle_base(
            self.table.game,
            self.table.settings,
            cards=hand.cards,
            dealer=self.dealer,
            stake=bet.stake,
            added=bet.added,
            split=hand.split_from is not None,
            traded=hand.traded,
            ended=hand.ended,
            last_double=bet.last_double,
            first_hand=number == 0,
            marker=bet.marker,
        )

    def is_tie(self, seat: Seat, hand: Hand) -> bool:
        """GC-TIE."""
        if self.table.game != CHANCE or hand.ended is not None:
            return False
        return games_of_chance.is_equal_sum(
            self.table.settings, cards=hand.cards, dealer=self.dealer, split=len(seat.hands) > 1
        )

    def dollar_already_lost(self, seat: Seat) -> bool:
        """Reading tie_dollar = "player": once a round for all boxes of a player."""
        if self.table.word("tie_dollar") != "player":
            return False
        if seat.player in self.tied_players:
            return True
        self.tied_players.append(seat.player)
        return False

    def settle_wager(self, seat: Seat, bettor: Bettor, wager: str, amount: int) -> None:
        """One side wager."""
        first = seat.hands[0]
        cards, dealer = first.cards, self.dealer
        if self.table.game == TWISTED:
            cards, dealer = seat.five, self.dealer_five
        if wager == "match":
            cards = seat.first_two
        per_unit = settle_side(
            self.table.game,
            self.table.settings,
            wager,
            cards=cards,
            dealer=dealer,
            community=self.community,
            split=len(seat.hands) > 1,
            ended=first.ended,
        )
        put(bettor, wager, amount, amount + self.bank.settle(per_unit * amount, amount))

    def outcome(self, seat: Seat, number: int) -> str:
        """The word for what became of a hand by the rules, whatever the bank could cover."""
        hand = seat.hands[number]
        bet = hand.owner()
        if seat.dead():
            return "dead"
        if hand.ended == "rescue":
            return "rescued"
        result = self.base_result(seat, number, bet)
        if hand.ended in ("surrender", "early-surrender"):
            if result == Fraction(-(bet.stake + bet.added), 2):
                return "surrendered"
            return "lost"  # void against a natural that the check did not find
        if self.is_tie(seat, hand):
            return "tied"
        if result > 0:
            return "won"
        if result < 0:
            return "lost"
        settings = self.table.settings
        if bet.stake == 0 and bet.added == 0:  # FB-FS: a marker alone cannot be lost
            own = self.base_result(seat, number, Bet(bet.marker))
            return "lost" if own < 0 else "push"
        player = player_class(
            self.table.game,
            settings,
            hand.cards,
            split=hand.split_from is not None,
            traded=hand.traded,
        )
        house_side = dealer_class(self.table.game, settings, self.dealer)
        if house_side == "natural" and player != "natural":
            return "lost"  # beaten, but only the original wager is taken
        return "push"


def next_bank(table: Table) -> dict[str, int]:
    """PS-T1: two hands, then clockwise."""
    if table.bank_turn == 1:
        return {"seat": table.bank_seat, "turn": 2}
    return {"seat": table.seats[0].number, "turn": 1}


def ledger(bettor: Bettor) -> dict[str, Any]:
    """Staked and returned by wager."""
    answer: dict[str, Any] = {}
    for wager, staked in bettor.staked.items():
        answer[wager] = {"staked": staked, "returned": bettor.returned[wager]}
    return answer
