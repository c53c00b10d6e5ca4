"""The rules in words: every value of a game as part of a sentence, with where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from upcard.cards import RANKS, Card, rank_name
from upcard.compile.hands import total_name
from upcard.money import format_cents, format_odds, parse_odds
from upcard.rules.load import RuleSet
from upcard.rules.paths import covers
from upcard.rules.provenance import Kind
from upcard.rules.rows import high_row, pair_row
from upcard.rules.schema import (
    Game,
    HandWager,
    Paytable,
    ShowdownWager,
    TableWager,
    TieWager,
)
from upcard.text import listed


class Sentence(NamedTuple):
    """A rule in words, the keys it speaks of, and their provenance."""

    section: str
    words: str
    keys: tuple[str, ...]
    clauses: tuple[str, ...]
    options: tuple[str, ...]
    readings: tuple[str, ...]
    assumed: bool
    rows: tuple[tuple[str, str], ...] = ()
    """Lines of a pay table that follow the sentence."""


class Draft(NamedTuple):
    """A sentence before it is traced; it is dropped if the file states none of its keys.

    `always` keeps it even then: what a game does not have is worth saying.
    """

    words: str
    keys: tuple[str, ...]
    always: bool = False
    rows: tuple[tuple[str, str], ...] = ()


def sentences(rules: RuleSet) -> tuple[Sentence, ...]:
    """The rule sheet, sentence by sentence in the order of its sections."""
    drafts = (
        (section, draft) for section, writer in _SECTIONS.items() for draft in writer(rules.game)
    )
    traced = (_traced(rules, section, draft) for section, draft in drafts)
    return (*_identity(rules), *(sentence for sentence in traced if sentence is not None))


def _identity(rules: RuleSet) -> Iterator[Sentence]:
    """Clauses about the game as a whole: its name, and the game that it leans on."""
    for clause_id, clause in rules.game.clauses.items():
        keys = tuple(key for key in ("extends", "name", "also_known_as") if key in clause.sets)
        if keys:
            yield Sentence("The game", clause.says, keys, (clause_id,), (), (), assumed=False)


def _traced(rules: RuleSet, section: str, draft: Draft) -> Sentence | None:
    paths = [path for path in rules.values if any(covers(key, path) for key in draft.keys)]
    if not paths and not draft.always:
        return None
    origins = [rules.provenance[path] for path in paths]

    def names(kind: Kind) -> tuple[str, ...]:
        return tuple(dict.fromkeys(origin.name for origin in origins if origin.kind == kind))

    return Sentence(
        section=section,
        words=draft.words,
        keys=tuple(paths),
        clauses=rules.cites(*paths),
        options=names("option"),
        readings=names("reading"),
        assumed=bool(origins) and all(origin.kind == "assumed" for origin in origins),
        rows=draft.rows,
    )


def _number(count: int, noun: str) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    spelled = words[count] if count < len(words) else str(count)
    return f"{spelled} {noun}" + ("" if count == 1 else "s")


def _ranks(ranks: tuple[str, ...]) -> str:
    return listed(map(rank_name, ranks), "and")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _odds(text: str) -> str:
    return "even money" if text == "1:1" else format_odds(parse_odds(text))


def _share(text: str) -> str:
    return {"1": "the whole", "1/2": "half"}.get(text, text + " of") + " the wager"


def _points(total: float) -> str:
    return total_name(round(2 * total))


def _cards(game: Game) -> Iterator[Draft]:
    shoe = game.shoe
    size = 4 * (len(RANKS) - len(shoe.removed))
    yield Draft(
        f"{_capital(_number(shoe.decks, 'deck'))} of {size} cards.", ("shoe.decks", "shoe.removed")
    )
    if shoe.removed:
        yield Draft(f"Every {_ranks(shoe.removed)} is taken out.", ("shoe.removed",))
    if shoe.shuffle == "every-round":
        yield Draft("The cards are shuffled for every round.", ("shoe.shuffle",))
    else:
        margin = f", never within {shoe.cut_margin} cards of an end" if shoe.cut_margin else ""
        yield Draft(
            f"The cards are shuffled after the round in which the cut card comes up; it stands "
            f"at {shoe.penetration:.0%} of the shoe{margin}.",
            ("shoe.shuffle", "shoe.penetration", "shoe.cut_margin"),
        )
    if shoe.burn:
        after = "is burned" if shoe.burn == 1 else "are burned"
        yield Draft(
            f"{_capital(_number(shoe.burn, 'card'))} {after} after a shuffle.", ("shoe.burn",)
        )
    yield {
        "shuffle-discards": Draft(
            "If the cards run out, the discards are shuffled and the round is finished with them.",
            ("shoe.exhausted",),
        ),
        "cannot-happen": Draft("The cards always last for a round.", ("shoe.exhausted",)),
    }[shoe.exhausted]
    low, high = game.count.ace
    courts = listed((rank_name(r) for r in RANKS[9:] if r not in shoe.removed), "and")
    yield Draft(f"An ace counts {low} or {high}.", ("count.ace",))
    yield Draft(
        f"{_capital(courts)} count {game.count.court}, other cards their face value.",
        ("count.court",),
    )
    if game.bonus_card:
        names = listed((Card.parse(text).name for text in game.bonus_card.cards), "and")
        yield Draft(
            f"In every deck the {names} is marked as a bonus card and plays as a ten.",
            ("bonus_card.cards",),
        )


def _table(game: Game) -> Iterator[Draft]:
    table = game.table
    yield Draft(f"{_capital(_number(table.positions, 'betting position'))}.", ("table.positions",))
    yield Draft(
        "A player may wager at several positions."
        if table.several_boxes
        else "A player has one position.",
        ("table.several_boxes",),
    )
    if table.empty_positions == "dealt-and-discarded":
        yield Draft(
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
            yield Draft(text, (f"floor.{key}",))
    if game.floor.signage:
        signs = listed((_SIGNS[sign] for sign in game.floor.signage), "and")
        yield Draft(f"The sign at the table shows {signs}.", ("floor.signage",))
    for action, text in game.floor.signals.items():
        start = f"Signal for {action}: " if action != "rule" else ""
        yield Draft(start + text, (f"floor.signals.{action}",))


_SIGNS = {
    "name": "the name of the game",
    "limits": "the least and the largest wager",
    "fees": "the collection fees of both sides",
    "paytables": "the pay tables",
}


def _bank(game: Game) -> Iterator[Draft]:
    bank = game.bank
    if bank.by == "house":
        yield Draft("The house pays and collects.", ("bank.by",))
    else:
        yield Draft("A player banks: the player-dealer pays and collects.", ("bank.by",))
        yield Draft(
            f"The bank is offered {bank.offered} after every {_number(bank.turns, 'hand')}.",
            ("bank.turns", "bank.offered"),
        )
    if bank.button:
        yield Draft("A button shows who banks and which turn it is.", ("bank.button",))
    if bank.cover == "limited":
        measure = {
            "net": "measured by its running net",
            "each-way": "payments and collections each measured on their own",
        }[bank.cover_measure]
        yield Draft(
            "The bank can neither win nor lose more than the amount put up, "
            f"{measure}; wagers it cannot cover are returned.",
            ("bank.cover", "bank.cover_measure"),
        )
    if len(bank.order) > 1:
        yield Draft(
            f"At each seat wagers are settled in this order: {listed(bank.order, 'then')}.",
            ("bank.order",),
        )
    if bank.backline != "none":
        stays = {
            "may-stay": "one that does not match a double or split stays on the first hand",
            "must-match": "it must match every double and split",
        }[bank.backline]
        yield Draft(f"Backline wagers are permitted; {stays}.", ("bank.backline",))
    if bank.proposition_players:
        yield Draft(
            "Proposition players are marked as such at the table.", ("bank.proposition_players",)
        )
    if game.bank.by == "house" and not bank.players_bets:
        yield Draft("No side bets among the players.", ("bank.players_bets",))


def _wagering(game: Game) -> Iterator[Draft]:
    limits = game.limits
    for wager_id, wager in game.wagers.items():
        here = f"wagers.{wager_id}"
        must = (
            " Every box must have it." if isinstance(wager, HandWager) and wager.mandatory else ""
        )
        if isinstance(wager, HandWager):
            yield Draft(f"{wager.name} is the main wager.{must}", (here,))
    if limits.posted == "fee-schedule":
        yield Draft(
            "Every wager is within the limits posted in the fee schedule.", ("limits.posted",)
        )
    elif limits.amounts:
        yield Draft(
            f"Wagers are {listed(map(format_cents, limits.amounts))}, nothing else.",
            ("limits.amounts",),
        )
    else:
        yield Draft(
            f"Wagers are from {format_cents(limits.minimum)} to {format_cents(limits.maximum)}.",
            ("limits.minimum", "limits.maximum"),
        )
    yield Draft(f"Wagers are multiples of {format_cents(limits.unit)}.", ("limits.unit",))
    if limits.bonus_share:
        yield Draft(
            "All bonus wagers of a player together are at most "
            f"{_share(limits.bonus_share).replace('the wager', 'the main wager')}.",
            ("limits.bonus_share",),
        )
    yield Draft(
        f"Payoffs are made in multiples of {format_cents(limits.chip)}; what does not come out "
        f"even is rounded {'to the nearest' if limits.rounding == 'nearest' else limits.rounding}.",
        ("limits.chip", "limits.rounding"),
    )
    if game.fees:
        yield from _fees(game)


def _fees(game: Game) -> Iterator[Draft]:
    assert game.fees is not None
    fees = game.fees
    yield Draft(
        f"Collection fees by schedule {fees.schedule} of the fee book {fees.book}, taken before "
        "any card is dealt.",
        ("fees.book", "fees.schedule"),
    )
    basis = {"base": "the base wager", "base-and-bonus": "base and bonus wagers together"}
    yield Draft(
        f"Where players pay by the player's wager, that is {basis[fees.players_by]}.",
        ("fees.players_by",),
    )
    if not fees.on_added_wagers:
        yield Draft("Doubles and splits pay no further fee.", ("fees.on_added_wagers",))
    charged = {
        "refuse": "no round is dealt",
        "lower-fee": "the lower of the fees in question is taken",
        "higher-fee": "the higher of the fees in question is taken",
    }
    yield Draft(
        f"Where the printed schedule gives no single fee, {charged[fees.resolution]}.",
        ("fees.resolution",),
    )


def _deal(game: Game) -> Iterator[Draft]:
    deal = game.deal
    down = f" and {_number(deal.player_down, 'card')} face down" if deal.player_down else ""
    yield Draft(
        f"Each player gets {_number(deal.player_up, 'card')} face up{down}.",
        ("deal.player_up", "deal.player_down"),
    )
    yield Draft(
        f"The dealer gets {_number(deal.dealer_up, 'card')} face up and "
        f"{_number(deal.dealer_down, 'card')} face down.",
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
    yield Draft(
        f"Cards are dealt from {start}, {how}; players act and are settled in the same order.",
        ("deal.order", "deal.starts"),
    )
    if deal.community:
        face = "face up" if deal.community_seen else "face down until the hands have been played"
        yield Draft(
            f"If a wager on offer uses them, {_number(deal.community, 'community card')} follow, "
            f"{face}.",
            ("deal.community", "deal.community_seen"),
        )
    natural = game.natural
    yield Draft(
        f"An ace with a {listed(map(rank_name, natural.with_))} in the first two cards is a "
        f"natural, {_points(natural.total)}, called {natural.name}.",
        ("natural.name", "natural.with", "natural.total"),
    )
    split = "a natural too" if natural.after_split else "21"
    yield Draft(
        f"After a split an ace with such a card is {split}.",
        ("natural.after_split",),
    )
    if game.bonus_card:
        is_one = "a natural too" if natural.after_trade else "not a natural"
        yield Draft(
            f"One made with a card that came by a trade is {is_one}.", ("natural.after_trade",)
        )


def _bonus_cards(game: Game) -> Iterator[Draft]:
    card, lights = game.bonus_card, game.lights
    if card is None or lights is None:
        return
    if card.choice == "keep-or-trade":
        yield Draft(
            "A bonus card that does not take the hand over may be kept as a ten or traded for the "
            "next card; a trade lights one light.",
            ("bonus_card.choice",),
        )
        when = {
            "before-insurance": "in seat order, before insurance and before anybody draws",
            "own-turn": "when the player's turn comes",
        }[card.when]
        yield Draft(f"Those among the first two cards are decided {when}.", ("bonus_card.when",))
        each = "each may be traded" if card.first_two == "each" else "one of them may be traded"
        yield Draft(f"If both are bonus cards, {each}.", ("bonus_card.first_two",))
        yield Draft(
            f"A bonus card drawn on a double {'may be traded too' if card.on_double else 'stays'}.",
            ("bonus_card.on_double",),
        )
        yield Draft(
            "A replacement that is a bonus card "
            f"{'may be traded again' if card.trade_again else 'stays'}.",
            ("bonus_card.trade_again",),
        )
    else:
        yield Draft(
            "Bonus cards are not traded: each that does not take the hand over lights one light.",
            ("bonus_card",),
        )
    yield Draft(
        f"All {lights.count} lights lit win {format_cents(lights.prize)} at once, and the count "
        "starts again at zero; nobody else's lights change.",
        ("lights.count", "lights.prize"),
    )
    further = "count towards the next prize" if lights.surplus == "carries" else "are lost"
    yield Draft(f"Further lights in that round {further}.", ("lights.surplus",))
    owner = {
        "player-at-position": "a player at a betting position: two boxes have two sets",
        "player": "a player: two boxes share one set",
    }[lights.belong_to]
    yield Draft(f"Lights belong to {owner}.", ("lights.belong_to",))
    leaving = {
        "lost": "are lost; a new player starts at zero",
        "stay-with-position": "stay for the next player",
    }[lights.on_leaving]
    yield Draft(f"When a player leaves, the lights {leaving}.", ("lights.on_leaving",))
    yield Draft(
        "A leaving player may take them along on a punched card, given up when play is resumed."
        if lights.players_card
        else "They cannot be taken along on a card.",
        ("lights.players_card",),
    )


def _player(game: Game) -> Iterator[Draft]:
    player = game.player
    yield Draft(f"A total over {_points(game.count.over)} is over.", ("count.over",))
    source = {
        "shoe": "from the shoe",
        "own-cards-picked": "from the hand's own down cards; the player points at the one wanted",
        "own-cards-in-order": "from the hand's own down cards, in order",
    }[player.hit_cards]
    yield Draft(f"Hit cards come {source}.", ("player.hit_cards",))
    yield Draft(
        f"A hand of {player.stands_at} stands by itself."
        if player.stands_at
        else "No total stands by itself.",
        ("player.stands_at",),
    )
    if player.must_stand_hard:
        lost = {"hit": "hit", "hit-and-double": "hit or double"}[player.must_stand_takes]
        yield Draft(
            f"On hard {player.must_stand_hard} or more a player may not {lost}.",
            ("player.must_stand_hard", "player.must_stand_takes"),
        )
    if player.stands_at_cards:
        yield Draft(
            f"A hand of {_number(player.stands_at_cards, 'card')} not over must stand.",
            ("player.stands_at_cards",),
        )
    yield Draft(
        f"A hand of {_number(player.charlie, 'card')} not over wins."
        if player.charlie
        else "No number of cards wins by itself.",
        ("player.charlie",),
    )
    yield from _doubling(game)
    yield from _splitting(game)
    yield from _surrendering(game)
    yield from _insuring(game)


def _doubling(game: Game) -> Iterator[Draft]:
    double = game.double
    if double.on == "none":
        yield Draft("No doubling down.", ("double",), always=True)
        return
    hands = {
        "any-two": "Any first two cards may double down",
        "9-11": "A first two cards' total of 9 to 11 may double down",
        "10-11": "A first two cards' total of 10 or 11 may double down",
        "any-count": "A hand of any number of cards may double down",
    }[double.on]
    yield Draft(f"{hands}, for one more card.", ("double.on",))
    if game.split.on != "none":
        may = "may" if double.after_split else "may not"
        yield Draft(f"Split hands {may} double.", ("double.after_split",))
    yield Draft(
        "The added wager may be smaller than the wager."
        if double.for_less
        else "The added wager equals the wager.",
        ("double.for_less",),
    )
    if double.times > 1:
        yield Draft(
            f"After a double card the total wager may be doubled again, {double.times} doubles in "
            f"all, up to {2**double.times} times the original wager.",
            ("double.times",),
        )
    else:
        yield Draft("A hand doubles once.", ("double.times",))
    if double.rescue:
        yield Draft(
            "After doubling, a hand not over may be rescued: the last doubled portion comes back "
            "and the rest is lost.",
            ("double.rescue",),
        )


def _splitting(game: Game) -> Iterator[Draft]:
    split = game.split
    if split.on == "none" or split.max_hands == 1:
        yield Draft("No splitting.", ("split",), always=True)
        return
    yield Draft(
        f"Two cards of equal {split.on} may be split for an equal wager, up to "
        f"{_number(split.max_hands, 'hand')}.",
        ("split.on", "split.max_hands"),
    )
    again = "more than once" if split.resplit_aces else "only once"
    yield Draft(f"Aces may be split {again}.", ("split.resplit_aces",))
    cards = "get one card each" if split.aces == "one-card" else "may be drawn to"
    yield Draft(f"Split aces {cards}.", ("split.aces",))


def _surrendering(game: Game) -> Iterator[Draft]:
    rule = game.surrender
    if rule.when == "none":
        yield Draft("No surrender.", ("surrender",), always=True)
        return
    moment = {"late": "after", "early": "before"}[rule.when]
    yield Draft(
        f"The first two cards may be surrendered for {_share(rule.forfeits)}, {moment} the "
        "dealer's check for a natural.",
        ("surrender.when", "surrender.forfeits"),
    )
    if game.split.on != "none":
        may = (
            "may be surrendered too, except aces" if rule.after_split else "may not be surrendered"
        )
        yield Draft(f"Split hands {may}.", ("surrender.after_split",))
    if rule.when == "late" and game.dealer.checks != "ace-or-ten":
        lost = "the whole wager" if rule.unchecked_natural == "takes-all" else "no more"
        yield Draft(
            f"If a dealer's natural that no check had found shows later, it takes {lost}.",
            ("surrender.unchecked_natural",),
        )
    else:
        yield Draft(
            "A surrender is final: a natural is found before it, or does not change it.",
            ("surrender.unchecked_natural",),
        )


def _insuring(game: Game) -> Iterator[Draft]:
    rule = game.insurance
    if not rule.offered:
        yield Draft("No insurance.", ("insurance",), always=True)
        return
    yield Draft(
        f"With {_ranks(rule.up)} up, up to {_share(rule.at_most)} may be placed on insurance.",
        ("insurance.offered", "insurance.up", "insurance.at_most"),
    )
    yield Draft(
        f"Insurance pays {_odds(rule.pays)} if the dealer has a natural.", ("insurance.pays",)
    )


def _dealer(game: Game) -> Iterator[Draft]:
    dealer = game.dealer
    soft = "hits" if dealer.soft17 == "hit" else "stands on"
    yield Draft(
        f"The dealer hits below {dealer.stands_on} and {soft} soft {dealer.stands_on}.",
        ("dealer.stands_on", "dealer.soft17"),
    )
    if dealer.stands_at_cards:
        yield Draft(
            f"The dealer stands on {_number(dealer.stands_at_cards, 'card')} not over.",
            ("dealer.stands_at_cards",),
        )
    if dealer.draws_from == "own-cards":
        yield Draft("The dealer draws from the dealer's own down cards.", ("dealer.draws_from",))
    looks = {
        "ace-or-ten": "With an ace or a ten-value card up the dealer looks for a natural before "
        "anybody draws; if there is one, every other hand loses at once.",
        "ace": "With an ace up the dealer looks for a natural before anybody draws.",
        "none": "The dealer does not look for a natural before the players have acted.",
    }[dealer.checks]
    yield Draft(looks, ("dealer.checks",))
    takes = {
        "all": "everything wagered on the hands it beats",
        "original": "the box's original wager and nothing that was added",
    }[dealer.late_natural_takes]
    yield Draft(
        f"A dealer's natural that shows only at the end takes {takes}.",
        ("dealer.late_natural_takes",),
    )
    beyond = int(game.count.over) + 1
    yield Draft(
        f"A dealer's {beyond} pushes."
        if dealer.on_22 == "push"
        else f"A dealer's {beyond} is over like any higher total.",
        ("dealer.on_22",),
    )
    remedies = game.irregularities
    if remedies:
        yield Draft(
            "A card found face up is not used; a card drawn in error for a dealer who must stand "
            "is burned; a hand with no cards is dead; a hand with one card gets its second after "
            "the others.",
            ("irregularities",),
        )


def _outcomes(game: Game) -> Iterator[Draft]:
    rule = game.outcomes
    yield Draft(
        f"The higher total not over wins {_odds(rule.win_pays)}, as does any hand not over when "
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
    yield Draft(tie, ("outcomes.tie", "outcomes.tie_costs", "outcomes.tie_costs_per"))
    if rule.tie_at_21 == "wins":
        yield Draft(
            f"Both at {int(game.count.over)} without a natural: the player wins.",
            ("outcomes.tie_at_21",),
        )
    for hand in rule.special:
        does = "pushes" if hand.result == "push" else "wins"
        yield Draft(
            f"If the dealer's hand is {'-'.join(hand.dealer)}, every player's hand that is over "
            f"{does}.",
            ("outcomes.special",),
        )
    loses = "loses" if rule.both_over == "loses" else "pushes"
    other = " otherwise" if rule.special else ""
    yield Draft(f"Both over: the player{other} {loses}.", ("outcomes.both_over",))
    natural = game.natural
    yield Draft(f"A player's natural pays {_odds(natural.pays)}.", ("natural.pays",))
    against = natural.against_natural
    ends = "pushes" if against == "push" else f"is paid {_odds(against)}"
    yield Draft(f"Against a dealer's natural it {ends}.", ("natural.against_natural",))
    beats = {
        "wins": "beats",
        "ties": "is an equal total with",
    }[rule.dealer_natural_against_21]
    yield Draft(
        f"A dealer's natural {beats} a drawn {int(game.count.over)}.",
        ("outcomes.dealer_natural_against_21",),
    )


def _side_wagers(game: Game) -> Iterator[Draft]:
    if game.ties:
        yield from _tie_rules(game)
    for wager_id, wager in game.wagers.items():
        here = f"wagers.{wager_id}"
        match wager:
            case TieWager():
                totals = listed(
                    game.natural.name if total == "natural" else str(total) for total in wager.ties
                )
                yield Draft(f"{wager.name}: a tie at {totals} pays {_odds(wager.pays)}.", (here,))
            case ShowdownWager():
                yield from _showdown(wager, here)
            case TableWager():
                yield from _pay_table(game, wager, here)
            case HandWager():
                pass


def _tie_rules(game: Game) -> Iterator[Draft]:
    assert game.ties is not None
    yield Draft(
        "A bonus wager wins if the dealer's hand ties the player's exactly at one of its totals; "
        "otherwise it loses. It is placed with the main wager.",
        ("ties.needs",),
    )
    yield Draft("After a split only the first hand counts for it.", ("ties.hands",))
    for key, hand in (("over", "goes over"), ("surrendered", "is surrendered")):
        result = "loses" if getattr(game.ties, key) == "loses" else "is returned"
        yield Draft(f"If that hand {hand}, the bonus wager {result}.", (f"ties.{key}",))
    counts = "counts as 21" if game.ties.split_ten_ace == "21" else "ties nothing"
    yield Draft(f"An ace dealt to a split ten-value card {counts} for it.", ("ties.split_ten_ace",))


def _offered(name: str, *, offered: bool) -> str:
    return name if offered else f"{name} (not offered)"


def _showdown(wager: ShowdownWager, here: str) -> Iterator[Draft]:
    name = _offered(wager.name, offered=wager.offered)
    tie = "pushes" if wager.tie == "push" else "loses"
    yield Draft(
        f"{name}, beside the {wager.needs} wager: the player's cards as a poker hand against the "
        f"dealer's. Better pays {_odds(wager.pays)}, a tie {tie}, worse loses.",
        tuple(f"{here}.{key}" for key in ("settles", "name", "offered", "needs", "pays", "tie")),
    )
    least = {
        "king-high": "a king high or better",
        "pair-of-kings": "a pair of kings or better",
        "any": "any hand",
    }[wager.qualifies]
    yield Draft(f"The dealer plays with {least}; otherwise it pushes.", (f"{here}.qualifies",))
    yield from _card_wager_rules(wager, here)


def _pay_table(game: Game, wager: TableWager, here: str) -> Iterator[Draft]:
    in_force = game.paytables.get(wager.paytable)
    name = _offered(wager.name, offered=wager.offered and in_force is not None)
    keys = tuple(f"{here}.{key}" for key in ("settles", "name", "offered", "needs", "paytable"))
    yield Draft(f"{name}, beside the {wager.needs} wager, on the cards themselves.", keys)
    for table_id, table in game.paytables.items():
        used = "" if table is in_force else " (not in force)"
        figure = "for" if table.quoted == "for-1" else "to"
        yield Draft(
            f"Pay table {table_id}{used}: {_table_words(game, table)}",
            (f"paytables.{table_id}",),
            rows=tuple((_event(event), f"{number} {figure} 1") for event, number in table.rows),
        )
    yield from _card_wager_rules(wager, here)


def _card_wager_rules(wager: TableWager | ShowdownWager, here: str) -> Iterator[Draft]:
    bust = "stays in action" if wager.after_bust == "stays" else "is lost"
    yield Draft(f"It {bust} when the hand is over.", (f"{here}.after_bust",))
    moment = "with the main wager" if wager.settled == "with-base" else "after the game"
    yield Draft(f"It is settled {moment}.", (f"{here}.settled",))


def _event(event: str) -> str:
    """A pay-table event with its rank spelled out."""
    rank = pair_row(event)
    if rank:
        return f"pair of {rank_name(rank)}s or better"
    high = high_row(event)
    return f"{rank_name(high)} high" if high else event


def _table_words(game: Game, table: Paytable) -> str:
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
            "ace-to-five": " Aces are low; straights and flushes do not count.",
        }[table.low]
    if table.by == "poker" and any(event.startswith("sum") for event, _ in table.rows):
        words += {
            "highest": " A hand that fits two rows is paid the one that pays most, once.",
            "poker-first": " The row by sum pays only where no poker row does.",
            "both": " A hand that fits a poker row and the row by sum is paid both.",
        }[table.overlap]
        words += f" In sums an ace counts {game.count.ace[0]}."
    return words


_SECTIONS: dict[str, Callable[[Game], Iterator[Draft]]] = {
    "Cards": _cards,
    "Table": _table,
    "Wagers and fees": _wagering,
    "Deal": _deal,
    "Bonus cards and lights": _bonus_cards,
    "Player": _player,
    "Dealer": _dealer,
    "Who wins": _outcomes,
    "Side wagers": _side_wagers,
}
