"""Who wins, and the side wagers, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upcard.cards import rank_name
from upcard.compile.explain.bonuses import bonuses, prizes
from upcard.compile.explain.card_wagers import card_wager
from upcard.compile.explain.phrases import (
    SentenceDraft,
    best_total,
    can_split,
    capital,
    dealer,
    may_surrender,
    natural,
    natural_may_come_late,
    odds,
)
from upcard.compile.explain.phrases import number as plural
from upcard.compile.phases import uses_community
from upcard.money import BASE, format_cents
from upcard.rules.card_wagers import CardWager
from upcard.rules.load import RuleSet
from upcard.rules.rows import high_row, pair_row
from upcard.rules.schema import GameRules, offered_wagers
from upcard.rules.wagers import HandWager, Paytable, ShowdownWager, TableWager, TieWager
from upcard.text import listed


def outcomes(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    rule = game.outcomes
    who = dealer(game)
    but = f", but for {best_total(game) + 1}" if game.dealer.on_22 == "push" else ""
    yield SentenceDraft(
        f"The higher total that is not over wins, and so does every hand not over when {who} is "
        f"over{but}.",
        ("outcomes.win_pays#who",),
    )
    besides = f"{natural(game)} or a bonus" if game.bonuses else natural(game)
    yield SentenceDraft(
        f"A win without {besides} pays {odds(rule.win_pays)}.", ("outcomes.win_pays",)
    )
    yield from _over(game)
    yield from _ties(game)
    yield from _naturals(game)
    yield from bonuses(game)
    yield from prizes(game)


def _over(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.outcomes
    who = dealer(game)
    also = f"also when {who} is over too"
    for hand in rule.special:
        does = "pushes" if hand.result == "push" else "wins"
        yield SentenceDraft(
            f"If {who}'s hand is {'-'.join(hand.dealer)}, every player's hand that is over {does}.",
            ("outcomes.special",),
        )
    other = "Otherwise a" if rule.special else "A"
    if rule.both_over == "loses":
        words = f"{other} player's hand that is over loses, {also}."
    else:
        words = f"{other} player's hand that is over loses, but pushes when {who} is over too."
    yield SentenceDraft(words, ("count.over#lost", "outcomes.both_over"))


def _ties(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.outcomes
    best = best_total(game)
    below = f" below {best}" if rule.tie_at_21 == "wins" and rule.tie != "wins" else ""
    cost = format_cents(rule.tie_costs)
    each = {
        "hand": f"costs the player {cost} for every tied hand",
        "player": f"costs the player {cost} once a round, however many hands tie",
    }[rule.tie_costs_per]
    equal = natural_may_come_late(game) and rule.dealer_natural_against_21 == "ties"
    tied = f", or {dealer(game)}'s {game.natural.name} against a drawn {best}," if equal else ""
    apart = _totals(rule.ties_at)
    but = f", but for {listed(apart, 'and')}," if apart else ""
    below += but
    tie = {
        "push": f"Equal totals{below} push.",
        "wins": f"Equal totals{but} win.",
        "loses": f"Equal totals{below} lose.",
        "costs": f"An equal total{below} without {natural(game)} on either side{tied} {each}, "
        "whatever the wager; the rest of the wager comes back.",
    }[rule.tie]
    yield SentenceDraft(tie, ("outcomes.tie", "outcomes.tie_costs", "outcomes.tie_costs_per"))
    for result, does in {"push": "pushes", "wins": "wins", "loses": "loses"}.items():
        totals = _totals({total: one for total, one in rule.ties_at.items() if one == result})
        if totals:
            yield SentenceDraft(
                f"An equal total of {listed(totals)} {does}.",
                tuple(f"outcomes.ties_at.{total}" for total in totals),
            )
    if rule.tie_at_21 == "wins":
        yield SentenceDraft(
            f"If both have {best} and neither {natural(game)}, the player wins.",
            ("outcomes.tie_at_21",),
        )


def _totals(totals: Iterable[str]) -> list[str]:
    """Totals in their order."""
    return sorted(totals, key=float)


def _naturals(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.natural
    who = dealer(game)
    yield SentenceDraft(f"A player's {rule.name} pays {odds(rule.pays)}.", ("natural.pays",))
    against = rule.against_natural
    if against in ("push", "loses"):
        does = {"push": "pushes", "loses": "loses"}[against]
        yield SentenceDraft(f"If {who} has one too, it {does}.", ("natural.against_natural",))
    else:
        yield SentenceDraft(
            f"If {who} has one too, the player still wins.", ("natural.against_natural#wins",)
        )
        yield SentenceDraft(f"It is then paid {odds(against)}.", ("natural.against_natural",))
    late = natural_may_come_late(game)
    yield SentenceDraft(
        f"A player's {rule.name} beats every other "
        + ("hand." if rule.total > best_total(game) else f"{best_total(game)}."),
        ("natural.pays#beats",),
        moot=() if late else ("outcomes.dealer_natural_against_21",),
    )
    if late:
        beats = {
            "wins": "beats every other",
            "ties": "is an equal total with a drawn",
            "loses": "loses to a drawn",
        }[game.outcomes.dealer_natural_against_21]
        yield SentenceDraft(
            f"A dealer's {rule.name} {beats} {best_total(game)}.",
            ("outcomes.dealer_natural_against_21",),
            always=True,
        )


# ------------------------------------------------------------------ side wagers


def side_wagers(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    offered = offered_wagers(game)
    if game.ties and any(isinstance(game.wagers.get(w), TieWager) for w in offered):
        yield from _tie_rules(game)
    for wager_id, wager in game.wagers.items():
        here = f"wagers.{wager_id}"
        if wager_id not in offered:
            yield SentenceDraft(
                f"{wager.name} is not offered.",
                (f"{here}.offered", f"{here}.paytable"),
                moot=(here, *_tables_of(game, wager)),
            )
            continue
        match wager:
            case TieWager():
                yield SentenceDraft(_tie_words(game, wager), (here,))
            case ShowdownWager():
                yield from _showdown(game, wager, here)
            case TableWager():
                yield from _pay_table(game, wager, here)
            case CardWager():
                yield from card_wager(game, wager, here)
            case HandWager():
                pass


def _tables_of(game: GameRules, wager: object) -> tuple[str, ...]:
    """The pay tables of a wager that is not offered."""
    if not isinstance(wager, TableWager):
        return ()
    return (*(f"paytables.{table_id}" for table_id in game.paytables), *_COMMUNITY)


_COMMUNITY = (
    "deal.community",
    "deal.community_seen",
    "deal.community_after",
    "deal.rest_discarded",
)
"""Keys that mean nothing where no wager goes by community cards."""


def _tie_rules(game: GameRules) -> Iterator[SentenceDraft]:
    assert game.ties is not None
    best = best_total(game)
    yield SentenceDraft(
        f"A bonus wager is placed with the {game.wagers[BASE].name.lower()}.", ("ties.needs",)
    )
    surrendered = game.ties.surrendered if may_surrender(game) else "loses"
    returned = "push" in (game.ties.over, surrendered)
    back = " or, where these rules say so, is returned" if returned else ""
    yield SentenceDraft(
        f"A bonus wager wins if {dealer(game)}'s hand ties the player's exactly at one of its "
        f"totals; otherwise it loses{back}.",
        ("ties.needs#wins",),
        moot=() if game.player.charlie else ("ties.charlie",),
    )
    yield SentenceDraft(
        "Several bonus wagers on one hand are allowed: those that match win, the others lose.",
        ("ties.needs#several",),
    )
    two = ", or a split ace with a ten-value card" if can_split(game) else ""
    yield SentenceDraft(
        f"{best} for a bonus wager is three cards or more{two}. It does not tie {natural(game)}, "
        f"which is the first two cards only: the bonus wagers then lose.",
        ("ties.needs#21",),
    )
    if can_split(game):
        counted_hands = {
            "first": "After a split only the first hand counts for the bonus wagers.",
            "each": "After a split each hand has bonus wagers of its own: whoever splits puts up "
            "one more of each that lies there, equal to the first, and every hand is settled by "
            "itself.",
        }
        yield SentenceDraft(counted_hands[game.ties.hands], ("ties.hands",))
        counts = f"counts as {best}" if game.ties.split_ten_ace == "21" else "ties nothing"
        yield SentenceDraft(
            f"An ace dealt to a split ten-value card {counts} for them.", ("ties.split_ten_ace",)
        )
    if game.player.charlie:
        cards = plural(game.player.charlie, "card")
        same = {
            "ties": f"ties {dealer(game)}'s hand of the same total, other than {natural(game)},",
            "none": "ties nothing",
        }
        yield SentenceDraft(
            f"A hand that has won with {cards} {same[game.ties.charlie]} for the bonus wagers.",
            ("ties.charlie",),
        )
    several = can_split(game) and game.ties.hands == "first"
    hand = "the hand that counts" if several else "the hand"
    yield SentenceDraft(
        f"If {hand} goes over, a bonus wager {_ends(game.ties.over)}.", ("ties.over",)
    )
    if may_surrender(game):
        yield SentenceDraft(
            f"If {hand} is surrendered, a bonus wager {_ends(game.ties.surrendered)}.",
            ("ties.surrendered",),
        )


def _ends(result: str) -> str:
    return "loses" if result == "loses" else "is returned"


def _tie_words(game: GameRules, wager: TieWager) -> str:
    totals = listed(natural(game) if total == "natural" else str(total) for total in wager.ties)
    return f"{wager.name}: a tie at {totals} pays {odds(wager.pays)}."


def _showdown(game: GameRules, wager: ShowdownWager, here: str) -> Iterator[SentenceDraft]:
    who = dealer(game)
    yield SentenceDraft(
        f"{wager.name} may be wagered beside {game.wagers[wager.needs].name}.",
        tuple(f"{here}.{key}" for key in ("settles", "name", "offered", "needs")),
    )
    tie = "pushes" if wager.tie == "push" else "loses"
    yield SentenceDraft(
        f"{wager.name} is the player's five cards as a poker hand against {who}'s: better pays "
        f"{odds(wager.pays)}, a tie {tie}, worse loses.",
        tuple(f"{here}.{key}" for key in ("pays", "tie")),
    )
    least = {
        "king-high": f"{capital(who)} qualifies with a king high or better.",
        "pair-of-kings": f"{capital(who)} qualifies with a pair of kings or better.",
        "any": f"{capital(who)} plays with any hand.",
    }[wager.qualifies]
    yield SentenceDraft(least, (f"{here}.qualifies",))
    if wager.qualifies != "any":
        yield SentenceDraft(
            f"If {who} does not qualify, {wager.name} pushes.", (f"{here}.qualifies#push",)
        )
    yield from _card_wager_rules(game, wager, here)


def _pay_table(game: GameRules, wager: TableWager, here: str) -> Iterator[SentenceDraft]:
    table = game.paytables[wager.paytable].with_decks(game.shoe.decks)
    yield SentenceDraft(
        f"{wager.name} may be wagered beside {game.wagers[wager.needs].name}.",
        tuple(f"{here}.{key}" for key in ("settles", "name", "offered", "needs", "paytable")),
    )
    yield SentenceDraft(
        f"{wager.name} may be less than, equal to or more than {game.wagers[wager.needs].name}, "
        "within the table's limits.",
        (f"{here}.needs#size",),
        own=True,
    )
    figure = "for" if table.quoted == "for-1" else "to"
    names = dict(table.names)
    others = tuple(
        f"paytables.{table_id}" for table_id in game.paytables if table_id != wager.paytable
    )
    assumed = game.paytables[wager.paytable].assumed_with(game.shoe.decks)
    yield SentenceDraft(
        f"{table.name or wager.name} goes by {_table_words(game, table)}",
        tuple(f"paytables.{wager.paytable}.{key}" for key in _OF_TABLE),
        rows=tuple(
            (names.get(event) or _event(table, event), f"{number} {figure} 1")
            for event, number in table.rows
        ),
        moot=(
            *others,
            *(() if uses_community(game) else _COMMUNITY),
            *(() if assumed else (f"paytables.{wager.paytable}.printed_for",)),
        ),
    )
    if assumed:
        yield SentenceDraft(
            f"The source prints this pay table for {plural(table.printed_for, 'deck')}; that it "
            f"serves {plural(game.shoe.decks, 'deck')} too is assumed.",
            (f"paytables.{wager.paytable}.printed_for",),
            assumed=True,
        )
    yield from _sums(game, table, f"paytables.{wager.paytable}")
    yield from _card_wager_rules(game, wager, here)


def _card_wager_rules(
    game: GameRules, wager: TableWager | ShowdownWager, here: str
) -> Iterator[SentenceDraft]:
    bust = "stays in action" if wager.after_bust == "stays" else "is lost"
    yield SentenceDraft(f"{wager.name} {bust} when the hand is over.", (f"{here}.after_bust",))
    yield SentenceDraft(
        f"{wager.name} stays in action when the hand is {natural(game)}.",
        (f"{here}.after_bust#natural",),
        own=True,
    )
    main = game.wagers[BASE].name
    if ended := _ends_early(game):
        yield SentenceDraft(
            f"{wager.name} stays in action when the hand is {ended}.",
            (f"{here}.after_bust#ended",),
            own=True,
        )
    moment = (
        f"after {dealer(game)}'s hand, at each seat after {main}"
        if wager.settled == "with-base"
        else f"after {main}"
    )
    yield SentenceDraft(f"{wager.name} is settled {moment}.", (f"{here}.settled",))


_OF_TABLE = (
    "name",
    "cards",
    "by",
    "low",
    "quoted",
    "overlap",
    "rows",
    "rows_by_decks",
    "names",
)
"""What one sentence says of a pay table."""


def _ends_early(game: GameRules) -> str:
    """Ways in which a player may end a hand, as words: "surrendered or rescued"."""
    ways = [
        *(["surrendered"] if may_surrender(game) else []),
        *(["rescued"] if game.double.rescue else []),
    ]
    return listed(ways)


def _event(table: Paytable, event: str) -> str:
    """A pay-table event with its rank spelled out."""
    rank = pair_row(event)
    if rank:
        return f"pair of {rank_name(rank)}s or better"
    high = high_row(event)
    # Only in deuce-to-seven seven high is the lowest hand there is.
    lower = " or lower" if event == table.rows[0][0] and table.low != "deuce-to-seven" else ""
    return f"{rank_name(high)} high{lower}" if high else event


def _sums(game: GameRules, table: Paytable, here: str) -> Iterator[SentenceDraft]:
    """What a row by the sum of the cards is."""
    for event, _ in table.rows:
        if event.startswith("sum") and event in dict(table.names):
            name = dict(table.names)[event].partition(",")[0]
            yield SentenceDraft(
                f"{name} is five cards with a {event}.".replace("sum at most", "sum of at most"),
                (f"{here}.rows",),
            )
            yield SentenceDraft(
                f"For {name} an ace counts {game.count.ace[0]}, and jack, queen and king "
                f"{game.count.court}.",
                (f"{here}.rows#ace",),
            )


def _table_words(game: GameRules, table: Paytable) -> str:
    who = dealer(game)
    low = "low " if table.by == "low" else ""
    cards = {
        "own": "the player's five cards",
        "own-and-community": f"the best {low}five of the player's cards and the community cards",
        "first-two-and-up-card": f"how the player's first two cards match {who}'s up card exactly "
        "in rank",
        "first-two-and-dealers-two": "how the player's first two cards match "
        f"{who}'s first two exactly in rank; each counts once, at its best match",
    }[table.cards]
    words = f"{cards}. What is in no row loses."
    if table.by == "low":
        words += {
            "deuce-to-seven": " Aces are high; straights, flushes and pairs spoil a low hand.",
            "deuce-to-six": " Aces are high; pairs spoil a low hand, straights and flushes do not.",
            "ace-to-six": " Aces are low; straights, flushes and pairs spoil a low hand.",
            "ace-to-five": " Aces are low; pairs spoil a low hand, straights and flushes do not.",
        }[table.low]
    sums = [event for event, _ in table.rows if event.startswith("sum")]
    if table.by == "poker" and sums:
        by_sum = dict(table.names).get(sums[0], "the row by sum").partition(",")[0]
        words += {
            "highest": " A hand that fits two rows is paid the one that pays most, once.",
            "poker-first": f" {by_sum} pays only where no poker row does.",
            "both": f" A hand that fits a poker row and {by_sum} wins what both rows win, and the "
            "stake comes back once.",
        }[table.overlap]
    return words
