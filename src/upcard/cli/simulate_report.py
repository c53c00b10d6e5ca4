"""What `upcard simulate` prints: a table of the wagers, and whatever else was asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from upcard.cli.output import indented
from upcard.cli.solving import (
    dollars,
    grid,
    heading,
    identity,
    percent,
    ratio_words,
    shoe_words,
)
from upcard.money import format_cents
from upcard.text import counted

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.simulate.figures import Figures, Mean, SessionFigures
    from upcard.trial.trials import Result, WagerResult

FAR = 4.0
"""Standard errors that chance hardly explains."""
MOST_RESULTS = 14
POLICY_WORDS = {
    "basic": "basic (total-dependent) play",
    "optimal": "optimal (composition-dependent) play",
    "mimic": "the dealer's own rule",
    "random": "random play",
}


# ------------------------------------------------------------------------------------- plain data


def result_data(result: Result, goal: Any) -> dict[str, Any]:
    """A result as plain data."""
    trial, outcome, figures = result.trial, result.outcome, result.figures
    request, table = trial.request, trial.job.table
    mean, sd = figures.round()
    together, table_sd = figures.together("table")
    data: dict[str, Any] = {
        **identity(trial.tables),
        "rounds": outcome.rounds,
        "seconds": outcome.seconds,
        "rounds_per_second": outcome.rounds / outcome.seconds if outcome.seconds else None,
        "seed": request.seed,
        "policy": request.policy,
        "policy_digest": trial.job.policy_digest,
        "seats": request.seats,
        "bet": table.bet,
        "ratios": request.ratios,
        "shoe": request.shoe,
        "count": request.count,
        "bank": request.bank,
        "complete": outcome.complete,
        "goal": {"rounds": goal.rounds, "half_width": goal.half_width},
        "void_rounds": int(outcome.totals.sums["void"][0]),
        "totals": digest(result),
        "wagers": {name: _wager_data(found) for name, found in result.wagers.items()},
        "round": {**_mean_data(mean), "sd": sd, "unit": "cents"},
        "table": {**_mean_data(together), "sd": table_sd, "unit": "cents"},
        "distribution": [
            {"net": net, **_mean_data(share)} for net, share in figures.results().items()
        ],
        "covariance": {"columns": table.columns, "matrix": figures.covariance()},
    }
    prizes = result.prizes()
    if prizes is not None:
        data["prizes"] = _mean_data(prizes)
    if table.banker is not None:
        bank, bank_sd = figures.together("bank")
        data["bank_result"] = {**_mean_data(bank), "sd": bank_sd, "unit": "cents"}
    if by_depth := figures.by_depth():
        data["by_penetration"] = [
            {"from": begins, "rounds": rounds, "wagers": _means_data(means)}
            for begins, rounds, means in by_depth
        ]
    if by_count := figures.by_count():
        data["by_true_count"] = [
            {"true_count": at, "rounds": rounds, "wagers": _means_data(means)}
            for at, rounds, means in by_count
        ]
    session = figures.sessions()
    if session is not None:
        data["session"] = _session_data(session)
    return data


def digest(result: Result) -> str:
    """A short text that is equal for equal totals, down to the last bit."""
    data = msgspec.json.encode(result.outcome.totals.to_data(), order="deterministic")
    return hashlib.sha256(data).hexdigest()


def _wager_data(found: WagerResult) -> dict[str, Any]:
    figures, exact = found.figures, found.exact
    return {
        "ev": figures.ev,
        "stderr": figures.stderr,
        "interval": [figures.mean.low, figures.mean.high],
        "stderr_by": figures.by,
        "sd": figures.sd,
        "sd_stderr": figures.sd_stderr,
        "made": figures.made,
        "hit_frequency": _mean_data(figures.hits),
        "exact": None if exact is None else exact.ev,
        "exact_method": None if exact is None else exact.method,
        "z": found.z,
    }


def _mean_data(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.value, "stderr": mean.stderr, "interval": [mean.low, mean.high]}


def _means_data(means: Mapping[str, Mean]) -> dict[str, Any]:
    return {
        wager: {"ev": mean.value, "stderr": mean.stderr, "interval": [mean.low, mean.high]}
        for wager, mean in means.items()
    }


def _session_data(found: SessionFigures) -> dict[str, Any]:
    return {
        "sessions": found.sessions,
        "rounds": found.rounds,
        "bankroll": found.bankroll or None,
        "result": {**_mean_data(found.mean), "sd": found.sd, "unit": "cents"},
        "ahead": _mean_data(found.ahead),
        "ruin": _mean_data(found.ruin) if found.bankroll else None,
        "ruined_after": found.ruined_after,
        "quantiles": [
            {"share": share, "net": value, "interval": [low, high]}
            for share, (value, low, high) in found.quantiles.items()
        ],
        "path": [
            {"round": number, "quantiles": {str(q): cents for q, cents in values.items()}}
            for number, values in found.path
        ],
    }


# ------------------------------------------------------------------------------------ the terminal


def show(result: Result, out: Console) -> None:
    """One trial on the terminal."""
    from rich.text import Text

    trial, outcome = result.trial, result.outcome
    request, tables = trial.request, trial.tables
    riding = ratio_words(request.ratios)
    fresh = trial.job.table.fresh
    out.print(
        heading(
            tables,
            shoe_words(tables) + (", fresh every round" if fresh else ", to the cut card"),
            f"wager {format_cents(trial.job.table.bet)}",
            f"with {riding}" if riding else "",
            POLICY_WORDS.get(request.policy, f"the chart {request.policy}"),
            counted(request.seats, "seat"),
            f"count {request.count}" if request.count else "",
            f"bank {format_cents(request.bank)}" if request.bank else "",
        )
    )
    rate = outcome.rounds / outcome.seconds if outcome.seconds else 0.0
    speed = f"{outcome.rounds:,} rounds in {outcome.seconds:.1f} s, {rate:,.0f} a second"
    ended = "" if outcome.complete else "; stopped early"
    out.print(Text(f"{speed}, seed {request.seed}{ended}", "dim"))
    out.print()
    _show_wagers(result, out)
    figures = result.figures
    _show_round(result, figures, out)
    if by_depth := figures.by_depth():
        _show_depth(by_depth, out)
    if by_count := figures.by_count():
        _show_count(by_count, out)
    session = figures.sessions()
    if session is not None:
        _show_session(session, out)


def _show_wagers(result: Result, out: Console) -> None:
    from rich.text import Text

    names = result.trial.tables.money.wagers
    table = grid("wager", "EV", "± 95%", "sd", "wins", "exact", "z")
    far = False
    for wager, found in result.wagers.items():
        figures, exact, z = found.figures, found.exact, found.z
        if not figures.made:
            continue
        far = far or (z is not None and abs(z) >= FAR)
        table.add_row(
            names[wager].name if wager in names else wager.capitalize(),
            percent(figures.ev),
            percent(1.96 * figures.stderr, signed=False),
            f"{figures.sd:.4f}",
            percent(figures.hits.value, signed=False),
            "" if exact is None else percent(exact.ev),
            "" if z is None else Text(f"{z:+.2f}", "bold red" if abs(z) >= FAR else ""),
        )
    out.print(table)
    notes = []
    if result.prizes() is not None:
        notes.append("The base wager's value has the prizes in it.")
    methods = {f.exact.method for f in result.wagers.values() if f.exact is not None}
    split = [method for method in methods if "splits" in method]
    if split:
        notes.append(
            f"Exact: {split[0]}; split hands are played by the same rule as dealt, so both values "
            "are of one play."
        )
    if not any(found.exact for found in result.wagers.values()):
        notes.append("Exact values hold for a fresh shoe and full cover; there is none here.")
    if far:
        notes.append("A |z| of 4 or more is hardly chance: please report it.")
    for note in notes:
        out.print(indented(Text(note, "dim"), 2))


def _show_round(result: Result, figures: Figures, out: Console) -> None:
    from rich.text import Text

    mean, sd = figures.round()
    out.print()
    seats = result.trial.request.seats
    out.print(
        Text.assemble(
            ("A round  ", "bold"),
            f"{_money(mean.value)} ± {_money(1.96 * mean.stderr)} for a seat, deviation "
            f"{_money(sd)}",
        )
    )
    if seats > 1:
        together, spread = figures.together("table")
        out.print(f"  all {seats} seats: {_money(together.value)}, deviation {_money(spread)}")
    if result.trial.job.table.banker is not None:
        bank, spread = figures.together("bank")
        out.print(
            f"  the bank, fees paid: {_money(bank.value)} ± {_money(1.96 * bank.stderr)}, "
            f"deviation {_money(spread)}"
        )
    void = int(figures.totals.sums["void"][0])
    if void:
        out.print(f"  {counted(void, 'round')} more ran out of cards and did not count")
    results = sorted(figures.results().items(), key=lambda item: -item[1].value)[:MOST_RESULTS]
    parts = [
        f"{_money(net)} {percent(share.value, signed=False)}" for net, share in sorted(results)
    ]
    out.print(indented(Text("  ".join(parts), "dim"), 2))


def _money(cents: float) -> str:
    """Cents that may be a fraction of one; small amounts with two decimals of a cent.

    >>> _money(-250.0), _money(12.345)
    ('-$2.50', '12.35c')
    """
    return dollars(cents) if abs(cents) >= 100 else f"{cents:.2f}c"


def _show_depth(rows: Sequence[tuple[float, int, Mapping[str, Mean]]], out: Console) -> None:
    from rich.text import Text

    out.print()
    out.print(Text("By the share of the shoe that is gone", "bold"))
    table = grid("gone", "rounds", *rows[0][2], left=1)
    for begins, rounds, means in rows:
        cells = [
            f"{percent(m.value)} ±{percent(1.96 * m.stderr, signed=False)}" for m in means.values()
        ]
        table.add_row(f"{100 * begins:.0f}%", f"{rounds:,}", *cells)
    out.print(table)


def _show_count(rows: Sequence[tuple[int, int, Mapping[str, Mean]]], out: Console) -> None:
    from rich.text import Text

    out.print()
    out.print(Text("By true count before the deal", "bold"))
    wagers = list(dict.fromkeys(wager for _, _, means in rows for wager in means))
    table = grid("count", "rounds", *wagers, left=1)
    for at, rounds, means in rows:
        cells = [
            f"{percent(means[w].value)} ±{percent(1.96 * means[w].stderr, signed=False)}"
            if w in means
            else ""
            for w in wagers
        ]
        table.add_row(f"{at:+d}", f"{rounds:,}", *cells)
    out.print(table)


def _show_session(found: SessionFigures, out: Console) -> None:
    from rich.text import Text

    out.print()
    title = f"Sessions of {found.rounds:,} rounds"
    if found.bankroll:
        title += f" with {format_cents(found.bankroll)}"
    out.print(Text(f"{title}  ({found.sessions:,} of them)", "bold"))
    out.print(
        f"  result {_money(found.mean.value)} ± {_money(1.96 * found.mean.stderr)}, deviation "
        f"{_money(found.sd)}; ahead {percent(found.ahead.value, signed=False)}"
    )
    if found.bankroll:
        after = f", after {found.ruined_after:,.0f} rounds on average" if found.ruined_after else ""
        out.print(
            f"  ruined {percent(found.ruin.value, signed=False)} "
            f"± {percent(1.96 * found.ruin.stderr, signed=False)}{after}"
        )
    table = grid("after", *(f"{100 * share:.0f}% below" for share in found.quantiles), left=1)
    for number, values in found.path:
        table.add_row(
            f"{number:,} rounds", *(dollars(cents - found.bankroll) for cents in values.values())
        )
    out.print(table)


def show_sweep(results: Sequence[Result], out: Console) -> None:
    """Several trials, a line for each of their wagers."""
    table = grid("trial", "wager", "EV", "± 95%", "sd", "exact", "z", left=2)
    for result in results:
        trial = result.trial
        chosen = ", ".join(f"{name}={value}" for name, value in trial.request.settings.items())
        name = f"{trial.tables.id} {trial.request.policy}" + (f" {chosen}" if chosen else "")
        for number, (wager, found) in enumerate(result.wagers.items()):
            if not found.figures.made:
                continue
            table.add_row(
                name if number == 0 else "",
                wager,
                percent(found.figures.ev),
                percent(1.96 * found.figures.stderr, signed=False),
                f"{found.figures.sd:.4f}",
                "" if found.exact is None else percent(found.exact.ev),
                "" if found.z is None else f"{found.z:+.2f}",
            )
    out.print(table)
    rounds = sum(result.outcome.rounds for result in results)
    seconds = max(result.outcome.seconds for result in results)
    out.print(f"{rounds:,} rounds in {seconds:.1f} s")
