"""What `upcard odds` tells aside from the prices: effects of removal, and of every option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from upcard.cli.arguments import chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.solving import identity, plain, progress

if TYPE_CHECKING:
    from upcard.papers.option_effects import OptionEffects
    from upcard.papers.removal import Removal
    from upcard.solve.split import Mode


def tell_removal(
    game: str, settings: list[str], bet: int | None, mode: Mode, *, json: bool
) -> None:
    """Print what every wager gains without one card of each kind."""
    from upcard.compile.tables import tables_for
    from upcard.papers.removal import removal

    tables = tables_for(game, chosen_settings(game, settings))
    with progress() as told:
        found = removal(tables, bet=bet, mode=mode, progress=told)
    print_json(plain(removal_data(found))) if json else found.show(console())


def tell_options(
    game: str, settings: list[str], bet: int | None, mode: Mode, *, json: bool
) -> None:
    """Print what every value of every option changes."""
    from upcard.compile.tables import tables_for
    from upcard.papers.option_effects import option_effects

    with progress() as told:
        found = option_effects(
            lambda own: tables_for(game, own),
            chosen_settings(game, settings),
            bet=bet,
            mode=mode,
            progress=told,
        )
    print_json(plain(options_data(found))) if json else found.show(console())


def removal_data(found: Removal) -> dict[str, Any]:
    """Effects of removal as plain data."""
    return {
        **identity(found.tables),
        "bet": found.bet,
        "split_mode": found.mode,
        "cards": {kind.name: list(map(str, kind.cards)) for kind in found.kinds},
        "wagers": {
            wager: {
                "name": priced.name,
                "ev": priced.ev,
                "without": priced.without,
                "effects": priced.effects,
                "counts": {
                    count: {
                        "correlation": found.fit(wager, count).correlation,
                        "per_true_count": found.fit(wager, count).per_true_count,
                    }
                    for count in found.counts
                },
            }
            for wager, priced in found.wagers.items()
        },
        "left_out": found.left_out,
    }


def options_data(found: OptionEffects) -> dict[str, Any]:
    """Effects of options as plain data."""
    return {
        **identity(found.tables),
        "bet": found.bet,
        "split_mode": found.mode,
        "options": [
            {
                "name": option.name,
                "clauses": option.clauses,
                "values": [
                    {
                        "value": value.value,
                        "is_given": value.is_given,
                        "refused": value.refused,
                        "wagers": {
                            wager: {
                                "ev": ev,
                                "edge": -ev,
                                "change": option.change(value, wager),
                            }
                            for wager, ev in value.evs.items()
                        },
                    }
                    for value in option.values
                ],
            }
            for option in found.options
        ],
        "ranges": found.ranges,
    }
