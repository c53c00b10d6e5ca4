"""Who wins, and the side wagers, in words."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.cards import rank_name
from upcard.compile.explain.phrases import SentenceDraft, odds
from upcard.money import format_cents
from upcard.rules.rows import high_row, pair_row
from upcard.rules.schema import GameRules
from upcard.rules.wagers import HandWager, Paytable, ShowdownWager, TableWager, TieWager
from upcard.text import listed


def outcomes(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.outcomes
    yield SentenceDraft(
        f"The higher total not over wins {odds(rule.win_pays)}, as does any hand not over when "
        "the dealer is over; a hand over loses.",
        ("outcomes.win_pays",),
    )
    per = {"hand": "every tied hand", "player": "a player's tied hands together"}
    tie = {
        "push": "Equal totals push.",
        "wins": "Equal totals win.",
        "loses": "Equal totals lose.",
        "costs": f"Equal totals cost {per[rule.tie_costs_per]} {format_cents(rule.tie_costs)}, "
        "whatever the wager.",
    }[rule.tie]
    yield SentenceDraft(tie, ("outcomes.tie", "outcomes.tie_costs", "outcomes.tie_costs_per"))
    if rule.tie_at_21 == "wins":
        yield SentenceDraft(
            f"Both at {int(game.count.over)} without a natural: the player wins.",
            ("outcomes.tie_at_21",),
        )
    for hand in rule.special:
        does = "pushes" if hand.result == "push" else "wins"
        yield SentenceDraft(
            f"If the dealer's hand is {'-'.join(hand.dealer)}, every player's hand that is over "
            f"{does}.",
            ("outcomes.special",),
        )
    loses = "loses" if rule.both_over == "loses" else "pushes"
    other = " otherwise" if rule.special else ""
    yield SentenceDraft(f"Both over: the player{other} {loses}.", ("outcomes.both_over",))
    natural = game.natural
    yield SentenceDraft(f"A player's natural pays {odds(natural.pays)}.", ("natural.pays",))
    against = natural.against_natural
    ends = "pushes" if against == "push" else f"is paid {odds(against)}"
    yield SentenceDraft(f"Against a dealer's natural it {ends}.", ("natural.against_natural",))
    beats = {
        "wins": "beats",
        "ties": "is an equal total with",
    }[rule.dealer_natural_against_21]
    yield SentenceDraft(
        f"A dealer's natural {beats} a drawn {int(game.count.over)}.",
        ("outcomes.dealer_natural_against_21",),
    )


def side_wagers(game: GameRules) -> Iterator[SentenceDraft]:
    if game.ties:
        yield from _tie_rules(game)
    for wager_id, wager in game.wagers.items():
        here = f"wagers.{wager_id}"
        match wager:
            case TieWager():
                totals = listed(
                    game.natural.name if total == "natural" else str(total) for total in wager.ties
                )
                yield SentenceDraft(
                    f"{wager.name}: a tie at {totals} pays {odds(wager.pays)}.", (here,)
                )
            case ShowdownWager():
                yield from _showdown(wager, here)
            case TableWager():
                yield from _pay_table(game, wager, here)
            case HandWager():
                pass


def _tie_rules(game: GameRules) -> Iterator[SentenceDraft]:
    assert game.ties is not None
    yield SentenceDraft(
        "A bonus wager wins if the dealer's hand ties the player's exactly at one of its totals; "
        "otherwise it loses. It is placed with the main wager.",
        ("ties.needs",),
    )
    yield SentenceDraft("After a split only the first hand counts for it.", ("ties.hands",))
    for key, hand in (("over", "goes over"), ("surrendered", "is surrendered")):
        result = "loses" if getattr(game.ties, key) == "loses" else "is returned"
        yield SentenceDraft(f"If that hand {hand}, the bonus wager {result}.", (f"ties.{key}",))
    counts = "counts as 21" if game.ties.split_ten_ace == "21" else "ties nothing"
    yield SentenceDraft(
        f"An ace dealt to a split ten-value card {counts} for it.", ("ties.split_ten_ace",)
    )
    same = (
        "ties a dealer's hand of the same total" if game.ties.charlie == "ties" else "ties nothing"
    )
    yield SentenceDraft(
        f"If a hand may win by its number of cards, such a hand {same} for it.", ("ties.charlie",)
    )


def _offered(name: str, *, offered: bool) -> str:
    return name if offered else f"{name} (not offered)"


def _showdown(wager: ShowdownWager, here: str) -> Iterator[SentenceDraft]:
    name = _offered(wager.name, offered=wager.offered)
    tie = "pushes" if wager.tie == "push" else "loses"
    yield SentenceDraft(
        f"{name}, beside the {wager.needs} wager: the player's cards as a poker hand against the "
        f"dealer's. Better pays {odds(wager.pays)}, a tie {tie}, worse loses.",
        tuple(f"{here}.{key}" for key in ("settles", "name", "offered", "needs", "pays", "tie")),
    )
    least = {
        "king-high": "a king high or better",
        "pair-of-kings": "a pair of kings or better",
        "any": "any hand",
    }[wager.qualifies]
    yield SentenceDraft(
        f"The dealer plays with {least}; otherwise it pushes.", (f"{here}.qualifies",)
    )
    yield from _card_wager_rules(wager, here)


def _pay_table(game: GameRules, wager: TableWager, here: str) -> Iterator[SentenceDraft]:
    in_force = game.paytables.get(wager.paytable)
    name = _offered(wager.name, offered=wager.offered and in_force is not None)
    keys = tuple(f"{here}.{key}" for key in ("settles", "name", "offered", "needs", "paytable"))
    yield SentenceDraft(f"{name}, beside the {wager.needs} wager, on the cards themselves.", keys)
    for table_id, table in game.paytables.items():
        used = "" if table is in_force else " (not in force)"
        figure = "for" if table.quoted == "for-1" else "to"
        yield SentenceDraft(
            f"Pay table {table_id}{used}: {_table_words(game, table)}",
            (f"paytables.{table_id}",),
            rows=tuple(
                (dict(table.names).get(event) or _event(event), f"{number} {figure} 1")
                for event, number in table.rows
            ),
        )
    yield from _card_wager_rules(wager, here)


def _card_wager_rules(wager: TableWager | ShowdownWager, here: str) -> Iterator[SentenceDraft]:
    bust = "stays in action" if wager.after_bust == "stays" else "is lost"
    yield SentenceDraft(f"It {bust} when the hand is over.", (f"{here}.after_bust",))
    moment = "with the main wager" if wager.settled == "with-base" else "after the game"
    yield SentenceDraft(f"It is settled {moment}.", (f"{here}.settled",))


def _event(event: str) -> str:
    """A pay-table event with its rank spelled out."""
    rank = pair_row(event)
    if rank:
        return f"pair of {rank_name(rank)}s or better"
    high = high_row(event)
    return f"{rank_name(high)} high" if high else event


def _table_words(game: GameRules, table: Paytable) -> str:
    cards = {
        "own": "the player's cards",
        "own-and-community": "the best of the player's and the community cards",
        "first-two-and-up-card": "matches of the first two cards with the up card in rank",
        "first-two-and-dealers-two": "matches of the first two cards with the dealer's two in rank",
    }[table.cards]
    words = f"{cards}."
    if table.by == "low":
        words += {
            "deuce-to-seven": " Aces are high; straights, flushes and pairs spoil a low hand.",
            "deuce-to-six": " Aces are high; pairs spoil a low hand, straights and flushes do not.",
            "ace-to-six": " Aces are low; straights, flushes and pairs spoil a low hand.",
            "ace-to-five": " Aces are low; pairs spoil a low hand, straights and flushes do not.",
        }[table.low]
    if table.by == "poker" and any(event.startswith("sum") for event, _ in table.rows):
        words += {
            "highest": " A hand that fits two rows is paid the one that pays most, once.",
            "poker-first": " The row by sum pays only where no poker row does.",
            "both": " A hand that fits a poker row and the row by sum is paid both.",
        }[table.overlap]
        words += f" In sums an ace counts {game.count.ace[0]}."
    return words
