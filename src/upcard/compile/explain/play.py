"""The deal and the play of hands in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upcard.cards import Card, rank_name
from upcard.compile.carry import prize_words
from upcard.compile.exchanges import exchanges, replaces, trades
from upcard.compile.explain.phrases import (
    SentenceDraft,
    best_total,
    both_up,
    can_add,
    can_split,
    capital,
    checks,
    may_surrender,
    natural,
    natural_may_come_late,
    number,
    odds,
    points,
    several_boxes,
    share,
    surrenders_first,
    ten_values,
    with_article,
)
from upcard.compile.explain.phrases import (
    dealer as dealer_of,
)
from upcard.compile.hand_conditions import condition_words, pair_names
from upcard.compile.phases import after_game, uses_community
from upcard.compile.shown import ranks_text
from upcard.money import BASE
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules
from upcard.rules.section import AS_DEALT
from upcard.rules.wagers import ShowdownWager
from upcard.text import listed


def deal(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    yield from _first_cards(rules)
    yield from _order(game)
    yield from _community(game)
    yield from _naturals(game)


def _first_cards(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    deal = game.deal
    down = f" and {number(deal.player_down, 'card')} face down" if deal.player_down else ""
    keys = ("deal.player_up", "deal.player_down")
    seen = "deal.player_up#seen"
    if seen in rules.provenance:
        yield SentenceDraft(f"Each player gets {number(deal.player_up, 'card')}{down}.", keys)
        yield SentenceDraft("They lie face up.", (seen,))
    else:
        dealt = f"{number(deal.player_up, 'card')} face up{down}"
        yield SentenceDraft(f"Each player gets {dealt}.", keys)
    who = capital(dealer_of(game))
    if both_up(game):
        yield SentenceDraft(
            f"{who} gets {number(deal.dealer_up, 'card')} face up and none face down: players see "
            "both before they act.",
            ("deal.dealer_up", "deal.dealer_down"),
        )
    else:
        also = ", and the second only when all players are done"
        if deal.dealer_down:
            also = f" and {number(deal.dealer_down, 'card')} face down"
        yield SentenceDraft(
            f"{who} gets {number(deal.dealer_up, 'card')} face up{also}.",
            ("deal.dealer_up", "deal.dealer_down"),
        )
    if game.dealer.tells:
        groups = listed((ranks_text("".join(group)) for group in game.dealer.tells), "or")
        yield SentenceDraft(
            f"Before anybody acts {dealer_of(game)} looks at the down card and tells which it is: "
            f"{groups}.",
            ("dealer.tells",),
        )
    yield SentenceDraft(
        f"{capital(dealer_of(game))}'s second card is the one face down.",
        ("deal.dealer_down#second",),
        own=True,
    )
    yield SentenceDraft("Every further card is dealt face up.", ("deal.player_up#later",), own=True)


def _order(game: GameRules) -> Iterator[SentenceDraft]:
    deal = game.deal
    who = dealer_of(game)
    start = {
        "dealers-left": "the dealer's left",
        "banks-left": "the left of the player-dealer, clockwise",
    }[deal.starts]
    how = {
        "passes": f"one card at a time, {who} after the players",
        "by-position": f"all cards of a position at once, {who} after the players",
    }[deal.order]
    yield SentenceDraft(f"Cards are dealt from {start}, {how}.", ("deal.order", "deal.starts"))
    yield SentenceDraft("Players act in the same order.", ("deal.starts#turns",))
    button = game.bank.action_from == "action-button"
    otherwise = ", unless an action button is placed" if button else ""
    also = ("bank.action_from",) if button else ()
    yield SentenceDraft(
        f"Wagers are settled in the same order{otherwise}.", ("deal.starts#settled", *also)
    )


def _community(game: GameRules) -> Iterator[SentenceDraft]:
    deal = game.deal
    if not uses_community(game):
        return
    yield SentenceDraft(
        f"{capital(number(deal.community, 'community card'))} are dealt after all positions have "
        "their cards.",
        ("deal.community",),
    )
    order = {"dealer": "after", "players": "before"}[deal.community_after]
    yield SentenceDraft(
        f"The community cards come {order} {dealer_of(game)}'s.", ("deal.community_after",)
    )
    if deal.rest_discarded:
        yield SentenceDraft(
            "The rest of the deck is discarded before play.", ("deal.rest_discarded",)
        )
    face = "face up" if deal.community_seen else "face down until the hands have been played"
    yield SentenceDraft(f"The community cards lie {face}.", ("deal.community_seen",))


def _naturals(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.natural
    whose = "a player's" if game.deal.dealer_down > 1 else "the"
    tied = game.outcomes.dealer_natural_against_21 == "ties" and natural_may_come_late(game)
    best = "" if tied else ", the best hand"
    yield SentenceDraft(
        f"An ace with {ten_values(game)} in {whose} first two cards is {natural(game)}{best}.",
        ("natural.name", "natural.with"),
    )
    if points(rule.total) != str(best_total(game)):
        with_ace = points(rule.total - game.count.ace[1])
        never = "" if rule.after_split and can_split(game) else ", and else never"
        yield SentenceDraft(
            f"It totals {points(rule.total)}: such a card counts {with_ace} with an ace "
            f"there{never}.",
            ("natural.total",),
        )
    else:
        yield SentenceDraft(f"It totals {points(rule.total)}.", ("natural.total",))
    plain = f"{points(game.count.ace[1] + game.count.court)} and no {rule.name}"
    if can_split(game):
        split = f"{natural(game)} too" if rule.after_split else plain
        yield SentenceDraft(
            f"After a split an ace with such a card is {split}.", ("natural.after_split",)
        )
    if exchanges(game):
        are = f"{natural(game)} too" if game.exchange.makes_natural else plain
        yield SentenceDraft(
            f"An ace and such a card that an exchange has brought together are {are}.",
            ("exchange.makes_natural",),
        )
    if replaces(game):
        yield from _made_naturals(game, plain)
    if trades(game):
        are = f"{natural(game)} too" if game.exchange.makes_natural else plain
        yield SentenceDraft(
            f"An ace and such a card of which one came by a trade are {are}.",
            ("exchange.makes_natural",),
        )


def _made_naturals(game: GameRules, plain: str) -> Iterator[SentenceDraft]:
    rule = game.exchange
    are = f"are {natural(game)} too" if rule.makes_natural else f"are {plain}"
    if rule.natural_pays != AS_DEALT:
        are = f"win at once, whatever the dealer gets, and pay {odds(rule.natural_pays)}"
    yield SentenceDraft(
        f"An ace and such a card that a hand was exchanged for {are}.",
        ("exchange.makes_natural", "exchange.natural_pays"),
    )


# ------------------------------------------------------------------ bonus cards and lights


def bonus_cards(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    card, lights = game.bonus_card, game.lights
    if card is None or lights is None:
        return
    if trades(game):
        yield from _trading(game)
    else:
        yield SentenceDraft(
            "A bonus card stays with the hand, and each that does not take it over lights one "
            "light.",
            ("exchange.cards",),
            moot=(
                "exchange.when",
                "exchange.on_double",
                "exchange.again",
                "exchange.first_two",
                "exchange.makes_natural",
            ),
        )
    yield SentenceDraft(
        "A bonus card that takes the hand over loses it, as any card would.",
        ("exchange.cards#over",),
    )
    yield from _lights(game)


def _trading(game: GameRules) -> Iterator[SentenceDraft]:
    card, rule = game.bonus_card, game.exchange
    assert card is not None
    yield SentenceDraft(
        "A bonus card that does not take the hand over may be kept as "
        f"{with_article(Card.parse(card.cards[0]).rank)} or traded for the next card; a trade "
        "lights one light.",
        ("exchange.cards",),
    )
    when = {
        "before-insurance": "in seat order, before "
        + ("insurance and before " if game.insurance.offered else "")
        + "anybody draws",
        "own-turn": "when the player's turn comes",
    }[rule.when]
    yield SentenceDraft(f"Those among the first two cards are decided {when}.", ("exchange.when",))
    each = "each may be traded" if rule.first_two == "each" else "one of them may be traded"
    yield SentenceDraft(f"If both are bonus cards, {each}.", ("exchange.first_two",))
    if game.double.on != "none":
        stays = "may be traded too" if rule.on_double else "stays"
        yield SentenceDraft(f"A bonus card drawn on a double {stays}.", ("exchange.on_double",))
    again = "may be traded again, for another light" if rule.again else "stays"
    yield SentenceDraft(f"A replacement that is a bonus card {again}.", ("exchange.again",))


def _lights(game: GameRules) -> Iterator[SentenceDraft]:
    lights = game.lights
    assert lights is not None
    every = ("all " if lights.count > 1 else "") + number(lights.count, "light")
    yield SentenceDraft(
        f"A player with {every} lit wins the prize that the casino set "
        f"beforehand, {prize_words(lights.prize_name, lights.prize)}, and starts again at zero; "
        "nobody else's lights change.",
        ("lights.count", "lights.prize", "lights.prize_name"),
    )
    yield SentenceDraft(
        f"The object of the game is to have {every} lit.", ("lights.count#object",), own=True
    )
    yield SentenceDraft("The prize is paid at once.", ("lights.prize#paid",), own=True)
    further = "count towards the next prize" if lights.surplus == "carries" else "are lost"
    yield SentenceDraft(f"Further lights in that round {further}.", ("lights.surplus",))
    owner = {
        "player-at-position": "a player at a betting position",
        "player": "a player",
    }[lights.belong_to]
    boxes = {
        "player-at-position": ": two boxes have two sets",
        "player": ": two boxes share one set",
    }[lights.belong_to]
    several = boxes if several_boxes(game) else ""
    yield SentenceDraft(f"Lights belong to {owner}{several}.", ("lights.belong_to",))
    new = "nobody can pass them on, and a new player starts at zero"
    yield SentenceDraft(
        "A player who changes chairs takes the lights along: that is not leaving.",
        ("lights.on_leaving#moving",),
    )
    if not lights.players_card:
        yield SentenceDraft(
            f"A player who leaves loses the lights: {new}.",
            ("lights.on_leaving",),
            moot=("lights.players_card", "floor.players_card"),
        )
        return
    yield SentenceDraft(
        f"A player who leaves loses the lights, unless they go along on a player's card: {new}.",
        ("lights.on_leaving",),
    )
    yield SentenceDraft(
        "The dealer punches a player's card with the number of lights for a player who leaves. "
        "Who resumes the game with it starts with that many lights and gives the card up then, "
        "before the first round.",
        ("lights.players_card",),
    )
    if game.floor.players_card:
        yield SentenceDraft(game.floor.players_card, ("floor.players_card",))


# ------------------------------------------------------------------ the player's hand


def player(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    player = game.player
    limit = points(game.count.over)
    yield SentenceDraft(
        f"A hand with a total above {limit} is over.",
        ("count.over",),
        moot=() if game.dealer.on_22 == "push" else ("dealer.on_22", "dealer.paid_on_22"),
    )
    source = {
        "shoe": "from the shoe",
        "own-cards-picked": "from the hand's own down cards; the player points at the one wanted",
        "own-cards-in-order": "from the hand's own down cards, in order; the player points or taps "
        "near them",
    }[player.hit_cards]
    yield SentenceDraft(
        "A player whose hand is not over may hit, which is to take one more card, or stand, as far "
        "as the following allows.",
        ("count.over#hit",),
    )
    if player.hit_cards != "shoe":
        yield SentenceDraft(f"Hit cards come {source}.", ("player.hit_cards",))
    if exchanges(game):
        yield SentenceDraft(
            "Before any hand is played a player may exchange the second cards of both boxes with "
            f"each other, once and whatever they are; {natural(game)} may be given away so.",
            ("exchange.cards", "exchange.when"),
        )
    if replaces(game):
        yield from _replacing(game)
    yield from _standing(game)
    yield from _charlie(game)
    yield from _doubling(game)
    yield from _splitting(game)
    yield from _surrendering(game)
    yield from _insuring(game)


def _replacing(game: GameRules) -> Iterator[SentenceDraft]:
    only = game.exchange.only
    hands = f"First two cards that are {condition_words(only)}" if only else "The first two cards"
    yield SentenceDraft(
        f"{hands} may be exchanged: both are put away, and the next two come in their place.",
        ("exchange.cards", "exchange.only"),
    )
    yield SentenceDraft(
        "That is the first decision of a hand, in the player's own turn; split hands are not "
        "exchanged.",
        ("exchange.when",),
    )
    yield SentenceDraft(
        "A hand is exchanged once; the two cards that came so are played like any first two.",
        ("exchange.again",),
    )


def _standing(game: GameRules) -> Iterator[SentenceDraft]:
    player = game.player
    decided = ", once its bonus cards are decided" if trades(game) else ""
    yield SentenceDraft(
        f"A hand of {player.stands_at} stands by itself{decided}."
        if player.stands_at
        else f"A player with a drawn {best_total(game)} is still asked wherever there is something "
        f"to choose; {natural(game)} stands.",
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


def _charlie(game: GameRules) -> Iterator[SentenceDraft]:
    count = game.player.charlie
    if not count:
        yield SentenceDraft("No number of cards wins by itself.", ("player.charlie",))
        return
    doubled = ", also if it was doubled" if game.double.on == "any-count" else ""
    late = f", even against a late {game.natural.name}" if natural_may_come_late(game) else ""
    yield SentenceDraft(
        f"A hand of {number(count, 'card')} not over wins, whatever {dealer_of(game)} "
        f"has{late}{doubled}.",
        ("player.charlie",),
    )


def _doubling(game: GameRules) -> Iterator[SentenceDraft]:
    double = game.double
    if double.on == "none":
        yield SentenceDraft(
            "No doubling down.",
            ("double.on",),
            always=True,
            absent=True,
            moot=(
                "double.only",
                "double.after_split",
                "double.for_less",
                "double.times",
                "double.aces",
                "double.rescue",
            ),
        )
        return
    free = bool(double.free_on)
    yield SentenceDraft("Players may double down.", ("double.on#permitted",), own=True)
    yield SentenceDraft(
        "Doubling down is for exactly one more card"
        + ("." if double.times == 1 else " at each double."),
        ("double.on#one-card",),
    )
    hands = {
        "any-two": "Any first two cards may double down.",
        "9-11": "First two cards that total 9 to 11 may double down.",
        "9-11-soft": "First two cards that total hard 9 to 11, or soft 19 or 20, may double down.",
        "10-11": "First two cards that total 10 or 11 may double down.",
        "any-count": "A hand of any number of cards may double down.",
    }[double.on]
    yield SentenceDraft(hands, ("double.on",))
    if double.only:
        yield SentenceDraft(
            f"Of these, only {condition_words(double.only)} may double down.", ("double.only",)
        )
    if can_split(game):
        may = "may double" if double.after_split else "may not double"
        aces = ", except aces" if double.after_split and game.split.aces == "one-card" else ""
        yield SentenceDraft(f"Split hands {may}{aces}.", ("double.after_split",))
    own = "A double with the player's own money" if free else "A double"
    yield SentenceDraft(
        f"{own} adds as much as the hand's wager, or less if the player likes."
        if double.for_less
        else f"{own} adds exactly as much as is wagered on the hand.",
        ("double.for_less#less" if double.for_less else "double.for_less", "double.for_less"),
        moot=() if double.rescue else ("double.rescue",),
    )
    if free:
        cards = "Two cards" if double.free_cards == "two" else "Any number of cards"
        yield SentenceDraft(
            f"{cards} that make hard {listed(double.free_on)} are doubled by the house, if the "
            "player wants to double: it adds a marker as large as the wager.",
            ("double.free_on", "double.free_cards"),
        )
        yield SentenceDraft(
            "A win pays the marker like money; a loss takes the player's own money alone.",
            ("double.free_on",),
        )
    if double.times > 1:
        yield SentenceDraft(
            f"After a double card the total wager may be doubled again, "
            f"{number(double.times, 'double')} in all, up to {2**double.times} times the original "
            "wager.",
            ("double.times",),
        )
    else:
        yield SentenceDraft("A hand doubles once.", ("double.times",), absent=True)
    low, high = game.count.ace
    if double.aces == "either":
        yield SentenceDraft(
            f"An ace of a hand that doubles may go on counting {high}.",
            ("double.aces",),
            absent=True,
        )
    else:
        yield SentenceDraft(
            f"Every ace of a hand that doubles counts {low} from then on; an ace that comes then "
            f"may count {high}.",
            ("double.aces",),
        )
    if double.rescue:
        yield SentenceDraft(
            "After doubling, a hand not over may be rescued: the last doubled portion comes back "
            "and the rest is lost.",
            ("double.rescue",),
        )


def _splitting(game: GameRules) -> Iterator[SentenceDraft]:
    split = game.split
    if not can_split(game):
        yield SentenceDraft(
            "No splitting.",
            ("split.on", "split.max_hands"),
            always=True,
            absent=True,
            moot=(
                "split.never",
                "split.resplit_aces",
                "split.aces",
                "natural.after_split",
                "double.after_split",
                "surrender.after_split",
                "surrender.split_aces",
            ),
        )
        return
    hands = number(split.max_hands, "hand")
    once = "once, into two hands" if split.max_hands == 2 else f"again, up to {hands}"
    yield SentenceDraft(
        "A player may split the first two cards into two hands, for a further wager equal to the "
        + ("first, unless the house stakes it." if split.free else "first."),
        ("split.on#wager",),
    )
    if split.free:
        again = "" if split.free_times else ", and so are they again"
        yield SentenceDraft(
            f"Pairs of {_ranks(split.free)} are split by the house, if the player wants to split"
            f"{again}: the new hand has its marker in the place of a wager, which "
            "wins like one and is not lost. The player's own wager stays on the first hand.",
            ("split.free",) if split.free_times else ("split.free", "split.free_times"),
        )
        if split.free_times:
            often = number(split.free_times, "split")
            yield SentenceDraft(
                f"The house stakes {often} of a box at most, the first; pairs that come after that "
                "are split for a wager of the player's own.",
                ("split.free_times",),
            )
    yield SentenceDraft(f"Only two cards of equal {split.on} may be split.", ("split.on",))
    if split.never:
        yield SentenceDraft(
            f"Pairs of {pair_names(split.never)} may not be split.", ("split.never",)
        )
    yield SentenceDraft(
        "That cards must be equal to be split is how the source is read.",
        ("split.on#pair",),
        own=True,
    )
    yield SentenceDraft(f"A box may be split {once}.", ("split.max_hands",))
    if split.max_hands > 2:
        again = "more than once" if split.resplit_aces else "only once"
        yield SentenceDraft(f"Aces may be split {again}.", ("split.resplit_aces",))
    trade = ", which may be traded if it is a bonus card" if trades(game) else ""
    cards = f"get one card each{trade}" if split.aces == "one-card" else "may be drawn to"
    yield SentenceDraft(f"Split aces {cards}.", ("split.aces",))


def _ranks(ranks: Sequence[str]) -> str:
    """Ranks in words: names of aces and courts, numbers of the others.

    >>> _ranks(("A", "2", "8"))
    'aces, 2s or 8s'
    """
    named = {rank: f"{rank_name(rank)}s" for rank in "ATJQK"}
    return listed([named.get(rank, f"{rank}s") for rank in ranks])


def _surrendering(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.surrender
    if not may_surrender(game):
        yield SentenceDraft(
            "No surrender.",
            ("surrender.when",),
            always=True,
            absent=True,
            moot=(
                "surrender.only",
                "surrender.forfeits",
                "surrender.after_split",
                "surrender.split_aces",
                "surrender.unchecked_natural",
                "surrender.on",
                "surrender.after_double",
            ),
        )
        return
    late = rule.when != "early"
    exposed = late and natural_may_come_late(game)
    hands = {
        "first-two": "The first two cards",
        "any-count": "A hand of any number of cards not over",
    }[rule.on]
    yield SentenceDraft(
        f"{hands} may be surrendered, which costs {share(rule.forfeits)}.",
        ("surrender.forfeits", "surrender.on"),
        always=True,
    )
    if rule.after_double and game.double.on != "none":
        yield SentenceDraft(
            "A doubled hand that is not over may be surrendered too, with all that was added.",
            ("surrender.after_double",),
        )
    yield SentenceDraft(
        f"Surrender comes {_moment(game)}.",
        ("surrender.when",),
        moot=() if exposed else ("surrender.unchecked_natural",),
    )
    if rule.only:
        yield SentenceDraft(
            f"Only {condition_words(rule.only)} may be surrendered.", ("surrender.only",)
        )
    if can_split(game) and not late:
        # An early surrender is over before anything can be split.
        yield SentenceDraft(
            "Split hands may not be surrendered.",
            ("surrender.when",),
            moot=("surrender.after_split", "surrender.split_aces"),
        )
    elif can_split(game):
        may = "may be surrendered too" if rule.after_split else "may not be surrendered"
        but = {
            (True, True): ", aces included",
            (True, False): ", except aces",
            (False, True): ", but for aces",
            (False, False): "",
        }[rule.after_split, rule.split_aces]
        yield SentenceDraft(
            f"Split hands {may}{but}.", ("surrender.after_split", "surrender.split_aces")
        )
    if natural_may_come_late(game) and rule.when != "late":
        early = "A surrender before anybody draws" if late else "An early surrender"
        yield SentenceDraft(
            f"{early} is final at {share(rule.forfeits)}, also if {natural(game)} shows at the "
            "end.",
            ("surrender.when#final",),
        )
    if exposed:
        hand = "a hand surrendered at its turn" if rule.when == "both" else "a surrendered hand"
        lost = {
            "takes-all": f"the whole wager of {hand}",
            "takes-forfeit": f"no more of {hand} than {share(rule.forfeits)}",
        }[rule.unchecked_natural]
        by_box = ("original", "original-and-busted")
        spared = rule.after_split and game.dealer.late_natural_takes in by_box
        but = ", but no more of a box than its original wager" if spared else ""
        yield SentenceDraft(
            f"{capital(natural(game))} of {dealer_of(game)}'s that shows only at the end takes "
            f"{lost}{but}.",
            ("surrender.unchecked_natural",),
            always=True,
        )


def _moment(game: GameRules) -> str:
    """When a hand may be surrendered."""
    check = f"the check for {natural(game)}"
    match game.surrender.when:
        case "both":
            return (
                f"before anybody draws, where {dealer_of(game)}'s up card may make "
                f"{natural(game)}, and again, if declined there, at the player's turn"
            )
        case "early" if checks(game):
            return f"before {check} or, where the up card calls for none, at the player's turn"
        case "late" if checks(game):
            where = " where the up card calls for one" if natural_may_come_late(game) else ""
            return f"at the player's turn, after {check}{where}"
    return "at the player's turn"


def _insuring(game: GameRules) -> Iterator[SentenceDraft]:
    rule = game.insurance
    if not rule.offered:
        yield SentenceDraft(
            "No insurance.",
            ("insurance.offered",),
            always=True,
            absent=True,
            moot=("insurance.up", "insurance.at_most", "insurance.pays", "insurance.pays_under"),
        )
        return
    yield SentenceDraft(
        f"With {listed(map(with_article, rule.up))} up, insurance against {natural(game)} of "
        f"{dealer_of(game)}'s is offered.",
        ("insurance.offered", "insurance.up"),
    )
    chips = "" if game.limits.amounts else ", in whole chips"
    yield SentenceDraft(
        f"Insurance may be up to {share(rule.at_most)}{chips}.", ("insurance.at_most",)
    )
    under = [rank for rank in rule.up if rule.pays_under.get(rank, rule.pays) != rule.pays]
    if set(under) != set(rule.up):
        else_ = f", but for {listed(map(with_article, under))} up" if under else ""
        yield SentenceDraft(f"Insurance pays {odds(rule.pays)}{else_}.", ("insurance.pays",))
    for pays in dict.fromkeys(rule.pays_under[rank] for rank in under):
        ranks = [rank for rank in under if rule.pays_under[rank] == pays]
        yield SentenceDraft(
            f"With {listed(map(with_article, ranks))} up insurance pays {odds(pays)}.",
            tuple(f"insurance.pays_under.{rank}" for rank in ranks),
        )


# ------------------------------------------------------------------ the dealer's hand


def dealer(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    dealer = game.dealer
    who = capital(dealer_of(game))
    yield SentenceDraft(
        f"{who} hits below {dealer.stands_on} and stands on hard {dealer.stands_on} and on every "
        "higher total.",
        ("dealer.stands_on",),
    )
    soft = "hits" if dealer.soft17 == "hit" else "stands on"
    yield SentenceDraft(f"{who} {soft} soft {dealer.stands_on}.", ("dealer.soft17",))
    if dealer.stands_at_cards:
        yield SentenceDraft(
            f"{who} stands on {number(dealer.stands_at_cards, 'card')} not over.",
            ("dealer.stands_at_cards",),
        )
    if dealer.finishes == "always":
        yield SentenceDraft(
            f"{capital(dealer_of(game))}'s hand is completed and shown in every round, also "
            "when no wager depends on it any more.",
            ("dealer.finishes",),
        )
    if dealer.draws_from == "own-cards":
        yield SentenceDraft(
            f"{who} draws from {dealer_of(game)}'s own down cards, in order.",
            ("dealer.draws_from",),
        )
    yield from _checking(game)
    if dealer.on_22 == "push":
        yield from _pushing(game)


def _checking(game: GameRules) -> Iterator[SentenceDraft]:
    dealer = game.dealer
    one = natural(game)
    tens = [rank for rank in game.natural.with_ if rank not in game.shoe.removed]
    names = listed([with_article("A"), *map(with_article, tens)])
    card = _looked_at(game)
    looks = {
        "ace-or-ten": f"With {names} up {card} looked at for {one} before anybody draws.",
        "ace": f"With an ace up, and no other card, {card} looked at for {one} before anybody "
        "draws.",
        "none": f"Nobody looks for {one} of {dealer_of(game)}'s before the players have acted.",
    }[dealer.checks]
    if both_up(game):
        looks = (
            f"{capital(one)} of {dealer_of(game)}'s is seen as soon as it is dealt: nobody looks "
            "for one."
        )
    late = natural_may_come_late(game)
    yield SentenceDraft(
        looks, ("dealer.checks",), moot=() if late else ("dealer.late_natural_takes",)
    )
    if game.deal.dealer_down > 1:
        which = {"first": "the first down card", "any": "any of the down cards"}
        yield SentenceDraft(
            f"{capital(dealer_of(game))}'s up card makes {one} with {which[dealer.natural_cards]}"
            f"{' and no other' if dealer.natural_cards == 'first' else ''}.",
            ("dealer.natural_cards",),
        )
    if checks(game) or both_up(game):
        spared = " that was not surrendered before" if surrenders_first(game) else ""
        yield SentenceDraft(
            f"If there is one, every hand without one{spared} loses and nobody draws.",
            ("dealer.checks#ends",),
        )
        showdowns = [w.name for w in after_game(game) if isinstance(w, ShowdownWager)]
        if showdowns:
            yield SentenceDraft(
                f"{listed(showdowns, 'and')} then follows.", ("dealer.checks#then",), own=True
            )
    if late:
        yield SentenceDraft(
            f"{capital(one)} of {dealer_of(game)}'s that shows only at the end {_takes(game)}.",
            ("dealer.late_natural_takes",),
        )


def _takes(game: GameRules) -> str:
    """What a dealer's natural takes that shows only at the end."""
    main = game.wagers[BASE].name
    if not can_add(game):
        return f"takes the {main} wager of every hand it beats"
    return {
        "all": f"takes the whole {main} wager, with all that was added, of every hand it beats",
        "original": "takes of a box only the wager that it began with, if it beats the first hand; "
        "all that was added comes back",
        "original-and-busted": "takes of a box the wager that it began with, if it beats the first "
        "hand, and all that is wagered on hands over; whatever else was added comes back",
        "each-original": "takes of every hand it beats the wager that this hand began with; what "
        "doubles added comes back, unless the hand is over",
    }[game.dealer.late_natural_takes]


