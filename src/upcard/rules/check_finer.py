"""Contradictions in the finer rules: ties by their total, hands by conditions, what 22 spares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upcard.cards import rank_name
from upcard.rules.hand_conditions import HandCondition, ends
from upcard.rules.load import RuleSet
from upcard.rules.schema import PAID_ON_22, GameRules, offered_wagers
from upcard.rules.wagers import TableWager
from upcard.text import listed, with_article

Finding = tuple[str, str, tuple[str, ...]]

TEN_VALUES = ("T", "J", "Q", "K")
MOST_CARDS = 21
FIRST_TWO = 2
"""Cards that a hand can have: that many aces."""


def ties_can_happen(rules: RuleSet) -> Iterator[Finding]:
    """Ties by total: they name totals at which the dealer can stand, another result than `tie`, and
    not what `tie_at_21` says already.
    """
    game = rules.game
    rule, most = game.outcomes, int(game.count.over)
    # A dealer who stands on a number of cards may stand on any total.
    least = game.dealer.stands_on if not game.dealer.stands_at_cards else game.count.ace[0]
    known = [str(total) for total in range(least, most + 1)]
    for total, result in rule.ties_at.items():
        path = f"outcomes.ties_at.{total}"
        keys = (path, "outcomes.tie")
        if total not in known:
            words = f"no tie is at {total}: the dealer stands on {least} to {most}"
            yield path, words, (path, "dealer.stands_on")
        elif result == rule.tie:
            yield path, f'that is what tie = "{rule.tie}" says of every total: leave it out', keys
        elif total == str(most) and rule.tie_at_21 == "wins":
            words = f'tie_at_21 = "wins" says what a tie at {most} comes to: leave one of them out'
            yield path, words, (path, "outcomes.tie_at_21")


def hands_paid_on_22_exist(rules: RuleSet) -> Iterator[Finding]:
    """Hands that 22 spares: they are named once each, of a game with them, where 22 pushes; two
    ten-value cards or two aces only where no hand has a bonus.
    """
    game, key = rules.game, "dealer.paid_on_22"
    rule = game.dealer.paid_on_22
    if rule != PAID_ON_22 and game.dealer.on_22 != "push":
        yield (
            key,
            'a 22 pushes with no hand: on_22 = "push", or leave it out',
            (key, "dealer.on_22"),
        )
    if len(set(rule)) != len(rule):
        yield key, "a hand stands there twice", (key,)
    if "doubled" in rule and game.double.on == "none":
        yield key, "no hand is doubled in this game", (key, "double.on")
    if game.bonuses is not None and not {"two-tens", "two-aces"}.isdisjoint(rule):
        words = "first cards that 22 spares are not combined with bonuses: leave one of them out"
        yield key, words, (key, "bonuses.rows")
    if rule != PAID_ON_22 and "charlie" in rule and not game.player.charlie:
        yield key, "no hand wins by its number of cards in this game", (key, "player.charlie")


def second_card_can_wait(rules: RuleSet) -> Iterator[Finding]:
    """No card face down: a dealer without one is not looked at for a natural before the turns, and
    no pay table goes by the second card.
    """
    game, key = rules.game, "deal.dealer_down"
    if game.deal.dealer_down or game.deal.dealer_up > 1:
        return
    if game.dealer.checks != "none":
        words = (
            'no card lies face down that could be looked at: checks = "none", or dealer_down = 1'
        )
        yield "dealer.checks", words, (key, "dealer.checks")
    words = "the dealer's second card comes only after the turns: no pay table may go by it"
    for wager_id in offered_wagers(game):
        wager = game.wagers.get(wager_id)
        if isinstance(wager, TableWager):
            table = game.paytables.get(wager.paytable)
            if table is not None and table.cards == "first-two-and-dealers-two":
                here = f"paytables.{wager.paytable}.cards"
                yield here, words, (key, here)


def conditions_can_be_met(rules: RuleSet) -> Iterator[Finding]:
    """Hands by conditions: each condition states something, totals and numbers of cards that a hand
    can have, and of ten-value cards that play alike all or none; aces that count low after a double
    are not for games with bonus cards.
    """
    game = rules.game
    for section, rule in (("double", game.double), ("surrender", game.surrender)):
        path = f"{section}.only"
        most = MOST_CARDS if rule.on == "any-count" else FIRST_TWO
        for condition in rule.only:
            for words in unmet(game, condition, most):
                yield path, words, (path,)
            if most == FIRST_TWO < ends(condition.cards or 0, MOST_CARDS)[0]:
                words = f'hands of more than two cards need {section}.on = "any-count"'
                yield path, words, (path, f"{section}.on")
    if game.double.aces == "one" and game.bonus_card is not None:
        words = "it is not for games with bonus cards, which may be traded after a double"
        yield "double.aces", words, ("double.aces", "bonus_card.cards")
    for words in _parted(game, game.split.never):
        yield "split.never", words, ("split.never", "split.on")


def unmet(game: GameRules, condition: HandCondition, most_cards: int) -> Iterator[str]:
    """What keeps a condition from being met."""
    if condition == HandCondition():
        yield "a condition states nothing: name totals, cards, up cards, or leave it out"
    over = int(game.count.over)
    for what, number, least, most in (
        ("totals", condition.total, 2 * game.count.ace[0], over),
        ("cards", condition.cards, 2, most_cards),
    ):
        if number is not None:
            low, high = ends(number, most)
            if not least <= max(low, least) <= min(high, most):
                yield f"no such hand has {what} of {low} to {high}: they are {least} to {most}"
    if condition.up is not None:
        yield from _parted(game, condition.up)


def _parted(game: GameRules, ranks: Sequence[str]) -> Iterator[str]:
    """Ranks that are no cards of the game, or only some of those that play alike."""
    for rank in ranks:
        if rank in game.shoe.removed:
            yield f"every {rank_name(rank)} is taken out of the deck"
    alike = [rank for rank in TEN_VALUES if rank not in game.shoe.removed]
    some = [rank for rank in alike if rank in ranks]
    if some and some != alike and game.split.on != "rank":
        yield f"{listed(alike, 'and')} play alike: name all of them or none"


def hands_have_wagers(rules: RuleSet) -> Iterator[Finding]:
    """Bonus wagers of each hand of a split: nobody but the player stakes splits there, and no fee
    is due on them.
    """
    game = rules.game
    if game.ties is None or game.ties.hands != "each":
        return
    if game.split.free:
        words = (
            'the house stakes new hands, and their bonus wagers would be nobody\'s: hands = "first"'
        )
        yield "ties.hands", words, ("ties.hands", "split.free")
    if game.fees is not None and game.fees.on_added_wagers:
        words = "splits pay a fee, which is for base wagers alone: on_added_wagers = false"
        yield "ties.hands", words, ("ties.hands", "fees.on_added_wagers")


def insurance_is_priced(rules: RuleSet) -> Iterator[Finding]:
    """Insurance by up card: odds of their own are for up cards under which it is offered, other
    than `pays`, and alike for ten-value cards that play alike.
    """
    game = rules.game
    rule = game.insurance
    for rank, pays in rule.pays_under.items():
        path = f"insurance.pays_under.{rank}"
        if rank not in rule.up:
            words = f"no insurance is offered with {with_article(rank_name(rank))} up"
            yield path, words, (path, "insurance.up")
        elif pays == rule.pays:
            words = f"that is what pays = {pays} says of every up card: leave it out"
            yield path, words, (path, "insurance.pays")
    own = {str(rank): pays for rank, pays in rule.pays_under.items()}
    tens = {own.get(rank, rule.pays) for rank in TEN_VALUES if rank not in game.shoe.removed}
    if len(tens) > 1 and game.split.on != "rank":
        words = "ten-value cards play alike: name the same odds for all of them"
        yield "insurance.pays_under", words, ("insurance.pays_under",)
