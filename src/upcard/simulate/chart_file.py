"""Charts from files: those that `upcard strategy -o` writes, and those that people write.

A file of one's own is a CSV with the columns `hand`, `up` and `action`, and any of `OPTIONAL`. A
row holds for everything that its columns do not rule out: without `cards` for any number of
cards, under "T" for all cards that count ten. Of two rows for one hand the more exact one counts.
Without `doubles` a row is about hands that are not doubled, unless its action is one for those.

Where the action is not allowed, `ranking` or `fallback` say what is done. Without them a row falls
back where that is plain: a double on a hit, but a soft total better than the one on which the
dealer stands on standing, and a hand that may go over on nothing; a split on the row of the hand's
total; a trade on keeping; a hit or a further double on standing. For anything else, such as a
surrender, the file must say it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.compile.context import Action
from upcard.compile.hands import NONE, total_name
from upcard.compile.names import hand_words, pair_name, state_name, total_words
from upcard.compile.shows import OVER
from upcard.compile.tables import GameTables
from upcard.errors import UpcardError
from upcard.round.policy import (
    ChartPlay,
    ChartSpot,
    decide,
    early_masks,
    reachable,
    twins,
    waiting_states,
)
from upcard.shape import read_text
from upcard.simulate.chart_lines import READERS, ChartLine
from upcard.text import counted, listed

FOR_DOUBLED = (Action.REDOUBLE, Action.RESCUE)
FOR_BONUS_CARDS = (Action.KEEP, Action.TRADE)
IN_CHARTS = {action.text: action for action in Action if action is not Action.INSURE}


def load_chart(path: Path | str, tables: GameTables) -> ChartPlay:
    """The chart in a file; refused if it is for another game, or leaves a decision open."""
    path = Path(path)
    lines = READERS.get(path.suffix)
    if lines is None:
        raise UpcardError(f"{path}: a chart is a file in {listed(READERS)}")
    chart = _Building(path, tables)
    for line in lines(path, read_text(path), tables):
        chart.add(line)
    return chart.finished()


# ------------------------------------------------------------------------------------------- names


@dataclass(frozen=True)
class Names:
    """Finds the hands and up cards of a game by their names."""

    tables: GameTables

    @cached_property
    def _states(self) -> Mapping[str, list[int]]:
        """The states that decide something, by name; pairs also under the names of their totals."""
        tables = self.tables
        waits = waiting_states(tables)
        found: dict[str, list[int]] = {}
        for state in range(len(tables.hands)):
            if waits[state] or tables.hands.bust[state]:
                continue
            names = {state_name(tables, state), total_words(tables, state)}
            if self.pairs[state] and not tables.hands.soft[state]:
                names.add(total_name(int(tables.hands.total[state])))
            for name in names:
                found.setdefault(name, []).append(state)
        return found

    @cached_property
    def pairs(self) -> tuple[str, ...]:
        """For every state the name of its pair's cards, empty if it is none."""
        return tuple(pair_name(self.tables, state) for state in range(len(self.tables.hands)))

    def hands(self, name: str) -> list[tuple[int, bool]]:
        """States by the name of a hand, and whether it is the name of just these."""
        one, *others = name.split(",")
        found = [(state, True) for state in self._states.get(name, ())]
        for up in (up for other in others for up, own in self.symbols(other) if not own):
            alike = self.tables.alphabet.symbols[up].name
            same = f"{alike},{alike}" if others == [one] else f"{one},{alike}"
            found += [(state, False) for state in self._states.get(same, ())]
        return found

    def symbols(self, name: str) -> list[tuple[int, bool]]:
        """Symbols by the name or rank of a card, and whether it is the name of just this one."""
        symbols, plain = self.tables.alphabet.symbols, self.tables.alphabet.plain
        own = next((n for n, symbol in enumerate(symbols) if symbol.name == name), None)
        if own is None:
            ranks = [n for n, symbol in enumerate(symbols) if name and name in symbol.ranks]
            own = next((n for n in ranks if plain[n] == n), None)
        found = [] if own is None else [(own, True)]
        alike = [n for n in range(len(symbols)) if n != own and plain[n] == own]
        if name == "T":
            # Without tens in the deck the courts are what counts most.
            most = max(symbol.low for symbol in symbols)
            value = most if own is None else symbols[own].low
            alike = [n for n, s in enumerate(symbols) if n != own and s.low == s.high == value]
        return found + [(n, False) for n in alike]

    def ups(self, name: str) -> list[tuple[int, bool]]:
        """What the dealer shows, by name, and whether it is the name of just this.

        That is a card. Where both cards lie face up it is both, or their total, such as `16` or
        `soft 17`; where it is told what the down card is, the up card alone stands for all that.
        """
        shown = self.tables.dealer.shown
        if shown.is_up_card:
            return self.symbols(name)
        if name in shown.names:
            return [(shown.index(name), True)]
        if name in self._by_total:
            return [(number, False) for number in self._by_total[name]]
        if shown.face_up:
            cards = [self.symbols(card) for card in name.split()]
            if len(cards) == 2:
                pairs = [(one, two) for one, _ in cards[0] for two, _ in cards[1]]
                numbers = dict.fromkeys(int(shown.of[pair]) for pair in pairs)
                return [(number, len(numbers) == 1) for number in numbers]
            return []
        above, _, told = name.partition(OVER)
        ups = {up for up, _ in self.symbols(above)}
        return [
            (number, False)
            for number, own in enumerate(shown.names)
            if shown.up[number] in ups and (not told or own.endswith(f"{OVER}{told}"))
        ]

    @cached_property
    def _by_total(self) -> Mapping[str, list[int]]:
        """Two cards of the dealer by their total; none where they do not lie face up."""
        dealer = self.tables.dealer
        found: dict[str, list[int]] = {}
        if not dealer.shown.face_up:
            return found
        for number, up in enumerate(dealer.shown.up.tolist()):
            state = dealer.after(up, dealer.shown.seconds[number][0])
            soft = "soft " if dealer.soft[state] else ""
            found.setdefault(f"{soft}{total_name(int(dealer.total[state]))}", []).append(number)
        return found

    def up(self, name: str) -> list[tuple[int, bool]]:
        """As `ups`; what the dealer of the game does not show is refused."""
        found = self.ups(name)
        if found:
            return found
        shown = self.tables.dealer.shown
        if shown.is_up_card:
            known = listed((symbol.name for symbol in self.tables.alphabet.symbols), "and")
            raise UpcardError(f'"{name}" is not an up card: those of this game are {known}')
        like = f'"{shown.names[-1]}"' + (', "16" or "soft 17"' if shown.face_up else "")
        raise UpcardError(f'"{name}" is nothing that the dealer of this game shows: {like} is')

    def action(self, name: str) -> Action:
        """An action of a chart by its name."""
        found = IN_CHARTS.get(name.lower())
        if found is None:
            used = [a.text for a in self.tables.actions if a.text in IN_CHARTS]
            raise UpcardError(f'"{name}" is not an action: those of this game are {listed(used)}')
        return found

    def alike(self, action: Action) -> tuple[Action, ...]:
        """The actions that a word means in this game: whoever stakes it, a double is one."""
        found = tuple(one for one in self._actions if one.word == action.word)
        return found if action in found else (action, *found)

    @cached_property
    def _actions(self) -> tuple[Action, ...]:
        return self.tables.actions


