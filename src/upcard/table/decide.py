"""Which commands a table accepts: each gives the event it means, or a refusal with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.fees.quote import quote
from upcard.money import format_cents, rounded
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table import shoe as shoes
from upcard.table.clerk import NOT_NEEDED, Clerk, Question
from upcard.table.lookup import BASE, INSURANCE
from upcard.table.order import around
from upcard.table.settle import up_symbol
from upcard.table.state import Bet, Box, Hand, Round, Stake, TableState
from upcard.text import cited, did_you_mean, listed


class Refusal(NamedTuple):
    """Why a command changes nothing."""

    reason: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.reason + cited(self.clauses)


class RefusedError(UpcardError):
    """A refusal on its way out of nested checks."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


C = TypeVar("C", bound=cm.Asked)
Handler = Callable[["Judge", TableState, Any], ev.Event]
_HANDLERS: dict[type[cm.Asked], Handler] = {}


def _on(kind: type[C]) -> Callable[[Callable[[Judge, TableState, C], ev.Event]], Handler]:
    def register(handler: Callable[[Judge, TableState, C], ev.Event]) -> Handler:
        _HANDLERS[kind] = handler
        return handler

    return register


class Judge:
    """Checks commands against the state and the game's plans."""

    def __init__(self, clerk: Clerk) -> None:
        self.clerk = clerk
        self.look = clerk.look
        self.money = clerk.look.money
        self.plan = clerk.look.plan
        self.cites = clerk.look.tables.cites

    def first_event(self, state: TableState, command: cm.Command) -> ev.Event:
        """The event that a command means; raises RefusedError where it is not accepted."""
        if state.stage == "unopened" and not isinstance(command, cm.OpenTable):
            raise RefusedError(Refusal("the table is not open yet"))
        if state.stage == "closed":
            raise RefusedError(Refusal("the table is closed"))
        return _HANDLERS[type(command)](self, state, command)

    def refuse(self, reason: str, *topics: str) -> RefusedError:
        found = (clause for topic in topics for clause in self.cites.get(topic, ()))
        return RefusedError(Refusal(reason, tuple(dict.fromkeys(found))))

    def need(self, condition: object, reason: str, *topics: str) -> None:
        if not condition:
            raise self.refuse(reason, *topics)

    def need_player(self, state: TableState, name: str) -> None:
        player = state.player(name)
        self.need(player, f"{name} is not at this table: buy in first")
        self.need(player and not player.leaving, f"{name} is leaving")

    def need_pause(self, state: TableState, what: str) -> None:
        self.need(not state.in_round, f"{what} between rounds, not while cards are out")

    def need_chips(self, state: TableState, name: str, amount: int, what: str) -> None:
        chips = state.chips(name)
        self.need(
            chips >= amount,
            f"{name} has {format_cents(chips)}, and {what} takes {format_cents(amount)}",
        )

    def need_position(self, state: TableState, position: int) -> None:
        self.need(
            position in state.positions,
            f"there is no position {position}: the table has {listed(state.positions, 'and')}",
            "positions",
        )

    def lights_position(self, position: int) -> int:
        """The position that lights are bound to, 0 if they are not."""
        carry = self.look.tables.carry
        bound = carry is not None and carry.belongs_to == "player-at-position"
        return position if bound else 0

    def need_amount(self, amount: int, what: str) -> None:
        unit = self.money.unit
        self.need(
            amount > 0 and amount % unit == 0,
            f"{what} of {amount} cents is not a positive multiple of {format_cents(unit)}",
            "unit",
        )


# ------------------------------------------------------------------ the table and its people


