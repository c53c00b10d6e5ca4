"""Every event as a sentence, for history, replay and screens."""

from __future__ import annotations

from upcard.cards import Card
from upcard.compile.carry import prize_words
from upcard.money import format_cents
from upcard.table import events as ev
from upcard.table.engine import Engine
from upcard.table.view import HIDDEN, poker_name
from upcard.text import counted, listed


def sentence(engine: Engine, event: ev.Event) -> str:
    """What happened, in words; an event with hidden cards is told without them."""
    return (
        _about_table(engine, event)
        or _about_shoe(event)
        or _about_bank(event)
        or _about_dealing(event)
        or _about_cards(engine, event)
        or _about_hands(event)
        or _about_offers(event)
        or _about_money(engine, event)
    )


def card_name(card: str) -> str:
    return "a card face down" if card == HIDDEN else f"the {Card.parse(card).name}"


def _chips(amount: int) -> str:
    """Others' chips are not told: an amount of 0 is one that was taken out."""
    return f"{format_cents(amount)} in chips" if amount else "chips"


def _seat(position: int, hand: int = 0) -> str:
    return f"Seat {position}" + (f", hand {hand + 1}," if hand else "")


def _wagers(engine: Engine, wagers: dict[str, int]) -> str:
    name = engine.look.name_of
    parts = (f"{format_cents(amount)} on {name(wager)}" for wager, amount in wagers.items())
    return listed(parts, "and")


def _about_table(engine: Engine, event: ev.Event) -> str:
    match event:
        case ev.TableOpened():
            return f"The table {event.table} opens: {engine.tables.title}.{_cards_from(event)}"
        case ev.TableClosed():
            return "The table closes."
        case ev.ChipsBought():
            return f"{event.player} buys {_chips(event.amount)}."
        case ev.PlayerSat():
            return f"{event.player} sits down at seat {event.seat}."
        case ev.PlayerMoved():
            along = f", and {counted(event.lights, 'light')} along" if event.lights else ""
            return f"{event.player} moves from seat {event.left} to seat {event.seat}{along}."
        case ev.PlayerLeft():
            return f"{event.player} leaves."
        case ev.LightsLost():
            return f"{event.player} loses {counted(event.lights, 'light')}."
        case ev.CardPunched():
            punches = counted(event.lights, "punch", "punches")
            form = engine.tables.floor.players_card
            printed = f" {form}" if form else ""
            return f"{event.player} gets a player's card with {punches}.{printed}"
        case ev.CardSurrendered():
            lights = counted(event.lights, "light")
            return f"{event.player} gives up a player's card and starts with {lights}."
        case ev.CardsVoided():
            cards = counted(len(event.serials), "player's card", "players' cards")
            return f"{cards} given up elsewhere: void here."
        case ev.ChipsCashed():
            return f"{event.player} cashes in {_chips(event.amount)}."
    return ""


def _cards_from(event: ev.TableOpened) -> str:
    """Where its cards do not come from a fresh secret."""
    if event.scripted:
        return " It is scripted: shoes may be stacked, and mistakes of the deal made."
    return " Its cards are dealt from a given text, not a fresh secret." if event.dealt_from else ""


def _about_shoe(event: ev.Event) -> str:
    match event:
        case ev.ShoeCommitted():
            return f"Shoe {event.shoe} is promised: {event.commitment}."
        case ev.SeedMixed():
            return f'{event.player} mixes "{event.seed}" into the shuffle.'
        case ev.ShoeStacked():
            return f"The shoe is stacked with {len(event.cards)} cards."
        case ev.ShoeShuffled():
            return f"Shoe {event.shoe} is shuffled: {len(event.order)} cards."
        case ev.RestDiscarded():
            return f"The rest of the deck is discarded: {counted(event.cards, 'card')}."
        case ev.CardBurned():
            return "A card is burned."
        case ev.CutCardReached():
            return "The cut card comes out: the cards are shuffled after this round."
        case ev.DiscardsShuffled():
            return f"The shoe is empty: {len(event.order)} discards are shuffled."
        case ev.ShoeOpened():
            return f"Shoe {event.shoe} is opened: its seed was {event.seed}."
        case ev.CardFoundFaceUp():
            return f"{card_name(event.card).capitalize()} is found face up and not used."
        case ev.CardDrawnInError():
            return f"{card_name(event.card).capitalize()}, drawn in error, is burned."
    return ""


