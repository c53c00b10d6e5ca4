"""Who of a cluster has gone silent, and for how long.

Silence is counted in small steps and not taken from two readings of a clock: a run that was itself
suspended for an hour has heard nobody in that hour, which says nothing about them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from upcard.text import counted

SILENT_SECONDS = 5.0
"""How long nothing may be heard of a worker or a scheduler before it is said."""
AGAIN_SECONDS = 30.0
"""How much longer until it is said again."""
LONGEST_STEP = 2.0
"""What passes at most between two steps of a run that is not suspended."""

Say = Callable[[str], None]


class _Silence:
    """One that should be heard."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds = 0.0
        self.next = 0.0
        """When it is said next; 0 if nothing has been said."""

    def grown(self, step: float, allowed: float) -> bool:
        """Whether it is now to be said."""
        self.seconds += step
        if self.seconds < max(self.next, allowed):
            return False
        self.next = self.seconds + AGAIN_SECONDS
        return True

    def broken(self) -> bool:
        """Whether the end of this silence is to be said."""
        was_said = self.next > 0
        self.seconds = self.next = 0.0
        return was_said


class Listener:
    """Keeps the silence of a scheduler and of its workers, and says what lasts too long.

    `answered` is told what a scheduler knows of its workers, by the thread that asks it; `tick` is
    called often by the run.
    """

    def __init__(
        self, address: str, say: Say, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = address
        self._say = say
        self._clock = clock
        self._lock = threading.Lock()
        self._scheduler = _Silence(f"the scheduler of {address}")
        self._workers: dict[str, _Silence] = {}
        self._seen: dict[str, float] = {}
        self._beat = 0.0
        self._without = 0.0
        self._ticked = clock()

    @property
    def scheduler_silent(self) -> float:
        """Seconds since the scheduler answered."""
        return self._scheduler.seconds

    @property
    def without_workers(self) -> float:
        """Seconds for which the scheduler has had no worker."""
        return self._without

    def answered(self, seen: Mapping[str, float], beat: float) -> None:
        """The scheduler knows of these workers when each was last heard, by the scheduler's clock.

        `beat` is how often a worker says that it is there, in seconds.
        """
        with self._lock:
            self._beat = beat
            said = [f"{self._scheduler.name} answers again"] if self._scheduler.broken() else []
            gone = [self._workers.pop(name) for name in self._workers.keys() - seen.keys()]
            said += [f"{one.name} is gone: others play what it had" for one in gone if one.next]
            for name, when in seen.items():
                silence = self._workers.setdefault(name, _Silence(f"the worker {name}"))
                if self._seen.get(name) != when and silence.broken():
                    said.append(f"{silence.name} answers again")
            self._seen = dict(seen)
            if seen:
                self._without = 0.0
        self._tell(said)

    def tick(self) -> None:
        """Let time pass, and say who has been silent for too long."""
        with self._lock:
            now = self._clock()
            step = min(now - self._ticked, LONGEST_STEP)
            self._ticked = now
            said = []
            if self._scheduler.grown(step, SILENT_SECONDS):
                said.append(_lasting(self._scheduler, "the run goes on when it does"))
            if self._scheduler.seconds < SILENT_SECONDS:
                # Of workers one hears through the scheduler.
                allowed = SILENT_SECONDS + 2 * self._beat
                said += [
                    _lasting(one, "what it was playing waits for it, or for others to take over")
                    for one in self._workers.values()
                    if one.grown(step, allowed)
                ]
                if not self._workers:
                    self._without += step
        self._tell(said)

    def _tell(self, said: list[str]) -> None:
        for sentence in said:
            self._say(sentence)


def _worker(name: str) -> str:
    return f"the worker {name}"


def _lasting(silence: _Silence, then: str) -> str:
    return (
        f"{silence.name} has not answered for {counted(round(silence.seconds), 'second')}: {then}"
    )
