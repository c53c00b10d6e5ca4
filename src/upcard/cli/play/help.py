"""`?`: the rule behind anything."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play.pager import PagerPage
from upcard.cli.play.paint import Block, Paint
from upcard.cli.play.proof import NOTHING_NOTED, Proof, digits, opened_shoes
from upcard.sheet.rules import Rule, sections
from upcard.table import commands as cm
from upcard.table.action_keys import ACTION_KEYS
from upcard.table.events import CardDealt
from upcard.table.judge import Refusal
from upcard.table.sentences import sentence
from upcard.table.view import Viewer, redacted, view
from upcard.text import cited, sentence_case

if TYPE_CHECKING:
    from upcard.compile.context import Action
    from upcard.compile.tables import GameTables
    from upcard.table.events import Event
    from upcard.table.session import Session
    from upcard.table.view import View

TABLE_KEYS = (
    ("?", "the rule behind anything: actions, sign, pays, all rules with a search"),
    ("v", "what happened, round by round, the session in figures, the coach's page"),
    ("g", "the coach, on or off: what every action is worth, and what a mistake costs"),
    ("f", "cards at once, or one after the other"),
    ("q", "save and quit; Ctrl-C does the same; the next start resumes"),
)
WAGER_KEYS = (
    ("Enter", "place these wagers and deal; they stay for the next round"),
    ("1-9, up, down", "choose a wager"),
    ("left, right", "less or more; page up and page down in large steps"),
    ("a", "type the amount in dollars"),
    ("0", "take the chosen wager away"),
    ("b", "one more box, where the game allows it; x gives it up, n goes to the next"),
    ("o", "sit this round out"),
    ("w", "walk to a free seat; lights go along"),
    ("$", "buy chips"),
    ("m", "mix a word of your own into the next shuffle"),
    ("c", "cash out: close the table and open its seeds"),
)
BANK_KEYS = (
    ("y", "take the bank with the amount shown (left, right or a change it)"),
    ("n", "decline it"),
)


PAYING = ("Who wins", "Side wagers")
"""Sections of every rule sheet that say what is paid."""


class Help:
    """Pages about one table. Everything comes from the view, the tables and the engine's words."""

    def __init__(
        self, session: Session, me: str, paint: Paint, proof: Proof = NOTHING_NOTED
    ) -> None:
        self.session = session
        self.me = me
        self.paint = paint
        self.proof = proof

    @property
    def tables(self) -> GameTables:
        return self.session.engine.tables

    @property
    def seen(self) -> View:
        return view(self.session.engine, self.session.state, Viewer("player", self.me))

    def pages(self) -> list[PagerPage]:
        return [
            PagerPage("Now", lambda width, _: self.now(width)),
            PagerPage("Sign", lambda width, _: self.sign(width)),
            PagerPage("Pays", lambda width, _: self.pays(width)),
            PagerPage("Rules", self.rules, searchable=True),
            PagerPage("Keys", lambda width, _: self.keys(width)),
            PagerPage("Shoe", lambda width, _: self.shoe(width)),
        ]

    # -------------------------------------------------------------- parts of pages

    def heading(self, words: str) -> Block:
        return [Text(words, self.paint.colours.own)]

    def rule(self, words: str, clauses: Iterable[str], width: int, indent: int = 2) -> Block:
        text = Text(words).append(cited(clauses), self.paint.colours.clause)
        lines = self.paint.wrapped(text, width - indent)
        return [Text(" " * indent).append_text(line) for line in lines]

    def plain(self, words: str, width: int) -> Block:
        return self.rule(words, (), width)

    # -------------------------------------------------------------- now

    def now(self, width: int) -> Block:
        """Every action, legal or not, with the words and the clause behind it."""
        seen = self.seen
        lines: Block = []
        step = next((s for s in self.tables.round_plan.steps if s.kind == seen.step), None)
        if step is not None:
            lines += self.heading("This step of the round")
            lines += [*self.rule(step.words, step.clauses, width), Text()]
        asked = seen.question
        if asked is None or asked.player != self.me:
            lines += self.heading("No decision of yours is asked for now")
            lines += self.plain("The actions of this game and their keys:", width)
            lines += [self._action(action, "") for action in self.tables.actions]
            lines += [Text(), *self.heading("A round, step by step")]
            for number, part in enumerate(self.tables.round_plan.steps, 1):
                lines += self.rule(f"{number}. {part.words}", part.clauses, width)
            return lines
        legal = {answer.action: answer for answer in asked.answers}
        lines += self.heading(f"What you can do at seat {asked.position}")
        for action in self.tables.actions:
            answer = legal.get(action.text)
            if answer is not None:
                lines.append(self._action(action, "yes"))
                lines += self.rule(answer.words, answer.clauses, width, indent=6)
            else:
                refusal = self._refusal(action, asked.position)
                lines.append(self._action(action, "no"))
                reason = sentence_case(refusal.reason)
                lines += self.rule(reason, refusal.clauses, width, indent=6)
        return lines

    def _action(self, action: Action, answer: str) -> Text:
        colours = self.paint.colours
        text = Text("  ").append(ACTION_KEYS[action], colours.key)
        text.append(f" {action.text:10}", colours.strong)
        style = colours.good if answer == "yes" else colours.bad
        return text.append(answer, style)

    def _refusal(self, action: Action, position: int) -> Refusal:
        """What the table would say; asking changes nothing."""
        command = cm.parse_decision(action.text, player=self.me, position=position)
        outcome = self.session.engine.act(self.session.state, command)
        return outcome if isinstance(outcome, Refusal) else Refusal("")

    # -------------------------------------------------------------- sign and pays

    def sign(self, width: int) -> Block:
        sign = self.seen.sign
        lines = self.heading(sign.name)
        longest = max(len(wager.name) for wager in sign.wagers)
        for wager in sign.wagers:
            lines.append(Text(f"  {wager.name:{longest}}  {wager.limits}"))
        if sign.together:
            lines += self.rule(sentence_case(sign.together), sign.together_clauses, width)
        lines += self.plain(sign.rounding, width)
        for title, words in (
            ("Collection fees", sign.fees),
            ("Hand signals", [f"{name}: {signal}" for name, signal in sign.signals.items()]),
            ("Notices", sign.notices),
        ):
            if words:
                lines += [Text(), *self.heading(title)]
                lines += [line for text in words for line in self.plain(text, width)]
        for wager in sign.wagers:
            if len(wager.pays) > 1:
                lines += [Text(), *self.heading(f"{wager.name} pays")]
                width_of = max(len(event) for event, _ in wager.pays)
                lines += [
                    Text(f"  {event or 'a win':{width_of}}  {pays:>11}")
                    for event, pays in reversed(wager.pays)
                ]
                if wager.id in self.tables.observers:
                    lines.append(Text(f"  {'anything else':{width_of}}  {'loses':>11}"))
        return lines

    def pays(self, width: int) -> Block:
        """The parts of the rule sheet that say what is paid, with every pay table."""
        lines: Block = []
        for section in sections(self.tables):
            if section.title in PAYING or any(rule.rows for rule in section.rules):
                lines += self.heading(section.title)
                lines += [line for rule in section.rules for line in self._sheet_rule(rule, width)]
                lines.append(Text())
        return lines

    def _sheet_rule(self, rule: Rule, width: int) -> Block:
        marks = f" ({', '.join(rule.marks)})" if rule.marks else ""
        lines = self.rule(rule.words + marks, rule.clauses, width)
        longest = max((len(event) for event, _ in rule.rows), default=0)
        longest = min(longest, max(width - 20, 20))
        for event, pays in rule.rows:
            *above, last = textwrap.wrap(event, longest)
            lines += [Text(f"      {part}") for part in above]
            lines.append(Text(f"      {last:{longest}}  {pays:>11}"))
        return lines

    # -------------------------------------------------------------- all rules

    def rules(self, width: int, query: str) -> Block:
        """The rule sheet and the clauses, or what of them holds a word or a clause's id."""
        lines: Block = []
        if query:
            lines += self.heading(f'Rules with "{query}"')
        else:
            lines += self.plain("Press / and type a word or a clause, such as split.", width)
        for title, rules in self._everything():
            found = [rule for rule in rules if _holds(rule, query)]
            if found:
                lines += [Text(), *self.heading(title)]
                lines += [line for rule in found for line in self._sheet_rule(rule, width)]
        if query and len(lines) == 1:
            lines += self.plain("Nothing of that is in the rules of this game.", width)
        return lines

    def _everything(self) -> Iterator[tuple[str, list[Rule]]]:
        book = self.tables.rulebook
        for section in sections(self.tables):
            yield section.title, list(section.rules)
        yield "Clauses", [Rule(c.summary, (c.id,), ()) for c in book.clauses if c.in_force]
        yield (
            "Readings: what the source leaves open",
            [
                Rule(f"{r.question} {r.answers[r.value]}", r.clauses, (f"reading {r.name}",))
                for r in book.readings
                if book.matters(*r.sets)
            ],
        )
        yield (
            "Assumed: what no clause speaks of",
            [
                Rule(f"{item.path}: {item.reason}", (), ())
                for item in book.assumed
                if book.matters(item.path)
            ],
        )

    # -------------------------------------------------------------- keys and shoe

    def keys(self, width: int) -> Block:
        actions = [(ACTION_KEYS[action], action.text) for action in self.tables.actions]
        groups = [("Your hand", actions), ("Before the cards", WAGER_KEYS)]
        if not self.tables.money.house_banks:
            groups.append(("When the bank is offered to you", BANK_KEYS))
        groups.append(("Always", TABLE_KEYS))
        lines: Block = []
        for title, pairs in groups:
            lines += self.heading(title)
            for key, what in pairs:
                text = Text(f"  {key:15}", self.paint.colours.key)
                first, *others = self.paint.wrapped(Text(what), width - 17)
                lines.append(text.append_text(first))
                lines += [Text(" " * 17).append_text(other) for other in others]
            lines.append(Text())
        return lines

    def shoe(self, width: int) -> Block:
        shoe = self.seen.shoe
        lines = self.heading(f"Shoe {shoe.number}")
        lines += self.plain(
            "Before its first card the table promises every shoe: this is the SHA-256 of its seed. "
            "When the shoe is done, or when you cash out, the seed is opened, and anybody can "
            "check that the cards came from it.",
            width,
        )
        lines += [Text(), *digits(self.paint, "promise", shoe.commitment, width), Text()]
        if self.proof.head:
            lines += self.plain(
                "The head is the hash of everything in the record so far, and changes with every "
                "act. Who has noted it, or the key that signs the record, can tell later whether "
                "it is still the same: `upcard verify` takes --promise, --head and --key.",
                width,
            )
            lines += [Text(), *digits(self.paint, "head", self.proof.head, width)]
            lines += digits(self.paint, "key", self.proof.key, width) if self.proof.key else []
            lines.append(Text())
        if self.proof.seeded:
            lines += self.plain(
                "This table is dealt from --seed: whoever knows that text knows the cards.", width
            )
        mixed = ", ".join(f'"{word}"' for word in shoe.clients) or "nothing yet"
        lines += self.plain(f"Mixed in by players: {mixed}.", width)
        lines += self.plain(
            "With m you mix a word of your own into the next shuffle, while wagers are placed and "
            "the shoe is promised but not shuffled. Then nobody can have chosen the cards.",
            width,
        )
        if opened := opened_shoes(self.paint, self.session.events, width):
            lines += [Text(), *self.heading("Shoes that are opened"), *opened]
        return lines


def _holds(rule: Rule, query: str) -> bool:
    wanted = query.strip().lower()
    if not wanted:
        return True
    text = " ".join((rule.words, *rule.marks, *(event for event, _ in rule.rows)))
    ids = [clause.lower() for clause in rule.clauses]
    return wanted in text.lower() or wanted in ids


# ------------------------------------------------------------------ what happened


def told(session: Session, me: str, event: Event) -> str:
    """An event as a sentence, without what the person may not know.

    Cards for empty positions go by unseen and are not worth a word each.
    """
    if isinstance(event, CardDealt) and event.to == "empty":
        return ""
    return sentence(session.engine, redacted(event, Viewer("player", me)))
