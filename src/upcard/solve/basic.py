"""Total-dependent ("basic") play: the best play that sees no more than the rules do.

A hand's state in the game's own automaton is what the rules tell apart: the total, whether it is
soft, a pair, the first two cards, as many cards as any rule counts. Basic play chooses one action
for every state and up card, the one that is best on average over the hands that come up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from upcard.compile.context import FREE, Action
from upcard.solve.base_game import BaseGame
from upcard.solve.play import ACTIONS, EQUAL, NEVER
from upcard.solve.result import Progress, silent
from upcard.solve.solution import Aim, Floats, PairPlan, Roles, Solution, SolvedSplit, UpCard
from upcard.solve.split import Resplits, removable

RARE = 1e-9
"""The weight of hands that the play itself never reaches."""
_ROUNDS = 8


@dataclass(frozen=True)
class BasicPlay:
    """Scores of actions by up card: `scores[up][doubles, state, action]`, the best one is played.

    `leaning[up][state]` is what trading or surrendering before the check gains on average.
    `markers[up]` are the scores of hands that the house staked, where it stakes any: they have
    nothing to lose, and are played otherwise. `plain` is how the further hands of a split are
    played where something rides on the first alone.
    """

    scores: dict[int, Floats]
    leaning: dict[int, Floats]
    markers: dict[int, Floats] = field(default_factory=dict)
    plain: BasicPlay | None = None

    def best(
        self, up: int, state: int, legal: int, doubles: int = 0, *, marker: bool = False
    ) -> Action:
        """The action played among those of a legal mask."""
        return best_of(legal, self.scores_of(up, marker=marker)[doubles, state])

    def scores_of(self, up: int, *, marker: bool = False) -> Floats:
        """The scores of hands with the player's money on them, or with the house's marker."""
        return (self.markers if marker else self.scores)[up]


def best_of(legal: int, scores: Floats) -> Action:
    """The legal action with the best score, the first of equals."""
    return max((a for a in Action if legal & a.bit), key=lambda a: (scores[a], -a))


def solve_basic(
    game: BaseGame, optimal: Solution, *, progress: Progress = silent
) -> tuple[Solution, BasicPlay]:
    """The basic play for the aim of an optimal solution, and what it is worth.

    Hands of a split on which nothing rides are played for the base wager alone.
    """
    roles = game.pay(optimal.aim)
    plain = None
    if optimal.aim.extra:
        alone = game.solve(replace(optimal.aim, extra={}), mode=optimal.mode)
        _, plain = solve_basic(game, alone)
    play = BasicPlay({}, {}, plain=plain)
    ups = game.each_up(
        lambda up: _solve_up(game, optimal.aim, roles, optimal.ups[up], play),
        "basic strategy",
        progress,
    )
    return Solution(optimal.aim, "CDZ-", "basic", ups), play


def _solve_up(
    game: BaseGame,
    aim: Aim,
    roles: Roles,
    best: UpCard,
    play: BasicPlay,
) -> UpCard:
    found, seen = best, None
    ranked: tuple[bytes, ...] | None = None
    for _ in range(_ROUNDS):
        scores = _scores(game, found)
        leaning = _leaning(game, found)
        others = scores if play.plain is None else play.plain.scores[best.up]
        markers = _marker_scores(game, aim, roles, found, play.markers.get(best.up))
        _score_further_splits(game, roles, found, scores, markers)
        play.scores[best.up], play.leaning[best.up] = scores, leaning
        if markers is not None:
            play.markers[best.up] = markers
        before, ranked = ranked, _ranked(scores, leaning, markers)
        if ranked == before:  # the same choices again
            break
        found = _follow(game, aim, roles, best, scores, leaning, others, markers)
        now = (found.choice.tobytes(), found.early_choice.tobytes())
        if now == seen:
            break
        seen = now
    return found


def _ranked(scores: Floats, leaning: Floats, markers: Floats | None) -> tuple[bytes, ...]:
    """All that choices depend on: the order of actions in every state, the first of equals first,
    and whether something is gained before the check.
    """
    orders = [
        np.argsort(-found, axis=-1, kind="stable").astype(np.int8).tobytes()
        for found in (scores, markers)
        if found is not None
    ]
    return *orders, (leaning > 0).tobytes()


def _marker_scores(
    game: BaseGame, aim: Aim, roles: Roles, found: UpCard, before: Floats | None
) -> Floats | None:
    """Averages of what actions are worth to hands that the house staked, if it stakes any.

    They come up as hands of the player's own do. A split is worth two hands with markers, each as
    much as those of the pair's split are on average.
    """
    if roles.marker is None:
        return None
    split = np.full(len(game.graph), NEVER)
    for plan in game.pairs:
        if plan.free and plan.node in found.splits:
            hands = found.splits[plan.node].others.hands
            split[plan.node] = 2 * float((hands * roles.marker).sum() / hands.sum())
    played = game.backward(
        game.graph,
        game.shoes,
        game.contexts,
        found.up,
        roles.marker,
        aim,
        split=split,
        scores=before,
        twin=game.graph.state,
    )
    return _scores(game, replace(found, worth=played.worth))


def _score_further_splits(
    game: BaseGame, roles: Roles, found: UpCard, scores: Floats, markers: Floats | None
) -> None:
    """What it is worth to split with the player's own money where the house stakes no more splits:
    two hands, each as much as those of the pair's split are on average.
    """
    if roles.marker is None or markers is None:
        return
    for plan in game.pairs:
        if not plan.free_times or plan.node not in found.splits:
            continue
        state, action = game.graph.state[plan.node], FREE[plan.action]
        hands = found.splits[plan.node].first.hands
        new = float((hands * roles.other).sum() / hands.sum())
        scores[0, state, action] = 2 * new
        staked = found.splits[plan.node].others.hands
        markers[0, state, action] = new + float((staked * roles.marker).sum() / staked.sum())


def price_play(
    game: BaseGame, optimal: Solution, play: BasicPlay, known: Mapping[int, UpCard] | None = None
) -> Solution:
    """What a given play of states is worth, for the aim of an optimal solution.

    A pair that is split is split again where the play splits it and the rules allow it. Up cards
    that are `known` are not priced again.
    """
    roles = game.pay(optimal.aim)
    told = known or {}

    def price(up: int) -> UpCard:
        if up in told:
            return told[up]
        scores, leaning, markers = play.scores[up], play.leaning[up], play.markers.get(up)
        others = scores if play.plain is None else play.plain.scores[up]
        best = optimal.ups[up]
        return _follow(game, optimal.aim, roles, best, scores, leaning, others, markers)

    return Solution(optimal.aim, "CDZ-", "given", game.each_up(price, "play", silent))


def _follow(
    game: BaseGame,
    aim: Aim,
    roles: Roles,
    best: UpCard,
    scores: Floats,
    leaning: Floats,
    others: Floats,
    markers: Floats | None,
) -> UpCard:
    """One up card under given scores, those of a split's further hands apart."""
    splits = _splits(game, aim, roles, best, scores, others, markers)
    split_worth = np.full(len(game.graph), NEVER)
    for node, split in splits.items():
        split_worth[node] = split.worth
    played = game.backward(
        game.graph,
        game.shoes,
        game.contexts,
        best.up,
        game.unsplit_pay(best.up, aim, roles),
        aim,
        split=split_worth,
        scores=scores,
        twin=game.graph.state,
    )
    return game.price(best.up, aim, roles, splits, played, leaning)


