"""`upcard verify`: are the records of sessions true?"""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn

import typer

from upcard.cli.arguments import Json
from upcard.cli.output import (
    console,
    json_text,
    print_hanging,
    print_json,
    speaks_unicode,
    whoever_reads,
)
from upcard.cli.records import tables_of
from upcard.errors import UpcardError
from upcard.text import counted, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from upcard.compile.tables import GameTables
    from upcard.table.notation import Record
    from upcard.table.proof import Noted
    from upcard.table.verify import Check

SUFFIXES = (".jsonl", ".toml")
"""Files in a folder that may be records."""


class Checked(NamedTuple):
    """One record and what was found; `record` is None where it cannot be read.

    `sha256` is that of the bytes which were checked: the file may be another one by now.
    """

    path: Path
    record: Record | None
    tables: GameTables | None
    checks: tuple[Check, ...]
    sha256: str = ""
    public: bool = False

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)


def verify(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Records of sessions, or folders with records."),
    ],
    promise: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DIGITS",
            help="The promise of a shoe as you noted it (the first 32 digits will do).",
        ),
    ] = None,
    head: Annotated[
        str,
        typer.Option(
            metavar="DIGITS",
            help="The head of the record as you noted it: is everything up to there still there?",
        ),
    ] = "",
    key: Annotated[
        str, typer.Option(metavar="DIGITS", help="The table's key as you noted it.")
    ] = "",
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a one-page certificate as FILE.txt and FILE.json; for one record.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check sessions: chain and signature, rules, every cent, the shuffle, the house's conduct.

    A public record of a table that is still open is checked as far as it tells, an audit of a house
    with all its tables and purses. The first difference of each check is named, and the exit status
    is 1 if there is one. What you noted at the table (--promise, --head, --key) must be found in
    one of the records.

    Example: upcard verify examples/session.jsonl
    """
    from upcard.table.proof import Noted, digits

    noted = Noted(
        promises=tuple(digits(one, "--promise") for one in promise or ()),
        head=digits(head, "--head") if head else "",
        key=digits(key, "--key") if key else "",
    )
    paths, passed = _records(files)
    if len(paths) == 1 and _is_audit(paths[0]):
        if certificate is not None or noted.promises:
            raise UpcardError("--certificate and --promise are for a record, and this is an audit")
        _verify_audit(paths[0], noted, json=json)
        return
    if certificate is not None and len(paths) != 1:
        raise UpcardError(f"--certificate is for one record, and these are {len(paths)}")
    alone = len(paths) == 1
    each = noted if alone else Noted(key=noted.key)
    found = [_checked(path, each, alone=alone) for path in paths]
    together = () if alone else _together(found, noted)
    papers = _certify(found[0], certificate) if certificate is not None else []
    holds = all(one.holds for one in found) and all(check.holds for check in together)
    with whoever_reads():
        if json:
            _print_data(found, together, holds, many=len(files) > 1 or Path(files[0]).is_dir())
        else:
            _print_text(found, together, passed)
            for paper in papers:
                console().print(f"written: {printable(str(paper))}", style="dim", soft_wrap=True)
    if not holds:
        raise typer.Exit(1)


def _records(files: Sequence[str]) -> tuple[list[Path], int]:
    """The records that are meant, each once, and how many other files their folders have."""
    from upcard.table.files import real_path

    paths: list[Path] = []
    passed = 0
    for name in files:
        path = Path(name)
        if not name:
            raise UpcardError("a file has no name: name a record, or a folder with records")
        if not path.is_dir():
            paths.append(path)
            continue
        inside = list(_inside(path))
        records = [p for p in inside if _looks_like_a_record(p)]
        if not records:
            raise UpcardError(f"{path}: there is no record of a session in this folder")
        paths += records
        passed += len(inside) - len(records)
    known: dict[Path, Path] = {}
    for path in paths:
        known.setdefault(real_path(path), path)
    return list(known.values()), passed


def _inside(folder: Path) -> Iterator[Path]:
    """Everything in a folder and below, links to other folders named but not followed."""

    def unreadable(error: OSError) -> NoReturn:
        raise UpcardError(f"cannot read {error.filename}: {error.strerror}") from None

    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders.sort()
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        yield from (Path(place) / name for name in sorted((*names, *linked)))


def _looks_like_a_record(path: Path) -> bool:
    """Game files and situations lie in folders as well; what cannot be told is taken for one."""
    from upcard.table.notation import is_no_file

    if path.suffix.lower() not in SUFFIXES or is_no_file(path):
        return False
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except OSError:
        return True
    return path.suffix.lower() == ".jsonl" or b"notation" in start


# ------------------------------------------------------------------ audits


def _is_audit(path: Path) -> bool:
    from upcard.service.audit import is_audit
    from upcard.table.notation import is_no_file

    if is_no_file(path):  # who opens a pipe may wait for ever
        return False
    try:
        with path.open("rb") as file:
            return is_audit(file.read(64))
    except (OSError, ValueError):
        return False  # reading it as a record tells what is wrong


def _verify_audit(path: Path, noted: Noted, *, json: bool) -> None:
    """An audit may be larger than memory: it is read line by line."""
    from upcard.cli.play.home import own_public_key
    from upcard.players.ranked import SolvedWhenNeeded
    from upcard.service.audit_proof import verify_audit

    with path.open("rb") as file:
        found = verify_audit(
            file,
            lambda log: tables_of(log, path),
            source=str(path),
            own_key=own_public_key(),
            noted_head=noted.head,
            noted_key=noted.key,
            plays=SolvedWhenNeeded,
        )
    with whoever_reads():
        if json:
            print_json(
                {
                    "file": str(path),
                    "audit": True,
                    "head": found.head,
                    "holds": found.holds,
                    "counts": found.summary,
                    "checks": [check._asdict() for check in found.checks],
                }
            )
        else:
            _print_checks(found.checks)
            numbers = ", ".join(f"{count:,} {name}" for name, count in found.summary.items())
            console().print(f"{numbers}; head {found.head}", style="dim", soft_wrap=True)
    if not found.holds:
        raise typer.Exit(1)


# ------------------------------------------------------------------ records


def _checked(path: Path, noted: Noted, *, alone: bool) -> Checked:
    """One record; among several, one that cannot be read is just one that does not hold."""
    from upcard.cli.play.home import own_public_key
    from upcard.players.ranked import SolvedWhenNeeded
    from upcard.service.public_proof import verify_public
    from upcard.service.public_record import is_public, parse_public
    from upcard.table.notation import parse_record, read_bytes
    from upcard.table.proof import verify_record
    from upcard.table.verify import Check

    try:
        data = read_bytes(path)
        public = is_public(data)
        record = (parse_public if public else parse_record)(data, str(path))
        tables = tables_of(record.log, path)
    except UpcardError as error:
        if alone:
            raise
        audit = f"{path}: is an audit of a house: check it by itself" if _is_audit(path) else ""
        words = shortened(audit or str(error))
        return Checked(path, None, None, (Check("record", False, words),))
    key = own_public_key()
    if public:
        checks = verify_public(tables, record, noted, own_key=key)
    else:
        checks = verify_record(tables, record, noted, own_key=key, plays=SolvedWhenNeeded)
    return Checked(path, record, tables, checks, hashlib.sha256(data).hexdigest(), public)


def _together(found: Sequence[Checked], noted: Noted) -> tuple[Check, ...]:
    """What only several records show, of those that can be read and have no broken chain."""
    from upcard.players.ranked import SolvedWhenNeeded
    from upcard.table.several import Named, verify_together
    from upcard.table.verify import unweighable

    sound = [
        Named(one.path.name, one.tables, one.record, not unweighable(one.checks))
        for one in found
        if one.record is not None and one.tables is not None and one.checks[0].holds
        if not one.public  # without its secret nobody knows whose table it is
    ]
    return verify_together(sound, noted, SolvedWhenNeeded) if sound else ()


def _certify(one: Checked, path: Path) -> list[Path]:
    """The certificate, as text and as data. What is there already is not written over."""
    from upcard.table.certificate import certificate, certificate_text
    from upcard.table.files import write_new

    assert one.record is not None
    assert one.tables is not None
    if one.public:
        raise UpcardError("--certificate is for a whole record: this table is not closed yet")
    if not path.name:
        raise UpcardError(f"--certificate {path} is not the name of a file")
    if not path.parent.is_dir():
        raise UpcardError(f"--certificate {path}: there is no folder {path.parent}")
    base = path.with_suffix("") if path.suffix in (".txt", ".json") else path
    targets = [base.with_name(f"{base.name}{suffix}") for suffix in (".txt", ".json")]
    for target in targets:
        if target.exists():
            raise UpcardError(f"{target}: is there already, and is not written over")
    day = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    data = certificate(one.path.name, one.sha256, one.record, one.tables, one.checks, day)
    write_new(targets[0], certificate_text(data).encode())
    write_new(targets[1], json_text(data).encode())
    return targets


# ------------------------------------------------------------------ printing


def _print_data(
    found: Sequence[Checked], together: Sequence[Check], holds: bool, *, many: bool
) -> None:
    data = [_data(one) for one in found]
    if not many:
        print_json(data[0])
        return
    print_json(
        {
            "holds": holds,
            "records": data,
            "together": [check._asdict() for check in together],
        }
    )


def _data(one: Checked) -> dict[str, Any]:
    chain = one.record.chain if one.record else None
    return {
        "file": str(one.path),
        "game": one.tables.ref if one.tables else "",
        "fingerprint": one.record.log.fingerprint if one.record else "",
        "chained": chain is not None,
        "public": one.public,
        "key": chain.key if chain else "",
        "head": chain.head if chain else "",
        "holds": one.holds,
        "checks": [check._asdict() for check in one.checks],
    }


def _print_text(found: Sequence[Checked], together: Sequence[Check], passed: int) -> None:
    for one in found:
        if len(found) > 1:
            name = printable(str(one.path))
            console().print(name, style="bold", soft_wrap=True, markup=False)
        _print_checks(one.checks)
    if together:
        console().print(f"all {counted(len(found), 'record')} together", style="bold")
        _print_checks(together)
    if passed:
        others = counted(passed, "other file or linked folder", "other files or linked folders")
        console().print(f"{others} passed over", style="dim")


def _print_checks(checks: Sequence[Check]) -> None:
    from rich.text import Text

    out = console()
    good, bad, open_ = ("✓", "✗", "~") if speaks_unicode() else ("ok", "FAILS", "~")
    width = max(map(len, (good, bad, open_)))
    for check in checks:
        mark = (good, "green") if check.holds else (bad, "red")
        if check.holds and not check.proven:
            mark = (open_, "yellow")
        head = Text.assemble((f"{mark[0]:{width}}", mark[1]), f"  {check.name:12} ")
        print_hanging(out, head, check.found)
