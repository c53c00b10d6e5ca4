"""What a public record proves, and what stays open until its table is closed."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Mapping
from itertools import product

import msgspec
from msgspec.structs import replace

from upcard.compile.tables import GameTables
from upcard.service.public_record import UNKNOWN, serials_of
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.clerk import Clerk
from upcard.table.commands import PresentCard, VoidCards
from upcard.table.conduct import FailedError, place_of, stand_in
from upcard.table.engine import IMPOSSIBLE, NEW_TABLE, Engine
from upcard.table.notation import Record
from upcard.table.plain_tables import PlainTables
from upcard.table.players_cards import PlayersCard
from upcard.table.proof import NOTHING_NOTED, Noted, chain_check, is_closed, noted_checks
from upcard.table.session import Entry, Log
from upcard.table.state import TableState
from upcard.table.verify import Check, Found, checked, fingerprint, follow, money, on_trust
from upcard.text import counted

STAYS_OPEN = (
    "a public record: its first line is hidden until the table is closed, because it holds the "
    "secret of all shoes, and what came after the last entry until its shoe is opened. Then check "
    "again: that the secret gives these very seeds, that the table opened as any other, and how "
    "the house behaved (--head compares the two)"
)

UNFOLLOWED = Check(
    "legality",
    True,
    "not followed: the chain does not hold, so nobody knows what was done",
    proven=False,
)


class _PublicClerk(Clerk):
    """Knows the seeds of opened shoes, and of the others no more than their promises."""

    def __init__(self, look: PlainTables, log: Log) -> None:
        super().__init__(look, stand_in(log))
        self.seeds = _seeds(log)
        committed = (e for e in log.events if isinstance(e, ev.ShoeCommitted))
        self.promises = {event.shoe: event.commitment for event in committed}
        self.first_promised: dict[str, int] = {}
        for number, promise in sorted(self.promises.items()):
            self.first_promised.setdefault(promise, number)
        self.serials = serials_of(log)

    def seed(self, state: TableState, number: int) -> str:
        del state
        if number not in self.seeds:
            raise FailedError(f"shoe {number} is dealt from, but not opened in a public record")
        return self.seeds[number]

    def promise(self, state: TableState, number: int) -> str:
        if number in self.seeds:
            return super().promise(state, number)
        promise = self.promises.get(number, "")
        if not shoes.is_secret(promise):  # with no promise at all the next shoe never stops coming
            raise FailedError(f"shoe {number} is not promised by 64 hexadecimal digits")
        return promise

    def next_serial(self, state: TableState) -> str:
        return self.serials[state.punched] if state.punched < len(self.serials) else ""


def _seeds(log: Log) -> Mapping[int, str]:
    return {event.shoe: event.seed for event in log.events if isinstance(event, ev.ShoeOpened)}


def verify_public(
    tables: GameTables, record: Record, noted: Noted = NOTHING_NOTED, *, own_key: str = ""
) -> tuple[Check, ...]:
    """All checks of a public record."""
    look = PlainTables(tables)
    log = _opened_as_usual(look, record.log)
    clerk = _PublicClerk(look, log)
    chain = chain_check(log, record.chain, own_key)
    return (
        chain,
        checked("fingerprint", lambda: _title(tables, log)),
        checked("shuffle", lambda: _shuffle(tables, log, clerk)),
        checked("legality", lambda: _legality(tables, log, clerk)) if chain.holds else UNFOLLOWED,
        checked("money", lambda: money(tables, log)),
        checked("hidden", lambda: _hidden(log)),
        *noted_checks(record, noted),
    )


def _hidden(log: Log) -> Found:
    """Whether it may still be hidden."""
    _need(not is_closed(log), "the table is closed, so its opening must be told")
    return STAYS_OPEN, False


# ------------------------------------------------------------------ the hidden opening


def _opened_as_usual(look: PlainTables, log: Log) -> Log:
    """The log with an opening that fits: positions matter where empty ones get cards too."""
    seen = {getattr(event, name, 0) for event in log.events for name in ("position", "seat")}
    offers = (event.turn for event in log.events if isinstance(event, ev.BankOffered))
    first, *rest = log.entries or (Entry(None, ()),)
    opening, *events = first.events or (None,)
    if not isinstance(opening, ev.TableOpened):
        return log
    opening = replace(
        opening,
        game=look.tables.ref,
        positions=tuple(sorted(seen - {0})),
        first_turn=next(offers, 1),
        secret=UNKNOWN,
        casino=_casino_of(log),
        lights=_lights_before(look, log),
        used_cards=_void_before(log),
    )
    return replace(log, entries=(replace(first, events=(opening, *events)), *rest))


def _lights_before(look: PlainTables, log: Log) -> tuple[ev.Lights, ...]:
    """The lights that must have been lit at the opening.

    The first event that counts a set tells it; of a set that nobody counts nothing follows.
    """
    carry = look.tables.carry
    told: dict[tuple[str, int], int] = {}
    came_from: dict[tuple[str, int], tuple[str, int]] = {}  # who moves takes a set along

    def tell(player: str, position: int, lit: int) -> None:
        told.setdefault(came_from.get((player, position), (player, position)), lit)

    for event in log.events:
        match event:
            case ev.LightLit():
                tell(event.player, event.position, event.lights - 1)
            case ev.LightsLost() | ev.CardPunched():
                tell(event.player, event.position, event.lights)
            case ev.CardSurrendered():
                tell(event.player, event.position, 0)
            case ev.PlayerMoved():
                old = event.player, look.lights_position(event.left)
                new = event.player, look.lights_position(event.seat)
                tell(*old, event.lights)
                came_from[old], came_from[new] = came_from.get(new, new), came_from.get(old, old)
    most = 0 if carry is None else len(carry.next) - 1
    return tuple(ev.Lights(*owner, lit) for owner, lit in told.items() if 1 <= lit <= most)


def _void_before(log: Log) -> tuple[str, ...]:
    """Players' cards that were void at the opening: it was told again, and nothing came of it."""
    known: set[str] = set()
    found: list[str] = []
    for entry in log.entries:
        for event in entry.events:
            if isinstance(event, ev.CardSurrendered):
                known.add(event.serial)
            elif isinstance(event, ev.CardsVoided):
                known.update(event.serials)
        if isinstance(entry.command, VoidCards):
            found += [serial for serial in entry.command.serials if serial not in known]
    return tuple(found)