# ----------------------------------------------------------------------------------------- a chart


class _Claim(NamedTuple):
    """What a line says about a situation; of two the one with the greater `weight` counts."""

    weight: tuple[bool, ...]
    place: str
    ranking: tuple[Action, ...]


_Claims = dict[ChartSpot, _Claim]


class _Building:
    """A chart of which lines are read one by one."""

    def __init__(self, path: Path, tables: GameTables) -> None:
        self.path = path
        self.tables = tables
        self.names = Names(tables)
        self.doubled = tables.contexts.doubled(tables.contexts.index())
        self.turn: _Claims = {}
        self.before: _Claims = {}
        self.by_total: _Claims = {}
        """What rows of totals say about pairs, for where these may not be split."""

    def add(self, line: ChartLine) -> None:
        try:
            self._add(line)
        except UpcardError as error:
            raise UpcardError(f"{line.place}: {error}") from None

    def _add(self, line: ChartLine) -> None:
        action = self.names.action(line.action)
        ups = self.names.up(line.up)
        known = [self.names.action(name) for name in (*line.ranking, line.fallback) if name]
        if line.ranking and known[0] is not action:
            raise UpcardError(f"the ranking begins with {known[0].text}, not with {action.text}")
        found: list[tuple[_Claims, ChartSpot, _Claim]] = []
        allowed = 0
        for state, exact in self._states(line, action):
            ranking = self._ranking(line, action, known, state)
            for doubles in self._doubles(line, action):
                for up, own in ups:
                    place = ChartSpot(state, doubles, up, line.marker)
                    named = line.cards is not None or action is Action.REPLACE
                    weight = (line.state is not None, own, exact, named)
                    claim = _Claim(weight, line.place, ranking)
                    for claims, this in self._claims(line, state, claim):
                        found.append((claims, place, this))
                        allowed |= self._allowed(claims, place, line)
        if not allowed & sum(one.bit for one in self.names.alike(action)):
            raise UpcardError(f"{action.text} is never allowed with {line.hand} against {line.up}")
        for entry in found:
            self._enter(*entry)

    def _claims(
        self, line: ChartLine, state: int, claim: _Claim
    ) -> Iterator[tuple[_Claims, _Claim]]:
        """Where a line's claim belongs: before the check, in the turn, or both."""
        action, early = claim.ranking[0], line.before_check
        trades = action in FOR_BONUS_CARDS
        if early or (early is None and (trades or action in (Action.SURRENDER, Action.DECLINE))):
            yield self.before, claim
        if early and not trades:
            # What it says of the turn stands behind what comes before the check.
            claim = claim._replace(ranking=claim.ranking[1:])
        if action is not Action.DECLINE and claim.ranking:
            totals = self.names.pairs[state] and line.state is None and not _names_pair(line)
            # A bonus card is decided later as before the check where nothing else is said.
            weight = (not (early and trades), *claim.weight)
            yield self.by_total if totals else self.turn, claim._replace(weight=weight)

    def _allowed(self, claims: _Claims, place: ChartSpot, line: ChartLine) -> int:
        """What may be done at some time where a claim belongs."""
        if claims is self.before:
            return 0 if place.doubles else int(self.early[place.up, place.state])
        if line.before_check:
            return 0
        allowed = int(self.legal[place.doubles, place.state, place.up])
        splitting = self.tables.effects.splitting
        return allowed & ~splitting if claims is self.by_total else allowed

    def _enter(self, claims: _Claims, place: ChartSpot, claim: _Claim) -> None:
        known = claims.get(place)
        if known is None or claim.weight > known.weight:
            claims[place] = claim
        elif claim.weight == known.weight and claim.ranking != known.ranking:
            says = ", else ".join(action.text for action in known.ranking)
            there = known.place.removeprefix(str(self.path)).lstrip(":, ")
            raise UpcardError(f"{there} says otherwise for the same hand: {says}")

    def _states(self, line: ChartLine, action: Action) -> list[tuple[int, bool]]:
        """The states that a line is about, and whether it names just these."""
        found = self.names.hands(line.hand)
        if not found:
            raise UpcardError(
                f'no hand of this game is called "{line.hand}": write totals such as 16, '
                'soft hands such as "A,7" and pairs such as "8,8"'
            )
        if line.state is not None:
            self._check_state(line, line.state)
            return [(line.state, True)]
        hands = self.tables.hands
        bonus = action in FOR_BONUS_CARDS
        fitting = [
            (state, exact)
            for state, exact in found
            if line.cards in (None, hands.cards[state])
            and line.soft in (None, hands.soft[state])
            and line.total in (None, hands.total[state] / 2)
            and (not line.pair or self.names.pairs[state])
            and (action is not Action.REPLACE or hands.replaced[state] != NONE)
            and (
                (hands.pending[state] > 0) == bonus
                if line.pending is None
                else hands.pending[state] == line.pending
            )
        ]
        if not fitting:
            waits = "with a bonus card" if line.pending or (line.pending is None and bonus) else ""
            cards = f"of {line.cards} cards" if line.cards is not None else ""
            words = " ".join(part for part in (f'no hand "{line.hand}"', cards, waits) if part)
            raise UpcardError(f"{words} fits the other columns of this row")
        return fitting

    def _check_state(self, line: ChartLine, state: int) -> None:
        """Refuse a state that is another hand here than in the chart."""
        hands = self.tables.hands
        same = state < len(hands) and (
            state_name(self.tables, state) == line.hand
            and line.cards in (None, hands.cards[state])
            and line.soft in (None, hands.soft[state])
            and line.total in (None, hands.total[state] / 2)
            and line.pending in (None, hands.pending[state])
            and not hands.owed[state]
        )
        if not same:
            cards = f" of {line.cards} cards" if line.cards is not None else ""
            raise UpcardError(
                f"state {state} of {self.tables.ref} is not {line.hand}{cards}: "
                "the chart is for another game or for other settings"
            )

    def _doubles(self, line: ChartLine, action: Action) -> Iterable[int]:
        most = len(self.doubled) - 1
        if line.doubles is None:
            if action in FOR_BONUS_CARDS:
                return range(most + 1)
            return range(1, most + 1) if action in FOR_DOUBLED else (0,)
        if line.doubles > most:
            raise UpcardError(f"a hand is doubled {counted(most, 'time')} at most in this game")
        return (line.doubles,)

    def _ranking(
        self, line: ChartLine, action: Action, known: list[Action], state: int
    ) -> tuple[Action, ...]:
        """The actions of a line, the first legal one being taken."""
        ranking = self._said(line, action, known, state)
        may = int(np.bitwise_or.reduce(self.legal[:, state], axis=None))
        found = [
            one
            for said in ranking
            for one in self.names.alike(said)
            # A ranking that names both says itself which of them comes first.
            if one is said or (may & one.bit and one not in ranking)
        ]
        # What comes before the check may come up once more in the turn.
        early = 1 if line.before_check else 0
        return (*found[:early], *dict.fromkeys(found[early:]))

    def _said(
        self, line: ChartLine, action: Action, known: list[Action], state: int
    ) -> tuple[Action, ...]:
        """The actions of a line as it says them."""
        if line.ranking:
            return tuple(known[: len(line.ranking)])
        if line.fallback:
            return (action, *known)
        soft, total = self.tables.hands.soft[state], int(self.tables.hands.total[state])
        if action.word == Action.DOUBLE.word and self._never_over(state):
            low = not soft or total <= self.dealers_line
            return (action, Action.HIT, Action.STAND) if low else (action, Action.STAND)
        if action in (Action.HIT, Action.REDOUBLE):
            return (action, Action.STAND)
        return (action, Action.KEEP) if action is Action.TRADE else (action,)

    @cached_property
    def early(self) -> npt.NDArray[np.uint16]:
        return early_masks(self.tables)

    @cached_property
    def legal(self) -> npt.NDArray[np.uint16]:
        """What may be done in some hand's turn: by doubles, state and up card."""
        contexts, mask = self.tables.contexts.contexts, self.tables.legal.mask
        found = np.zeros((len(self.doubled), mask.shape[0], mask.shape[2]), dtype=np.uint16)
        for number, context in enumerate(contexts):
            if context.is_turn:
                found[context.level] |= mask[:, number]
        return found

    def finished(self) -> ChartPlay:
        """The chart; refused if it leaves something open."""
        rankings = {place: claim.ranking for place, claim in self.turn.items()}
        for place, ranking in rankings.items():
            if self.names.pairs[place.state] and place in self.by_total:
                rankings[place] = (*ranking, *self.by_total[place].ranking)
            elif _only_splits(ranking) and self._never_over(place.state):
                rankings[place] = (*ranking, Action.HIT, Action.STAND)
        before = {place: claim.ranking for place, claim in self.before.items()}
        words = _Words(self.tables, rankings)
        chart = ChartPlay(self.path.name, rankings, before, twins(self.tables), words)
        self._check_covered(chart)
        return chart

    def _check_covered(self, chart: ChartPlay) -> None:
        """Ask a chart for every decision that can come up."""
        tables = self.tables
        shown, symbols = tables.dealer.shown, tables.alphabet.symbols
        ups = sorted(range(len(shown)), key=lambda up: symbols[shown.up[up]].is_ace)
        ups = [up for up in ups if tables.dealer.ends[up].any()]  # else all see a natural
        for state in sorted(first_hands(tables)):
            for up in ups:
                place = ChartSpot(state, 0, up)
                if self.early[up, state] & Action.TRADE.bit and place not in chart.before:
                    words = f"{chart.describe(place)} before the check"
                    raise UpcardError(f"{chart.name} does not say what to do with {words}")
        decides = ~waiting_states(tables) & ~tables.hands.bust
        for context, states in sorted(reachable(tables).items()):
            for state in sorted(state for state in states if decides[state]):
                for up in ups:
                    legal = int(tables.legal.mask[state, context, up])
                    decide(chart, state, tables.contexts.contexts[context], up, legal)

    def _never_over(self, state: int) -> bool:
        """Whether no single card takes a hand over the limit."""
        hands = self.tables.hands
        after = hands.next[state]
        return not hands.bust[after[after != NONE]].any()

    @cached_property
    def dealers_line(self) -> int:
        """The hard total from which on the dealer stands whatever the number of cards.

        A soft total above it falls back from a double to standing, others to a hit.
        """
        dealer = self.tables.dealer
        drawing = dealer.total[dealer.draws & ~dealer.soft].max()
        return int(dealer.total[~dealer.soft & (dealer.total > drawing)].min())


