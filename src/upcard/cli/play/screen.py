"""The table on a screen: composed from a view alone, so that nothing hidden can show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rich.control import Control
from rich.text import Text

from upcard.cli.play.paint import (
    HIDDEN,
    Block,
    Paint,
    apart,
    beside,
    centred,
    fitted,
    flowed,
    in_rows,
    indented,
    width_of,
)
from upcard.cli.play.proof import NOTHING_NOTED, Proof, head_line, proof_line
from upcard.cli.play.seats import Seats
from upcard.money import format_cents
from upcard.text import counted

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.cli.play.betting import Panel
    from upcard.cli.play.keys import Curtain
    from upcard.compile.tables import GameTables
    from upcard.table.view import BankSeen, View

LEAST_WIDTH, LEAST_HEIGHT = 70, 22
FEED_FROM = 104
"""Columns from which there is room for the last events beside the table."""
FEED_WIDTH = 34
TALL_FROM = 32
"""Lines from which the own cards and the dealer's are drawn large."""

COLUMN = 28
"""Columns of a seat, at most."""
USUAL_SEAT = 14
"""Columns that most seats need; so much is put in the middle of the seat's place."""
USUAL_DEALER = 16
FOOT = 6
"""Lines at the bottom, at least, so that the table does not move up and down."""

Keys = tuple[tuple[str, str], ...]


class Scale(NamedTuple):
    """Whose cards are drawn, rather than named on a line, and whether they are large."""

    tall: bool
    dealer: bool
    others: bool
    own: bool


SCALES = (
    Scale(tall=True, dealer=True, others=True, own=True),
    Scale(tall=False, dealer=True, others=True, own=True),
    Scale(tall=False, dealer=True, others=False, own=True),
    Scale(tall=False, dealer=False, others=False, own=True),
    Scale(tall=False, dealer=False, others=False, own=False),
)
"""From the largest to the smallest; the first that fits is taken."""


@dataclass(frozen=True)
class Tally:
    """Money so far: of this round, of the session, and the fees in it."""

    round: int = 0
    session: int = 0
    fees: int = 0


@dataclass(frozen=True)
class Notes:
    """What a screen says besides the table.

    `panel` takes the place of the own cards, `place` that of the round's number, `status` that of
    the own chips; `mark` stands in the title so that nobody overlooks it.
    """

    say: Text = field(default_factory=Text)
    keys: Keys = ()
    more_keys: Keys = ()
    panel: Panel | None = None
    cleared: bool = False
    feed: tuple[str, ...] = ()
    tally: Tally = Tally()
    proof: Proof = NOTHING_NOTED
    place: str = ""
    mark: str = ""
    status: Text | None = None


def curtain_of(console: Console) -> Curtain:
    """Opens on the alternate screen; closed, the terminal is as it was."""

    def draw(is_open: bool) -> None:
        if is_open:
            console.set_alt_screen(True)
        else:
            # Some terminals leave what stood there behind if they were resized meanwhile.
            console.control(Control.home(), Control.clear())
        console.show_cursor(not is_open)
        if not is_open:
            console.set_alt_screen(False)
        console.file.flush()

    return draw


def is_too_small(size: tuple[int, int]) -> bool:
    """Whether a table would not be seen whole."""
    return size[0] < LEAST_WIDTH or size[1] < LEAST_HEIGHT


def too_small(paint: Paint, size: tuple[int, int], keys: str) -> Block:
    """What stands where there is no room for a table: how much it needs, and the keys left."""
    width, height = size
    need = f"{LEAST_WIDTH} by {LEAST_HEIGHT}"
    words = f"The table needs {need} characters; this terminal has {width} by {height}."
    for text in (f"{words} Until it is larger, only {keys}.", f"{need} needed: only {keys}", keys):
        lines = paint.wrapped(Text(text), width)
        if len(lines) <= height:
            break
    return lines


