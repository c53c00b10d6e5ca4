"""The coach: what every legal action is worth from this shoe, to somebody who forgets no card.

It knows what a player may know, which is a `Seen`, and of the state only what everybody sees: the
wagers, the lights, whose turn it is. It keeps nothing but what it has worked out. Any number of
threads may ask one coach: the solver's kernels run side by side, and what is kept has a lock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from upcard.coach.advice import CoachAdvice, ranked
from upcard.coach.asked import FEW, Asked, riding, shoe_note
from upcard.coach.kept import Kept
from upcard.coach.next_round import (
    LEAST,
    Ahead,
    NextRound,
    priced_for,
    round_ahead,
    sized,
    wagers_ahead,
)
from upcard.coach.values import EXACT, declined, method_of
from upcard.compile.bets import usual_bet
from upcard.compile.context import Action, Phase
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE
from upcard.solve.advice import Advice, advise_held, warm_up
from upcard.solve.exchange_advice import ExchangeAdvice, exchange_values
from upcard.solve.play import natural_chance
from upcard.solve.split import Mode
from upcard.table.acting import price
from upcard.text import listed, sentence_case

if TYPE_CHECKING:
    from upcard.coach.seen import Seen
    from upcard.table.clerk import Question
    from upcard.table.engine import Engine
    from upcard.table.state import TableState

KEPT = 512
"""Answers that a coach keeps."""
KEPT_ROUNDS = 16
MODE: Mode = "CDP"
"""How splits are priced."""
CARDS = 3
"""What a box, or the dealer, takes of a shoe in a round, about."""


class Coach:
    """Prices the decisions of one game.

    >>> from upcard import tables_for
    >>> from upcard.coach import Seen
    >>> from upcard.table.engine import NEW_TABLE, Engine
    >>> coach = Coach(Engine(tables_for("blackjack")))
    >>> coach.advise(NEW_TABLE, None, Seen()).words
    'There is nothing to decide now.'
    """

    def __init__(self, engine: Engine, *, kept: int = KEPT) -> None:
        self.engine = engine
        self.look = engine.look
        self.tables = engine.tables
        self._priced: Kept[Advice] = Kept(kept)
        self._exchanges: Kept[ExchangeAdvice] = Kept(kept)
        self._rounds: Kept[NextRound] = Kept(min(kept, KEPT_ROUNDS))
        self._sized: Kept[NextRound] = Kept(min(kept, KEPT_ROUNDS))

    def advise(self, state: TableState, question: Question | None, seen: Seen) -> CoachAdvice:
        """What every legal action is worth to the hand that is asked, to its player."""
        if question is None:
            return self._nothing("There is nothing to decide now.")
        asked = Asked(self.engine, state, question, seen)
        try:
            if asked.is_exchange:
                return self._exchange(asked)
            return self._insurance(asked) if asked.is_insurance else self._hand(asked)
        except UpcardError as error:
            return replace(asked.about, words=f"{sentence_case(str(error))}.")

    def advise_player(self, state: TableState, player: str, seen: Seen) -> CoachAdvice:
        """The same for whoever asks: only words, if nothing is that player's to decide."""
        bank = state.bank
        if state.in_round and bank is not None and bank.player == player:
            return self._nothing("You are the bank: its hand is played by the rules.")
        question = self.engine.question(state) if state.in_round else None
        if question is not None and question.player != player:
            return self._nothing(f"It is {question.player}'s turn.")
        return self.advise(state, question, seen)

    def before_deal(
        self,
        state: TableState,
        seen: Seen,
        *,
        bet: int | None = None,
        player: str = "",
        before: Mapping[str, int] | None = None,
    ) -> NextRound:
        """What the next round is worth for every wager, from this shoe.

        With a `player` it is for the wagers that the player has on the layout, else for those of
        the last round, or `before` where that was sat out, and the lights at the player's seat
        count. Nobody's is the smallest wager. It takes some tenths of a second, with bonus cards
        more, once for every shoe and, where play or payments go by them, for all wagers: not for
        the thread that draws a page.
        """
        look, shoe = self.look, state.shoe
        fresh = shoe.cut_reached or look.plan.shoe.shuffles_every_round or not shoe.order
        left = Counter(dict.fromkeys(look.deck, self.tables.alphabet.decks))
        left.subtract(() if fresh else seen.cards)
        lit = self._lit(state, player)
        ahead = Ahead({BASE: bet}, "") if bet is not None else wagers_ahead(state, player, before)
        ahead = ahead or Ahead({BASE: usual_bet(self.tables)}, LEAST)
        cards, amount = tuple(left.values()), priced_for(self.tables, ahead.wagers[BASE])
        extra = riding(self.tables, ahead.wagers)
        priced = self._rounds.once(
            (cards, amount, tuple(sorted(extra.items())), lit),
            lambda: round_ahead(
                self.tables,
                {look.card[card]: copies for card, copies in left.items()},
                fresh=fresh,
                bet=amount,
                extra=extra,
                lit=lit,
                mode=MODE,
            ),
        )
        note = "" if fresh else shoe_note(look, shoe, max(FEW, CARDS * (_boxes(state) + 1)))
        return self._sized.once(
            (cards, lit, tuple(sorted(ahead.wagers.items())), ahead.of, ahead.seats, note),
            lambda: self._in_money(priced, ahead, note),
        )

    def _in_money(self, priced: NextRound, ahead: Ahead, note: str) -> NextRound:
        found = sized(self.tables, priced, ahead.wagers, ahead.of)
        notes = [*found.notes, note] if note else [*found.notes]
        if len(ahead.seats) > 1:
            seats = f"{len(ahead.seats)} seats; this is for seat {ahead.seats[0]}"
            notes.append(f"You have wagers at {seats}.")
        return replace(found, notes=tuple(notes))

    def _lit(self, state: TableState, name: str) -> int:
        player = state.player(name)
        return 0 if player is None else state.lit(name, self.look.lights_position(player.seat))

    def warm_up(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Work out what every question needs, so that the first is as quick as the others.

        It is left off as soon as it is `stopped`.
        """
        warm_up(self.tables, stopped)

    def _nothing(self, words: str) -> CoachAdvice:
        return CoachAdvice(game=self.tables.id, words=words)

    # ------------------------------------------------------------------ insurance

    def _insurance(self, asked: Asked) -> CoachAdvice:
        """A wager of its own: to decline it is worth nothing."""
        dealer, left = self.tables.dealer, np.array(asked.unseen)
        down = np.array(asked.may_be_down)
        naturals = float(left[dealer.natural[asked.up] & down].sum())
        natural = natural_chance(naturals, float(left[down].sum()), dealer.looks, 1.0)
        pays = float(self.tables.payoffs[INSURANCE].won_under(asked.up))
        values = {
            action.text: natural * pays - (1 - natural) if action is Action.INSURE else 0.0
            for action in asked.question.actions
        }
        amount = price(self.look, asked.box, asked.hand, Action.INSURE)
        return replace(
            asked.about,
            wager=amount,
            of="the insurance",
            actions=ranked(values, amount),
            method=EXACT,
            exact=True,
            before_check=True,
            natural=natural,
            unseen=sum(asked.unseen),
        )

    # ------------------------------------------------------------------ hands

    def _hand(self, asked: Asked) -> CoachAdvice:
        if asked.is_for_less:
            raise UpcardError("this hand was doubled for less, and only whole doubles are priced")
        found = self._price(asked, checked=asked.is_checked)
        values = dict(found.actions)
        actions = asked.question.actions
        if asked.question.phase == Phase.EARLY_SURRENDER:
            values[Action.DECLINE] = declined(found, self._price(asked, checked=True))
        if missing := [action.text for action in actions if action not in values]:
            raise UpcardError(f"{listed(missing, 'and')} cannot be priced here")
        method = method_of(self.tables, found, asked.hand.state)
        return replace(
            asked.about,
            actions=ranked({a.text: values[a] for a in actions}, asked.stake.wager, asked.fees),
            method=method,
            exact=method == EXACT and not asked.left_out,
            before_check=found.before_check,
            natural=found.natural if found.before_check else None,
            notes=(*asked.holds_for, *asked.left_out),
            unseen=sum(asked.unseen),
        )

    def _exchange(self, asked: Asked) -> CoachAdvice:
        """Both boxes together, in wagers of one of them."""
        one, other = asked.pair
        card = self.look.card
        found = self._exchanges.once(
            (asked.key, one, other),
            lambda: exchange_values(
                self.tables,
                tuple(card[name] for name in one),
                tuple(card[name] for name in other),
                card[asked.seen.up],
                removed=asked.beside(*one, *other),
                aim=asked.aim,
                mode=MODE,
            ),
        )
        values = {action.text: found.actions[action] for action in asked.question.actions}
        method = f"exact, splits {MODE}"
        return replace(
            asked.about,
            actions=ranked(values, asked.stake.start),
            method=method,
            notes=("Both boxes are priced together, in wagers of one.", *asked.left_out),
            unseen=sum(asked.unseen),
        )

    def _price(self, asked: Asked, *, checked: bool) -> Advice:
        assert asked.seen_box
        return self._priced.once(
            (asked.key, checked),
            lambda: advise_held(
                self.tables,
                asked.held,
                asked.shows,
                removed=asked.removed,
                aim=asked.aim,
                checked=checked,
                mode=MODE,
            ),
        )


def _boxes(state: TableState) -> int:
    """Boxes that the next round may have: those with wagers by now, or those of the last round."""
    last = len(state.round.boxes) if state.round is not None else 0
    return max(last, len({bet.position for bet in state.bets}), 1)
