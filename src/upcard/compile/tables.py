"""GameTables: everything about a game that play, odds, simulation and papers need.

Compiling is the only step that reads rule fields. What comes out is immutable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from upcard.compile.action_rows import action_rows
from upcard.compile.alphabet import Alphabet, build_alphabet
from upcard.compile.bonuses import BonusBuilder, BonusTable
from upcard.compile.carry import Carry, build_carry
from upcard.compile.citations import (
    Citations,
    WagerCitations,
    build_citations,
    build_wager_citations,
)
from upcard.compile.context import Action, ContextAutomaton
from upcard.compile.context_moves import build_contexts
from upcard.compile.dealer import DealerAutomaton, DealerBuilder
from upcard.compile.effects import Effects, build_effects
from upcard.compile.ends import FinalClass
from upcard.compile.hands import NONE, HandAutomaton, HandBuilder
from upcard.compile.head import Head, build_head
from upcard.compile.legal import LegalBuilder, LegalTable
from upcard.compile.observers import Observer, ShowdownObserver, build_observers
from upcard.compile.pay_rows import PayRow
from upcard.compile.payoff import Payoff, build_payoffs, player_classes
from upcard.compile.plan import MoneyPlan, RoundPlan, build_money_plan, build_round_plan
from upcard.compile.prizes import Prizes, build_prizes
from upcard.compile.rulebook import Rulebook, build_rulebook
from upcard.compile.settlement import Settlement, build_settlement
from upcard.money import BASE
from upcard.rules.load import RuleSet, assemble, load_game
from upcard.rules.payables import Payable, PayUnit, payables, paying
from upcard.rules.schema import Floor
from upcard.rules.settings import choices
from upcard.rules.sides import SIDES, sides_text
from upcard.text import as_text

__all__ = [
    "GameTables",
    "PaidGame",
    "PayUnit",
    "Payable",
    "compile_game",
    "setting_names",
    "settings_with",
    "tables_for",
]


@dataclass(frozen=True)
class GameTables:
    """A compiled game.

    >>> from upcard import tables_for
    >>> tables = tables_for("twisted-21")
    >>> tables.ref, len(tables.hands) < 200, tables.settlement.after_game
    ('twisted-21@2', True, ('stud-poker', 'stud-bonus'))
    """

    id: str
    version: int
    name: str
    also_known_as: tuple[str, ...]
    source: str
    fingerprint: str
    settings: Mapping[str, str]
    alphabet: Alphabet
    hands: HandAutomaton
    contexts: ContextAutomaton
    dealer: DealerAutomaton
    legal: LegalTable
    effects: Effects
    natural_name: str
    player_classes: tuple[FinalClass, ...]
    bonuses: BonusTable | None
    payoffs: Mapping[str, Payoff]
    observers: Mapping[str, Observer]
    carry: Carry | None
    prizes: Prizes
    round_plan: RoundPlan
    money: MoneyPlan
    settlement: Settlement
    floor: Floor
    cites: Citations
    wager_cites: WagerCitations
    rulebook: Rulebook
    head: Head

    @property
    def ref(self) -> str:
        """The text form of the game's identity, such as `twisted-21@2`."""
        return f"{self.id}@{self.version}"

    @property
    def title(self) -> str:
        """The game's name as headings have it: a draft is called one."""
        return f"{self.name} (DRAFT)" if self.head.draft else self.name

    @cached_property
    def class_index(self) -> Mapping[str, int]:
        """Player's final classes by name."""
        return {found.name: number for number, found in enumerate(self.player_classes)}

    def final_class(self, found: int, suits: int, doubles: int) -> int:
        """The class of a hand that ends as one by its ranks, with these suits and doubles."""
        return found if self.bonuses is None else self.bonuses.final(found, suits, doubles)

    def class_of(self, name: str) -> int:
        """A player's final class by its name, -1 if no hand of this game ends so."""
        return self.class_index.get(name, NONE)

    @property
    def most_seats(self) -> int:
        """Seats that can play in one round: a player-dealer's own gets no cards."""
        return self.round_plan.positions - (0 if self.money.house_banks else 1)

    @property
    def has_fixed_amounts(self) -> bool:
        """Whether fixed amounts are won or charged: then the best play goes by the wager's size."""
        return self.has_prizes or any(map(any, self.payoffs[BASE].flat))

    @property
    def has_prizes(self) -> bool:
        """Whether fixed sums can be won beside the wagers: for lights, or for hands."""
        return self.carry is not None or bool(self.prizes)

    def is_settled(self, wager: str, player_class: int, up: int | None = None) -> bool:
        """Whether the dealer's further cards no longer matter to a wager on a hand.

        Without an up card: whether they matter under no up card at all. Shortcuts such as "a
        bust loses at once" are taken from here, never assumed.
        """
        ends = self.dealer.ends.any(axis=0) if up is None else self.dealer.ends[up]
        classes = np.flatnonzero(ends).tolist()
        return self.payoffs[wager].is_settled(player_class, classes)

    def depends(self, wager: str, player_class: int) -> bool:
        """Whether the dealer completes a hand because of a wager, whatever the up card.

        A hand that stands is compared. For any other it matters only what the dealer may draw: a
        natural is no matter of drawing, it is known once the down card is turned up. One that the
        check always finds matters to nobody after it.
        """
        stands = self.player_classes[player_class].is_compared
        come = np.asarray(self.dealer.ends.any(axis=0))
        classes = [
            number
            for number, dealer in enumerate(self.dealer.classes)
            if come[number] and (stands or not dealer.is_natural)
        ]
        return not self.payoffs[wager].is_settled(player_class, classes)

    def pay_table(self, wager: str) -> tuple[PayRow, ...]:
        """The rows of a wager that has a pay table; none of one that has odds alone."""
        if wager in self.payoffs:
            return self.payoffs[wager].rows
        observer = self.observers[wager]
        return () if isinstance(observer, ShowdownObserver) else observer.rows

    @cached_property
    def draws_as_dealer(self) -> tuple[bool, ...]:
        """Of every state of a player's hand whether the dealer would draw with such a total."""
        dealer, hands = self.dealer, self.hands
        drawing = {
            (int(total), bool(soft))
            for total, soft, draws in zip(dealer.total, dealer.soft, dealer.draws, strict=True)
            if draws
        }
        totals = zip(hands.total.tolist(), hands.soft.tolist(), strict=True)
        return tuple(total in drawing for total in totals)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action that some hand of this game may take."""
        used = int(np.bitwise_or.reduce(self.legal.mask, axis=None))
        return tuple(action for action in Action if used & action.bit)


def compile_game(rules: RuleSet) -> GameTables:
    """Compile a checked rule set."""
    game = rules.game
    alphabet = build_alphabet(game)
    hands = HandBuilder(game, alphabet).build()
    dealer = DealerBuilder(game, alphabet).build()
    rows = action_rows(game)
    contexts = build_contexts(game, rows)
    classes = player_classes(game, alphabet, hands)
    effects = build_effects(rows, alphabet, hands, contexts, classes)
    payoffs = build_payoffs(game, alphabet, classes, dealer)
    observers = build_observers(game)
    bonuses = None
    if game.bonuses is not None:
        bonuses = BonusBuilder(game, alphabet).table(classes, hands.bonus_rows)
    money = build_money_plan(rules)
    return GameTables(
        id=game.id,
        version=game.version,
        name=game.name,
        also_known_as=game.also_known_as,
        source=game.source,
        fingerprint=rules.fingerprint,
        settings=rules.settings,
        alphabet=alphabet,
        hands=hands,
        contexts=contexts,
        dealer=dealer,
        legal=LegalBuilder(rules, alphabet, hands, dealer, contexts).build(),
        effects=effects,
        natural_name=game.natural.name,
        player_classes=classes,
        bonuses=bonuses,
        payoffs=payoffs,
        observers=observers,
        carry=build_carry(game),
        prizes=build_prizes(game, alphabet, classes, dealer),
        round_plan=build_round_plan(rules, contexts),
        money=money,
        settlement=build_settlement(payoffs, observers, money, effects, contexts),
        floor=game.floor,
        cites=build_citations(rules),
        wager_cites=build_wager_citations(rules),
        rulebook=build_rulebook(rules),
        head=build_head(rules),
    )


def tables_for(
    reference: str, settings: Mapping[str, str] | None = None, *, sides: Iterable[str] = ()
) -> GameTables:
    """Load, check and compile a game by id or path, with side wagers that any game can offer.

    >>> tables_for("blackjack", {"decks": "8"}).alphabet.decks
    8
    >>> list(tables_for("blackjack", sides=["21+3=graded"]).observers)
    ['21+3']
    """
    return compile_game(load_game(reference, settings_with(settings or {}, sides)))


class PaidGame:
    """A game whose figures can be changed one at a time: what would it be if it paid another?

    >>> game = PaidGame("blackjack", {})
    >>> game.payables[0].name, game.payables[0].path, str(game.payables[0].figure)
    ('blackjack', 'natural.pays', '3/2')
    """

    def __init__(self, reference: str, settings: Mapping[str, str]) -> None:
        self._rules = load_game(reference, settings)
        self.tables = compile_game(self._rules)
        self.payables = payables(self._rules)

    def paying(self, payable: Payable, figure: Fraction) -> GameTables:
        """The tables of the game, as a draft, with another figure."""
        return self.paying_all({payable: figure})

    def paying_all(self, figures: Mapping[Payable, Fraction]) -> GameTables:
        """The tables of the game, as a draft, with other figures."""
        rules = self._rules
        for payable, figure in figures.items():
            rules = paying(rules, payable, figure)
        return compile_game(rules)


def settings_with(settings: Mapping[str, str], sides: Iterable[str]) -> dict[str, str]:
    """Settings with side wagers, which are one of them, each as ID or ID=TABLE.

    >>> settings_with({"decks": "8"}, ["21+3", "buster"])
    {'decks': '8', 'sides': '21+3,buster'}
    """
    asked = sides_text(sides)
    # Whoever writes True or 8 means what the file would say.
    texts = {name: as_text(value) for name, value in settings.items()}
    return {**texts, SIDES: asked} if asked else texts


def setting_names(reference: str) -> tuple[str, ...]:
    """The names of all that can be set in a game, options and readings; nothing is compiled.

    >>> "soft17" in setting_names("blackjack")
    True
    """
    return tuple(choices(assemble(reference, {}).game))
