"""A run's state in a file, so that it can go on later exactly where it was.

Only whole tasks are kept. A short last task is played again, so a run can also go on to more rounds
than were first asked for.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec

from upcard.errors import UpcardError
from upcard.simulate.build import Build, own_build
from upcard.simulate.totals import Totals

FORMAT = "upcard simulation"
VERSION = 1
_LONGEST_VALUE = 60


class Identified(Protocol):
    """What a checkpoint has to know of a job."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything that the totals depend on, as JSON has it."""


@dataclass(frozen=True)
class Begun:
    """What is done of a job: whole tasks, from the first on."""

    tasks: int
    task_rounds: int
    totals: Totals
    seconds: float

    @property
    def rounds(self) -> int:
        return self.tasks * self.task_rounds


class _Job(msgspec.Struct):
    """A job in the file."""

    name: str
    identity: dict[str, Any]
    tasks: int
    task_rounds: int
    rounds: int
    seconds: float
    totals: dict[str, Any]


class _Content(msgspec.Struct):
    request: dict[str, Any]
    jobs: list[_Job]
    build: Build | None = None


class _Head(msgspec.Struct):
    """What every version of the file has."""

    format: str
    version: int


class _CheckpointFile(_Head):
    digest: str
    content: msgspec.Raw


@dataclass(frozen=True)
class Saved:
    """A checkpoint that was read: what was asked for, and what is done of each job.

    `build` is what it was played with; older checkpoints do not say.
    """

    path: Path
    request: dict[str, Any]
    names: tuple[str, ...]
    identities: tuple[dict[str, Any], ...]
    begun: tuple[Begun, ...]
    build: Build | None


@dataclass(frozen=True)
class Checkpoint:
    """A file to write a run's state to; `request` is kept in it for whoever resumes the run."""

    path: Path
    request: Mapping[str, Any]

    def save(self, jobs: Sequence[Identified], begun: Sequence[Begun]) -> None:
        """Replace the file in one step, so that there is always a whole one."""
        save(self.path, self.request, jobs, begun)


def save(
    path: Path, request: Mapping[str, Any], jobs: Sequence[Identified], begun: Sequence[Begun]
) -> None:
    """Write what is done of every job, in one step."""
    content = msgspec.json.encode(
        _Content(
            dict(request),
            [
                _Job(
                    job.name,
                    dict(job.identity),
                    done.tasks,
                    done.task_rounds,
                    done.rounds,
                    done.seconds,
                    done.totals.to_data(),
                )
                for job, done in zip(jobs, begun, strict=True)
            ],
            own_build(),
        )
    )
    digest = hashlib.sha256(content).hexdigest()
    data = msgspec.json.encode(_CheckpointFile(FORMAT, VERSION, digest, msgspec.Raw(content)))
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise UpcardError(f"cannot write the checkpoint {path}: {error.strerror}") from error


def load(path: Path) -> Saved:
    """Read a checkpoint."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UpcardError(f"there is no checkpoint {path}") from None
    except OSError as error:
        raise UpcardError(f"cannot read the checkpoint {path}: {error.strerror}") from error
    content = _content(path, data)
    begun = []
    for job in content.jobs:
        try:
            totals = Totals.from_data(job.totals)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise _damaged(path) from error
        if job.tasks < 0 or job.task_rounds < 1 or job.rounds != job.tasks * job.task_rounds:
            raise _damaged(path)
        begun.append(Begun(job.tasks, job.task_rounds, totals, job.seconds))
    return Saved(
        path,
        content.request,
        tuple(job.name for job in content.jobs),
        tuple(job.identity for job in content.jobs),
        tuple(begun),
        content.build,
    )


def _content(path: Path, data: bytes) -> _Content:
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        if f'"{FORMAT}"'.encode() in data[:100]:
            raise _damaged(path) from error
        raise _foreign(path) from error
    if head.format != FORMAT:
        raise _foreign(path)
    if head.version != VERSION:
        raise UpcardError(
            f"the checkpoint {path} has format {head.version}, and this upcard reads format "
            f"{VERSION}: use the upcard that wrote it, or begin anew"
        )
    try:
        file = msgspec.json.decode(data, type=_CheckpointFile)
        raw = bytes(file.content)
        content = msgspec.json.decode(raw, type=_Content)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise _damaged(path) from error
    if hashlib.sha256(raw).hexdigest() != file.digest:
        raise _damaged(path)
    return content


def _foreign(path: Path) -> UpcardError:
    return UpcardError(f"{path} is not a checkpoint of a simulation")


def _damaged(path: Path) -> UpcardError:
    return UpcardError(f"the checkpoint {path} is damaged: begin anew, or take a copy of it")


def check_free(path: Path) -> None:
    """Refuse to begin a new run over the checkpoint of another, or where nothing can be kept."""
    if path.is_dir():
        raise UpcardError(f"the checkpoint {path} is a folder, not a file")
    if not path.parent.is_dir():
        raise UpcardError(f"the checkpoint {path} cannot be kept: there is no folder {path.parent}")
    if path.exists():
        raise UpcardError(
            f"the checkpoint {path} exists: go on with it (--resume {path}), or remove it first"
        )


def check_fits(saved: Saved, jobs: Sequence[Identified]) -> str:
    """Refuse a checkpoint of other jobs or of other code, and name the first difference.

    What is not known to be the same but may well be is said in a sentence.
    """
    if len(saved.identities) != len(jobs):
        raise UpcardError(
            f"the checkpoint {saved.path} does not fit: it has {len(saved.identities)} jobs, "
            f"and this run has {len(jobs)}"
        )
    for old, job in zip(saved.identities, jobs, strict=True):
        new = msgspec.json.decode(msgspec.json.encode(dict(job.identity)))
        difference = _difference(old, new, "")
        if difference:
            raise UpcardError(f"the checkpoint {saved.path} does not fit: {job.name}: {difference}")
    return _check_build(saved)


def _check_build(saved: Saved) -> str:
    own, other = own_build(), saved.build
    if other is None:
        return (
            f"the checkpoint {saved.path} does not say which code it was played with: it may not "
            "be the code of this upcard"
        )
    if code := own.other_code(other):
        raise UpcardError(
            f"the checkpoint {saved.path} was played with other code: {code} changed since; go on "
            "with the upcard that began it, or begin anew"
        )
    libraries = own.other_libraries(other)
    return f"the checkpoint {saved.path} was played with {libraries} as now" if libraries else ""


def _difference(old: Any, new: Any, place: str) -> str:
    """The first thing that is not the same, in words.

    >>> _difference({"decks": 6, "seed": 1}, {"decks": 8, "seed": 2}, "")
    'decks was 6, and is 8 now'
    >>> _difference({"set": {"a": [1, 2]}}, {"set": {}}, "")
    'set.a was [1,2], and is missing now'
    >>> _difference({"a": 1}, {"a": 1, "b": None}, "")
    'b was missing, and is null now'
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            inside = f"{place}.{key}" if place else key
            if key not in old:
                return f"{inside} was missing, and is {_shown(new[key])} now"
            if key not in new:
                return f"{inside} was {_shown(old[key])}, and is missing now"
            if found := _difference(old[key], new[key], inside):
                return found
        return ""
    return "" if old == new else f"{place} was {_shown(old)}, and is {_shown(new)} now"


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."
