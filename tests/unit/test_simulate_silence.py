"""Who of a cluster has gone silent, by a clock that is set by hand."""

from __future__ import annotations

import pytest

from upcard.simulate.silence import Listener


class Ears:
    """A listener with a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.said: list[str] = []
        self.listener = Listener("tcp://s:1", self.said.append, clock=lambda: self.now)

    def pass_time(self, seconds: float, step: float = 0.1) -> None:
        for _ in range(round(seconds / step)):
            self.now += step
            self.listener.tick()

    def hear(self, **seen: float) -> list[str]:
        """What has been said since, after the scheduler has answered."""
        self.listener.answered(seen, 0.5)
        found = self.said[:]
        self.said.clear()
        return found


def test_a_silent_scheduler_is_said_within_ten_seconds_and_again_later() -> None:
    ears = Ears()
    assert ears.hear(a=1.0) == []
    ears.pass_time(4.8)
    assert ears.said == []
    ears.pass_time(5)
    (said,) = ears.said
    assert said.startswith(
        "the scheduler of tcp://s:1 has not answered for 5 seconds: the run goes"
    )
    ears.pass_time(27)
    assert len(ears.said) == 2
    assert "for 35 seconds" in ears.said[1]
    assert ears.listener.scheduler_silent == pytest.approx(36.8)
    assert ears.hear(a=1.0)[2:] == ["the scheduler of tcp://s:1 answers again"]
    assert ears.listener.scheduler_silent == 0


def test_a_silent_worker_is_said_within_ten_seconds() -> None:
    ears = Ears()
    for beat in range(95):
        ears.pass_time(0.1)
        ears.listener.answered({"frozen": 7.0, "fine": float(beat)}, 0.5)
    (said,) = ears.said
    assert said.startswith("the worker frozen has not answered for 6 seconds: what it was playing")
    assert ears.hear(frozen=8.0, fine=95.0)[1:] == ["the worker frozen answers again"]
    for beat in range(95):
        ears.pass_time(0.1)
        ears.listener.answered({"frozen": 8.0, "fine": float(beat)}, 0.5)
    assert ears.hear(fine=96.0)[1:] == ["the worker frozen is gone: others play what it had"]
    assert ears.listener.without_workers == 0
    ears.hear()
    ears.pass_time(3)
    assert ears.listener.without_workers == pytest.approx(3)


def test_a_run_that_was_itself_suspended_blames_nobody() -> None:
    ears = Ears()
    ears.hear(a=1.0)
    ears.pass_time(3600, step=3600)
    assert ears.said == []
    assert ears.hear(a=2.0) == []


def test_workers_are_not_blamed_for_a_silent_scheduler() -> None:
    ears = Ears()
    ears.hear(a=1.0)
    ears.pass_time(300)
    assert all(one.startswith("the scheduler") for one in ears.said)
    ears.hear(a=1.0)
    ears.pass_time(0.5)
    assert ears.hear(a=2.0) == []


def test_many_workers_say_less_often_that_they_are_there() -> None:
    ears = Ears()
    ears.listener.answered({"a": 1.0}, 6.0)
    for _ in range(100):
        ears.pass_time(0.1)
        ears.listener.answered({"a": 1.0}, 6.0)
    assert ears.said == []
