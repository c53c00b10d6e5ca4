"""Records of sessions as the verbs take them: read, with their game, and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from upcard.errors import UpcardError

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.table.engine import Engine
    from upcard.table.events import Event
    from upcard.table.session import Log


class Loaded(NamedTuple):
    """What can be gone through. `fault` is why it proves nothing, "" if it holds.

    It names the check alone: what `verify` prints of it may be more than a viewer may see.
    """

    engine: Engine
    events: tuple[Event, ...]
    fault: str = ""


def load_events(path: Path) -> Loaded:
    """The events of a session and whether they hold, or of a situation once it is played."""
    from upcard.cli.play.home import own_public_key
    from upcard.table.engine import Engine
    from upcard.table.notation import parse_record, read_bytes
    from upcard.table.proof import verify_record

    data = read_bytes(path)
    if _is_situation(data):
        return _played(path)
    record = parse_record(data, str(path))
    tables = tables_of(record.log, path)
    checks = verify_record(tables, record, own_key=own_public_key())
    broken = next((check for check in checks if not check.holds), None)
    fault = f"the {broken.name} of this record does not hold" if broken else ""
    return Loaded(Engine(tables), tuple(record.log.events), fault)


def _is_situation(data: bytes) -> bool:
    from upcard.shape import parse_toml
    from upcard.table.notation import BRACE

    if data.startswith(BRACE):
        return False
    try:
        return "shoe" in parse_toml(data.decode("utf-8-sig"), "")
    except (UpcardError, UnicodeDecodeError):
        return False


def _played(path: Path) -> Loaded:
    from upcard.table.engine import Engine
    from upcard.table.situation import play_situation, read_situation

    situation = read_situation(path)
    try:
        played = play_situation(situation)
    except UpcardError as error:
        raise UpcardError(f"{path}: {error.sentences[0]}") from error
    return Loaded(Engine(played.tables), played.events)


def tables_of(log: Log, path: Path) -> GameTables:
    """The game of a record; a game file of one's own may stand beside it."""
    from upcard.compile.tables import tables_for

    try:
        beside = path.parent / log.game
        is_beside = beside.suffix == ".toml" and not Path(log.game).is_file() and beside.is_file()
        return tables_for(str(beside) if is_beside else log.game, log.settings)
    except (UpcardError, ValueError, OSError) as error:
        reason = error.sentences[0] if isinstance(error, UpcardError) else str(error)
        raise UpcardError(f"{path}: its game cannot be loaded: {reason}") from error
