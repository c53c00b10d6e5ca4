"""Boxes and hands as blocks of text, drawn from a view."""

from __future__ import annotations

from rich.text import Text

from upcard.cli.play.paint import HIDDEN, Block, Paint, beside, in_rows, width_of
from upcard.money import format_cents
from upcard.table.state import Settled, SideBet, Stake
from upcard.table.view import BoxSeen, PlayerSeen, View

LONGEST_NAME = 12
ENDED = {"bust": "over", "surrendered": "surrendered", "rescued": "rescued", "dead": "dead hand"}


def net(settled: Settled) -> int:
    return settled.won - settled.collected


class Seats:
    """Draws the places of one view. `names` are the wagers' names by id."""

    def __init__(
        self, paint: Paint, seen: View, names: dict[str, str], natural: str, lamps: int
    ) -> None:
        self.paint = paint
        self.seen = seen
        self.names = names
        self.natural = natural if len(natural) <= LONGEST_NAME else "natural"
        self.me = seen.viewer.name
        self.lamps = lamps

    # -------------------------------------------------------------- headers

    def acts(self, position: int) -> bool:
        asked = self.seen.question
        return asked is not None and asked.position == position

    def header(self, position: int, player: str) -> Text:
        """Seat and name; who acts is marked, and so is the bank."""
        glyphs, colours = self.paint.glyphs, self.paint.colours
        mine = player == self.me
        name = player if len(player) <= LONGEST_NAME else player[: LONGEST_NAME - 1] + glyphs.more
        text = Text(f"{position} {name}" + (" (you)" if mine else ""))
        if self.acts(position):
            text = Text(f"{glyphs.turn} {text.plain} ", colours.turn)
        else:
            text.stylize(colours.own if mine else colours.strong)
        kind = next((p.kind for p in self.seen.players if p.name == player), "player")
        if kind != "player":
            text.append(f" ({kind})", colours.quiet)
        if self.seen.action_button == position:
            text.append(f" {glyphs.star}action", colours.lamp)
        return text

    def lit(self, player: str, position: int) -> int:
        """How many lights a player has lit at a position."""
        found = (
            lights.lit
            for lights in self.seen.lights
            if lights.player == player and lights.position in (0, position)
        )
        return next(found, 0)

    # -------------------------------------------------------------- hands

    def total(self, box: BoxSeen, number: int) -> Text:
        """What a hand counts, or how it ended."""
        hand, colours = box.hands[number], self.paint.colours
        asked = self.seen.question
        if box.dead:
            return Text(ENDED["dead"], colours.bad)
        if hand.ended == "bust":
            return Text(ENDED["bust"], colours.bad)
        if hand.natural:
            return Text(f"{self.natural}!", colours.good)
        words = f"soft {hand.total}" if hand.soft else hand.total
        if hand.ended in ENDED:
            words = f"{words} {ENDED[hand.ended]}"
        here = asked is not None and (asked.position, asked.hand) == (box.position, number)
        if here and len(box.hands) > 1:
            words = f"{self.paint.glyphs.turn}{words}"
        return Text(words, colours.own if here else colours.strong)

    def named_total(self, box: BoxSeen, number: int) -> Text:
        """What a hand counts, and its name as a poker hand; others' names in short."""
        text = self.total(box, number)
        name = box.poker if box.player == self.me else box.poker.split(",")[0]
        if name and number == 0:
            text.append(f" {self.paint.glyphs.dot} {name}", self.paint.colours.lamp)
        return text

    def stake(self, stake: Stake) -> Text:
        """Chips on a hand, and what became of them."""
        chips = self.paint.chips(stake.total) if stake.total or not stake.markers else Text()
        if stake.markers:
            free = f"{' + ' if stake.total else ''}{format_cents(sum(stake.markers))} free"
            chips.append(free, self.paint.colours.lamp)
        return chips if stake.settled is None else chips.append_text(self.result(stake.settled))

    def result(self, settled: Settled) -> Text:
        """What a wager won or lost."""
        text = Text(" ").append_text(self.paint.change(net(settled), settled.result))
        if settled.result == "tied" and net(settled):
            text.append(f" {settled.result}", self.paint.colours.quiet)
        if settled.uncovered:
            open_part = f" ({format_cents(settled.uncovered)} not covered)"
            text.append(open_part, self.paint.colours.quiet)
        return text

    def cards(self, box: BoxSeen, number: int) -> tuple[list[str], list[int]]:
        """The cards of a hand, down cards behind them, and the numbers of those to point at."""
        cards = list(box.hands[number].cards)
        numbers = [0] * len(cards)
        if number == 0:
            for place, card in enumerate(box.down, 1):
                if card == HIDDEN:
                    cards.append(card)
                    pointed = box.player == self.me and self.seen.stage == "round"
                    numbers.append(place if pointed else 0)
        return cards, numbers

    def shown(self, box: BoxSeen, number: int) -> list[str]:
        """Cards that were face down and are shown in the end; the hand did not use them."""
        return [card for card in box.down if card not in ("", HIDDEN)] if number == 0 else []

    def hand(self, box: BoxSeen, number: int, *, tall: bool) -> Block:
        cards, numbers = self.cards(box, number)
        fans = [self.paint.fan(cards, numbers=numbers, tall=tall)]
        if shown := self.shown(box, number):
            fans.append(self.paint.fan(shown, tall=tall))
        lines = beside(fans, gap=1)
        lines.append(self.named_total(box, number))
        return [*lines, *(self.stake(stake) for stake in box.hands[number].stakes[:1])]

    def hand_line(self, box: BoxSeen, number: int) -> Text:
        """A hand on one line."""
        cards, _ = self.cards(box, number)
        known = self.paint.words([*cards, *self.shown(box, number)])
        parts = [known, self.named_total(box, number)]
        parts += [self.stake(stake) for stake in box.hands[number].stakes[:1]]
        return Text("  ").join(part for part in parts if part.plain)

    # -------------------------------------------------------------- boxes

    def side_line(self, side: SideBet) -> Text:
        hand = f", hand {side.hand + 1}" if side.hand else ""
        named = f"{self.names.get(side.wager, side.wager)}{hand} "
        text = Text(named, self.paint.colours.quiet)
        text.append_text(self.paint.chips(side.amount, most=1))
        if side.settled is None:
            return text
        text.append_text(self.result(side.settled))
        if side.settled.won and side.settled.why:
            text.append(f" {side.settled.why}", self.paint.colours.quiet)
        return text

    def box(self, box: BoxSeen, width: int, *, tall: bool) -> Block:
        """A box with drawn cards: its hands, then the wagers beside them and the lights."""
        hands = [self.hand(box, number, tall=tall) for number in range(len(box.hands))]
        rows = [beside(row) for row in in_rows(hands, width)]
        below = self.extras(box)
        lines = [self.header(box.position, box.player)]
        if len(rows) == 1 and below and width_of(rows[0]) + 3 + width_of(below) <= width:
            return lines + beside([rows[0], below], gap=3)
        for row in rows:
            lines += row
        return lines + below

    def extras(self, box: BoxSeen) -> Block:
        """Lights and wagers beside the hands."""
        lines: Block = []
        lit = self.lit(box.player, box.position)
        if self.lamps and box.player == self.me:
            lamps = self.paint.lamps(lit, self.lamps)
            lines.append(lamps.append(f" {lit} of {self.lamps} lights"))
        elif lit:
            lines.append(self.paint.lamps(lit, self.lamps))
        own = [side for side in box.sides if side.player == box.player]
        return lines + [self.side_line(side) for side in own]

    def box_lines(self, box: BoxSeen, width: int) -> Block:
        """A box in as few lines as possible."""
        del width
        header = self.header(box.position, box.player)
        lines = []
        for number in range(len(box.hands)):
            start = header if number == 0 else Text(" " * header.cell_len)
            lines.append(Text("  ").join((start, self.hand_line(box, number))))
        lit = self.lit(box.player, box.position)
        if self.lamps and (lit or box.player == self.me):
            lines[0].append("  ").append_text(self.paint.lamps(lit, self.lamps))
        own = [side for side in box.sides if side.player == box.player]
        return lines + [Text("    ").append_text(self.side_line(side)) for side in own]

    def waiting(self, player: PlayerSeen) -> Block:
        """Somebody at the table who has no cards: the wagers, the bank, or nothing."""
        seen, quiet = self.seen, self.paint.colours.quiet
        lines = [self.header(player.seat, player.name)]
        bank = seen.bank
        if bank is not None and bank.player == player.name:
            button = Text().append(self.paint.glyphs.bank, self.paint.colours.turn)
            return [*lines, button.append(" banks", self.paint.colours.lamp)]
        for bet in seen.bets:
            if bet.player == player.name and bet.position == player.seat:
                return [*lines, *self._bet(bet.wagers)]
        if seen.offer is not None and seen.offer.player == player.name:
            return [*lines, Text("is offered the bank", self.paint.colours.own)]
        if self.lamps:
            return [*lines, self.paint.lamps(self.lit(player.name, player.seat), self.lamps)]
        return [*lines, Text(self.paint.glyphs.dot, quiet)]

    def _bet(self, wagers: dict[str, int]) -> Block:
        first, *others = wagers.values()
        chips = self.paint.chips(first)
        return [chips.append(f" +{len(others)}", self.paint.colours.quiet) if others else chips]