def _splits(
    game: BaseGame,
    aim: Aim,
    roles: Roles,
    best: UpCard,
    scores: Floats,
    own_others: Floats,
    markers: Floats | None,
) -> dict[int, SolvedSplit]:
    """Splits by the scores of the first hand, and of the other hands."""
    splits: dict[int, SolvedSplit] = {}
    for plan in game.pairs:
        if plan.node not in best.splits:
            continue
        others = own_others if markers is None or not plan.free else markers
        known = splits[plan.like].choices if plan.like in splits else {}
        twin = np.where(plan.twin >= 0, game.graph.state[plan.twin], -1).astype(np.int32)
        if not known and others is not scores:
            doubles = len(plan.contexts)
            by_role = [scores, others, *([own_others] if plan.free_times else [])]
            choices = (
                game.split_choices(plan, best.up, aim, roles, [0], own[:doubles], twin)[0]
                for own in by_role
            )
            policies = range(1 + removable(plan.most_hands[best.up]))
            known = dict.fromkeys(policies, tuple(own[n] for n, own in enumerate(choices)))
        by_role = [scores, others, *([own_others] if plan.free_times else [])]
        resplits = Resplits(*(_again(game, plan, best.up, own) for own in by_role))
        splits[plan.node] = game.price_split(
            plan, best.up, aim, roles, "CDZ-", scores, known, twin, resplits
        )
    return splits