def _only_splits(ranking: tuple[Action, ...]) -> bool:
    return all(action.word == Action.SPLIT.word for action in ranking)


def _names_pair(line: ChartLine) -> bool:
    return bool(line.pair) or "," in line.hand


@dataclass(frozen=True)
class _Words:
    """Describes what a chart does not cover."""

    tables: GameTables
    rankings: Mapping[ChartSpot, tuple[Action, ...]]

    def __call__(self, place: ChartSpot) -> str:
        words = hand_words(self.tables, place.state)
        if place.state not in self._unsplit:
            words += " after a split"
        if place.doubles:
            times = {1: "once", 2: "twice"}.get(place.doubles, f"{place.doubles} times")
            words += f", doubled {times},"
        words += f" against {self.tables.dealer.shown.names[place.up]}"
        refused = self.rankings.get(place, ())
        if refused:
            words += f" where it may not {listed(action.text for action in refused)}"
        return words

    @cached_property
    def _unsplit(self) -> frozenset[int]:
        contexts = self.tables.contexts.contexts
        found = reachable(self.tables).items()
        own = [states for context, states in found if not contexts[context].is_split]
        return frozenset().union(*own)


def first_hands(tables: GameTables) -> frozenset[int]:
    """States of hands before the check: of the first cards, and with cards traded for them."""
    hands, waits = tables.hands, waiting_states(tables)
    found: set[int] = set()
    waiting = [hands.start]
    while waiting:
        state = waiting.pop()
        if state == NONE or state in found:
            continue
        found.add(state)
        if waits[state]:
            waiting += hands.next[state].tolist()
        waiting += [int(hands.keep[state]), int(hands.trade[state])]
    return frozenset(found)