@_on(cm.OpenTable)
def _open(judge: Judge, state: TableState, command: cm.OpenTable) -> ev.Event:
    tables = judge.look.tables
    judge.need(state.stage == "unopened", "the table is open already")
    judge.need(command.table.strip(), "a table needs a name")
    judge.need(
        shoes.is_secret(command.secret),
        "the secret of a table is 64 hexadecimal digits in lower case",
    )
    every = tuple(range(1, judge.plan.positions + 1))
    positions = tuple(sorted(set(command.positions))) or every
    for position in positions:
        judge.need(
            position in every,
            f"there is no position {position}: the game has positions 1 to {len(every)}",
            "positions",
        )
    judge.need(
        1 <= command.first_turn <= max(1, judge.money.turns),
        f"a player-dealer has turns 1 to {judge.money.turns}, not {command.first_turn}",
        "turns",
    )
    casino = judge.clerk.casino
    return ev.TableOpened(
        table=command.table,
        game=tables.ref,
        fingerprint=tables.fingerprint,
        positions=positions,
        secret=command.secret,
        casino=casino.name if casino else "",
        settings=dict(tables.settings),
        used_cards=command.used_cards,
        lights=tuple(_carried(judge, lights) for lights in command.lights),
        first_turn=command.first_turn,
    )


def _carried(judge: Judge, lights: ev.Lights) -> ev.Lights:
    carry = judge.look.tables.carry
    judge.need(carry is not None, "there are no lights in this game", "lights")
    assert carry is not None
    most = len(carry.next) - 1
    judge.need(
        0 <= lights.lit <= most, f"0 to {most} lights can be lit, not {lights.lit}", "lights"
    )
    return ev.Lights(lights.player, judge.lights_position(lights.position), lights.lit)


@_on(cm.CloseTable)
def _close(judge: Judge, state: TableState, command: cm.CloseTable) -> ev.Event:
    judge.need_pause(state, "a table is closed")
    judge.need(not state.bets, "there are wagers on the layout: deal the round or take them back")
    judge.need(not _bank_is_up(state), "the bank is up: deal the round first")
    return ev.TableClosed()


@_on(cm.BuyIn)
def _buy_in(judge: Judge, state: TableState, command: cm.BuyIn) -> ev.Event:
    judge.need(command.player.strip(), "a player needs a name")
    judge.need(command.amount > 0, f"a buy-in of {command.amount} cents is not positive")
    known = state.player(command.player)
    judge.need(known is None or not known.leaving, f"{command.player} is leaving")
    if command.kind == "proposition":
        judge.need(
            judge.money.proposition_players,
            "there are no proposition players in this game",
            "proposition",
        )
    kind = known.kind if known else command.kind
    judge.need(kind == command.kind, f"{command.player} is a {kind} and cannot change that")
    return ev.ChipsBought(player=command.player, amount=command.amount, kind=kind)


@_on(cm.Sit)
def _sit(judge: Judge, state: TableState, command: cm.Sit) -> ev.Event:
    judge.need_player(state, command.player)
    judge.need_position(state, command.seat)
    player = state.player(command.player)
    assert player is not None
    judge.need(not player.seat, f"{command.player} sits at {player.seat} already")
    other = state.sitting(command.seat)
    judge.need(other is None, f"seat {command.seat} is taken by {other.name if other else ''}")
    owners = {bet.player for bet in state.bets_at(command.seat)}
    if state.in_round and state.round is not None and (box := state.round.box(command.seat)):
        owners.add(box.player)
    judge.need(
        owners <= {command.player},
        f"{listed(sorted(owners), 'and')} has wagers at position {command.seat}: "
        "wait for the end of the round",
    )
    return ev.PlayerSat(player=command.player, seat=command.seat)


@_on(cm.Leave)
def _leave(judge: Judge, state: TableState, command: cm.Leave) -> ev.Event:
    judge.need_player(state, command.player)
    name = command.player
    judge.need(
        all(bet.player != name for bet in state.bets),
        f"{name} has wagers on the layout: take them back first",
    )
    if state.in_round and state.round is not None:
        judge.need_pause(state, "players leave")
    bank = state.bank
    up = _bank_is_up(state) and bank is not None and bank.player == name
    judge.need(not up, f"{name} holds the bank of this round", "bank")
    return ev.PlayerLeft(player=name)


