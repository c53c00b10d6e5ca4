"""Cards, table, bank, wagers and fees in words."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.cards import RANKS, Card, rank_name
from upcard.compile.explain.phrases import SentenceDraft, capital, number, ranks, with_article
from upcard.money import format_cents
from upcard.rules.schema import GameRules
from upcard.rules.wagers import HandWager
from upcard.text import listed


def cards(game: GameRules) -> Iterator[SentenceDraft]:
    shoe = game.shoe
    size = 4 * (len(RANKS) - len(shoe.removed))
    yield SentenceDraft(
        f"{capital(number(shoe.decks, 'deck'))} of {size} cards.", ("shoe.decks", "shoe.removed")
    )
    if shoe.removed:
        yield SentenceDraft(f"Every {ranks(shoe.removed)} is taken out.", ("shoe.removed",))
    if shoe.shuffle == "every-round":
        yield SentenceDraft("The cards are shuffled for every round.", ("shoe.shuffle",))
    else:
        margin = f", never within {shoe.cut_margin} cards of an end" if shoe.cut_margin else ""
        yield SentenceDraft(
            f"The cards are shuffled after the round in which the cut card comes up; it stands "
            f"at {shoe.penetration:.0%} of the shoe{margin}.",
            ("shoe.shuffle", "shoe.penetration", "shoe.cut_margin"),
        )
    if shoe.burn:
        after = "is burned" if shoe.burn == 1 else "are burned"
        yield SentenceDraft(
            f"{capital(number(shoe.burn, 'card'))} {after} after a shuffle.", ("shoe.burn",)
        )
    yield {
        "shuffle-discards": SentenceDraft(
            "If the cards run out, the discards are shuffled and the round is finished with them.",
            ("shoe.exhausted",),
        ),
        "cannot-happen": SentenceDraft("The cards always last for a round.", ("shoe.exhausted",)),
    }[shoe.exhausted]
    low, high = game.count.ace
    courts = listed((rank_name(r) for r in RANKS[9:] if r not in shoe.removed), "and")
    yield SentenceDraft(f"An ace counts {low} or {high}.", ("count.ace",))
    yield SentenceDraft(
        f"{capital(courts)} count {game.count.court}, other cards their face value.",
        ("count.court",),
    )
    if game.bonus_card:
        cards = [Card.parse(text) for text in game.bonus_card.cards]
        names = listed((card.name for card in cards), "and")
        one = with_article(cards[0].rank)
        marked = (
            f"is marked as a bonus card and plays as {one}"
            if len(cards) == 1
            else f"are marked as bonus cards and each plays as {one}"
        )
        yield SentenceDraft(f"In every deck the {names} {marked}.", ("bonus_card.cards",))


def table(game: GameRules) -> Iterator[SentenceDraft]:
    table = game.table
    yield SentenceDraft(
        f"{capital(number(table.positions, 'betting position'))}.", ("table.positions",)
    )
    yield SentenceDraft(
        "A player may wager at several positions."
        if table.several_boxes
        else "A player has one position.",
        ("table.several_boxes",),
    )
    if table.empty_positions == "dealt-and-discarded":
        yield SentenceDraft(
            "Empty positions are dealt cards, which are discarded, so that the number of cards "
            "dealt does not depend on who plays.",
            ("table.empty_positions",),
        )
    yield from _bank(game)
    for key, text in (
        ("layout", game.floor.layout),
        ("equipment", game.floor.equipment),
        ("seating", game.floor.seating),
        ("handling", game.floor.handling),
        ("placement", game.floor.placement),
        ("rates", game.floor.rates),
        ("house", game.floor.house),
        ("third_parties", game.floor.third_parties),
        ("lights", game.floor.lights),
        ("empty_positions", game.floor.empty_positions),
    ):
        if text:
            yield SentenceDraft(text, (f"floor.{key}",))
    if game.floor.signage:
        signs = listed((_SIGNS[sign] for sign in game.floor.signage), "and")
        yield SentenceDraft(f"The sign at the table shows {signs}.", ("floor.signage",))
    for action, text in game.floor.signals.items():
        start = f"Signal for {action}: " if action != "rule" else ""
        yield SentenceDraft(start + text, (f"floor.signals.{action}",))


_SIGNS = {
    "name": "the name of the game",
    "limits": "the least and the largest wager",
    "fees": "the collection fees of both sides",
    "paytables": "the pay tables",
}


def _bank(game: GameRules) -> Iterator[SentenceDraft]:
    bank = game.bank
    if bank.by == "house":
        yield SentenceDraft("The house pays and collects.", ("bank.by",))
    else:
        yield SentenceDraft("A player banks: the player-dealer pays and collects.", ("bank.by",))
        yield SentenceDraft(
            f"The bank is offered {bank.offered} after every {number(bank.turns, 'hand')}.",
            ("bank.turns", "bank.offered"),
        )
    if bank.button:
        yield SentenceDraft("A button shows who banks and which turn it is.", ("bank.button",))
    if bank.cover == "limited":
        measure = {
            "net": "measured by its running net",
            "each-way": "payments and collections each measured on their own",
            "exhausted-ends": "measured by its running net until all is paid out; then every later "
            "wager is returned, winning or losing",
            "by-wagers": "which covers wagers by their amounts in the order of settlement; what is "
            "covered is paid as far as the bank goes",
        }[bank.cover_measure]
        yield SentenceDraft(
            "The bank can neither win nor lose more than the amount put up, "
            f"{measure}; wagers it cannot cover are returned.",
            ("bank.cover", "bank.cover_measure"),
        )
        when = {
            "in-order": "in its place in the order of settlement",
            "at-once": "before all other wagers, once the bank cannot have one",
        }[bank.natural_paid]
        yield SentenceDraft(
            f"A player's {game.natural.name} is paid {when}.", ("bank.natural_paid",)
        )
    if len(bank.order) > 1:
        yield SentenceDraft(
            f"At each seat wagers are settled in this order: {listed(bank.order, 'then')}.",
            ("bank.order",),
        )
    if bank.action_from == "action-button":
        yield SentenceDraft(
            "Where the bank cannot cover every wager, an action button shows where settlement "
            "begins.",
            ("bank.action_from",),
        )
    if bank.backline != "none":
        stays = {
            "may-stay": "one that does not match a double or split stays on the first hand",
            "must-match": "it must match every double and split that its chips allow",
        }[bank.backline]
        yield SentenceDraft(f"Backline wagers are permitted; {stays}.", ("bank.backline",))
    if bank.proposition_players:
        yield SentenceDraft(
            "Proposition players are marked as such at the table.", ("bank.proposition_players",)
        )
    if bank.backline == "none":
        yield SentenceDraft(
            "No side bets among the players, and none on another player's hand.",
            ("bank.backline",),
        )


def wagering(game: GameRules) -> Iterator[SentenceDraft]:
    limits = game.limits
    for wager_id, wager in game.wagers.items():
        here = f"wagers.{wager_id}"
        if isinstance(wager, HandWager):
            yield SentenceDraft(f"{wager.name} is the main wager. Every box must have it.", (here,))
    if limits.posted == "fee-schedule":
        yield SentenceDraft(
            "Every wager is within the limits posted in the fee schedule.", ("limits.posted",)
        )
    elif limits.amounts:
        yield SentenceDraft(
            f"Wagers are {listed(map(format_cents, limits.amounts))}, nothing else.",
            ("limits.amounts",),
        )
    else:
        low, high = format_cents(limits.minimum), format_cents(limits.maximum)
        beside = f", side wagers from {format_cents(limits.unit)}" if len(game.wagers) > 1 else ""
        yield SentenceDraft(
            f"Wagers are from {low} to {high}{beside}.", ("limits.minimum", "limits.maximum")
        )
    yield SentenceDraft(f"Wagers are multiples of {format_cents(limits.unit)}.", ("limits.unit",))
    if limits.bonus_share:
        times = "" if limits.bonus_share == "1" else f"{limits.bonus_share} of "
        yield SentenceDraft(
            f"All bonus wagers of a player together may not exceed {times}the main wager.",
            ("limits.bonus_share",),
        )
    yield SentenceDraft(
        f"Payoffs are made in multiples of {format_cents(limits.chip)}; what does not come out "
        f"even is rounded {'to the nearest' if limits.rounding == 'nearest' else limits.rounding}.",
        ("limits.chip", "limits.rounding"),
    )
    if game.fees:
        yield from _fees(game)


def _fees(game: GameRules) -> Iterator[SentenceDraft]:
    assert game.fees is not None
    fees = game.fees
    yield SentenceDraft(
        f"Collection fees by schedule {fees.schedule} of the fee book {fees.book}, taken before "
        "any card is dealt.",
        ("fees.book", "fees.schedule"),
    )
    basis = {"base": "the base wager", "base-and-bonus": "base and bonus wagers together"}
    yield SentenceDraft(
        f"Where players pay by the player's wager, that is {basis[fees.players_by]}.",
        ("fees.players_by",),
    )
    if not fees.on_added_wagers:
        yield SentenceDraft("Doubles and splits pay no further fee.", ("fees.on_added_wagers",))
    charged = {
        "refuse": "no round is dealt",
        "lower-fee": "the lower of the fees in question is taken",
        "higher-fee": "the higher of the fees in question is taken",
    }
    yield SentenceDraft(
        f"Where the printed schedule gives no single fee, {charged[fees.resolution]}.",
        ("fees.resolution",),
    )
