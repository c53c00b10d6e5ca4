"""What `upcard simulate --json` prints."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from upcard.cli.solving import (
    identity,
)

if TYPE_CHECKING:
    from upcard.simulate.figures import Mean, Quantile, SessionFigures
    from upcard.trial.trials import Result, WagerResult

# ------------------------------------------------------------------------------------- plain data


def result_data(result: Result, goal: Any) -> dict[str, Any]:
    """A result as plain data."""
    trial, outcome, figures = result.trial, result.outcome, result.figures
    request, table = trial.request, trial.job.table
    mean, sd = figures.round()
    _, half_width = trial.job.estimate(outcome.totals)
    reached = goal.half_width is None or half_width <= goal.half_width
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
        "shoe": "fresh" if table.fresh else "cut",
        "count": request.count,
        "bank": request.bank,
        "complete": outcome.complete and reached,
        "goal": {"rounds": goal.rounds, "half_width": goal.half_width},
        "void_rounds": int(outcome.totals.sums["void"][0]),
        "totals": digest(result),
        "wagers": {name: _wager_data(found) for name, found in result.wagers.items()},
        "round": _money_data(mean, sd),
        "table": _money_data(together, table_sd),
        "distribution": [
            {"net": net, **_mean_data(share)} for net, share in figures.results().items()
        ],
        "covariance": {
            "columns": table.columns,
            "matrix": figures.covariance(),
            "stderr": figures.covariance_errors(),
        },
    }
    prizes = result.prizes()
    if prizes is not None:
        data["prizes"] = _mean_data(prizes)
    if table.banker is not None:
        data["bank_result"] = _money_data(*figures.together("bank"))
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
    if course := figures.course():
        data["convergence"] = [{"rounds": n, **_ev_data(mean)} for n, mean in course]
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


def _money_data(mean: Mean, sd: Mean) -> dict[str, Any]:
    return {**_mean_data(mean), "sd": sd.value, "sd_stderr": sd.stderr, "unit": "cents"}


def _means_data(means: Mapping[str, Mean]) -> dict[str, Any]:
    return {wager: _ev_data(mean) for wager, mean in means.items()}


def _ev_data(mean: Mean) -> dict[str, Any]:
    return {"ev": mean.value, "stderr": mean.stderr, "interval": [mean.low, mean.high]}


def _session_data(found: SessionFigures) -> dict[str, Any]:
    return {
        "sessions": found.sessions,
        "rounds": found.rounds,
        "bankroll": found.bankroll or None,
        "prize_in_kind": found.prize_in_kind or None,
        "result": _money_data(found.mean, found.sd),
        "ahead": _mean_data(found.ahead),
        "ruin": _mean_data(found.ruin) if found.bankroll else None,
        "ruined_after": None if found.ruined_after is None else _mean_data(found.ruined_after),
        "quantiles": _quantile_data(found.quantiles),
        "path": [
            {"round": number, "quantiles": _quantile_data(quantiles)}
            for number, quantiles in found.path
        ],
    }


def _quantile_data(quantiles: Mapping[float, Quantile]) -> list[dict[str, Any]]:
    return [
        {"share": share, "net": found.value, "interval": [found.low, found.high]}
        for share, found in quantiles.items()
    ]
