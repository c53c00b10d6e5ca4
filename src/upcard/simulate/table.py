"""From `GameTables` to the arrays of the kernel: the round, the shoe, what is staked, the bank."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from upcard.compile import poker
from upcard.compile.bets import check_multiple, wagers_of
from upcard.compile.chips import in_chips
from upcard.compile.context import Action
from upcard.compile.plan import DealtCard
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.money import BASE, INSURANCE, format_cents, rounded
from upcard.simulate.bundles import (
    ALWAYS_INSURES,
    AT,
    CODE_BITS,
    EMPTY,
    END,
    INSURES_BY_COUNT,
    SEEN,
    SEEN_LATER,
    UNSEEN,
    WAITING,
    Bank,
    Bools,
    Bytes,
    Carried,
    Codes,
    Counting,
    Cut,
    Here,
    Insurance,
    Ints,
    Kept,
    Out,
    OwnCards,
    Rules,
    Shoe,
    Sides,
    Stakes,
    Words,
)
from upcard.simulate.claims import LARGEST
from upcard.simulate.count import NO_COUNT, Count
from upcard.simulate.policy import compared_classes
from upcard.simulate.stakes import FEES, PRIZES, base_stakes, fees, side_stakes
from upcard.text import cited, counted

MOST_PRIZES = 8
"""Prizes that a seat can win in one round: far more than there are marked cards for."""


@dataclass(frozen=True)
class Table:
    """Who sits where with what: a table to be played at.

    `bet` is the base wager in cents, `besides` are side wagers that are staked too. Wagers that are
    not staked are watched all the same, each as large as the base wager. `fresh` is a full shoe
    every round; otherwise the cut card decides. `bank` limits a player-dealer's bank.
    """

    tables: GameTables
    bet: int
    besides: Mapping[str, int] = field(default_factory=dict)
    seats: int = 1
    fresh: bool = True
    bank: int | None = None
    count: Count = NO_COUNT
    insures: bool = False

    # ------------------------------------------------------------------ wagers

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What is added up apart: every wager, then prizes and fees."""
        tables = self.tables
        wagers = dict.fromkeys((BASE, INSURANCE, *tables.payoffs, *tables.observers))
        if INSURANCE not in tables.payoffs or not all(map(self._most_insurance, self.bets)):
            del wagers[INSURANCE]  # less than a chip is no insurance
        others = [PRIZES] * (tables.carry is not None) + [FEES] * (tables.money.fees is not None)
        return (*wagers, *others)

    def column(self, name: str) -> int:
        return self.columns.index(name) if name in self.columns else -1

    @cached_property
    def bets(self) -> tuple[int, ...]:
        """The base wager at every level."""
        return tuple(round(self.bet * level.bets) for level in self.count.ramp)

    def amounts(self, level: int) -> dict[str, int]:
        """What every wager is at a level, in cents, staked or watched."""
        bet = self.bets[level]
        found = dict.fromkeys((*self.tables.payoffs, *self.tables.observers), bet)
        for wager, amount in self.besides.items():
            found[wager] = amount * bet // self.bet
        found.pop(INSURANCE, None)
        if INSURANCE in self.columns:
            found[INSURANCE] = self._most_insurance(bet)
        return found

    def _most_insurance(self, bet: int) -> int:
        """The largest insurance of a wager, in whole chips."""
        share = self.tables.money.insurance_share or Fraction(0)
        return rounded(share * bet, self.tables.money.chip, "down")

    @cached_property
    def staked(self) -> frozenset[str]:
        """Columns that a player's own money is in."""
        insured = {INSURANCE} if self.insures else set()
        return frozenset({BASE, PRIZES, FEES, *self.besides} | insured)

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
            most = 0 if carry is None else int(carry.prize.sum()) // self.unit
            return 0, most * MOST_PRIZES
        if sides is None or name in (BASE, INSURANCE):
            return 0, 0
        if name == FEES:
            hands = self.most_hands * (1 + sides.fee_added.shape[1])
            return -int(sides.fee.max() + hands * sides.fee_added.max(initial=0)), 0
        parts = (sides.by_class, sides.match, sides.five, sides.showdown)
        found = [part[:, column] for part in parts]
        least = min(int(part.min()) for part in found)
        return min(least, -int(sides.amount[:, column].max())), max(int(p.max()) for p in found)

    # ------------------------------------------------------------------ bundles

    @cached_property
    def rules(self) -> Rules:
        tables = self.tables
        dealer, contexts, plan = tables.dealer, tables.contexts, tables.round_plan
        symbols = len(tables.alphabet)
        final = dealer.final_class.astype(np.int32)
        step = dealer.next.astype(np.int32)
        moves = np.where(final[step] >= 0, -1 - final[step], step).astype(np.int32)
        after_up = step[dealer.start]
        return Rules(
            symbols=symbols,
            turn=contexts.index(),
            seats=self.seats,
            most=self._most_cards,
            first_up=sum(p.to == "position" and p.face == "up" for p in plan.passes),
            deal_to=self._deal[0],
            dealer_next=moves.reshape(-1),
            begin=moves[after_up].reshape(-1),
            found=(dealer.natural & dealer.checks[:, None]).reshape(-1),
            natural_class=[kind.kind for kind in dealer.classes].index("natural"),
            any_class=(-1 - dealer.ends.argmax(axis=1)).astype(np.int32),
            context_next=contexts.next.astype(np.int32).reshape(-1),
            split_context=self._split_contexts(),
            surrendered=tables.class_index.get("surrendered", 0),
            rescued=tables.class_index.get("rescued", 0),
            compares=compared_classes(tables),
        )

    @property
    def _most_cards(self) -> int:
        """The most cards that a seat or the dealer gets in the first deal."""
        passes = self.tables.round_plan.passes
        return max(2, *(sum(p.to == to for p in passes) for to in ("position", "dealer")))

    @property
    def _community(self) -> int:
        return sum(part.to == "community" for part in self.tables.round_plan.passes)

    @cached_property
    def _deal(self) -> tuple[Words, Bools]:
        """The first deal, card by card: to which place, and whether face up."""
        plan = self.tables.round_plan
        own = [part for part in plan.passes if part.to == "position"]
        empty = plan.positions - self.seats
        if plan.empty_positions != "dealt-and-discarded":
            empty = 0
        most = self._most_cards
        places = {"dealer": self.seats * most, "community": (self.seats + 1) * most}
        away = places["community"] + self._community
        held = [0] * self.seats
        dealt: list[tuple[int, bool]] = []

        def to_positions(parts: Sequence[DealtCard]) -> None:
            for seat in range(self.seats):
                for part in parts:
                    dealt.append((seat * most + held[seat], part.face == "up"))
                    held[seat] += 1
            dealt.extend((away, False) for _ in range(empty) for _ in parts)

        if plan.by_position:
            to_positions(own)
        for part in plan.passes:
            if part.to != "position":
                dealt.append((places[part.to], part.face == "up"))
                places[part.to] += 1
            elif not plan.by_position:
                to_positions([part])
        return (
            np.array([place for place, _ in dealt], dtype=np.uint64),
            np.array([face for _, face in dealt], dtype=np.bool_),
        )

    @cached_property
    def own_cards(self) -> OwnCards | None:
        """Whose further cards are their own down cards; None where all come from the shoe."""
        plan = self.tables.round_plan
        players = plan.hit_cards.startswith("own-cards")
        dealers = plan.dealer_draws_from == "own-cards"
        return OwnCards(players, dealers) if players or dealers else None

    def _split_contexts(self) -> Words:
        """The context of a waiting hand, by whether aces were split and the number of hands."""
        contexts = self.tables.contexts
        found = np.full((2, self.most_hands + 1), contexts.index(), dtype=np.uint64)
        for aces in range(2):
            context = contexts.index()
            for hands in range(2, self.most_hands + 1):
                context = int(contexts.after_split[context, aces])
                found[aces, hands] = context
        return found

    @property
    def most_hands(self) -> int:
        return max(context.hands for context in self.tables.contexts.contexts)

    def shoe(self, cards: Sequence[int] | None = None) -> Shoe:
        """The shoe, all cards to come; with `cards`, those numbers in that order."""
        codes = self._codes(self._numbers if cards is None else cards)
        now = np.zeros(5, dtype=np.uint64)
        now[AT] = now[END] = len(codes)
        now[WAITING] = EMPTY
        return Shoe(codes, now)

    def _codes(self, numbers: Sequence[int]) -> Codes:
        """Cards as they lie in the shoe: their number and their symbol."""
        found = np.array(numbers, dtype=np.int64)
        return (found << CODE_BITS | self.tables.alphabet.of_card[found]).astype(np.uint16)

    @cached_property
    def _numbers(self) -> list[int]:
        alphabet = self.tables.alphabet
        return [card.number for card in alphabet.cards] * alphabet.decks

    def cut(self, *, shuffles: bool = True) -> Cut | None:
        """The cut card; None where a fresh shoe cannot run out of cards either."""
        plan = self.tables.round_plan.shoe
        if not self.fresh and plan.shuffle != "every-round":
            return Cut(plan.cut(len(self._numbers)), plan.burn, shuffles)
        enough = self._most_needed < len(self._numbers)
        return None if enough and shuffles else Cut(0, 0, shuffles)

    @property
    def _most_needed(self) -> int:
        """Cards that a round can never need more of: every hand full of the smallest cards."""
        tables = self.tables
        if tables.carry is not None:
            return len(self._numbers)  # cards are traded without end
        if self.own_cards == OwnCards(players=True, dealers=True):
            return len(self._deal[0]) + 1
        lowest = min(symbol.low for symbol in tables.alphabet.symbols)
        full = int(tables.hands.total[~tables.hands.bust].max()) // lowest + 1
        return len(self._deal[0]) + (self.seats * self.most_hands + 1) * full + 1

    def insurance(self, takes: int = ALWAYS_INSURES) -> Insurance | None:
        """When insurance is offered and taken."""
        if self._insurance is None or self.count.insures_from is not None:
            return self._insurance
        return self._insurance._replace(takes=takes)

    @cached_property
    def _insurance(self) -> Insurance | None:
        tables = self.tables
        phases = [context.phase for context in tables.contexts.contexts]
        if INSURANCE not in self.columns:
            return None
        mask = tables.legal.mask[:, phases.index("insurance"), :]
        offered = ((mask & Action.INSURE.bit) != 0).any(axis=0)
        by_count = self.count.insures_from is not None
        return Insurance(
            offered=np.asarray(offered),
            takes=INSURES_BY_COUNT if by_count else ALWAYS_INSURES,
            from_count=self.count.insures_from or 0,
            pays=self._insurance_cents // self.unit,
        )

    @cached_property
    def _insurance_cents(self) -> Ints:
        """What insurance loses and wins, by level."""
        tables = self.tables
        pays = []
        for level in range(len(self.bets) if INSURANCE in self.columns else 0):
            amount = self.amounts(level)[INSURANCE]
            wins = tables.payoffs[INSURANCE].odds[0][self.rules.natural_class]
            pays.append([-amount, in_chips(tables, amount * wins, amount)])
        return np.array(pays, dtype=np.int64).reshape(-1, 2)

    def carried(self, light: Bytes) -> Carried | None:
        """Lights; `light` are those that come with a card by themselves."""
        carry = self.tables.carry
        if carry is None:
            return None
        return Carried(
            column=self.column(PRIZES),
            next=carry.next.astype(np.int64),
            prize=carry.prize // self.unit,
            surplus_counts=carry.surplus_counts,
            light=light,
            lit=np.zeros(self.seats, dtype=np.int64),
            prized=np.zeros(self.seats, dtype=np.bool_),
        )

    @property
    def _seen(self) -> Bytes:
        """Of every card of the first deal when a player who counts sees it."""
        hole = self.seats * self._most_cards + 1
        places, faces = self._deal
        return np.array(
            [
                SEEN if face else SEEN_LATER if place == hole else UNSEEN
                for place, face in zip(places.tolist(), faces.tolist(), strict=True)
            ],
            dtype=np.int8,
        )

    def counting(self, from_count: Bytes, then: Bytes) -> Counting | None:
        """The count; `from_count` and `then` are departures from the policy."""
        if not self.counts:
            return None
        alphabet = self.tables.alphabet
        weight = np.zeros(len(alphabet.of_card), dtype=np.int64)
        for card in alphabet.cards:
            weight[card.number] = self.count.weight(card)
        return Counting(
            weight=weight,
            running=np.zeros(2, dtype=np.int64),
            seen=self._seen,
            cards_a_deck=len(alphabet.cards) if self.count.divides else 0,
            level_from=np.array([step.at for step in self.count.ramp], dtype=np.int64),
            from_count=from_count,
            then=then,
        )

    def here(self) -> Here:
        def zeros(*shape: int) -> Words:
            return np.zeros(shape, dtype=np.uint64)

        seats, hands = self.seats, self.most_hands
        return Here(
            node=zeros(seats),
            hands=zeros(seats),
            final=zeros(seats, hands),
            doubles=zeros(seats, hands),
            cards=zeros(self._room),
            turned=zeros(seats),
            folded=np.zeros(seats, dtype=np.bool_),
        )

    @property
    def _room(self) -> int:
        """Places for the cards of the first deal."""
        return (self.seats + 1) * self._most_cards + self._community + 1

    def kept(self, rounds: int) -> Kept | None:
        """Room for what other wagers and a player's bank look at; None where there are none."""
        if self.sides is None and self.banker is None:
            return None
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
            cards=np.zeros(rounds * self._room, dtype=np.uint64),
            fives=zeros(rounds * (self.seats + 1) if self._most_cards >= poker.HAND_SIZE else 0),
        )

    def out(self, rounds: int) -> Out:
        """Room for the results of so many rounds."""
        insures = INSURANCE in self.columns
        return Out(
            net=np.zeros((len(self.columns) + 1, rounds * self.seats), dtype=np.int64),
            up=np.zeros(rounds, dtype=np.int64),
            result=np.zeros(rounds, dtype=np.int64),
            insured=np.zeros(rounds * self.seats if insures else 0, dtype=np.bool_),
            level=np.zeros(rounds, dtype=np.int64),
            depth=np.zeros(rounds, dtype=np.int64),
            true_count=np.zeros(rounds, dtype=np.int64),
            bank=np.zeros(rounds, dtype=np.int64),
        )

    # ------------------------------------------------------------------ money

    @cached_property
    def unit(self) -> int:
        """The largest amount in cents that every payment is a multiple of."""
        stakes, sides = self._in_cents
        arrays = [stakes.pays, sides.by_class, sides.match, sides.five, sides.showdown]
        arrays += [sides.amount, sides.fee, sides.fee_added, self._fees[2], self._insurance_cents]
        if self.tables.carry is not None:
            arrays.append(self.tables.carry.prize)
        found = math.gcd(self.bank or 0, *(int(np.gcd.reduce(part, axis=None)) for part in arrays))
        most = max(int(np.abs(part).max(initial=0)) for part in arrays)
        if most // found * self.most_hands >= math.isqrt(LARGEST):
            wager = format_cents(self.bet)
            raise UpcardError(f"results of a wager of {wager} are too large to be added up exactly")
        return found

    @cached_property
    def stakes(self) -> Stakes:
        stakes, _ = self._in_cents
        return stakes._replace(pays=stakes.pays // self.unit)

    @cached_property
    def sides(self) -> Sides | None:
        """Wagers besides the base, None without any but insurance."""
        _, sides = self._in_cents
        if set(self.columns) <= {BASE, INSURANCE, PRIZES}:
            return None
        money = ("by_class", "match", "five", "showdown", "amount", "fee", "fee_added")
        return sides._replace(**{name: getattr(sides, name) // self.unit for name in money})

    @cached_property
    def _in_cents(self) -> tuple[Stakes, Sides]:
        return base_stakes(self), side_stakes(self, self._fees)

    @cached_property
    def _fees(self) -> tuple[Ints, Ints, Ints]:
        return fees(self)

    @cached_property
    def banker(self) -> Bank | None:
        """A player's bank and what limits it; None where the house banks."""
        tables = self.tables
        if tables.money.bank == "house":
            return None
        natural = tables.class_index.get("natural", -1)
        early = tables.money.natural_paid == "at-once" and natural >= 0 and self.bank is not None
        ups = range(len(tables.alphabet))
        ordered = [*tables.money.order, *(w for w in self.columns if w not in tables.money.order)]
        banked = [w for w in ordered if w in self.columns and w not in (PRIZES, FEES)]
        return Bank(
            fee=self._fees[2] // self.unit,
            amount=-1 if self.bank is None else self.bank // self.unit,
            each_way=tables.money.cover_measure == "each-way",
            at_once=np.array([early and tables.is_settled(BASE, natural, up) for up in ups]),
            natural=natural,
            staked=np.array([name in self.staked for name in self.columns]),
            order=np.array([self.column(wager) for wager in banked], dtype=np.int64),
        )

    # ------------------------------------------------------------------ what cannot be

    def check(self) -> None:
        """Refuse a table that the game could not have."""
        tables = self.tables
        positions = tables.round_plan.positions
        if not 1 <= self.seats <= positions:
            has = counted(positions, "position")
            raise UpcardError(
                f"1 to {positions} seats can play, since the table has {has}, not {self.seats}"
                + cited(tables.cites.get("positions", ()))
            )
        if self.bank is not None:
            if tables.money.bank == "house":
                raise UpcardError(f"the house banks {tables.name}: there is no limited bank")
            if tables.money.cover != "limited":
                raise UpcardError(f"the bank of {tables.name} has no limit: it covers every wager")
            check_multiple(tables, "a bank", self.bank)
        ratios = {wager: amount / self.bet for wager, amount in self.besides.items()}
        for base in self.bets:
            wagers_of(tables, base, ratios)
        if self.counts and self.fresh:
            raise UpcardError(
                f"the cards of {tables.name} are shuffled for every round here, which leaves "
                "nothing to count"
            )
