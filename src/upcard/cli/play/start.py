"""Sitting down: a new table or a saved one, and getting up again."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.arguments import typed_settings
from upcard.cli.play import keys
from upcard.cli.play.company import opening, seats_for, usual_chips, usual_seat
from upcard.cli.play.pager import QuitError
from upcard.cli.play.saved import (
    HOUSE,
    Wallet,
    find_session,
    keep_wallet,
    open_wallet,
    put_aside,
    session_file,
)
from upcard.cli.play.screen import Screen
from upcard.cli.play.seat import PersonsSeat
from upcard.cli.play.table import Table
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.judge import Refusal
from upcard.table.players_cards import Casino
from upcard.table.session import Session
from upcard.table.shoe import new_secret, secret_from

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from upcard.cli.play.keys import Keyboard
    from upcard.cli.play.paint import Block
    from upcard.compile.tables import GameTables
    from upcard.table.session import Log


@dataclass(frozen=True)
class Wishes:
    """What the person asked for on the command line; None and 0 are the usual."""

    seed: str | None = None
    bots: int | None = None
    chips: int | None = None
    name: str | None = None
    seat: int | None = None
    file: Path | None = None
    new: bool = False
    resume: bool = False
    fast: bool = False
    game: str = ""


@dataclass
class Sitting:
    """One visit to a table, from sitting down to the last words."""

    tables: GameTables
    wishes: Wishes
    keyboard: Keyboard
    console: Console
    note: str = ""
    wallet: Wallet | None = field(init=False)

    def __post_init__(self) -> None:
        carry = self.tables.carry
        self.wallet = open_wallet() if carry is not None and carry.players_card else None
        self.casino = Casino(HOUSE, self.wallet.key) if self.wallet else None
        self.file = self.wishes.file or session_file(self.tables)
        self.screen = Screen(self.console, self.tables)

    def run(self) -> str:
        """Play, and say in the end how it went and where it is kept."""
        try:
            return self._run()
        except QuitError:
            return self.note or "Nothing was played."

    def _run(self) -> str:
        log = self.saved()
        session = self.resumed(log) if log is not None else self.opened()
        me = _person(session)
        seat = PersonsSeat(
            session,
            me,
            self.keyboard,
            self.screen,
            self.file,
            fast=self.wishes.fast,
            note=self.note,
        )
        seat.save()
        self.note = self.kept()
        try:
            if log is None:
                self.present(seat)
            Table(seat).play()
        except QuitError:
            seat.save()
            raise
        return self.closed(seat)

    # -------------------------------------------------------------- new or saved

    def saved(self) -> Log | None:
        """The session to go on with, if there is one and the person wants it."""
        wishes = self.wishes
        if wishes.new:
            if self.file.exists():
                self.note = f"The earlier session is kept as {put_aside(self.file).name}."
            return None
        found = find_session(self.file, self.tables, self.casino)
        if found is None:
            if wishes.resume:
                raise UpcardError(f"there is no session to resume: {self.file} does not exist")
            return None
        if found.other:
            if wishes.resume:
                raise UpcardError(
                    f"{self.file}: was played under {found.other}, so it cannot be resumed here"
                )
            aside = put_aside(self.file).name
            self.note = f"An earlier session under {found.other} is kept as {aside}."
            return None
        if wishes.resume or self.wants_it(found.log):
            return found.log
        self.note = f"The earlier session is kept as {put_aside(self.file).name}."
        return None

    def wants_it(self, log: Log) -> bool:
        """Ask whether to resume."""
        rounds = sum(isinstance(event, ev.RoundStarted) for event in log.events)
        played = f"{rounds} round{'' if rounds == 1 else 's'} played"
        question = f"There is a saved session of {self.tables.name}: {played}."
        lines = (("r", "resume it"), ("n", "begin a new one (the old one is kept aside)"))
        while True:
            self.dialog(question, (*lines, ("q", "quit")))
            key = self.keyboard.read()
            if key in ("q", keys.INTERRUPT, keys.ESCAPE):
                raise QuitError
            if key in ("r", "n"):
                return key == "r"

    def dialog(self, question: str, pairs: tuple[tuple[str, str], ...]) -> None:
        paint = self.screen.paint
        width, _ = self.screen.size
        lines: Block = [Text(), Text(f"  {self.tables.name}", paint.colours.own), Text()]
        lines += [Text("  ").append_text(line) for line in paint.wrapped(Text(question), width - 4)]
        lines += [Text(), *(Text("    ").append_text(key) for key in paint.keys(pairs))]
        self.screen.show(lines)

    def resumed(self, log: Log) -> Session:
        return Session.resumed(self.tables, log, casino=self.casino)

    def opened(self) -> Session:
        """A new table with everybody in their seats."""
        wishes = self.wishes
        session = Session(self.tables, game=wishes.game, casino=self.casino)
        name = (wishes.name if wishes.name is not None else "Guest").strip()
        seat = wishes.seat if wishes.seat is not None else usual_seat(self.tables)
        usual_bots = min(3, self.tables.round_plan.positions - 1)
        bots = wishes.bots if wishes.bots is not None else usual_bots
        chips = wishes.chips if wishes.chips is not None else usual_chips(self.tables)
        secret = secret_from(wishes.seed) if wishes.seed is not None else new_secret()
        others = seats_for(self.tables, name, seat, bots)
        commands: list[cm.Command] = [
            cm.OpenTable(
                table=f"{self.tables.id}-{secrets.token_hex(4)}",
                secret=secret,
                used_cards=tuple(self.wallet.used) if self.wallet else (),
            ),
            *opening(self.tables, name, seat, chips, others),
        ]
        for command in commands:
            outcome = session.do(command)
            if isinstance(outcome, Refusal):
                raise UpcardError(str(outcome))
        return session

    # -------------------------------------------------------------- players' cards

    def present(self, seat: PersonsSeat) -> None:
        """Offer to give up a player's card from an earlier visit."""
        player, casino, wallet = seat.state.player(seat.me), self.casino, self.wallet
        if casino is None or wallet is None or player is None:
            return
        held = wallet.cards.get(self.tables.id, [])
        mine = [token for token in held if casino.read(token).player == seat.me]
        if not mine:
            return
        token = max(mine, key=lambda token: casino.read(token).lights)
        card = casino.read(token)
        seat.cleared = True
        lights = f"{card.lights} light{'' if card.lights == 1 else 's'}"
        if not seat.confirm(f"You have a player's card with {lights}: give it up for them?"):
            return
        given = cm.PresentCard(player=seat.me, position=player.seat, token=token)
        if seat.do(given):
            held.remove(token)
            wallet.used.append(card.serial)
            keep_wallet(wallet)
            seat.tell(f"Your card is given up: you start with {lights}.")

    # -------------------------------------------------------------- the end

    def kept(self) -> str:
        where = f" --file {self.wishes.file}" if self.wishes.file else ""
        game = self.wishes.game or self.tables.id
        chosen = "".join(f" --set {setting}" for setting in typed_settings(self.tables))
        return f"Saved. `upcard play {game}{chosen}{where}` goes on from here."

    def closed(self, seat: PersonsSeat) -> str:
        """The table is closed: the result, the opened seeds, and how to check them."""
        if self.wallet is not None:
            self.keep_cards(seat)
        seat.save()
        file = put_aside(self.file) if self.wishes.file is None else self.file
        result = seat.count.now.session
        change = f"{'+' if result >= 0 else '-'}{format_cents(abs(result))}"
        rounds = seat.count.rounds
        took = format_cents(seat.count.bought + result)
        many = f"{rounds} round{'' if rounds == 1 else 's'}"
        words = f"{seat.me} leaves with {took} ({change} in {many})."
        check = f"upcard verify {file}"
        self.farewell(seat, words, check)
        return f"{words}\nThe record is {file}\n`{check}` checks it."

    def keep_cards(self, seat: PersonsSeat) -> None:
        assert self.wallet is not None
        mine = self.wallet.cards.setdefault(self.tables.id, [])
        for event in seat.session.events:
            if isinstance(event, ev.CardPunched) and event.player == seat.me and event.lights:
                mine.append(seat.session.engine.players_card(event))
        keep_wallet(self.wallet)

    def farewell(self, seat: PersonsSeat, words: str, check: str) -> None:
        paint = self.screen.paint
        width, _ = self.screen.size
        opened = [event for event in seat.session.events if isinstance(event, ev.ShoeOpened)]
        lines: Block = [Text(), Text(f"  {words}", paint.colours.own), Text()]
        for event in seat.session.events:
            if isinstance(event, ev.CardPunched) and event.player == seat.me:
                kept = f"  You take a player's card with {event.lights} punches along."
                lines += [Text(kept, paint.colours.lamp), Text()]
        lines.append(Text("  The seeds of the shoes, opened:", paint.colours.strong))
        for shoe in opened[-8:]:
            lines.append(Text(f"  {shoe.shoe:>4}  {shoe.seed}", paint.colours.quiet))
        hint = Text(check, paint.colours.key)
        lines += [Text(), Text("  Every card and every cent can be checked:")]
        lines += [Text("    ").append_text(line) for line in paint.wrapped(hint, width - 6)]
        lines += [Text(), Text("  Press any key.", paint.colours.quiet)]
        self.screen.show(lines)
        try:
            self.keyboard.read()
        except EOFError:
            return


def _person(session: Session) -> str:
    """The person is the first who bought chips."""
    return next(event.player for event in session.events if isinstance(event, ev.ChipsBought))


def visit(wishes: Wishes, settings: dict[str, str]) -> None:
    """A visit in the real terminal, menu included; the terminal is left as it was."""
    import signal

    import typer
    from rich.console import Console

    from upcard.cli.arguments import settings_in_cents
    from upcard.cli.play.keys import TerminalKeyboard
    from upcard.cli.play.menu import choose_game
    from upcard.cli.play.screen import alternate
    from upcard.compile.tables import tables_for

    console = Console(highlight=False)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _hang_up)
    tables = tables_for(wishes.game, settings) if wishes.game else None
    with TerminalKeyboard() as keyboard, alternate(console):
        try:
            if tables is None:
                game = choose_game(console, keyboard)
                if game is None:
                    return
                wishes = replace(wishes, game=game)
                tables = tables_for(game, settings_in_cents(game, settings))
            words = Sitting(tables, wishes, keyboard, console).run()
        except (EOFError, KeyboardInterrupt):
            return
    typer.echo(words)


def _hang_up(number: int, frame: object) -> None:
    del number, frame
    raise KeyboardInterrupt
