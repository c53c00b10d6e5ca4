"""A line of play of one hand, followed twice: by the oracle's rules and through the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import oracle
from upcard import GameTables
from upcard.cards import Card
from upcard.compile.context import Action, Origin, meant

BONUS_CARD = "Tc"
DRAWING = ("hit", "double", "redouble", "trade", "split", "replace")
ENDING = ("stand", "surrender", "rescue")


@dataclass(frozen=True)
class SlowHand:
    """A hand as a list of cards and what was done with it; rules come from the oracle.

    `waiting` counts bonus cards that are not yet decided (Ten Sticks 21 only).
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

    def act(self, action: str) -> SlowHand:
        """The hand after an action, before the card that the action brings."""
        match action:
            case "double" | "redouble":
                return replace(self, doubles=self.doubles + 1)
            case "split":
                return replace(
                    self, cards=self.cards[:1], hands=self.hands + 1, split_from=self.cards[0][0]
                )
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

    def act(self, action: str) -> FastHand:
        hands, contexts = self.tables.hands, self.tables.contexts
        masks = self.tables.legal.mask[self.state, self.context]
        legal = [one for one in Action if (masks & one.bit).any()]
        move = meant(Action.parse(action), legal)
        match action:
            case "split":
                pair = self.tables.alphabet.symbols[int(hands.pair_symbol[self.state])]
                context = int(contexts.after_split[self.context, int(pair.is_ace)])
                return replace(self, state=int(hands.split_to[self.state]), context=context)
            case "keep":
                return replace(self, state=int(hands.keep[self.state]))
            case "trade":
                return replace(self, state=int(hands.trade[self.state]))
            case "replace":
                return replace(self, state=int(hands.replaced[self.state]))
            case "stand" | "surrender" | "rescue":
                return self
            case _:
                return replace(self, context=int(contexts.next[self.context, move]))

    @property
    def origin(self) -> Origin:
        return self.tables.contexts.contexts[self.context].origin