@_on(cm.PresentCard)
def _present(judge: Judge, state: TableState, command: cm.PresentCard) -> ev.Event:
    judge.need_player(state, command.player)
    judge.need_pause(state, "a player's card is given up")
    carry, casino = judge.look.tables.carry, judge.clerk.casino
    judge.need(
        carry is not None and carry.players_card and casino is not None,
        "players' cards are not used at this table",
        "players card",
    )
    assert carry is not None
    assert casino is not None
    position = judge.lights_position(command.position)
    player = state.player(command.player)
    assert player is not None
    judge.need(
        player.seat and position in (0, player.seat),
        f"{command.player} does not sit at position {command.position}",
        "players card",
    )
    try:
        card = casino.read(command.token)
    except UpcardError as error:
        raise judge.refuse(str(error), "players card") from error
    judge.need(
        card.game == judge.look.tables.id,
        f'this player\'s card is for "{card.game}"',
        "players card",
    )
    judge.need(
        card.serial not in state.used_cards,
        "this player's card was given up before: it is good for one use",
        "players card",
    )
    judge.need(
        state.lit(command.player, position) == 0,
        f"{command.player} has lights lit already: a card is for somebody who starts at zero",
        "players card",
    )
    return ev.CardSurrendered(
        player=command.player, position=position, lights=card.lights, serial=card.serial
    )


# ------------------------------------------------------------------ the shoe


@_on(cm.MixSeed)
def _mix(judge: Judge, state: TableState, command: cm.MixSeed) -> ev.Event:
    judge.need_player(state, command.player)
    judge.need(
        state.shoe.commitment and not state.shoe.order,
        "a seed is mixed in after the commitment and before the shuffle: wait for the next shoe",
        "shuffle",
    )
    fits = 0 < len(command.seed) <= shoes.LONGEST_CLIENT_SEED and command.seed.isprintable()
    judge.need(fits, f"a player's seed is 1 to {shoes.LONGEST_CLIENT_SEED} printable characters")
    return ev.SeedMixed(player=command.player, seed=command.seed)


@_on(cm.StackShoe)
def _stack(judge: Judge, state: TableState, command: cm.StackShoe) -> ev.Event:
    judge.need_pause(state, "a shoe is stacked")
    decks = judge.look.tables.alphabet.decks
    for card, count in Counter(command.cards).items():
        known = card in judge.look.symbol
        judge.need(known, f'there is no card "{card}" in this game\'s deck', "deck")
        short = f"{count} cards {card} are more than {decks} decks have of it"
        judge.need(count <= decks, short, "deck")
    return ev.ShoeStacked(cards=command.cards)


# ------------------------------------------------------------------ the bank


@_on(cm.TakeBank)
def _take_bank(judge: Judge, state: TableState, command: cm.TakeBank) -> ev.Event:
    _need_offer(judge, state, command.player)
    judge.need_amount(command.amount, "a bank")
    judge.need_chips(state, command.player, command.amount, "that bank")
    offer = state.offer
    assert offer is not None
    return ev.BankTaken(
        player=command.player, seat=offer.seat, amount=command.amount, turn=offer.turn
    )


@_on(cm.DeclineBank)
def _decline_bank(judge: Judge, state: TableState, command: cm.DeclineBank) -> ev.Event:
    _need_offer(judge, state, command.player)
    assert state.offer is not None
    return ev.BankDeclined(player=command.player, seat=state.offer.seat)


def _need_offer(judge: Judge, state: TableState, player: str) -> None:
    judge.need_player(state, player)
    judge.need("bank" in judge.look.steps, "the house banks this game", "bank")
    judge.need(state.stage == "bank", "the bank is settled for this round", "bank")
    offered = state.offer.player if state.offer else ""
    judge.need(offered == player, f"the bank is offered to {offered or 'nobody'} now", "turns")


@_on(cm.PlaceActionButton)
def _place_button(judge: Judge, state: TableState, command: cm.PlaceActionButton) -> ev.Event:
    judge.need(
        judge.money.action_from == "action-button", "there is no action button here", "order"
    )
    judge.need_pause(state, "the action button is placed")
    judge.need(state.bank is not None and _bank_is_up(state), "nobody banks yet", "bank")
    judge.need_position(state, command.position)
    assert state.bank is not None
    judge.need(
        command.position != state.bank.seat, "the player-dealer's seat gets no action", "order"
    )
    return ev.ActionButtonPlaced(position=command.position)


