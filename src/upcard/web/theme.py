"""The tokens of the design, as CSS variables: dark and light, and a felt for every game."""

from __future__ import annotations

from collections.abc import Mapping

from upcard.rules.head import LETTERING
from upcard.service.felt import felt_of
from upcard.service.house_games import game_ids
from upcard.table.cloth import OTHER_FELT

SAME: Mapping[str, str] = {
    "lamp": "#ffb347",
    "gold": "#f2b84b",
    "gold-strong": "#ffcb6b",
    "on-gold": "#1d1503",
    "on-felt": "#fbf7ea",
    "on-felt-soft": LETTERING,
    "rail": "#2a1d14",
    "paper": "#fdfcf8",
    "card-red": "#b3202c",
    "card-black": "#1c1c1e",
    "card-club": "#1f7a3d",
    "card-diamond": "#1f5fae",
    "sans": 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    "serif": '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif',
    "mono": 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
}
DARK: Mapping[str, str] = {
    "ground": "#14171a",
    "bar": "#0e1012",
    "surface": "#1c2024",
    "raised": "#252a2f",
    "line": "#343a40",
    "line-strong": "#6e7780",
    "text": "#eceae4",
    "soft": "#b0b4b5",
    "link": "#f0c46c",
    "focus": "#8ec5ff",
    "good": "#6fd19b",
    "bad": "#ff9b93",
    "warn": "#ffc26b",
    "good-ground": "#17301f",
    "bad-ground": "#3a1d1c",
    "warn-ground": "#33270f",
    "shade": "0 1px 2px #0006, 0 8px 24px #0004",
}
LIGHT: Mapping[str, str] = {
    "ground": "#f3efe4",
    "bar": "#fbf9f3",
    "surface": "#fdfcf8",
    "raised": "#f7f3e9",
    "line": "#ddd5c3",
    "line-strong": "#857c6b",
    "text": "#211f1b",
    "soft": "#5a5549",
    "link": "#7d4a00",
    "focus": "#0b5fc0",
    "good": "#17653a",
    "bad": "#a31d22",
    "warn": "#7d4a00",
    "good-ground": "#e2f1e4",
    "bad-ground": "#f9e3e0",
    "warn-ground": "#f8ecd2",
    "shade": "0 1px 2px #3b2f1a1f, 0 6px 20px #3b2f1a14",
}


def stylesheet() -> str:
    """Every token as a variable. The system's theme rules unless `data-theme` names one."""
    return "\n".join(
        (
            f":root {{ color-scheme: dark light; {_variables(SAME)} {_variables(DARK)} }}",
            "@media (prefers-color-scheme: light) {",
            f'  :root:not([data-theme="dark"]) {{ color-scheme: light; {_variables(LIGHT)} }}',
            "}",
            f':root[data-theme="light"] {{ color-scheme: light; {_variables(LIGHT)} }}',
            ':root[data-theme="dark"] { color-scheme: dark; }',
            *(f'[data-game="{game}"] {{ --felt: {felt_of(game)}; }}' for game in game_ids()),
            f":root {{ --felt: {OTHER_FELT}; }}",
        )
    )


def _variables(tokens: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in tokens.items())
