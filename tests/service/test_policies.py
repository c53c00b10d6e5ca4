"""Who may do what: every way in has a policy, and the policy holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, APIWebSocketRoute

from service.doors import Doors, Person, open_doors
from upcard.service.api.socket import ByLine
from upcard.service.api.who import Anybody, Policy

PUBLIC = {
    "GET /api/health",
    "GET /api/games",
    "GET /api/games/{game}/rules",
    "GET /api/tables",
    "GET /api/tables/{table}",
    "GET /api/tables/{table}/rules",
    "GET /api/tables/{table}/rounds",
    "GET /api/tables/{table}/rounds/{number}",
    "GET /api/tables/{table}/rounds/{number}/replay",
    "GET /api/tables/{table}/record",
    "GET /api/tables/{table}/verify",
    "GET /api/enter/{code}",
    "POST /api/guest",
    "POST /api/register",
    "POST /api/sign-in",
    "SOCKET /api/tables/{table}/socket",
}
"""All that anybody may ask for. Whatever is added here was thought about."""
DESCRIPTION = "/api/openapi.json"


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("house")) as found:
        yield found


def policies(dependant: Dependant) -> list[Any]:
    own = [dependant.call] if isinstance(dependant.call, Anybody | Policy | ByLine) else []
    return own + [one for part in dependant.dependencies for one in policies(part)]


def routes(doors: Doors) -> dict[str, Any]:
    """Every way in, with its policy."""
    found: dict[str, Any] = {}
    for route in all_routes(doors.app.routes):
        if isinstance(route, APIRoute):
            names = [f"{method} {route.path}" for method in sorted(route.methods or ())]
        elif isinstance(route, APIWebSocketRoute):
            names = [f"SOCKET {route.path}"]
        else:
            assert getattr(route, "path", "") == DESCRIPTION, route
            continue
        for name in names:
            found[name] = policies(route.dependant)
    return found


def all_routes(routes: Any) -> Iterator[Any]:
    """The routes, also those of routers that are included as they are."""
    for route in routes:
        inside = getattr(getattr(route, "original_router", None), "routes", None)
        if inside is None:
            yield route
        else:
            yield from all_routes(inside)


def test_every_way_in_has_one_policy(doors: Doors) -> None:
    found = routes(doors)
    assert len(found) > 30
    for name, own in found.items():
        assert len(own) == 1, f"{name} has {len(own)} policies"
    public = {name for name, (own,) in found.items() if isinstance(own, Anybody | ByLine)}
    assert public == PUBLIC


def test_the_description_says_what_needs_an_account(doors: Doors) -> None:
    paths = doors.app.openapi()["paths"]
    for name, (own,) in routes(doors).items():
        method, _, path = name.partition(" ")
        if method != "SOCKET":
            secured = "security" in paths[path][method.lower()]
            assert secured is isinstance(own, Policy), name


@pytest.fixture(scope="module")
def people(doors: Doors) -> dict[str, Person]:
    return {
        "guest": doors.guest(),
        "player": doors.person("Player"),
        "auditor": doors.person("Looker", "auditor"),
        "operator": doors.person("Boss", "operator"),
    }


def test_roles_open_what_is_theirs_and_nothing_else(
    doors: Doors, people: dict[str, Person]
) -> None:
    table = doors.table(people["guest"])
    for name, (own,) in routes(doors).items():
        method, _, path = name.partition(" ")
        if method == "SOCKET" or path.endswith(("/sign-out", "/close")):
            continue
        path = path.format(
            table=table, number=1, code="x", session="x", account="x", game="blackjack"
        )
        path = path.removeprefix("/api")
        nobody = doors.client.request(method, f"/api{path}")
        assert (nobody.status_code == 401) is isinstance(own, Policy), name
        for role, person in people.items():
            status = person.ask(method, path).status_code
            assert status != 401, name
            allowed = not isinstance(own, Policy) or role in own.roles
            if allowed:
                assert status < 500, name
                continue
            assert status == 403, f"{role} at {name}"


def test_a_guest_opens_nothing_of_the_operators(doors: Doors) -> None:
    closed = [name for name in routes(doors) if "/operator/" in name]
    assert len(closed) >= 8
    for name in closed:
        (own,) = routes(doors)[name]
        assert not {"guest", "player"} & set(own.roles), name


def test_an_auditor_looks_and_changes_nothing(doors: Doors) -> None:
    for name, (own,) in routes(doors).items():
        if "/operator/" in name and not name.startswith("GET"):
            assert own.roles == ("operator",), name


def test_a_role_is_looked_up_each_time(doors: Doors, people: dict[str, Person]) -> None:
    climber = doors.person("Climber")
    assert climber.ask("GET", "/operator/tables").status_code == 403
    found = people["operator"].ask(
        "PUT", f"/operator/accounts/{climber.id}/role", {"role": "auditor"}
    )
    assert found.status_code == 200
    assert climber.ask("GET", "/operator/tables").status_code == 200
    people["operator"].ask("PUT", f"/operator/accounts/{climber.id}/role", {"role": "player"})
    assert climber.ask("GET", "/operator/tables").status_code == 403


def test_nobody_changes_the_own_role(people: dict[str, Person]) -> None:
    boss = people["operator"]
    found = boss.ask("PUT", f"/operator/accounts/{boss.id}/role", {"role": "auditor"})
    assert found.status_code == 409


def test_sessions_are_closed_by_their_owner_alone(doors: Doors) -> None:
    mine, others = doors.person("Mine"), doors.person("Others")
    (token,) = mine.get("/me/tokens")
    assert others.ask("DELETE", f"/me/sessions/{token['id']}").status_code == 404
    assert mine.ask("DELETE", f"/me/sessions/{token['id']}").status_code == 204
    replay = mine.ask("GET", "/me")
    assert replay.status_code == 401
    assert replay.headers["www-authenticate"] == "Bearer"


def test_a_token_of_a_closed_session_opens_nothing(doors: Doors) -> None:
    person = doors.guest()
    assert person.ask("POST", "/sign-out").status_code == 204
    for path in ("/me", "/tables", "/health"):
        assert person.ask("GET", path).status_code == 401, "a bad token is not nobody"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Basic YTpi", "Bearer x", f"Bearer {'x' * 300}", "x"]
)
def test_a_header_that_is_no_token_opens_nothing(doors: Doors, header: str) -> None:
    assert doors.client.get("/api/me", headers={"authorization": header}).status_code == 401
