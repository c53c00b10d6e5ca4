"""`upcard odds`: the exact price of every wager."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.arguments import (
    Game,
    Json,
    OnCluster,
    Settings,
    Sides,
    asked_settings,
    chosen_settings,
    settings_in_cents,
)
from upcard.cli.odds_aside import tell_options, tell_removal
from upcard.cli.output import complain, console, print_json
from upcard.cli.solving import (
    Bet,
    SplitMode,
    Splits,
    With,
    identity,
    parse_ratios,
    plain,
    progress,
)
from upcard.cli.varying import Vary, parse_varied
from upcard.cli.writing import Output, check_picture, said, write_output
from upcard.errors import UpcardError
from upcard.money import BASE
from upcard.text import counted, listed

if TYPE_CHECKING:
    from upcard.papers.what_if import WhatIf
    from upcard.solve.lights import LongRun, Stay
    from upcard.solve.odds import Odds, StakeOdds
    from upcard.solve.prizes import PrizesReport
    from upcard.solve.result import WagerOdds
    from upcard.solve.split import Mode


class PricedPlay(StrEnum):
    """The play that is priced."""

    optimal = "optimal"
    basic = "basic"


def odds(
    game: Game,
    settings: Settings = None,
    side: Sides = None,
    bet: Bet = None,
    with_: With = None,
    strategy: Annotated[
        PricedPlay,
        typer.Option(help="optimal: by the cards of the hand; basic: by its total alone."),
    ] = PricedPlay.optimal,
    split_mode: Splits = SplitMode.cdp,
    infinite: Annotated[
        bool, typer.Option("--infinite", help="Cards never run out: an endless shoe.")
    ] = False,
    stay: Annotated[
        float | None,
        typer.Option(
            "--stay",
            metavar="ROUNDS",
            help="Lights: a player who leaves after so many rounds on average.",
        ),
    ] = None,
    vary: Vary = None,
    cluster: OnCluster = None,
    options: Annotated[
        bool,
        typer.Option("--options", help="What every value of every option changes, each by itself."),
    ] = False,
    removal: Annotated[
        bool,
        typer.Option(
            "--removal",
            help="What every wager gains when one card is gone, and how well counts foretell it.",
        ),
    ] = False,
    output: Output = None,
    json: Json = False,
) -> None:
    """Print the exact odds of every wager of a game, off the top of a fresh shoe.

    Example: upcard odds pure-spanish-21.5 --with match=1/2
    """
    asides = [name for name, asked in _asides(vary, options, removal).items() if asked]
    if len(asides) > 1:
        raise UpcardError(f"ask for {listed(asides)}, one at a time")
    if asides:
        alone = with_, infinite, stay, strategy is not PricedPlay.optimal
        if any(alone):
            raise UpcardError(
                f"{asides[0]} prices optimal play of a shoe that ends, and no more with it"
            )
    if cluster is not None and not vary:
        raise UpcardError(
            "--cluster shares out what --vary asks for: name a setting and its values to vary"
        )
    if (options or removal) and output is None:
        tell = tell_removal if removal else tell_options
        tell(game, asked_settings(settings, side), bet, split_mode.value, json=json)
        return
    if vary:
        asked = asked_settings(settings, side)
        _what_if(game, asked, vary, bet, split_mode.value, cluster, output, json)
        return
    if output is not None:
        raise UpcardError("-o writes what --vary finds: name a setting and its values to vary")
    from upcard.compile.tables import tables_for
    from upcard.solve.lights import check_stay
    from upcard.solve.odds import odds as price

    tables = tables_for(game, chosen_settings(game, asked_settings(settings, side)))
    ratios = parse_ratios(with_ or (), tables)
    check_stay(tables, stay)
    with progress() as told:
        found = price(
            tables,
            bet=bet,
            ratios=ratios,
            strategy=strategy.value,
            mode=split_mode.value,
            endless=infinite,
            rounds=stay,
            progress=told,
        )
    if json:
        print_json(plain(odds_data(found)))
    else:
        found.show(console())


def _asides(vary: list[str] | None, options: bool, removal: bool) -> dict[str, bool]:
    return {"--vary": bool(vary), "--options": options, "--removal": removal}


def _what_if(
    game: str,
    settings: list[str],
    vary: list[str],
    bet: int | None,
    mode: Mode,
    cluster: str | None,
    output: Path | None,
    json: bool,
) -> None:
    from upcard.compile.tables import tables_for
    from upcard.papers.plots.edges import check_lines, edges_picture
    from upcard.papers.what_if import what_if

    check_picture(output, ".csv")
    varied = {
        name: [settings_in_cents(game, {name: value})[name] for value in values]
        for name, values in parse_varied(vary).items()
    }
    if output is not None and output.suffix != ".csv":
        check_lines(varied)
    if cluster is not None:
        from upcard.simulate.cluster import check_reachable

        check_reachable(cluster)
    with progress() as told:
        found = what_if(
            lambda settings: tables_for(game, settings),
            chosen_settings(game, settings),
            varied,
            bet=bet,
            mode=mode,
            cluster=cluster,
            say=complain,
            progress=told,
        )
    if output is not None:
        as_csv = output.suffix == ".csv"
        write_output(output, found.csv() if as_csv else edges_picture(found, output.suffix))
    if json:
        print_json(plain(_what_if_data(found)))
    elif output is not None:
        said(output, counted(len(found.cells), "combination"))
    else:
        found.show(console())


def _what_if_data(found: WhatIf) -> dict[str, Any]:
    return {
        **identity(found.tables),
        "bet": found.bet,
        "split_mode": found.mode,
        "varied": dict(zip(found.names, found.values, strict=True)),
        "cells": [
            {
                "settings": dict(zip(found.names, cell.values, strict=True)),
                "fingerprint": cell.fingerprint,
                "refused": cell.refused,
                "wagers": {wager: _ev(ev) for wager, ev in cell.evs.items()},
            }
            for cell in found.cells
        ],
    }


# -------------------------------------------------------------------------------------------- data


def odds_data(found: Odds) -> dict[str, Any]:
    """All results as plain data, in full precision."""
    base = found.base
    data = {
        **identity(found.tables),
        "seconds": found.seconds,
        "bet": found.bet,
        "split_mode": found.mode,
        "strategy": found.strategy,
        "infinite": found.endless,
        "wagers": {wager: wager_data(priced) for wager, priced in found.wagers.items()},
        "base": {
            "basic_ev": base.basic_ev,
            "basic_cost": base.basic_cost,
            "suits_gain": base.suits_gain,
            "by_up": base.by_up,
            "by_first_hand": [
                {"cards": hand.cards, "up": hand.up, "chance": hand.chance, "ev": hand.ev}
                for hand in base.by_first_hand
            ],
            "outcomes": base.outcomes,
            "distribution": [
                {"result": result, "probability": chance}
                for result, chance in base.ends.results.items()
            ],
            "split_chance": base.split_chance,
            "dealer": {"all": base.dealer_hands, "by_up": base.dealer},
        },
    }
    if found.bonuses:
        data["bonuses"] = [
            {
                "hand": row.name,
                "pays": row.pays,
                "printed": row.printed,
                "hands": row.hands,
                "unsplit": row.unsplit,
                "split": row.split,
                "return": row.contribution,
                "over_a_win": row.more,
            }
            for row in found.bonuses
        ]
    if found.by_bet:
        data["by_bet"] = {amount: _ev(ev) for amount, ev in found.by_bet.items()}
    if found.combined is not None:
        data["combined"] = {
            "ratios": found.combined.ratios,
            "adapted": _stake_data(found.combined.adapted, found.combined.ratios),
            "ordinary": _stake_data(found.combined.ordinary, found.combined.ratios),
        }
    if found.lights is not None:
        data["lights"] = _lights_data(found.lights, found.bet)
    if found.prizes is not None:
        data["prizes"] = _prizes_data(found.prizes)
    if found.exchange is not None:
        data["exchange"] = {
            "chance": found.exchange.chance,
            "never_ev": found.exchange.never_ev,
            "gain": found.wagers[BASE].ev - found.exchange.never_ev,
            "together": {
                "ev": 2 * found.wagers[BASE].ev,
                "sd": found.exchange.together_sd,
                "error": found.exchange.together_error,
            },
            "looks_at": found.exchange.looks_at,
        }
    if found.stay is not None:
        data["stay"] = _stay_data(found.stay)
    return data


def wager_data(priced: WagerOdds) -> dict[str, Any]:
    return {
        "name": priced.name,
        "ev": priced.ev,
        "edge": priced.edge,
        "sd": priced.sd,
        "skewness": priced.skewness,
        "average_stake": priced.stake,
        "element_of_risk": priced.element_of_risk,
        "hit_frequency": priced.hit_frequency,
        "method": priced.method,
        "error": priced.error,
        "strategy": priced.strategy,
        "favours_player": priced.favours_player,
        "returns": [
            {
                "event": row.event,
                "pays": row.pays,
                "printed": row.printed,
                "combinations": row.combinations,
                "probability": row.probability,
                "return": row.contribution,
            }
            for row in priced.returns
        ],
    }


def _ev(ev: float) -> dict[str, Any]:
    return {"ev": ev, "edge": -ev, "favours_player": ev > 0}


def _stake_data(stake: StakeOdds, ratios: Mapping[str, float]) -> dict[str, Any]:
    wagers = {
        wager: {**_ev(ev), "staked": wager == BASE or wager in ratios}
        for wager, ev in stake.wagers.items()
    }
    return {**_ev(stake.ev), "edge": stake.edge, "wagers": wagers}


def _lights_data(lights: LongRun, bet: int) -> dict[str, Any]:
    return {
        "per_round": lights.per_round,
        "value": lights.light * bet,
        "value_in_bets": lights.light,
        "prize": lights.prize,
        "prize_name": lights.prize_name,
        "rounds_to_prize": lights.rounds_to_prize,
        "break_even_prize": lights.break_even_prize,
        "alone_ev": lights.alone_ev,
        "base_ev": lights.base_ev,
    }


def _prizes_data(prizes: PrizesReport) -> dict[str, Any]:
    return {
        "prizes": [
            {
                **asdict(prize),
                "ev": prize.ev,
                "each_other": prize.each_other,
                "most_ev": prize.most_ev,
                "most_each_other": prize.most_each_other,
            }
            for prize in prizes.prizes
        ],
        **_ev(prizes.ev),
        "base_ev": prizes.base_ev,
        "alone_ev": prizes.alone_ev,
        "suits_gain": prizes.suits_gain,
        "alone_suits_gain": prizes.alone_suits_gain,
        "played_for": [
            {
                "cards": one.cards,
                "up": one.up,
                "action": one.action.text,
                "instead_of": one.instead_of.text,
            }
            for one in prizes.played_for
        ],
    }


def _stay_data(stay: Stay) -> dict[str, Any]:
    return {
        "rounds": stay.rounds,
        **_ev(stay.ev),
        "base_ev": stay.base_ev,
        "per_round": stay.per_round,
        "value_by_lit": stay.light_by_lit,
    }
