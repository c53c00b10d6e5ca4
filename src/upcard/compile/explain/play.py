"""The deal and the play of hands in words."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.cards import Card, rank_name
from upcard.compile.explain.phrases import SentenceDraft, number, odds, points, share, with_article
from upcard.money import format_cents
from upcard.rules.schema import GameRules
from upcard.text import listed


def deal(game: GameRules) -> Iterator[SentenceDraft]:
    deal = game.deal
    down = f" and {number(deal.player_down, 'card')} face down" if deal.player_down else ""
    yield SentenceDraft(
        f"Each player gets {number(deal.player_up, 'card')} face up{down}.",
        ("deal.player_up", "deal.player_down"),
    )
    yield SentenceDraft(
        f"The dealer gets {number(deal.dealer_up, 'card')} face up and "
        f"{number(deal.dealer_down, 'card')} face down.",
        ("deal.dealer_up", "deal.dealer_down"),
    )
    start = {
        "dealers-left": "the dealer's left",
        "banks-left": "the left of the player-dealer",
    }[deal.starts]
    how = {
        "passes": "one card at a time, the dealer last",
        "by-position": "all cards of a position at once, the dealer last",
    }[deal.order]
    yield SentenceDraft(
        f"Cards are dealt from {start}, {how}; players act and are settled in the same order.",
        ("deal.order", "deal.starts"),
    )
    if deal.community:
        face = "face up" if deal.community_seen else "face down until the hands have been played"
        yield SentenceDraft(
            f"If a wager on offer uses them, {number(deal.community, 'community card')} follow, "
            f"{face}.",
            ("deal.community", "deal.community_seen"),
        )
    natural = game.natural
    yield SentenceDraft(
        f"An ace with a {listed(map(rank_name, natural.with_))} in the first two cards is a "
        f"natural, {points(natural.total)}, called {natural.name}.",
        ("natural.name", "natural.with", "natural.total"),
    )
    plain = points(game.count.ace[1] + game.count.court)
    split = "a natural too" if natural.after_split else plain
    yield SentenceDraft(
        f"After a split an ace with such a card is {split}.",
        ("natural.after_split",),
    )
    if game.bonus_card:
        is_one = "a natural too" if natural.after_trade else "not a natural"
        yield SentenceDraft(
            f"One made with a card that came by a trade is {is_one}.", ("natural.after_trade",)
        )


def bonus_cards(game: GameRules) -> Iterator[SentenceDraft]:
    card, lights = game.bonus_card, game.lights
    if card is None or lights is None:
        return
    if card.choice == "keep-or-trade":
        yield SentenceDraft(
            "A bonus card that does not take the hand over may be kept as "
            f"{with_article(Card.parse(card.cards[0]).rank)} or traded for the next card; a trade "
            "lights one light.",
            ("bonus_card.choice",),
        )
        when = {
            "before-insurance": "in seat order, before insurance and before anybody draws",
            "own-turn": "when the player's turn comes",
        }[card.when]
        yield SentenceDraft(
            f"Those among the first two cards are decided {when}.", ("bonus_card.when",)
        )
        each = "each may be traded" if card.first_two == "each" else "one of them may be traded"
        yield SentenceDraft(f"If both are bonus cards, {each}.", ("bonus_card.first_two",))
        yield SentenceDraft(
            f"A bonus card drawn on a double {'may be traded too' if card.on_double else 'stays'}.",
            ("bonus_card.on_double",),
        )
        yield SentenceDraft(
            "A replacement that is a bonus card "
            f"{'may be traded again' if card.trade_again else 'stays'}.",
            ("bonus_card.trade_again",),
        )
    else:
        yield SentenceDraft(
            "Bonus cards are not traded: each that does not take the hand over lights one light.",
            ("bonus_card",),
        )
    yield SentenceDraft(
        f"All {lights.count} lights lit win {format_cents(lights.prize)} at once, and the count "
        "starts again at zero; nobody else's lights change.",
        ("lights.count", "lights.prize"),
    )
    further = "count towards the next prize" if lights.surplus == "carries" else "are lost"
    yield SentenceDraft(f"Further lights in that round {further}.", ("lights.surplus",))
    owner = {
        "player-at-position": "a player at a betting position: two boxes have two sets",
        "player": "a player: two boxes share one set",
    }[lights.belong_to]
    yield SentenceDraft(f"Lights belong to {owner}.", ("lights.belong_to",))
    yield SentenceDraft(
        "When a player leaves, the lights are lost; a new player starts at zero.",
        ("lights.on_leaving",),
    )
    yield SentenceDraft(
        "A leaving player may take them along on a punched card, given up when play is resumed."
        if lights.players_card
        else "They cannot be taken along on a card.",
        ("lights.players_card",),
    )


def player(game: GameRules) -> Iterator[SentenceDraft]:
    player = game.player
    yield SentenceDraft(f"A total over {points(game.count.over)} is over.", ("count.over",))
    source = {
        "shoe": "from the shoe",
        "own-cards-picked": "from the hand's own down cards; the player points at the one wanted",
        "own-cards-in-order": "from the hand's own down cards, in order",
    }[player.hit_cards]
    yield SentenceDraft(f"Hit cards come {source}.", ("player.hit_cards",))
    yield SentenceDraft(
        f"A hand of {player.stands_at} stands by itself."
        if player.stands_at
        else "No total stands by itself.",
        ("player.stands_at",),
    )
    if player.must_stand_hard:
        lost = {"hit": "hit", "hit-and-double": "hit or double"}[player.must_stand_takes]
        yield SentenceDraft(
            f"On hard {player.must_stand_hard} or more a player may not {lost}.",
            ("player.must_stand_hard", "player.must_stand_takes"),
        )
    if player.stands_at_cards:
        yield SentenceDraft(
            f"A hand of {number(player.stands_at_cards, 'card')} not over must stand.",
            ("player.stands_at_cards",),
        )
    yield SentenceDraft(
        f"A hand of {number(player.charlie, 'card')} not over wins."
        if player.charlie
        else "No number of cards wins by itself.",
        ("player.charlie",),
    )
    yield from _doubling(game)
    yield from _splitting(game)
    yield from _surrendering(game)
    yield from _insuring(game)


def _doubling(game: GameRules) -> Iterator[SentenceDraft]:
    double = game.double
    if double.on == "none":
        yield SentenceDraft("No doubling down.", ("double",), always=True)
        return
    hands = {
        "any-two": "Any first two cards may double down",
        "9-11": "A first two cards' total of 9 to 11 may double down",
        "10-11": "A first two cards' total of 10 or 11 may double down",
        "any-count": "A hand of any number of cards may double down",
    }[double.on]
    yield SentenceDraft(f"{hands}, for one more card.", ("double.on",))
    if game.split.on != "none":
        may = "may" if double.after_split else "may not"
        yield SentenceDraft(f"Split hands {may} double.", ("double.after_split",))
    yield SentenceDraft(
        "The added wager may be smaller than the wager."
        if double.for_less
        else "The added wager equals the wager.",
        ("double.for_less",),
    )
    if double.times > 1:
        yield SentenceDraft(
            f"After a double card the total wager may be doubled again, {double.times} doubles in "
            f"all, up to {2**double.times} times the original wager.",
            ("double.times",),
        )
    else:
        yield SentenceDraft("A hand doubles once.", ("double.times",))
    if double.rescue:
        yield SentenceDraft(
            "After doubling, a hand not over may be rescued: the last doubled portion comes back "
            "and the rest is lost.",
            ("double.rescue",),
        )


def _splitting(game: GameRules) -> Iterator[SentenceDraft]:
    split = game.split
    if split.on == "none" or split.max_hands == 1:
        yield SentenceDraft("No splitting.", ("split",), always=True)
        return
    yield SentenceDraft(
        f"Two cards of equal {split.on} may be split for an equal wager, up to "
        f"{number(split.max_hands, 'hand')}.",
        ("split.on", "split.max_hands"),
    )
    again = "more than once" if split.resplit_aces else "only once"
    yield SentenceDraft(f"Aces may be split {again}.", ("split.resplit_aces",))
    cards = "get one card each" if split.aces == "one-card" else "may be drawn to"
    yield SentenceDraft(f"Split aces {cards}.", ("split.aces",))


def _surrendering(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.surrender
    if rule.when == "none":
        yield SentenceDraft("No surrender.", ("surrender",), always=True)
        return
    check = "the dealer's check for a natural"
    moment = {
        "late": f"after {check}",
        "early": f"before {check}",
        "both": f"before {check} and, if that is declined, in the player's own turn",
    }[rule.when]
    yield SentenceDraft(
        f"The first two cards may be surrendered for {share(rule.forfeits)}, {moment}.",
        ("surrender.when", "surrender.forfeits"),
    )
    if game.split.on != "none":
        may = "may be surrendered too" if rule.after_split else "may not be surrendered"
        if rule.split_aces:
            aces = ", aces included" if rule.after_split else ", but for aces"
        else:
            aces = ", except aces" if rule.after_split else ""
        yield SentenceDraft(
            f"Split hands {may}{aces}.", ("surrender.after_split", "surrender.split_aces")
        )
    if rule.when != "early" and game.dealer.checks != "ace-or-ten":
        lost = "the whole wager" if rule.unchecked_natural == "takes-all" else "no more"
        yield SentenceDraft(
            f"If a dealer's natural that no check had found shows later, it takes {lost}.",
            ("surrender.unchecked_natural",),
        )
    else:
        yield SentenceDraft(
            "A surrender is final: a natural is found before it, or does not change it.",
            ("surrender.unchecked_natural",),
        )


def _insuring(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.insurance
    if not rule.offered:
        yield SentenceDraft("No insurance.", ("insurance",), always=True)
        return
    yield SentenceDraft(
        f"With {listed(map(with_article, rule.up))} up, up to {share(rule.at_most)} may be "
        "placed on insurance.",
        ("insurance.offered", "insurance.up", "insurance.at_most"),
    )
    yield SentenceDraft(
        f"Insurance pays {odds(rule.pays)} if the dealer has a natural.", ("insurance.pays",)
    )


def dealer(game: GameRules) -> Iterator[SentenceDraft]:
    dealer = game.dealer
    soft = "hits" if dealer.soft17 == "hit" else "stands on"
    yield SentenceDraft(
        f"The dealer hits below {dealer.stands_on} and {soft} soft {dealer.stands_on}.",
        ("dealer.stands_on", "dealer.soft17"),
    )
    if dealer.stands_at_cards:
        yield SentenceDraft(
            f"The dealer stands on {number(dealer.stands_at_cards, 'card')} not over.",
            ("dealer.stands_at_cards",),
        )
    if dealer.finishes == "always":
        yield SentenceDraft(
            "The dealer's hand is completed in every round, also when no wager depends on it.",
            ("dealer.finishes",),
        )
    if dealer.draws_from == "own-cards":
        yield SentenceDraft(
            "The dealer draws from the dealer's own down cards.", ("dealer.draws_from",)
        )
    tens = [rank for rank in game.natural.with_ if rank not in game.shoe.removed]
    names = listed([with_article("A"), *map(with_article, tens)])
    looks = {
        "ace-or-ten": f"With {names} up the dealer looks for a natural before "
        "anybody draws; if there is one, every other hand loses at once.",
        "ace": "With an ace up the dealer looks for a natural before anybody draws.",
        "none": "The dealer does not look for a natural before the players have acted.",
    }[dealer.checks]
    yield SentenceDraft(looks, ("dealer.checks",))
    takes = {
        "all": "everything wagered on the hands it beats",
        "original": "the box's original wager and nothing that was added",
    }[dealer.late_natural_takes]
    yield SentenceDraft(
        f"A dealer's natural that shows only at the end takes {takes}.",
        ("dealer.late_natural_takes",),
    )
    beyond = int(game.count.over) + 1
    yield SentenceDraft(
        f"A dealer's {beyond} pushes."
        if dealer.on_22 == "push"
        else f"A dealer's {beyond} is over like any higher total.",
        ("dealer.on_22",),
    )
    remedies = game.irregularities
    if remedies:
        yield SentenceDraft(
            "A card found face up is not used; a card drawn in error for a dealer who must stand "
            "is burned; a hand with no cards is dead; a hand with one card gets its second after "
            "the others.",
            ("irregularities",),
        )
