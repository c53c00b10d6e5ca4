"""The clerk: what happens at a table by itself, one event at a time.

`upcoming` looks at the state alone, so a log that was cut anywhere goes on to the same end. Each
step of the round's plan has a function that gives the next event of that step, a question for
somebody, or None when the step is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from upcard.compile.carry import Carry
from upcard.compile.context import Action, Phase
from upcard.compile.dealer import FIRST_CARDS
from upcard.compile.payoff import LooksAt
from upcard.compile.settlement import AtOnce
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.card_wagers import is_known, open_wagers, waits_for_second, wants_third
from upcard.table.order import action_order, clockwise, pairs_of_boxes
from upcard.table.plain_tables import BASE, PlainTables
from upcard.table.players_cards import Casino, serial
from upcard.table.settle import (
    class_seen,
    dealer_cards,
    natural_place,
    player_class,
    settle_side,
    settle_stake,
    shown_number,
    up_symbol,
)
from upcard.table.state import Box, Round, Shoe, SideBet, Stake, TableState
from upcard.table.state_steps import cards_put_away


class Question(msgspec.Struct, frozen=True):
    """A decision that a player is asked for."""

    phase: str
    position: int
    hand: int
    player: str
    actions: tuple[Action, ...]


class OutOfCardsError(Exception):
    """A scripted shoe has no card for what comes next."""


Upcoming = ev.Event | Question | None
NOT_NEEDED = "not needed"


class Clerk:
    """Does what the plan says next. `casino` signs players' cards."""

    def __init__(self, look: PlainTables, casino: Casino | None = None) -> None:
        self.look = look
        self.plan = look.plan
        self.casino = casino
        self.steps: dict[Phase, Callable[[TableState, Round], Upcoming]] = {
            Phase.FEES: self.nothing,
            Phase.DEAL: self.deal,
            Phase.TRADES: self.trades,
            Phase.INSURANCE: self.offers,
            Phase.EARLY_SURRENDER: self.offers,
            Phase.PEEK: self.peek,
            Phase.EXCHANGE: self.exchange,
            Phase.TURNS: self.turns,
            Phase.REVEAL: self.reveal,
            Phase.DEALER: self.dealer,
            Phase.SETTLE: self.settle,
            Phase.STUD_ROUND: self.stud_round,
            Phase.ROTATE: self.rotate,
        }

    def upcoming(self, state: TableState) -> Upcoming:
        """The next event that happens by itself, or the question that holds it up."""
        here = state.round
        if here is None or here.over:
            return self.between(state)
        coming: Upcoming = self.dues(state, here)
        if coming is not None:
            return coming
        step = self.plan.steps[here.step]
        opens = step.in_void or not here.void
        if opens and (coming := self.steps[step.kind](state, here)):
            return coming
        if step.follows is not None:
            return ev.StepBegun(step=step.follows.value)
        return ev.RoundEnded(round=here.number)

    def dues(self, state: TableState, here: Round) -> ev.Event | None:
        """What comes before anything else: prizes, lights, fees."""
        if here.prize_due is not None:
            prize = int(self.carry.prize[-1])
            due = here.prize_due
            return ev.PrizeWon(
                player=due.player,
                position=due.position,
                amount=prize,
                box=due.elsewhere,
                name=self.carry.prize_name,
            )
        if here.hand_prizes:
            won = here.hand_prizes[0]
            return ev.PrizeWon(
                player=won.player,
                position=won.position,
                amount=won.amount,
                prize=won.prize,
                by=won.by,
            )
        if here.lights:
            light = here.lights[0]
            lit = state.lit(light.player, light.position) + 1
            return ev.LightLit(
                player=light.player, position=light.position, lights=lit, box=light.elsewhere
            )
        if here.fees:
            fee = here.fees[0]
            return ev.FeeCollected(player=fee.player, position=fee.position, amount=fee.amount)
        return None

    # -------------------------------------------------------------- between rounds

    def between(self, state: TableState) -> Upcoming:
        if state.stage == "unopened":
            return None
        for player in state.players:
            if player.leaving or state.stage == "closed":
                return self.leave(state, player.name)
        shoe = state.shoe
        done = shoe.cut_reached or self.plan.shoe.shuffles_every_round
        closing = state.stage == "closed" and bool(shoe.commitment)
        if closing or (shoe.order and done and not shoe.stacked):
            seed = self.seed(state, shoe.number)
            return ev.ShoeOpened(shoe=shoe.number, seed=seed, clients=shoe.clients)
        if state.stage == "closed":
            return None
        if not shoe.commitment:
            number = shoe.number + 1
            return ev.ShoeCommitted(shoe=number, commitment=self.promise(state, number))
        if state.stage == "bank" and (state.offer is None or not state.offer.player):
            return self.offer(state, after=state.offer.seat if state.offer else 0)
        return None

    def leave(self, state: TableState, player: str) -> ev.Event:
        for lights in state.lights:
            if lights.player == player:
                return self.take_lights(state, player, lights.position, lights.lit)
        return ev.ChipsCashed(player=player, amount=state.chips(player))

    def take_lights(self, state: TableState, player: str, position: int, lit: int) -> ev.Event:
        if not self.carry.players_card:
            return ev.LightsLost(player=player, position=position, lights=lit)
        number = self.next_serial(state)
        return ev.CardPunched(player=player, position=position, lights=lit, serial=number)

    def offer(self, state: TableState, after: int) -> ev.BankOffered | None:
        """The bank goes to the next seat clockwise that is taken."""
        seats = [player.seat for player in state.players if player.seat and not player.leaving]
        for seat in clockwise(seats, after):
            player = state.sitting(seat)
            if player is not None:
                turn = state.first_turn if state.offer is None and not state.rounds else 1
                return ev.BankOffered(player=player.name, seat=seat, turn=turn)
        return None

    @property
    def carry(self) -> Carry:
        carry = self.look.tables.carry
        assert carry is not None, "a game with lights"
        return carry

    # -------------------------------------------------------------- what the secret gives

    def seed(self, state: TableState, number: int) -> str:
        return shoes.shoe_seed(state.secret, number)

    def promise(self, state: TableState, number: int) -> str:
        return shoes.commitment(self.seed(state, number))

    def next_serial(self, state: TableState) -> str:
        return serial(state.table, state.secret, state.punched + 1)

    # -------------------------------------------------------------- the shoe

    def draw(self, state: TableState, event: Callable[[str], ev.Event], what: str) -> ev.Event:
        """The event with the next card, or what must happen before there is one."""
        shoe = state.shoe
        if shoe.left == 0:
            return self.run_out(state, what)
        if shoe.dealt >= shoe.cut and not shoe.cut_reached and not shoe.stacked:
            return ev.CutCardReached()
        return event(shoe.order[shoe.dealt])

    def run_out(self, state: TableState, what: str) -> ev.Event:
        shoe = state.shoe
        here = state.round
        assert here is not None
        waiting = (*state.discards, *cards_put_away(here))
        if shoe.stacked and not state.discards:
            raise OutOfCardsError(what)
        if not waiting:
            return ev.RoundVoided()
        seed = self.seed(state, shoe.number)
        purpose = shoes.reshuffle(shoe.shuffles + 1)
        return ev.DiscardsShuffled(order=shoes.shuffled(waiting, seed, shoe.clients, purpose))

    def new_shoe(self, state: TableState) -> ev.ShoeShuffled:
        number = state.shoe.number
        cards = self.look.full_shoe
        seed = self.seed(state, number)
        order = shoes.shuffled(cards, seed, state.shoe.clients)
        return ev.ShoeShuffled(shoe=number, order=order, cut=self.plan.shoe.cut(len(cards)))

    # -------------------------------------------------------------- the first cards

    def nothing(self, state: TableState, here: Round) -> Upcoming:
        """Fees are due from the start of the round; see `dues`."""
        return None

    def deal(self, state: TableState, here: Round) -> Upcoming:
        shoe = state.shoe
        if not shoe.order:
            return self.new_shoe(state)
        if here.scripted == 0 and self.burns(shoe):
            return self.draw(state, lambda card: ev.CardBurned(card=card), "the burn")
        if here.scripted < len(here.script):
            coming = here.script[here.scripted]
            whom = f"position {coming.position}" if coming.position else f"the {coming.to}"
            return self.draw(
                state,
                lambda card: ev.CardDealt(
                    card=card, face=coming.face, to=coming.to, position=coming.position
                ),
                f"the deal to {whom}",
            )
        if self.plan.discards_rest and shoe.left:
            return ev.RestDiscarded(cards=shoe.left)
        if self.look.tells and not here.dealer.told:
            return ev.DownCardTold(ranks=self.look.told[here.dealer.down[0]])
        for box in here.boxes:
            if not box.hands[0].cards and not box.dead:
                return ev.HandDead(position=box.position)
            wagers = self.look.settlement.wagers
            if box.dead and (unsettled := self.next_of_box(state, box, wagers)):
                return unsettled
        return self.card_wagers(state, here)

    def card_wagers(self, state: TableState, here: Round) -> ev.Event | None:
        """Side wagers whose cards are known by now, and a third card that only a wager needs."""
        for box, bet, observer in open_wagers(self.look, here):
            if is_known(self.look, here, box, observer):
                return settle_side(self.look, state, box, bet)
        for box, _, observer in open_wagers(self.look, here):
            if wants_third(self.look, here, box, observer):
                return self.third_card(state, box.position)
        return None

    def third_card(self, state: TableState, position: int) -> ev.Event:
        return self.draw(
            state,
            lambda card: ev.CardDealt(card=card, face="up", to="wager", position=position),
            f"a side wager of position {position}",
        )

    def burns(self, shoe: Shoe) -> bool:
        return shoe.burned < self.plan.shoe.burn and not shoe.stacked

    # -------------------------------------------------------------- before the turns

    def trades(self, state: TableState, here: Round) -> Upcoming:
        for box in here.boxes:
            if not box.dead and (coming := self.bonus_card(state, here, box, 0)):
                return coming
        return None

    def bonus_card(self, state: TableState, here: Round, box: Box, number: int) -> Upcoming:
        """A marked card that waits for a decision, or a replacement that is owed."""
        hand = box.hands[number]
        if self.look.owed[hand.state]:
            return self.card(state, box, number)
        if not self.look.pending[hand.state] or hand.ended:
            return None
        actions = self.look.actions(hand.state, hand.context, shown_number(self.look, here))
        if len(actions) < 2 or here.dealer.natural:  # nothing to choose
            return ev.CardKept(position=box.position, hand=number, asked=False)
        return Question(Phase.TRADES.value, box.position, number, box.player, actions)

    def offers(self, state: TableState, here: Round) -> Upcoming:
        """What a step offers before the check: every box is asked once."""
        step, up = self.plan.steps[here.step], shown_number(self.look, here)
        for box in here.boxes:
            hand = box.hands[0]
            if step.kind in box.asked or box.dead or hand.ended:
                continue
            actions = self.look.actions(hand.state, step.context_of(hand.context), up)
            if any(a in actions and self.look.can_take(box, a) for a in step.offers):
                return Question(step.kind.value, box.position, 0, box.player, actions)
        return None

    def peek(self, state: TableState, here: Round) -> Upcoming:
        up = up_symbol(self.look, here)
        if here.dealer.checked or not self.look.checks[up]:
            return self.card_wagers(state, here)
        if self.look.face_up:  # there is nothing to look for: it is seen, or it is not there
            second = self.look.symbol[here.dealer.cards[1]]
            if self.look.dealer_natural[up][second]:
                return ev.DealerChecked(natural=True)
            return self.card_wagers(state, here)
        return ev.DealerChecked(natural=natural_place(self.look, here) is not None)

    def exchange(self, state: TableState, here: Round) -> Upcoming:
        """A player is asked once for both boxes, at the first of them."""
        step, up = self.plan.steps[here.step], up_symbol(self.look, here)
        if here.dealer.natural and step.natural_ends:
            return None
        for one, other in pairs_of_boxes(here.boxes):
            if step.kind in one.asked or one.dead or other.dead:
                continue
            contexts = [
                (box.hands[0], step.context_of(box.hands[0].context)) for box in (one, other)
            ]
            first, second = (self.look.actions(h.state, context, up) for h, context in contexts)
            actions = tuple(action for action in first if action in second)
            if any(action in actions for action in step.offers):
                return Question(step.kind.value, one.position, 0, one.player, actions)
        return None

    # -------------------------------------------------------------- the turns

    def turns(self, state: TableState, here: Round) -> Upcoming:
        if coming := self.card_wagers(state, here):
            return coming
        if here.dealer.natural and self.plan.steps[here.step].natural_ends:
            return self.trades(state, here)
        up = shown_number(self.look, here)
        natural = self.look.natural_class
        for box in here.boxes:
            hand = box.hands[0]
            is_natural = self.look.natural[hand.state] and not hand.ended
            if is_natural and self.look.is_settled(BASE, natural, up):
                return ev.HandStood(position=box.position, hand=0, asked=False)
        if settled := self.settled_early(state, here, up):
            return settled
        for box in here.boxes:
            for number, hand in enumerate(box.hands):
                if not hand.ended:
                    return self.turn(state, here, box, number, up)
        return None

    def turn(self, state: TableState, here: Round, box: Box, number: int, up: int) -> Upcoming:
        hand = box.hands[number]
        if hand.due or self.look.owed[hand.state] or len(hand.cards) < self.look.first_cards:
            return self.card(state, box, number)
        if self.look.bust[hand.state]:
            return ev.HandBusted(position=box.position, hand=number)
        if coming := self.bonus_card(state, here, box, number):
            return coming
        actions = self.look.actions(hand.state, hand.context, up)
        if actions in (self.look.standing, ()):
            return ev.HandStood(position=box.position, hand=number, asked=False)
        return Question(Phase.TURNS.value, box.position, number, box.player, actions)

    def card(self, state: TableState, box: Box, number: int) -> ev.Event:
        """The next card of a hand: from the shoe, or one of its own down cards."""
        hand = box.hands[number]
        if box.down:
            place = hand.pick or next(n for n, card in enumerate(box.down, 1) if card)
            return ev.CardTurned(
                card=box.down[place - 1], place=place, position=box.position, hand=number
            )
        return self.draw(
            state,
            lambda card: ev.CardDealt(
                card=card, face="up", to="hand", position=box.position, hand=number
            ),
            f"position {box.position}",
        )

    def settled_early(self, state: TableState, here: Round, up: int) -> ev.Event | None:
        """A wager that the dealer's further cards can no longer change is settled at once.

        A limited bank settles in action order, so it does so only for naturals, and only if the
        game wants that, or if it could pay all that can be won: then order makes no difference.
        """
        at_once = self.look.settlement[BASE].at_once
        if at_once is AtOnce.NATURALS_IF_COVERED and not self.covers(state, here):
            return None
        every_hand = at_once is AtOnce.ALWAYS
        for box in here.boxes if every_hand else action_order(state, here.boxes):
            for number, hand in enumerate(box.hands):
                if not every_hand and not self.look.natural[hand.state]:
                    continue
                if hand.ended and self.look.is_settled(BASE, player_class(self.look, hand), up):
                    for stake in hand.stakes:
                        if stake.settled is None:
                            return settle_stake(self.look, state, box, number, stake)
            for bet in _sides(box, self.look.settlement.wagers):
                if not every_hand and not self.look.natural[box.hands[bet.hand].state]:
                    continue
                if bet.settled is None and self.side_is_settled(box, bet, up):
                    return settle_side(self.look, state, box, bet)
        return None

    def covers(self, state: TableState, here: Round) -> bool:
        """Whether the bank could pay all that these wagers can ever win."""
        assert state.bank is not None
        rows = self.look.settlement
        stakes = [stake for box in here.boxes for stake in box.hands[0].stakes]
        bets = [bet for box in here.boxes for bet in box.sides if not bet.hand]
        worst = sum(stake.start for stake in stakes) * rows[BASE].most_wins
        worst += sum(bet.amount * rows[bet.wager].most_wins for bet in bets)
        return state.bank.amount >= worst

    def side_is_settled(self, box: Box, bet: SideBet, up: int) -> bool:
        row = self.look.settlement[bet.wager]
        open_yet = row.looks_at is not LooksAt.BOX and not box.hands[bet.hand].ended
        if row.at_once is AtOnce.NEVER or open_yet:
            return False
        return self.look.is_settled(bet.wager, class_seen(self.look, box, bet), up)

    # -------------------------------------------------------------- the dealer

    def reveal(self, state: TableState, here: Round) -> Upcoming:
        dealer = here.dealer
        if len(dealer.cards) > 1 or not dealer.down:
            return None
        place = natural_place(self.look, here) or 1
        return ev.CardTurned(card=dealer.down[place - 1], place=place)

    def dealer(self, state: TableState, here: Round) -> Upcoming:
        dealer = here.dealer
        if dealer.result:
            return None
        if not self.look.draws[dealer.state]:
            final = self.look.tables.dealer.classes[self.look.final[dealer.state]]
            return ev.DealerFinished(result=final.name)
        second = len(dealer.cards) < FIRST_CARDS and self.second_matters(here)
        always = self.plan.dealer_always_finishes
        if not always and not second and not self.dealer_matters(here):
            return ev.DealerFinished(result=NOT_NEEDED)
        if self.plan.dealer_draws_own_cards:
            place = next(number for number, card in enumerate(dealer.down, 1) if card)
            return ev.CardTurned(card=dealer.down[place - 1], place=place)
        return self.draw(
            state, lambda card: ev.CardDealt(card=card, face="up", to="dealer"), "the dealer"
        )

    def dealer_matters(self, here: Round) -> bool:
        """Whether a wager still depends on the cards that the dealer may draw."""
        for box in here.boxes:
            if box.dead:
                continue
            for hand in box.hands:
                unsettled = any(stake.settled is None for stake in hand.stakes)
                if unsettled and self.look.depends(BASE, player_class(self.look, hand)):
                    return True
            for bet in box.sides:
                if bet.settled is None and self.side_depends(here, box, bet):
                    return True
        return False

    def second_matters(self, here: Round) -> bool:
        """Whether a wager waits for a dealer's second card that is still to come."""
        up = up_symbol(self.look, here)
        for box in here.boxes:
            if box.dead:
                continue
            for hand in box.hands:
                waits = not self.look.is_settled(BASE, player_class(self.look, hand), up)
                if waits and any(stake.settled is None for stake in hand.stakes):
                    return True
            for bet in box.sides:
                row = self.look.settlement[bet.wager]
                if bet.settled is None and row.payoff is not None:
                    own = class_seen(self.look, box, bet)
                    if not self.look.is_settled(bet.wager, own, up):
                        return True
        return waits_for_second(self.look, here)

    def side_depends(self, here: Round, box: Box, bet: SideBet) -> bool:
        row = self.look.settlement[bet.wager]
        if row.payoff is None:
            return row.completes_dealer
        own = class_seen(self.look, box, bet)
        if row.looks_at is LooksAt.BOX:
            return not row.payoff.is_settled(own, self.look.reachable[here.dealer.state])
        return self.look.depends(bet.wager, own)

    # -------------------------------------------------------------- money

    def settle(self, state: TableState, here: Round) -> Upcoming:
        money = self.look.settlement
        wagers = money.wagers if here.void else money.with_game
        for box in action_order(state, here.boxes):
            if coming := self.next_of_box(state, box, wagers):
                return coming
        return None

    def next_of_box(
        self, state: TableState, box: Box, wagers: tuple[str, ...]
    ) -> ev.WagerSettled | None:
        for wager in wagers:
            if wager == BASE:
                for number, stake in _stakes(box):
                    if stake.settled is None:
                        return settle_stake(self.look, state, box, number, stake)
                continue
            for bet in _sides(box, (wager,)):
                if bet.settled is None:
                    return settle_side(self.look, state, box, bet)
        return None

    def stud_round(self, state: TableState, here: Round) -> Upcoming:
        wagers = self.look.settlement.after_game
        live = [
            box
            for box in action_order(state, here.boxes)
            if any(bet.wager in wagers and bet.settled is None for bet in box.sides)
        ]
        if not live:
            return None
        if here.community and not here.community_shown:
            return ev.CardsShown(cards=here.community, community=True)
        if not here.dealer.shown and any(here.dealer.down):
            return ev.CardsShown(cards=tuple(dealer_cards(here)))
        for box in live:
            if not box.shown:
                return ev.CardsShown(cards=box.dealt, position=box.position)
            if coming := self.next_of_box(state, box, wagers):
                return coming
        return None

    def rotate(self, state: TableState, here: Round) -> Upcoming:
        bank = state.bank
        if bank is None:
            return None
        if not bank.returned:
            return ev.BankReturned(player=bank.player, amount=bank.amount + bank.net, net=bank.net)
        if state.offer is not None:
            return None
        player = state.sitting(bank.seat)
        stays = player is not None and player.name == bank.player and not player.leaving
        if stays and bank.turn < self.look.money.turns:
            return ev.BankOffered(player=bank.player, seat=bank.seat, turn=bank.turn + 1)
        return self.offer(state, after=bank.seat)


def _stakes(box: Box) -> Iterator[tuple[int, Stake]]:
    """All base wagers of a box: the owner's on every hand, then those of each backline bettor."""
    for bettor in box.hands[0].stakes:
        for number, hand in enumerate(box.hands):
            for stake in hand.stakes:
                if stake.player == bettor.player:
                    yield number, stake


def _sides(box: Box, wagers: Iterable[str]) -> Iterator[SideBet]:
    """The other wagers of a box, in the order of these."""
    for wager in wagers:
        yield from (bet for bet in box.sides if bet.wager == wager)
