"""What REST answers beside the tables: the lobby, what is one's own, drills, and the operator's."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import upcard
from service.doors import PASSWORD, Doors, Person, do, hear, open_doors, say
from upcard import GAME_IDS
from upcard.errors import UpcardError
from upcard.service import schema
from upcard.service.names import key_of
from upcard.service.pricing import LIMITED_BANK, Placed, Price, Progress, part_of


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(scope="module")
def boss(doors: Doors) -> Person:
    return doors.person("Boss", "operator")


def play_round(person: Person, table: str, *, coached: bool = False) -> None:
    """Wager at seat 4, deal, and stand on everything."""
    own = secrets.token_hex(4)  # an id that acted in a round before would do nothing in this one
    with person.line(table) as line:
        hear(line, "welcome")
        do(line, f"{own}w", "PlaceWagers", position=4, wagers={"base": 500})
        do(line, f"{own}d", "Deal")
        for turn in range(8):
            if coached:
                say(line, {"type": "coach", "id": f"c{turn}"})
                hear(line, "advice")
            answers = [
                do(line, f"{own}n{turn}", "Decline", position=4),
                do(line, f"{own}s{turn}", "Stand", position=4),
            ]
            if all(one["type"] == "refused" for one in answers):
                return


# ------------------------------------------------------------------ the lobby


def test_the_games_say_what_can_be_set(doors: Doors) -> None:
    games = doors.client.get("/api/games").json()
    assert [game["id"] for game in games] == list(GAME_IDS)
    for game in games:
        assert game["sentence"].endswith(".")
        assert game["minimum"] > 0
    spanish = next(game for game in games if game["id"] == "pure-spanish-21.5")
    assert len(spanish["fee_schedules"]) > 40
    assert spanish["players_bank"] is True
    decks = next(one for one in games[0]["options"] if one["name"] == "decks")
    assert (decks["default"], decks["allowed"][-1]) == ("6", "8")


def test_the_rules_of_a_game_with_settings(doors: Doors) -> None:
    sheet = doors.client.get("/api/games/blackjack/rules?set=decks=2&set=soft17=hit").json()
    assert sheet["settings"] == {"decks": "2", "soft17": "hit"}
    assert any(rule["clauses"] for part in sheet["sections"] for rule in part["rules"])
    for query, status in {
        "blackjack/rules?set=decks=99": 409,
        "blackjack/rules?set=nonsense": 409,
        "chess/rules": 404,
        "..%2F..%2Fetc%2Fpasswd/rules": 404,
    }.items():
        found = doors.client.get(f"/api/games/{query}")
        assert found.status_code == status, query
        assert found.json()["error"]


def test_a_table_that_is_not_listed_is_found_by_its_id(doors: Doors, boss: Person) -> None:
    person = doors.guest()
    table = doors.table(person, listed=False, name="Just us")
    assert table not in [one["id"] for one in doors.client.get("/api/tables").json()]
    assert doors.client.get(f"/api/tables/{table}").json()["name"] == "Just us"
    assert table in [one["id"] for one in boss.get("/operator/tables")]


@pytest.mark.parametrize(
    "body",
    [
        {"game": "chess"},
        {"game": "../../etc/passwd"},
        {"game": "/etc/blackjack.toml"},
        {"game": "blackjack", "bots": 13},
        {"game": "blackjack", "bots": 7},
        {"game": "blackjack", "seconds": 1},
        {"game": "blackjack", "settings": {"decks": "99"}},
        {"game": "blackjack", "settings": {"fly": "true"}},
        {"game": "blackjack", "settings": {"decks": 6}},
        {"game": "blackjack", "name": "\u202etable"},
        {"game": "blackjack", "name": "x" * 61},
        {"game": "blackjack", "secret": "00"},
        {"game": "blackjack", "speed": "light"},
    ],
)
def test_tables_that_cannot_be_are_refused(doors: Doors, body: dict[str, object]) -> None:
    found = doors.guest().ask("POST", "/tables", body)
    assert found.status_code in (409, 422), found.text
    assert found.json()["error"]


@pytest.mark.parametrize("amount", [12.5, "12", -1, 10**11 + 1, True])
def test_an_amount_that_cannot_be_is_answered_in_cents_and_dollars(
    doors: Doors, amount: object
) -> None:
    person = doors.guest()
    table = doors.table(person)
    words = "a whole number of cents is asked for, 0 to 100000000000 ($1,000,000,000)"
    for method, path, field, body in (
        ("POST", f"/tables/{table}/sit", "chips", {"seat": 4}),
        ("PUT", "/me/limits", "loss", {"minutes": None}),
    ):
        found = person.ask(method, path, body | {field: amount})
        assert found.status_code == 422
        assert found.json()["error"] == f"{field}: {words}; $12.50 is 1250"


def test_names_are_texts_and_nothing_else(doors: Doors) -> None:
    """What somebody calls a table comes back as it was, in JSON, and is no markup anywhere."""
    name = "<script>alert(1)</script>"
    table = doors.table(doors.guest(), name=name)
    found = doors.client.get(f"/api/tables/{table}")
    assert found.json()["name"] == name
    assert found.headers["content-type"] == "application/json"
    record = doors.client.get(f"/api/tables/{table}/record")
    assert "<" not in record.headers["content-disposition"]


# ------------------------------------------------------------------ one's own


def test_the_last_games_are_recalled_at_any_table(doors: Doors, boss: Person) -> None:
    person = doors.person("Ann")
    tables = [doors.table(person) for _ in range(2)]
    for table in tables:
        person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 20_000})
        play_round(person, table)
    games = person.get("/me/games")
    assert [game["table"] for game in games] == tables[::-1]
    assert len(person.get("/me/games?limit=1")) == 1
    assert boss.get(f"/operator/accounts/{person.id}/games")[0]["table"] == tables[1]
    assert doors.guest().get("/me/games") == []
    assert person.ask("GET", "/me/games?limit=0").status_code == 422


def test_all_games_of_somebody_can_be_gone_through(doors: Doors, boss: Person) -> None:
    """Also those that ended in the same moment, at several tables."""
    person = doors.person("Veteran")
    tables = [doors.table(person) for _ in range(3)]
    for table in tables:
        person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 20_000})
        play_round(person, table)
    rows = sa.update(schema.results).where(schema.results.c.account == person.id)
    same = rows.values(ended="2026-05-01T12:00:00.000Z")
    ended = sa.update(schema.rounds).where(schema.rounds.c.table_id.in_(tables))
    for change in (same, ended.values(ended="2026-05-01T12:00:00.000Z")):
        doors.call(doors.house.store.run, lambda connection, c=change: connection.execute(c))
    everything = person.get("/me/games?limit=200")
    assert len(everything) == 3
    for path, who in (("/me/games", person), (f"/operator/accounts/{person.id}/games", boss)):
        known: list[Any] = []
        before = ""
        while part := who.get(f"{path}?limit=1&before={before}"):
            known += part
            before = f"{part[-1]['table']}.{part[-1]['round']}"
        assert [one["table"] for one in known] == [one["table"] for one in everything]
        assert who.ask("GET", f"{path}?before=none.1").status_code == 404
        assert who.ask("GET", f"{path}?before=none").status_code == 422


def test_a_session_is_reviewed(doors: Doors) -> None:
    person = doors.person("Learner")
    table = doors.table(person)
    person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 50_000})
    assert person.get("/me/review")["decisions"] == 0
    decided = 0
    for _ in range(6):
        play_round(person, table, coached=True)
        decided = person.get("/me/review")["decisions"]
        if decided:
            break
    assert decided > 0
    assert person.get(f"/me/review?table={table}")["decisions"] == decided
    assert person.get("/me/review?table=another")["decisions"] == 0


def test_own_limits_are_kept_at_the_table(doors: Doors) -> None:
    person = doors.guest()
    table = doors.table(person)
    person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 20_000})
    found = person.ask("PUT", "/me/limits", {"loss": 400, "minutes": None})
    assert found.json() == {"loss": 400, "minutes": None, "pending": None}
    with person.line(table) as line:
        hear(line, "welcome")
        answer = do(line, "w", "PlaceWagers", position=4, wagers={"base": 500})
        assert answer["type"] == "refused"
        assert "your own limit" in answer["reason"]
    raised = person.ask("PUT", "/me/limits", {"loss": 90_000, "minutes": None}).json()
    assert (raised["loss"], raised["pending"]["loss"]) == (400, 90_000)
    assert person.get("/me/limits")["limits"] == raised


def test_the_purse_is_filled_up(doors: Doors) -> None:
    person = doors.guest()
    table = doors.table(person)
    person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 20_000})
    assert person.get("/me")["money"] == 980_000
    assert person.post("/me/purse/refill")["money"] == 1_000_000
    assert person.get("/me/purse")["movements"][0]["why"] == "refill"


def test_sessions_passwords_and_tokens(doors: Doors) -> None:
    person = doors.person("Keeper")
    made = person.post("/me/tokens", {"label": "my bot"})
    bot = Person(doors, made)
    assert bot.get("/me")["name"] == "Keeper"
    assert {one["label"] for one in person.get("/me/tokens")} >= {"my bot"}
    assert "token" not in person.get("/me/tokens")[0]
    wrong = {"old": "not this one", "new": "another password"}
    assert person.ask("POST", "/me/password", wrong).status_code == 403
    right = {"old": PASSWORD, "new": "another password"}
    assert person.ask("POST", "/me/password", right).status_code == 204
    assert bot.ask("GET", "/me").status_code == 401
    assert person.get("/me/sessions") == []


def test_a_first_password_needs_no_old_one(doors: Doors) -> None:
    accounts = doors.house.accounts
    account = doors.call(accounts.add_staff, "Newcomer", "operator")
    opened = doors.call(accounts.use_once, doors.call(accounts.once, account))
    token = doors.call(accounts.new_token, account, "", by=opened.session).token
    entered = {"id": account.id, "name": account.name, "token": token}
    person = Person(doors, entered)
    assert person.ask("POST", "/me/password", {"new": PASSWORD}).status_code == 204
    assert person.ask("POST", "/me/password", {"new": "another password"}).status_code == 403


def test_a_link_that_was_used_leads_a_browser_to_a_page_and_tells_a_program(doors: Doors) -> None:
    path = "/api/enter/nothing"
    page = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    found = doors.client.get(path, headers=page, follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (303, "/sign-in?link=used")
    assert "set-cookie" not in found.headers
    for headers in ({}, {"accept": "application/json"}):
        told = doors.client.get(path, headers=headers, follow_redirects=False)
        assert told.status_code == 403
        assert told.json()["error"] == "this link was used already, or is too old"


# ------------------------------------------------------------------ drills


def test_a_drill(doors: Doors) -> None:
    person = doors.guest()
    assert "pairs" in person.get("/drill/blackjack")
    dealt = person.post("/drill/hand", {"game": "blackjack", "kind": "pairs"})
    assert "split" in dealt["hand"]["actions"]
    judged = person.post("/drill/answer", {"ticket": dealt["ticket"], "action": "split"})
    assert judged["taken"] == "split"
    assert judged["advice"]["actions"]
    illegal = person.post("/drill/answer", {"ticket": dealt["ticket"], "action": "rescue"})
    assert "right" not in illegal


@pytest.mark.parametrize("ticket", ["", "x", "AAAA", "A" * 200, "\u00e4"])
def test_tickets_are_the_houses_own(doors: Doors, ticket: str) -> None:
    found = doors.guest().ask("POST", "/drill/answer", {"ticket": ticket, "action": "hit"})
    assert found.status_code == 409
    assert "ticket" in found.json()["error"]


def test_a_ticket_that_was_changed_is_none(doors: Doors) -> None:
    person = doors.guest()
    ticket = person.post("/drill/hand", {"game": "blackjack", "kind": "pairs"})["ticket"]
    changed = ticket[:-6] + ("A" if ticket[-6] != "A" else "B") + ticket[-5:]
    assert (
        person.ask("POST", "/drill/answer", {"ticket": changed, "action": "hit"}).status_code == 409
    )
    for body, status in {("chess", "pairs"): 404, ("blackjack", "rescue"): 409}.items():
        asked = {"game": body[0], "kind": body[1]}
        assert person.ask("POST", "/drill/hand", asked).status_code == status


# ------------------------------------------------------------------ the operator


def test_the_curve_of_a_table_and_why_it_is_not_priced(tmp_path: Path) -> None:
    async def unpriced(*_: object) -> dict[str, Price]:
        raise UpcardError("nobody can price this")

    with open_doors(tmp_path) as doors:
        boss, person = doors.person("Boss", "operator"), doors.guest()
        table = doors.table(person)
        person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 20_000})
        prices = doors.app.state.desk.prices
        prices.worker = unpriced
        boss.get("/operator/results")
        doors.call(prices.ready)
        play_round(person, table)
        (found,) = boss.get("/operator/results")
    assert found["failed"] == "nobody can price this"
    assert found["curve"][0] == {"round": 0, "win": 0, "expected": 0.0, "deviation": 0.0}
    assert (found["curve"][-1]["round"], found["curve"][-1]["win"]) == (1, found["win"])


def test_money_and_results(doors: Doors, boss: Person) -> None:
    person = doors.guest()
    table = doors.table(person)
    person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 20_000})
    play_round(person, table)
    money = boss.get("/operator/money")
    assert money["balanced"] is True
    (own,) = [one for one in money["tables"] if one["table"] == table]
    assert own["total"] == 0
    assert own["players"] + own["house"] == 20_000 == -own["cashier"]
    doors.call(doors.app.state.desk.prices.ready)
    boss.get("/operator/results")
    doors.call(doors.app.state.desk.prices.ready)
    (found,) = [one for one in boss.get("/operator/results") if one["table"] == table]
    (base,) = [one for one in found["wagers"] if one["wager"] == "base"]
    assert (base["count"], base["staked"]) == (1, 500)
    assert base["win"] == own["house"] == found["win"]
    assert base["expected"] == pytest.approx(2.5)
    assert base["deviation"] == pytest.approx(575)


def test_where_a_bank_is_limited_nothing_is_expected(doors: Doors, boss: Person) -> None:
    """At 5 seats of $25 a bank of $125 makes -4.5 % of the -2.1 % that full cover is worth."""
    spanish = upcard.game("pure-spanish-21.5")
    played = spanish.simulate(50_000, bet=2_500, seats=5, bank=12_500, policy="optimal", threads=1)
    small = played.wagers["base"].figures
    assert small.ev < spanish.odds().wagers["base"].ev - 4 * small.stderr
    table = doors.table(boss, "pure-spanish-21.5")
    progress = Progress(table)
    progress.add([part_of(1, [(1, Placed(table, "base", 2_500, 1, 2_500, -2_500))])])
    doors.app.state.desk.reports.progress[table] = progress
    boss.get("/operator/results")
    doors.call(doors.app.state.desk.prices.ready)
    (found,) = [one for one in boss.get("/operator/results") if one["table"] == table]
    assert found["failed"] == LIMITED_BANK
    (base,) = found["wagers"]
    assert (base["win"], base["expected"], base["deviation"]) == (2_500, None, None)


def test_people_are_listed_in_pages(boss: Person) -> None:
    everybody = boss.get("/operator/accounts?limit=500")
    assert len(everybody) > 3
    known: list[Any] = []
    while part := boss.get(f"/operator/accounts?limit=3&after={known[-1]['id'] if known else ''}"):
        known += part
    assert known == everybody
    assert "password" not in everybody[0]
    assert boss.ask("GET", "/operator/accounts?after=nobody").status_code == 404


def test_people_with_a_name_come_before_guests_and_are_found_by_it(
    doors: Doors, boss: Person
) -> None:
    for _ in range(12):
        doors.guest()
    for name in ("Zacharias", "abigail", "Mortimer"):
        doors.person(name)
    everybody = boss.get("/operator/accounts?limit=500")
    roles = [one["role"] for one in everybody]
    first = roles.index("guest")
    assert set(roles[first:]) == {"guest"}
    listed = [one["name"] for one in everybody[:first]]
    assert listed == sorted(listed, key=key_of)
    assert {"abigail", "Mortimer", "Zacharias"} <= set(listed)
    made = [one["created"] for one in everybody[first:]]
    assert made == sorted(made, reverse=True)
    found = boss.get("/operator/accounts?search=ORTI")
    assert [one["name"] for one in found] == ["Mortimer"]
    assert boss.get("/operator/accounts?search=%25") == [], "nothing is a sign for everything"
    assert boss.get("/operator/accounts?search=nobody+at+all") == []
    assert boss.get("/operator/accounts?search=%00") == []
    (guest, *more) = boss.get("/operator/accounts?search=guest&limit=2")
    rest = boss.get(f"/operator/accounts?search=guest&after={guest['id']}&limit=1")
    assert rest == more


def test_a_closed_table_is_closed(doors: Doors, boss: Person) -> None:
    person = doors.guest()
    table = doors.table(person)
    person.post(f"/tables/{table}/sit", {"seat": 4, "chips": 20_000})
    boss.post(f"/operator/tables/{table}/close")
    assert person.get("/me")["money"] == 1_000_000, "the chips are back"
    assert person.ask("POST", f"/tables/{table}/sit", {"seat": 4}).status_code == 409
    assert table not in [one["id"] for one in boss.get("/operator/tables")]
    assert table in [one["id"] for one in boss.get("/operator/tables?closed=true")]
    verdict = doors.client.get(f"/api/tables/{table}/verify").json()
    assert verdict["holds"] is True
    assert all(check["found"] for check in verdict["checks"])
