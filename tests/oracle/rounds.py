"""Plays a scripted round from the rules alone, slowly and plainly, to check the real table."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import (
    VARIANTS,
    blackjack_tie,
    common,
    dealer_class,
    dealer_draws,
    facts,
    free_bet,
    legal,
    plain_round,
    player_class,
    twisted,
    undecided,
)
from .random_rounds import random_choice, random_situation
from .round_money import Bank, Settlement, ledger, next_bank, take_fees
from .round_setup import (
    DOLLAR,
    EXPOSED,
    FREE_BET,
    NO_HOLE_CARD,
    PRINTED,
    PURE_SPANISH,
    SWITCH,
    TEN_STICKS,
    TIE,
    TWISTED,
    Bet,
    Hand,
    RoundError,
    Seat,
    Situation,
    Table,
    read_table,
)

__all__ = ["RoundError", "play_round", "random_choice", "random_situation"]

Choose = Callable[[int, list[str]], str]
BONUS_CARD = "Tc"
ALL_LIGHTS = 10


def play_round(situation: Situation, choose: Choose | None = None) -> dict[str, Any]:
    """The result of a round; with `choose` the decisions come from it, not from the script."""
    return Round(read_table(situation), choose).play()


class Round:
    """One round on one table."""

    def __init__(self, table: Table, choose: Choose | None) -> None:
        self.table = table
        self.choose = choose
        self.shoe = list(table.shoe)
        self.dealer: list[str] = []
        self.dealer_five: list[str] = []
        self.community: list[str] = []
        self.bank = Bank(table)
        self.settlement = Settlement(table, self.bank)

    def play(self) -> dict[str, Any]:
        """All steps in their order."""
        bank_fee = take_fees(self.table)
        if self.table.game == TWISTED:
            self.deal_by_position()
        else:
            self.deal_in_passes()
        living = [seat for seat in self.table.seats if not seat.dead()]
        if not self.trades_wait_for_the_turn():
            for seat in living:
                self.bonus_cards_of_the_deal(seat)
        for seat in living:
            self.offer_insurance(seat)
        for seat in living:
            self.offer_early_surrender(seat)
        if not self.check_finds_natural():
            if self.table.game == PURE_SPANISH:
                self.settlement.pay_naturals_at_once(self.dealer)
            for seat in living:
                self.offer_switch(seat)
                self.turn(seat)
            self.complete_dealer(living)
        if "card-drawn-in-error" in self.table.errors:
            self.draw("the dealer's card drawn in error")
        self.settlement.dealer = self.dealer
        self.settlement.dealer_five = self.dealer_five
        self.settlement.community = self.community
        self.settlement.settle_all()
        self.check_scripts()
        return self.result(bank_fee)

    # --- cards ---------------------------------------------------------------------------------

    def draw(self, what_for: str) -> str:
        """The next card of the shoe."""
        if len(self.shoe) == 0:
            raise RoundError(f"too few cards in the shoe: {what_for} is missing")
        return self.shoe.pop(0)

    def new_hand(self, seat: Seat, cards: list[str]) -> None:
        """The first hand of a box."""
        seat.hands = []
        self.new_box(seat, cards)
        seat.first_two = list(cards)

    def new_box(self, seat: Seat, cards: list[str]) -> None:
        """One more box of a seat, with a wager of its own."""
        bets: list[Bet | None] = [Bet(bettor.wagers["base"]) for bettor in seat.bettors]
        seat.hands.append(Hand(cards, bets, box=len(seat.hands) + 1))

    def deal_in_passes(self) -> None:
        """Two passes, the dealer last; irregularities as in house-blackjack.md."""
        if "face-up-card" in self.table.errors:
            self.draw("the card found face up")
        cards: dict[int, list[str]] = {seat.number: [] for seat in self.table.seats}
        second_boxes: dict[int, list[str]] = {seat.number: [] for seat in self.table.seats}
        for number_of_pass in (1, 2):
            for seat in self.table.seats:
                if seat.missed + number_of_pass <= 2:
                    cards[seat.number].append(self.draw(f"seat {seat.number}, deal"))
                if self.table.game == SWITCH:  # SWI-BOX
                    second_boxes[seat.number].append(self.draw(f"seat {seat.number}, deal"))
            if number_of_pass == 1 or self.table.game not in NO_HOLE_CARD:
                self.dealer.append(self.draw("the dealer's card"))
        for seat in self.table.seats:
            if seat.missed == 1:  # its second card after the others
                cards[seat.number].append(self.draw(f"seat {seat.number}, missed card"))
        for seat in self.table.seats:
            self.new_hand(seat, cards[seat.number])
            if self.table.game == SWITCH:
                self.new_box(seat, second_boxes[seat.number])

    def deal_by_position(self) -> None:
        """Twisted 21: five to every position, five to the dealer, the community cards."""
        places = [seat.number for seat in self.table.seats]
        if "positions" in self.table.settings:
            places = list(range(1, int(str(self.table.rules["positions"])) + 1))  # TW-4
        by_number = {seat.number: seat for seat in self.table.seats}
        for place in places:
            five = [self.draw(f"position {place}, deal") for _ in range(5)]
            if place in by_number:
                seat = by_number[place]
                seat.five = five
                seat.down = {1: five[2], 2: five[3], 3: five[4]}
                self.new_hand(seat, five[:2])
        self.dealer_five = [self.draw("the dealer's card") for _ in range(5)]
        self.dealer = twisted.dealers_two(self.table.settings, self.dealer_five)
        if self.table.word("stud_bonus").startswith("seven-card"):  # TW-18
            self.community = [self.draw("a community card") for _ in range(2)]

    def take_card(
        self, seat: Seat, hand: Hand, *, pick: int | None = None, on_double: bool = False
    ) -> None:
        """A card for the hand, and the choice of TS-4 if it is a bonus card."""
        if self.table.game == TWISTED:
            if pick is None:
                pick = min(seat.down)
            hand.cards.append(seat.down.pop(pick))
            return
        hand.cards.append(self.draw(f"seat {seat.number}, step {len(seat.taken)}: a card"))
        self.bonus_card(seat, hand, len(hand.cards) - 1, on_double=on_double)

    # --- questions -----------------------------------------------------------------------------

    def fail(self, seat: Seat, why: str) -> RoundError:
        """An error with seat and step."""
        return RoundError(f"seat {seat.number}, step {len(seat.taken) + 1}: {why}")

    def ask(self, seat: Seat, actions: list[str], hand: Hand) -> list[str]:
        """The words of the seat's answer to a question with these legal actions."""
        if len(actions) == 1:
            return [actions[0]]
        if self.choose is None:
            if len(seat.taken) >= len(seat.script):
                raise self.fail(seat, f"too few actions, one of {actions} is asked")
            answer = seat.script[len(seat.taken)]
        else:
            offered: list[str] = []
            for action in actions:
                offered.extend(self.ways(seat, action, hand))
            answer = self.choose(seat.number, offered)
            if answer not in offered:
                raise self.fail(seat, f"{answer!r} is none of {offered}")
        words = answer.split()
        if len(words) == 0 or words[0] not in actions:
            raise self.fail(seat, f"{answer!r} is illegal, legal is one of {actions}")
        self.check_words(seat, words, hand)
        seat.taken.append(answer)
        seat.taken_at.append(hand.box)
        return words

    def ways(self, seat: Seat, action: str, hand: Hand) -> list[str]:
        """An action with its variants, as they are offered to `choose`."""
        answer = [action]
        if action == "double" and self.table.double_for_less():
            dollars = hand.owner().stake // DOLLAR
            some = [less for less in sorted({1, dollars // 2}) if 1 <= less < dollars]
            if self.table.only_printed():
                some = [less for less in some if less * DOLLAR in PRINTED]
            answer.extend(f"double {less * DOLLAR}" for less in some)
        if action == "insure":
            most = self.table.most_insurance(hand.owner().stake)
            less = most // DOLLAR // 2
            if less >= 1 and (not self.table.only_printed() or less * DOLLAR in PRINTED):
                answer.append(f"insure {less * DOLLAR}")
        if self.picks():
            if action == "hit":
                answer.extend(f"hit {number}" for number in sorted(seat.down))
            if action == "double":
                answer.extend(f"double pick {number}" for number in sorted(seat.down))
        return answer

    def picks(self) -> bool:
        """TW-12: the player points at the card."""
        return self.table.game == TWISTED and self.table.word("hit_cards") == "pick"

    def check_words(self, seat: Seat, words: list[str], hand: Hand) -> None:
        """Amounts and choices of cards."""
        amount, pick = self.amount_and_pick(seat, words)
        if pick is not None and (not self.picks() or pick not in seat.down):
            raise self.fail(seat, f"down card {pick} cannot be taken")
        if amount is None:
            return
        most = hand.owner().stake
        if words[0] == "insure":
            most = self.table.most_insurance(most)
        elif not self.table.double_for_less() and amount != most:
            raise self.fail(seat, "doubling for less is not offered")
        if amount < DOLLAR or amount % DOLLAR != 0 or amount > most:
            raise self.fail(seat, f"{amount} is not whole dollars up to {most}")
        if self.table.only_printed() and amount not in PRINTED:
            raise self.fail(seat, f"{amount} is no printed amount")

    def amount_and_pick(self, seat: Seat, words: list[str]) -> tuple[int | None, int | None]:
        """The amount of `double 500` or `insure 200`; the card of `hit 2` or `double pick 2`."""
        rest = words[1:]
        amount: int | None = None
        pick: int | None = None
        if words[0] in ("double", "insure") and len(rest) > 0 and rest[0].isdigit():
            amount = int(rest.pop(0))
        if words[0] == "double" and len(rest) == 2 and rest[0] == "pick" and rest[1].isdigit():
            pick = int(rest[1])
            rest = []
        if words[0] == "hit" and len(rest) == 1 and rest[0].isdigit():
            pick = int(rest.pop(0))
        if len(rest) > 0:
            raise self.fail(seat, f"{' '.join(words)!r} is no action")
        return amount, pick

    def legal_now(self, seat: Seat, hand: Hand, phase: str) -> list[str]:
        """The legal actions, by the rules of single hands."""
        answers = legal(
            self.table.game,
            self.table.settings,
            hand.cards,
            self.dealer[0],
            hands=len([other for other in seat.hands if other.box == hand.box]),
            split_from=hand.split_from,
            doubles=hand.doubles,
            phase=phase,
            traded=hand.traded,
        )
        return [action for action, why_not in answers.items() if why_not is None]

    # --- Ten Sticks 21 -------------------------------------------------------------------------

    def trades_wait_for_the_turn(self) -> bool:
        """Reading trade_time. Automatic lights (TS-10) are no decision and never wait."""
        if self.table.game != TEN_STICKS or not self.table.rules["trade"]:
            return False
        return self.table.reading("trade_time", "before-insurance") == "own-turn"

    def bonus_cards_of_the_deal(self, seat: Seat) -> None:
        """Bonus cards among the first two, one after the other."""
        if self.table.game != TEN_STICKS:
            return
        hand = seat.hands[0]
        two = hand.cards == [BONUS_CARD, BONUS_CARD]
        for position in (0, 1):
            if two and hand.traded and self.table.word("two_bonus_cards") == "one":
                return
            self.bonus_card(seat, hand, position)

    def bonus_card(self, seat: Seat, hand: Hand, position: int, *, on_double: bool = False) -> None:
        """TS-4: keep or trade a playable bonus card that has just landed."""
        if self.table.game != TEN_STICKS:
            return
        replacements = 0
        while hand.cards[position] == BONUS_CARD and common.best_total(hand.cards)[0] <= 21:
            if not self.table.rules["trade"]:
                self.light(seat)  # TS-10
                return
            if on_double and self.table.word("trade_on_double") == "no":
                return
            if replacements > 0 and self.table.word("trade_again") == "no":
                return
            if self.ask(seat, ["keep", "trade"], hand) == ["keep"]:
                return
            self.light(seat)  # TS-5
            hand.traded = True
            replacements = replacements + 1
            hand.cards[position] = self.draw(f"seat {seat.number}, step {len(seat.taken)}: a trade")

    def light(self, seat: Seat) -> None:
        """TS-5 to TS-7: one light; the tenth pays at once and the count starts again."""
        sharing = [seat]
        if self.table.reading("lights_owner", "player-at-position") == "player":
            sharing = [other for other in self.table.seats if other.player == seat.player]
        if seat.prize_won and self.table.word("light_surplus") == "lost":
            return
        lights = seat.lights + 1
        won = lights == ALL_LIGHTS
        if won:
            seat.prizes = seat.prizes + int(str(self.table.rules["prize"]))
            lights = 0
        for other in sharing:
            other.lights = lights
            other.prize_won = other.prize_won or won

    # --- before the turns ----------------------------------------------------------------------

    def offer_insurance(self, seat: Seat) -> None:
        """Asked of every seat, a natural too, against an ace."""
        hand = seat.hands[0]
        actions = self.legal_now(seat, hand, "insurance")
        most = self.table.most_insurance(hand.owner().stake)
        if len(actions) == 0 or most == 0:
            return
        words = self.ask(seat, actions, hand)
        if words[0] == "insure":
            amount, _ = self.amount_and_pick(seat, words)
            seat.insurance = most if amount is None else amount

    def offer_early_surrender(self, seat: Seat) -> None:
        """Before the check, or before the turns where a natural waits for the end."""
        hand = seat.hands[0]
        actions = self.legal_now(seat, hand, "early-surrender")
        if len(actions) == 0:
            return
        if (
            hand.traded
            and player_class(self.table.game, self.table.settings, hand.cards, traded=True)
            != "natural"
        ):
            actions = ["surrender", "decline"]
        if self.ask(seat, actions, hand)[0] == "surrender":
            twice = common.surrenders_twice(self.table.rules)
            hand.ended = "early-surrender" if twice else "surrender"

    def check_finds_natural(self) -> bool:
        """Whether the dealer looks for a natural and has one, or has shown it (DX-DN)."""
        if self.table.game == EXPOSED:
            return dealer_class(self.table.game, self.table.settings, self.dealer) == "natural"
        if not common.up_is_checked(self.table.rules, self.dealer[0]):
            return False
        if self.table.game == TWISTED and not twisted.dealer_looks(self.table.settings):
            return False
        return dealer_class(self.table.game, self.table.settings, self.dealer) == "natural"

    def offer_switch(self, seat: Seat) -> None:
        """SWI-SW: the two second cards change places, or not."""
        if self.table.game != SWITCH:
            return
        first, second = seat.hands
        if self.ask(seat, [plain_round.SWITCH, plain_round.LEAVE], first) == [plain_round.SWITCH]:
            first.cards[1], second.cards[1] = second.cards[1], first.cards[1]
            first.traded = second.traded = True

    # --- turns ---------------------------------------------------------------------------------

    def turn(self, seat: Seat) -> None:
        """All hands of a box, each finished before the next gets its second card."""
        if seat.hands[0].ended is not None:
            return
        if self.trades_wait_for_the_turn():
            self.bonus_cards_of_the_deal(seat)
        number = 0
        while number < len(seat.hands):
            self.play_hand(seat, number)
            number = number + 1

    def play_hand(self, seat: Seat, number: int) -> None:
        """One hand until it stands, busts or ends."""
        hand = seat.hands[number]
        while True:
            if len(hand.cards) == 1:
                self.take_card(seat, hand)
            actions = self.legal_now(seat, hand, "turn")
            if actions in ([], ["stand"]):
                if self.table.game == PURE_SPANISH and hand.split_from is not None:
                    self.settlement.pay_split_natural_at_once(seat, number)
                return
            words = self.ask(seat, actions, hand)
            amount, pick = self.amount_and_pick(seat, words)
            if words[0] == "stand":
                return
            if words[0] in ("surrender", "rescue"):
                hand.ended = words[0]
                return
            if words[0] == "hit":
                self.take_card(seat, hand, pick=pick)
            elif words[0] == "double":
                self.add_double(seat, hand, hand.owner().stake if amount is None else amount)
                self.take_card(seat, hand, pick=pick, on_double=True)
            elif words[0] == "redouble":
                self.add_redouble(seat, hand)
                self.take_card(seat, hand, on_double=True)
            elif words[0] == "split":
                self.split(seat, number)
            elif words[0] == "replace":  # ZA-ZAP
                hand.cards.clear()
                hand.traded = True
                self.take_card(seat, hand)
            else:
                raise self.fail(seat, f"{words[0]} in a turn")

    def add_double(self, seat: Seat, hand: Hand, amount: int) -> None:
        """Up to the original wager; a backline bettor who follows adds at most the own wager."""
        hand.doubles = 1
        if self.table.game == FREE_BET:
            self.add_to_markers(seat, hand)
            return
        full = amount == hand.owner().stake
        for bettor, bet in zip(seat.bettors, hand.bets, strict=True):
            if bet is not None and bettor.follows:
                added = bet.stake if full else min(amount, bet.stake)
                bet.added = added
                bet.last_double = added

    def add_to_markers(self, seat: Seat, hand: Hand) -> None:
        """FB-FD, FB-OWN: as much as the base wager, of the house or of one's own."""
        wager, bet = seat.bettors[0].wagers["base"], hand.owner()
        if free_bet.double_is_free(self.table.settings, hand.cards):
            bet.marker = bet.marker + wager
        else:
            bet.added = bet.last_double = wager

    def add_redouble(self, seat: Seat, hand: Hand) -> None:
        """PS-O3: the total wager again."""
        hand.doubles = hand.doubles + 1
        for bettor, bet in zip(seat.bettors, hand.bets, strict=True):
            if bet is not None and bettor.follows:
                bet.last_double = bet.stake + bet.added
                bet.added = bet.added + bet.last_double

    def split(self, seat: Seat, number: int) -> None:
        """The second card becomes a hand of its own, next in turn."""
        hand = seat.hands[number]
        moved = hand.cards.pop()
        bets: list[Bet | None] = []
        for bettor, bet in zip(seat.bettors, hand.bets, strict=True):
            bets.append(Bet(bet.stake) if bet is not None and bettor.follows else None)
        if self.table.game == FREE_BET:
            wager = seat.bettors[0].wagers["base"]
            free = free_bet.split_is_free(self.table.settings, [moved], len(seat.hands))
            bets = [Bet(0, marker=wager) if free else Bet(wager)]  # FB-FS, FB-OWN
        hand.split_from = common.rank(hand.cards[0])
        new = Hand([moved], bets, split_from=common.rank(moved), box=hand.box)
        seat.hands.insert(number + 1, new)

    # --- dealer and result ---------------------------------------------------------------------

    def depends_on_dealer(self, seat: Seat, hand: Hand) -> bool:
        """Whether the dealer's further cards can change what becomes of the hand."""
        game, settings = self.table.game, self.table.settings
        if hand.ended == "surrender" and game in NO_HOLE_CARD:  # PO-SUR: a natural takes all
            up = self.dealer[0]
            return len(self.dealer) == 1 and (common.is_ace(up) or common.is_ten_value(up))
        if hand.ended is not None or hand.paid:
            return False
        split = hand.split_from is not None
        if game in VARIANTS:
            return undecided(
                game,
                settings,
                hand.cards,
                split=split,
                traded=hand.traded,
                doubled=hand.doubles > 0,
                dealer=self.dealer,
            )
        what = player_class(game, settings, hand.cards, split=split, traded=hand.traded)
        if what == "bust":
            return game == PURE_SPANISH  # Decided: 8-8-8 can still push
        if what == "charlie" and game == TIE and hand is seat.hands[0]:  # SR-50
            total = facts(game, settings, hand.cards, split=split).total
            placed = [wager for bettor in seat.bettors for wager in bettor.wagers]
            return any(blackjack_tie.charlie_may_tie(settings, total, wager) for wager in placed)
        return what not in ("natural", "charlie")

    def complete_dealer(self, living: list[Seat]) -> None:
        """The dealer draws by the rules if some wager depends on it; a player-dealer always."""
        always = self.table.game == PURE_SPANISH  # SR-1: PS-D14, PS-M7
        while dealer_draws(self.table.game, self.table.settings, self.dealer):
            if not always and not any(
                self.depends_on_dealer(seat, hand) for seat in living for hand in seat.hands
            ):
                return
            if self.table.game == TWISTED:
                self.dealer.append(self.dealer_five[len(self.dealer)])
            else:
                self.dealer.append(self.draw("the dealer's card"))

    def check_scripts(self) -> None:
        """Every scripted action was used."""
        for seat in self.table.seats:
            if self.choose is None and len(seat.taken) < len(seat.script):
                raise self.fail(seat, f"too many actions, {seat.script[len(seat.taken)]!r} is left")

    def total(
        self,
        cards: list[str],
        *,
        split: bool = False,
        traded: bool = False,
        doubled: bool = False,
    ) -> int | float:
        """A whole number, or 21.5."""
        if len(cards) == 0:
            return 0
        total: Fraction = facts(
            self.table.game,
            self.table.settings,
            cards,
            split=split,
            traded=traded,
            doubled=doubled,
        ).total
        return int(total) if total.denominator == 1 else float(total)

    def result(self, bank_fee: int) -> dict[str, Any]:
        """The output, as the format of scripted rounds names it."""
        answer: dict[str, Any] = {"seats": {}}
        everybody = 0
        for seat in sorted(self.table.seats, key=lambda one: one.number):
            owner = seat.bettors[0]
            net = owner.net() + seat.prizes
            backs = {
                bettor.name: {"net": bettor.net(), "fees": bettor.fee, "wagers": ledger(bettor)}
                for bettor in seat.bettors[1:]
            }
            everybody = everybody + net + sum(bettor.net() for bettor in seat.bettors[1:])
            hands = []
            for number, hand in enumerate(seat.hands):
                total = self.total(
                    hand.cards,
                    split=hand.split_from is not None,
                    traded=hand.traded,
                    doubled=hand.doubles > 0,
                )
                hands.append(
                    {
                        "cards": list(hand.cards),
                        "total": total,
                        "outcome": self.settlement.outcome(seat, number),
                    }
                )
            found = answer["seats"][str(seat.number)] = {
                "net": net,
                "fees": owner.fee,
                "hands": hands,
                "wagers": ledger(owner),
                "lights": seat.lights,
                "backline": backs,
                "actions": list(seat.taken),
            }
            if self.table.game == SWITCH:
                found["boxes"] = [box_result(seat, hands, box) for box in (1, 2)]
        answer["dealer"] = {"cards": list(self.dealer), "total": self.total(self.dealer)}
        if self.table.game == PURE_SPANISH:
            answer["bank"] = {"net": -everybody, "fees": bank_fee}
            answer["next_bank"] = next_bank(self.table)
        else:
            answer["house"] = {"net": -everybody}
        return answer


def box_result(seat: Seat, hands: list[dict[str, Any]], box: int) -> dict[str, Any]:
    """One of several boxes of a seat, in the words of a seat's result."""
    own = [number for number, hand in enumerate(seat.hands) if hand.box == box]
    staked = sum(seat.hands[number].staked for number in own)
    returned = sum(seat.hands[number].returned for number in own)
    taken = zip(seat.taken, seat.taken_at, strict=True)
    return {
        "net": returned - staked,
        "hands": [hands[number] for number in own],
        "wagers": {"base": {"staked": staked, "returned": returned}},
        "actions": [action for action, at in taken if at == box],
    }