def _about_bank(event: ev.Event) -> str:
    match event:
        case ev.BankOffered():
            return f"The bank is offered to {event.player} (seat {event.seat}), turn {event.turn}."
        case ev.BankDeclined():
            return f"{event.player} declines the bank."
        case ev.BankTaken():
            return f"{event.player} banks with {format_cents(event.amount)}, turn {event.turn}."
        case ev.ActionButtonPlaced():
            return f"The action button lies at seat {event.position}."
        case ev.BankReturned():
            return (
                f"{event.player} takes the bank back: {format_cents(event.amount)}, "
                f"net {format_cents(event.net)}."
            )
    return ""


def _about_dealing(event: ev.Event) -> str:
    match event:
        case ev.CardDealt(to="dealer"):
            return f"The dealer gets {card_name(event.card)}."
        case ev.CardDealt(to="community"):
            return f"The middle gets {card_name(event.card)}."
        case ev.CardDealt(to="wager"):
            return f"{_seat(event.position)} gets {card_name(event.card)} for a side wager alone."
        case ev.CardDealt(to="empty"):
            return f"Empty position {event.position} gets a card that is discarded."
        case ev.CardDealt():
            return f"{_seat(event.position, event.hand)} gets {card_name(event.card)}."
        case ev.DownCardTold():
            return f"The dealer's down card is one of {event.ranks}."
        case ev.CardTurned(position=0):
            return f"The dealer turns up {card_name(event.card)}."
        case ev.CardTurned():
            return f"{_seat(event.position)} turns up {card_name(event.card)}."
    return ""


def _about_cards(engine: Engine, event: ev.Event) -> str:
    match event:
        case ev.CardsShown():
            whose = (
                "The middle"
                if event.community
                else _seat(event.position)
                if event.position
                else "The dealer"
            )
            poker = "" if event.community else poker_name(engine, event.cards)
            return f"{whose} shows {' '.join(event.cards)}{': ' if poker else ''}{poker}."
        case ev.CardKept():
            return f"{_seat(event.position, event.hand)} keeps the bonus card."
        case ev.CardTraded():
            return f"{_seat(event.position, event.hand)} trades {card_name(event.card)}."
        case ev.HandReplaced():
            whose = _seat(event.position, event.hand)
            return f"{whose} exchanges {' '.join(event.cards)} for the next two cards."
        case ev.DealerChecked() if engine.look.face_up:
            return f"The dealer has a {engine.tables.natural_name}: the round is over."
        case ev.DealerChecked():
            found = "has a natural" if event.natural else "has no natural"
            return f"The dealer looks at the down card and {found}."
        case ev.DealerFinished():
            return f"The dealer's hand: {'over' if event.result == 'bust' else event.result}."
        case ev.CardsMissed():
            return f"{_seat(event.position)} is going to miss {event.cards} in the deal."
    return ""


