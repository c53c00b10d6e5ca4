"""Charts of one's own: "basic plus these changes", each a line such as `hard 16 vs T: stand`.

A change is said in the words of the chart: a row, an up card, an action. It holds for all hands of
the row that may do it, whatever their number of cards; where they may not, the chart stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from upcard.compile.context import Action
from upcard.compile.hands import total_name
from upcard.compile.shows import OVER
from upcard.errors import UpcardError
from upcard.solve.basic import BasicPlay
from upcard.solve.chart import Chart, ChartSection, Row
from upcard.solve.chart_drawing import Drawing
from upcard.text import did_you_mean, listed

LIKE = '"hard 16 vs T: stand"'
_CHANGE = re.compile(r"(?P<hand>.+?)\s+(?:vs\.?|against)\s+(?P<ups>[^:]+?)\s*:\s*(?P<action>.+)")
_CARDS = re.compile(r"(?P<hand>.+?),? (?:of|with) (?P<cards>\d+) cards")
_FOR_DOUBLED = (Action.REDOUBLE, Action.RESCUE)
_FOR_BONUS_CARDS = (Action.KEEP, Action.TRADE)


class ChangedSpot(NamedTuple):
    """A decision that a change is about, and what is then done."""

    section: str
    doubles: int
    marker: bool
    state: int
    up: str
    action: Action


class ChartChange(NamedTuple):
    """A change as somebody wrote it, and the decisions that it is about."""

    text: str
    spots: tuple[ChangedSpot, ...]


def parse_changes(chart: Chart, texts: Iterable[str]) -> tuple[ChartChange, ...]:
    """Changes of a chart from their texts; two that contradict each other are refused."""
    found: list[ChartChange] = []
    said: dict[tuple[object, ...], tuple[Action, str]] = {}
    for text in texts:
        change = ChartChange(" ".join(text.split()), tuple(_Reader(chart, text).spots()))
        for spot in change.spots:
            place = tuple(spot[:-1])
            action, other = said.setdefault(place, (spot.action, change.text))
            if action is not spot.action:
                raise UpcardError(f'"{change.text}" and "{other}" speak of the same hand')
        found.append(change)
    return tuple(found)


class _Reader:
    """Reads one change."""

    def __init__(self, chart: Chart, text: str) -> None:
        self.chart = chart
        self.text = " ".join(text.split())
        match = _CHANGE.fullmatch(self.text)
        if match is None:
            raise UpcardError(
                f'"{self.text}" is not a change: write a hand, an up card and an action, '
                f"such as {LIKE}"
            )
        self.action = self._action(match["action"])
        hand, self.cards = match["hand"], None
        if with_cards := _CARDS.fullmatch(hand):
            hand, self.cards = with_cards["hand"], int(with_cards["cards"])
        first, _, rest = hand.partition(" ")
        section = chart.section(first if first != "pair" else "pairs")
        self.given = section if rest else None
        self.hand = rest if self.given else hand
        self.ups = tuple(_ups(chart, match["ups"]))

    def spots(self) -> Iterator[ChangedSpot]:
        """Every decision that the change is about."""
        rows = [(section, row) for section in self._sections() for row in self._rows(section)]
        if not rows:
            raise UpcardError(self._no_hand())
        found = [
            ChangedSpot(section.id, section.doubles, section.marker, row.state, up, action)
            for section, row in rows
            for up in self.ups
            for action in (self._meant(row, up),)
            if action is not None
        ]
        if not found:
            raise UpcardError(
                f'"{self.text}": {self.action.text} is never allowed there'
                if any(up in row.cells for _, row in rows for up in self.ups)
                else f'"{self.text}": there is nothing to decide'
            )
        yield from found

    def _action(self, text: str) -> Action:
        used = {
            action.text: action
            for section in self.chart.sections
            for row in section.rows
            for cell in row.cells.values()
            for action in cell.ranking
        }
        used |= {action.word: action for action in used.values() if action.word not in used}
        if text.lower() not in used:
            guess = did_you_mean(text, used)
            raise UpcardError(
                f'"{self.text}": "{text}" is not an action of this chart, which has '
                f"{listed(sorted(used), 'and')}{guess}"
            )
        return used[text.lower()]

    def _meant(self, row: Row, up: str) -> Action | None:
        """The action for a decision: whoever stakes it, a double is one."""
        ranking = row.cells[up].ranking if up in row.cells else ()
        if self.action in ranking:
            return self.action
        return next((action for action in ranking if action.word == self.action.word), None)

    def _sections(self) -> Sequence[ChartSection]:
        """The section that is named, or all that the action is usually for."""
        if self.given is not None:
            return (self.given,)
        bonus = self.action in _FOR_BONUS_CARDS
        return [
            section
            for section in self.chart.sections
            if not section.marker
            and ("trade-" in section.id) == bonus
            and (bool(section.doubles) == (self.action in _FOR_DOUBLED) or bonus)
        ]

    def _rows(self, section: ChartSection) -> list[Row]:
        """The rows that are named: one, or all from one to another."""
        names = [*dict.fromkeys(row.hand for row in section.rows)]
        by_total = {}
        if section.id.endswith("soft"):
            by_total = {total_name(row.total): row.hand for row in section.rows}
            if self.given is None:
                by_total = {f"soft {total}": hand for total, hand in by_total.items()}
        hands = set(_between(names, self.hand, by_total))
        return [
            row for row in section.rows if row.hand in hands and self.cards in (None, row.cards)
        ]

    def _no_hand(self) -> str:
        ids = [section.id for section in self.chart.sections]
        where = f"under {self.given.id}" if self.given else "in this chart"
        cards = f" of {self.cards} cards" if self.cards is not None else ""
        return (
            f'"{self.text}": there is no row {self.hand}{cards} {where}: '
            f"its sections are {listed(ids, 'and')}, and their rows have names such as "
            f"{_examples(self.chart)}"
        )


def _examples(chart: Chart) -> str:
    rows = (section.rows[0].hand for section in chart.sections[:3])
    return listed([f'"{hand}"' for hand in rows], "and")


def _between(
    names: Sequence[str], text: str, aliases: dict[str, str] | None = None
) -> Sequence[str]:
    """One of some names, or all from one to another; nothing if it is none of them."""
    known = dict.fromkeys(names, "") | (aliases or {})

    def place(name: str) -> int | None:
        name = name.strip()
        return names.index(known[name] or name) if name in known else None

    whole = place(text)
    if whole is not None:
        return names[whole : whole + 1]
    for dash in re.finditer("-", text):
        first, last = place(text[: dash.start()]), place(text[dash.end() :])
        if first is not None and last is not None:
            return names[first : last + 1]
    return ()


def _ups(chart: Chart, text: str) -> Iterator[str]:
    """What the dealer shows, by names of columns: one, several, or all from one to another."""
    columns: dict[str, list[str]] = {}
    for up in chart.ups:
        title, key, name = chart.shown_as(up)
        if chart.tables.dealer.shown.face_up:
            kind = "soft " if "soft" in title else ""
            columns.setdefault(f"{kind}{name}", []).append(up)
        else:
            alike = next((n for n, o in columns.items() if chart.shown_as(o[0])[1:2] == (key,)), "")
            columns.setdefault(alike or up.partition(OVER)[0], []).append(up)
    names = [*columns]
    for part in text.split(","):
        own = part.strip()
        found = _between(names, own)
        if found:
            yield from (up for name in found for up in columns[name])
        elif own in chart.ups:
            yield own
        else:
            kinds = listed(names, "and")
            raise UpcardError(f'"{own}" is nothing that the dealer shows here: that is {kinds}')


def changed_play(
    drawing: Drawing, play: BasicPlay, changes: Iterable[ChartChange]
) -> tuple[BasicPlay, frozenset[int]]:
    """The play that a chart with changes says, and the up cards against which it differs."""
    spots = [spot for change in changes for spot in change.spots]
    ups = frozenset(drawing.shown.index(spot.up) for spot in spots)
    found = _copied(play, ups)
    plays = [found] if found.plain is None else [found, found.plain]
    for spot in spots:
        up = drawing.shown.index(spot.up)
        if spot.section == "trade-first" and drawing.game.trades_first:
            for own in plays:
                own.leaning[up][spot.state] = 1.0 if spot.action is Action.TRADE else -1.0
            continue
        early = () if spot.doubles or spot.marker else drawing.early_ends(spot.state, up)
        for own in plays:
            if early:
                own.leaning[up][spot.state] = 1.0 if spot.action in early else -1.0
            row = own.scores_of(up, marker=spot.marker)[spot.doubles, drawing.scored[spot.state]]
            row[spot.action] = row.max() + 1.0
    return found, ups


def _copied(play: BasicPlay, ups: Iterable[int]) -> BasicPlay:
    """A play of which some up cards can be changed."""
    fresh = tuple(ups)
    return replace(
        play,
        scores=play.scores | {up: play.scores[up].copy() for up in fresh},
        leaning=play.leaning | {up: play.leaning[up].copy() for up in fresh},
        markers=play.markers | {up: play.markers[up].copy() for up in fresh if play.markers},
        plain=None if play.plain is None else _copied(play.plain, fresh),
    )