def _casino_of(log: Log) -> str:
    """The casino of the players' cards that were given up here."""
    commands = (entry.command for entry in log.entries)
    tokens = (command.token for command in commands if isinstance(command, PresentCard))
    return next((name for token in tokens if (name := _punched_by(token))), "")


def _punched_by(token: str) -> str:
    """The casino that a player's card says it is of, "" if it is no card."""
    body = token.strip().rpartition(".")[0]
    try:
        data = urlsafe_b64decode(body + "=" * (-len(body) % 4))
        return msgspec.json.decode(data, type=PlayersCard).casino
    except (ValueError, RecursionError):  # the errors of msgspec and base64 are ValueErrors
        return ""


def _title(tables: GameTables, log: Log) -> Found:
    """The rules of the title. The chain does not hold it: the line that has its hash is hidden.

    So it must stand there just as tables write it, and what it says must give its fingerprint.
    """
    found = fingerprint(tables, log)
    if log.settings != dict(tables.settings) or (log.game != tables.id and not log.game_file):
        raise FailedError("the title is not as a table writes it")
    return found


# ------------------------------------------------------------------ the shuffle


def _shuffle(tables: GameTables, log: Log, clerk: _PublicClerk) -> Found:
    """Every opened shoe: promise, order, every card that came, every shuffle of discards."""
    engine = Engine(tables)
    state = NEW_TABLE
    shuffles = cards = wordless = mistakes = 0
    promise_due = False
    for number, entry in enumerate(log.entries, 1):
        for event in entry.events:
            try:
                _need(
                    not promise_due or isinstance(event, ev.ShoeCommitted),
                    f"shoe {state.shoe.number} is opened, and the next one is not promised",
                )
                _follows(clerk, state, event)
                after = engine.evolve(state, event)
            except FailedError as error:
                raise FailedError(f"{place_of(number, entry)}: {error}") from None
            except IMPOSSIBLE as error:
                name = type(event).__name__
                raise FailedError(
                    f"{place_of(number, entry)}: {name} cannot happen there: {error}"
                ) from None
            shuffles += isinstance(event, ev.ShoeShuffled | ev.DiscardsShuffled)
            wordless += isinstance(event, ev.ShoeShuffled) and not state.shoe.clients
            cards += isinstance(event, ev.CardDealt | ev.CardBurned)
            mistakes += isinstance(event, ev.CardFoundFaceUp | ev.CardDrawnInError)
            promise_due = isinstance(event, ev.ShoeOpened) and state.stage != "closed"
            state = after
    _need(not promise_due, f"it ends with shoe {state.shoe.number}, and the next is not promised")
    dealt = f"{counted(cards, 'card')}, each the next of its shoe"
    opened = counted(len(clerk.seeds), "opened shoe")
    words = [f"{counted(shuffles, 'shuffle')} of {opened}, each as promised; {dealt}"]
    if wordless:
        words.append(f"{wordless} without a player's word, so the house could have chosen")
    if mistakes:
        words.append(f"{counted(mistakes, 'card')} thrown away by mistakes on order")
    if not clerk.seeds:
        words = ["no shoe is opened yet, so there is nothing to compare"]
    waiting = sorted(set(clerk.promises) - set(clerk.seeds))
    if waiting:
        words.append(f"shoe {waiting[-1]} is promised")
    return "; ".join(words), bool(clerk.seeds) and not (wordless or mistakes)