def _bank_is_up(state: TableState) -> bool:
    """Whether a player-dealer's money waits for the deal."""
    return state.stage == "wagers" and state.bank is not None and not state.bank.returned


# ------------------------------------------------------------------ wagers


@_on(cm.PlaceWagers)
def _place(judge: Judge, state: TableState, command: cm.PlaceWagers) -> ev.Event:
    name, position = command.player, command.position
    _need_wagering(judge, state, name)
    judge.need_position(state, position)
    player, sitting = state.player(name), state.sitting(position)
    judge.need(player and player.seat, f"{name} has no seat: sit down first, or back a player")
    judge.need(
        sitting is None or sitting.name == name,
        f"position {position} is {sitting.name if sitting else ''}'s seat",
        "boxes",
    )
    judge.need(
        sitting is not None or judge.plan.several_boxes,
        f"a player has one position in this game, and {position} is not {name}'s",
        "boxes",
    )
    bets = state.bets_at(position)
    taken = [bet for bet in bets if bet.player != name and not bet.backline]
    judge.need(not taken, f"position {position} is {taken[0].player if taken else ''}'s", "boxes")
    backed = any(bet.backline for bet in bets)
    judge.need(command.wagers or not backed, "others back this position: it cannot be left empty")
    mine = [bet for bet in bets if bet.player == name]
    _check_wagers(judge, state, position, command.wagers, others=[b for b in bets if b.backline])
    return _moved(judge, state, command, mine)


@_on(cm.BackWagers)
def _back(judge: Judge, state: TableState, command: cm.BackWagers) -> ev.Event:
    name, position = command.player, command.position
    judge.need(
        judge.money.backline != "none", "nobody may back another player's hand here", "backline"
    )
    _need_wagering(judge, state, name)
    judge.need_position(state, position)
    bets = state.bets_at(position)
    owner = next((bet.player for bet in bets if not bet.backline), "")
    judge.need(owner, f"there is no wager to back at position {position}", "backline")
    judge.need(owner != name, f"position {position} is {name}'s own", "backline")
    others = [bet for bet in bets if bet.player != name]
    _check_wagers(judge, state, position, command.wagers, others=others)
    return _moved(judge, state, command, [bet for bet in bets if bet.player == name])


def _need_wagering(judge: Judge, state: TableState, name: str) -> None:
    judge.need_player(state, name)
    judge.need(
        state.stage != "round", "cards are out: wagers are placed before the deal", "mandatory"
    )
    judge.need(
        state.stage == "wagers",
        "the round begins when a player-dealer puts up the bank",
        "bank",
    )
    judge.need(
        state.bank is None or state.bank.player != name,
        f"{name} banks this round and cannot wager against the bank",
        "bank",
    )


def _moved(
    judge: Judge,
    state: TableState,
    command: cm.PlaceWagers | cm.BackWagers,
    before: list[Bet],
) -> ev.WagersPlaced:
    moved = sum(command.wagers.values()) - sum(bet.total for bet in before)
    judge.need_chips(state, command.player, moved, "that")
    return ev.WagersPlaced(
        player=command.player,
        position=command.position,
        wagers=command.wagers,
        moved=moved,
        backline=isinstance(command, cm.BackWagers),
        follows=isinstance(command, cm.BackWagers)
        and (command.follows or judge.money.backline == "must-match"),
    )


def _check_wagers(
    judge: Judge, state: TableState, position: int, wagers: dict[str, int], others: list[Bet]
) -> None:
    """Limits, amounts, and what a wager needs."""
    bank = state.bank
    judge.need(
        bank is None or bank.seat != position, "the player-dealer's seat gets no cards", "bank"
    )
    known = judge.money.wagers
    for wager, amount in wagers.items():
        guess = did_you_mean(wager, known)
        judge.need(
            wager in known,
            f'there is no wager "{wager}" at this table: it has {listed(known, "and")}{guess}',
            f"offered {wager}",
        )
        _check_amount(judge, wager, amount, sum(bet.wagers.get(wager, 0) for bet in others))
    for wager in wagers:
        needed = known[wager].needs
        judge.need(
            needed is None or needed in wagers,
            f"a {wager} wager needs a {needed} wager",
            f"needs {wager}",
        )
    judge.need(not wagers or BASE in wagers, "the base wager is mandatory", "mandatory")
    share = judge.money.bonus_share
    bonus = sum(amount for wager, amount in wagers.items() if known[wager].needs)
    judge.need(
        share is None or bonus <= share * wagers.get(BASE, 0),
        f"all bonus wagers together are {format_cents(bonus)} and may not exceed "
        f"{'' if share == 1 else f'{share} of '}the base wager of "
        f"{format_cents(wagers.get(BASE, 0))}",
        "share",
    )


