"""Cards, table and bank in words."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.cards import RANKS, Card, rank_name
from upcard.compile.explain.phrases import (
    SentenceDraft,
    capital,
    dealer,
    number,
    pays_once,
    ranks,
    several_boxes,
    with_article,
)
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules, offered_wagers
from upcard.rules.wagers import TableWager
from upcard.text import listed


def cards(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    shoe = game.shoe
    size = 4 * (len(RANKS) - len(shoe.removed))
    without = f": every {ranks(shoe.removed)} is taken out" if shoe.removed else ""
    yield SentenceDraft(
        f"{capital(number(shoe.decks, 'deck'))} of {size} cards{without}.",
        ("shoe.decks", "shoe.removed"),
    )
    if game.floor.marking:
        yield SentenceDraft(game.floor.marking, ("floor.marking",))
    yield from _shuffling(game)
    low, high = game.count.ace
    courts = listed((rank_name(r) for r in RANKS[9:] if r not in shoe.removed), "and")
    yield SentenceDraft(f"An ace counts {low} or {high}.", ("count.ace",))
    yield SentenceDraft(
        f"A total is soft while an ace in it counts {high}, and hard otherwise.",
        ("count.ace#soft",),
    )
    yield SentenceDraft(
        f"{capital(courts)} count {game.count.court}, other cards their face value.",
        ("count.court", "count.ace"),
    )
    if game.bonus_card:
        yield from _marked(game)


def _shuffling(game: GameRules) -> Iterator[SentenceDraft]:
    shoe = game.shoe
    if shoe.shuffle == "every-round":
        yield SentenceDraft("The cards are shuffled for every round.", ("shoe.shuffle",))
    else:
        least = number(shoe.cut_margin, "card")
        margin = f", though at least {least} from either end" if shoe.cut_margin else ""
        yield SentenceDraft(
            f"The cards are shuffled after the round in which the cut card comes up; it stands "
            f"at {shoe.penetration:.0%} of the shoe{margin}.",
            ("shoe.shuffle", "shoe.penetration", "shoe.cut_margin"),
        )
    burned = "is burned" if shoe.burn == 1 else "are burned"
    yield SentenceDraft(
        f"{capital(number(shoe.burn, 'card'))} {burned} after a shuffle.", ("shoe.burn",)
    )
    yield {
        "shuffle-discards": SentenceDraft(
            "If the cards run out, the discards are shuffled and the round is finished with them.",
            ("shoe.exhausted",),
        ),
        "cannot-happen": SentenceDraft("The cards always last for a round.", ("shoe.exhausted",)),
    }[shoe.exhausted]


def _marked(game: GameRules) -> Iterator[SentenceDraft]:
    assert game.bonus_card is not None
    marked = [Card.parse(text) for text in game.bonus_card.cards]
    names = listed((card.name for card in marked), "and")
    one = with_article(marked[0].rank)
    plays = (
        f"is clearly marked on its face with the bonus logo and plays as {one}"
        if len(marked) == 1
        else f"are clearly marked on their faces with the bonus logo and each plays as {one}"
    )
    yield SentenceDraft(f"In every deck the {names} {plays}.", ("bonus_card.cards",))
    yield SentenceDraft(
        f"The dealer plays a bonus card as {one} too.", ("bonus_card.cards#dealer",)
    )


def table(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    table = game.table
    yield SentenceDraft(
        f"{capital(number(table.positions, 'betting position'))}.", ("table.positions",)
    )
    if table.boxes:
        yield SentenceDraft(
            f"Every player has {number(table.boxes, 'betting position')} in a round, with equal "
            "base wagers.",
            ("table.several_boxes", "table.boxes"),
        )
    else:
        yield SentenceDraft(
            "A player may also wager at further positions that nobody has taken."
            if several_boxes(game)
            else "A player has one position.",
            ("table.several_boxes",),
            moot=() if several_boxes(game) else ("table.own_seat_first",),
        )
    if table.own_seat_first and several_boxes(game):
        yield SentenceDraft(
            "A player wagers at other positions only along with a wager at the player's own seat.",
            ("table.own_seat_first",),
        )
    floor = game.floor
    if table.empty_positions == "dealt-and-discarded" and table.positions > 1:
        yield SentenceDraft(
            floor.empty_positions or "Empty positions are dealt cards, which are discarded.",
            ("table.empty_positions", "floor.empty_positions"),
        )
    for key, text in (
        ("layout", floor.layout),
        ("equipment", floor.equipment),
        ("seating", floor.seating),
        ("handling", floor.handling),
        ("placement", floor.placement),
        ("next_round", floor.next_round),
        ("conduct", floor.conduct),
        ("lights", floor.lights),
    ):
        if text:
            yield SentenceDraft(text, (f"floor.{key}",))
    for action, text in floor.signals.items():
        start = f"Signal for {action}: " if action != "rule" else ""
        yield SentenceDraft(start + text, (f"floor.signals.{action}",))
    if floor.signage:
        offered = [game.wagers.get(wager) for wager in offered_wagers(game)]
        has_tables = any(isinstance(wager, TableWager) for wager in offered)
        shown = [sign for sign in floor.signage if sign != "paytables" or has_tables]
        signs = listed((_SIGNS[sign] for sign in shown), "and")
        yield SentenceDraft(f"The sign at the table shows {signs}.", ("floor.signage",))
    for key, text in (("rates", floor.rates), ("notice", floor.notice)):
        if text:
            yield SentenceDraft(text, (f"floor.{key}",))


_SIGNS = {
    "name": "the name of the game",
    "limits": "the least and the largest wager",
    "fees": "the collection fees of both sides",
    "paytables": "the pay tables",
}


def bank(rules: RuleSet) -> Iterator[SentenceDraft]:
    game = rules.game
    bank = game.bank
    if bank.by == "house":
        yield SentenceDraft("The house pays and collects.", ("bank.by",))
    else:
        yield SentenceDraft(
            "A player banks: the player-dealer collects losing wagers and pays winning ones.",
            ("bank.by",),
        )
        yield SentenceDraft(
            f"The bank is offered {bank.offered} after every {number(bank.turns, 'hand')}.",
            ("bank.turns", "bank.offered"),
        )
    if bank.button:
        yield SentenceDraft("A button shows who banks and which turn it is.", ("bank.button",))
    if game.floor.house:
        yield SentenceDraft(game.floor.house, ("floor.house",))
    if bank.cover == "limited":
        yield from _limited(game)
    yield from _order(game)
    yield from _others(rules)


def _limited(game: GameRules) -> Iterator[SentenceDraft]:
    bank = game.bank
    measure = {
        "net": "What the bank has collected pays winners too: a wager is collected, or paid, as "
        "far as the bank's running net stays within the amount put up.",
        "each-way": "What the bank pays and what it collects are measured each on their own, each "
        "up to the amount put up.",
        "exhausted-ends": "What the bank has collected pays winners too. Once it has paid out all "
        "it put up and all it collected, every wager later in the order is returned, winning or "
        "losing.",
        "by-wagers": "The bank covers wagers in the order of settlement by the amounts wagered, "
        "doubles and splits included, until they come to what it put up. Only what is covered is "
        "at risk, and it is paid as far as the bank goes.",
    }[bank.cover_measure]
    yield SentenceDraft(
        "The bank can neither win nor lose more than the amount put up.", ("bank.cover",)
    )
    yield SentenceDraft(measure, ("bank.cover_measure",))
    yield SentenceDraft(
        "What the bank does not cover is returned to the players.", ("bank.cover#returned",)
    )
    yield SentenceDraft(
        "The bank need not cover every wager, and there is no maximum on what it puts up.",
        ("bank.cover#all",),
    )
    yield SentenceDraft(
        f"A player's {game.natural.name} is paid, and its cards are put away, once "
        f"{dealer(game)} cannot have one.",
        ("bank.natural_paid#once",),
    )
    when = {
        "in-order": "A bank that might not cover every wager pays it in its place in the order "
        "of settlement.",
        "at-once": "It comes before all wagers of the order of settlement, as far as the bank "
        "goes.",
    }[bank.natural_paid]
    yield SentenceDraft(when, ("bank.natural_paid",))


def _order(game: GameRules) -> Iterator[SentenceDraft]:
    bank = game.bank
    offered = offered_wagers(game)
    names = [game.wagers[wager].name for wager in bank.order if wager in offered]
    if len(names) > 1:
        yield SentenceDraft(
            f"At each seat wagers are settled in this order: {listed(names, 'then')}.",
            ("bank.order",),
        )
    elif names:
        yield SentenceDraft("Wagers are settled seat by seat.", ("bank.order",))
    if bank.action_from == "action-button":
        yield SentenceDraft(
            "Where the bank does not cover every wager, an action button shows where settlement "
            "begins; it goes from seat to seat from there.",
            ("bank.action_from",),
        )
        yield SentenceDraft(
            "An action button that is placed rules the order also if every wager is covered; "
            "without one settlement begins at the first seat.",
            ("bank.action_from#covered",),
            assumed=True,
        )


def _backed_hands(game: GameRules) -> Iterator[SentenceDraft]:
    forfeited = ""
    if game.double.rescue and game.bank.backline == "may-stay":
        forfeited = (
            "; a rescue forfeits all of a backline wager that did not follow the last double"
        )
    yield SentenceDraft(
        f"The seated player decides about the hand{forfeited}.", ("bank.backline#decides",)
    )


def _others(rules: RuleSet) -> Iterator[SentenceDraft]:
    """Wagers on another's hand, and players who are hired."""
    game = rules.game
    bank = game.bank
    if bank.backline == "none":
        yield SentenceDraft("No side bets among the players.", ("bank.backline",))
        yield SentenceDraft(
            "Nobody may wager on another player's hand.", ("bank.backline#hand",), own=True
        )
    else:
        stays = {
            "may-stay": "a backline wager that does not match a double or split stays on the "
            "first hand as it is",
            "must-match": "a backline wager must match every double and split that its owner's "
            "chips allow",
        }[bank.backline]
        yield SentenceDraft(
            "Backline wagers are permitted on all wagers of a spot.", ("bank.backline#permitted",)
        )
        yield SentenceDraft(f"{capital(stays)}.", ("bank.backline",))
        yield SentenceDraft(
            "A backline wager is settled right after the same wager of the seat that it is on.",
            ("bank.backline#order",),
        )
        yield SentenceDraft(
            "The wagers of one kind on a spot, backline and own together, may not exceed the "
            "spot's maximum.",
            ("bank.backline#limit",),
        )
        yield from _backed_hands(game)
        schedule = rules.fee_schedule
        if schedule is not None and schedule.charges != "nothing" and not pays_once(rules):
            yield SentenceDraft(
                "A backline wager pays the fee of a player's wager of its size.",
                ("bank.backline#fee",),
            )
    if bank.proposition_players:
        if game.floor.third_parties:
            yield SentenceDraft(game.floor.third_parties, ("floor.third_parties",))
        else:
            yield SentenceDraft("Proposition players may play.", ("bank.proposition_players",))
        yield SentenceDraft(
            "Proposition players are marked as such at the table.",
            ("bank.proposition_players#marked",),
            moot=("bank.proposition_players",),
            own=True,
        )
