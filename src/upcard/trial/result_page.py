"""What `upcard simulate` and `print(result)` show: the wagers, and whatever else was asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from upcard.money import BASE, CENTS_PER_DOLLAR, format_cents
from upcard.pages.figures import grid, heading, percent, ratio_words, shoe_words
from upcard.pages.page import Printer, indented
from upcard.pages.small_plots import bar, fan, has_room
from upcard.round.stakes import PRIZES
from upcard.simulate.figures import Z_95, Mean, well_known
from upcard.solve.given_up import third_card_by_play
from upcard.text import counted

if TYPE_CHECKING:
    from rich.text import Text

    from upcard.simulate.figures import Figures, SessionFigures, Share
    from upcard.trial.trials import Result, Trial, WagerResult

FINE = 4
"""Decimals of a dollar, where an average is known to less than one."""
FAR = 4.0
"""Standard errors that chance hardly explains."""
MOST_RESULTS = 15
ABREAST = 3
"""Results of a round beside each other."""
WAGER_FIGURES = 76
"""Columns that the figures of a wager take besides its name."""
BARS_FROM, WAGER_COLUMNS = 52, 19
"""Columns from which on rows have a bar, too: so many, and so many for every wager."""
FAN_WIDTH = 72
SWEEP_WIDTH = 100
"""Columns from which on a sweep has the deviations, too."""
TOO_FAR = "A |z| of 4 or more is hardly chance: please report it."
POLICY_WORDS = {
    "basic": "basic (total-dependent) play",
    "optimal": "optimal (composition-dependent) play",
    "mimic": "the dealer's own rule",
    "random": "random play",
}


def show_result(result: Result, out: Printer) -> None:
    """One trial on the terminal."""
    from rich.text import Text

    trial, outcome = result.trial, result.outcome
    request = trial.request
    out.print(heading(trial.tables, *trial_facts(trial)))
    rate = outcome.rounds / outcome.seconds if outcome.seconds else 0.0
    played = f"{outcome.rounds:,} " + ("round" if outcome.rounds == 1 else "rounds")
    speed = f"{played} in {outcome.seconds:.1f} s, {rate:,.0f} a second"
    ended = "" if outcome.complete else "; stopped early"
    out.print(Text(f"{speed}, seed {request.seed}{ended}", "dim"))
    out.print()
    _show_wagers(result, out)
    figures = result.figures
    _show_round(result, figures, out)
    if by_depth := figures.by_depth():
        _show_depth(by_depth, request.seats, out)
    if by_count := figures.by_count():
        _show_count(by_count, request.seats, out)
    session = figures.sessions()
    if session is not None:
        _show_session(session, out)


def trial_facts(trial: Trial) -> tuple[str, ...]:
    """What the figures of a trial hold for, in words; some may be empty."""
    request, table = trial.request, trial.job.table
    riding = ratio_words(request.ratios)
    return (
        shoe_words(trial.tables) + (", fresh every round" if table.fresh else ", to the cut card"),
        f"wager {format_cents(table.bet)}",
        f"with {riding}" if riding else "",
        POLICY_WORDS.get(request.policy, f"the chart {request.policy}"),
        counted(request.seats, "seat"),
        f"count {request.count}" if request.count else "",
        f"bank {format_cents(request.bank)}" if request.bank else "",
    )


def _show_wagers(result: Result, out: Printer) -> None:
    from rich.text import Text

    names = result.trial.tables.money.wagers
    value: tuple[str, ...] = ("EV", "± 95%", "exact", "z")
    spread = ("sd", "± 95%", "wins", "± 95%")
    values: list[tuple[Any, ...]] = []
    spreads = []
    for wager, found in result.wagers.items():
        figures = found.figures
        if not figures.made:
            continue
        name = names[wager].name if wager in names else wager.capitalize()
        values.append((name, *_value_cells(found)))
        spreads.append(
            (
                f"{figures.sd:.4f}",
                _figure(figures.sd_stderr),
                percent(figures.hits.value, signed=False),
                percent(figures.hits.half_width, signed=False),
            )
        )
    if not any(found.exact for found in result.wagers.values()):
        value, values = value[:2], [row[:3] for row in values]
    wide = max(len(row[0]) for row in values) + WAGER_FIGURES <= out.width
    table = grid("wager", *value, *(spread if wide else ()))
    for one, other in zip(values, spreads, strict=True):
        table.add_row(*one, *(other if wide else ()))
    out.print(table)
    if not wide:
        table = grid("wager", *spread)
        for one, other in zip(values, spreads, strict=True):
            table.add_row(one[0], *other)
        out.print()
        out.print(table)
    for note in _notes(result):
        out.print(indented(Text(note, "dim"), 2))


def _value_cells(found: WagerResult) -> tuple[str, str, str, Text]:
    """EV, the half width of its interval, the exact EV and the z-score."""
    from rich.text import Text

    figures, exact, z = found.figures, found.exact, found.z
    return (
        percent(figures.ev),
        _share(figures.stderr),
        "" if exact is None else percent(exact.ev),
        Text("" if z is None else f"{z:+.2f}", "bold red" if _far(found) else ""),
    )


def _far(found: WagerResult) -> bool:
    return found.z is not None and abs(found.z) >= FAR


def _notes(result: Result) -> list[str]:
    """What a reader of the wagers has to know."""
    notes = []
    wagers = result.wagers.values()
    prizes = result.prizes()
    if prizes is not None:
        worth = f"{percent(prizes.value)} ± {percent(prizes.half_width, signed=False)} of a wager"
        exact = result.trial.exact.get(PRIZES)
        exactly = f", exactly {percent(exact.ev)}" if exact is not None else ""
        notes.append(f"The base wager's EV has the prizes in it, {worth} a round{exactly}.")
    methods = [found.exact.method for found in wagers if found.exact is not None]
    split = [method for method in methods if "splits" in method]
    if split:
        notes.append(
            f"Exact values: {split[0].removeprefix('exact, ')}, the very play that was simulated."
        )
    if methods:
        notes += [
            f"{result.trial.tables.money.wagers[wager].name} has no exact value for the play that "
            "was simulated: whether its third card comes depends on the play."
            for wager, found in result.wagers.items()
            if found.exact is None and third_card_by_play(result.trial.tables, wager)
        ]
    else:
        notes.append("Exact values hold for a fresh shoe and full cover: there is none here.")
    if any(map(_far, wagers)):
        notes.append(TOO_FAR)
    return notes


def _show_round(result: Result, figures: Figures, out: Printer) -> None:
    from rich.text import Text

    mean, sd = figures.round()
    out.print()
    seats = result.trial.request.seats
    out.print(Text.assemble(("A round  ", "bold"), f"{_spread(mean, sd)}, for a seat"))
    if seats > 1:
        out.print(f"  all {seats} seats: {_spread(*figures.together('table'))}")
    if result.trial.job.table.banker is not None:
        out.print(f"  the bank, fees paid: {_spread(*figures.together('bank'))}")
    void = int(figures.totals.sums["void"][0])
    if void:
        out.print(f"  {counted(void, 'round')} more ran out of cards and did not count")
    _show_results(figures.results(), out)


def _show_results(found: Mapping[int, Share], out: Printer) -> None:
    """How often a seat's round ends with what, the most frequent results only."""
    shown = sorted(sorted(found, key=lambda net: -found[net].value)[:MOST_RESULTS])
    lines = -(-len(shown) // ABREAST)
    columns = -(-len(shown) // lines)
    table = grid(*["result", "share", "± 95%"] * columns, left=0)
    for line in range(lines):
        cells: list[str] = []
        for net in shown[line::lines]:
            share = found[net]
            cells += [
                format_cents(net),
                _short_share(share.value),
                _short_share(share.half_width),
            ]
        table.add_row(*cells)
    out.print(table)
    if len(found) > len(shown):
        rest = 1 - sum(found[net].value for net in shown)
        out.print(f"  {counted(len(found) - len(shown), 'other result')}: {_short_share(rest)}")


def _spread(mean: Mean, sd: Mean) -> str:
    return f"{_about(mean)}, sd {_about(sd)}"


def _about(mean: Mean) -> str:
    """An average amount in dollars with its 95 % interval, both to the same decimals.

    >>> from upcard.simulate.figures import Mean
    >>> _about(Mean(-173920.0, 452.8)), _about(Mean(12.345, 0.5)), _about(Mean(5.0, float("inf")))
    ('-$1,739.20 ± $8.87', '$0.1235 ± $0.0098', '$0.0500')
    """
    if not _known(mean):
        return _dollars(mean.value, FINE)
    places = 2 if mean.half_width >= CENTS_PER_DOLLAR else FINE
    return f"{_dollars(mean.value, places)} ± {_dollars(mean.half_width, places)}"


def _known(mean: Mean) -> bool:
    return math.isfinite(mean.stderr)


def _dollars(cents: float, places: int) -> str:
    amount = f"{abs(cents) / CENTS_PER_DOLLAR:,.{places}f}"
    return f"{'-' if cents < 0 and float(amount.replace(',', '')) else ''}${amount}"


def _figure(stderr: float) -> str:
    """The half width of an interval; nothing where it is not known.

    >>> _figure(0.001), _figure(float("inf"))
    ('0.0020', '')
    """
    return f"{Z_95 * stderr:.4f}" if math.isfinite(stderr) else ""


def _share(stderr: float) -> str:
    """The same in per cent.

    >>> _share(0.001), _share(float("inf"))
    ('0.1960%', '')
    """
    return percent(Z_95 * stderr, signed=False) if math.isfinite(stderr) else ""


def _short_share(value: float) -> str:
    return f"{100 * value:.3f}%"


def _show_depth(
    rows: Sequence[tuple[float, int, Mapping[str, Mean]]], seats: int, out: Printer
) -> None:
    found = [(f"{100 * begins:.0f}%", rounds, means) for begins, rounds, means in rows]
    _show_by("By the share of the shoe that is gone", "gone", found, seats, out)


def _show_count(
    rows: Sequence[tuple[int, int, Mapping[str, Mean]]], seats: int, out: Printer
) -> None:
    from upcard.simulate.blocks import FURTHEST

    ends = {-FURTHEST: f"to -{FURTHEST}", 0: "0", FURTHEST: f"from +{FURTHEST}"}
    found = [(ends.get(at, f"{at:+d}"), rounds, means) for at, rounds, means in rows]
    _show_by("By true count before the deal", "count", found, seats, out)


def _show_by(
    title: str,
    head: str,
    rows: Sequence[tuple[str, int, Mapping[str, Mean]]],
    seats: int,
    out: Printer,
) -> None:
    """Rounds told apart by something, and every wager in them."""
    from rich.text import Text

    out.print()
    out.print(Text(title, "bold"))
    wagers = list(dict.fromkeys(wager for _, _, means in rows for wager in means))
    # Every seat has a row of its own in these sums.
    heads = [head, "seats' rounds" if seats > 1 else "rounds", *wagers]
    needed = BARS_FROM + WAGER_COLUMNS * len(wagers)
    bars = _bars(rows) if has_room(out, needed) else []
    table = grid(*heads, *([f"{BASE}, below and above 0"] if bars else ()), left=1)
    for number, (name, rounds, means) in enumerate(rows):
        cells = [_with_width(means[wager]) if wager in means else "" for wager in wagers]
        table.add_row(name, f"{rounds:,}", *cells, *bars[number : number + 1])
    out.print(table)


def _bars(rows: Sequence[tuple[str, int, Mapping[str, Mean]]]) -> list[str]:
    """The base wager's EV in every row as a bar; none where it is hardly known."""
    means = [means.get(BASE, Mean(0.0, math.inf)) for _, _, means in rows]
    known = well_known(means)
    furthest = max(abs(mean.value) for mean in compress(means, known))
    return [
        bar(mean.value, furthest) if shown else "" for mean, shown in zip(means, known, strict=True)
    ]


def _with_width(mean: Mean) -> str:
    """
    >>> from upcard.simulate.figures import Mean
    >>> _with_width(Mean(-0.01, 0.001)), _with_width(Mean(-0.01, float("inf")))
    ('-1.00% ±0.20%', '-1.00%')
    """
    return f"{mean.value:+.2%}" + (f" ±{mean.half_width:.2%}" if _known(mean) else "")


def _show_session(found: SessionFigures, out: Printer) -> None:
    from rich.text import Text

    out.print()
    title = f"Sessions of {found.rounds:,} rounds"
    if found.bankroll:
        title += f" with {format_cents(found.bankroll)}"
    out.print(Text(f"{title}  ({found.sessions:,} of them)", "bold"))
    out.print(
        f"  result {_spread(found.mean, found.sd)}; ahead {_short_share(found.ahead.value)} "
        f"± {_short_share(found.ahead.half_width)}"
    )
    if found.bankroll:
        ruin, after = found.ruin, found.ruined_after
        words = f"  ruined {_short_share(ruin.value)} ± {_short_share(ruin.half_width)}"
        if after is not None:
            words += f", then after {after.value:,.0f} rounds"
            words += f" ± {after.half_width:,.0f}" if _known(after) else ""
        out.print(words)
    if found.prize_in_kind:
        out.print(Text(f"  The prize, {found.prize_in_kind}, is no money and not in the result"))
    out.print("  Percentiles of the result: so many of 100 sessions end with that or less")
    table = grid("after", *(f"{100 * share:.0f}th" for share in found.quantiles), left=1)
    for number, values in found.path:
        table.add_row(f"{number:,} rounds", *(format_cents(one.value) for one in values.values()))
    ends = found.quantiles.values()
    table.add_row("95% from", *(format_cents(one.low) for one in ends), style="dim")
    table.add_row("95% to", *(format_cents(one.high) for one in ends), style="dim")
    out.print(table)
    if has_room(out, FAN_WIDTH):
        _show_fan(found, out)


def _show_fan(found: SessionFigures, out: Printer) -> None:
    """The same percentiles over the rounds, from nothing on."""
    from rich.text import Text

    rounds = [0, *(number for number, _ in found.path)]
    lines = [[0, *(values[share].value for _, values in found.path)] for share in found.quantiles]
    out.print()
    for line in fan(rounds, lines, FAN_WIDTH, lambda cents: format_cents(round(cents))):
        out.print(indented(Text(line, "green"), 2))
    out.print(Text(f"  5th to 95th, 25th to 75th and 50th, over {found.rounds:,} rounds", "dim"))


def trial_name(trial: Trial) -> str:
    """What a sweep calls one of its trials."""
    chosen = trial.tables.rulebook.settings_words(trial.request.settings)
    return f"{trial.tables.id} {trial.request.policy}" + (f" {chosen}" if chosen else "")


def show_sweep(results: Sequence[Result], out: Printer) -> None:
    """Several trials, a line for each of their wagers."""
    spread = ("sd", "± 95%") if out.width >= SWEEP_WIDTH else ()
    table = grid("trial", "wager", "EV", "± 95%", "exact", "z", *spread, left=2)
    for result in results:
        name = trial_name(result.trial)
        for number, (wager, found) in enumerate(result.wagers.items()):
            if not found.figures.made:
                continue
            table.add_row(
                name if number == 0 else "",
                wager,
                *_value_cells(found),
                *([f"{found.figures.sd:.4f}", _figure(found.figures.sd_stderr)] if spread else ()),
            )
    out.print(table)
    rounds = sum(result.outcome.rounds for result in results)
    seconds = max(result.outcome.seconds for result in results)
    if any(_far(found) for result in results for found in result.wagers.values()):
        out.print(f"  {TOO_FAR}")
    ended = "" if all(result.outcome.complete for result in results) else "; stopped early"
    out.print(f"{rounds:,} rounds in {seconds:.1f} s, seed {results[0].trial.request.seed}{ended}")