def _check_amount(judge: Judge, wager: str, amount: int, others: int) -> None:
    plan = judge.money.wagers[wager]
    if plan.amounts:
        allowed = listed(format_cents(cents) for cents in plan.amounts)
        judge.need(
            amount in plan.amounts,
            f"a {wager} wager is {allowed}, not {format_cents(amount)}",
            "amounts",
        )
        return
    judge.need_amount(amount, f"a {wager} wager")
    judge.need(
        amount >= plan.minimum,
        f"a {wager} wager of {format_cents(amount)} is below the minimum of "
        f"{format_cents(plan.minimum)}",
        "limits",
    )
    on_spot = f" with {format_cents(others)} of others on the spot" if others else ""
    judge.need(
        not plan.maximum or amount + others <= plan.maximum,
        f"a {wager} wager of {format_cents(amount)}{on_spot} is above the maximum of "
        f"{format_cents(plan.maximum)}",
        "limits",
    )


# ------------------------------------------------------------------ the deal


@_on(cm.MissCards)
def _miss(judge: Judge, state: TableState, command: cm.MissCards) -> ev.Event:
    _need_remedy(judge)
    judge.need(state.stage == "wagers", "cards are missed in the deal, so say it before")
    judge.need(
        state.bets_at(command.position), f"position {command.position} is dealt no cards anyway"
    )
    most = sum(part.to == "position" for part in judge.plan.passes)
    judge.need(
        1 <= command.cards <= most, f"a position can miss 1 to {most} cards, not {command.cards}"
    )
    judge.need(
        command.position not in dict(state.missed), "that position's mistake is noted already"
    )
    return ev.CardsMissed(position=command.position, cards=command.cards)


@_on(cm.FindFaceUp)
def _find(judge: Judge, state: TableState, command: cm.FindFaceUp) -> ev.Event:
    _need_remedy(judge)
    judge.need(state.shoe.left, "there is no card in the shoe to find face up")
    return ev.CardFoundFaceUp(card=state.shoe.order[state.shoe.dealt])


@_on(cm.DrawInError)
def _in_error(judge: Judge, state: TableState, command: cm.DrawInError) -> ev.Event:
    _need_remedy(judge)
    here = state.round
    stands = here is not None and here.over and here.dealer.result not in ("", "bust", NOT_NEEDED)
    judge.need(
        stands, "no card can be drawn in error: the dealer's hand does not stand", "irregularities"
    )
    judge.need(state.shoe.left, "there is no card in the shoe")
    return ev.CardDrawnInError(card=state.shoe.order[state.shoe.dealt])


def _need_remedy(judge: Judge) -> None:
    judge.need(
        judge.plan.irregularities is not None,
        "the rules of this game name no remedy for a mistake of the deal",
        "irregularities",
    )


@_on(cm.Deal)
def _deal(judge: Judge, state: TableState, command: cm.Deal) -> ev.Event:
    judge.need(state.stage != "round", "the cards are out already")
    judge.need(
        state.stage == "wagers", "the round begins when a player-dealer puts up the bank", "bank"
    )
    judge.need(state.bets, "there is no wager on the layout", "mandatory")
    return ev.RoundStarted(round=state.rounds + 1, fees=_fees(judge, state))


