"""A player who knows only what goes over the wire: messages in, the next command out.

It takes every way that the rules offer, by dice: side wagers, banks, trades, insurance for less.
"""

from __future__ import annotations

import random
from typing import Any

Command = dict[str, Any]


class Brain:
    """What one player knows of one table, from its messages, and what to do next.

    With `side` the player now and then makes all kinds of wagers, not the base wager alone. Who
    `roams` leaves now and then, and comes back with the player's card.
    """

    def __init__(self, dice: random.Random, *, side: float = 0.5, roams: float = 0.0) -> None:
        self.dice = dice
        self.side = side
        self.roams = roams
        self.fresh = False
        self.name = ""
        self.seat = 0
        self.chips = 0
        self.wallet = 0
        self.cards: tuple[str, ...] = ()
        self.seq = -1
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.ready: list[str] = []
        self.status = "open"

    def hear(self, message: dict[str, Any]) -> None:
        """Take in a welcome, an update or a status."""
        kind = message.get("type")
        if kind not in ("welcome", "update", "status"):
            return
        if kind == "welcome":
            self.table = message["table"]
        if kind != "status":  # which may come before the update that it knows of
            self.seq = message["seq"]
        self.view = message.get("view", self.view)
        self.ready = message.get("ready", [])
        self.status = message["status"]
        if (you := message.get("you")) is not None:
            self.name = you["name"]
            self.seat = you.get("seat", 0)
            self.chips = you.get("chips", 0)
            self.wallet = you.get("wallet", 0)
            self.cards = tuple(you.get("cards", ()))

    # ------------------------------------------------------------------ deciding

    def next(self) -> Command | None:
        """What to do now; None is to wait for others."""
        view = self.view
        if self.status != "open" or not view:
            return None
        if (question := view.get("question")) is not None:
            return self._answer(question) if question["player"] == self.name else None
        if view["stage"] not in ("wagers", "bank"):
            return None
        if not self.seat:
            return self._sit()
        if self.chips < 8 * self._least():
            return self._buy(100 * self._least())
        if view["stage"] == "bank":
            return self._bank()
        return self._roam() or self._wager()

    def _roam(self) -> Command | None:
        """Give a player's card up after sitting down, or leave, if nothing is on the layout."""
        if any(bet["player"] == self.name for bet in self.view["bets"]) or not self.roams:
            return None
        if self.fresh and self.cards:
            token = self.dice.choice(self.cards)
            return {"command": "PresentCard", "position": self.seat, "token": token}
        if not self.fresh and self.dice.random() < self.roams:
            return {"command": "Leave"}
        return None

    def _least(self) -> int:
        base = self.table["wagers"][0]
        return int(min(base["amounts"], default=0) or base["minimum"] or self.table["unit"])

    def _buy(self, amount: int) -> Command | None:
        amount = min(amount, self.wallet // self.table["unit"] * self.table["unit"])
        return {"command": "BuyIn", "amount": amount} if amount > 0 else None

    def _sit(self) -> Command | None:
        if not self.chips:
            return self._buy(100 * self._least())
        taken = {player["seat"] for player in self.view["players"]}
        free = [seat for seat in self.view["positions"] if seat not in taken]
        self.fresh = True
        return {"command": "Sit", "seat": self.dice.choice(free)} if free else None

    def _bank(self) -> Command | None:
        offer = self.view.get("offer")
        if offer is None or offer["player"] != self.name:
            return None
        amount = 20 * self._least()
        if self.chips > 2 * amount and self.dice.random() < 0.7:
            return {"command": "TakeBank", "amount": amount}
        return {"command": "DeclineBank"}

    def _wager(self) -> Command | None:
        bank = self.view.get("bank")
        banks = bank is not None and bank["player"] == self.name
        mine = [bet for bet in self.view["bets"] if bet["player"] == self.name]
        self.fresh = False
        if not mine and not banks:
            return {"command": "PlaceWagers", "position": self.seat, "wagers": self._wagers()}
        if not banks and len(mine) < self.table["boxes"]:
            return self._further_box(dict(mine[0]["placed"]))
        others = banks and not self.view["bets"]
        if self.name in self.ready or others:
            return None
        return {"command": "Deal"}

    def _further_box(self, wagers: dict[str, int]) -> Command | None:
        """The same base wager at a free position: the game is dealt to so many boxes."""
        taken = {bet["position"] for bet in self.view["bets"]}
        taken |= {player["seat"] for player in self.view["players"]}
        free = [position for position in self.view["positions"] if position not in taken]
        base = {"base": wagers["base"]}
        return {"command": "PlaceWagers", "position": free[0], "wagers": base} if free else None

    def _wagers(self) -> dict[str, int]:
        found = {}
        for wager in self.table["wagers"]:
            if not wager["mandatory"] and self.dice.random() > self.side:
                continue
            if wager["needs"] and wager["needs"] not in found:
                continue
            least = min(wager["amounts"], default=0) or wager["minimum"] or self.table["unit"]
            found[wager["id"]] = int(least)
        return found

    def plain_wagers(self) -> Command:
        """The wagers that everybody must make, and no others."""
        ids = {wager["id"] for wager in self.table["wagers"] if wager["mandatory"]}
        wagers = {name: self._least() for name in ids} | {
            wager["id"]: int(min(wager["amounts"], default=0) or wager["minimum"])
            for wager in self.table["wagers"]
            if wager["mandatory"] and (wager["amounts"] or wager["minimum"])
        }
        return {"command": "PlaceWagers", "position": self.seat, "wagers": wagers}

    def _answer(self, question: dict[str, Any]) -> Command:
        actions = [answer["action"] for answer in question["answers"]]
        action = self.dice.choice(actions).removeprefix("free-")
        return {"command": action.capitalize(), "position": question["position"]}

    def safe(self) -> Command | None:
        """What costs nothing, when what the dice chose was refused."""
        question = self.view.get("question")
        if question is not None and question["player"] == self.name:
            actions = [answer["action"] for answer in question["answers"]]
            for action in ("decline", "keep", "stand", "hit"):
                if action in actions:
                    return {"command": action.capitalize(), "position": question["position"]}
            return None
        stage = self.view.get("stage")
        if stage == "bank" and (self.view.get("offer") or {}).get("player") == self.name:
            return {"command": "DeclineBank"}
        if stage == "wagers" and self.seat:
            return self.plain_wagers()
        return None
