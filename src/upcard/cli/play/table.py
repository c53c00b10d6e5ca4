"""The flow of a table: bank, wagers, decisions, results, again and again.

Every step looks at the state alone, so that a saved table goes on from wherever it stopped.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play import keys
from upcard.cli.play.betting import Draft, Wagers, panel
from upcard.cli.play.company import BANK, Company, least, usual_chips
from upcard.cli.play.help import ACTION_KEYS
from upcard.cli.play.paint import HIDDEN
from upcard.cli.play.seat import PersonsSeat
from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.money import format_cents, rounded
from upcard.table import commands as cm
from upcard.table.judge import Refusal
from upcard.table.lookup import BASE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.cli.play.paint import Block
    from upcard.cli.play.screen import Keys
    from upcard.table.engine import Outcome
    from upcard.table.state import TableState
    from upcard.table.view import BoxSeen, QuestionSeen

LARGE_STEP = 5
_BY_KEY = {key: action for action, key in ACTION_KEYS.items()}
_STEPS = {
    keys.RIGHT: 1,
    "+": 1,
    "=": 1,
    keys.LEFT: -1,
    "-": -1,
    keys.PAGE_UP: LARGE_STEP,
    keys.PAGE_DOWN: -LARGE_STEP,
}


class Table:
    """A person at a table with bots."""

    def __init__(self, seat: PersonsSeat) -> None:
        self.seat = seat
        self.session = seat.session
        self.me = seat.me
        self.tables = seat.session.engine.tables
        self.company = Company(seat.session.engine, seat.state, seat.me)
        self.last: dict[int, Wagers] = self._last_wagers()
        self.bank_amount = BANK * least(self.tables.money.wagers[BASE], self.tables.money)

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
                self.decide()
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
        seat, unit = self.seat, self.tables.money.unit
        turns = self.tables.money.turns
        while self.state.stage == "bank":
            offer = self.state.offer
            if offer is None or (offer.player, offer.turn) != (self.me, turn):
                return
            chips = self.state.chips(self.me)
            self.bank_amount = max(unit, min(self.bank_amount, chips // unit * unit))
            amount = format_cents(self.bank_amount)
            shown = self.offer_panel(turn, turns)
            pairs: Keys = (
                ("y", f"bank with {amount}"),
                ("n", "decline"),
                ("left right", "amount"),
                ("a", "type it"),
                ("$", "buy chips"),
                ("c", "cash out"),
            )
            key = seat.key(pairs, shown)
            if key == "y":
                seat.do(cm.TakeBank(player=self.me, amount=self.bank_amount))
            elif key == "n":
                seat.do(cm.DeclineBank(player=self.me))
            elif key in _STEPS:
                step = least(self.tables.money.wagers[BASE], self.tables.money)
                self.bank_amount = max(unit, self.bank_amount + _STEPS[key] * step)
            elif key == "a":
                self.bank_amount = seat.ask_amount("Bank with", self.bank_amount, shown) or unit
            elif not self.between(key, shown):
                seat.strange(key)

    def offer_panel(self, turn: int, turns: int) -> Block:
        colours = self.seat.screen.paint.colours
        chips = self.seat.screen.paint.chips(self.bank_amount)
        return [
            Text(f"The bank is offered to you: turn {turn} of {turns}", colours.own),
            Text("Bank with ").append_text(chips),
            Text("You pay and collect the others' wagers, as far as this goes.", colours.quiet),
        ]

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

    def draft(self) -> Draft:
        player = self.state.player(self.me)
        assert player is not None
        money = self.tables.money
        first = {player.seat: {BASE: least(money.wagers[BASE], money)}}
        free = {
            position: wagers
            for position, wagers in self.last.items()
            if self._is_free(position) and wagers
        }
        return Draft(money, free or first)

    def _is_free(self, position: int) -> bool:
        """Whether the person may wager at a position."""
        sitting, bank = self.state.sitting(position), self.state.bank
        if bank is not None and bank.seat == position:
            return False
        return sitting is None or sitting.name == self.me

    def wagers(self) -> None:
        """Wagers are chosen and the cards dealt; who banks only deals."""
        bank = self.state.bank
        if bank is not None and bank.player == self.me:
            self.watch()
            return
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
            elif not self.change(draft, key) and not self.between(key, shown):
                self.seat.strange(key)

    def wager_panel(self, draft: Draft) -> Block:
        screen = self.seat.screen
        return panel(draft, self.seat.seen.sign, screen.paint, screen.table_width - 2)

    def wager_keys(self, draft: Draft) -> Keys:
        pairs = [("Enter", "deal"), ("left right", "amount"), ("a", "type it")]
        if len(draft.plans) > 1:
            pairs += [("up down", "wager"), ("0", "none")]
        if self.tables.round_plan.several_boxes:
            pairs += [("b", "one more box")] if self.free_box(draft) else []
            pairs += [("x", "one less"), ("n", "next box")] if len(draft.boxes) > 1 else []
        pairs += [("m", "mix")] if not self.seat.seen.shoe.left else []
        pairs += [("o", "sit out"), ("$", "buy chips"), ("c", "cash out")]
        return tuple(pairs)

    def hint(self, draft: Draft) -> None:
        """What the table would say to these wagers, before they are placed."""
        chips = self.state.chips(self.me) + sum(
            bet.total for bet in self.state.bets if bet.player == self.me
        )
        base = least(self.tables.money.wagers[BASE], self.tables.money)
        if chips < base:
            self.seat.tell(
                f"You have {format_cents(chips)} left, less than the least wager: "
                "$ buys chips, c cashes out.",
                self.seat.screen.paint.colours.bad,
            )
        elif isinstance(refusal := self._tried(draft.boxes), Refusal):
            self.seat.refuse(refusal)
        else:
            self.seat.tell("Your wagers, please: Enter deals.")

    def _placements(self, boxes: dict[int, Wagers]) -> list[cm.PlaceWagers]:
        """Commands that turn what lies on the layout into these wagers."""
        gone = [
            bet.position
            for bet in self.state.bets
            if bet.player == self.me and bet.position not in boxes
        ]
        wanted: dict[int, Wagers] = {position: {} for position in gone} | boxes
        return [
            cm.PlaceWagers(player=self.me, position=position, wagers=dict(wagers))
            for position, wagers in wanted.items()
        ]

    def _tried(self, boxes: dict[int, Wagers]) -> Refusal | None:
        """The refusal of these wagers, if there is one; nothing is placed."""
        state = self.state
        for command in self._placements(boxes):
            outcome: Outcome | Refusal = self.session.engine.act(state, command)
            if isinstance(outcome, Refusal):
                return outcome
            state = outcome.state
        return None

    def place(self, boxes: dict[int, Wagers]) -> bool:
        if refusal := self._tried(boxes):
            self.seat.refuse(refusal)
            return False
        return all(self.seat.do(command) for command in self._placements(boxes))

    def free_box(self, draft: Draft) -> int:
        """A position for one more box, the nearest first; 0 if there is none."""
        near = sorted(self.state.positions, key=lambda p: (abs(p - draft.position), p))
        free = (p for p in near if p not in draft.boxes and self.state.sitting(p) is None)
        return next(free, 0)

    def change(self, draft: Draft, key: str) -> bool:
        """Keys that change the wagers to be placed; whether this is one of them."""
        if key in _STEPS:
            draft.step(_STEPS[key])
        elif key in (keys.UP, keys.DOWN):
            draft.choose(draft.chosen + (1 if key == keys.DOWN else -1))
        elif key.isdecimal() and 1 <= int(key) <= len(draft.plans):
            draft.choose(int(key) - 1)
        elif key == "0":
            draft.set(0)
        elif key == "a":
            amount = self.seat.ask_amount(draft.plan.name, draft.amount, self.wager_panel(draft))
            if amount is not None:
                draft.set(amount)
        else:
            return self.change_boxes(draft, key)
        return True

    def change_boxes(self, draft: Draft, key: str) -> bool:
        if key == "b":
            if position := self.free_box(draft):
                draft.add_box(position)
            else:
                self.seat.tell("Every other position is taken.")
        elif key == "x" and len(draft.boxes) > 1:
            draft.drop_box()
        elif key == "n" and len(draft.boxes) > 1:
            draft.next_box()
        else:
            return False
        return True

    def between(self, key: str, shown: Block) -> bool:
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

        Where the table refuses, as some fee schedules do for some sums, bots step back one by one.
        """
        seat = self.seat
        self.bots_wager()
        refusal = self.session.engine.decide(self.state, cm.Deal())
        if not isinstance(refusal, Refusal):
            return seat.do(cm.Deal())
        bots = [bet for bet in self.state.bets if bet.player != self.me]
        for bet in bots:
            back = cm.PlaceWagers(player=bet.player, position=bet.position, wagers={})
            seat.do(back, mine=False)
            if not isinstance(self.session.engine.decide(self.state, cm.Deal()), Refusal):
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
            elif key != keys.ENTER and not self.between(key, []):
                self.seat.strange(key)

    # -------------------------------------------------------------- decisions

    def decide(self) -> None:
        """The person's turn: only a key of an action does anything."""
        seat = self.seat
        asked = seat.seen.question
        assert asked is not None
        if not seat.say.plain:
            seat.tell(self.situation(asked), seat.screen.paint.colours.own)
        legal = {answer.action for answer in asked.answers}
        pairs = [(key, action.text) for action, key in ACTION_KEYS.items() if action.text in legal]
        picks = self.picks(asked)
        if picks and Action.HIT.text in legal:
            pairs.insert(1, (" ".join(map(str, picks)), "hit with that card"))
        key = seat.key(tuple(pairs))
        seat.say = Text()
        if key.isdecimal() and int(key) in picks and Action.HIT.text in legal:
            seat.do(cm.Hit(player=self.me, position=asked.position, pick=int(key)))
        elif key in _BY_KEY:
            self.act(_BY_KEY[key], asked, legal=_BY_KEY[key].text in legal)
        else:
            seat.strange(key)

    def situation(self, asked: QuestionSeen) -> str:
        """The question in words."""
        seen = self.seat.seen
        box = next(box for box in seen.boxes if box.position == asked.position)
        hand = box.hands[asked.hand]
        total = f"{'soft ' if hand.soft else ''}{hand.total}"
        which = f", hand {asked.hand + 1} of {len(box.hands)}" if len(box.hands) > 1 else ""
        against = self.seat.screen.paint.face(seen.dealer.cards[0])
        answers = [answer.action for answer in asked.answers]
        if Action.INSURE.text in answers:
            return f"Insurance for seat {asked.position}, {total} against {against}?"
        if Action.TRADE.text in answers:
            return f"A bonus card at seat {asked.position}{which}: keep it or trade it?"
        return f"Your turn at seat {asked.position}{which}: {total} against {against}."

    def picks(self, asked: QuestionSeen) -> list[int]:
        """The numbers of own down cards to point at, where the game lets players do so."""
        if self.tables.round_plan.hit_cards != "own-cards-picked":
            return []
        box = self._box(asked)
        return [place for place, card in enumerate(box.down, 1) if card == HIDDEN]

    def _box(self, asked: QuestionSeen) -> BoxSeen:
        return next(box for box in self.seat.seen.boxes if box.position == asked.position)

    def act(self, action: Action, asked: QuestionSeen, *, legal: bool) -> None:
        """An action; where there is something to choose about it, the person is asked."""
        words = action.text
        start = self._box(asked).hands[asked.hand].stakes[0].start
        money = self.tables.money
        amount: int | None = 0
        if legal and action is Action.DOUBLE and money.doubles_for_less:
            amount = self.seat.ask_amount("Double for", start)
        elif legal and action is Action.INSURE and money.insurance_share is not None:
            most = rounded(money.insurance_share * start, money.chip, "down")
            amount = self.seat.ask_amount("Insure for", most)
        if amount is None:
            return
        words += f" {amount}" if amount else ""
        if legal and action in (Action.HIT, Action.DOUBLE, Action.REDOUBLE):
            pick = self.pick(asked)
            if pick is None:
                return
            if pick:
                words += f" {pick}" if action is Action.HIT else f" pick {pick}"
        self.seat.do(cm.parse_decision(words, player=self.me, position=asked.position))

    def pick(self, asked: QuestionSeen) -> int | None:
        """Which down card: 0 where there is nothing to choose, None to go back."""
        picks = self.picks(asked)
        if len(picks) < 2:
            return 0
        self.seat.tell("Which of your down cards?", self.seat.screen.paint.colours.own)
        pairs = tuple((str(place), "that one") for place in picks)
        key = self.seat.key((*pairs, ("Esc", "back")))
        self.seat.say = Text()
        return int(key) if key.isdecimal() and int(key) in picks else None

    # -------------------------------------------------------------- results and leaving

    def results(self) -> None:
        """The end of a round: what became of everything, until Enter."""
        seat = self.seat
        paint = seat.screen.paint
        while True:
            if not seat.say.plain:
                change = paint.change(seat.count.now.round, "even")
                seat.say = Text("Round over: ").append_text(change)
            key = seat.key((("Enter", "next round"), ("$", "buy chips"), ("c", "cash out")))
            seat.say = Text()
            if key == keys.ENTER or (key in ("$", "c") and self.between(key, [])):
                break
            seat.strange(key)
        if self.state.stage == "closed" or key == keys.ENTER:
            seat.over = False

    def cash_out(self) -> None:
        """Leave for good: the table closes and opens its seeds. What cannot be is said."""
        engine, seat = self.session.engine, self.seat
        if not seat.confirm("Cash out and close this table?"):
            return
        for bet in self.state.bets:
            back = cm.PlaceWagers(player=bet.player, position=bet.position, wagers={})
            seat.do(back, mine=False)
        left = engine.act(self.state, cm.Leave(player=self.me))
        if isinstance(left, Refusal):
            seat.refuse(left)
            return
        closed = engine.act(left.state, cm.CloseTable())
        if isinstance(closed, Refusal):
            seat.refuse(closed)
            seat.say.append(": then c cashes out.")
            return
        seat.do(cm.Leave(player=self.me))
        seat.do(cm.CloseTable())
