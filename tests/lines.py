"""A line of play of one hand, followed twice: by the oracle's rules and through the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import oracle
from oracle import free_bet
from upcard import GameTables
from upcard.cards import Card
from upcard.compile.context import Action, Origin, meant

BONUS_CARD = "Tc"
DRAWING = ("hit", "double", "redouble", "trade", "split", "replace")
ENDING = ("stand", "surrender", "rescue")


@dataclass(frozen=True)
class SlowHand:
    """A hand as a list of cards and what was done with it; rules come from the oracle.

    `waiting` counts bonus cards that are not yet decided (Ten Sticks 21 only). Its money is counted
    in the wagers of its box: `stake` that it began with, `added` by doubles and `last_double` of
    that, and the house's `marker` (Free Bet only). The hand is `further` if it is not the first.
    """

    game: str
    settings: Mapping[str, object]
    cards: tuple[str, ...] = ()
    hands: int = 1
    split_from: str | None = None
    doubles: int = 0
    traded: bool = False
    waiting: int = 0
    owed: bool = False
    ended: str | None = None
    stake: int = 1
    added: int = 0
    last_double: int = 0
    marker: int = 0
    further: bool = False

    @property
    def facts(self) -> oracle.HandFacts:
        return oracle.facts(
            self.game,
            self.settings,
            self.cards,
            split=self.split_from is not None,
            traded=self.traded,
            doubled=self.doubles > 0,
        )

    def setting(self, name: str, default: object) -> object:
        return self.settings.get(name, default)

    def dealt(self, card: str) -> SlowHand:
        """One more card on the hand."""
        after = replace(self, cards=(*self.cards, card), owed=False)
        if self.owed and len(self.cards) < 2:
            after = replace(after, traded=True)
        if self._waits(card, after):
            after = replace(after, waiting=self.waiting + 1)
        return after

    def _waits(self, card: str, after: SlowHand) -> bool:
        if self.game != "ten-sticks-21" or card != BONUS_CARD or after.facts.bust:
            return False
        if not self.setting("trade", True):
            return False
        return not self.owed or self.setting("trade_again", "yes") == "yes"

    def legal(self, up: str, phase: str = "turn") -> set[str]:
        """The legal actions by the documents."""
        if self.ended or self.owed or len(self.cards) < 2:
            return set()
        if self.waiting and phase == "turn":
            stays = self.doubles and self.setting("trade_on_double", "yes") == "no"
            return {"keep"} if stays else {"keep", "trade"}
        return {
            action
            for action, refusal in oracle.legal(
                self.game,
                self.settings,
                self.cards,
                up,
                hands=self.hands,
                split_from=self.split_from,
                doubles=self.doubles,
                phase=phase,
                traded=self.traded,
            ).items()
            if refusal is None
        }

    def act(self, action: str, *, new: bool = False) -> SlowHand:
        """The hand after an action, before the card that it brings; or the `new` one of a split."""
        match action:
            case "double" | "redouble":
                return self._doubled()
            case "split":
                split = replace(
                    self, cards=self.cards[:1], hands=self.hands + 1, split_from=self.cards[0][0]
                )
                return self._new_hand(split) if new else split
            case "keep":
                return replace(self, waiting=self.waiting - 1)
            case "trade":
                last = max(n for n, card in enumerate(self.cards) if card == BONUS_CARD)
                rest = self.cards[:last] + self.cards[last + 1 :]
                # Of two that wait, one may be traded: only now is the other out of the question.
                only_one = self.setting("two_bonus_cards", "each") == "one"
                waiting = 0 if only_one else self.waiting - 1
                return replace(self, cards=rest, waiting=waiting, owed=True)
            case "replace":
                return replace(self, cards=(), traded=True)
            case "hit":
                return self
            case _:
                return replace(self, ended=action)

    def _doubled(self) -> SlowHand:
        """As much again as the hand stands for; FB-FD: it may be the house that puts it there."""
        doubled = replace(self, doubles=self.doubles + 1)
        if self.game == "free-bet" and free_bet.double_is_free(self.settings, self.cards):
            return replace(doubled, marker=self.marker + 1)
        more = 2**self.doubles
        return replace(doubled, added=self.added + more, last_double=more)

    def _new_hand(self, split: SlowHand) -> SlowHand:
        """Further than the one that was split, with a wager of its own; FB-FS: or a marker."""
        if self.game == "free-bet" and free_bet.split_is_free(
            self.settings, self.cards, self.hands
        ):
            return replace(split, stake=0, marker=1, further=True)
        return replace(split, stake=1, marker=0, further=True)


@dataclass(frozen=True)
class FastHand:
    """The same hand as numbers of states."""

    tables: GameTables
    state: int
    context: int

    @classmethod
    def fresh(cls, tables: GameTables) -> FastHand:
        return cls(tables, tables.hands.start, tables.contexts.index())

    def dealt(self, card: str) -> FastHand:
        symbol = self.tables.alphabet.symbol(Card.parse(card))
        state = int(self.tables.hands.next[self.state, symbol])
        assert state >= 0, "the automaton takes no card here"
        return replace(self, state=state)

    def legal(self, up: str) -> set[str]:
        symbol = self.tables.alphabet.symbol(Card.parse(up))
        return {a.word for a in self.tables.legal.actions(self.state, self.context, symbol)}

    def act(self, action: str, *, new: bool = False) -> FastHand:
        """The hand after an action, before the card that it brings; or the `new` one of a split."""
        if action in ENDING:
            return self
        masks = self.tables.legal.mask[self.state, self.context]
        legal = [one for one in Action if (masks & one.bit).any()]
        step = self.tables.effects.step(
            self.state, self.context, meant(Action.parse(action), legal)
        )
        return replace(self, state=step.state, context=step.new_context if new else step.context)

    @property
    def origin(self) -> Origin:
        return self.tables.contexts.contexts[self.context].origin
