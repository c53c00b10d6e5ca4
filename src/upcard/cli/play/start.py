"""Sitting down: a new table or a saved one, and getting up again."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.arguments import typed_settings
from upcard.cli.play import keys
from upcard.cli.play.home import table_key
from upcard.cli.play.pager import Pager, PagerPage, QuitError
from upcard.cli.play.proof import digits, opened_shoes
from upcard.cli.play.saved import (
    HOUSE,
    UNFINISHED,
    SavedSession,
    find_session,
    free_name,
    is_session,
    need_file,
    put_aside,
    saved_in,
    session_file,
)
from upcard.cli.play.screen import QUIT_ONLY, Screen
from upcard.cli.play.seat import PersonsSeat
from upcard.cli.play.table import PersonsTable
from upcard.cli.play.wallet import Wallet, changed_wallet, open_wallet
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.players.company import opening, seats_for, usual_chips, usual_seat
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.chain import SHORT
from upcard.table.files import Lock, real_path
from upcard.table.journal import ChangedError, Journal
from upcard.table.judge import Refusal
from upcard.table.players_cards import Casino
from upcard.table.proof import is_closed
from upcard.table.session import Session
from upcard.table.shoe import new_secret, secret_from
from upcard.text import cited

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
    seat: PersonsSeat | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        carry = self.tables.carry
        self.wallet = open_wallet() if carry is not None and carry.players_card else None
        self.casino = Casino(HOUSE, self.wallet.key) if self.wallet else None
        if self.wishes.file is not None:
            need_file(self.wishes.file)
        self.file = real_path(self.wishes.file or session_file(self.tables))
        self.screen = Screen(self.console, self.tables)

    def run(self) -> str:
        """Play, and say in the end how it went and where it is kept."""
        with Lock(self.file) as lock:
            lock.take(
                f"{self.file}: this session is in use by",
                ": go on there, or play in another file with --file",
            )
            try:
                return self._run()
            except QuitError:
                return self.kept()

    def _run(self) -> str:
        found = self.saved()
        if found is None:
            session = self.opened()
            journal = Journal.begin(self.file, session, table_key())
        else:
            session = Session.resumed(self.tables, found.log, casino=self.casino)
            journal = self.going_on(found, session)
        me = _person(session)
        seat = PersonsSeat(
            session,
            me,
            self.keyboard,
            self.screen,
            journal,
            fast=self.wishes.fast,
            note=self.note,
        )
        self.seat = seat
        try:
            seat.save()
            if self.wallet is not None:
                self.settle_cards(seat)
            if found is None:
                self.present(seat)
            PersonsTable(seat).play()
            return self.closed(seat)
        except ChangedError as error:
            other = free_name(self.file)
            journal.keep_beside(session, other)
            kept = f"it is left as it is, and this session is kept in {other}"
            raise UpcardError(f"{error}: {kept}") from error

    # -------------------------------------------------------------- new or saved

    def saved(self) -> SavedSession | None:
        """The session to go on with, if there is one and the person wants it."""
        wishes, file = self.wishes, saved_in(self.file, self.tables)
        if wishes.new:
            if file.exists():
                if wishes.file is not None and not is_session(file):
                    raise UpcardError(
                        f"{file}: is not the record of a session, so --new does not move it "
                        "aside: name another file"
                    )
                self.keep_cards(file)
                self.note = f"The earlier session is kept as {put_aside(file).name}."
            return None
        found = find_session(file, self.tables, self.casino, table_key().public)
        if found is not None and not found.other and self.is_over(found):
            put_aside(file)
            found = None
        if found is None:
            if wishes.resume:
                raise UpcardError(f"there is no session to resume: {self.file} does not exist")
            return None
        if found.other:
            if wishes.resume:
                raise UpcardError(
                    f"{file}: was played under {found.other}, so it cannot be resumed here"
                )
            aside = put_aside(file).name
            self.note = f"An earlier session under {found.other} is kept as {aside}."
            return None
        if wishes.resume or self.wants_it(found.log):
            self.note = UNFINISHED if found.unfinished else ""
            return found
        self.note = f"The earlier session is kept as {put_aside(file).name}."
        return None

    def is_over(self, found: SavedSession) -> bool:
        """Whether there is nothing to go on with; what was won at its end is not lost."""
        log = found.log
        if log.entries and not is_closed(log):
            return False
        if self.wallet is not None and log.entries:
            session = Session.resumed(self.tables, log, casino=self.casino)
            with changed_wallet() as wallet:
                wallet.settle(session, _person(session))
        return True

    def keep_cards(self, file: Path) -> None:
        """The card that a session brought whose table was stopped before it could be kept."""
        if self.wallet is not None:
            with contextlib.suppress(UpcardError):  # a damaged record proves no card
                found = find_session(file, self.tables, self.casino, table_key().public)
                if found is not None and not found.other:
                    self.is_over(found)

    def going_on(self, found: SavedSession, session: Session) -> Journal:
        """The file of a resumed session; a record of old is kept, and goes on as a chained one."""
        chain = found.record.chain
        if chain is not None:
            key = table_key() if chain.key else None
            return Journal.resume(self.file, found.record, key, found.look)
        aside = put_aside(saved_in(self.file, self.tables)).name
        self.note = f"The old record of this session, which was not chained, is kept as {aside}."
        return Journal.begin(self.file, session, table_key())

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
            if key in ("r", "n") and not self.screen.is_hidden:
                return key == "r"

    def dialog(self, question: str, pairs: tuple[tuple[str, str], ...]) -> None:
        paint = self.screen.paint
        width, _ = self.screen.size
        lines: Block = [Text(), Text(f"  {self.tables.title}", paint.colours.own), Text()]
        lines += [Text("  ").append_text(line) for line in paint.wrapped(Text(question), width - 4)]
        lines += [Text(), *(Text("    ").append_text(key) for key in paint.keys(pairs))]
        self.screen.show(lines, QUIT_ONLY)

    def opened(self) -> Session:
        """A new table with everybody in their seats."""
        wishes = self.wishes
        session = Session(self.tables, game=wishes.game, casino=self.casino)
        name = (wishes.name if wishes.name is not None else "Guest").strip()
        seat = wishes.seat if wishes.seat is not None else usual_seat(self.tables)
        usual_bots = min(3, self.tables.round_plan.positions - 1)
        bots = wishes.bots if wishes.bots is not None else usual_bots
        chips = wishes.chips if wishes.chips is not None else usual_chips(self.tables)
        if wishes.seed is not None and not wishes.seed.strip():
            raise UpcardError("the text of --seed is empty: give any words")
        secret = secret_from(wishes.seed) if wishes.seed is not None else new_secret()
        others = seats_for(self.tables, name, seat, bots)
        commands: list[cm.Command] = [
            cm.OpenTable(
                table=f"{self.tables.id}-{secrets.token_hex(4)}",
                secret=secret,
                used_cards=tuple(self.wallet.used) if self.wallet else (),
                dealt_from=wishes.seed or "",
            ),
            *opening(self.tables, name, seat, chips, others),
        ]
        for command in commands:
            outcome = session.do(command)
            if isinstance(outcome, Refusal):
                raise UpcardError(str(outcome))
        return session

    # -------------------------------------------------------------- players' cards

    def settle_cards(self, seat: PersonsSeat) -> None:
        """The wallet and the table tell each other which players' cards are given up by now."""
        with changed_wallet() as wallet:
            wallet.settle(seat.session, seat.me)
            spent = tuple(serial for serial in wallet.used if serial not in seat.state.used_cards)
        if spent:
            seat.do(cm.VoidCards(serials=spent), mine=False)

    def present(self, seat: PersonsSeat) -> None:
        """Offer to give up a player's card from an earlier visit."""
        player, casino = seat.state.player(seat.me), self.casino
        if casino is None or self.wallet is None or player is None:
            return
        held = open_wallet().cards.get(self.tables.id, [])
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
        with changed_wallet() as wallet:
            if card.serial in wallet.used:
                seat.tell("That card has been given up at another table by now.")
            elif seat.do(given):
                wallet.settle(seat.session, seat.me)
                seat.tell(f"Your card is given up: you start with {lights}.")

    # -------------------------------------------------------------- the end

    def kept(self) -> str:
        """The last words where the session is to go on some other time."""
        if self.seat is None:
            return "Nothing was played."
        where = f" --file {self.wishes.file}" if self.wishes.file else ""
        game = self.wishes.game or self.tables.id
        chosen = "".join(f" --set {setting}" for setting in typed_settings(self.tables))
        rounds, head = self.seat.state.rounds, self.seat.journal.head
        noted = f"{f'Round {rounds}' if rounds else 'No round yet'}, head {head[:SHORT]}."
        return f"Saved. `upcard play {game}{chosen}{where}` goes on from here.\n{noted}"

    def closed(self, seat: PersonsSeat) -> str:
        """The table is closed: the result, the opened seeds, and how to check them."""
        seat.save()
        if self.wallet is not None:
            with changed_wallet() as wallet:
                wallet.settle(seat.session, seat.me)
        file = put_aside(self.file) if self.wishes.file is None else self.file
        result = seat.count.now.session
        change = f"{'+' if result >= 0 else '-'}{format_cents(abs(result))}"
        rounds = seat.count.rounds
        took = format_cents(seat.count.bought + result)
        many = f"{rounds} round{'' if rounds == 1 else 's'}"
        words = f"{seat.me} leaves with {took} ({change} in {many})."
        check = f"upcard verify {file}"
        self.farewell(seat, words, check)
        head = seat.journal.head
        return f"{words}\nThe record is {file}\n`{check}` checks it.\nHead {head}"

    def farewell(self, seat: PersonsSeat, words: str, check: str) -> None:
        """A last page: the result, and every promise beside the seed that keeps it."""
        paint = self.screen.paint

        def lines(width: int, _: str) -> Block:
            found: Block = [*paint.wrapped(Text(words, paint.colours.own), width), Text()]
            for event in seat.session.events:
                if isinstance(event, ev.CardPunched) and event.player == seat.me:
                    kept = f"You take a player's card with {event.lights} punches along."
                    found.append(Text(kept, paint.colours.lamp))
                    if form := self.tables.floor.players_card:
                        cites = cited(self.tables.cites["players card"])
                        printed = Text(form).append(cites, paint.colours.clause)
                        found += paint.wrapped(printed, width)
                    found.append(Text())
            found.append(Text("Every card and every cent can be checked:"))
            hint = paint.wrapped(Text(check, paint.colours.key), width - 2)
            found += [Text("  ").append_text(line) for line in hint]
            found += [Text(), Text("The seeds of the shoes, opened:", paint.colours.strong)]
            found += [*opened_shoes(paint, seat.session.events, width), Text()]
            if head := seat.proof.head:
                found += digits(paint, "head", head, width)
            found.append(Text("A seed's SHA-256 is what was promised.", paint.colours.quiet))
            return found

        with contextlib.suppress(QuitError):
            Pager(self.screen, self.keyboard, [PagerPage("Goodbye", lines)], leave="leave").run()


def _person(session: Session) -> str:
    """The person is the first who bought chips."""
    return next(event.player for event in session.events if isinstance(event, ev.ChipsBought))


def visit(wishes: Wishes, settings: dict[str, str]) -> None:
    """A visit in the real terminal, menu included; the terminal is left as it was."""
    import typer
    from rich.console import Console

    from upcard.cli.arguments import settings_in_cents
    from upcard.cli.play.keys import TerminalKeyboard
    from upcard.cli.play.menu import choose_game
    from upcard.cli.play.screen import curtain_of
    from upcard.compile.tables import tables_for

    console = Console(highlight=False)
    tables = tables_for(wishes.game, settings) if wishes.game else None
    with TerminalKeyboard(curtain_of(console)) as keyboard:
        try:
            if tables is None:
                game = choose_game(console, keyboard)
                if game is None:
                    return
                wishes = replace(wishes, game=game)
                tables = tables_for(game, settings_in_cents(game, settings))
            words = Sitting(tables, wishes, keyboard, console).run()
        except EOFError:
            return
    try:
        typer.echo(words)
        sys.stdout.flush()
    except OSError:
        _turn_away()


def _turn_away() -> None:
    """The terminal has hung up: nobody reads what would still be said."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
