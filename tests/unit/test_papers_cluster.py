"""What if on a cluster: the same answers, by workers with the same code."""

from __future__ import annotations

import math
import pickle

import pytest

from shell import upcard
from upcard import tables_for
from upcard.papers.price_jobs import PRICED_FROM, PriceJob
from upcard.simulate import silence
from upcard.simulate.build import PLAYED_FROM, own_build
from upcard.solve.readings import Pricer, price_all

ASKED = (
    *("odds", "blackjack", "--set", "max_hands=1", "--vary", "decks=1,2"),
    *("--vary", "burn=1,11", "--vary", "soft17=stand,hit", "--json"),
)


def test_a_cluster_gives_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine a worker may be late, and that it is would be said.
    monkeypatch.setattr(silence, "SILENT_SECONDS", math.inf)
    here, there = upcard(*ASKED), upcard(*ASKED, "--cluster", "local:1")
    assert (there.status, there.err) == (0, "")
    assert there.out == here.out
    assert [bool(cell["refused"]) for cell in here.data["cells"]].count(True) == 4


def test_a_job_has_the_prices_of_its_tables_wherever_it_is_done() -> None:
    tables = tables_for("blackjack", {"decks": "1", "max_hands": "1"})
    pricer = Pricer(lambda _: tables, {}, "CDP")
    pricer.bet = 500
    wagers = {wager: pricer.price_key(tables, wager) for wager in pricer.wagers(tables)}
    job = pickle.loads(pickle.dumps(PriceJob(tables, wagers, 500, "CDP")))
    assert dict(job.play(0, len(wagers), 1)) == dict(price_all(tables, 500))
    assert list(job.play(1, 1, 1)) == ["insurance"]
    assert job.identity["fingerprint"] == tables.fingerprint


def test_workers_are_compared_by_the_code_that_prices() -> None:
    """A simulation needs the solver on no worker; prices do."""
    priced, played = own_build(PRICED_FROM), own_build(PLAYED_FROM)
    assert {"solve/play.py", "solve/observers.py", "papers/price_jobs.py"} <= set(priced.code)
    assert not any(name.startswith(("solve/", "papers/")) for name in played.code)
    assert own_build() is played