def _about_hands(event: ev.Event) -> str:
    match event:
        case ev.HandHit():
            return f"{_seat(event.position, event.hand)} hits."
        case ev.HandStood():
            return f"{_seat(event.position, event.hand)} stands{'' if event.asked else ' by rule'}."
        case ev.HandDoubled():
            again = "doubles" if event.times == 1 else "doubles again"
            added = format_cents(event.marker or event.added[0].amount)
            free = " of the house's" if event.marker else ""
            return f"{_seat(event.position, event.hand)} {again} for {added}{free}."
        case ev.HandSplit():
            marker = format_cents(event.marker)
            free = f", the new hand for {marker} of the house's" if event.marker else ""
            beside = sum(amount for part in event.added[:1] for _, amount in part.sides)
            bonus = f", with {format_cents(beside)} of bonus wagers beside it" if beside else ""
            return f"{_seat(event.position, event.hand)} splits{free}{bonus}."
        case ev.HandSurrendered():
            return f"{_seat(event.position, event.hand)} surrenders."
        case ev.HandRescued():
            return f"{_seat(event.position, event.hand)} rescues the last doubled portion."
        case ev.HandBusted():
            return f"{_seat(event.position, event.hand)} is over."
        case ev.HandDead():
            return f"{_seat(event.position)} got no card: the hand is dead."
    return ""


def _about_offers(event: ev.Event) -> str:
    match event:
        case ev.InsuranceDeclined():
            return f"{_seat(event.position)} takes no insurance."
        case ev.SurrenderDeclined():
            return f"{_seat(event.position)} plays on."
        case ev.CardsSwitched():
            return f"Seats {event.position} and {event.other} exchange their second cards."
        case ev.ExchangeDeclined():
            return f"{_seat(event.position)} exchanges no cards."
    return ""


def _about_money(engine: Engine, event: ev.Event) -> str:
    match event:
        case ev.WagersPlaced() if not event.wagers:
            return f"{event.player} takes the wagers at {event.position} back."
        case ev.WagersPlaced():
            what = "backs" if event.backline else "wagers at"
            wagers = _wagers(engine, dict(event.wagers))
            return f"{event.player} {what} seat {event.position}: {wagers}."
        case ev.RoundStarted():
            return f"Round {event.round} begins."
        case ev.StepBegun():
            return f"Next: {event.step.replace('-', ' ')}."
        case ev.FeeCollected():
            return f"{event.player} pays a collection fee of {format_cents(event.amount)}."
        case ev.InsuranceTaken():
            return f"{event.player} insures for {format_cents(event.amount)}."
        case ev.LightLit():
            where = f" by a card of {_seat(event.box).lower()}" if event.box else ""
            return f"{event.player} has {counted(event.lights, 'light')} lit{where}."
        case ev.PrizeWon():
            return _prize(event)
        case ev.WagerSettled():
            return _settled(engine, event)
        case ev.RoundVoided():
            return "No card is left anywhere: what is not settled goes back."
        case ev.RoundEnded():
            return f"Round {event.round} ends."
    return ""


def _prize(event: ev.PrizeWon) -> str:
    amount = prize_words(event.name, event.amount)
    if event.by:
        return f"{event.prize} of {event.by}: {event.player} gets {amount}."
    if event.prize:
        return f"{event.prize}: {event.player} wins {amount} at {_seat(event.position).lower()}."
    where = f" at {_seat(event.box).lower()}" if event.box else ""
    return f"All lights are lit: {event.player} wins {amount}{where}."


def _settled(engine: Engine, event: ev.WagerSettled) -> str:
    name = engine.look.name_of(event.wager)
    what = f"{event.player}'s {format_cents(event.staked)}"
    if event.marker:
        marker = f"house's {format_cents(event.marker)}"
        what = f"{what} and the {marker}" if event.staked else f"The {marker}"
    what += f" on {name}"
    where = f" at {_seat(event.position, event.hand).lower().rstrip(',')}"
    why = f" ({event.why})" if event.why else ""
    short = f", {format_cents(event.uncovered)} not covered" if event.uncovered else ""
    if event.won:
        return f"{what}{where} wins {format_cents(event.won)}{why}{short}."
    if event.collected:
        lost = format_cents(event.collected)
        rest = event.staked - event.collected
        back = f", {format_cents(rest)} returned" if rest else ""
        return f"{what}{where}: {event.result}, {lost} collected{back}{short}."
    back = ", returned" if event.staked else ""
    return f"{what}{where}: {event.result}{back}{short}."
