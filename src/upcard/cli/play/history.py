"""`v`: the rounds as a list, each to be opened, the session in figures, and everything."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from upcard.cli.play.pager import PagerPage
from upcard.cli.play.paint import Block, Paint, fitted

if TYPE_CHECKING:
    from upcard.cli.play.chronicle import Chronicle, RoundNote

RESULT_WIDTH = 10


class History:
    """Pages about what happened. `names` are the wagers' names by id."""

    def __init__(self, chronicle: Chronicle, names: dict[str, str], paint: Paint) -> None:
        self.chronicle = chronicle
        self.names = names
        self.paint = paint

    def pages(self) -> list[PagerPage]:
        rounds = [self.one(note) for note in self.chronicle.rounds]
        return [
            PagerPage(
                "Rounds", cache(self.rounds), at_end=True, choices=len(rounds), opens=rounds, head=2
            ),
            PagerPage("Session", self.session),
            PagerPage("Everything", cache(self.everything), at_end=True),
        ]

    def rounds(self, width: int, query: str) -> Block:
        """A line for every round, the newest last."""
        del query
        quiet = self.paint.colours.quiet
        notes = self.chronicle.rounds
        if not notes:
            return [Text("No round is dealt yet.", quiet), Text()]
        head = Text(f"{'round':>6}  {'result':{RESULT_WIDTH}}your hand", quiet)
        return [head, Text(), *(self.row(note, width) for note in notes)]

    def row(self, note: RoundNote, width: int) -> Text:
        text = Text(f"{note.number:>6}  ", self.paint.colours.strong)
        result = self.paint.change(note.net, "even") if note.result else Text("")
        text.append_text(fitted(result, RESULT_WIDTH)).append(self.chronicle.line(note))
        return fitted(text, width)

    def one(self, note: RoundNote) -> PagerPage:
        """Everything that happened in one round."""

        def lines(width: int, query: str) -> Block:
            del query
            found = [self.row(note, width), Text()]
            return found + [line for words in note.told for line in self._told(words, width)]

        return PagerPage(f"Round {note.number}", lines)

    def session(self, width: int, query: str) -> Block:
        """The session in figures, and every kind of wager."""
        del query
        colours, paint = self.paint.colours, self.paint
        lines: Block = [Text("The session", colours.own)]
        for label, words in self.chronicle.statistics():
            lines.append(Text(f"  {label:14}", colours.quiet).append(words))
        totals = self.chronicle.wagers
        if totals:
            longest = max(len(self._name(wager)) for wager in totals)
            counts = f"{'placed':>8}{'won':>6}{'lost':>6}{'even':>6}"
            head = f"  {'':{longest}}{counts}{'staked':>12}{'net':>12}"
            lines += [Text(), Text("By wager", colours.own), Text(head, colours.quiet)]
            for wager, sums in totals.items():
                text = Text(f"  {self._name(wager):{longest}}", colours.strong)
                text.append(f"{sums.placed:>8}{sums.won:>6}{sums.lost:>6}{sums.even:>6}")
                text.append_text(_right(paint.chips(sums.staked, most=0), 12))
                lines.append(text.append_text(_right(paint.change(sums.net, "even"), 12)))
        return [fitted(line, width) for line in lines]

    def _name(self, wager: str) -> str:
        return self.names.get(wager, wager)

    def everything(self, width: int, query: str) -> Block:
        del query
        lines: Block = []
        for note in self.chronicle.rounds:
            lines += [Text(f"Round {note.number}", self.paint.colours.own)]
            lines += [line for words in note.told for line in self._told(words, width)]
            lines.append(Text())
        after = [line for words in self.chronicle.before for line in self._told(words, width)]
        return lines + after

    def _told(self, words: str, width: int) -> Block:
        # A long session has many thousand sentences, and most of them need no wrapping.
        fits = cell_len(words) <= width
        return [Text(words)] if fits else self.paint.wrapped(Text(words), width)


def _right(text: Text, width: int) -> Text:
    return Text(" " * max(0, width - text.cell_len)).append_text(text)