def _fees(judge: Judge, state: TableState) -> tuple[ev.Fee, ...]:
    plan, bank = judge.money.fees, state.bank
    if plan is None or bank is None:
        return ()
    order = around(state.positions, after=bank.seat, look=judge.look)
    bets = [bet for position in order for bet in state.bets_at(position)]
    costs = _quote(judge, [bet.wagers for bet in bets], [bet.position for bet in bets])
    fees = [
        ev.Fee(bet.player, bet.position, seat.fee)
        for bet, seat in zip(bets, costs.seats, strict=True)
        if seat.fee
    ]
    fees.append(ev.Fee(bank.player, 0, costs.player_dealer.fee))
    owed: Counter[str] = Counter()
    for fee in fees:
        owed[fee.player] += fee.amount
    for player, amount in owed.items():
        judge.need_chips(state, player, amount, "the collection fee")
    return tuple(fee for fee in fees if fee.amount)


def _quote(judge: Judge, wagers: list[dict[str, int]], numbers: list[int]) -> Any:
    plan = judge.money.fees
    assert plan is not None
    resolution = None if plan.resolution == "refuse" else plan.resolution
    try:
        return quote(
            plan.schedule, wagers, basis=plan.players_by, resolution=resolution, numbers=numbers
        )
    except UpcardError as error:
        raise RefusedError(Refusal(str(error))) from error


# ------------------------------------------------------------------ decisions


class Asking(NamedTuple):
    """What a decision is about."""

    here: Round
    question: Question
    box: Box
    hand: Hand

    @property
    def owner(self) -> Stake:
        return self.hand.stakes[0]


def _asking(judge: Judge, state: TableState, command: cm.AnyDecision) -> Asking:
    """The question that a decision answers, if the player may answer so."""
    action = cm.action_of(command)
    here = state.round
    judge.need(
        here is not None and not here.over, f"there is nothing to {action.text} between rounds"
    )
    assert here is not None
    question = judge.clerk.upcoming(state)
    assert isinstance(question, Question), "a table in a round waits only for decisions"
    judge.need(
        question.position == command.position,
        f"position {question.position} decides now, not position {command.position}",
        "starts",
    )
    judge.need(
        question.player == command.player,
        f"position {question.position} is {question.player}'s: {command.player} does not decide",
        "starts",
    )
    box = here.box(question.position)
    assert box is not None
    hand = box.hands[question.hand]
    if action not in question.actions:
        raise RefusedError(why_not(judge, here, question, hand, action))
    return Asking(here, question, box, hand)


def why_not(judge: Judge, here: Round, question: Question, hand: Hand, action: Action) -> Refusal:
    """Why an action is not among the answers to a question."""
    contexts = {"insurance": "insuring", "early-surrender": "folding"}
    context = (
        getattr(judge.look, contexts[question.phase])
        if question.phase in contexts
        else hand.context
    )
    up = up_symbol(judge.look, here)
    reason = judge.look.tables.legal.why(hand.state, context, up, action)
    if reason.legal:
        answers = listed(answer.text for answer in question.actions)
        return Refusal(f"the question is {answers}")
    return Refusal(reason.words, reason.clauses)


@_on(cm.Hit)
def _hit(judge: Judge, state: TableState, command: cm.Hit) -> ev.Event:
    asked = _asking(judge, state, command)
    pick = _pick(judge, asked.box, command.pick)
    return ev.HandHit(position=command.position, hand=asked.question.hand, pick=pick)


@_on(cm.Stand)
def _stand(judge: Judge, state: TableState, command: cm.Stand) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.HandStood(position=command.position, hand=asked.question.hand)


@_on(cm.Double)
def _double(judge: Judge, state: TableState, command: cm.Double) -> ev.Event:
    asked = _asking(judge, state, command)
    full = asked.owner.start
    amount = command.amount or full
    judge.need(
        amount == full or judge.money.doubles_for_less,
        f"a double adds the wager of {format_cents(full)}, no less and no more",
        "for less",
    )
    judge.need_amount(amount, "a double")
    judge.need(amount <= full, f"a double adds at most the wager of {format_cents(full)}", "double")
    added = _added(judge, state, asked.hand, amount, full, "the double")
    return ev.HandDoubled(
        position=command.position,
        hand=asked.question.hand,
        added=added,
        times=1,
        pick=_pick(judge, asked.box, command.pick),
    )


