"""The coach's page: this decision in full, the next round, and the session's mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play.coaching import money_words, percent_words
from upcard.cli.play.pager import PagerPage
from upcard.money import format_cents
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.cli.play.coaching import Coaching
    from upcard.cli.play.paint import Block, Paint
    from upcard.coach import CoachAdvice, NextRound, Summary

OFF = "The coach is off: g at the table switches it on."


class CoachPage:
    """What the coach knows, on a page. `ahead` is the next round, where that was worked out."""

    def __init__(self, coaching: Coaching, paint: Paint, ahead: NextRound | None) -> None:
        self.coaching = coaching
        self.paint = paint
        self.ahead = ahead

    def page(self) -> PagerPage:
        return PagerPage("Coach", self.lines)

    def lines(self, width: int, query: str) -> Block:
        del query
        if not self.coaching.is_on:
            return self._plain(OFF, width)
        lines: Block = []
        advice = self.coaching.advice()
        if advice is not None:
            lines += [*self.now(advice, width), Text()]
        if self.ahead is not None:
            lines += [*self.next_round(self.ahead, width), Text()]
        return lines + self.mistakes(self.coaching.review.summary(), width)

    def _head(self, words: str) -> Text:
        return Text(words, self.paint.colours.own)

    def _plain(self, words: str, width: int) -> Block:
        lines = self.paint.wrapped(Text(words, self.paint.colours.quiet), width - 2)
        return [Text("  ").append_text(line) for line in lines]

    # -------------------------------------------------------------- this decision

    def now(self, advice: CoachAdvice, width: int) -> Block:
        """Every action with what it is worth and costs, how that is known, what it holds for."""
        up = self.paint.shown(advice.up)
        lines: Block = [self._head(f"This decision: {advice.total} against {up}")]
        if not advice.is_priced:
            return lines + self._plain(advice.words, width)
        head = f"  {'':12}{'worth':>11}{'':11}{'costs':>11}"
        lines.append(Text(head, self.paint.colours.quiet))
        for value in advice.actions:
            money, share = (
                money_words(value.cents, self.paint),
                percent_words(value.percent, self.paint),
            )
            text = Text(f"  {value.action:12}", self.paint.colours.strong)
            text.append(f"{money:>11}{share:>11}")
            if value.best:
                text.append(f"{'best':>11}", self.paint.colours.good)
            else:
                text.append(f"{format_cents(value.cost):>11}{value.cost_percent:>10.2f}%")
            lines.append(text)
        seen = counted(advice.unseen, "card")
        about = f"Of {advice.of}, {format_cents(advice.wager)}; {advice.method}; {seen} not seen."
        for words in (about, *advice.notes):
            lines += self._plain(words, width)
        return lines

    # -------------------------------------------------------------- the next round

    def next_round(self, ahead: NextRound, width: int) -> Block:
        """What every wager is worth from this shoe."""
        shoe = (
            "a new shoe" if ahead.fresh else f"this shoe, {counted(ahead.unseen, 'card')} not seen"
        )
        lines: Block = [self._head(f"The next round, from {shoe}")]
        if ahead.words:
            return lines + self._plain(ahead.words, width)
        rows = [*ahead.wagers, ahead.together] if ahead.together else [*ahead.wagers]
        longest = max(len(worth.name) for worth in rows)
        for worth in rows:
            text = Text(f"  {worth.name:{longest}}", self.paint.colours.strong)
            if worth.percent is None:
                lines += [text, *self._plain(worth.words, width)]
                continue
            style = self.paint.colours.good if worth.percent > 0 else ""
            money = money_words(worth.cents or 0, self.paint)
            text.append(f"{money:>11}{percent_words(worth.percent, self.paint):>11}", style)
            text.append(f"  of {format_cents(worth.bet)}", self.paint.colours.quiet)
            lines.append(text)
        methods: dict[str, list[str]] = {}
        for worth in rows:
            if worth.method:
                methods.setdefault(worth.method, []).append(worth.name)
        told = [f"{listed(names, 'and')}: {method}." for method, names in methods.items()]
        priced = f"For {ahead.of}: {format_cents(ahead.bet)}." if ahead.of else ""
        for words in filter(None, (priced, *told, *ahead.notes)):
            lines += self._plain(words, width)
        return lines

    # -------------------------------------------------------------- the session

    def mistakes(self, found: Summary, width: int) -> Block:
        """The session's decisions in figures, by kind, and the worst hands."""
        lines: Block = [self._head("Your decisions")]
        if not found.decisions:
            return lines + self._plain("Nothing was decided yet.", width)
        right = f"{found.right} of {found.decisions} ({100 * found.right / found.decisions:.1f}%)"
        figures = [
            ("right", right),
            ("cost", f"{format_cents(found.cost)} in {counted(found.hands, 'hand')}"),
            ("100 hands", format_cents(found.cost_per_100_hands)),
        ]
        if found.unpriced:
            figures.append(("not priced", str(found.unpriced)))
        for label, words in figures:
            lines.append(Text(f"  {label:14}", self.paint.colours.quiet).append(words))
        lines += [Text(), self._head("By kind")]
        head = f"  {'':12}{'decisions':>10}{'right':>8}{'cost':>10}"
        lines.append(Text(head, self.paint.colours.quiet))
        for one in found.kinds:
            text = Text(f"  {one.kind:12}", self.paint.colours.strong)
            text.append(f"{one.decisions:>10}{one.right:>8}{format_cents(one.cost):>10}")
            lines.append(text)
        if found.worst:
            lines += [Text(), self._head("The worst")]
        for hand in found.worst:
            text = Text(f"  {format_cents(hand.cost):>8}  ", self.paint.colours.bad)
            text.append(f"round {hand.round}  ", self.paint.colours.quiet)
            text.append_text(self.paint.words(hand.cards))
            text.append(f" against {self.paint.shown(hand.up)}: {hand.taken}, best {hand.best}")
            lines += self.paint.wrapped(text, width)
        return lines
