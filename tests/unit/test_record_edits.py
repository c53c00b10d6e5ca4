"""A thousand random edits of records: `verify` finds every one."""

from __future__ import annotations

from collections import Counter

import pytest

import chance
from conftest import compiled
from records import EDITS, KEY, OTHER_KEY, joined, lines, plain, record_of, relinked
from upcard import GAME_IDS
from upcard.errors import UpcardError
from upcard.table.notation import parse_record, write_log
from upcard.table.proof import NOTHING_NOTED, Noted, noted_checks, verify_record
from upcard.table.verify import Check

THOUSAND = 1002
"""As many as divide by the six games."""


def faults(game: str, data: bytes, noted: Noted = NOTHING_NOTED) -> list[str]:
    """What `verify` says of a record that does not hold."""
    try:
        record = parse_record(data, "record")
    except UpcardError as error:
        return [str(error)]
    if record.log.game != game:
        return ["another game"]
    checks: tuple[Check, ...] = verify_record(compiled(game), record, noted)
    return [f"{check.name}: {check.found}" for check in checks if not check.holds]


def found(game: str, data: bytes, noted: Noted = NOTHING_NOTED) -> str:
    """The first of them, "" if it holds."""
    return next(iter(faults(game, data, noted)), "")


def broken(data: bytes) -> str:
    """As `found`, by the chain alone, which is quicker."""
    try:
        chain = parse_record(data, "record").chain
    except UpcardError as error:
        return str(error)
    return chain.fault if chain is not None else "unchained"


@pytest.mark.chance
@pytest.mark.parametrize("game", GAME_IDS)
def test_every_edit_of_a_record_is_found(game: str) -> None:
    rng = chance.dice(f"edits {game}")
    data = record_of(game, 2)
    assert found(game, data) == "", "the record itself is good"
    tried: Counter[str] = Counter()
    for number in range(THOUSAND // len(GAME_IDS)):
        edit = EDITS[number % len(EDITS)]
        changed = edit(data, rng)
        assert changed != data
        every_check = number % len(EDITS) == number // len(EDITS) % len(EDITS)
        says = found(game, changed) if every_check else broken(changed)
        assert says, f"{edit.__name__} {number} was not found"
        tried[edit.__name__] += 1
    assert sum(tried.values()) == THOUSAND // len(GAME_IDS)
    assert len(tried) == len(EDITS)


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_cut_at_the_end_is_found_by_the_head_that_was_noted(game: str) -> None:
    data = record_of(game)
    chain = parse_record(data, "record").chain
    assert chain is not None
    noted = Noted(head=chain.head)
    assert found(game, data, noted) == ""
    parts = lines(data)
    seals = [n for n, line in enumerate(parts) if b'"seal"' in line]
    for cut in seals[-12:-1]:
        short = joined(parts[: cut + 1])
        (fault,) = faults(game, short, noted)
        assert fault.startswith("head: "), "nothing in the file itself shows it"
    for cut in range(len(parts) - 12, len(parts)):
        if cut - 1 not in seals:
            assert "stops in the middle of an entry" in found(game, joined(parts[:cut]))


def test_who_writes_the_chain_anew_is_found_by_the_key_or_the_head() -> None:
    """A forger without the table's key can only sign with another one."""
    data = record_of("blackjack")
    real = parse_record(data, "record")
    forged = write_log(real.log, OTHER_KEY).encode()
    assert found("blackjack", forged) == ""
    assert found("blackjack", forged, Noted(key=KEY.public)).startswith("key: ")
    assert real.chain is not None
    last = Noted(head=real.chain.seals[-1].head)
    assert found("blackjack", data, last) == ""
    assert found("blackjack", forged, last).startswith("head: ")
    # Of any other head the other checks say the same.
    other = parse_record(forged, "record")
    for seal in real.chain.seals:
        (holds,), (fails,) = (noted_checks(r, Noted(head=seal.head)) for r in (real, other))
        assert (holds.name, holds.holds, fails.name, fails.holds) == ("head", True, "head", False)


def test_another_key_in_the_title_is_found() -> None:
    data = record_of("blackjack").replace(KEY.public.encode(), OTHER_KEY.public.encode())
    assert found("blackjack", data).startswith("chain: ")


def test_signatures_cannot_be_taken_from_elsewhere() -> None:
    """The chain written anew in every hash, with seals of the real record: it does not fit."""
    log = parse_record(record_of("blackjack"), "record").log
    seals = [line for line in lines(record_of("blackjack")) if b'"seal"' in line]
    forged = lines(write_log(log, OTHER_KEY).encode())
    forged[0] = forged[0].replace(OTHER_KEY.public.encode(), KEY.public.encode())
    places = [n for n, line in enumerate(forged) if b'"seal"' in line]
    for place, seal in zip(places, seals, strict=True):
        forged[place] = seal
    assert found("blackjack", joined(forged)).startswith("chain: ")


@pytest.mark.parametrize("seal", ["", "00" * 64, "what the house likes"])
def test_an_event_has_no_seal(seal: str) -> None:
    parts = plain(record_of("blackjack"))
    assert broken(relinked(parts)) == ""
    parts[4] |= {"seal": seal}
    assert broken(relinked(parts)) == "line 5: is an event and a seal at once"


def test_a_title_alone_does_not_hold() -> None:
    title = plain(record_of("blackjack"))[:1]
    assert broken(relinked(title)) == "it has no entry: a title alone proves nothing"


def test_a_log_can_be_read_whatever_its_chain_says() -> None:
    parts = lines(record_of("blackjack"))
    loose = [line.replace(b'"after":"', b'"after":"00', 1) for line in parts]
    log = parse_record(joined(loose), "record")
    assert log.log == parse_record(record_of("blackjack"), "record").log
    assert log.chain is not None
    assert log.chain.fault.startswith("line 2: does not follow")
