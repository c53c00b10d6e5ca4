"""How a person's money goes, event by event."""

from __future__ import annotations

from upcard.cli.play.screen import Tally
from upcard.table import events as ev


class WinTally:
    """Adds up what one player wins and loses, fees and prizes included."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.now = Tally()
        self.bought = 0
        self.rounds = 0

    def add(self, event: ev.Event) -> None:
        now = self.now
        if isinstance(event, ev.RoundStarted):
            self.rounds += 1
            self.now = Tally(0, now.session, now.fees)
        elif getattr(event, "player", "") == self.player:
            change = self._change(event)
            fee = event.amount if isinstance(event, ev.FeeCollected) else 0
            self.now = Tally(now.round + change, now.session + change, now.fees + fee)

    def _change(self, event: ev.Event) -> int:
        match event:
            case ev.ChipsBought():
                self.bought += event.amount
            case ev.WagerSettled():
                return event.won - event.collected
            case ev.FeeCollected():
                return -event.amount
            case ev.PrizeWon():
                return event.chips
            case ev.BankReturned():
                return event.net
        return 0
