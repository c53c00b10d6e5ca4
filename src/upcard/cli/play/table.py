"""The flow of a table: bank, wagers, decisions, results, again and again.

Every step looks at the state alone, so that a saved table goes on from wherever it stopped.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play import keys
from upcard.cli.play.betting import Panel, WagerDraft, Wagers, panel
from upcard.cli.play.deciding import Decider
from upcard.cli.play.seat import PersonsSeat
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.players.company import BANK, Company, least, usual_chips
from upcard.table import commands as cm
from upcard.table.judge import Refusal
from upcard.table.plain_tables import BASE
from upcard.text import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.cli.play.screen import Keys
    from upcard.table.state import TableState

LARGE_STEP = 5
_STEPS = {
    keys.RIGHT: 1,
    "+": 1,
    "=": 1,
    keys.LEFT: -1,
    "-": -1,
    keys.PAGE_UP: LARGE_STEP,
    keys.PAGE_DOWN: -LARGE_STEP,
}


class PersonsTable:
    """A person at a table with bots."""

    def __init__(self, seat: PersonsSeat) -> None:
        self.seat = seat
        self.session = seat.session
        self.me = seat.me
        self.tables = seat.session.engine.tables
        self.decider = Decider(seat)
        others = (player.name for player in seat.state.players if player.name != seat.me)
        self.company = Company(seat.session.engine, others, self.wait)
        self.last: dict[int, Wagers] = self._last_wagers()
        self.bank_amount = BANK * least(self.tables.money.wagers[BASE], self.tables.money)

    def wait(self, words: str) -> None:
        """Say at once what the person waits for."""
        self.seat.tell(words, self.seat.colours.quiet)
        self.seat.draw(())
        self.seat.say = Text()

    @property
    def state(self) -> TableState:
        return self.session.state

    def play(self) -> None:
        """Play until the table is closed; quitting raises QuitError."""
        while self.state.stage != "closed":
            self.step()

    def step(self) -> None:
        """Whatever comes next."""
        seat, state = self.seat, self.state
        if seat.over:
            self.results()
            return
        question = self.session.question
        if question is not None:
            if question.player == self.me:
                self.decider.decide()
            else:
                bot = self.company.bots[question.player]
                # The first is what it wants; another one only if the table refuses that.
                others = (
                    cm.parse_decision(action.text, player=bot.name, position=question.position)
                    for action in question.actions
                )
                self.bot_does(chain((bot.answer(state, question),), others))
            return
        seat.cleared = True
        for command in self.company.buy_ins(state):
            seat.do(command, mine=False)
        if state.stage == "bank":
            self.bank()
        else:
            self.wagers()

    def bot_does(self, commands: Iterable[cm.Command]) -> None:
        """The first of these commands that the table accepts."""
        if not any(self.seat.do(command, mine=False) for command in commands):
            raise UpcardError("a bot does not know what to do: this is a defect of upcard")

    # -------------------------------------------------------------- the bank

    def bank(self) -> None:
        offer = self.state.offer
        assert offer is not None
        if offer.player != self.me:
            wanted = self.company.bots[offer.player].take_bank(self.state)
            self.bot_does((wanted, cm.DeclineBank(player=offer.player)))
            return
        self.offered(offer.turn)

    def offered(self, turn: int) -> None:
        """The person may bank, with any amount, or leave it to the next."""
        seat = self.seat
        while self.state.stage == "bank":
            offer = self.state.offer
            if offer is None or (offer.player, offer.turn) != (self.me, turn):
                return
            self.bank_amount = max(self.tables.money.unit, min(self.bank_amount, self.most_banked))
            shown = self.offer_panel(turn)
            pairs: Keys = (
                ("y", f"bank with {format_cents(self.bank_amount)}"),
                ("n", "decline"),
                ("left right", "amount"),
                ("a", "type it"),
                *self.mix_keys,
                ("$", "buy chips"),
                ("c", "cash out"),
            )
            key = seat.key(pairs, shown)
            seat.say = Text()
            if key == "y":
                seat.do(cm.TakeBank(player=self.me, amount=self.bank_amount))
            elif key == "n":
                seat.do(cm.DeclineBank(player=self.me))
            elif key in _STEPS:
                step = least(self.tables.money.wagers[BASE], self.tables.money)
                self.bank_with(self.bank_amount + _STEPS[key] * step)
            elif key == "a":
                self.type_bank(shown)
            elif not self.between(key, shown):
                seat.strange(key)

    @property
    def most_banked(self) -> int:
        """The most that can be banked and leaves chips for the largest fee of the schedule."""
        unit, fees = self.tables.money.unit, self.tables.money.fees
        rows = fees.schedule.player_dealer if fees is not None else ()
        kept = max((row.fee for row in rows), default=0)
        return max(unit, (self.state.chips(self.me) - kept) // unit * unit)

    def bank_with(self, wanted: int) -> None:
        """Another amount for the bank, and a word where it goes no further."""
        unit, most = self.tables.money.unit, self.most_banked
        self.bank_amount = max(unit, min(wanted, most))
        if wanted > most:
            self.seat.tell(f"The most is {format_cents(most)}: the rest is kept for the fee.")
        elif wanted < unit:
            self.seat.tell(f"The least is {format_cents(unit)}.")

    def type_bank(self, shown: Panel) -> None:
        """A typed amount for the bank; one that the table refuses changes nothing."""
        amount = self.seat.ask_amount("Bank with", self.bank_amount, shown)
        if amount is None:
            return
        taken = self.session.engine.decide(self.state, cm.TakeBank(player=self.me, amount=amount))
        if isinstance(taken, Refusal):
            self.seat.refuse(taken)
        else:
            self.bank_with(amount)

    def offer_panel(self, turn: int) -> Panel:
        colours = self.seat.colours
        chips = self.seat.screen.paint.chips(self.bank_amount)
        turns = self.tables.money.turns
        head = Text(f"The bank is offered to you: turn {turn} of {turns}", colours.own)
        amount = Text("Bank with ").append_text(chips)
        more = Text("You pay and collect the others' wagers, as far as this goes.", colours.quiet)
        return Panel([head], [amount], [more])

    # -------------------------------------------------------------- wagers

    def _last_wagers(self) -> dict[int, Wagers]:
        """What lies on the layout already, else the wagers of the last round in the record."""
        now: dict[int, Wagers] = {}
        last: dict[int, Wagers] = {}
        for entry in self.session.entries:
            command = entry.command
            if isinstance(command, cm.Deal):
                last, now = now or last, {}
            elif isinstance(command, cm.PlaceWagers) and command.player == self.me:
                now[command.position] = dict(command.wagers)
        return now or last

    def draft(self) -> WagerDraft:
        player = self.state.player(self.me)
        assert player is not None
        money = self.tables.money
        first = {player.seat: {BASE: least(money.wagers[BASE], money)}}
        free = {
            position: wagers
            for position, wagers in self.last.items()
            if self._is_free(position) and wagers
        }
        draft = WagerDraft(money, free or first, alike=self.tables.round_plan.boxes > 0)
        while len(draft.boxes) < self.tables.round_plan.boxes and (more := self.free_box(draft)):
            draft.add_box(more)
        draft.position = min(draft.boxes)
        return draft

    def _is_free(self, position: int) -> bool:
        """Whether the person may wager at a position."""
        sitting, bank = self.state.sitting(position), self.state.bank
        if bank is not None and bank.seat == position:
            return False
        if any(bet.player != self.me for bet in self.state.bets_at(position)):
            return False
        return sitting is None or sitting.name == self.me

    def wagers(self) -> None:
        """Wagers are chosen and the cards dealt; who banks only deals."""
        bank = self.state.bank
        if bank is not None and bank.player == self.me:
            self.watch()
            return
        if not self.mix_keys:  # the first wager closes the words: the person's must get in
            self.bots_wager()
        draft = self.draft()
        while self.state.stage == "wagers":
            shown = self.wager_panel(draft)
            if not self.seat.say.plain:
                self.hint(draft)
            key = self.seat.key(self.wager_keys(draft), shown)
            self.seat.say = Text()
            if key == keys.ENTER:
                if self.place(draft.boxes) and self.deal():
                    self.last = draft.boxes
                    return
            elif key == "o":
                if self.place({}) and self.deal():
                    return
            elif key == "w":
                draft = self.walk(draft, shown)
            elif not self.change(draft, key) and not self.between(key, shown):
                self.seat.strange(key)

    def wager_panel(self, draft: WagerDraft) -> Panel:
        screen = self.seat.screen
        return panel(draft, self.seat.seen.sign, screen.paint, screen.table_width - 2)

    @property
    def mix_keys(self) -> Keys:
        """The key for a word of one's own, before a new shoe is shuffled."""
        return () if self.seat.seen.shoe.shuffled else (("m", "mix"),)

    def wager_keys(self, draft: WagerDraft) -> Keys:
        pairs = [("Enter", "deal"), ("left right", "amount"), ("a", "type it")]
        if len(draft.plans) > 1:
            pairs += [("up down", "wager"), ("0", "none")]
        if self.tables.round_plan.several_boxes:
            fixed = self.tables.round_plan.boxes > 0
            pairs += [("b", "one more box")] if not fixed and self.free_box(draft) else []
            pairs += [("x", "one less")] if not fixed and len(draft.boxes) > 1 else []
            # Boxes that are wagered alike differ in side wagers alone.
            differ = len(draft.boxes) > 1 and (not fixed or len(draft.plans) > 1)
            pairs += [("n", "next box")] if differ else []
        pairs += self.mix_keys
        pairs += [("w", "walk")] if self.free_seats() else []
        pairs += [("o", "sit out"), ("$", "buy chips"), ("c", "cash out")]
        return tuple(pairs)

    def hint(self, draft: WagerDraft) -> None:
        """What the table would say to these wagers, before they are placed."""
        chips = self.state.chips(self.me) + sum(
            bet.total for bet in self.state.bets if bet.player == self.me
        )
        base = least(self.tables.money.wagers[BASE], self.tables.money)
        if chips < base:
            self.seat.tell(
                f"You have {format_cents(chips)} left, less than the least wager: "
                "$ buys chips, c cashes out.",
                self.seat.colours.bad,
            )
        elif refusal := self._refused(draft.boxes):
            self.seat.refuse(refusal)
        else:
            self.seat.tell("Your wagers, please: Enter deals.")

    def _changes(self, boxes: dict[int, Wagers]) -> list[cm.PlaceWagers]:
        """Commands that turn what lies on the layout into these wagers, in any order."""
        gone = [
            bet.position
            for bet in self.state.bets
            if bet.player == self.me and bet.position not in boxes
        ]
        wanted: dict[int, Wagers] = {position: {} for position in gone} | boxes
        there = {bet.position: bet.wagers for bet in self.state.bets if bet.player == self.me}
        return [
            cm.PlaceWagers(player=self.me, position=position, wagers=dict(wagers))
            for position, wagers in wanted.items()
            if wagers != there.get(position)
        ]

    def _placements(self, boxes: dict[int, Wagers]) -> list[cm.PlaceWagers] | Refusal:
        """How these wagers come to lie there, or their refusal; nothing is placed."""
        return self._in_order(self._changes(boxes))

    def _in_order(self, waiting: list[cm.PlaceWagers]) -> list[cm.PlaceWagers] | Refusal:
        """Changes in an order that the table takes: one box may lean on another."""
        state, found = self.state, []
        refusals: list[Refusal] = []
        while waiting and len(refusals) < len(waiting):
            command, *others = waiting
            outcome = self.session.engine.act(state, command)
            if isinstance(outcome, Refusal):
                refusals.append(outcome)
                waiting = [*others, command]
            else:
                state, waiting, refusals = outcome.state, others, []
                found.append(command)
        return refusals[0] if refusals else found

    def _refused(self, boxes: dict[int, Wagers]) -> Refusal | None:
        found = self._placements(boxes)
        return found if isinstance(found, Refusal) else None

    def place(self, boxes: dict[int, Wagers]) -> bool:
        found = self._placements(boxes)
        if isinstance(found, Refusal):
            self.seat.refuse(found)
            return False
        return all(self.seat.do(command) for command in found)

    def free_box(self, draft: WagerDraft) -> int:
        """A position for one more box, the nearest first; 0 if there is none."""
        near = sorted(self.state.positions, key=lambda p: (abs(p - draft.position), p))
        taken = {bet.position for bet in self.state.bets if bet.player != self.me}
        taken |= {*draft.boxes, *(player.seat for player in self.state.players)}
        free = (p for p in near if p not in taken)
        return next(free, 0)

    def free_seats(self) -> list[int]:
        """Seats that nobody has, and nobody else wagers at."""
        taken = {bet.position for bet in self.state.bets if bet.player != self.me}
        taken |= {player.seat for player in self.state.players}
        return [position for position in self.state.positions if position not in taken]

    def walk(self, draft: WagerDraft, shown: Panel) -> WagerDraft:
        """Change chairs, with the wagers that are about to be placed; the draft from there on."""
        seat, player, free = self.seat, self.state.player(self.me), self.free_seats()
        assert player is not None
        if not free:
            seat.tell("Every other seat is taken.")
            return draft
        text = seat.ask(f"Walk to seat {listed(free)}:", str(free[0]), shown)
        if text is None:
            return draft
        if not text.isdecimal() or int(text) not in free:
            seat.tell(f"You can walk to seat {listed(free)}.")
            return draft
        old, new = player.seat, int(text)
        if not (self.place({}) and seat.do(cm.Move(player=self.me, seat=new))):
            return draft
        other = {old: new, new: old}
        self.last = {other.get(place, place): wagers for place, wagers in draft.boxes.items()}
        seat.tell(f"You sit at seat {new} now.")
        return self.draft()

    def change(self, draft: WagerDraft, key: str) -> bool:
        """Keys that change the wagers to be placed; whether this is one of them.

        What the table would refuse is not kept, unless it goes down from wagers that are refused
        already, as those of a last round may be for somebody who has lost since.
        """
        before, position = {p: dict(w) for p, w in draft.boxes.items()}, draft.position
        words = self.changed(draft, key)
        if words is None:
            return False
        refused = self._refused(draft.boxes)
        falls = draft.total < _total(before)
        if refused is not None and draft.boxes != before:
            if self._refused(before) is None or not falls:
                draft.boxes, draft.position = before, position
            self.seat.refuse(refused)
        elif words:
            self.seat.tell(words)
        return True

    def changed(self, draft: WagerDraft, key: str) -> str | None:
        """Change the wagers to be placed and say what is worth a word; None for other keys."""
        if key in _STEPS:
            return draft.step(_STEPS[key])
        if key in (keys.UP, keys.DOWN):
            draft.choose(draft.chosen + (1 if key == keys.DOWN else -1))
        elif key.isdecimal() and 1 <= int(key) <= len(draft.plans):
            draft.choose(int(key) - 1)
        elif key == "0":
            draft.set(0)
        elif key == "a":
            amount = self.seat.ask_amount(draft.plan.name, draft.amount, self.wager_panel(draft))
            if amount is None:
                return self.seat.take_words()
            draft.set(amount)
        else:
            return self.changed_boxes(draft, key)
        return ""

    def changed_boxes(self, draft: WagerDraft, key: str) -> str | None:
        if key == "b":
            position = self.free_box(draft)
            if not position:
                return "Every other position is taken."
            draft.add_box(position)
        elif key == "x" and len(draft.boxes) > 1:
            draft.drop_box()
        elif key == "n" and len(draft.boxes) > 1:
            draft.next_box()
        else:
            return None
        return ""

    def between(self, key: str, shown: Panel | None = None) -> bool:
        """Keys between rounds: chips, the shuffle, leaving; whether this is one of them."""
        seat = self.seat
        if key == "$":
            amount = seat.ask_amount("Buy chips for", usual_chips(self.tables), shown)
            if amount is not None:
                seat.do(cm.BuyIn(player=self.me, amount=amount))
        elif key == "m":
            word = seat.ask("Mix into the next shuffle:", "", shown)
            if word is not None and seat.do(cm.MixSeed(player=self.me, seed=word)):
                seat.tell("It is mixed in: nobody can have known it when the shoe was promised.")
        elif key == "c":
            self.cash_out()
        else:
            return False
        return True

    # -------------------------------------------------------------- the deal

    def deal(self) -> bool:
        """The bots place their wagers and the cards are dealt.

        Where the table refuses, as some fee schedules do for some sums, bots step back one by one;
        if that does not help either, they stay.
        """
        seat, engine = self.seat, self.session.engine
        self.bots_wager()
        refusal = engine.decide(self.state, cm.Deal())
        if not isinstance(refusal, Refusal):
            return seat.do(cm.Deal())
        state, back = self.state, []
        for bet in self.state.bets:
            if bet.player == self.me:
                continue
            back.append(cm.PlaceWagers(player=bet.player, position=bet.position, wagers={}))
            outcome = engine.act(state, back[-1])
            state = state if isinstance(outcome, Refusal) else outcome.state
            if not isinstance(engine.decide(state, cm.Deal()), Refusal):
                for command in back:
                    seat.do(command, mine=False)
                return seat.do(cm.Deal())
        seat.refuse(refusal)
        return False

    def bots_wager(self) -> None:
        for command in self.company.wagers(self.state):
            self.seat.do(command, mine=False)

    def watch(self) -> None:
        """The person banks: the others wager and play."""
        if not self.deal():
            pairs = (
                ("Enter", "deal again"),
                ("n", "take the bank back"),
                ("$", "buy chips"),
                ("c", "cash out"),
            )
            key = self.seat.key(pairs)
            if key == "n":
                self.seat.do(cm.DeclineBank(player=self.me))
            elif key != keys.ENTER and not self.between(key):
                self.seat.strange(key)

    # -------------------------------------------------------------- results and leaving

    def results(self) -> None:
        """The end of a round: what became of everything, until Enter."""
        seat = self.seat
        change = seat.screen.paint.change(seat.count.now.round, "even")
        over = Text("Round over: ").append_text(change)
        while seat.over:
            seat.say = Text("   ").join(filter(len, (over, seat.say)))
            key = seat.key((("Enter", "next round"), ("$", "buy chips"), ("c", "cash out")))
            seat.say = Text()
            if key == keys.ENTER:
                seat.over = False
            elif key not in ("$", "c") or not self.between(key):
                seat.strange(key)
            elif self.state.stage == "closed":
                seat.over = False

    def cash_out(self) -> None:
        """Leave for good: the table closes and opens its seeds. What cannot be is said."""
        engine, seat = self.session.engine, self.seat
        if not seat.confirm("Cash out and close this table?"):
            return
        back = self._in_order(
            [
                cm.PlaceWagers(player=bet.player, position=bet.position, wagers={})
                for bet in self.state.bets
            ]
        )
        if isinstance(back, Refusal):
            seat.refuse(back)
            return
        commands: list[cm.Command] = [*back]
        others = (player.name for player in self.state.players if player.name != self.me)
        leaving = [cm.Leave(player=name) for name in (*others, self.me)]
        commands += [*leaving, cm.CloseTable()]
        state = self.state
        for command in commands:
            outcome = engine.act(state, command)
            if isinstance(outcome, Refusal):
                seat.refuse(outcome)
                if isinstance(command, cm.Leave | cm.CloseTable):
                    seat.say.append(": c cashes out once the round is over.")
                return
            state = outcome.state
        for command in commands:
            seat.do(command, mine=isinstance(command, cm.CloseTable) or command == leaving[-1])


def _total(boxes: dict[int, Wagers]) -> int:
    return sum(sum(wagers.values()) for wagers in boxes.values())