HIDDEN_KEYS = "q (save and quit) and ? (help) do anything"
"""The keys that are left while the table is hidden."""
QUIT_ONLY = "q (quit) does anything"
"""The keys that are left while a question or a menu is hidden."""


def show(console: Console, lines: Block, style: str) -> None:
    """Draw over what is there: nothing is cleared first, so nothing flickers."""
    width, height = console.size
    shown = [_writable(fitted(line, width), console.encoding) for line in lines[:height]]
    shown += [Text(" " * width) for _ in range(height - len(shown))]
    frame = Text("\n", style=style).join(shown)
    frame.style = style
    console.control(Control.home())
    console.print(frame, end="", no_wrap=True, overflow="crop", crop=True)
    console.file.flush()


def _writable(line: Text, encoding: str) -> Text:
    """A line in characters that the terminal has; names and words may have others."""
    line.plain = line.plain.encode(encoding, "replace").decode(encoding)
    return line


class Screen:
    """Composes frames and shows them in place."""

    def __init__(self, console: Console, tables: GameTables) -> None:
        alphabet = tables.alphabet
        marked = frozenset(
            str(card) for card in alphabet.cards if alphabet.symbols[alphabet.symbol(card)].marked
        )
        self.console = console
        self.paint = Paint(console, marked)
        self.natural = tables.natural_name
        self.names = {wager.id: wager.name for wager in tables.money.wagers.values()}
        self.names.setdefault("insurance", "Insurance")
        self.shoe_size = len(tables.alphabet.cards) * alphabet.decks
        self.lamps = len(tables.carry.next) if tables.carry is not None else 0
        self.painted_small = False

    # -------------------------------------------------------------- showing

    @property
    def size(self) -> tuple[int, int]:
        return self.console.width, self.console.height

    @property
    def table_width(self) -> int:
        """Columns of the table itself, without the events beside it."""
        width = self.console.width
        return width - FEED_WIDTH - 2 if width >= FEED_FROM else width

    def show(self, lines: Block, keys: str = HIDDEN_KEYS) -> None:
        """A frame, or a sentence with the keys that are left where there is no room for it."""
        self.painted_small = is_too_small(self.size)
        if self.painted_small:
            lines = too_small(self.paint, self.size, keys)
        show(self.console, lines, self.paint.colours.felt)

    def show_text(self, lines: Block) -> None:
        """A page of text, which needs no room of its own."""
        self.painted_small = False
        show(self.console, lines, self.paint.colours.felt)

    @property
    def is_hidden(self) -> bool:
        """Whether the table cannot be seen: not in the last picture, or not in a new one."""
        return self.painted_small or is_too_small(self.size)

    # -------------------------------------------------------------- a frame

    def frame(self, seen: View, notes: Notes) -> Block:
        """The whole screen."""
        width, height = self.size
        main = self.table_width
        head = self.title(seen, notes, width)
        foot = self.foot(seen, notes, width)
        room = height - len(head) - len(foot)
        middle = self.middle(seen, notes, main - 2, room)
        middle = [Text(" ").append_text(line) for line in middle[:room]]
        middle += [Text() for _ in range(room - len(middle))]
        if main < width:
            middle = self.with_feed(middle, notes, main, room)
        return [*head, *middle, *foot]

    def with_feed(self, middle: Block, notes: Notes, main: int, room: int) -> Block:
        """The last events at the right, the newest at the bottom."""
        quiet = self.paint.colours.quiet
        lines: Block = []
        for words in reversed(notes.feed):
            part = self.paint.wrapped(Text(words, quiet), FEED_WIDTH - 1)
            if len(lines) + len(part) > room - 1:
                break
            lines = part + lines
        lines = [Text() for _ in range(room - len(lines) - 1)] + lines
        lines.insert(0, Text("What happened", self.paint.colours.strong))
        side = self.paint.glyphs.side
        return [
            fitted(left, main).append(f"{side} ", quiet).append_text(right)
            for left, right in zip(middle, lines, strict=True)
        ]

    def middle(self, seen: View, notes: Notes, width: int, room: int) -> Block:
        """Dealer, others and own seat, as large as the room allows."""
        scales = SCALES if self.console.height >= TALL_FROM else SCALES[1:]
        for scale in scales:
            parts = self.parts(seen, notes, width, scale)
            if sum(map(len, parts)) <= room:
                return _spread(parts, room)
        *above, own = self.parts(seen, notes, width, SCALES[-1])
        if notes.panel is not None:
            left = room - sum(map(len, above))
            own = centred(notes.panel.within(left, self.paint.glyphs.turn), width)
        return _spread([*above, own], room)

    def parts(self, seen: View, notes: Notes, width: int, scale: Scale) -> list[Block]:
        seats = Seats(self.paint, seen, self.names, self.natural, self.lamps)
        dealer = self.dealer(seen, notes, width, tall=scale.tall, in_lines=not scale.dealer)
        return [
            dealer,
            self.others(seats, notes, width, drawn=scale.others),
            self.own(seats, notes, width, tall=scale.tall, in_lines=not scale.own),
        ]

    # -------------------------------------------------------------- head

    def title(self, seen: View, notes: Notes, width: int) -> Block:
        glyphs, colours = self.paint.glyphs, self.paint.colours
        suits = "".join(glyphs.suits.values())
        name = Text(f" {suits}  {seen.name}")
        room = width - name.cell_len - 1
        if notes.place:
            place = Text(f"{notes.place} ")
        else:
            place = head_line(self.paint, room, round_number=seen.round, head=notes.proof.head)
        if notes.mark:
            place = Text(f" {notes.mark} ", colours.turn).append("  ").append_text(place)
        bar = apart(name, place, width)
        bar.stylize_before(colours.bar)
        return [bar, self.limits(seen, width)]

    def limits(self, seen: View, width: int) -> Text:
        """The wagers on offer with their limits, as many as fit."""
        colours = self.paint.colours
        text = Text(" ")
        for number, wager in enumerate(seen.sign.wagers):
            more = len(seen.sign.wagers) - number
            part = Text(f"{wager.name} ", colours.quiet).append(wager.limits, colours.strong)
            ending = f"and {more} more: see ?"
            room = width - text.cell_len - 4 - (len(ending) if more > 1 else 0)
            if part.cell_len > room:
                return text.append(ending, colours.quiet)
            text.append_text(part).append("   ")
        return text

    # -------------------------------------------------------------- dealer

    def dealer(self, seen: View, notes: Notes, width: int, *, tall: bool, in_lines: bool) -> Block:
        colours = self.paint.colours
        # Once the cards are taken away the last bank is history, until the next one is up.
        bank = None if notes.cleared and seen.stage == "bank" else seen.bank
        who = f"Player-dealer {bank.player}" if bank else "Dealer"
        label = Text(who, colours.strong)
        if notes.cleared:
            empty = Text("no cards yet", colours.quiet)
            left = [label] if in_lines else [label, Text(), empty, Text()]
        else:
            label.append("  ").append_text(self.dealer_total(seen))
            if seen.dealer.poker:
                name = f" {self.paint.glyphs.dot} {seen.dealer.poker}"
                label.append(name, colours.lamp)
            hidden = tuple(card for card in seen.dealer.down if card == HIDDEN)
            shown = tuple(card for card in seen.dealer.down if card not in ("", HIDDEN))
            groups = ((*seen.dealer.cards, *hidden), shown)
            wanted = groups if shown else groups[:1]
            fans = [self.cards(group, tall=tall, in_lines=in_lines) for group in wanted]
            left = [label, *beside(fans)]
        if seen.community and not notes.cleared:
            middle = self.cards(seen.community, tall=tall, in_lines=in_lines)
            left = beside([left, [Text("In the middle", colours.strong), *middle]], gap=3)
        right = self.info(seen, bank)
        room = width - width_of(right) - 2
        if in_lines or width_of(left) > room:
            return left + flowed([Text(line.plain.rstrip()) for line in right], width)
        middle_at = (width - max(USUAL_DEALER, width_of(left))) // 2
        indent = max(0, min(middle_at, room - width_of(left)))
        left = indented(left, indent)
        return beside([left, right], gap=width - width_of(left) - width_of(right))

    def cards(self, cards: tuple[str, ...], *, tall: bool, in_lines: bool) -> Block:
        return [self.paint.words(cards)] if in_lines else self.paint.fan(cards, tall=tall)

    def dealer_total(self, seen: View) -> Text:
        """What the dealer shows, or has in the end."""
        dealer, colours = seen.dealer, self.paint.colours
        if dealer.result == "bust":
            return Text("over", colours.good)
        if dealer.result and dealer.result != "not needed":
            return Text(dealer.result, colours.own)
        if not dealer.total:
            return Text()
        if len(dealer.cards) == 1:
            told = f", down card {dealer.told}" if dealer.told else ""
            return Text(f"shows {self.paint.face(dealer.cards[0])}{told}", colours.own)
        return Text(dealer.total, colours.own)

    def info(self, seen: View, bank: BankSeen | None) -> Block:
        """The shoe, the bank and the buttons."""
        paint, colours = self.paint, self.paint.colours
        shoe = seen.shoe
        lines: Block = []
        if bank is not None:
            turn = f"turn {bank.turn}/{bank.turns}"
            button = Text().append(paint.glyphs.bank, colours.turn)
            button.append(f" {bank.player} {turn}  ", colours.lamp)
            button.append_text(paint.chips(bank.amount, most=2))
            lines.append(button)
            net = Text("bank's net ", colours.quiet)
            lines.append(net.append_text(paint.change(bank.net, "even")))
        if seen.stage == "closed":
            return lines
        left = shoe.left if shoe.shuffled else self.shoe_size
        text = Text(f"shoe {shoe.number} ", colours.quiet)
        text.append_text(paint.gauge(left, self.shoe_size, 10)).append(f" {left} cards")
        lines.append(text)
        if shoe.cut_reached:
            lines.append(Text("cut card out: last round", colours.bad))
        elif not shoe.shuffled:
            lines.append(Text("not shuffled yet", colours.quiet))
        if shoe.clients:
            mixed = counted(len(shoe.clients), "word")
            lines.append(Text(f"{mixed} mixed in", colours.quiet))
        width = width_of(lines)
        return [fitted(line, width) for line in lines]

    # -------------------------------------------------------------- seats

    def others(self, seats: Seats, notes: Notes, width: int, *, drawn: bool) -> Block:
        seen = seats.seen
        boxes = [] if notes.cleared else [box for box in seen.boxes if box.player != seats.me]
        places: list[tuple[int, Block]] = []
        for box in boxes:
            block = seats.box(box, width, tall=False) if drawn else seats.box_lines(box, width)
            places.append((box.position, block))
        playing = {box.player for box in boxes}
        places += [
            (player.seat, seats.waiting(player))
            for player in seen.players
            if player.name not in playing and player.name != seats.me and player.seat
        ]
        blocks = [block for _, block in sorted(places, key=lambda place: place[0])]
        if drawn:
            return self.grid(blocks, width)
        if not boxes:
            return flowed([Text(" ").join(block) for block in blocks], width, gap=3)
        return [line for block in blocks for line in block]

    def grid(self, blocks: list[Block], width: int) -> Block:
        """Seats in columns that stay where they are while cards come, or in rows if need be."""
        column = min(COLUMN, width // max(1, len(blocks)))
        if max(map(width_of, blocks), default=0) <= column - 2:
            used = column * (len(blocks) - 1) + max(map(width_of, blocks[-1:]), default=0)
            spare = (width - column * len(blocks)) // 2 + (column - USUAL_SEAT) // 2
            padded = [[fitted(line, column) for line in block] for block in blocks]
            row = indented(beside(padded, gap=0), min(spare, width - used))
            for line in row:
                line.rstrip()
            return row
        lines: Block = []
        for group in in_rows(blocks, width):
            used = sum(map(width_of, group))
            gap = min(8, max(2, (width - used) // max(1, len(group))))
            lines += centred(beside(group, gap), width)
        return lines

    def own(self, seats: Seats, notes: Notes, width: int, *, tall: bool, in_lines: bool) -> Block:
        if notes.panel is not None:
            return centred(notes.panel.all, width)
        seen = seats.seen
        boxes = [] if notes.cleared else [box for box in seen.boxes if box.player == seats.me]
        if not boxes:
            mine = [p for p in seen.players if p.name == seats.me and p.seat]
            return centred([line for player in mine for line in seats.waiting(player)], width)
        if in_lines:
            return [line for box in boxes for line in seats.box_lines(box, width)]
        share = width if len(boxes) == 1 else (width - 4) // len(boxes)
        return self.grid([seats.box(box, share, tall=tall) for box in boxes], width)

    # -------------------------------------------------------------- foot

    def foot(self, seen: View, notes: Notes, width: int) -> Block:
        paint, colours = self.paint, self.paint.colours
        said = paint.wrapped(notes.say, width - 2)[:3] or [Text()]
        lines = [Text(paint.glyphs.rule * width, colours.quiet)]
        lines += [Text(" ").append_text(line) for line in said]
        for keys in (notes.keys, notes.more_keys):
            rows = flowed(paint.keys(keys), width - 2, gap=3)
            lines += [Text(" ").append_text(row) for row in rows]
        lines += [Text() for _ in range(FOOT - len(lines) - 2)]
        promise = proof_line(
            paint,
            width,
            promise=seen.shoe.commitment,
            round_number=seen.round,
            seeded=seen.seeded,
        )
        return [*lines, promise, self.status(seen, notes, width)]

    def status(self, seen: View, notes: Notes, width: int) -> Text:
        """Chips, and how the round and the session went."""
        if notes.status is not None:
            bar = fitted(notes.status, width)
            bar.stylize_before(colours_bar(self.paint))
            return bar
        paint, tally = self.paint, notes.tally
        me = seen.viewer.name
        chips = next((p.chips for p in seen.players if p.name == me), None) or 0
        dot = f"  {paint.glyphs.dot}  " if width > LEAST_WIDTH + 8 else f" {paint.glyphs.dot} "
        text = Text(f" {me}  ").append_text(paint.chips(chips, most=4)).append(" chips")
        if placed := on_table(seen, me):
            text.append(f"{dot}{format_cents(placed)} in play")
        right = Text("round ").append_text(paint.change(tally.round, "even"))
        right.append(f"{dot}session ").append_text(paint.change(tally.session, "even"))
        if tally.fees:
            right.append(f" (fees {format_cents(tally.fees)})")
        bar = apart(text, right.append(" "), width)
        bar.stylize_before(colours_bar(paint))
        return bar


def colours_bar(paint: Paint) -> str:
    """The bar's style, without boldness for what stands on it."""
    return paint.colours.bar.removeprefix("bold ")


def on_table(seen: View, me: str) -> int:
    """What a player has in play: wagers before the deal, unsettled ones after it, the bank."""
    placed = sum(bet.total for bet in seen.bets if bet.player == me)
    if seen.stage == "round":
        for box in seen.boxes:
            stakes = [stake for hand in box.hands for stake in hand.stakes]
            placed += sum(s.total for s in stakes if s.player == me and s.settled is None)
            placed += sum(s.amount for s in box.sides if s.player == me and s.settled is None)
    return placed


def _spread(parts: list[Block], room: int) -> Block:
    """Parts below each other, spare lines shared out between them."""
    parts = [part for part in parts if part]
    spare = max(0, room - sum(map(len, parts)))
    gap = min(3, spare // (len(parts) + 1))
    lines: Block = [Text() for _ in range(min(1, gap))]
    for part in parts:
        lines += part
        lines += [Text() for _ in range(gap)]
    return lines
