"""Contradictions in a game's rules: each an error that says what would be right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache

import msgspec

from upcard.cards import RANKS, Card, rank_name
from upcard.errors import Problem, ProblemsError, UpcardError
from upcard.fees.lint import lint
from upcard.money import format_cents
from upcard.rules import registry
from upcard.rules.card_wagers import CardWager
from upcard.rules.check_bonuses import bonuses_work, prizes_work
from upcard.rules.check_card_wagers import card_wagers_work
from upcard.rules.check_exchange import exchanges_fit
from upcard.rules.check_final_hands import final_hands_work
from upcard.rules.check_finer import (
    conditions_can_be_met,
    hands_have_wagers,
    hands_paid_on_22_exist,
    insurance_is_priced,
    second_card_can_wait,
    ties_can_happen,
)
from upcard.rules.check_markers import markers_work
from upcard.rules.check_shown import shown_cards_fit
from upcard.rules.choice_check import choice_problems
from upcard.rules.conditions import hold, senseless, value_of
from upcard.rules.extend import Stage, stages
from upcard.rules.head import head_problems
from upcard.rules.load import RuleSet, offered, rule_set
from upcard.rules.provenance import coverage_problems
from upcard.rules.repair import index_is_whole, repaired, speaks_of
from upcard.rules.rows import POKER_HAND_SIZE, row_problem
from upcard.rules.schema import OPTION_KEYS, BankRules, DealRules, GameRules
from upcard.rules.section import RuleSection
from upcard.rules.sides import in_their_files
from upcard.rules.validate import shape_problems
from upcard.rules.wagers import HandWager, Paytable, Rows, ShowdownWager, TableWager, TieWager
from upcard.text import as_text, did_you_mean, listed

Finding = tuple[str, str, tuple[str, ...]]
"""Path, message and keys whose clauses are cited."""

SUITS_PER_DECK = 4


def check_game(
    reference: str, settings: Mapping[str, str], *, draft: bool = False
) -> tuple[RuleSet | None, list[Problem]]:
    """A game and everything wrong with it; no game where the file cannot be understood.

    Files that it extends are judged with it. In a draft nothing is wrong with a missing source.
    """
    try:
        *parents, stage = map(offered, stages(registry.find(reference)))
    except ProblemsError as error:
        return None, list(error.problems)
    except UpcardError as error:
        return None, [Problem(reference, "", str(error))]
    own = [parent for parent in parents if parent.document.folder is not None]
    inherited = [p for parent in own for p in _stage_problems(parent, {}, reference, draft=True)[1]]
    known = {(problem.path, problem.message) for problem in inherited}
    rules, problems = _stage_problems(stage, settings, reference, draft=draft)
    return rules, [*inherited, *(p for p in problems if (p.path, p.message) not in known)]


def _stage_problems(
    stage: Stage, settings: Mapping[str, str], reference: str, *, draft: bool
) -> tuple[RuleSet | None, list[Problem]]:
    problems = shape_and_further_problems(stage, draft=draft)
    if problems:
        return None, problems
    try:
        rules = rule_set(stage, settings)
    except ProblemsError as error:
        problems = list(error.problems)
    except UpcardError as error:
        problems = [Problem(reference, "", sentence) for sentence in error.sentences]
    else:
        return rules, rule_problems(rules, draft=draft)
    # What is wrong with the settings does not hide what is wrong with the file.
    return None, [*problems, *rule_problems(rule_set(stage, {}), draft=draft)]


def shape_and_further_problems(stage: Stage, *, draft: bool = False) -> list[Problem]:
    """Where a file departs from the vocabulary, and then what else is wrong with it."""
    problems = in_their_files(shape_problems(stage.data, stage.file), stage.file, stage.sides)
    found = repaired(stage.data, stage.file) if problems else None
    if found is None:
        return problems
    data, touched = found
    rules = rule_set(replace(stage, data=data), {})
    draft = draft or rules.game.draft or not index_is_whole(touched)
    return [*problems, *rule_problems(rules, draft=draft, touched=touched)]


def rule_problems(
    rules: RuleSet, *, draft: bool = False, touched: Collection[str] = ()
) -> list[Problem]:
    """Everything that contradicts itself or a clause, but for consequences of `touched` values."""
    problems = coverage_problems(rules.game, rules.values, rules.changed, rules.lineage, rules.file)
    if draft:
        missing = rules.unsourced.items()
        problems = [p for p in problems if (p.path, p.message) not in missing]
    problems += choice_problems(rules.game, rules.data, rules.defaults, rules.file)
    problems += _forbidden(rules)
    for look in _CHECKS:
        for path, message, keys in look(rules):
            if not any(key in touched for key in keys):
                problems.append(Problem(rules.file, path, message, rules.cites(*keys)))
    told = [p for p in dict.fromkeys(problems) if not speaks_of(p, touched)]
    return in_their_files(told, rules.file, rules.sides)


def limits() -> Iterator[tuple[str, str]]:
    """What cannot be combined with what: the topic and the sentences of every check."""
    for look in _CHECKS:
        topic, _, words = " ".join((look.__doc__ or "").split()).partition(": ")
        yield topic, words


def _forbidden(rules: RuleSet) -> Iterator[Problem]:
    for number, rule in enumerate(rules.game.forbids, 1):
        place = f"forbids #{number}.when"
        wrong = list(senseless(rules.game, rule.when, rules.values))
        yield from (Problem(rules.file, place, message) for message in wrong)
        if not wrong and hold(rules.game, rule.when):
            state = listed(
                (f"{path} = {as_text(value_of(rules.game, path))}" for path in rule.when), "and"
            )
            yield Problem(rules.file, state, rule.says, rule.clauses)


def _clauses_can_be_in_force(rules: RuleSet) -> Iterator[Finding]:
    """Clauses: `when` of a clause names keys that the game has, and bounds only for numbers."""
    for name, clause in rules.game.clauses.items():
        for message in senseless(rules.game, clause.when, rules.values):
            yield f"clauses.{name}.when", message, ()


def _shoe_serves_the_table(rules: RuleSet) -> Iterator[Finding]:
    """Shoe: its cards serve the first deal at every position, and the cut card fits between both
    ends.
    """
    game = rules.game
    deck = (len(RANKS) - len(set(game.shoe.removed))) * SUITS_PER_DECK
    cards = deck * game.shoe.decks
    hand = game.deal.player_up + game.deal.player_down
    dealer = game.deal.dealer_up + game.deal.dealer_down
    needed = game.table.positions * hand + dealer + game.deal.community + game.shoe.burn
    if not cards:
        yield "shoe.removed", "no card is left in the deck", ("shoe.removed",)
    elif needed > cards:
        most = (cards - dealer - game.deal.community - game.shoe.burn) // hand
        yield (
            "table.positions",
            (
                f"{game.table.positions} positions need {needed} cards and the shoe has {cards}: "
                f"at most {max(most, 0)} positions"
            ),
            ("shoe.decks", "deal.player_down", "table.empty_positions"),
        )
    if game.shoe.cut_margin * 2 > cards:
        yield (
            "shoe.cut_margin",
            f"no cut card fits {game.shoe.cut_margin} cards from both ends of {cards} cards",
            ("shoe.cut_margin",),
        )


FIRST_CARDS = 2
"""Cards that make a natural, a pair, or a double of the first cards."""


def _first_cards_are_two(rules: RuleSet) -> Iterator[Finding]:
    """Deal: a player gets two cards face up; community cards come with a pay table that looks at
    them, and what is said of them only with them; the rest is discarded only where cards cannot
    run out.
    """
    deal = rules.game.deal
    if deal.player_up != FIRST_CARDS:
        yield (
            "deal.player_up",
            (
                f"naturals, pairs and doubles go by the first {FIRST_CARDS} cards, so a player "
                f"gets {FIRST_CARDS} face up, not {deal.player_up}; further cards are dealt face "
                "down"
            ),
            ("deal.player_up",),
        )
    tables = rules.game.paytables.values()
    if deal.community and not any(table.cards == "own-and-community" for table in tables):
        yield (
            "deal.community",
            'no wager uses community cards: a pay table with cards = "own-and-community" would',
            ("deal.community",),
        )
    for key in ("community_seen", "community_after", "rest_discarded"):
        if not deal.community and getattr(deal, key) != _default(DealRules, key):
            yield f"deal.{key}", "no community cards are dealt", (f"deal.{key}",)
    if deal.rest_discarded and rules.game.shoe.exhausted != "cannot-happen":
        yield (
            "deal.rest_discarded",
            (
                "only a round that is dealt at once from a full shoe does without the rest: "
                'exhausted = "cannot-happen"'
            ),
            ("deal.rest_discarded", "shoe.exhausted"),
        )


@cache
def _default(section: type[RuleSection], key: str) -> object:
    """What a key is where a game file says nothing of it."""
    return next(field.default for field in msgspec.structs.fields(section) if field.name == key)


def _natural_is_found(rules: RuleSet) -> Iterator[Finding]:
    """Natural of any down card: it is looked for before anybody plays, in two or more down cards
    of a dealer who draws from them, in games without splits and pay tables on the second card.
    """
    game, key = rules.game, "dealer.natural_cards"
    if game.dealer.natural_cards == "first":
        return
    if game.deal.dealer_down < 2 or game.dealer.draws_from != "own-cards":
        yield (
            key,
            (
                'natural_cards = "any" is for a dealer who plays two or more down cards dealt at '
                'the start: draws_from = "own-cards"'
            ),
            (key, "deal.dealer_down", "dealer.draws_from"),
        )
    if game.dealer.checks != "ace-or-ten":
        yield (
            key,
            (
                'the down cards are looked through before anybody plays: checks = "ace-or-ten", '
                'or natural_cards = "first"'
            ),
            (key, "dealer.checks"),
        )
    if game.split.on != "none":
        yield key, "it is not for games with splits", (key, "split.on")
    for name, table in game.paytables.items():
        if table.cards == "first-two-and-dealers-two":
            yield (
                f"paytables.{name}.cards",
                "the dealer's second card is not always the first down card",
                (key, f"paytables.{name}.cards"),
            )


def _own_cards_suffice(rules: RuleSet) -> Iterator[Finding]:
    """Own cards: hit cards of a hand's own, and a dealer's, are dealt face down at the start, the
    hand stands when they end, and it cannot be split; without them a player gets no card face
    down and the dealer one or none.
    """
    game = rules.game
    hand = game.deal.player_up + game.deal.player_down
    if game.player.hit_cards != "shoe" and not 0 < game.player.stands_at_cards <= hand:
        yield (
            "player.stands_at_cards",
            (
                f"hit cards come from the hand's own {hand} cards, so a hand must stand at "
                f"{hand} cards or fewer"
            ),
            ("player.hit_cards", "player.stands_at_cards"),
        )
    dealer = game.deal.dealer_up + game.deal.dealer_down
    if game.dealer.draws_from == "own-cards" and not 0 < game.dealer.stands_at_cards <= dealer:
        yield (
            "dealer.stands_at_cards",
            f"the dealer draws from {dealer} own cards, so must stand at {dealer} cards or fewer",
            ("dealer.stands_at_cards",),
        )
    if game.player.hit_cards == "shoe" and game.deal.player_down:
        yield (
            "deal.player_down",
            "down cards of a player are only for games whose hit cards are the hand's own",
            ("deal.player_down",),
        )
    if game.dealer.draws_from == "own-cards" and not game.deal.dealer_down:
        words = "a dealer who draws own cards gets them face down at the start"
        yield "deal.dealer_down", words, ("deal.dealer_down", "dealer.draws_from")
    if game.dealer.draws_from == "shoe" and game.deal.dealer_down > 1:
        yield (
            "deal.dealer_down",
            (
                "a dealer who draws from the shoe gets one card face down; more are only for a "
                'dealer who draws from own cards (dealer.draws_from = "own-cards")'
            ),
            ("deal.dealer_down", "dealer.draws_from"),
        )
    if game.player.hit_cards != "shoe" and game.split.on != "none":
        yield (
            "split.on",
            "hit cards that are the hand's own down cards are for one hand, which cannot be split",
            ("split.on", "player.hit_cards"),
        )


def _counting_is_possible(rules: RuleSet) -> Iterator[Finding]:
    """Counting: totals are whole or halves, an ace's lower value comes first, a natural is an ace
    with ranks that are in the deck, and neither an ace, a natural nor the dealer's standing
    total is over.
    """
    game = rules.game
    for path, number in (("count.over", game.count.over), ("natural.total", game.natural.total)):
        if number * 2 != int(number * 2):
            yield path, f"{number} is neither a whole number nor a half", (path,)
    low, high = game.count.ace
    if not 0 < low <= high:
        yield "count.ace", "the lower value of an ace comes first", ("count.ace",)
    for path, ranks in (
        ("natural.with", game.natural.with_),
        ("insurance.up", game.insurance.up),
    ):
        gone = [rank for rank in ranks if rank in game.shoe.removed]
        if gone:
            yield (
                path,
                f"every {rank_name(gone[0])} is taken out of the deck",
                ("shoe.removed", path),
            )
    if "A" in game.shoe.removed or "A" in game.natural.with_:
        yield "natural.with", "a natural needs an ace and a card that is none", ("natural.with",)
    if high > game.count.over:
        yield "count.ace", f"an ace of {high} would be over by itself", ("count.ace", "count.over")
    if game.dealer.stands_on > game.count.over:
        yield (
            "dealer.stands_on",
            f"the dealer would draw until over {game.count.over:g}",
            ("dealer.stands_on", "count.over"),
        )
    if game.natural.total > game.count.over:
        yield "natural.total", "a natural would be over by itself", ("natural.total", "count.over")


def _features_fit(rules: RuleSet) -> Iterator[Finding]:
    """Doubling, insurance, surrender: doubling again and rescue need doubling down, insurance is
    offered under cards that make a natural, shares are above nothing and at most 1;
    `shoe.exhausted` says what follows from the deal.
    """
    game = rules.game
    if game.double.times > 1 and game.double.on == "none":
        yield "double.times", "doubling again needs doubling down", ("double.times", "double.on")
    if game.double.rescue and game.double.on == "none":
        yield "double.rescue", "rescue needs doubling down", ("double.rescue", "double.on")
    if game.insurance.offered and not game.insurance.up:
        yield "insurance.up", "insurance is offered under no up card", ("insurance.offered",)
    never = [rank for rank in game.insurance.up if rank not in ("A", *game.natural.with_)]
    if never:
        yield "insurance.up", f"with {never[0]} up there is no natural to insure", ("insurance.up",)
    for path, share in (
        ("surrender.forfeits", game.surrender.forfeits),
        ("insurance.at_most", game.insurance.at_most),
    ):
        if not 0 < Fraction(share) <= 1:
            yield path, f"{share} is not more than nothing and at most the whole wager", (path,)
    yield from _cards_run_out_or_cannot(game)


def _cards_run_out_or_cannot(game: GameRules) -> Iterator[Finding]:
    dealt_at_once = game.player.hit_cards != "shoe" and game.dealer.draws_from == "own-cards"
    lasts = game.shoe.shuffle == "every-round" and dealt_at_once and game.bonus_card is None
    keys = ("shoe.exhausted", "shoe.shuffle", "player.hit_cards", "dealer.draws_from")
    if game.shoe.exhausted == "cannot-happen" and not lasts:
        yield (
            "shoe.exhausted",
            (
                "cards can run out in the middle of a round unless they are shuffled for every "
                "round and all of a round are dealt at its start"
            ),
            keys,
        )
    if game.shoe.exhausted != "cannot-happen" and lasts:
        yield (
            "shoe.exhausted",
            'all cards of a round are dealt at its start from a full shoe: "cannot-happen"',
            keys,
        )


def _sides_fit(rules: RuleSet) -> Iterator[Finding]:
    """Bank, ties, lights: a tie that costs has an amount; bonus cards and lights come together;
    turns, cover and button are for a player-dealer, who needs two positions; how a bank pays in
    part is for one that is limited.
    """
    game = rules.game
    if (game.outcomes.tie == "costs") != (game.outcomes.tie_costs > 0):
        yield (
            "outcomes.tie_costs",
            'a tie that costs needs tie = "costs" and an amount',
            ("outcomes.tie",),
        )
    if (game.bonus_card is None) != (game.lights is None):
        yield "lights", "bonus cards and lights come together", ("bonus_card.cards", "lights.count")
    if game.deal.starts == "banks-left" and game.bank.by == "house":
        yield "deal.starts", "the house has no seat to start from", ("deal.starts", "bank.by")
    if game.bank.by == "player-dealer" and game.table.positions < 2:
        words = "the player-dealer has a position, and a round needs another: at least 2"
        yield "table.positions", words, ("table.positions", "bank.by")
    if game.bank.by == "player-dealer" and not game.bank.turns:
        yield "bank.turns", "a player-dealer needs a number of hands", ("bank.by", "bank.turns")
    if game.bank.by == "player-dealer" and game.bank.offered != "clockwise":
        words = 'a player-dealer\'s bank goes round the table: offered = "clockwise"'
        yield "bank.offered", words, ("bank.by", "bank.offered")
    if game.bank.by == "player-dealer" and not game.bank.button:
        words = "the table shows which player banks, and which turn: button = true"
        yield "bank.button", words, ("bank.by", "bank.button")
    if game.bank.by == "house":
        yield from _house_has_no_turns(game.bank)
    if game.bank.cover == "full":
        for key in ("cover_measure", "natural_paid"):
            if getattr(game.bank, key) != getattr(BankRules(by="house"), key):
                words = "a bank that covers everything pays in any order alike: leave it out"
                yield f"bank.{key}", words, ("bank.cover", f"bank.{key}")


def _house_has_no_turns(bank: BankRules) -> Iterator[Finding]:
    none = BankRules(by="house")
    for key in ("turns", "offered", "button", "cover", "action_from"):
        if getattr(bank, key) != getattr(none, key):
            words = f"{as_text(getattr(bank, key))} is for a player-dealer, and the house banks"
            yield f"bank.{key}", words, ("bank.by", f"bank.{key}")


def _marked_cards_exist(rules: RuleSet) -> Iterator[Finding]:
    """Bonus cards: they are of one rank that is in the deck, and not all of it."""
    game = rules.game
    for text in game.bonus_card.cards if game.bonus_card else ():
        try:
            card = Card.parse(text)
        except UpcardError as error:
            yield "bonus_card.cards", str(error), ("bonus_card.cards",)
            continue
        if card.rank in game.shoe.removed:
            yield "bonus_card.cards", f"{text} is taken out of the deck", ("shoe.removed",)
    marked = game.bonus_card.cards if game.bonus_card else ()
    if game.bonus_card and not marked:
        yield "bonus_card.cards", "no card is marked: name one, such as Tc", ("bonus_card.cards",)
    if len({text[:1] for text in marked}) > 1 or len(set(marked)) == SUITS_PER_DECK:
        yield (
            "bonus_card.cards",
            "bonus cards are of one rank, and at least one card of that rank has no mark",
            ("bonus_card.cards",),
        )


def _a_prize_has_a_name_to_print(rules: RuleSet) -> Iterator[Finding]:
    """Prize: its name stands in one line."""
    name = rules.game.lights.prize_name if rules.game.lights else ""
    if name != name.strip() or not name.isprintable():
        words = (
            "what the prize is stands in one line, without blanks around it or control characters, "
            "such as a weekend for two; empty means money"
        )
        yield "lights.prize_name", words, ("lights.prize_name",)


def _special_hands_are_hands(rules: RuleSet) -> Iterator[Finding]:
    """Special hands: a dealer's hand with a result of its own has two cards or more and is no
    natural.
    """
    game = rules.game
    naturals = [sorted(["A", rank]) for rank in game.natural.with_]
    for hand in game.outcomes.special:
        if len(hand.dealer) < 2:
            yield "outcomes.special", "a dealer's hand has two cards or more", ("outcomes.special",)
        if sorted(hand.dealer) in naturals:
            yield "outcomes.special", "a natural has rules of its own", ("outcomes.special",)


def _limits_agree(rules: RuleSet) -> Iterator[Finding]:
    """Limits: the minimum is not above the maximum, amounts are multiples of the unit, printed
    amounts are named and go with one double, limits of a fee schedule with fees.
    """
    limits = rules.game.limits
    if limits.maximum and limits.minimum > limits.maximum:
        yield (
            "limits.minimum",
            (
                f"the minimum {format_cents(limits.minimum)} is above the maximum "
                f"{format_cents(limits.maximum)}"
            ),
            ("limits.minimum", "limits.maximum"),
        )
    for path, amounts in (
        ("limits.minimum", (limits.minimum,)),
        ("limits.maximum", (limits.maximum,)),
        ("limits.amounts", limits.amounts),
    ):
        odd = [amount for amount in amounts if amount % limits.unit]
        if odd:
            yield (
                path,
                f"{format_cents(odd[0])} is not a multiple of {format_cents(limits.unit)}",
                (path, "limits.unit"),
            )
    if limits.added == "printed" and not limits.amounts:
        words = "no amounts are printed: name them under amounts, or allow any"
        yield "limits.added", words, ("limits.added",)
    if limits.added == "printed" and rules.game.double.times > 1:
        words = "a hand that doubles again adds more than any printed amount: allow any, or one"
        yield "limits.added", f"{words} double", ("limits.added", "double.times")
    if limits.posted == "fee-schedule" and rules.game.fees is None:
        yield "limits.posted", "there is no fee schedule in this game", ("limits.posted",)


def _bonus_wagers_stay_below(rules: RuleSet) -> Iterator[Finding]:
    """Main wager: `base` alone settles by the hand; where bonus wagers have a share of it, their
    maximum keeps to that.
    """
    game = rules.game
    base = game.wagers.get("base")
    if not isinstance(base, HandWager):
        yield "wagers.base", 'the main wager must be there, with settles = "hand"', ()
        return
    for wager_id, wager in game.wagers.items():
        if isinstance(wager, HandWager) and wager_id != "base":
            yield f"wagers.{wager_id}", "only the wager base settles by the hand", ()
    share = game.limits.bonus_share
    primary = base.maximum or game.limits.maximum
    # Where a player's boxes share the limit, the base wagers of others carry a larger one.
    if share is None or game.limits.bonus_share_of == "player":
        return
    for wager_id, wager in game.wagers.items():
        if not isinstance(wager, HandWager) and wager.maximum > primary * Fraction(share) > 0:
            yield (
                f"wagers.{wager_id}.maximum",
                (
                    f"{format_cents(wager.maximum)} is above the primary wager's "
                    f"{format_cents(primary)}: bonus wagers may reach {share} of it"
                ),
                ("limits.bonus_share",),
            )


def _several_boxes(rules: RuleSet) -> Iterator[Finding]:
    """Several boxes: own seats first, and a share of all of a player's boxes, need several boxes;
    that share needs `bonus_share`.
    """
    table, limits = rules.game.table, rules.game.limits
    if table.own_seat_first and not table.several_boxes:
        problem = (
            "a player has one position in this game, and no other to wager at along with it: "
            "several_boxes would have to be true"
        )
        keys = ("table.own_seat_first", "table.several_boxes")
        yield "table.own_seat_first", problem, keys
    needed = {"bonus_share": limits.bonus_share is not None, "several_boxes": table.several_boxes}
    for key, there in needed.items():
        if limits.bonus_share_of == "player" and not there:
            problem = (
                f"there is no {key} in this game, so that boxes have no limit to share: "
                'it would have to be "box"'
            )
            yield "limits.bonus_share_of", problem, ("limits.bonus_share_of",)


TAKEN = {
    "insurance": "insurance, which [insurance] offers",
    "fees": "what is charged for a seat",
    "prizes": "what lights and hands win besides",
}
"""Ids that results have for something else."""


def _wagers_refer(rules: RuleSet) -> Iterator[Finding]:
    """Wagers: each has an id and a name of its own; what a wager needs, its pay table and the
    bank's order name wagers and pay tables that there are; wagers on ties come with `[ties]`.
    """
    game = rules.game
    names: dict[str, str] = {}
    for wager_id, wager in game.wagers.items():
        here = f"wagers.{wager_id}"
        if wager_id in TAKEN:
            words = f'"{wager_id}" is the id of {TAKEN[wager_id]}: give the wager another'
            yield here, words, ()
        first = names.setdefault(wager.name, wager_id)
        if first != wager_id:
            words = f'{first} and {wager_id} are both called "{wager.name}"'
            yield f"{here}.name", f"{words}: give one a name of its own", (f"{here}.name",)
        if (
            isinstance(wager, TableWager | ShowdownWager | CardWager)
            and wager.needs not in game.wagers
        ):
            yield (
                f"{here}.needs",
                f'no wager "{wager.needs}"{did_you_mean(wager.needs, game.wagers)}',
                (f"{here}.needs",),
            )
        if isinstance(wager, TieWager) and game.ties is None:
            yield here, "wagers on a tie need the section [ties]", ()
        if isinstance(wager, TableWager) and wager.paytable not in (*game.paytables, "none"):
            yield (
                f"{here}.paytable",
                f'no pay table "{wager.paytable}"{did_you_mean(wager.paytable, game.paytables)}',
                (f"{here}.paytable",),
            )
        if isinstance(wager, TieWager) and not wager.ties:
            yield f"{here}.ties", "it wins at no total", (f"{here}.ties",)
    if game.ties and not any(isinstance(wager, TieWager) for wager in game.wagers.values()):
        yield "ties", "there is no wager on a tie", ("ties.needs",)
    for wager_id in game.bank.order:
        if wager_id not in game.wagers:
            yield (
                "bank.order",
                f'no wager "{wager_id}"{did_you_mean(wager_id, game.wagers)}',
                ("bank.order",),
            )


def _paytables_work(rules: RuleSet) -> Iterator[Finding]:
    """Pay tables: events are known for their ranking, each once and paying something; poker needs
    five own cards, a showdown five on both sides, `match` the first two cards and the dealer's.
    """
    game = rules.game
    hand = game.deal.player_up + game.deal.player_down
    for name, table in game.paytables.items():
        here = f"paytables.{name}"
        yield from _rows_work(f"{here}.rows", table.rows, table)
        for decks, rows in table.rows_by_decks.items():
            yield from _rows_work(f"{here}.rows_by_decks.{decks}", rows, table)
        if str(table.printed_for) in table.rows_by_decks:
            words = f"the rows for {table.printed_for} decks stand in rows already: name others"
            place = f"{here}.rows_by_decks"
            yield place, words, (place, f"{here}.printed_for")
        yield from _names_fit(name, table)
        if table.cards == "own-and-community" and not game.deal.community:
            yield f"{here}.cards", "no community cards are dealt", ("deal.community",)
        if (table.by == "match") != table.cards.startswith("first-two"):
            yield (
                f"{here}.cards",
                'by = "match" looks at the first two cards and the dealer\'s, other tables do not',
                (f"{here}.cards",),
            )
        if table.by in ("poker", "low") and hand < POKER_HAND_SIZE:
            yield f"{here}.by", f"a poker hand needs {POKER_HAND_SIZE} own cards", (f"{here}.by",)
    for wager_id, wager in game.wagers.items():
        dealer = game.deal.dealer_up + game.deal.dealer_down
        if isinstance(wager, ShowdownWager) and {hand, dealer} != {POKER_HAND_SIZE}:
            yield (
                f"wagers.{wager_id}",
                (
                    f"both sides of a showdown have {POKER_HAND_SIZE} cards, and the deal gives "
                    f"the player {hand} and the dealer {dealer}"
                ),
                (),
            )


def _rows_work(here: str, rows: Rows, table: Paytable) -> Iterator[Finding]:
    for event, figure in rows:
        problem = row_problem(event, table.by)
        if problem:
            yield here, problem, (here,)
        if figure < 1:
            yield here, f'"{event}" pays nothing', (here,)
    if not rows:
        yield here, "it pays for nothing: a pay table has a row", (here,)
    if len({event for event, _ in rows}) != len(rows):
        yield here, "an event stands there twice", (here,)


def _names_fit(table_id: str, table: Paytable) -> Iterator[Finding]:
    here, events = f"paytables.{table_id}.names", [event for event, _ in table.rows]
    for event, name in table.names:
        if event not in events:
            yield here, f'no row "{event}"{did_you_mean(event, events)}', (here,)
        if not name.strip():
            yield here, f'"{event}" has an empty name', (here,)
    if len(dict(table.names)) != len(table.names):
        yield here, "an event has two names", (here,)
    shown = [dict(table.names).get(event, event) for event in events]
    twice = [name for number, name in enumerate(shown) if name in shown[:number]]
    if twice and len(set(events)) == len(events):
        yield here, f'two rows have the name "{twice[0]}"', (here,)


def _fees_are_lawful(rules: RuleSet) -> Iterator[Finding]:
    """Fees: the book can be read, has the schedule, and no more rates than its source allows."""
    fees = rules.game.fees
    if rules.fee_problem:
        yield "fees.book", rules.fee_problem, ("fees.book",)
    if fees is None or rules.fee_book is None:
        return
    ids = [schedule.id for schedule in rules.fee_book.schedules]
    if fees.schedule not in ids:
        yield (
            "fees.schedule",
            f"no schedule {fees.schedule} in {fees.book}: there are {min(ids)} to {max(ids)}",
            ("fees.schedule", "fees.book"),
        )
    for finding in lint(rules.fee_book):
        if finding.kind == "too-many-rates":
            yield "fees.book", finding.message, ("fees.book", "fees.book#rates")


def _what_is_fixed_could_be_set(rules: RuleSet) -> Iterator[Finding]:
    """Fixed: `[fixed]` names options that many games have, or that the extended game has."""
    known = {*OPTION_KEYS, *rules.settable_before}
    for name in rules.game.fixed:
        if name not in known:
            words = f'there is no option or reading "{name}" to fix{did_you_mean(name, known)}'
            yield f"fixed.{name}", words, ()


def _head_is_sound(rules: RuleSet) -> Iterator[Finding]:
    """Head: rules do not end before they hold, words stand in one line, and light lettering can be
    read on the felt.
    """
    for path, message in head_problems(rules.game):
        yield path, message, ()


_CHECKS: Iterable[Callable[[RuleSet], Iterator[Finding]]] = (
    _head_is_sound,
    _what_is_fixed_could_be_set,
    _clauses_can_be_in_force,
    _shoe_serves_the_table,
    _first_cards_are_two,
    _natural_is_found,
    shown_cards_fit,
    _own_cards_suffice,
    _counting_is_possible,
    _features_fit,
    _sides_fit,
    _marked_cards_exist,
    _a_prize_has_a_name_to_print,
    _special_hands_are_hands,
    _limits_agree,
    _bonus_wagers_stay_below,
    _several_boxes,
    exchanges_fit,
    _wagers_refer,
    _paytables_work,
    card_wagers_work,
    final_hands_work,
    ties_can_happen,
    hands_have_wagers,
    hands_paid_on_22_exist,
    second_card_can_wait,
    conditions_can_be_met,
    bonuses_work,
    prizes_work,
    insurance_is_priced,
    _fees_are_lawful,
    markers_work,
)
