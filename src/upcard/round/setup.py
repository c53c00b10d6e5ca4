"""From `GameTables` to the arrays of the kernel: the round, the shoe, what is staked, the bank."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from upcard.cards import DECK
from upcard.compile import poker
from upcard.compile.bets import check_multiple, check_seat_count, wagers_of
from upcard.compile.bonuses import suit_bit
from upcard.compile.card_observer import CardObserver
from upcard.compile.chips import in_chips
from upcard.compile.context import Phase
from upcard.compile.deal import Receiver, Seen
from upcard.compile.ends import EndKind
from upcard.compile.hands import NONE
from upcard.compile.settlement import AtOnce
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents
from upcard.round.action_flags import action_flags
from upcard.round.card_tables import second_matters, third_matters
from upcard.round.count import NO_COUNT, Count
from upcard.round.kernel_types import (
    ALWAYS_INSURES,
    INSURES_BY_COUNT,
    PAYS_AT,
    PAYS_END,
    PLAYING,
    BankTerms,
    BonusEnds,
    Bools,
    Bytes,
    Carried,
    Counting,
    Crowd,
    Cut,
    DealersCards,
    EffectFlags,
    Glances,
    Here,
    InsurancePlay,
    Ints,
    Kept,
    MachineShoe,
    NoHole,
    Out,
    OwnCards,
    Returns,
    RoundRules,
    Sides,
    Stakes,
    ThirdCards,
    Words,
)
from upcard.round.no_hole import waiting_classes
from upcard.round.policy import compared_classes
from upcard.round.settle import HANDS_KIND, LARGEST
from upcard.round.shoe_cards import ShoeCards
from upcard.round.stakes import FEES, PRIZES, bank_terms, base_stakes, cover_unit, fees, side_stakes

FRESH_CUT = Cut(at=0, burn=0)
"""A full shoe every round, which may run out."""
FULL_SHOE = Cut(at=0, burn=0, full=True)
"""A full shoe every round, which cannot."""
MOST_PRIZES = 8
"""Prizes that a seat can win in one round: far more than there are marked cards for."""


@dataclass(frozen=True)
class TableSetup:
    """Who sits where with what: a table to be played at.

    `bet` is the base wager in cents, `besides` are side wagers that are staked too. Wagers that are
    not staked are watched all the same, each as large as the base wager. `fresh` is a full shoe
    every round; otherwise the cut card decides. `bank` limits a player-dealer's bank. With
    `by_seat` every seat has wagers of its own, which are its level.
    """

    tables: GameTables
    bet: int
    besides: Mapping[str, int] = field(default_factory=dict)
    seats: int = 1
    fresh: bool = True
    bank: int | None = None
    count: Count = NO_COUNT
    insures: bool = False
    by_seat: tuple[Mapping[str, int], ...] = ()

    # ------------------------------------------------------------------ wagers

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What is added up apart: every wager, then prizes and fees."""
        tables = self.tables
        wagers = dict.fromkeys((BASE, INSURANCE, *tables.payoffs, *tables.observers))
        most = max(map(self._most_insurance, self.bets)) if INSURANCE in tables.payoffs else 0
        if self.by_seat or not most:  # less than a chip is no insurance
            del wagers[INSURANCE]
        others = [PRIZES] * tables.has_prizes + [FEES] * (tables.money.fees is not None)
        return (*wagers, *others)

    def column(self, name: str) -> int:
        return self.columns.index(name) if name in self.columns else -1

    @cached_property
    def bets(self) -> tuple[int, ...]:
        """The base wager at every level."""
        if self.by_seat:
            return tuple(wagers[BASE] for wagers in self.by_seat)
        return tuple(round(self.bet * level.bets) for level in self.count.ramp)

    def amounts(self, level: int) -> dict[str, int]:
        """What every wager is at a level, in cents, staked or watched."""
        bet = self.bets[level]
        found = dict.fromkeys((*self.tables.payoffs, *self.tables.observers), bet)
        if self.by_seat:
            return {w: self.by_seat[level].get(w, 0) for w in found if w in self.columns}
        for wager, amount in self.besides.items():
            found[wager] = amount * bet // self.bet
        found.pop(INSURANCE, None)
        if INSURANCE in self.columns:
            found[INSURANCE] = self._most_insurance(bet)
        return found

    def _most_insurance(self, bet: int) -> int:
        """The largest insurance of a wager, in whole chips."""
        return self.tables.settlement.largest(INSURANCE, bet)

    @cached_property
    def staked(self) -> frozenset[str]:
        """Columns that a player's own money is in."""
        insured = {INSURANCE} if self.insures else set()
        return frozenset({BASE, PRIZES, FEES, *self.besides}.union(insured, *self.by_seat))

    @property
    def staked_wagers(self) -> list[int]:
        """Columns of wagers that a player's own money is in."""
        return [self.column(w) for w in self.columns if w in self.staked - {PRIZES, FEES}]

    @property
    def counts(self) -> bool:
        """Whether somebody counts the cards."""
        return self.count != NO_COUNT

    @cached_property
    def amounts_in_units(self) -> Ints:
        """What every column's wager is, by level."""
        found = np.zeros((len(self.bets), len(self.columns)), dtype=np.int64)
        for level in range(len(self.bets)):
            for wager, amount in self.amounts(level).items():
                found[level, self.column(wager)] = amount // self.unit
        return found

    def extremes(self, name: str) -> tuple[int, int]:
        """The least and the most that a column but the base and insurance can bring."""
        sides, column = self.sides, self.column(name)
        if name == PRIZES:
            carry = self.tables.carry
            if carry is not None:
                return 0, int(carry.prize.sum()) // self.unit * MOST_PRIZES
            prizes = self.all_columns
            return 0, int(prizes.prize.max() + (self.seats - 1) * prizes.envy.max())
        if sides is None or name in (BASE, INSURANCE):
            return 0, 0
        if name == FEES:
            hands = self.most_hands * (1 + sides.fee_added.shape[1])
            return -int(sides.fee.max() + hands * sides.fee_added.max(initial=0)), 0
        parts = (sides.by_class, sides.match, sides.five, sides.showdown)
        found = [part[:, column] for part in parts]
        by_rows = slice(*sides.looks[column, PAYS_AT : PAYS_END + 1])
        if by_rows.start < by_rows.stop:
            found.append(sides.card_pays[:, by_rows])
        least = min(int(part.min()) for part in found)
        most = max(int(part.max()) for part in found)
        hands = self.most_hands if sides.kind[column] == HANDS_KIND else 1
        return hands * min(least, -int(sides.amount[:, column].max())), hands * most

    # ------------------------------------------------------------------ bundles

    @cached_property
    def rules(self) -> RoundRules:
        tables = self.tables
        dealer, contexts, plan = tables.dealer, tables.contexts, tables.round_plan
        symbols = len(tables.alphabet)
        final = dealer.final_class.astype(np.int32)
        step = dealer.next.astype(np.int32)
        moves = np.where(final[step] >= 0, -1 - final[step], step * symbols).astype(np.int32)
        after_up = step[dealer.start]
        return RoundRules(
            symbols=symbols,
            turn=contexts.index(),
            seats=self.seats,
            most=self._most_cards,
            room=self._room,
            first_up=plan.dealt(Receiver.POSITION, "up"),
            deal_to=self._deal[0],
            dealer_next=moves.reshape(-1),
            begin=moves[after_up].reshape(-1),
            found=(dealer.natural & dealer.checks[:, None]).reshape(-1),
            natural_class=[found.is_natural for found in dealer.classes].index(True),
            any_class=(-1 - dealer.ends.argmax(axis=1)).astype(np.int32),
            shows=len(dealer.shown),
            context_next=contexts.next.astype(np.int32).reshape(-1),
            split_context=self._split_contexts(),
            marker_level=tables.effects.marker_level,
            compares=compared_classes(tables),
        )

    @property
    def shown_of(self) -> Words | None:
        """What the dealer shows by both first cards; None where it is the up card."""
        shown = self.tables.dealer.shown
        return None if shown.is_up_card else self.any_shown_of

    @property
    def any_shown_of(self) -> Words:
        """What the dealer shows by both first cards, be it the up card."""
        return self.tables.dealer.shown.of.astype(np.uint64).reshape(-1)

    @cached_property
    def effects(self) -> EffectFlags:
        return action_flags(self.tables.effects)

    @property
    def crowd(self) -> Crowd | None:
        """Several seats, all alike; None for one."""
        if self.seats == 1:
            return None
        return self.crowd_of([0] * self.seats)

    def crowd_of(self, players: Sequence[int]) -> Crowd:
        """Seats that play as these players do, each with its own wagers if they have some."""
        levels = range(self.seats) if self.by_seat else [0] * self.seats
        return Crowd(
            self.seats,
            np.array(players, dtype=np.uint64),
            np.array(levels, dtype=np.uint64),
        )

    @property
    def _most_cards(self) -> int:
        """The most cards that a seat or the dealer gets in the first deal."""
        plan = self.tables.round_plan
        return max(2, plan.dealt(Receiver.POSITION), plan.dealt(Receiver.DEALER))

    @property
    def _community(self) -> int:
        return self.tables.round_plan.dealt(Receiver.COMMUNITY)

    @cached_property
    def _deal(self) -> tuple[Words, npt.NDArray[np.str_]]:
        """The first deal, card by card: to which place, and when one who counts sees it."""
        plan, most = self.tables.round_plan, self._most_cards
        slots = plan.slots([seat < self.seats for seat in range(plan.positions)])
        dealers, middle = self.seats * most, (self.seats + 1) * most
        begins = {Receiver.DEALER: dealers, Receiver.COMMUNITY: middle}
        held: Counter[int] = Counter()
        places = []
        for slot in slots:
            begin = begins.get(slot.to, slot.place * most)
            if slot.to is Receiver.EMPTY:
                places.append(middle + self._community)
            else:
                places.append(begin + held[begin])
                held[begin] += 1
        return np.array(places, dtype=np.uint64), np.array([slot.seen for slot in slots])

    @cached_property
    def own_cards(self) -> OwnCards | None:
        """Whose further cards are their own down cards; None where all come from the shoe."""
        plan = self.tables.round_plan
        players, dealers = plan.players_draw_own_cards, plan.dealer_draws_own_cards
        looks = self.tables.dealer.looks
        return OwnCards(players, dealers, looks) if players or dealers else None

    @cached_property
    def no_hole(self) -> NoHole | None:
        """What waits for a second card that comes only after the turns; None if one lies there."""
        tables = self.tables
        if tables.round_plan.dealt(Receiver.DEALER) > 1:
            return None
        nowhere = np.zeros(len(tables.alphabet), dtype=np.bool_)
        return NoHole(
            wanted=True,
            insures=self.insures,
            classes=len(tables.player_classes),
            symbols=len(tables.alphabet),
            waits=waiting_classes(tables).reshape(-1),
            offered=nowhere if self._insurance is None else self._insurance.offered,
            asks=second_matters(tables, self.staked),
        )

    def _split_contexts(self) -> Words:
        """The context of a waiting hand, by whether aces were split and the number of hands; behind
        them those of hands with the house's markers.
        """
        contexts = self.tables.contexts
        kinds = 4 if contexts.has_markers else 2
        found = np.full((kinds, self.most_hands + 1), contexts.index(), dtype=np.uint64)
        for aces in range(2):
            context = contexts.index()
            for hands in range(2, self.most_hands + 1):
                context = int(contexts.after_split[context, aces])
                found[aces, hands] = context
                if contexts.has_markers:
                    found[2 + aces, hands] = contexts.with_marker(context)
        return found

    @property
    def most_hands(self) -> int:
        return max(context.hands for context in self.tables.contexts.contexts)

    @property
    def without_cards_that_go_away(self) -> Words:
        """The places of the first deal from a full shoe: cards behind others are as good."""
        places: Words = self._deal[0]
        return np.asarray(places[places != self._room - 1])

    @cached_property
    def player_and_up_first(self) -> Words:
        """The places of the first deal, the player's and the dealer's that lie face up first."""
        places = self._deal[0].tolist()
        dealers = self.seats * self.rules.most
        face_up = self.tables.round_plan.dealt(Receiver.DEALER, "up")
        first = [*range(self.rules.first_up), *range(dealers, dealers + face_up)]
        return np.array([*first, *(p for p in places if p not in first)], dtype=np.uint64)

    # ------------------------------------------------------------------ the shoe

    @cached_property
    def _cards(self) -> ShoeCards:
        return ShoeCards(
            self.tables,
            hands=self.seats * self.most_hands + 1,
            first_cards=len(self._deal[0]),
            deals_all=self.own_cards is not None and self.own_cards[:2] == (True, True),
            weight=self._weight if self.counts else None,
        )

    def shoe(self, cards: Sequence[int] | None = None) -> MachineShoe:
        """The shoe, all cards to come; with `cards`, those numbers in that order."""
        return self._cards.shoe(cards)

    def shoe_of(self, symbols: Ints, suits: np.random.Generator | None = None) -> MachineShoe:
        """A shoe of these symbols in that order, each as any card that it stands for.

        With `suits` it is drawn which ones they are (see `ShoeCards.shoe_of`).
        """
        return self._cards.shoe_of(symbols, suits)

    @property
    def shoe_size(self) -> int:
        """The cards of a full shoe."""
        return len(self._cards.numbers)

    @property
    def most_cards(self) -> int:
        """Room for the cards of a hand."""
        return self._cards.most_cards

    @cached_property
    def cut(self) -> Cut | None:
        """The cut card; None where a fresh shoe cannot run out of cards either."""
        plan = self.tables.round_plan.shoe
        if not self.fresh and not plan.shuffles_every_round:
            return Cut(plan.cut(self.shoe_size), plan.burn)
        return FRESH_CUT if self.may_run_out else None

    @property
    def may_run_out(self) -> bool:
        """Whether a round may take more cards than are left when it begins."""
        plan = self.tables.round_plan.shoe
        lasts = not self.fresh and not plan.shuffles_every_round
        gone = max(plan.cut(self.shoe_size), plan.burn) if lasts else 0
        return self.shoe_size - gone <= self._cards.most_needed

    def returns(self, side_by_side: int = 1, *, shuffles: bool = True) -> Returns:
        """What a shoe that may run out needs; without `shuffles` cards come in order."""
        seats, hands, natural = self.seats * side_by_side, self.most_hands, self._natural
        return Returns(
            shuffles=shuffles,
            filler=self._cards.filler,
            most_needed=self._cards.most_needed,
            settles=self._settles.reshape(-1),
            natural=PLAYING if natural == NONE else np.uint64(natural),
            marked=self.marked,
            held=np.zeros((seats, hands, self.most_cards), dtype=self._cards.code_type),
            holds=np.zeros((seats, hands), dtype=np.int64),
            aside=np.zeros((seats, hands), dtype=np.bool_),
        )

    @cached_property
    def marked(self) -> Bools:
        """Symbols that may be put away."""
        return np.array([symbol.marked for symbol in self.tables.alphabet.symbols])

    @property
    def _natural(self) -> int:
        return self.tables.class_of("natural")

    @cached_property
    def _settles(self) -> Bools:
        """Whether a hand that ended as a class is settled at once, by what the dealer shows."""
        tables = self.tables
        row, natural = tables.settlement[BASE], self._natural
        shows = len(tables.dealer.shown)
        found = np.zeros((len(tables.player_classes), shows), dtype=np.bool_)
        if row.at_once is AtOnce.NATURALS_IF_COVERED and not self._covers:
            return found
        classes = range(len(found)) if row.at_once is AtOnce.ALWAYS else [natural]
        for own in classes if natural != NONE else ():
            found[own] = [tables.is_settled(BASE, own, up) for up in range(shows)]
        return found

    @property
    def _covers(self) -> bool:
        """Whether the bank could pay all that these wagers can ever win."""
        if self.bank is None:
            return True
        rows = self.tables.settlement.by_wager
        worst = [
            sum(amount * rows[w].most_wins for w, amount in self.amounts(n).items() if w in staked)
            for staked in [self.staked]
            for n in range(len(self.bets))
        ]
        return self.bank >= (sum(worst) if self.by_seat else self.seats * max(worst))

    # ------------------------------------------------------------------ what not every game has

    def insurance(self, takes: int = ALWAYS_INSURES) -> InsurancePlay | None:
        """When insurance is offered and taken."""
        if self._insurance is None or self.count.insures_from is not None:
            return self._insurance
        return self._insurance._replace(takes=takes)

    @cached_property
    def _insurance(self) -> InsurancePlay | None:
        tables = self.tables
        phases = [context.phase for context in tables.contexts.contexts]
        if INSURANCE not in self.columns:
            return None
        mask = tables.legal.mask[:, phases.index(Phase.INSURANCE), :]
        offered = ((mask & tables.effects.wagering) != 0).any(axis=0)
        by_count = self.count.insures_from is not None
        return InsurancePlay(
            offered=np.asarray(offered),
            mask=int(np.bitwise_or.reduce(mask, axis=None)),
            takes=INSURES_BY_COUNT if by_count else ALWAYS_INSURES,
            from_count=self.count.insures_from or 0,
            pays=self._insurance_cents // self.unit,
        )

    @cached_property
    def _insurance_cents(self) -> Ints:
        """What insurance loses, and wins under every up card, by level."""
        tables, ups = self.tables, self.tables.dealer.shown.up.tolist()
        pays = []
        for level in range(len(self.bets) if INSURANCE in self.columns else 0):
            amount, payoff = self.amounts(level)[INSURANCE], tables.payoffs[INSURANCE]
            wins = [payoff.won_under(up) for up in ups]
            pays.append([-amount, *(in_chips(tables, amount * one, amount) for one in wins)])
        return np.array(pays, dtype=np.int64).reshape(-1, 1 + len(ups))

    def carried(self, light: Bytes, side_by_side: int = 1) -> Carried | None:
        """Lights; `light` are those that come with a card by themselves."""
        players = self.seats * side_by_side
        carry = self.tables.carry
        if carry is None:
            return None
        return Carried(
            column=self.column(PRIZES),
            next=carry.next.astype(np.int64),
            prize=carry.prize // self.unit,
            surplus_counts=carry.surplus_counts,
            light=light,
            lit=np.zeros(players, dtype=np.int64),
            prized=np.zeros(players, dtype=np.bool_),
        )

    def counting(self, from_count: Bytes, then: Bytes) -> Counting | None:
        """The count; `from_count` and `then` are departures from the policy."""
        if not self.counts:
            return None
        alphabet, weight = self.tables.alphabet, self._weight
        cards_a_deck = len(alphabet.cards) if self.count.divides else 0
        furthest = int(np.abs(weight).sum()) * alphabet.decks * max(1, cards_a_deck)
        changes = np.sort([step.at for step in self.count.ramp[1:]]).clip(-furthest, furthest + 1)
        lowest = int(changes.min(initial=0)) - 1
        counts = np.arange(lowest, int(changes.max(initial=lowest)) + 1)
        looks = len(from_count) > 0 or self.count.insures_from is not None
        all_seen = np.isin(self._deal[1], [Seen.AT_ONCE, Seen.AT_REVEAL]).all()
        return Counting(
            running=np.zeros(1, dtype=np.uint64),
            glances=self.glances() if looks or not all_seen else None,
            cards_a_deck=cards_a_deck,
            lowest=lowest,
            level_at=np.searchsorted(changes, counts, side="right").astype(np.uint64),
            from_count=from_count,
            then=then,
        )

    @cached_property
    def _weight(self) -> Ints:
        """What every card of the deck counts."""
        alphabet = self.tables.alphabet
        weight = np.zeros(len(alphabet.of_card), dtype=np.int64)
        for card in alphabet.cards:
            weight[card.number] = self.count.weight(card)
        return weight

    def glances(self) -> Glances:
        """When cards of the first deal are seen."""
        _, seen = self._deal
        at_once, later = seen == Seen.AT_ONCE, seen == Seen.AT_REVEAL
        bits = np.array([0, 2**64 - 1], dtype=np.uint64)
        return Glances(
            bits[at_once.astype(int)], bits[later.astype(int)], np.zeros(1, dtype=np.uint64)
        )

    def here(self, side_by_side: int = 1) -> Here:
        """Room for a round, or for several of one seat each that stop."""

        def zeros(*shape: int) -> Words:
            return np.zeros(shape, dtype=np.uint64)

        seats, hands = self.seats * side_by_side, self.most_hands
        return Here(
            node=zeros(seats),
            hands=zeros(seats),
            final=zeros(seats, hands),
            doubles=zeros(seats, hands),
            cards=np.zeros(self._room * side_by_side, dtype=self._cards.code_type),
            turned=zeros(seats),
            gone_as=zeros(seats),
            prize=np.zeros(seats, dtype=np.int64),
        )

    @property
    def _room(self) -> int:
        """Places for the cards of the first deal."""
        return (self.seats + 1) * self._most_cards + self._community + 1

    @property
    def keeps(self) -> bool:
        """Whether other wagers or a player's bank look at how hands ended."""
        return self.sides is not None or self.banker is not None

    def kept(self, rounds: int) -> Kept:
        """Room for how hands ended."""
        slots = rounds * self.seats

        def zeros(size: int) -> Ints:
            return np.zeros(size, dtype=np.int64)

        return Kept(
            rounds=zeros(1),
            hands=zeros(slots),
            most_hands=self.most_hands,
            final=zeros(slots * self.most_hands),
            doubles=zeros(slots * self.most_hands),
            claims=zeros(slots * self.most_hands),
            room=self._room,
            most=self._most_cards,
            cards=np.zeros(rounds * self._room, dtype=self._cards.code_type),
            fives=zeros(rounds * (self.seats + 1) if self._most_cards >= poker.HAND_SIZE else 0),
            drawn=np.zeros(
                rounds * self.most_cards if self.follows_dealer else 0, dtype=self._cards.code_type
            ),
            drew=zeros(rounds if self.follows_dealer else 0),
            thirds=zeros(slots if self.follows_thirds else 0),
        )

    @cached_property
    def _card_observers(self) -> tuple[CardObserver, ...]:
        observers = self.tables.observers.values()
        return tuple(found for found in observers if isinstance(found, CardObserver))

    @property
    def follows_dealer(self) -> bool:
        """Whether a wager looks at the dealer's final hand, which is always completed then."""
        return any(observer.looks_at_dealer for observer in self._card_observers)

    @property
    def follows_thirds(self) -> bool:
        """Whether a wager looks at the third card of a player's first hand."""
        return any(observer.looks_at_third for observer in self._card_observers)

    def dealers_cards(self, kept: Kept) -> DealersCards:
        """Where the dealer's further cards are kept."""
        return DealersCards(self.follows_dealer, self.most_cards, kept.drawn, kept.drew)

    def third_cards(self, kept: Kept, side_by_side: int = 1) -> ThirdCards:
        """Where third cards are kept, and when one is dealt for a wager alone."""
        given_up = (EndKind.SURRENDERED, EndKind.SURRENDERED_EARLY)
        return ThirdCards(
            wanted=self.follows_thirds,
            guaranteed=any(o.looks_at_third and o.guaranteed for o in self._card_observers),
            matters=third_matters(self.tables),
            forfeits=np.array([found.kind in given_up for found in self.tables.player_classes]),
            here=np.zeros(self.seats * side_by_side, dtype=np.int64),
            thirds=kept.thirds,
        )

    def bonus_ends(self, side_by_side: int = 1) -> BonusEnds:
        """What suits and doubles make of hands that get a bonus."""
        bonuses, hands = self.tables.bonuses, (self.seats * side_by_side, self.most_hands)
        none = np.zeros(0, dtype=np.uint64)
        return BonusEnds(
            wanted=bonuses is not None,
            refined=bonuses.refined.astype(np.uint64).reshape(-1) if bonuses else none,
            doubled=bonuses.doubled.astype(np.uint64) if bonuses else none,
            suit=np.array([suit_bit(card) for card in DECK], dtype=np.uint64),
            first=np.zeros(hands, dtype=np.uint64),
            later=np.zeros(hands, dtype=np.uint64),
        )

    def out(self, rounds: int) -> Out:
        """Room for the results of so many rounds."""
        insures = INSURANCE in self.columns
        level = np.zeros(rounds * self.seats, dtype=np.int64)
        if self.by_seat:
            level[:] = np.tile(np.arange(self.seats), rounds)
        return Out(
            net=np.zeros((len(self.columns) + 1, rounds * self.seats), dtype=np.int64),
            up=np.zeros(rounds, dtype=np.int64),
            result=np.zeros(rounds, dtype=np.int64),
            insured=np.zeros(rounds * self.seats if insures else 0, dtype=np.bool_),
            insured_at=np.zeros(rounds * self.seats if insures else 0, dtype=np.int64),
            level=level,
            depth=np.zeros(rounds * self.seats, dtype=np.int64),
            running=np.zeros(rounds * self.seats, dtype=np.int64),
            bank=np.zeros(rounds, dtype=np.int64),
        )

    # ------------------------------------------------------------------ money

    @cached_property
    def unit(self) -> int:
        """The largest amount in cents that every payment is a multiple of."""
        stakes, sides = self._in_cents
        arrays = [stakes.pays, sides.by_class, sides.match, sides.five, sides.showdown]
        arrays += [sides.card_pays, sides.prize, sides.envy]
        arrays += [sides.amount, sides.fee, sides.fee_added, self._fees[2], self._insurance_cents]
        if self.tables.carry is not None:
            arrays.append(self.tables.carry.prize)
        found = math.gcd(self.bank or 0, *(int(np.gcd.reduce(part, axis=None)) for part in arrays))
        if self.bank is not None and self.tables.money.covers_by_wagers:
            found = math.gcd(found, cover_unit(self))
        most = max(int(np.abs(part).max(initial=0)) for part in arrays)
        if most // found * self.most_hands >= math.isqrt(LARGEST):
            wager = format_cents(self.bet)
            raise UpcardError(f"results of a wager of {wager} are too large to be added up exactly")
        return found

    @cached_property
    def stakes(self) -> Stakes:
        stakes, _ = self._in_cents
        return stakes._replace(pays=stakes.pays // self.unit)

    @property
    def sides(self) -> Sides | None:
        """Wagers besides the base, None without any but insurance."""
        alone = set(self.columns) <= {BASE, INSURANCE, PRIZES} and not self.tables.prizes
        return None if alone else self.all_columns

    @cached_property
    def all_columns(self) -> Sides:
        """What is to be settled of every column, if there is anything."""
        _, sides = self._in_cents
        money = (
            *("by_class", "match", "five", "showdown", "card_pays"),
            *("amount", "fee", "fee_added", "prize", "envy"),
        )
        return sides._replace(**{name: getattr(sides, name) // self.unit for name in money})

    @cached_property
    def _in_cents(self) -> tuple[Stakes, Sides]:
        return base_stakes(self), side_stakes(self, self._fees)

    @cached_property
    def _fees(self) -> tuple[Ints, Ints, Ints]:
        return fees(self)

    @cached_property
    def banker(self) -> BankTerms | None:
        """A player's bank and what limits it; None where the house banks."""
        return None if self.tables.money.house_banks else bank_terms(self, self._fees[2])

    @property
    def no_banker(self) -> BankTerms:
        """A bank that banks nothing."""
        nothing = np.zeros(0, dtype=np.int64)
        terms = bank_terms(self, np.zeros(len(self.bets), dtype=np.int64))
        return terms._replace(amount=-1, with_game=nothing, after_game=nothing)

    # ------------------------------------------------------------------ what cannot be

    def check(self) -> None:
        """Refuse a table that the game could not have."""
        tables = self.tables
        check_seat_count(tables, self.seats)
        if self.bank is not None:
            if tables.money.house_banks:
                raise UpcardError(f"the house banks {tables.name}: there is no limited bank")
            if not tables.money.bank_is_limited:
                raise UpcardError(f"the bank of {tables.name} has no limit: it covers every wager")
            check_multiple(tables, "a bank", self.bank)
        ratios = {wager: amount / self.bet for wager, amount in self.besides.items()}
        for base in self.bets:
            wagers_of(tables, base, ratios)
        if self.counts and (self.cut is None or self.cut.at == 0):
            raise UpcardError(
                f"the cards of {tables.name} are shuffled for every round here, which leaves "
                "nothing to count"
            )
