"""A person's seat: the session, the screen and the keyboard, and what they do together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play import keys
from upcard.cli.play.chronicle import Chronicle
from upcard.cli.play.coach_page import CoachPage
from upcard.cli.play.coaching import AHEAD, COMING, Coaching, mistake_words
from upcard.cli.play.help import Help, told
from upcard.cli.play.history import History
from upcard.cli.play.pager import Pager, QuitError
from upcard.cli.play.proof import Proof
from upcard.cli.play.screen import Keys, Notes
from upcard.cli.play.tally import WinTally
from upcard.errors import UpcardError
from upcard.money import parse_amount, plain_dollars
from upcard.table import events as ev
from upcard.table.commands import DECISION_TYPES
from upcard.table.engine import NEW_TABLE
from upcard.table.judge import Refusal
from upcard.table.view import Viewer, view
from upcard.text import cited, sentence_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from upcard.cli.play.betting import Panel
    from upcard.cli.play.keys import Keyboard
    from upcard.cli.play.paint import Colours
    from upcard.cli.play.screen import Screen
    from upcard.table.commands import Command
    from upcard.table.journal import Journal
    from upcard.table.session import Session
    from upcard.table.state import TableState
    from upcard.table.view import View

HURRY: Keys = (("any key", "shows the rest at once"), ("q", "save & quit"))
FEED = 60
"""So many of the last sentences are kept for the screen."""

PAUSES: dict[type[ev.Event], float] = {
    ev.ShoeShuffled: 0.5,
    ev.CutCardReached: 0.6,
    ev.BankTaken: 0.5,
    ev.BankDeclined: 0.3,
    ev.WagersPlaced: 0.15,
    ev.FeeCollected: 0.25,
    ev.CardDealt: 0.22,
    ev.CardTurned: 0.4,
    ev.DownCardTold: 0.4,
    ev.CardsShown: 0.6,
    ev.CardKept: 0.4,
    ev.CardTraded: 0.4,
    ev.HandReplaced: 0.5,
    ev.LightLit: 0.7,
    ev.PrizeWon: 1.6,
    ev.InsuranceTaken: 0.3,
    ev.DealerChecked: 0.7,
    ev.CardsSwitched: 0.7,
    ev.HandHit: 0.3,
    ev.HandStood: 0.3,
    ev.HandDoubled: 0.4,
    ev.HandSplit: 0.4,
    ev.HandSurrendered: 0.4,
    ev.HandRescued: 0.4,
    ev.HandBusted: 0.5,
    ev.DealerFinished: 0.5,
    ev.WagerSettled: 0.25,
}
"""Seconds that the screen rests on an event; others pass at once."""


class PersonsSeat:
    """What a person sees, presses and is told. Every command goes through `do`.

    `note` is told before the first key.
    """

    def __init__(
        self,
        session: Session,
        me: str,
        keyboard: Keyboard,
        screen: Screen,
        journal: Journal,
        *,
        fast: bool = False,
        note: str = "",
    ) -> None:
        self.session = session
        self.me = me
        self.keyboard = keyboard
        self.screen = screen
        self.journal = journal
        self.fast = fast
        self.say = Text()
        self.aside = ""
        self.note = note
        self.cleared = False
        self.over = False
        self.count = WinTally(me)
        self.feed: list[str] = []
        self.chronicle = Chronicle(session.engine, me)
        self.coaching = Coaching(session, me)
        state = NEW_TABLE
        for event in session.events:
            state = session.engine.evolve(state, event)
            self.count.add(event)
            self._tell(event, state)

    # -------------------------------------------------------------- what is shown

    @property
    def state(self) -> TableState:
        return self.session.state

    @property
    def seen(self) -> View:
        return self._view(self.state)

    @property
    def colours(self) -> Colours:
        return self.screen.paint.colours

    @property
    def proof(self) -> Proof:
        """What the screen shows for the player to note, besides the promise of the shoe."""
        key = self.journal.key.public if self.journal.key else ""
        return Proof(self.journal.head, seeded=bool(self.state.dealt_from), key=key)

    @property
    def always(self) -> Keys:
        """Keys that are good at any time."""
        pace = "slow" if self.fast else "fast"
        coach = "coach off" if self.coaching.is_on else "coach"
        return (
            ("?", "rules"),
            ("v", "history"),
            ("g", coach),
            ("f", pace),
            ("q", "save & quit"),
        )

    def _view(self, state: TableState) -> View:
        return view(self.session.engine, state, Viewer("player", self.me))

    def draw(self, pairs: Keys, panel: Panel | None = None, seen: View | None = None) -> None:
        said = self.say
        if self.aside:
            said = Text("   ").join(filter(len, (said, Text(self.aside, self.colours.quiet))))
        notes = Notes(
            say=said,
            keys=pairs,
            more_keys=() if pairs is HURRY else self.always,
            panel=panel,
            cleared=self.cleared,
            feed=tuple(self.feed),
            tally=self.count.now,
            proof=self.proof,
        )
        self.screen.show(self.screen.frame(seen or self.seen, notes))

    def tell(self, words: str, style: str = "") -> None:
        self.say = Text(words, style)

    def take_words(self) -> str:
        """What was told last, to be told again by whoever asked."""
        words, self.say = self.say.plain, Text()
        return words

    def refuse(self, refusal: Refusal) -> None:
        """A refusal as the table words it, with its clauses."""
        colours = self.colours
        self.say = Text(sentence_case(refusal.reason), colours.bad)
        self.say.append(cited(refusal.clauses), colours.clause)

    # -------------------------------------------------------------- keys

    def key(self, pairs: Keys | Callable[[], Keys], panel: Panel | None = None) -> str:
        """The next key that is not for the whole table; some `pairs` are found anew every time."""
        while True:
            shown = pairs() if callable(pairs) else pairs
            if self.note:
                if self.say.plain:  # a question stays, whatever else is to be told
                    self.aside = self.note
                else:
                    self.tell(self.note, self.colours.even)
                self.note = ""
            self.draw(shown, panel)
            key = self._read()
            if key != keys.RESIZED:
                self.aside = ""
            if key == "?":
                self.open_help()
            elif key == "v":
                self.open_history(shown, panel)
            elif key == "g":
                self.switch_coach(shown, panel)
            elif key == "f":
                self.fast = not self.fast
                self.aside = "Cards come at once." if self.fast else "Cards come one by one."
            elif key == "q":
                raise QuitError
            elif key != keys.RESIZED:
                return key

    def open_history(self, pairs: Keys, panel: Panel | None) -> None:
        ahead = None
        if self.coaching.is_between:
            self.wait(AHEAD, pairs, panel)
            ahead = self.coaching.next_round()
        history = History(self.chronicle, self.screen.names, self.screen.paint)
        coach = CoachPage(self.coaching, self.screen.paint, ahead)
        Pager(self.screen, self.keyboard, [*history.pages(), coach.page()]).run()

    def switch_coach(self, pairs: Keys, panel: Panel | None) -> None:
        """The coach comes or goes; what one waits for is said."""
        if not self.coaching.is_on:
            self.wait(COMING, pairs, panel)
        self.coaching.switch()
        self.aside = "The coach is on." if self.coaching.is_on else "The coach is off."

    def wait(self, words: str, pairs: Keys, panel: Panel | None = None) -> None:
        """Say at once what one waits for, beside what stands there."""
        self.aside = words
        self.draw(pairs, panel)
        self.aside = ""

    def _help(self) -> Help:
        return Help(self.session, self.me, self.screen.paint, self.proof)

    def _read(self) -> str:
        """The next key. While the table is hidden, none but quit and help does anything."""
        try:
            key = self.keyboard.read()
        except EOFError:
            raise QuitError from None
        if key == keys.INTERRUPT:
            raise QuitError
        if not self.screen.is_hidden:
            return key
        if key == "q":
            raise QuitError
        if key == "?":
            self.open_help()
        return keys.RESIZED

    def open_help(self) -> None:
        Pager(self.screen, self.keyboard, self._help().pages()).run()

    def ask(self, question: str, answer: str = "", panel: Panel | None = None) -> str | None:
        """A line of text, or None when the person goes back. What is typed replaces `answer`."""
        text, fresh = answer, True
        colours = self.colours
        while True:
            self.say = Text(f"{question} ", colours.own).append(f"{text}_", colours.strong)
            self.draw((("Enter", "yes"), ("Esc", "back")), panel)
            key = self._read()
            if key == keys.ENTER:
                return text.strip()
            if key == keys.ESCAPE:
                self.say = Text()
                return None
            if key == keys.BACKSPACE:
                text, fresh = text[:-1], False
            elif len(key) == 1:
                text, fresh = (key if fresh else text + key), False

    def ask_amount(self, question: str, amount: int, panel: Panel | None = None) -> int | None:
        """An amount in cents; the table judges whether it is allowed."""
        answer = self.ask(f"{question} $", plain_dollars(amount), panel)
        if answer is None:
            return None
        try:
            found = parse_amount(answer)
        except UpcardError as error:
            self.tell(sentence_case(str(error)), self.colours.bad)
            return None
        self.say = Text()
        return found

    def confirm(self, question: str) -> bool:
        self.tell(question, self.colours.own)
        while True:
            key = self.key((("y", "yes"), ("n", "no")))
            if key in ("y", "n", keys.ESCAPE):
                self.say = Text()
                return key == "y"

    def strange(self, key: str) -> None:
        """A key that means nothing here: said beside what stands there, not in its place."""
        if key == keys.ENTER:
            self.aside = "Enter plays nothing here: press one of the keys below."
        else:
            self.aside = f"{key} means nothing here: press one of the keys below, or ? for help."

    # -------------------------------------------------------------- commands

    def do(self, command: Command, *, mine: bool = True) -> bool:
        """Carry out a command and show what follows; a refusal is told if it is the person's."""
        before = self.state
        outcome = self.session.do(command)
        if isinstance(outcome, Refusal):
            if mine:
                self.refuse(outcome)
            return False
        self.save()  # before anybody sees it, so that nothing seen is ever lost
        if mine and isinstance(command, DECISION_TYPES) and (found := self.coaching.judge()):
            self.aside = mistake_words(found)
        self._happen(before, outcome.events)
        return True

    def save(self) -> None:
        self.journal.save(self.session)

    def _happen(self, state: TableState, events: Iterable[ev.Event]) -> None:
        """Show events one after the other. A key hurries; q and Ctrl-C still mean quit."""
        hurry = self.fast
        for event in events:
            state = self.session.engine.evolve(state, event)
            self.count.add(event)
            words = self._tell(event, state)
            if isinstance(event, ev.RoundStarted):
                self.cleared = False
            if isinstance(event, ev.RoundEnded):
                self.over = True
            if hurry or not self._rests(event):
                continue
            self.say = Text(words)
            hurry = self._rest(self._view(state), PAUSES[type(event)])
        self.say = Text()

    def _rest(self, seen: View, seconds: float) -> bool:
        """Show the table for a while; whether a key was pressed that hurries the rest."""
        key = keys.RESIZED
        while key == keys.RESIZED:
            self.draw(HURRY, seen=seen)
            try:
                key = self.keyboard.wait(seconds)
            except EOFError:
                raise QuitError from None
        if key in (keys.INTERRUPT, "q"):
            raise QuitError
        return bool(key) and not self.screen.is_hidden

    def _rests(self, event: ev.Event) -> bool:
        return type(event) in PAUSES and bool(told(self.session, self.me, event))

    def _tell(self, event: ev.Event, state: TableState) -> str:
        words = told(self.session, self.me, event)
        self.chronicle.add(event, state, words)
        if words and not isinstance(event, ev.StepBegun):
            self.feed = [*self.feed[-FEED:], words]
        return words
