"""Checking a record: does its chain hold, is it the game it says, was every act legal, is every
cent there, were the cards shuffled as promised, and did the house keep its hands off them?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from upcard.compile.tables import GameTables
from upcard.money import format_cents
from upcard.shape import shown
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.bots import DealersStrategy, StrategyOf
from upcard.table.chain import Chain
from upcard.table.conduct import FailedError, conduct, is_scripted, place_of, stand_in
from upcard.table.engine import IMPOSSIBLE, NEW_TABLE, Engine
from upcard.table.judge import Refusal
from upcard.table.ledger import BANK, LAYOUT
from upcard.table.plain_tables import PlainTables
from upcard.table.players_cards import Casino
from upcard.table.session import Entry, Log
from upcard.table.state import TableState
from upcard.text import counted, shortened

Found = tuple[str, bool]
"""What a check says where nothing is wrong, and whether that is proven."""

LONGEST_EVENT = 320
"""Characters of an event that a check quotes, at most; those of a shoe's order are a book."""


class Check(NamedTuple):
    """One thing that was checked: a name, whether it holds, and what was found.

    What is not `proven` is not wrong, but nothing shows that it is right.
    """

    name: str
    holds: bool
    found: str
    proven: bool = True


def verify(
    tables: GameTables,
    log: Log,
    casino: Casino | None = None,
    chain: Chain | None = None,
    *,
    plays: StrategyOf = DealersStrategy,
) -> tuple[Check, ...]:
    """All checks of a record. Each tells the first difference that it finds.

    The conduct of the house is weighed by rounds that `plays` plays: the better, the sharper.

    The signatures of players' cards can be checked only with the casino's key; without it they are
    taken as they are. A log that was read from a file has a `chain`; one of old has none.
    """
    checks: tuple[tuple[str, Callable[[], Found]], ...] = (
        ("fingerprint", lambda: fingerprint(tables, log)),
        ("shuffle", lambda: _shuffle(tables, log)),
        ("legality", lambda: _legality(tables, log, casino, whole=chain is not None)),
        ("money", lambda: money(tables, log)),
        ("conduct", lambda: (conduct(tables, log, plays), not is_scripted(log))),
    )
    found: list[Check] = []
    for name, check in checks:
        if name == "conduct" and (broken := unweighable(found)):
            words = f"not weighed: the {broken} does not hold, so nobody knows what was dealt"
            found.append(Check(name, True, words, proven=False))
        else:
            found.append(checked(name, check))
    return tuple(found)


def checked(name: str, check: Callable[[], Found]) -> Check:
    """What one check finds."""
    try:
        words, proven = check()
        return Check(name, True, shortened(words), proven)
    except FailedError as error:
        return Check(name, False, shortened(str(error)))
    except IMPOSSIBLE as error:
        return Check(name, False, shortened(f"what the record says cannot happen: {error}"))


def unweighable(checks: Iterable[Check]) -> str:
    """The check without which the conduct of the house cannot be weighed; "" if there is none.

    Rounds played on with cards that no shoe has would tell nothing, and could take for ever.
    """
    needed = ("shuffle", "legality")
    return next((check.name for check in checks if check.name in needed and not check.holds), "")


def fingerprint(tables: GameTables, log: Log) -> Found:
    """Whether the game is the one that the record names."""
    places = [("the head of the file", log.fingerprint)]
    places += [
        (place_of(number, entry), event.fingerprint)
        for number, entry in enumerate(log.entries, 1)
        for event in entry.events
        if isinstance(event, ev.TableOpened)
    ]
    for place, fingerprint in places:
        if fingerprint != tables.fingerprint:
            raise FailedError(
                f"{place} has the fingerprint {fingerprint[:16]}..., and {tables.ref} with these "
                f"settings has {tables.fingerprint[:16]}...: it is not the same game"
            )
    where = f", from the game file {log.game_file}" if log.game_file else ""
    return f"{tables.ref}, {tables.fingerprint[:16]}...{where}", True


# ------------------------------------------------------------------ legality


def _legality(tables: GameTables, log: Log, casino: Casino | None, *, whole: bool) -> Found:
    """Plays every command again and compares what follows with what is recorded.

    A log may stop in the middle of its last entry; in a `whole` record every entry is complete.
    """
    # Tables whose records were not chained yet let the house do more; `conduct` looks at that.
    engine = Engine(tables, casino or stand_in(log), lenient=not whole)
    count = follow(engine, NEW_TABLE, log, whole=whole)
    commands = sum(entry.command is not None for entry in log.entries)
    rules = f"{counted(commands, 'command')} and {counted(count, 'event')} follow the rules"
    trusted = list(on_trust(log, casino))
    return "; ".join([rules, *trusted]), not trusted


def follow(engine: Engine, state: TableState, log: Log, *, whole: bool, first: int = 1) -> int:
    """Play the commands from some entry on; the first difference fails. Gives how many events."""
    count = 0
    for number, entry in enumerate(log.entries, 1):
        if number < first:
            continue
        expected = _as_titled(log, _expected(engine, state, entry, number))
        # What was gone on with after a cut may stop in the middle as well.
        at_end = number == len(log.entries)
        last = not whole if at_end else log.entries[number].command is None
        for place, (recorded, real) in enumerate(_pairs(entry.events, expected), 1):
            if recorded is None and last:
                break
            if recorded != real:
                raise FailedError(
                    f"{place_of(number, entry)}, event {place}: the record says {_said(recorded)}, "
                    f"the rules give {_said(real)}"
                )
            assert recorded is not None
            state = engine.evolve(state, recorded)
            count += 1
    return count