def _again(game: BaseGame, plan: PairPlan, up: int, scores: Floats) -> tuple[bool, ...]:
    """Whether the chart splits a pair once more, by the number of hands so far."""
    again = int(plan.graph.child[0, plan.pair])
    row = scores[0, game.graph.state[plan.node]]
    aces = int(game.tables.alphabet.symbols[plan.pair].is_ace)
    context = plan.contexts[0]
    found = []
    for _ in range(2, plan.most_hands[up]):
        legal = int(game.tables.legal.mask[plan.graph.state[again], context, up])
        found.append(bool(game.rows.splits[best_of(legal, row)]))
        context = int(game.tables.contexts.after_split[context, aces])
    return tuple(found)


def _scores(game: BaseGame, found: UpCard) -> Floats:
    """Averages of what actions are worth, over the hands of each state."""
    states = game.graph.state
    size = len(game.tables.hands)
    weight = found.reach + RARE * _by_cards(game)
    scores = np.full((len(weight), size, ACTIONS), NEVER)
    for doubles in range(len(weight)):
        total = np.bincount(states, weights=weight[doubles], minlength=size)
        for action in range(ACTIONS):
            worth = found.worth[doubles, :, action]
            legal = worth != NEVER
            if not legal.any():
                continue
            own = np.where(legal, weight[doubles], 0.0)
            counted = np.bincount(states, weights=own, minlength=size)
            summed = np.bincount(states, weights=own * np.where(legal, worth, 0.0), minlength=size)
            present = (counted > 0) & (total > 0)
            scores[doubles, present, action] = summed[present] / counted[present]
    return level(scores)


def level(scores: Floats) -> Floats:
    """Scores in rows of actions, those equal that differ by rounding alone: whoever compares them
    finds the same best action.

    >>> level(np.array([0.1 + 0.2, 0.5, 0.3])).tolist()
    [0.30000000000000004, 0.5, 0.30000000000000004]
    """
    order = np.argsort(-scores, axis=-1, kind="stable")
    found = np.take_along_axis(scores, order, axis=-1)
    for place in range(1, scores.shape[-1]):
        above, own = found[..., place - 1], found[..., place]
        own[...] = np.where(above - own <= EQUAL, above, own)
    leveled = np.empty_like(scores)
    np.put_along_axis(leveled, order, found, axis=-1)
    return leveled


def _by_cards(game: BaseGame) -> Floats:
    """A little weight for every hand, more for likelier cards."""
    likely = np.maximum(game.counts, 0) / game.counts.sum()
    powers = np.log(np.maximum(likely, 1e-12)) @ game.graph.taken.T.astype(np.float64)
    return np.asarray(np.exp(powers))


def _leaning(game: BaseGame, found: UpCard) -> Floats:
    """Averages of what is gained before the check, over the first hands of each state."""
    states, size = game.graph.state, len(game.tables.hands)
    weight = RARE * _by_cards(game)
    for _, _, node, likely in game.deal_chances(found.up):
        weight[node] += likely
    weight = np.where(game.first_nodes, weight, 0.0)
    counted = np.bincount(states, weights=weight, minlength=size)
    gained = np.bincount(states, weights=weight * found.early_gain, minlength=size)
    return np.asarray(gained / np.where(counted > 0, counted, 1.0))
