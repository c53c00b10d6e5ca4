"""Legal actions: a bit mask for every hand, context and up card, and the reason of every bit.

Each action has a row of gates. A gate is a condition over hands, contexts and up cards, the
sentence that refuses the action where it fails, and the keys of the game file that it comes
from; their clauses are cited. The first gate that fails gives the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.alphabet import Alphabet
from upcard.compile.arrays import frozen
from upcard.compile.context import Action, ContextAutomaton, Origin, Phase
from upcard.compile.dealer import DealerAutomaton
from upcard.compile.exchanges import exchanges, replaces, trades
from upcard.compile.hand_conditions import condition_words, met_by, pair_names
from upcard.compile.hands import NONE, HandAutomaton
from upcard.rules.hand_conditions import HandCondition
from upcard.rules.load import RuleSet
from upcard.text import cited, counted, listed

Flags = npt.NDArray[np.bool_]


class Reason(NamedTuple):
    """Why an action is legal or refused."""

    action: Action
    legal: bool
    words: str
    clauses: tuple[str, ...]

    @property
    def refusal(self) -> str:
        """The sentence as it stands in a refusal, without its clauses."""
        return self.words[0].lower() + self.words[1:].rstrip(".")

    def __str__(self) -> str:
        return self.words + cited(self.clauses)


@dataclass(frozen=True)
class LegalTable:
    """`mask[state, context, up]` has bit `1 << action` set for every legal action."""

    mask: npt.NDArray[np.uint16]
    reason: npt.NDArray[np.int16]
    reasons: tuple[Reason, ...]

    def actions(self, state: int, context: int, up: int) -> tuple[Action, ...]:
        """Every legal action, in the order of their numbers."""
        mask = int(self.mask[state, context, up])
        return tuple(action for action in Action if mask & action.bit)

    def why(self, state: int, context: int, up: int, action: Action) -> Reason:
        """Why an action is legal or refused."""
        return self.reasons[int(self.reason[state, context, up, action])]


class Gate(NamedTuple):
    open: Flags
    words: str
    keys: tuple[str, ...]


class LegalBuilder:
    """Turns the rules about actions into gates, and the gates into tables."""

    def __init__(
        self,
        rules: RuleSet,
        alphabet: Alphabet,
        hands: HandAutomaton,
        dealer: DealerAutomaton,
        contexts: ContextAutomaton,
    ) -> None:
        self.rules = rules
        self.game = rules.game
        self.hands = hands
        self.alphabet = alphabet
        self.shape = (len(hands), len(contexts), len(dealer.shown))
        self.total = self._by_hand(hands.total)
        self.cards = self._by_hand(hands.cards)
        self.natural = self._by_hand(hands.natural)
        self.pending = self._by_hand(hands.pending) > 0
        self.pair = self._by_hand(hands.pair_symbol)
        self.hard = ~self._by_hand(hands.soft)
        self.paid_out = self._by_hand(hands.paid_out)
        ready = ~hands.owed & (hands.cards >= self.game.deal.player_up)
        self.ready = self._by_hand(ready | hands.bust)
        self.over = self._by_hand(hands.bust)
        self.turn = self._by_context([c.is_turn for c in contexts.contexts])
        self.insuring = self._by_context([c.phase is Phase.INSURANCE for c in contexts.contexts])
        self.folding = self._by_context(
            [c.phase is Phase.EARLY_SURRENDER for c in contexts.contexts]
        )
        self.exchanging = self._by_context([c.phase is Phase.EXCHANGE for c in contexts.contexts])
        self.doubles = self._by_context([c.doubles + c.free_doubles for c in contexts.contexts])
        self.box_hands = self._by_context([c.hands for c in contexts.contexts])
        self.initial = self._by_context([not c.is_split for c in contexts.contexts])
        self.split_aces = self._by_context(
            [c.origin is Origin.SPLIT_ACES for c in contexts.contexts]
        )
        ups = self.up_symbols = dealer.shown.up
        self.checked = dealer.checks[None, None, ups]
        self.may_be_natural = np.asarray(dealer.natural.any(axis=1))[None, None, ups]
        insured = [bool(set(s.ranks) & set(self.game.insurance.up)) for s in alphabet.symbols]
        self.insurable = np.array(insured, dtype=np.bool_)[None, None, ups]
        aces = [s.is_ace for s in alphabet.symbols]
        self.free_pair = self._by_hand(
            [
                bool(pair != NONE and set(alphabet.symbols[pair].ranks) & set(self.game.split.free))
                for pair in hands.pair_symbol
            ]
        )
        times = self.game.split.free_times
        self.free_now = self.free_pair & ((self.box_hands <= times) | (times == 0))
        self.ace_pair = self._by_hand(
            [bool(pair != NONE and aces[pair]) for pair in hands.pair_symbol]
        )

    def build(self) -> LegalTable:
        reasons: list[Reason] = []
        mask = np.zeros(self.shape, dtype=np.uint16)
        reason = np.zeros((*self.shape, len(Action)), dtype=np.int16)
        for action in Action:
            words, keys = _GRANTS[action]
            reasons.append(Reason(action, legal=True, words=words, clauses=self.rules.cites(*keys)))
            granted = len(reasons) - 1
            found = np.full(self.shape, granted, dtype=np.int16)
            for gate in reversed(list(self._gates(action))):
                cited = self.rules.cites(*gate.keys)
                reasons.append(Reason(action, legal=False, words=gate.words, clauses=cited))
                np.copyto(found, len(reasons) - 1, where=~gate.open)
            reason[..., action] = found
            mask[found == granted] |= action.bit
        return LegalTable(frozen(mask), frozen(reason), tuple(reasons))

    def _gates(self, action: Action) -> Iterator[Gate]:
        match action:
            case Action.INSURE:
                yield from self._insurance()
            case Action.SWITCH:
                yield from self._switch()
            case Action.DECLINE:
                yield self._gate(
                    self._insurance_open() | self._early_open() | self._exchange_open(),
                    "There is nothing to decline.",
                )
            case Action.KEEP | Action.TRADE:
                yield from self._bonus_card(action)
            case Action.SURRENDER:
                yield from self._surrender()
            case _:
                yield from self._playing()
                yield from {
                    Action.HIT: self._hit,
                    Action.STAND: lambda: iter(()),
                    Action.DOUBLE: self._double,
                    Action.REDOUBLE: self._redouble,
                    Action.RESCUE: self._rescue,
                    Action.SPLIT: self._split,
                    Action.FREE_DOUBLE: self._free_double,
                    Action.FREE_SPLIT: self._free_split,
                    Action.REPLACE: self._replace,
                }[action]()

    def _playing(self) -> Iterator[Gate]:
        """What must hold before any decision about the hand itself."""
        yield self._gate(self.turn, "The player's turn has not come yet.", "deal.starts")
        yield self._gate(~self.over, "The hand is over.", "count.over")
        yield self._gate(self.ready, "The hand still waits for a card.", "deal.player_up")
        yield self._gate(
            ~self.pending, "First the bonus card: keep it or trade it.", "exchange.cards"
        )

    def _stops(self) -> Iterator[Gate]:
        """Hands that get no further card, whatever the action."""
        player = self.game.player
        yield self._gate(~self.natural, "A natural stands.", "natural.total")
        if player.stands_at:
            yield self._gate(
                self.total != 2 * player.stands_at,
                f"A hand of {player.stands_at} stands by itself.",
                "player.stands_at",
            )
        if player.charlie:
            yield self._gate(
                self.cards < player.charlie,
                f"A hand of {player.charlie} cards has won already.",
                "player.charlie",
            )
        if self.game.bonuses is not None:
            yield self._gate(
                ~self.paid_out | (self.doubles > 0),
                "The hand has won its bonus already, and is over.",
                "bonuses.rows",
            )
        if player.stands_at_cards:
            yield self._gate(
                self.cards < player.stands_at_cards,
                f"A hand of {player.stands_at_cards} cards must stand.",
                "player.stands_at_cards",
            )

    def _must_stand(self, *, doubling: bool) -> Iterator[Gate]:
        player = self.game.player
        if player.must_stand_hard and (not doubling or player.must_stand_takes != "hit"):
            yield self._gate(
                ~(self.hard & (self.total >= 2 * player.must_stand_hard)),
                f"Players must stand on hard {player.must_stand_hard} or more.",
                "player.must_stand_hard",
                "player.must_stand_takes",
            )

    def _one_card_on_aces(self) -> Iterator[Gate]:
        if self.game.split.aces == "one-card":
            yield self._gate(~self.split_aces, "Split aces get one card each.", "split.aces")

    def _hit(self) -> Iterator[Gate]:
        yield self._gate(
            self.doubles == 0,
            "A doubled hand gets one card only.",
            "double.on",
            "double.on#one-card",
        )
        yield from self._one_card_on_aces()
        yield from self._stops()
        yield from self._must_stand(doubling=False)

    def _double(self) -> Iterator[Gate]:
        rule = self.game.double.on
        yield self._gate(
            self._all(rule != "none"), "There is no doubling down in this game.", "double.on"
        )
        yield self._gate(self.doubles == 0, "The hand is doubled already.", "double.times")
        if not self.game.double.after_split:
            yield self._gate(self.initial, "Split hands may not double.", "double.after_split")
        yield from self._one_card_on_aces()
        if rule != "any-count":
            yield self._gate(self.cards == 2, "Only two cards may double.", "double.on")
        if rule in _DOUBLE_TOTALS:
            low, high = _DOUBLE_TOTALS[rule]
            yield self._gate(
                self._between(low, high),
                f"Only totals of {low} to {high} may double.",
                "double.on",
            )
        if rule == "9-11-soft":
            yield self._gate(
                (self.hard & self._between(9, 11)) | (~self.hard & self._between(19, 20)),
                "Only hard totals of 9 to 11 and soft 19 and 20 may double.",
                "double.on",
            )
        yield from self._only(self.game.double.only, "double", "double.only")
        yield from self._stops()
        yield from self._must_stand(doubling=True)
        if self.game.double.free_on:
            yield self._gate(
                ~self._doubles_free(),
                "The house stakes the double of this hand.",
                "double.free_on",
                "double.free_cards",
            )

    def _only(self, conditions: tuple[HandCondition, ...], verb: str, key: str) -> Iterator[Gate]:
        """Hands that meet one of some conditions, if there are any."""
        if conditions:
            met = met_by(conditions, self.hands, self.alphabet)
            yield self._gate(
                met[:, None, self.up_symbols],
                f"Only {condition_words(conditions)} may {verb}.",
                key,
            )

    def _doubles_free(self) -> Flags:
        """Hands that the house doubles, where they may be doubled at all."""
        rule = self.game.double
        found = self.hard & np.isin(self.total, [2 * total for total in rule.free_on])
        return found & (self.cards == 2) if rule.free_cards == "two" else found

    def _free_double(self) -> Iterator[Gate]:
        rule = self.game.double
        yield self._gate(
            self._all(bool(rule.free_on)), "The house stakes no doubles in this game.", "double.on"
        )
        yield self._gate(self.doubles == 0, "The hand is doubled already.", "double.times")
        if not rule.after_split:
            yield self._gate(self.initial, "Split hands may not double.", "double.after_split")
        yield from self._one_card_on_aces()
        cards = "two cards" if rule.free_cards == "two" else "cards"
        yield self._gate(
            self._doubles_free(),
            f"The house stakes the double of {cards} that make hard {listed(rule.free_on)}.",
            "double.free_on",
            "double.free_cards",
        )
        yield from self._stops()
        yield from self._must_stand(doubling=True)

    def _redouble(self) -> Iterator[Gate]:
        times = self.game.double.times
        yield self._gate(
            self._all(times > 1), "There is no double-double down at this table.", "double.times"
        )
        yield self._gate(self.doubles > 0, "Only a doubled hand may double again.", "double.times")
        yield self._gate(self.doubles < times, f"{times} doubles are the most.", "double.times")
        yield from self._stops()
        yield from self._must_stand(doubling=True)

    def _rescue(self) -> Iterator[Gate]:
        yield self._gate(
            self._all(self.game.double.rescue), "There is no rescue in this game.", "double.rescue"
        )
        yield self._gate(self.doubles > 0, "Only a doubled hand can be rescued.", "double.rescue")
        yield from self._stops()

    def _split(self) -> Iterator[Gate]:
        yield from self._pair()
        if self.game.split.free:
            yield self._gate(
                ~self.free_now, "The house stakes the new hand of this pair.", "split.free"
            )

    def _free_split(self) -> Iterator[Gate]:
        free = self.game.split.free
        yield self._gate(self._all(bool(free)), "The house stakes no split hands.", "split.on")
        yield from self._pair()
        yield self._gate(
            self.free_pair,
            f"The house stakes the new hand of pairs of {listed(free)} only.",
            "split.free",
        )
        if times := self.game.split.free_times:
            yield self._gate(
                self.free_now,
                f"The house stakes {counted(times, 'split')} of a box, and further ones are with "
                f"the player's own money.",
                "split.free_times",
            )

    def _pair(self) -> Iterator[Gate]:
        """What may be split, whoever stakes the new hand."""
        rule = self.game.split
        yield self._gate(
            self._all(rule.on != "none" and rule.max_hands > 1),
            "There is no splitting in this game.",
            "split.on",
            "split.max_hands",
        )
        yield self._gate(self.doubles == 0, "A doubled hand may not split.", "double.on")
        yield self._gate(self.cards == 2, "Only two cards may split.", "split.on", "split.on#wager")
        alike = "rank" if rule.on == "rank" else "value"
        but = f", but no {pair_names(rule.never)}" if rule.never else ""
        yield self._gate(
            self.pair != NONE,
            f"Only two cards of equal {alike} may split{but}.",
            "split.on",
            *(["split.never"] if rule.never else []),
        )
        yield self._gate(
            self.box_hands < rule.max_hands,
            f"A box has at most {rule.max_hands} hands.",
            "split.max_hands",
        )
        if not rule.resplit_aces:
            yield self._gate(
                self.initial | ~self.ace_pair, "Aces are split only once.", "split.resplit_aces"
            )

    def _surrender(self) -> Iterator[Gate]:
        rule = self.game.surrender
        yield self._gate(
            self._all(rule.when != "none"), "There is no surrender in this game.", "surrender.when"
        )
        if rule.when == "early":
            yield self._gate(
                self._early_open() | (self.turn & ~self.checked),
                "Early surrender comes before the dealer's check and no later.",
                "surrender.when",
            )
            yield self._gate(
                self.initial, "Only the original hand may surrender.", "surrender.when"
            )
        else:
            words = "Late surrender comes after the dealer's check."
            if rule.when == "both":
                words = "Under this card surrender comes in the player's own turn."
            yield self._gate(self._early_open() | self.turn, words, "surrender.when")
            if not rule.after_split:
                yield self._gate(
                    self.initial | self.split_aces,
                    "Split hands may not surrender.",
                    "surrender.after_split",
                )
            if not rule.split_aces:
                yield self._gate(
                    ~self.split_aces,
                    "Split aces may not surrender.",
                    "surrender.split_aces",
                    "surrender.after_split",
                )
        yield self._gate(~self.over, "The hand is over.", "count.over")
        yield self._gate(self.ready, "The hand still waits for a card.", "deal.player_up")
        yield self._gate(
            ~(self.pending & self.turn),
            "First the bonus card: keep it or trade it.",
            "exchange.cards",
        )
        if rule.on == "first-two":
            yield self._gate(
                (self.cards == 2) | (self.doubles > 0),
                "Only the first two cards may surrender.",
                "surrender.when",
                "surrender.on",
            )
        if not rule.after_double:
            yield self._gate(
                self.doubles == 0,
                "A doubled hand may not surrender.",
                "surrender.when",
                "surrender.after_double",
            )
        yield from self._only(rule.only, "surrender", "surrender.only")
        yield from self._stops()

    def _insurance(self) -> Iterator[Gate]:
        rule = self.game.insurance
        yield self._gate(
            self._all(rule.offered), "Insurance is not offered in this game.", "insurance.offered"
        )
        yield self._gate(
            self.insurable | self._all(not rule.up),
            f"Insurance is offered only with {' or '.join(rule.up)} up.",
            "insurance.up",
        )
        yield self._gate(
            self.insuring, "Insurance is taken before the dealer's check.", "insurance.offered"
        )

    def _insurance_open(self) -> Flags:
        return self.insuring & self.insurable & self._all(self.game.insurance.offered)

    def _early_open(self) -> Flags:
        """Where surrender is offered before the check: it is early where a check comes, and beside
        a late one where a natural may lie under the up card, checked or not.
        """
        under = {"early": self.checked, "both": self.may_be_natural}
        return self.folding & under.get(self.game.surrender.when, self._all(answer=False))

    def _exchange_open(self) -> Flags:
        """Where two cards may be exchanged with those of another box."""
        return np.asarray(self.exchanging & (self.cards == 2) & ~self.over)

    def _switch(self) -> Iterator[Gate]:
        yield self._gate(
            self._all(exchanges(self.game)),
            "Boxes do not exchange cards in this game.",
            "table.boxes",
        )
        yield self._gate(
            self.exchanging,
            "Cards are exchanged once, after the dealer's check and before any hand is played.",
            "exchange.cards",
        )
        yield self._gate(self._exchange_open(), "Only first cards are exchanged.", "exchange.cards")

    def _replace(self) -> Iterator[Gate]:
        """The exchange of a whole hand."""
        yield self._gate(
            self._all(replaces(self.game)),
            "Hands are not exchanged in this game.",
            "exchange.cards",
        )
        yield self._gate(
            (self.cards == 2) & (self.doubles == 0) & self.initial,
            "Only the first two cards are exchanged, as the first decision of a hand.",
            "exchange.when",
        )
        yield from self._stops()
        yield from self._only(self.game.exchange.only, "be exchanged", "exchange.only")
        yield self._gate(
            self._by_hand(self.hands.replaced) != NONE,
            "Cards that came by an exchange are not exchanged again.",
            "exchange.again",
        )

    def _bonus_card(self, action: Action) -> Iterator[Gate]:
        marked = self.game.bonus_card is not None
        yield self._gate(self._all(marked), "There are no bonus cards in this game.", "bonus_card")
        yield self._gate(
            self._all(trades(self.game)),
            "Bonus cards are not traded at this table: a light comes by itself.",
            "exchange.cards",
        )
        yield self._gate(self.turn, "The player's turn has not come yet.", "exchange.when")
        yield self._gate(
            self.pending & self.ready, "No bonus card waits for a decision.", "exchange.cards"
        )
        if action is Action.TRADE and marked and not self.game.exchange.on_double:
            yield self._gate(
                self.doubles == 0,
                "A bonus card drawn on a double stays.",
                "exchange.on_double",
            )

    def _gate(self, is_open: Flags, words: str, *keys: str) -> Gate:
        return Gate(is_open, words, keys)

    def _all(self, answer: bool) -> Flags:
        return np.full((1, 1, 1), answer, dtype=np.bool_)

    def _between(self, low: int, high: int) -> Flags:
        """Hands of these totals."""
        return (self.total >= 2 * low) & (self.total <= 2 * high)

    def _by_hand(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        return np.asarray(values)[:, None, None]

    def _by_context(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        return np.asarray(values)[None, :, None]


_DOUBLE_TOTALS = {"9-11": (9, 11), "10-11": (10, 11)}

_GRANTS: dict[Action, tuple[str, tuple[str, ...]]] = {
    Action.HIT: ("Take one more card.", ("player.hit_cards", "count.over")),
    Action.STAND: ("Take no more cards.", ("count.over",)),
    Action.DOUBLE: ("Double the wager for one more card.", ("double.on",)),
    Action.SPLIT: ("Make two hands of the pair, for an equal wager.", ("split.on",)),
    Action.SURRENDER: ("Give up the hand for part of the wager.", ("surrender.when",)),
    Action.INSURE: ("Wager on the dealer's natural.", ("insurance.offered", "insurance.up")),
    Action.DECLINE: ("Go on without it.", ("insurance.offered", "surrender.when")),
    Action.REDOUBLE: ("Double the total wager again for one more card.", ("double.times",)),
    Action.RESCUE: ("Take back the last doubled portion and give up the rest.", ("double.rescue",)),
    Action.KEEP: ("Keep the bonus card.", ("exchange.cards",)),
    Action.REPLACE: (
        "Put both cards away for the next two.",
        ("exchange.cards", "exchange.only"),
    ),
    Action.SWITCH: ("Exchange the second cards of both boxes.", ("exchange.cards",)),
    Action.TRADE: ("Trade the bonus card for the next card and a light.", ("exchange.cards",)),
    Action.FREE_DOUBLE: (
        "Take one more card, the house staking as much as the wager.",
        ("double.free_on", "double.free_cards"),
    ),
    Action.FREE_SPLIT: (
        "Make two hands of the pair, the house staking the new one.",
        ("split.free",),
    ),
}