def on_trust(log: Log, casino: Casino | None) -> Iterator[str]:
    """What the house says of other tables, which no rule can check."""
    cards = sum(isinstance(event, ev.CardSurrendered) for event in log.events)
    if cards and casino is None:
        given = counted(cards, "player's card", "players' cards")
        yield f"{given} taken on trust: only the casino's key tells a real one"
    opened = [event for event in log.events if isinstance(event, ev.TableOpened)]
    if lights := sum(lights.lit for event in opened for lights in event.lights):
        yield f"{counted(lights, 'light')} lit when the table opened, on the house's word"
    own = {event.serial for event in log.events if isinstance(event, ev.CardPunched)}
    told = (event.serials for event in log.events if isinstance(event, ev.CardsVoided))
    if void := sum(serial in own for serials in told for serial in serials):
        named = counted(void, "player's card", "players' cards")
        yield f"{named} of this table void on the house's word"


def _expected(engine: Engine, state: TableState, entry: Entry, number: int) -> tuple[ev.Event, ...]:
    if entry.command is None:
        return engine.run(state).events
    outcome = engine.act(state, entry.command)
    if isinstance(outcome, Refusal):
        raise FailedError(f"{place_of(number, entry)}: the rules refuse it: {outcome}")
    return outcome.events


def _as_titled(log: Log, events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """With settings as the title spells them: tables once kept `.75` where `0.75` is kept now."""
    settings = tuple(log.settings.items())
    return tuple(
        msgspec.structs.replace(event, settings=settings)
        if isinstance(event, ev.TableOpened)
        else event
        for event in events
    )


def _pairs(
    recorded: tuple[ev.Event, ...], real: tuple[ev.Event, ...]
) -> Iterator[tuple[ev.Event | None, ev.Event | None]]:
    for place in range(max(len(recorded), len(real))):
        yield (
            recorded[place] if place < len(recorded) else None,
            real[place] if place < len(real) else None,
        )


def _said(event: ev.Event | None) -> str:
    return "nothing" if event is None else shown(event, LONGEST_EVENT)


# ------------------------------------------------------------------ money


def money(tables: GameTables, log: Log) -> Found:
    """Folds the record and looks at the ledger after every event."""
    engine = Engine(tables)
    state = NEW_TABLE
    rounds = 0
    for number, entry in enumerate(log.entries, 1):
        for place, event in enumerate(entry.events, 1):
            where = f"{place_of(number, entry)}, event {place}"
            try:
                state = engine.evolve(state, event)
            except IMPOSSIBLE as error:
                raise FailedError(
                    f"{where}: {_said(event)} cannot happen there: {error}"
                ) from error
            if state.ledger.total:
                raise FailedError(
                    f"{where}: the ledger's sum is {format_cents(state.ledger.total)}, not $0"
                )
            if isinstance(event, ev.RoundEnded):
                rounds += 1
                for account in (LAYOUT, BANK):
                    left = state.ledger.balance(account)
                    if left:
                        raise FailedError(f"{where}: {format_cents(left)} is left on the {account}")
    all_gone = f"nothing is left over from {counted(rounds, 'round')}"
    return f"the ledger sums to zero after every event; {all_gone}", True


# ------------------------------------------------------------------ the shuffle


def _shuffle(tables: GameTables, log: Log) -> Found:
    """Opens every shoe and deals its order again."""
    cards = PlainTables(tables).full_shoe
    secret, promised, scripted, text = "", "", False, ""
    clients: list[str] = []
    shown = opened = stacked = wordless = 0
    for number, entry in enumerate(log.entries, 1):
        for event in entry.events:
            match event:
                case ev.TableOpened():
                    secret, scripted, text = event.secret, event.scripted, event.dealt_from
                case ev.ShoeCommitted():
                    promised, clients = event.commitment, []
                case ev.SeedMixed():
                    clients.append(event.seed)
                case ev.ShoeShuffled():
                    shown += 1
                    wordless += not clients
                    seed = shoes.shoe_seed(secret, event.shoe)
                    order = shoes.shuffled(cards, seed, clients)
                    _need_promise(place_of(number, entry), event.shoe, seed, promised)
                    if order != event.order:
                        first = _first_difference(order, event.order)
                        raise FailedError(
                            f"{place_of(number, entry)}: shoe {event.shoe} is not the shuffle of "
                            f"its seed: they differ first at card {first}"
                        )
                case ev.ShoeStacked() if scripted:
                    stacked += 1
                case ev.ShoeStacked():
                    raise FailedError(f"{place_of(number, entry)}: the shoe was stacked by hand")
                case ev.ShoeOpened():
                    opened += 1
                    _need_promise(place_of(number, entry), event.shoe, event.seed, promised)
    waiting = f"; {shown - opened} not opened yet" if shown > opened else ""
    by_hand = f"; {counted(stacked, 'shoe')} stacked by hand, not shuffled" if stacked else ""
    fit = "fits the commitment made before it" if shown == 1 else "fit the commitments made before"
    known = f'; dealt from the text "{text}", so whoever knew it knew every card' if text else ""
    alone = f"; {wordless} without a player's word, so the house could have chosen" * bool(wordless)
    words = f"{counted(shown, 'shuffle')} {fit}{waiting}{by_hand}{alone}{known}"
    return words, not (stacked or wordless or text)


def _need_promise(where: str, shoe: int, seed: str, promised: str) -> None:
    if shoes.commitment(seed) != promised:
        raise FailedError(f"{where}: the seed of shoe {shoe} does not fit its commitment")


def _first_difference(order: tuple[str, ...], other: tuple[str, ...]) -> int:
    pairs = enumerate(zip(order, other, strict=False), 1)
    return next((place for place, (a, b) in pairs if a != b), min(len(order), len(other)) + 1)
