"""`upcard test`: the scripted rounds that stand beside games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from upcard.cli.arguments import Json
from upcard.cli.output import complain, console, print_json
from upcard.cli.round import result_data, result_line, result_of, tally_words
from upcard.errors import UpcardError
from upcard.rules import folders, registry
from upcard.rules.folders import SITUATION_END, SITUATIONS
from upcard.rules.side_files import side_problems
from upcard.text import listed

Places = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR|FILE",
        help="Folders of games with their situations, a game file, or a scripted round.",
    ),
]
_MARKS = ("game", "shoe", "seats")
"""The keys by which a file that stands among games is a scripted round."""


def test(places: Places, json: Json = False) -> None:
    """Check the games and side wagers of a folder and play the scripted rounds beside them.

    Rounds are the files in its folder `situations` and below, and those among the games. Of a game
    file, its own are played. Exit status 1 if a game has a problem or a round ends otherwise.

    Example: upcard test examples
    """
    from upcard.table.situation import remembering

    load, results, checked, sides = remembering(), [], [], []
    out = console()
    for place in places:
        games, rounds = _found(place)
        for file in games:
            checked.append(_checked(file))
            if not json:
                _game_line(checked[-1])
        for file in _sides_in(place):
            sides.append(_checked_side(file, place))
            if not json:
                _game_line(sides[-1])
        for file in rounds:
            results.append(result_of(str(file), {}, load))
            if not json:
                result_line(results[-1], out)
    if json:
        print_json(
            {
                "games": checked,
                "side_wagers": sides,
                "situations": [
                    {"file": r.source, "result": r.word} | result_data(r) for r in results
                ],
            }
        )
    else:
        out.print(tally_words(results))
    wrong = any(one["problems"] for one in (*checked, *sides))
    if wrong or any(result.is_bad for result in results):
        raise typer.Exit(1)


def _is_of_use(folder: Path) -> bool:
    """Whether there are game files, side wagers or situations in a folder."""
    return any(file.suffix == ".toml" for file in folder.iterdir())


def _found(place: Path) -> tuple[list[Path], list[Path]]:
    """The games at a place and the rounds beside them."""
    if place.is_dir():
        folders.add([place])
        own = [game for game in registry.own_games() if game.folder == place.absolute()]
        games = [place / game.file.relative_to(game.folder) for game in own]
        rounds = list(_rounds_in(place))
        if not games and not rounds and not _sides_in(place):
            below = sorted(one.name for one in place.iterdir() if one.is_dir() and _is_of_use(one))
            more = f", but in {listed(below, 'and')} below it: name one" if below else ""
            words = f"{place}: there is neither a game nor a situation in this folder{more}"
            raise UpcardError(words)
        return games, rounds
    data = folders.read_game(place)
    if all(mark in data for mark in _MARKS):
        folders.add([_games_of(place)])
        return [], [place]
    folders.add([place.parent])
    names = {str(data.get("id")), place.name}
    return [place], [file for file in _rounds_in(place.parent) if _game_of(file) in names]


def _sides_in(place: Path) -> list[Path]:
    """The side wagers that stand among games."""
    return [side.file for side in folders.sides_in(place)] if place.is_dir() else []


def _checked_side(file: Path, folder: Path) -> dict[str, Any]:
    data, problems = folders.read_game(file), side_problems(file, folder)
    return {"file": str(file), "side": data["id"], "problems": list(map(str, problems))}


def _games_of(file: Path) -> Path:
    """The folder of the games beside which a round stands."""
    above = (folder.parent for folder in file.absolute().parents if folder.name == SITUATIONS)
    return next(above, file.parent)


def _rounds_in(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.glob("*.toml")):
        if file.name.endswith(SITUATION_END) or _is_round(file):
            yield file
    yield from sorted((folder / SITUATIONS).rglob("*.toml"))


def _is_round(file: Path) -> bool:
    try:
        data = folders.read_game(file)
    except UpcardError:
        return False  # which is listed among the games
    return all(mark in data for mark in _MARKS)


def _game_of(file: Path) -> str:
    """The game that a round names, by its id or by the name of its file."""
    try:
        return Path(str(folders.read_game(file).get("game"))).name
    except UpcardError:
        return ""


def _checked(file: Path) -> dict[str, Any]:
    from upcard.rules.check import check_game

    known = {game.file.resolve(): game.problem for game in registry.own_games() if game.problem}
    problem = known.get(file.absolute().resolve())
    if problem:
        return {"file": str(file), "game": "", "draft": False, "problems": [problem]}
    is_draft = folders.read_game(file).get("draft") is True
    rules, problems = check_game(str(file), {}, draft=is_draft)
    return {
        "file": str(file),
        "game": rules.game.ref if rules else "",
        "draft": is_draft,
        "problems": list(map(str, problems)),
    }


def _game_line(one: dict[str, Any]) -> None:
    word = "fails" if one["problems"] else "draft" if one.get("draft") else "sound"
    what = one["game"] if "game" in one else f"side wager {one['side']}"
    typer.echo(f"{word:8}{one['file']}  {what}".rstrip())
    for problem in one["problems"]:
        complain(problem)
