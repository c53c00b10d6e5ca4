"""The description of the API is true: schemathesis asks everything in it, rightly and wrongly."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis.errors import Unsatisfiable

from chance import examples
from service.doors import PASSWORD, Served, served

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.checks import ignored_auth

EXAMPLES = 3
SLOW = ("/verify", "/drill/")
"""What takes long is asked less often."""
MODES = {"right": GenerationMode.POSITIVE, "wrong": GenerationMode.NEGATIVE}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("house")) as found:
        yield found


def token(house: Served, name: str, role: str = "") -> str:
    body = {"name": name, "password": PASSWORD, "by": "token"}
    found = httpx.post(f"{house.address}/api/register", json=body).json()
    if role:
        house.call(house.house.accounts.set_role, found["id"], role)
    return str(found["token"])


@pytest.mark.chance
@pytest.mark.parametrize("way", MODES)
def test_everything_answers_as_it_says(house: Served, way: str) -> None:
    """No failure of the server, no status or form that is not described, nothing wrong accepted."""
    schema = schemathesis.openapi.from_dict(house.doors.openapi())
    operator = token(house, f"Operator {way}", "operator")
    headers = {"Authorization": f"Bearer {operator}"}
    table = httpx.post(
        f"{house.address}/api/tables", json={"game": "blackjack"}, headers=headers
    ).json()["id"]
    count = 0
    for result in schema.get_all_operations():
        operation: Any = result
        asked = _ask(operation.ok(), house.address, headers, table, MODES[way])
        count += asked
    assert count > 40 * EXAMPLES / 2


def _ask(
    operation: Any, address: str, headers: dict[str, str], table: str, mode: GenerationMode
) -> int:
    count = 0
    number = 2 if any(part in operation.path for part in SLOW) else EXAMPLES

    @examples(number)
    @given(operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        nonlocal count
        count += 1
        if "table" in case.path_parameters and count % 2 and mode is GenerationMode.POSITIVE:
            case.path_parameters["table"] = table
        own = headers
        if operation.path.endswith("/sign-out"):
            entered = httpx.post(f"{address}/api/guest", json={}).json()
            own = {"Authorization": f"Bearer {entered['token']}"}
        case.cookies.clear()
        # It takes the token for one that it made up itself; test_policies.py asks without any.
        case.call_and_validate(base_url=address, headers=own, excluded_checks=[ignored_auth])

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "there is no wrong way to ask for this"
    return count


def test_the_description_is_complete(house: Served) -> None:
    paths = house.doors.openapi()["paths"]
    for path, methods in paths.items():
        for method, told in methods.items():
            name = f"{method.upper()} {path}"
            assert told.get("description"), f"{name} has no words"
            answers = told["responses"]
            assert {"403", "422", "429", "503"} <= set(answers), name
            good = [status for status in answers if status.startswith(("2", "3"))]
            assert len(good) == 1, name
            for status, answer in answers.items():
                if status.startswith(("4", "5")):
                    form = answer["content"]["application/json"]["schema"]
                    assert form == {"$ref": "#/components/schemas/Fault"}, name
            if "security" in told:
                assert "401" in answers, name
