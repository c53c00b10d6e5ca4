"""Every sentence of every game's rule sheet, by default and under each single setting.

`python tests/every_sentence.py` writes `tests/sheets/GAME.txt` (`make docs` does it too), so that
a change of wording is seen in review. A setting is followed by what it changes on the sheet: "-"
is gone, "+" has come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from upcard import GAME_IDS, GameTables, tables_for
from upcard.errors import UpcardError
from upcard.rules.load import load_game
from upcard.rules.settings import choices
from upcard.rules.side_files import SIDE_IDS, find_side
from upcard.sheet.rules import Rule, sections
from upcard.text import as_text

FOLDER = Path(__file__).parent / "sheets"
SIDES = "side-wagers"

BETWEEN = {
    "penetration": ("0.5", "0.75"),
    "table_minimum": ("1000",),
    "table_maximum": ("10000",),
    "prize": ("7500",),
}
"""Values of wide ranges that are tried beside the two ends."""

OWN_LIMITS = (
    *("blackjack", "ten-sticks-21", "twisted-21", "blackjack-tie"),
    *("european-blackjack", "vegas-strip", "single-deck-6-5", "down-under"),
    *("spanish-21", "super-fun-21", "free-bet", "blackjack-switch", "double-exposure", "pontoon"),
    "zappit",
)
"""Games whose house sets the limits of the table."""

COMPANIONS: Mapping[tuple[str, str, str], Mapping[str, str]] = {
    ("ten-sticks-21", "natural", "6:5"): {"decks": "1"},
    ("pure-spanish-21.5", "soft17", "stand"): {"double_double": "false"},
    **{(game, "table_minimum", "10000000"): {"table_maximum": "100000000"} for game in OWN_LIMITS},
    **{(game, "table_maximum", "100"): {"table_minimum": "100"} for game in OWN_LIMITS},
}
"""Settings that the rules allow only beside others."""


def single_settings(game: str) -> Iterator[dict[str, str]]:
    """Every option and reading of a game at every value but the one in its file."""
    rules = load_game(game)
    for name, choice in choices(rules.game).items():
        now = choice.current(rules.data)
        assert now is not None, name
        values = dict.fromkeys((*map(as_text, choice.allowed_values()), *BETWEEN.get(name, ())))
        for value in values:
            if value != as_text(now) and choice.keys_for(value) is not None:
                yield {name: value, **COMPANIONS.get((game, name, value), {})}


def lines(tables: GameTables) -> list[str]:
    """The sheet of a game, one line for a sentence with its pay table."""
    found = []
    for section in sections(tables):
        found.append(section.title)
        found += [f"  {line(rule)}" for rule in section.rules]
    return found


def line(rule: Rule) -> str:
    cited = f" [{', '.join(rule.clauses)}]" if rule.clauses else ""
    marks = f" ({', '.join(rule.marks)})" if rule.marks else ""
    rows = "".join(f" | {event} = {pays}" for event, pays in rule.rows)
    return f"{rule.words}{cited}{marks}{rows}"


def page(game: str) -> str:
    default = lines(tables_for(game))
    parts = [f"{game}: every sentence of its rule sheet\n", *default]
    for settings in single_settings(game):
        parts.append("\nwith " + ", ".join(f"{name}={value}" for name, value in settings.items()))
        try:
            other = lines(tables_for(game, settings))
        except UpcardError as error:
            parts.append(f"  refused: {error}")
            continue
        parts += [f"- {text.strip()}" for text in default if text not in other]
        parts += [f"+ {text.strip()}" for text in other if text not in default]
    return "\n".join(parts) + "\n"


def side_page() -> str:
    """What the sheet of a game says of every packaged side wager, with each of its pay tables."""
    default = lines(tables_for("blackjack"))
    parts = [f"{SIDES}: every sentence about them, beside blackjack"]
    for side in SIDE_IDS:
        for table in find_side(side).side.tables:
            parts.append(f"\n{side}={table}")
            own = lines(tables_for("blackjack", sides=[f"{side}={table}"]))
            parts += [text for text in own if text not in default and text.startswith(" ")]
    return "\n".join(parts) + "\n"


def file_of(game: str) -> Path:
    return FOLDER / f"{game}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game in GAME_IDS:
        file_of(game).write_text(page(game), "utf-8")
    file_of(SIDES).write_text(side_page(), "utf-8")
