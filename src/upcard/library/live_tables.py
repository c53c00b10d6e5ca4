"""A live table in memory, with short commands: wager, deal, push."""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex

from upcard.cards import CardsLike
from upcard.compile.bets import wagers_of
from upcard.compile.context import Action
from upcard.compile.tables import GameTables
from upcard.compile.typed_cards import cards_of
from upcard.errors import UpcardError
from upcard.library.hands import Legal, action_of
from upcard.library.setting_texts import cents_of
from upcard.money import BASE, format_cents
from upcard.pages.figures import grid, heading
from upcard.pages.page import Printer, Shown
from upcard.table import commands as cm
from upcard.table.clerk import Question
from upcard.table.engine import Outcome
from upcard.table.events import Event
from upcard.table.judge import Refusal, RefusedError
from upcard.table.sentences import sentence
from upcard.table.session import Log, Session
from upcard.table.shoe import new_secret, secret_from
from upcard.table.view import HIDDEN, PUBLIC, View, Viewer, view
from upcard.text import listed


class LiveTable(Shown):
    """A table that people sit at. What the rules refuse raises their sentence and clause.

    `players` are those at the table, in the order of their seats; `session` is the engine's own.

    >>> import upcard
    >>> table = upcard.game("blackjack").table("Ann", cards="Ts 9h 6d Kd 3c")
    >>> table.wager(1000).deal().legal
    <Legal: hit, stand, double, surrender>
    >>> table.push("hit").push("stand").chips("Ann")
    100000
    """

    def __init__(
        self,
        tables: GameTables,
        players: Iterable[str] = ("Ann",),
        *,
        chips: int = 100_000,
        seed: str | None = None,
        cards: CardsLike | None = None,
        reference: str = "",
    ) -> None:
        self.session = Session(tables, game=reference)
        self.players = tuple(players)
        if not self.players:
            raise UpcardError("a table needs at least one player")
        self.do(
            cm.OpenTable(
                table="a table in memory",
                secret=new_secret() if seed is None else secret_from(seed),
                scripted=cards is not None,
                dealt_from=seed or "",
            )
        )
        for seat, name in enumerate(self.players, 1):
            self.do(cm.BuyIn(player=name, amount=chips))
            self.do(cm.Sit(player=name, seat=seat))
        if cards is not None:
            self.stack(cards)

    # ------------------------------------------------------------------ what there is

    @property
    def tables(self) -> GameTables:
        """The compiled game."""
        return self.session.engine.tables

    @property
    def question(self) -> Question | None:
        """Who is asked for what, if anybody is."""
        return self.session.question

    @property
    def legal(self) -> Legal:
        """What whoever is asked may do."""
        question = self.question
        return Legal(question.actions if question else ())

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.session.state.in_round

    def chips(self, player: str) -> int:
        """A player's chips, in cents."""
        return self.session.state.chips(player)

    def view(self, player: str = "") -> View:
        """The table as a player sees it, or as the public does."""
        viewer = Viewer("player", player) if player else PUBLIC
        return view(self.session.engine, self.session.state, viewer)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened."""
        return tuple(self.session.events)

    def story(self) -> tuple[str, ...]:
        """Everything that has happened, a sentence each."""
        return tuple(sentence(self.session.engine, event) for event in self.session.events)

    def log(self) -> Log:
        """The record, from which the session can go on or be checked."""
        return self.session.log()

    # ------------------------------------------------------------------ what can be done

    def do(self, command: cm.Command) -> tuple[Event, ...]:
        """Carry out any command of `upcard.table.commands`; what is refused raises the reason."""
        outcome = self.session.do(command)
        if isinstance(outcome, Refusal):
            raise RefusedError(outcome)
        assert isinstance(outcome, Outcome)
        return outcome.events

    def stack(self, cards: CardsLike) -> LiveTable:
        """Lay the next cards of the shoe, at a table that was given cards; gives the table."""
        (known,) = cards_of(self.tables, cards)
        self.do(cm.StackShoe(cards=tuple(map(str, known))))
        return self

    def wager(
        self,
        amount: SupportsIndex | str | None = None,
        *,
        player: str = "",
        position: int = 0,
        **sides: SupportsIndex | str,
    ) -> LiveTable:
        """Make a player's wagers in cents, the smallest base wager if none is named.

        Without a name it is the first player; `sides` are side wagers by id, with underscores for
        dashes. Gives the table.
        """
        name = player or self.players[0]
        if name not in self.players:
            raise UpcardError(f"{name} is not at this table: {listed(self.players, 'and')} are")
        base = cents_of("amount", amount)
        wagers = {BASE: wagers_of(self.tables)[BASE] if base is None else base}
        for side, text in sides.items():
            known = side if side in self.tables.money.wagers else side.replace("_", "-")
            cents = cents_of(side, text)
            assert cents is not None
            wagers[known] = cents
        sitting = self.session.state.player(name)
        own = sitting.seat if sitting is not None else self.players.index(name) + 1
        self.do(cm.PlaceWagers(player=name, position=position or own, wagers=wagers))
        return self

    def take_bank(self, amount: SupportsIndex | str, *, player: str = "") -> LiveTable:
        """Have a player take the bank that is offered; without a name whom it is offered to."""
        offer = self.session.state.offer
        cents = cents_of("amount", amount)
        if offer is None or cents is None:
            raise UpcardError("the bank is not offered to anybody now")
        self.do(cm.TakeBank(player=player or offer.player, amount=cents))
        return self

    def deal(self) -> LiveTable:
        """Begin a round with the wagers that were made; gives the table."""
        self.do(cm.Deal())
        return self

    def push(self, action: str | Action) -> LiveTable:
        """Answer for whoever is asked, such as `hit` or `double 500`; gives the table."""
        question = self.question
        text = action if isinstance(action, str) else action_of(action).text
        if question is None:
            raise UpcardError(f"nobody is asked: there is nothing to {text}")
        self.do(cm.parse_decision(text, player=question.player, position=question.position))
        return self

    # ------------------------------------------------------------------ how it shows

    def show(self, out: Printer) -> None:
        """Print the table as the public sees it on a console or a page."""
        seen = self.view()
        out.print(heading(self.tables, f"round {seen.round}"))
        table = grid("", "cards", "total", "wagers", "", left=2)
        table.columns[-1].justify = "left"
        down = [HIDDEN for card in seen.dealer.down if card]
        if seen.dealer.cards:
            cards = " ".join((*seen.dealer.cards, *down))
            table.add_row("Dealer", cards, seen.dealer.total, "", seen.dealer.result)
        for box in seen.boxes:
            for hand in box.hands:
                wager = format_cents(sum(stake.total for stake in hand.stakes))
                state = hand.outcome or hand.ended
                table.add_row(box.player, " ".join(hand.cards), hand.total, wager, state)
            for bet in box.sides:
                state = bet.settled.result if bet.settled else ""
                table.add_row("", bet.wager, "", format_cents(bet.amount), state)
        if table.row_count:
            out.print(table)
        out.print(self._status)

    @property
    def _status(self) -> str:
        question = self.question
        if question is not None:
            return f"{question.player}: {self.legal}"
        chips = (f"{name} {format_cents(self.chips(name))}" for name in self.players)
        return f"chips: {', '.join(chips)}"

    def __repr__(self) -> str:
        return (
            f"<LiveTable of {self.tables.ref}, round {self.session.state.rounds}: {self._status}>"
        )
