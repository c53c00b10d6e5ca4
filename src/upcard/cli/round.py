"""`upcard round`: plays scripted rounds and says whether they end as expected."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from upcard.cli.arguments import Json, Settings, Sides, asked_settings, settings_in_cents
from upcard.cli.output import complain, console, print_json, speaks_unicode, whoever_reads
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.rules.settings import parse_settings
from upcard.text import cited, counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from upcard.compile.carry import Carry
    from upcard.table.situation import Loader, PlayedSituation, Situation

STDIN = "-"

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE", help="Situations, or folders of them; - is standard input."),
]


class FileResult(NamedTuple):
    """What became of one file. `errors` is why the round could not be played to its end."""

    source: str
    situation: Situation | None = None
    played: PlayedSituation | None = None
    refusal: str = ""
    differences: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        if self.errors:
            return "fails"
        if self.differences:
            return "differs"
        if self.refusal:
            return "refused"
        return "ok" if self.situation and self.situation.expects else "played"

    @property
    def is_bad(self) -> bool:
        return bool(self.errors or self.differences)

    @property
    def complaints(self) -> Iterator[str]:
        """Sentences for standard error, each with the name of the file."""
        yield from self.errors
        for difference in self.differences:
            yield f"{self.source}: {difference}"


def round_(
    files: Files,
    settings: Settings = None,
    side: Sides = None,
    json: Json = False,
    events: Annotated[
        bool, typer.Option("--events", help="Tell everything that happened as well.")
    ] = False,
) -> None:
    """Play scripted rounds; exit status 1 if one does not end as its file expects.

    Several files or a folder give one line each.

    Example: upcard round examples/eight-eight-eight.toml
    """
    from upcard.table.situation import remembering

    chosen, load = parse_settings(asked_settings(settings, side)), remembering()
    if len(files) == 1 and not Path(files[0]).is_dir():
        result = result_of(files[0], chosen, load)
        if result.errors:
            complain(*result.errors)
            raise typer.Exit(1)
        results = [result]
        with whoever_reads():
            _show_one(result, json=json, events=events)
    else:
        results = _play_all(_found(files), chosen, load, json=json)
    if any(result.is_bad for result in results):
        raise typer.Exit(1)


def _found(names: Iterable[str]) -> list[str]:
    """Every file that the arguments name, those of folders in their order."""
    files: list[str] = []
    for name in names:
        inside = sorted(Path(name).rglob("*.toml")) if Path(name).is_dir() else None
        if inside == []:
            raise UpcardError(f"{name}: there is no situation in this folder (a file *.toml)")
        files += [name] if inside is None else map(str, inside)
    return files


def result_of(source: str, settings: Mapping[str, str], load: Loader) -> FileResult:
    """Play one file, whatever comes of it."""
    from upcard.table.situation import judged, parse_situation, read_situation

    try:
        if source == STDIN:
            source = "standard input"
            situation = parse_situation(_standard_input(), source)
        else:
            situation = read_situation(Path(source))
    except UpcardError as error:
        return FileResult(source, errors=error.sentences)
    try:
        chosen = settings_in_cents(situation.game, settings)
        found, differences = judged(situation.having(chosen), load)
    except UpcardError as error:
        errors = tuple(f"{source}: {sentence}" for sentence in error.sentences)
        return FileResult(source, situation, errors=errors)
    if isinstance(found, str):
        return FileResult(source, situation, refusal=found, differences=tuple(differences))
    return FileResult(source, situation, found, differences=tuple(differences))


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UpcardError("standard input is not text in UTF-8") from None


# ------------------------------------------------------------------ several files


def _play_all(
    files: Iterable[str], settings: Mapping[str, str], load: Loader, *, json: bool
) -> list[FileResult]:
    results = []
    out = console()
    for file in files:
        result = result_of(file, settings, load)
        results.append(result)
        if not json:
            result_line(result, out)
    if json:
        print_json([{"file": result.source} | result_data(result) for result in results])
    else:
        out.print(tally_words(results))
    return results


def tally_words(results: Iterable[FileResult]) -> str:
    """How many rounds there were, and what became of them."""
    counts = Counter(result.word for result in results)
    words = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    return f"{counts.total()} situations: {words or 'none'}"


def result_line(result: FileResult, out: Console) -> None:
    """One line on a file, and what is wrong with it on standard error."""
    from rich.text import Text

    title = f"  {result.situation.title}" if result.situation else ""
    out.print(Text(f"{result.word:8}{result.source}{title}"), soft_wrap=True)
    sys.stdout.flush()
    for sentence in result.complaints:
        complain(sentence)


# ------------------------------------------------------------------ one file


def _show_one(result: FileResult, *, json: bool, events: bool) -> None:
    if json:
        print_json(result_data(result))
        return
    out = console()
    _heading(result, out)
    if result.played is not None:
        _picture(result.played, out)
        if events:
            _events(result.played, out)
    if result.refusal:
        out.print(f"Refused: {result.refusal}", soft_wrap=not out.is_terminal, markup=False)
    if not result.differences and result.word != "played":
        out.print("As expected.", style="green")
    sys.stdout.flush()
    for sentence in result.complaints:
        complain(sentence)


def result_data(result: FileResult) -> dict[str, Any]:
    """The result of one file as data."""
    if result.errors:
        return {"error": "\n".join(result.errors)}
    assert result.situation is not None
    if result.played is not None:
        data = result.played.report()
    else:
        data = {
            "game": result.situation.game,
            "title": result.situation.title,
            "clauses": list(result.situation.clauses),
            "refused": result.refusal,
        }
    if result.situation.expects:
        data["expected"] = not result.differences
        data["differences"] = list(result.differences)
    return data


def _heading(result: FileResult, out: Console) -> None:
    from rich.text import Text

    assert result.situation is not None
    title = Text(result.situation.title or "A round", "bold")
    title.append(cited(result.situation.clauses), "not bold cyan")
    out.print(title)
    if result.played is None:
        out.print(result.situation.game, style="dim")
        return
    tables = result.played.tables
    chosen = tables.rulebook.settings_words(tables.settings)
    out.print(Text(f"{tables.title}  {tables.ref}{f' with {chosen}' if chosen else ''}", "dim"))
    if tables.head.draft:
        out.print(Text(tables.head.draft, "bold yellow"))


def _picture(played: PlayedSituation, out: Console) -> None:
    report = played.report()
    out.print()
    out.print(_grid(report))
    out.print()
    if "bank" in report:
        bank = report["bank"]
        fees = f", fees {format_cents(bank['fees'])}" if bank["fees"] else ""
        out.print(f"Player-dealer at seat {bank['seat']}: net {format_cents(bank['net'])}{fees}")
    else:
        out.print(f"House: net {format_cents(report['house']['net'])}")
    if "prizes" in report:
        # The console would read brackets of a name as a style.
        words = _prizes(played.tables.carry, report["prizes"])
        out.print(f"Prizes: {words}", markup=False)
    if "next_bank" in report:
        offer = report["next_bank"]
        out.print(f"The bank is offered next to seat {offer['seat']}, turn {offer['turn']}")


def _prizes(carry: Carry | None, amount: int) -> str:
    if carry is None or not carry.prize_name:
        return format_cents(amount)
    won = amount // int(carry.prize.sum())
    return carry.prize_words + (f", {counted(won, 'time')}" if won > 1 else "")


def _grid(report: Mapping[str, Any]) -> Table:
    """The dealer and the seats; lines of one seat lie side by side: its hands, its wagers."""
    from rich.table import Table

    seats = report["seats"]
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for name in ("", "cards", "total", "outcome", "staked and returned"):
        grid.add_column(name, no_wrap=name != "cards")
    figures = ["net"]
    figures += [name for name in ("fees", "lights") if any(seat[name] for seat in seats.values())]
    for name in figures:
        grid.add_column(name, justify="right", no_wrap=True)
    dealer = report["dealer"]
    cards = " ".join(dealer["cards"]) + _undealt(dealer["cards"], dealer["all_cards"])
    grid.add_row("Dealer", cards, str(dealer["total"]))
    for number, seat in seats.items():
        _add_seat(grid, number, seat, figures)
    return grid


def _add_seat(grid: Table, number: str, seat: Mapping[str, Any], columns: Iterable[str]) -> None:
    name = f"Seat {number}"
    if seat["player"] != name.lower():
        name += f" {seat['player']}"
    hands = seat["hands"]
    cards = [" ".join(hand["cards"]) for hand in hands]
    cards[-1] += _undealt(hands[-1]["cards"], seat.get("dealt", ()))
    grid.add_row(
        name,
        "\n".join(cards),
        "\n".join(str(hand["total"]) for hand in hands),
        "\n".join(hand["outcome"] for hand in hands),
        _wagers(seat["wagers"]),
        *(_figure(name, seat[name]) for name in columns),
    )
    for backer, result in seat.get("backline", {}).items():
        figures = [_figure(name, result.get(name, 0)) for name in columns if name != "lights"]
        grid.add_row(f"  {backer}", "", "", "", _wagers(result["wagers"]), *figures)


def _undealt(used: Iterable[str], dealt: Iterable[str]) -> str:
    """Further cards that lay before a hand and are not part of it."""
    rest = list(dealt)
    for card in used:
        if card in rest:
            rest.remove(card)
    return f" ({' '.join(rest)})" if rest else ""


def _figure(name: str, value: int) -> str:
    return str(value) if name == "lights" else format_cents(value)


def _wagers(wagers: Mapping[str, Mapping[str, int]]) -> str:
    arrow = "→" if speaks_unicode() else "->"
    return "\n".join(
        f"{name} {format_cents(wager['staked'])} {arrow} {format_cents(wager['returned'])}"
        for name, wager in wagers.items()
    )


def _events(played: PlayedSituation, out: Console) -> None:
    from rich.text import Text

    from upcard.table.engine import Engine
    from upcard.table.sentences import sentence

    engine = Engine(played.tables)
    out.print()
    for number, event in enumerate(played.events, 1):
        out.print(Text(f"{number:4}  {sentence(engine, event)}"), soft_wrap=not out.is_terminal)