def _follows(clerk: _PublicClerk, state: TableState, event: ev.Event) -> None:
    """Whether what an event says of cards follows from the shoe."""
    shoe, rules = state.shoe, clerk.plan.shoe
    is_done = shoe.order and (shoe.cut_reached or rules.shuffles_every_round)
    match event:
        case ev.ShoeCommitted():
            _need(event.shoe == shoe.number + 1, f"shoe {event.shoe} is promised out of turn")
            _need(not shoe.commitment, f"shoe {shoe.number} is not opened yet")
            is_promise = shoes.is_secret(event.commitment)
            _need(is_promise, f"the promise of shoe {event.shoe} has not 64 hexadecimal digits")
            first = clerk.first_promised.get(event.commitment, event.shoe)
            _need(first == event.shoe, f"shoe {event.shoe} has the promise of shoe {first}")
        case ev.RoundStarted():
            _need(not is_done, f"a round starts, but shoe {shoe.number} had to be opened")
        case ev.ShoeShuffled():
            _need(event.shoe == shoe.number and not shoe.order, "another shoe was promised")
            _need(
                event == clerk.new_shoe(state),
                f"shoe {event.shoe} is not the shuffle of its seed and words",
            )
        case ev.DiscardsShuffled():
            _need(not shoe.left, "discards are shuffled, but the shoe is not empty")
            _need(
                event == clerk.run_out(state, "a card"),
                "the shuffle of discards is not that of the cards laid off",
            )
        case ev.ShoeOpened():
            promised = shoes.commitment(event.seed) == shoe.commitment
            _need(promised, f"the seed of shoe {event.shoe} does not fit its promise")
            _need(event.shoe == shoe.number, f"shoe {event.shoe} is opened, but was not promised")
            _need(event.clients == shoe.clients, "the shoe is opened with other words than given")
            _need(not state.in_round, "the shoe is opened in the middle of a round")
            _need(is_done or state.stage == "closed", f"shoe {event.shoe} is opened too early")
        case ev.CardBurned() | ev.CardDealt() | ev.CardFoundFaceUp() | ev.CardDrawnInError():
            _need(shoe.left, "a card is taken, and the shoe has none")
            next_card = shoe.order[shoe.dealt]
            _need(event.card == next_card, f"{event.card} comes where {next_card} is the next card")
            behind = shoe.dealt >= shoe.cut and not shoe.cut_reached
            in_play = isinstance(event, ev.CardBurned | ev.CardDealt)
            _need(not (behind and in_play), "the card behind the cut card comes unannounced")
            if isinstance(event, ev.CardBurned):
                _need(shoe.burned < rules.burn, "one card too many is burned")
            elif isinstance(event, ev.CardDealt):
                burned = shoe.burned
                _need(burned == rules.burn, f"a card is dealt after {burned} burned ones")
        case ev.CutCardReached():
            _need(shoe.dealt >= shoe.cut and not shoe.cut_reached, "the cut card does not lie here")
        case ev.CardTurned():
            lies = _down_cards(state, event.position)[event.place - 1]
            _need(event.card == lies, f"{event.card} is turned up where {lies or 'no card'} lies")
        case ev.ShoeStacked():
            raise FailedError("a shoe is stacked, which a public record does not show")


def _down_cards(state: TableState, position: int) -> tuple[str, ...]:
    here = state.round
    assert here is not None, "no round is on"
    if not position:
        return here.dealer.down
    box = here.box(position)
    assert box is not None, "nobody plays there"
    return box.down


def _need(condition: object, words: str) -> None:
    if not condition:
        raise FailedError(words)


# ------------------------------------------------------------------ the rules


def _legality(tables: GameTables, log: Log, clerk: _PublicClerk) -> Found:
    """Every command behind the opening, played again from each table that can have opened so.

    What follows depends on the positions, on whether the table is scripted, and in a game with
    lights on those that were lit already, which the record tells where they matter.
    """
    engine = Engine(tables, clerk=clerk)
    first, *rest = log.entries
    opening = first.events[0]
    assert isinstance(opening, ev.TableOpened)
    every = tuple(range(1, clerk.look.plan.positions + 1))
    difference: Exception | None = None
    for scripted, positions in product((False, True), (opening.positions, every)):
        opened = replace(opening, scripted=scripted, positions=positions)
        try:
            state = engine.fold((opened, *first.events[1:]))
            count = follow(engine, state, log, whole=True, first=2)
        except (FailedError, *IMPOSSIBLE) as error:
            difference = difference or error
            continue
        commands = sum(entry.command is not None for entry in rest)
        words = f"{counted(commands, 'command')} and {counted(count, 'event')} follow the rules"
        kind = "as a scripted table" if scripted else "as usual"
        words = f"{words}, if the table opened {kind}: its opening is hidden"
        return "; ".join([words, *on_trust(log, None)]), False
    raise FailedError(str(difference))
