"""The public record of an open table: nothing hidden is in it, and every change of it is found."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import pytest

import chance
from bot_sessions import CHIPS, do, seconds
from boxes import further_boxes
from conftest import compiled
from exhausting import SETTINGS, WORDS, back, exhausting_log, greedy
from records import EDITS, KEY, OTHER_KEY, joined, lines, plain, record_of, relinked
from shell import upcard
from upcard import GAME_IDS, tables_for
from upcard.cards import DECK
from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.service.public_proof import verify_public
from upcard.service.public_record import (
    PublicRecord,
    entries_of,
    is_public,
    parse_public,
    public_of,
    public_record,
)
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.bots import Bot
from upcard.table.chain import digest, lines_of
from upcard.table.clerk import Clerk, Question, Upcoming
from upcard.table.judge import Judge
from upcard.table.notation import parse_record, write_log
from upcard.table.plain_tables import BASE
from upcard.table.players_cards import Casino, PlayersCard
from upcard.table.proof import NOTHING_NOTED, Noted
from upcard.table.session import Entry, Log, Session
from upcard.table.shoe import secret_from, shoe_seed
from upcard.table.state import Shoe, TableState

HIDING = (ev.ShoeShuffled, ev.DiscardsShuffled, ev.CardBurned, ev.ShoeStacked)


def random_log(
    game: str, rng: random.Random, rounds: int = 5, positions: tuple[int, ...] = ()
) -> Log:
    """A table of random players who do anything that they may; it stays open."""
    session = Session(compiled(game, **SETTINGS[game]), clock=seconds())
    opening = cm.OpenTable(table="random", secret=rng.randbytes(32).hex(), positions=positions)
    do(session, opening)
    base = session.engine.look.money.wagers[BASE]
    wager = min(base.amounts, default=base.minimum)

    def anything(state: TableState, question: Question) -> Action:
        del state
        return rng.choice(question.actions)

    room = len(session.state.positions) // max(1, session.engine.look.plan.boxes)
    most = rng.randint(min(2, room), room)
    seats = dict(zip((f"P{n}" for n in range(1, most + 1)), session.state.positions, strict=False))
    names = list(seats)
    bots = {
        name: Bot(session.engine, name, wager=wager, bank=CHIPS // 10, chooser=anything)
        for name in names
    }
    for name, seat in seats.items():
        do(session, cm.BuyIn(player=name, amount=CHIPS))
        do(session, cm.Sit(player=name, seat=seat))
    for _ in range(rounds):
        if not session.state.shoe.order and rng.random() < 0.7:
            do(session, cm.MixSeed(player=rng.choice(names), seed=rng.choice(WORDS)))
        while (offer := session.state.offer) is not None and offer.player:
            do(session, bots[offer.player].take_bank(session.state))
        for name, bot in bots.items():
            command = bot.open_round(session.state, seats[name])
            if command is not None:
                do(session, command)
        back(session)
        for further in further_boxes(session.engine, session.state):
            do(session, further)
        do(session, cm.Deal())
        while question := session.question:
            do(session, bots[question.player].answer(session.state, question))
    return session.log()


def parts_of(data: bytes) -> tuple[bytes, list[bytes]]:
    return data[: data.index(b"\n") + 1], list(entries_of(data))


def checks(public: bytes, noted: Noted = NOTHING_NOTED) -> dict[str, str]:
    """What does not hold in a public record, by the name of the check."""
    try:
        record = parse_public(public, "public")
        tables = tables_for(record.log.game, record.log.settings)
    except UpcardError as error:
        return {"record": str(error)}
    if record.chain is not None and record.chain.fault:  # quicker than all checks
        return {"chain": record.chain.fault}
    found = verify_public(tables, record, noted)
    return {check.name: check.found for check in found if not check.holds}


# ------------------------------------------------------------------ nothing hidden is told


def telltales(log: Log, entries: list[bytes]) -> set[bytes]:
    """Everything that nobody may have after these entries, or that would tell it.

    That is the secret, the seed of a shoe that is not opened, and of every line from the first on
    that holds an unseen card of such a shoe: its hash, which trying 52 cards would open, and its
    seal, which tells for each of them whether it fits.
    """
    happened = [event for entry in log.entries[: len(entries)] for event in entry.events]
    opening = happened[0]
    assert isinstance(opening, ev.TableOpened)
    opened = {event.shoe for event in happened if isinstance(event, ev.ShoeOpened)}
    found = {opening.secret.encode()}
    found |= {shoe_seed(opening.secret, n).encode() for n in range(1, 20) if n not in opened}
    shoe, hidden = 0, False
    for entry, data in zip(log.entries, entries, strict=False):
        for line, event in zip(lines(data), (*entry.events, None), strict=True):
            shoe = event.shoe if isinstance(event, ev.ShoeCommitted) else shoe
            down = isinstance(event, ev.CardDealt) and event.face == "down"
            unseen = isinstance(event, HIDING) or down
            hidden = hidden or (unseen and shoe not in opened)
            if hidden:
                found.add(digest(line).encode())
                found.add(json.loads(line).get("seal", "no seal").encode())
    return found


def leaks(log: Log, title: bytes, entries: list[bytes]) -> list[bytes]:
    public = public_record(title, entries)
    return [tale for tale in telltales(log, entries) if tale in public.data]


@pytest.mark.chance
@pytest.mark.parametrize("game", GAME_IDS)
def test_nothing_hidden_is_in_it_at_any_time(game: str) -> None:
    rng = chance.dice(f"public {game}")
    log = random_log(game, rng)
    title, entries = parts_of(write_log(log, KEY).encode())
    assert len(entries) == len(log.entries)
    for count in range(1, len(entries) + 1):
        assert leaks(log, title, entries[:count]) == []


def test_the_search_for_leaks_finds_one() -> None:
    """Hashes in the place of hidden lines, which is what one would do at first."""
    log = random_log("blackjack", chance.dice("naive"), rounds=1)
    _, entries = parts_of(write_log(log, KEY).encode())
    hidden = [
        line
        for entry, data in zip(log.entries, entries, strict=True)
        for line, event in zip(lines(data), entry.events, strict=False)
        if isinstance(event, ev.CardDealt) and event.face == "down"
    ]
    assert hidden
    naive = [b'{"hidden":"%s"}' % digest(line).encode() for line in hidden]
    tales = telltales(log, entries)
    assert all(any(tale in line for tale in tales) for line in naive)
    for line in hidden:
        # Why it is a leak: the hash and the rest of the line are public, and there are 52 cards.
        card = json.loads(line)["event"]["card"]
        guesses = [
            str(guess)
            for guess in DECK
            if digest(line.replace(f'"card":"{card}"'.encode(), f'"card":"{guess}"'.encode()))
            == digest(line)
        ]
        assert guesses == [card]


def test_a_card_face_down_stays_hidden_until_its_shoe_is_opened() -> None:
    data = record_of("blackjack", 25, closed=False)
    title, entries = parts_of(data)
    opening = next(n for n, entry in enumerate(entries) if b'"ShoeOpened"' in entry)
    deal = next(n for n, entry in enumerate(entries) if b'"CardBurned"' in entry)
    before = public_record(title, entries[:opening])
    assert (before.entries, before.withheld) == (deal, opening - deal)
    assert b"ShoeShuffled" not in before.data
    after = public_record(title, entries[: opening + 1])
    assert (after.entries, after.withheld) == (opening + 1, 0)
    assert after.data.startswith(before.data), "what was public stays so"
    assert b'"face":"down"' in after.data
    assert b'"ShoeShuffled"' in after.data


def test_only_the_opening_is_hidden_by_its_hash() -> None:
    data = record_of("twisted-21", closed=False)
    public = public_of(data)
    whole, shown = lines(data), lines(public.data)
    differ = [n for n, (one, other) in enumerate(zip(whole, shown, strict=True)) if one != other]
    assert differ == [1]
    assert json.loads(shown[1]) == {"hidden": digest(whole[1])}
    assert is_public(public.data)
    assert not is_public(data)


def test_the_public_record_of_a_closed_table_is_its_record() -> None:
    for game in GAME_IDS:
        data = record_of(game)
        assert public_of(data) == PublicRecord(data, len(list(entries_of(data))), 0, closed=True)


def test_a_stacked_shoe_is_not_told() -> None:
    session = Session(compiled("blackjack"), clock=seconds())
    do(session, cm.OpenTable(table="s", secret="ab" * 32, scripted=True))
    do(session, cm.StackShoe(cards=("Ts", "9h", "8s", "Td", "2c", "Kd")))
    do(session, cm.BuyIn(player="Ann", amount=10_000))
    public = public_of(write_log(session.log(), KEY).encode())
    assert (public.entries, public.withheld) == (1, 2)
    do(session, cm.CloseTable())
    data = write_log(session.log(), KEY).encode()
    assert public_of(data).data == data


def test_an_entry_that_is_not_finished_is_left_out() -> None:
    data = record_of("twisted-21", closed=False)
    torn = public_of(data[: data.rindex(b"\n", 0, -1) + 1])
    assert torn.entries + torn.withheld == public_of(data).entries - 1


# ------------------------------------------------------------------ what it proves


@cache
def public_data(game: str) -> bytes:
    """The public record of a table whose shoes ran out more than once."""
    data = write_log(exhausting_log(game), KEY).encode()
    title, entries = parts_of(data)
    last = max(n for n, entry in enumerate(entries) if b'"ShoeCommitted"' in entry)
    return public_record(title, entries[: last + 1]).data


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_good_one_holds_and_its_rules_can_be_followed(game: str) -> None:
    record = parse_public(public_data(game), "public")
    found = verify_public(compiled(game, **SETTINGS[game]), record)
    assert {check.name: check.found for check in found if not check.holds} == {}
    by_name = {check.name: check for check in found}
    assert by_name["shuffle"].proven
    assert "follow the rules, if the table opened as usual" in by_name["legality"].found
    assert not by_name["legality"].proven
    assert "its first line is hidden until the table is closed" in by_name["hidden"].found


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_table_with_few_positions_holds_too(game: str) -> None:
    """Its positions are hidden, and what can be seen of them is enough."""
    log = random_log(game, chance.dice(f"few {game}"), rounds=8, positions=(1, 3, 4))
    public = public_of(write_log(log, KEY).encode())
    record = parse_public(public.data, "public")
    found = {c.name: c for c in verify_public(compiled(game, **SETTINGS[game]), record)}
    assert [check for check in found.values() if not check.holds] == []
    assert "follow the rules" in found["legality"].found


@pytest.mark.parametrize("game", GAME_IDS)
def test_what_breaks_the_rules_fails_where_no_opening_explains_it(game: str) -> None:
    log = exhausting_log(game)
    open_ = msgspec.structs.replace(log, entries=_until_the_last_promise(log.entries))
    found = checks(resigned(write_log(open_, KEY).encode(), "WagerSettled", won=123_456))
    assert "won" in found["legality"]


@pytest.mark.chance
@pytest.mark.parametrize("game", GAME_IDS)
def test_every_edit_of_a_public_record_is_found(game: str) -> None:
    rng = chance.dice(f"public edits {game}")
    data = public_data(game)
    for number in range(3 * len(EDITS)):
        edit = EDITS[number % len(EDITS)]
        changed = edit(data, rng)
        assert changed != data
        assert checks(changed), f"{edit.__name__} {number} was not found"


def test_every_byte_of_title_and_hidden_line_counts() -> None:
    """The chain does not hold the title there, so it is tried byte by byte."""
    data = public_data("blackjack")
    end = data.index(b"\n", data.index(b"\n") + 1) + 1
    short = data[: data.index(b"\n", data.index(b'"seal"')) + 1]
    for place in range(end):
        other = (data[place] + 1) % 128
        assert checks(short[:place] + bytes([other]) + short[place + 1 :]), f"byte {place}"


def resigned(data: bytes, kind: str, **changes: object) -> bytes:
    """Somebody with a key of their own changes the last event of a kind."""
    parts = plain(data)
    told = (part.get("event", {}) for part in parts)
    own = [event for event in told if event.get("event") == kind and set(changes) <= set(event)]
    own[-1].update(changes)
    return public_of(relinked(parts)).data


@pytest.mark.parametrize(
    ("kind", "changes", "says"),
    [
        ("ShoeOpened", {"seed": "ab" * 32}, "is not the shuffle"),
        ("SeedMixed", {"seed": "another"}, "is not the shuffle"),
        ("ShoeShuffled", {"cut": 40}, "is not the shuffle"),
        ("CardBurned", {"card": "As"}, "is the next card"),
        ("CardDealt", {"card": "As"}, "is the next card"),
        ("CardTurned", {"card": "As"}, "is turned up where"),
        ("DiscardsShuffled", {"order": ["As"] * 20}, "is not that of the cards laid off"),
        ("ShoeOpened", {"clients": ["x"]}, "other words than given"),
    ],
)
def test_a_house_that_forges_cards_is_found(
    kind: str, changes: dict[str, object], says: str
) -> None:
    log = exhausting_log("blackjack")
    open_ = msgspec.structs.replace(log, entries=_until_the_last_promise(log.entries))
    found = checks(resigned(write_log(open_, KEY).encode(), kind, **changes))
    assert says in found["shuffle"]


def _until_the_last_promise(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    last = max(
        n
        for n, entry in enumerate(entries)
        if any(isinstance(event, ev.ShoeCommitted) for event in entry.events)
    )
    return entries[: last + 1]


def test_a_seed_for_another_promise_is_found() -> None:
    parts = plain(public_data("twisted-21"))
    for part in parts:
        if part.get("event", {}).get("event") == "ShoeCommitted":
            part["event"]["commitment"] = "ab" * 32
    found = checks(_relinked_public(parts))
    assert "does not fit its promise" in found["shuffle"]


def _relinked_public(parts: list[dict[str, object]]) -> bytes:
    found = [msgspec.json.encode(parts[0] | {"key": OTHER_KEY.public})]
    head = str(parts[1]["hidden"])
    found.append(msgspec.json.encode(parts[1]))
    for part in parts[2:]:
        line = part | {"after": head}
        if "event" not in part:
            line["seal"] = OTHER_KEY.sign("upcard/2/seal/" + head)
        found.append(msgspec.json.encode(line))
        head = digest(found[-1])
    return joined(found)


# ------------------------------------------------------------------ a house that cheats


class EndsShoesEarly(Clerk):
    """Opens a shoe after every second round, whatever is left of it."""

    def between(self, state: TableState) -> Upcoming:
        shoe = state.shoe
        if shoe.order and state.rounds % 2 == 0 and not state.in_round:
            seed = self.seed(state, shoe.number)
            return ev.ShoeOpened(shoe=shoe.number, seed=seed, clients=shoe.clients)
        return super().between(state)


class PlaysPastTheCut(Clerk):
    """Goes on with a shoe as long as it has cards."""

    def between(self, state: TableState) -> Upcoming:
        shoe = state.shoe
        return None if shoe.cut_reached and shoe.left > 8 else super().between(state)


class BurnsMore(Clerk):
    """Burns five cards instead of one."""

    def burns(self, shoe: Shoe) -> bool:
        return shoe.burned < 5


class HasOneSeed(Clerk):
    """All its shoes have the seed of the first."""

    def seed(self, state: TableState, number: int) -> str:
        return super().seed(state, min(number, 1))


class PromisesNothing(Clerk):
    """Its commitments are no hashes."""

    def promise(self, state: TableState, number: int) -> str:
        return super().promise(state, number) if number < 3 else "soon"


CHEATS: dict[str, type[Clerk]] = {
    "is opened too early": EndsShoesEarly,
    "had to be opened": PlaysPastTheCut,
    "one card too many is burned": BurnsMore,
    "has the promise of": HasOneSeed,
    "has not 64": PromisesNothing,
}


def sharp_house(game: str, clerk: type[Clerk] = Clerk, *, mistakes: bool = False) -> Session:
    """Two players at a table whose clerk does as it likes, until the third shoe is promised."""
    session = Session(compiled(game, decks=1, penetration=0.5), clock=seconds())
    engine = session.engine
    engine.clerk = clerk(engine.look)
    engine.judge = Judge(engine.clerk)
    do(session, cm.OpenTable(table="sharp", secret=secret_from("sharp"), scripted=mistakes))
    bots = {name: Bot(engine, name, wager=500, bank=0) for name in ("Ann", "Bo")}
    for seat, name in enumerate(bots, 1):
        do(session, cm.BuyIn(player=name, amount=CHIPS))
        do(session, cm.Sit(player=name, seat=seat))
    while session.state.shoe.number < 3:
        if not session.state.shoe.order and not session.state.shoe.clients:
            do(session, cm.MixSeed(player="Ann", seed="a word"))
        for seat, bot in enumerate(bots.values(), 1):
            if (wager := bot.open_round(session.state, seat)) is not None:
                do(session, wager)
        for further in further_boxes(session.engine, session.state):
            do(session, further)
        do(session, cm.Deal())
        if mistakes and session.question:
            do(session, cm.FindFaceUp())
        while question := session.question:
            do(session, bots[question.player].answer(session.state, question))
    return session


def sharp_record(game: str, clerk: type[Clerk] = Clerk, *, mistakes: bool = False) -> bytes:
    log = sharp_house(game, clerk, mistakes=mistakes).log()
    return public_of(write_log(log, KEY).encode()).data


@pytest.mark.parametrize("game", ["blackjack", "ten-sticks-21"])
def test_the_sharp_house_holds_where_it_plays_by_the_rules(game: str) -> None:
    """Else the tests of what it does would show nothing."""
    assert checks(sharp_record(game)) == {}


@pytest.mark.parametrize("game", ["blackjack", "ten-sticks-21"])
@pytest.mark.parametrize("says", CHEATS)
def test_what_a_sharp_house_does_to_shoes_is_found(says: str, game: str) -> None:
    assert says in checks(sharp_record(game, CHEATS[says]))["shuffle"]


def test_cards_that_the_house_threw_away_are_counted() -> None:
    data = sharp_record("blackjack", mistakes=True)
    count = data.count(b'"event":"CardFoundFaceUp"')
    assert count > 1
    record = parse_public(data, "public")
    found = {
        c.name: c for c in verify_public(compiled("blackjack", decks=1, penetration=0.5), record)
    }
    assert all(check.holds for check in found.values())
    assert f"{count} cards thrown away by mistakes on order" in found["shuffle"].found
    assert not found["shuffle"].proven


def without_the_next_promise(*, sealed: bool) -> bytes:
    """A record that ends with the opening of a shoe: broken off, or so written by a house."""
    parts = plain(sharp_record("blackjack"))
    last = max(n for n, part in enumerate(parts) if "ShoeOpened" in str(part.get("event")))
    seal: list[dict[str, object]] = [{"after": "", "seal": ""}] if sealed else []
    return _relinked_public([*parts[: last + 1], *seal])


@pytest.mark.parametrize("sealed", [False, True])
def test_a_record_that_breaks_off_behind_an_opened_shoe_is_verified_to_its_end(
    sealed: bool, tmp_path: Path
) -> None:
    """In a process of its own: once it promised the next shoe for ever."""
    data = without_the_next_promise(sealed=sealed)
    path = tmp_path / "public.jsonl"
    path.write_bytes(data)
    command = [sys.executable, "-m", "upcard", "verify", str(path)]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert ("legality" in checks(data)) == sealed
    record = parse_public(data, "public")
    found = {
        c.name: c for c in verify_public(compiled("blackjack", decks=1, penetration=0.5), record)
    }
    assert "the next is not promised" in found["shuffle"].found
    says = "shoe 3 is not promised" if sealed else "not followed: the chain does not hold"
    assert says in found["legality"].found


def hidden_again(data: bytes) -> bytes:
    """A record whose opening somebody covers: that needs no key."""
    first, opening, *rest = lines(data)
    return joined([first, msgspec.json.encode({"hidden": digest(opening)}), *rest])


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_opening_of_a_closed_table_cannot_be_hidden_again(game: str) -> None:
    found = checks(hidden_again(record_of(game, 2)))
    assert found == {"hidden": "the table is closed, so its opening must be told"}


# ------------------------------------------------------------------ lights


def lit_table(*lights: ev.Lights, after: Callable[[Session], None] = lambda _: None) -> bytes:
    """A table of Ten Sticks 21 with lights from before, where everybody takes cards."""
    casino = Casino("Club", "key")
    tables = compiled("ten-sticks-21", decks=1, penetration=0.5, players_card=True)
    session = Session(tables, clock=seconds(), casino=casino)
    opening = cm.OpenTable(table="lit", secret=secret_from("lit"), used_cards=("d" * 24,))
    do(session, msgspec.structs.replace(opening, lights=lights))
    bots = {
        name: Bot(session.engine, name, wager=500, bank=0, chooser=greedy) for name in ("Ann", "Bo")
    }
    for seat, name in enumerate(bots, 1):
        do(session, cm.BuyIn(player=name, amount=CHIPS))
        do(session, cm.Sit(player=name, seat=seat))
    after(session)
    while session.state.shoe.number < 8:
        seats = {player.name: player.seat for player in session.state.players}
        for name, bot in bots.items():
            if (wager := bot.open_round(session.state, seats[name])) is not None:
                do(session, wager)
        for further in further_boxes(session.engine, session.state):
            do(session, further)
        do(session, cm.Deal())
        while question := session.question:
            do(session, bots[question.player].answer(session.state, question))
    for name in bots:
        do(session, cm.Leave(player=name))
    return write_log(session.log(), KEY).encode()


def a_card_is_given_up(session: Session) -> None:
    assert session.engine.casino is not None
    card = PlayersCard("Club", "ten-sticks-21", "Bo", "a" * 24, 7)
    token = session.engine.casino.punch(card)
    do(session, cm.PresentCard(player="Bo", position=2, token=token))
    do(session, cm.VoidCards(serials=("d" * 24, "a" * 24, "e" * 24)))
    do(session, cm.Move(player="Ann", seat=4))


def legality_of(public: bytes) -> str:
    record = parse_public(public, "public")
    found = verify_public(tables_for(record.log.game, record.log.settings), record)
    assert [check for check in found if not check.holds] == []
    return next(check.found for check in found if check.name == "legality")


def test_lights_that_were_lit_before_explain_what_follows() -> None:
    before = (ev.Lights("Ann", 1, 8), ev.Lights("Bo", 5, 3), ev.Lights("Ann", 4, 2))
    public = public_of(lit_table(*before, after=a_card_is_given_up)).data
    assert b"PrizeWon" in public
    assert b"CardPunched" in public
    said = legality_of(public)
    assert "follow the rules, if the table opened as usual" in said
    assert "13 lights lit when the table opened, on the house's word" in said
    assert "1 player's card taken on trust" in said
    assert "lit when the table opened" not in legality_of(public_of(lit_table()).data)


@pytest.mark.parametrize("lit", [-3, 0, 10, 11, 10**9])
def test_lights_that_no_opening_explains_do_not_hold(lit: int) -> None:
    data = lit_table(ev.Lights("Ann", 1, 8))
    assert "legality" in checks(resigned(data, "LightLit", lights=lit))
    parts = plain(data)
    first = next(p["event"] for p in parts if p.get("event", {}).get("event") == "LightLit")
    first["lights"] = lit
    assert "legality" in checks(public_of(relinked(parts)).data)


def test_what_was_noted_is_compared() -> None:
    data = public_data("blackjack")
    chain = parse_public(data, "public").chain
    assert chain is not None
    whole = parse_record(write_log(exhausting_log("blackjack"), KEY).encode(), "record").chain
    assert whole is not None
    assert chain.head in {seal.head for seal in whole.seals}, "so both can be compared"
    assert checks(data, Noted(head=chain.head, key=KEY.public)) == {}
    assert set(checks(data, Noted(head="ab" * 32, key="cd" * 32))) == {"head", "key"}


# ------------------------------------------------------------------ the command


def test_verify_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "public.jsonl"
    path.write_bytes(public_data("twisted-21"))
    done = upcard("verify", str(path))
    assert done.status == 0
    assert "a public record: its first line is hidden" in " ".join(done.out.split())
    told = json.loads(upcard("verify", str(path), "--json").out)
    assert told["public"] is True
    assert told["holds"] is True
    refused = upcard("verify", str(path), "--certificate", str(tmp_path / "paper"))
    assert refused.status != 0
    assert "is for a whole record" in refused.err
    path.write_bytes(public_data("twisted-21").replace(b'"face":"up"', b'"face":"down"', 1))
    assert upcard("verify", str(path)).status == 1


def test_verify_takes_it_among_others(tmp_path: Path) -> None:
    (tmp_path / "public.jsonl").write_bytes(public_data("twisted-21"))
    (tmp_path / "whole.jsonl").write_bytes(record_of("blackjack", 2))
    done = upcard("verify", str(tmp_path))
    assert done.status == 0, done.out


@pytest.mark.parametrize(
    "hidden", [b'{"hidden":"ab"}', b'{"hidden": "%s"}' % (b"ab" * 32), b'{"hidden":5}']
)
def test_a_hidden_line_has_one_form(hidden: bytes) -> None:
    parts = lines(public_data("blackjack"))
    assert "line 2" in checks(joined([parts[0], hidden, *parts[2:]]))["record"]


def test_lines_of_a_public_record_end_with_a_seal() -> None:
    data = public_data("blackjack")
    *_, (_, _, end) = lines_of(data)
    assert end == len(data)
    cut = joined(lines(data)[:-1])
    assert "stops in the middle of an entry" in checks(cut)["chain"]