@_on(cm.Redouble)
def _redouble(judge: Judge, state: TableState, command: cm.Redouble) -> ev.Event:
    asked = _asking(judge, state, command)
    full = asked.owner.total
    return ev.HandDoubled(
        position=command.position,
        hand=asked.question.hand,
        added=_added(judge, state, asked.hand, full, full, "the double", again=True),
        times=len(asked.owner.added) + 1,
        pick=_pick(judge, asked.box, command.pick),
    )


@_on(cm.Split)
def _split(judge: Judge, state: TableState, command: cm.Split) -> ev.Event:
    asked = _asking(judge, state, command)
    full = asked.owner.start
    added = _added(judge, state, asked.hand, full, full, "the split")
    return ev.HandSplit(position=command.position, hand=asked.question.hand, added=added)


def _added(
    judge: Judge,
    state: TableState,
    hand: Hand,
    amount: int,
    full: int,
    what: str,
    *,
    again: bool = False,
) -> tuple[ev.Added, ...]:
    """The owner's money and that of backline bettors who follow and can afford it.

    Who doubles for less takes followers along in the same proportion.
    """
    owner, *backers = hand.stakes
    judge.need_chips(state, owner.player, amount, what)
    added = [ev.Added(owner.player, amount)]
    for stake in backers:
        own = stake.total if again else stake.start
        part = own * amount // full // judge.money.unit * judge.money.unit
        keeps_up = len(stake.added) == len(owner.added)
        if stake.follows and keeps_up and 0 < part <= state.chips(stake.player):
            added.append(ev.Added(stake.player, part))
    return tuple(added)


def _pick(judge: Judge, box: Box, pick: int) -> int:
    if pick == 0:
        return 0
    judge.need(
        judge.plan.hit_cards == "own-cards-picked",
        "hit cards are not picked at this table",
        "picks",
    )
    down = [number for number, card in enumerate(box.down, 1) if card]
    judge.need(
        pick in down,
        f"there is no down card {pick}: those left are {listed(down, 'and')}",
        "picks",
    )
    return pick


@_on(cm.Surrender)
def _surrender(judge: Judge, state: TableState, command: cm.Surrender) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.HandSurrendered(position=command.position, hand=asked.question.hand)


@_on(cm.Rescue)
def _rescue(judge: Judge, state: TableState, command: cm.Rescue) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.HandRescued(position=command.position, hand=asked.question.hand)


@_on(cm.Insure)
def _insure(judge: Judge, state: TableState, command: cm.Insure) -> ev.Event:
    asked = _asking(judge, state, command)
    share = judge.money.insurance_share
    assert share is not None
    most = rounded(share * asked.owner.start, judge.money.chip, "down")
    amount = command.amount or most
    judge.need(
        0 < amount <= most and amount % judge.money.chip == 0,
        f"{INSURANCE} is at most {format_cents(most)}, not {format_cents(amount)}",
        "insurance",
    )
    judge.need_chips(state, command.player, amount, INSURANCE)
    return ev.InsuranceTaken(player=command.player, position=command.position, amount=amount)


@_on(cm.Decline)
def _decline(judge: Judge, state: TableState, command: cm.Decline) -> ev.Event:
    asked = _asking(judge, state, command)
    if asked.question.phase == "insurance":
        return ev.InsuranceDeclined(position=command.position)
    return ev.SurrenderDeclined(position=command.position)


@_on(cm.Keep)
def _keep(judge: Judge, state: TableState, command: cm.Keep) -> ev.Event:
    asked = _asking(judge, state, command)
    return ev.CardKept(position=command.position, hand=asked.question.hand)


@_on(cm.Trade)
def _trade(judge: Judge, state: TableState, command: cm.Trade) -> ev.Event:
    asked = _asking(judge, state, command)
    look, hand = judge.look, asked.hand
    marked = [place for place, card in enumerate(hand.cards) if look.marked[look.symbol[card]]]
    # Those that wait are the last ones, and the first of them is decided first.
    place = marked[-look.pending[hand.state]]
    return ev.CardTraded(
        position=command.position,
        hand=asked.question.hand,
        card=hand.cards[place],
        place=place + 1,
    )
