"""The page on which a stranger checks a record says the same as `upcard verify`.

Its script is taken out of the page and run in Node; a browser, where there is one, shows the page.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import chance
from bot_sessions import bot_log
from browsers import FLAGS, browser_path
from exhausting import exhausting_log
from records import EDITS, KEY, OTHER_KEY, joined, lines, plain, record_of, relinked
from unit.test_public_record import (
    CHEATS,
    hidden_again,
    public_data,
    sharp_record,
    without_the_next_promise,
)
from unit.test_second_verifier import (
    DISHONEST,
    FORGERIES,
    HONEST,
    forged,
    node,
    scripted,
    signed,
    upcard_holds,
)
from upcard import GAME_IDS, tables_for
from upcard.errors import UpcardError
from upcard.service.public_proof import verify_public
from upcard.service.public_record import is_public, parse_public, public_of
from upcard.table.keys import TableKey
from upcard.table.notation import parse_record, write_log
from upcard.table.shoe import shuffled

PAGE = Path(__file__).parents[2] / "src/upcard/web/static/verify.html"

HARNESS = """
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
const [page, jobs] = process.argv.slice(2)
const script = /<script id="verifier">([\\s\\S]*?)<\\/script>/.exec(readFileSync(page, 'utf8'))[1]
vm.runInThisContext(script)
const V = globalThis.UpcardVerifier
const ask = {
  verify: ({ file, ...options }) => V.verify(new Uint8Array(readFileSync(file)), options),
  sha256: ({ hex }) => V.toHex(V.sha256(V.fromHex(hex))),
  sha512: ({ hex }) => V.toHex(V.sha512(V.fromHex(hex))),
  hmac: ({ key, hex }) => V.toHex(V.hmac(V.fromHex(key), V.fromHex(hex))),
  fits: ({ key, hex, seal }) => V.fitsPlainly(V.fromHex(key), V.fromHex(hex), V.fromHex(seal)),
  shuffle: ({ cards, seed, purpose, words }) => V.shuffle(cards, V.fromHex(seed), purpose, words),
  selfTest: () => V.selfTest(),
}
const answers = []
for (const { what, ...job } of JSON.parse(readFileSync(jobs, 'utf8'))) {
  answers.push(await ask[what](job))
}
console.log(JSON.stringify(answers))
"""


def asked(folder: Path, jobs: Sequence[dict[str, Any]]) -> list[Any]:
    """The answers of the page's script to many questions at once."""
    (folder / "harness.mjs").write_text(HARNESS)
    (folder / "jobs.json").write_text(json.dumps(jobs))
    command = [node(), str(folder / "harness.mjs"), str(PAGE), str(folder / "jobs.json")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found: list[Any] = json.loads(done.stdout)
    assert len(found) == len(jobs)
    return found


def verified(folder: Path, records: Sequence[bytes], **options: Any) -> list[dict[str, Any]]:
    jobs = []
    for number, data in enumerate(records):
        path = folder / f"{number}.jsonl"
        path.write_bytes(data)
        jobs.append({"what": "verify", "file": str(path), **options})
    return asked(folder, jobs)


def failed(report: dict[str, Any]) -> dict[str, str]:
    checks = report["checks"]
    return {check["name"]: check["found"] for check in checks if check["state"] == "failed"}


def python_holds(data: bytes) -> bool:
    if not is_public(data):
        return upcard_holds(data)
    try:
        record = parse_public(data, "record")
        tables = tables_for(record.log.game, record.log.settings)
    except UpcardError:
        return False
    return all(check.holds for check in verify_public(tables, record))


# ------------------------------------------------------------------ hashes and signatures


VECTORS = (  # RFC 8032, 7.1: secret key, message
    ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", ""),
    ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "72"),
    ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "af82"),
    (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        hashlib.sha512(b"abc").hexdigest(),
    ),
)
SIGNATURES = (  # their halves
    (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155",
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac",
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589",
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
)
ORDER = 2**252 + 27742317777372353535851937790883648493


def test_its_signatures_are_those_of_the_standard(tmp_path: Path) -> None:
    jobs, expected = [], []
    for (secret, message), halves in zip(VECTORS, SIGNATURES, strict=True):
        key, seal = TableKey(secret).public, "".join(halves)
        s = int.from_bytes(bytes.fromhex(seal[64:]), "little")
        again = (s + ORDER).to_bytes(32, "little").hex()
        flipped = f"{int(seal[0], 16) ^ 1:x}{seal[1:]}"
        for good, own_key, told, text in (
            (True, key, seal, message),
            (False, key, seal, message + "00"),
            (False, key, flipped, message),
            (False, key, seal[:64] + again, message),
            (False, OTHER_KEY.public, seal, message),
        ):
            jobs.append({"what": "fits", "key": own_key, "hex": text, "seal": told})
            expected.append(good)
    assert asked(tmp_path, jobs) == expected


@pytest.mark.chance
def test_its_hashes_and_shuffles_are_right(tmp_path: Path) -> None:
    rng = chance.dice("page hashes")
    jobs: list[dict[str, Any]] = [{"what": "selfTest"}]
    expected: list[Any] = [True]
    for size in (*range(140), 1000, 100_000):
        data, key = rng.randbytes(size), rng.randbytes(size % 100)
        jobs += [
            {"what": "sha256", "hex": data.hex()},
            {"what": "hmac", "key": key.hex(), "hex": data.hex()},
        ]
        expected += [hashlib.sha256(data).hexdigest(), hmac.digest(key, data, "sha256").hex()]
    for size in (0, 1, 63, 111, 112, 127, 128, 200, 239, 240, 300):
        data = rng.randbytes(size)
        jobs.append({"what": "sha512", "hex": data.hex()})
        expected.append(hashlib.sha512(data).hexdigest())
    for words in ((), ("é", "e\u0301"), (" blanks ",)):
        cards, seed = [str(n) for n in range(312)], rng.randbytes(32).hex()
        jobs.append(
            {
                "what": "shuffle",
                "cards": cards,
                "seed": seed,
                "purpose": "discards/1",
                "words": words,
            }
        )
        expected.append(list(shuffled(cards, seed, words, "discards/1")))
    assert asked(tmp_path, jobs) == expected


@pytest.mark.chance
def test_its_own_signatures_agree_with_the_systems(tmp_path: Path) -> None:
    rng = chance.dice("page signatures")
    jobs, expected = [], []
    for _ in range(30):
        key, text = TableKey(rng.randbytes(32).hex()), f"upcard/2/seal/{rng.randbytes(32).hex()}"
        seal = bytearray.fromhex(key.sign(text))
        if rng.random() < 0.5:
            seal[rng.randrange(64)] ^= 1 << rng.randrange(8)
        told = bytes(seal).hex()
        jobs.append({"what": "fits", "key": key.public, "hex": text.encode().hex(), "seal": told})
        expected.append(told == key.sign(text))
    assert asked(tmp_path, jobs) == expected
    assert set(expected) == {True, False}


# ------------------------------------------------------------------ records that hold


@cache
def good_records() -> dict[str, bytes]:
    found = {f"{game} whole": record_of(game) for game in GAME_IDS}
    found |= {f"{game} long": signed(exhausting_log(game)) for game in GAME_IDS}
    found |= {f"{game} public": public_data(game) for game in GAME_IDS}
    found |= {name: signed(make().log()) for name, (make, _) in HONEST.items()}
    found["open"] = record_of("blackjack", 2, closed=False)
    found["just opened"] = public_of(found["open"]).data
    found["unsigned"] = write_log(bot_log("blackjack")).encode()
    found["scripted"] = signed(scripted())
    return found


def test_good_records_hold_on_the_page_and_by_the_program(tmp_path: Path) -> None:
    records = good_records()
    reports = dict(zip(records, verified(tmp_path, list(records.values())), strict=True))
    assert {name: failed(report) for name, report in reports.items() if failed(report)} == {}
    assert [name for name, data in records.items() if not python_holds(data)] == []
    for name, report in reports.items():
        states = {check["name"]: check["state"] for check in report["checks"]}
        assert report["isPublic"] == (name.endswith("public") or name == "just opened")
        if name.endswith("long"):
            assert (states["chain"], states["shuffle"]) == ("proven", "proven"), name
            assert all(shoe["opened"] for shoe in report["shoes"])
        if name in ("open", "just opened", "unsigned"):
            assert states["chain"] == "open"
    assert "stacked by hand" in str(reports["scripted"])


def test_what_everybody_won_is_what_the_record_says(tmp_path: Path) -> None:
    (report,) = verified(tmp_path, [signed(exhausting_log("ten-sticks-21"))])
    bought: dict[str, int] = {}
    for event in exhausting_log("ten-sticks-21").events:
        name = type(event).__name__
        if name in ("ChipsBought", "ChipsCashed"):
            sign = 1 if name == "ChipsCashed" else -1
            player, amount = getattr(event, "player"), getattr(event, "amount")  # noqa: B009
            bought[player] = bought.get(player, 0) + sign * amount
    assert {one["player"]: one["net"] for one in report["players"]} == bought


def test_without_the_browsers_signatures_it_says_the_same(tmp_path: Path) -> None:
    records = [record_of("twisted-21", 1), public_data("twisted-21")]
    bad = records[0].replace(b'"seal":"', b'"seal":"00', 1).replace(b'00"}\n', b'"}\n', 1)
    by_browser = verified(tmp_path, [*records, bad])
    by_page = verified(tmp_path, [*records, bad], plain=True)
    assert [report["holds"] for report in by_browser] == [True, True, False]
    assert [report["holds"] for report in by_page] == [True, True, False]
    assert "the browser's Ed25519" in str(by_browser[0]["checks"])
    assert "this page's own Ed25519" in str(by_page[0]["checks"])


# ------------------------------------------------------------------ records that do not


@pytest.mark.chance
def test_random_edits_are_found_on_the_page(tmp_path: Path) -> None:
    rng = chance.dice("the page")
    records = [edit(record_of(game, 2), rng) for game in GAME_IDS for edit in EDITS]
    assert [report["holds"] for report in verified(tmp_path, records)] == [False] * len(records)


@pytest.mark.chance
def test_random_edits_of_public_records_are_found_on_the_page(tmp_path: Path) -> None:
    """But for those of the title: the line that binds it is hidden, and the page says so."""
    rng = chance.dice("the page in public")
    records = []
    for game in GAME_IDS:
        data = public_data(game)
        title = data[: data.index(b"\n") + 1]
        changed = (edit(data, rng) for edit in EDITS)
        records += [one for one in changed if one.startswith(title)]
    assert len(records) > 4 * len(EDITS)
    held = [report for report in verified(tmp_path, records) if report["holds"]]
    assert held == []


def tampered() -> Iterator[tuple[str, bytes]]:
    """Records that somebody with a key changed: only what they say is wrong, not the chain."""
    for name, (kind, change, _) in FORGERIES.items():
        yield name, forged("blackjack", kind, change)
    for name, event, changes in (
        ("won", "WagerSettled", {"won": 123_456}),
        ("staked", "WagerSettled", {"staked": 1}),
        ("cashed", "ChipsCashed", {"amount": 1}),
        ("bought", "ChipsBought", {"amount": 99}),
        ("moved", "WagersPlaced", {"moved": 1}),
        ("turned", "CardTurned", {"card": "As"}),
        ("words", "ShoeOpened", {"clients": ["x"]}),
        ("round", "RoundEnded", {"round": 99}),
    ):
        parts = plain(signed(exhausting_log("blackjack")))
        own = [n for n, part in enumerate(parts) if part.get("event", {}).get("event") == event]
        parts[own[len(own) // 2]]["event"] |= changes
        yield name, relinked(parts)
    for name in ("TableClosed", "ShoeOpened", "CardBurned", "CutCardReached"):
        parts = plain(signed(exhausting_log("blackjack")))
        own = [n for n, part in enumerate(parts) if part.get("event", {}).get("event") == name]
        del parts[own[0]]
        yield f"without {name}", relinked(parts)


def test_who_has_a_key_is_found_by_both(tmp_path: Path) -> None:
    records = dict(tampered())
    reports = dict(zip(records, verified(tmp_path, list(records.values())), strict=True))
    assert [name for name, report in reports.items() if report["holds"]] == []
    assert [name for name, data in records.items() if python_holds(data)] == []
    for name in ("won", "staked", "cashed", "bought", "moved"):
        assert "money" in failed(reports[name]), name
    for name in (*FORGERIES, "turned", "words"):
        assert "shuffle" in failed(reports[name]), name


@pytest.mark.parametrize("says", DISHONEST)
def test_what_fails_by_the_program_fails_on_the_page(says: str, tmp_path: Path) -> None:
    records = DISHONEST[says]()
    assert [report for report in verified(tmp_path, records) if report["holds"]] == []


def test_public_records_of_a_forger_are_found_by_both(tmp_path: Path) -> None:
    records = []
    for kind, changes in (
        ("ShoeOpened", {"seed": "ab" * 32}),
        ("CardDealt", {"card": "As"}),
        ("CardBurned", {"card": "As"}),
        ("SeedMixed", {"seed": "another"}),
        ("WagerSettled", {"won": 123_456}),
    ):
        parts = plain(signed(exhausting_log("blackjack")))
        closing = next(n for n, p in enumerate(parts) if "Leave" in str(p.get("command")))
        own = [n for n, p in enumerate(parts[:closing]) if p.get("event", {}).get("event") == kind]
        parts[own[-1]]["event"] |= changes
        records.append(public_of(relinked(parts[:closing])).data)
    assert all(map(is_public, records))
    on_the_page = [report["holds"] for report in verified(tmp_path, records)]
    assert on_the_page == [False] * 4 + [True], "the page does not know what a wager pays"
    assert [python_holds(data) for data in records] == [False] * len(records)


def test_a_sharp_house_is_found_on_the_page(tmp_path: Path) -> None:
    games = ("blackjack", "ten-sticks-21")
    told = {(says, game): sharp_record(game, CHEATS[says]) for says in CHEATS for game in games}
    reports = verified(tmp_path, list(told.values()))
    for (says, _), report in zip(told, reports, strict=True):
        assert says in failed(report)["shuffle"]
    good = verified(tmp_path, [sharp_record(game) for game in games])
    assert [failed(report) for report in good] == [{}, {}]


def test_a_record_that_breaks_off_behind_an_opened_shoe_fails_on_the_page(tmp_path: Path) -> None:
    cut, sealed = (without_the_next_promise(sealed=sealed) for sealed in (False, True))
    reports = verified(tmp_path, [cut, sealed])
    assert "stops in the middle of an entry" in failed(reports[0])["chain"]
    assert "the next one is not promised" in failed(reports[1])["shuffle"]


def test_the_opening_of_a_closed_table_must_be_told_on_the_page(tmp_path: Path) -> None:
    reports = verified(tmp_path, [hidden_again(record_of(game)) for game in GAME_IDS])
    for report in reports:
        assert list(failed(report)) == ["hidden"]
        assert "its opening must be told" in failed(report)["hidden"]


def test_mistakes_in_public_are_not_called_proven(tmp_path: Path) -> None:
    data = sharp_record("blackjack", mistakes=True)
    (report,) = verified(tmp_path, [data])
    (shuffle,) = (check for check in report["checks"] if check["name"] == "shuffle")
    count = data.count(b'"event":"CardFoundFaceUp"')
    assert count > 1
    assert shuffle["state"] == "open"
    assert f"{count} cards thrown away by mistakes on order" in shuffle["found"]


def test_a_game_may_be_named_with_its_version_on_the_page(tmp_path: Path) -> None:
    """But not in public: there nothing binds the title, so it is as tables write it."""
    for make, versioned in ((record_of, True), (public_data, False)):
        records, expected = [], []
        for game in GAME_IDS:
            own = tables_for(game).ref
            names = [game, own]
            if game == GAME_IDS[0]:
                names += [f"{game}@{3 - int(own[-1])}", f"{game}@", f"{own}@{own[-1]}"]
            for name in names:
                title, *rest = plain(make(game))
                data = make(game).replace(f'"game":"{game}"'.encode(), f'"game":"{name}"'.encode())
                records.append(relinked([title | {"game": name}, *rest]) if versioned else data)
                expected.append(name == game or (versioned and name == own))
        assert [report["holds"] for report in verified(tmp_path, records)] == expected
        assert [python_holds(data) for data in records] == expected


def test_what_is_no_record_is_called_so(tmp_path: Path) -> None:
    strange = [b"", b"\x00\xff", b"notation = 1\n", b"{}\n", b'{"audit":1}\n', b"{" * 5000]
    reports = verified(tmp_path, strange)
    assert [report["holds"] for report in reports] == [False] * len(strange)


def test_what_was_noted_is_compared_on_the_page(tmp_path: Path) -> None:
    data = record_of("blackjack")
    chain = parse_record(data, "record").chain
    assert chain is not None
    promise = next(
        part["event"]["commitment"]
        for part in plain(data)
        if part.get("event", {}).get("event") == "ShoeCommitted"
    )
    good = {"head": f"{chain.seals[3].head[:32]} ...", "key": KEY.public, "promises": [promise]}
    (report,) = verified(tmp_path, [data], noted=good)
    states = {check["name"]: check["state"] for check in report["checks"]}
    assert (states["head"], states["key"], states["promise"]) == ("proven",) * 3
    assert "after entry 4" in str(report["checks"])
    (few,) = verified(tmp_path, [data], noted={"head": chain.head[:10]})
    assert {c["name"]: c["state"] for c in few["checks"]}["head"] == "open"
    bad = {"head": "ab" * 32, "key": OTHER_KEY.public, "promises": ["cd" * 32, "no digits"]}
    (report,) = verified(tmp_path, [data], noted=bad)
    assert set(failed(report)) == {"head", "key", "promise"}


# ------------------------------------------------------------------ the page itself


def test_the_page_is_all_by_itself() -> None:
    text = PAGE.read_text()
    assert "default-src 'none'" in text
    assert not re.search(r"(src|href)=[\"'](?!data:|#)", text), "nothing is loaded"
    assert not re.search(r"https?://(?!www\.w3\.org)", text)
    assert "innerHTML" not in text


def with_hostile_name(data: bytes) -> bytes:
    name = "<img src=x onerror=document.title='broken'>"
    text = data.decode().replace('"Ann"', json.dumps(name))
    return relinked(plain(text.encode()), KEY.public, KEY.sign)


def test_a_browser_shows_what_was_found(tmp_path: Path) -> None:
    """From a file, offline: a good record, one that is changed on the page, a hostile name."""
    sync_api = pytest.importorskip("playwright.sync_api")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    good, hostile = tmp_path / "good.jsonl", tmp_path / "hostile.jsonl"
    good.write_bytes(public_data("ten-sticks-21"))
    hostile.write_bytes(with_hostile_name(record_of("blackjack", 1)))
    path = browser_path()
    if not path:
        pytest.skip("there is no Chromium here")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, offline=True, bypass_csp=True
        )
        page = context.new_page()
        asked_for: list[str] = []
        page.on("request", lambda request: asked_for.append(request.url))
        page.goto(PAGE.as_uri())
        assert "gave the published values" in page.inner_text("footer")
        page.set_input_files("#file", str(good))
        assert "as far as it is open" in page.inner_text(".verdict.open h2")
        assert page.evaluate("document.activeElement.id") == "verdict"
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert [found["id"] for found in axe.Axe().run(page).response["violations"]] == []
        page.click("text=Change one card")
        assert "does not hold" in page.inner_text(".verdict.failed h2")
        page.click("text=Back to the real record")
        page.wait_for_selector(".verdict.open")
        page.fill("#head", "ab" * 32)
        page.press("#head", "Enter")
        assert "this was never the head" in page.inner_text(".checks li.failed")
        page.fill("#head", "")
        page.press("#head", "Enter")
        page.set_input_files("#file", str(hostile))
        page.wait_for_selector("text=<img src=x")
        assert page.title() == "Verify a record · Upcard"
        assert asked_for == [PAGE.as_uri()]
        browser.close()


def test_a_copy_of_the_title_is_not_enough(tmp_path: Path) -> None:
    first = lines(record_of("blackjack"))[0]
    (report,) = verified(tmp_path, [joined([first])])
    assert "a title alone proves nothing" in failed(report)["chain"]
    entry = msgspec.json.encode({"hidden": "ab" * 32})
    (report,) = verified(tmp_path, [joined([first, entry])])
    assert not report["holds"]
