"""What happened at a table, round by round, as one player saw it; and what it comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from upcard.cli.play.seats import ENDED
from upcard.compile.carry import prize_words
from upcard.money import format_cents
from upcard.table import events as ev
from upcard.table.view import HandSeen, Viewer, view
from upcard.text import counted

if TYPE_CHECKING:
    from upcard.table.engine import Engine
    from upcard.table.state import TableState


@dataclass
class WagerTotals:
    """All settlements of one kind of wager."""

    placed: int = 0
    staked: int = 0
    net: int = 0
    won: int = 0
    lost: int = 0

    @property
    def even(self) -> int:
        return self.placed - self.won - self.lost

    def add(self, event: ev.WagerSettled) -> None:
        change = event.won - event.collected
        self.placed += 1
        self.staked += event.staked
        self.net += change
        self.won += change > 0
        self.lost += change < 0


@dataclass
class RoundNote:
    """One round: its sentences from the wagers on, and what it was for the player."""

    number: int
    told: list[str] = field(default_factory=list)
    over: TableState | None = None
    staked: int = 0
    net: int = 0
    fees: int = 0
    prizes: int = 0
    banked: int = 0
    bank_net: int = 0
    played: bool = False

    @property
    def result(self) -> str:
        """Whether the round was won: "won", "lost" or "even", and "" while nothing of it counts."""
        if self.over is None or not (self.played or self.banked):
            return ""
        return "won" if self.net > 0 else "lost" if self.net < 0 else "even"


class Chronicle:
    """Takes events one by one, each with the state after it and its sentence."""

    def __init__(self, engine: Engine, player: str) -> None:
        self.engine = engine
        self.player = player
        self.rounds: list[RoundNote] = []
        self.before: list[str] = []
        """Sentences since the last round was over; they belong to the next one."""
        self.wagers: dict[str, WagerTotals] = {}
        self.results: Counter[str] = Counter()

    def add(self, event: ev.Event, state: TableState, words: str) -> None:
        playing = bool(self.rounds) and self.rounds[-1].over is None
        if isinstance(event, ev.RoundStarted):
            self.rounds.append(RoundNote(event.round, self.before))
            self.before = []
            playing = True
        if words:
            (self.rounds[-1].told if playing else self.before).append(words)
        if not playing:
            return
        note = self.rounds[-1]
        if getattr(event, "player", "") == self.player:
            self._count(note, event)
        if isinstance(event, ev.RoundStarted) and state.bank is not None:
            note.banked = state.bank.amount if state.bank.player == self.player else 0
        if isinstance(event, ev.RoundEnded):
            note.over = state
            self.results[note.result] += 1

    def _count(self, note: RoundNote, event: ev.Event) -> None:
        match event:
            case ev.WagerSettled():
                note.played = True
                note.staked += event.staked
                note.net += event.won - event.collected
                self.wagers.setdefault(event.wager, WagerTotals()).add(event)
            case ev.FeeCollected():
                note.fees += event.amount
                note.net -= event.amount
            case ev.PrizeWon():
                note.prizes += event.amount
                note.net += event.chips
            case ev.BankReturned():
                note.bank_net += event.net
                note.net += event.net

    # -------------------------------------------------------------- in words

    def line(self, note: RoundNote) -> str:
        """A round in one line: the own hands against the dealer's, or what one did instead."""
        if note.over is None:
            return "in play"
        seen = view(self.engine, note.over, Viewer("player", self.player))
        dealer = ENDED.get(seen.dealer.result, seen.dealer.result)
        if dealer in ("", "not needed"):
            dealer = seen.dealer.total
        if seen.dealer.poker:
            dealer += f" ({seen.dealer.poker})"
        mine = [box for box in seen.boxes if box.player == self.player]
        hands = [
            _hand(hand) + (f" ({box.poker})" if box.poker and number == 0 else "")
            for box in mine
            for number, hand in enumerate(box.hands)
        ]
        if hands:
            words = f"{', '.join(hands)} against {dealer}"
        elif note.banked:
            words = f"banked with {format_cents(note.banked)} and had {dealer}"
        else:
            words = "sat out"
        words += f", fee {format_cents(note.fees)}" if note.fees else ""
        if not note.prizes:
            return words
        carry = self.engine.tables.carry
        name = carry.prize_name if carry is not None else ""
        return f"{words}, prize {prize_words(name, note.prizes)}"

    def statistics(self) -> list[tuple[str, str]]:
        """The session in figures: labels and what stands behind them."""
        over = [note for note in self.rounds if note.over is not None]
        mine = [note for note in over if note.result]
        played = [note for note in mine if note.played]
        banked = [note for note in mine if note.banked]
        results = self.results
        found = [("rounds", counted(len(over), "round"))]
        if len(mine) < len(over):
            found.append(("sat out", counted(len(over) - len(mine), "round")))
        found.append(
            ("results", f"{results['won']} won, {results['lost']} lost, {results['even']} even")
        )
        found.append(("net", signed(sum(note.net for note in over))))
        if played:
            average = round(sum(note.staked for note in played) / len(played))
            found.append(("average wager", f"{format_cents(average)} a round, all wagers together"))
        if banked:
            net = signed(sum(note.bank_net for note in banked))
            found.append(("bank", f"{net} in {counted(len(banked), 'round')}"))
        for label, amount in (
            ("fees", sum(note.fees for note in over)),
            ("prizes", sum(note.prizes for note in over)),
        ):
            found += [(label, format_cents(amount))] if amount else []
        return found + _extremes(mine)


def _extremes(notes: list[RoundNote]) -> list[tuple[str, str]]:
    """The best round and the worst."""
    if not notes:
        return []
    best = max(notes, key=lambda note: note.net)
    worst = min(notes, key=lambda note: note.net)
    found = [("biggest win", best)] if best.net > 0 else []
    found += [("biggest loss", worst)] if worst.net < 0 else []
    return [(label, f"{signed(note.net)} in round {note.number}") for label, note in found]


def signed(cents: int) -> str:
    """
    >>> signed(250), signed(-1000), signed(0)
    ('+$2.50', '-$10', 'even')
    """
    return f"{'+' if cents > 0 else ''}{format_cents(cents)}" if cents else "even"


def _hand(hand: HandSeen) -> str:
    if hand.ended == "bust":
        return ENDED["bust"]
    if hand.natural:
        return "natural"
    total = f"{'soft ' if hand.soft else ''}{hand.total}"
    return f"{total} {ENDED[hand.ended]}" if hand.ended in ENDED else total