def _looked_at(game: GameRules) -> str:
    """The down cards that are looked at for a natural, and the verb."""
    if game.deal.dealer_down == 1:
        return "the down card is"
    return {"first": "the first down card is", "any": "all down cards are"}[
        game.dealer.natural_cards
    ]


def _pushing(game: GameRules) -> Iterator[SentenceDraft]:
    rule, best = game.dealer.paid_on_22, best_total(game)
    hands = {
        "natural": natural(game),
        "charlie": f"a hand of {number(game.player.charlie, 'card')}",
        "21": f"a drawn {best}",
        "two-tens": "two ten-value cards as dealt",
        "two-aces": "two aces as dealt",
        "doubled": "a doubled hand",
    }
    if not game.player.charlie:
        del hands["charlie"]
    paid = [words for hand, words in hands.items() if hand in rule]
    lost = "hands over" + (" or surrendered" if may_surrender(game) else "")
    all_the_same = f"{listed(paid, 'and')} {'is' if len(paid) == 1 else 'are'} paid all the same, "
    yield SentenceDraft(
        f"If the dealer has {best + 1}, {all_the_same if paid else ''}{lost} get nothing back for "
        "it, and every other hand pushes.",
        ("dealer.on_22", "dealer.paid_on_22"),
    )


def mistakes(rules: RuleSet) -> Iterator[SentenceDraft]:
    if rules.game.irregularities:
        yield SentenceDraft(
            "A card found face up is not used; a card drawn in error for a dealer who must stand "
            "is burned; a hand with no cards is dead; a hand with one card gets its second after "
            "the others.",
            ("irregularities",),
        )
