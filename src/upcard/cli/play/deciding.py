"""Decisions of a person: the question in words, the keys, what is asked with an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play.coaching import with_values
from upcard.cli.play.paint import HIDDEN
from upcard.compile.context import FREE, Action, Phase, meant
from upcard.compile.shows import OVER
from upcard.table import commands as cm
from upcard.table.acting import whole
from upcard.table.action_keys import ACTION_KEYS

if TYPE_CHECKING:
    from upcard.cli.play.screen import Keys
    from upcard.cli.play.seat import PersonsSeat
    from upcard.table.view import BoxSeen, QuestionSeen

_BY_KEY = {key: action for action, key in ACTION_KEYS.items() if action not in FREE}


class Decider:
    """Asks a person what to do with a hand."""

    def __init__(self, seat: PersonsSeat) -> None:
        self.seat = seat
        self.me = seat.me
        self.tables = seat.session.engine.tables

    def decide(self) -> None:
        """The person's turn: only a key of an action does anything."""
        seat = self.seat
        asked = seat.seen.question
        assert asked is not None
        if not seat.say.plain:
            seat.tell(self.situation(asked), seat.colours.own)
        legal = {answer.action for answer in asked.answers}
        pairs = [(key, action.text) for action, key in ACTION_KEYS.items() if action.text in legal]
        picks = self.picks(asked)
        if picks and Action.HIT.text in legal:
            pairs.insert(1, (" ".join(map(str, picks)), "hit with that card"))
        key = seat.key(lambda: self.valued(tuple(pairs)))
        seat.say = Text()
        if key.isdecimal() and int(key) in picks and Action.HIT.text in legal:
            seat.do(cm.Hit(player=self.me, position=asked.position, pick=int(key)))
        elif key in _BY_KEY:
            action = meant(_BY_KEY[key], [Action.parse(text) for text in legal])
            self.act(action, asked, legal=action.text in legal)
        else:
            seat.strange(key)

    def valued(self, pairs: Keys) -> Keys:
        """The keys with what the coach says of their actions, while it is on."""
        advice = self.seat.coaching.advice()
        if advice is None:
            return pairs
        if not advice.is_priced and not self.seat.aside:
            self.seat.aside = f"Coach: {advice.words}"
        screen = self.seat.screen
        return with_values(pairs, advice, screen.paint, screen.size[0] - 2)

    def situation(self, asked: QuestionSeen) -> str:
        """The question in words."""
        seen = self.seat.seen
        box = next(box for box in seen.boxes if box.position == asked.position)
        hand = box.hands[asked.hand]
        total = f"{'soft ' if hand.soft else ''}{hand.total}"
        which = f", hand {asked.hand + 1} of {len(box.hands)}" if len(box.hands) > 1 else ""
        dealer, paint = seen.dealer, self.seat.screen.paint
        against = " ".join(map(paint.face, dealer.cards))
        against += f"{OVER}{dealer.told}" if dealer.told else ""
        if asked.phase == Phase.INSURANCE:
            return f"Insurance for seat {asked.position}, {total} against {against}?"
        if asked.phase == Phase.TRADES:
            return f"A bonus card at seat {asked.position}{which}: keep it or trade it?"
        if asked.phase == Phase.EXCHANGE:
            both = [b for b in seen.boxes if b.player == box.player]
            hands = " and ".join(" ".join(b.hands[0].cards) for b in both)
            return f"Exchange the second cards of {hands} against {against}?"
        return f"Your turn at seat {asked.position}{which}: {total} against {against}."

    def picks(self, asked: QuestionSeen) -> list[int]:
        """The numbers of own down cards to point at, where the game lets players do so."""
        if not self.tables.round_plan.players_pick:
            return []
        box = self._box(asked)
        return [place for place, card in enumerate(box.down, 1) if card == HIDDEN]

    def _box(self, asked: QuestionSeen) -> BoxSeen:
        return next(box for box in self.seat.seen.boxes if box.position == asked.position)

    def act(self, action: Action, asked: QuestionSeen, *, legal: bool) -> None:
        """An action; where there is something to choose about it, the person is asked."""
        words = action.text
        stake = self._box(asked).hands[asked.hand].stakes[0]
        effects = self.tables.effects
        most = 0
        if effects.stake[action].for_less:
            most = whole(effects.stake[action], stake)
        elif wager := effects.wager[action]:
            most = self.tables.settlement.largest(wager, stake.start)
        amount: int | None = 0
        if legal and most:
            amount = self.seat.ask_amount(f"{words.capitalize()} for", most)
        if amount is None:
            return
        words += f" {amount}" if amount else ""
        if legal and effects.draws[action]:
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
        self.seat.tell("Which of your down cards?", self.seat.colours.own)
        pairs = tuple((str(place), "that one") for place in picks)
        key = self.seat.key((*pairs, ("Esc", "back")))
        self.seat.say = Text()
        return int(key) if key.isdecimal() and int(key) in picks else None
