"""docs/house-api.md and docs/house.md name what there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.doors import Doors, open_doors
from shell import upcard
from upcard.service.api.models import STATUS
from upcard.service.api.who import Anybody
from upcard.service.rates import RATES

DOCS = Path(__file__).parents[2] / "docs"
API = (DOCS / "house-api.md").read_text()
HOUSE = (DOCS / "house.md").read_text()


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with open_doors(tmp_path_factory.mktemp("house")) as found:
        yield found


def test_every_request_is_listed_with_who_may(doors: Doors) -> None:
    from service.test_policies import routes

    rows = [line.split("|") for line in API.splitlines() if line.startswith("| `")]
    listed = {
        request: row[2].strip()
        for row in rows
        for request in re.findall(r"`((?:GET|POST|PUT|DELETE) [^`]*)`", row[1])
    }
    names = {"members": "members", "operators and auditors": "staff", "operators": "operators"}
    real = {
        name: "anybody" if isinstance(own, Anybody) else names[own.name]
        for name, (own,) in routes(doors).items()
        if not name.startswith("SOCKET")
    }
    assert listed == real


def test_every_status_is_explained() -> None:
    for status in STATUS.values():
        assert f"| {status} |" in API


def test_the_rates_are_those_of_the_program() -> None:
    words = " ".join(API.split())
    assert (
        f"{RATES['requests'].burst} requests and {RATES['requests'].each_second} a second" in words
    )
    assert f"{RATES['sign-in'].burst} tries to sign in and one in ten seconds" in words
    assert RATES["sign-in"].each_second == 0.1
    assert f"{RATES['commands'].burst} messages on lines and 20 a second" in words
    assert RATES["commands"].each_second == 20
    assert f"{RATES['tables'].burst} new tables and one a minute" in words
    assert f"{RATES['work'].burst} checks of records and one in five seconds" in words
    assert RATES["work"].each_second == 1 / 5
    assert f"{RATES['steps'].burst} hands of drills and two a second" in words
    assert RATES["steps"].each_second == 2


def test_every_option_of_serve_is_there() -> None:
    told = set(re.findall(r"--[a-z-]+", HOUSE))
    real = set(re.findall(r"(--[a-z][a-z-]+)", upcard("serve", "--help").out)) - {"--help"}
    assert real <= told
    for line in re.findall(r"^upcard (house [a-z]+)", HOUSE, re.MULTILINE):
        assert upcard(*line.split(), "--help").status == 0
