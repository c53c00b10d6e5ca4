"""A player that has nothing but the socket: it signs in as a guest, sits down and plays.

It reads the view that every client gets and answers by the usual basic strategy for a shoe. What
is not legal at this table it does not even consider, so it plays any of the games, if not well.

    upcard serve                                   # in one terminal
    python examples/socket_bot.py blackjack 20     # in another: twenty rounds
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from upcard.client import ADDRESS, AsyncClient, Table
from upcard.service.messages import Refused

TENS = "TJQK"


def value(card: str) -> int:
    """What a card counts: an ace 11."""
    return 11 if card[0] == "A" else 10 if card[0] in TENS else int(card[0])


def wishes(cards: list[str], total: int, *, soft: bool, up: int) -> list[str]:
    """What basic strategy would like to do, the best first."""
    if len(cards) == 2 and value(cards[0]) == value(cards[1]) and splits(value(cards[0]), up):
        return ["split"]
    if soft:
        doubles = {13: (5, 6), 14: (5, 6), 15: (4, 5, 6), 16: (4, 5, 6), 17: (3, 4, 5, 6)}
        if up in doubles.get(total, (3, 4, 5, 6) if total == 18 else ()):
            return ["double", "stand" if total == 18 else "hit"]
        return ["stand" if total >= 19 or (total == 18 and up <= 8) else "hit"]
    if (total, up) in {(16, 9), (16, 10), (16, 11), (15, 10)}:
        return ["surrender", "hit"]
    if (total == 11 and up <= 10) or (total == 10 and up <= 9) or (total == 9 and 3 <= up <= 6):
        return ["double", "hit"]
    stands = total >= 17 or (total >= 13 and up <= 6) or (total == 12 and 4 <= up <= 6)
    return ["stand" if stands else "hit"]


def splits(pair: int, up: int) -> bool:
    """Whether basic strategy splits a pair."""
    against = {2: (2, 7), 3: (2, 7), 4: (5, 6), 6: (2, 6), 7: (2, 7)}
    if pair in (8, 11):
        return True
    if pair == 9:
        return up <= 9 and up != 7
    low, high = against.get(pair, (0, 0))
    return low <= up <= high


def choose(view: dict[str, Any], question: dict[str, Any]) -> str:
    """One of the legal answers."""
    legal: list[str] = [answer["action"] for answer in question["answers"]]
    box = next(box for box in view["boxes"] if box["position"] == question["position"])
    hand = box["hands"][question["hand"]]
    up = next((value(card) for card in view["dealer"]["cards"]), 10)
    total = hand["total"].replace("½", ".5")
    points = int(float(total)) if total.replace(".", "", 1).isdigit() else 21
    wanted = wishes(list(hand["cards"]), points, soft=hand["soft"], up=up)
    for action in (*wanted, "decline", "keep", "stand", "hit"):
        if action in legal:
            return action
    return legal[0]


def is_offered(table: Table) -> bool:
    """Whether the bank is offered to this player, where players bank."""
    offer = table.view.get("offer")
    return offer is not None and table.you is not None and offer["player"] == table.you.name


async def play_round(table: Table, wager: dict[str, int]) -> int:
    """Play one round and give what it won or lost, in cents."""
    await table.until(lambda: table.view["stage"] == "wagers" or is_offered(table))
    assert table.you is not None
    if is_offered(table):
        await table.do("DeclineBank")
        await table.until(lambda: table.view["stage"] == "wagers")
    before, number = table.you.chips, table.view["round"]
    for done in (await table.wager(wager), await table.do("Deal")):
        if isinstance(done, Refused):
            raise SystemExit(f"refused: {done.reason}")
    await table.until(lambda: table.view["round"] > number)
    while (question := await table.my_question()) is not None:
        done = await table.answer(choose(table.view, question))
        if isinstance(done, Refused):
            raise SystemExit(f"refused: {done.reason}")
    return table.you.chips - before


async def main(game: str, rounds: int) -> None:
    async with AsyncClient(os.environ.get("UPCARD_HOUSE", ADDRESS)) as client:
        me = await client.guest()
        seat = await client.play(game)
        print(f"{me['name']} plays {seat['game_name']} at {seat['name']}")
        async with client.table(seat["id"]) as table:
            total = 0
            for number in range(1, rounds + 1):
                net = await play_round(table, {"base": seat["minimum"]})
                total += net
                print(f"round {number}: {net / 100:+.2f}, in all {total / 100:+.2f}")
            await table.do("Leave")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
