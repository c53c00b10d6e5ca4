/** The table as it is drawn: the view of the wire, and what every event changes in it.
 *
 * `fold` lets cards and chips arrive one after the other, and draws a replay that has events only.
 * At a live table the view that comes with the events replaces the folded one at the end.
 */

import { HIDDEN, totalOf } from "./totals.js";

export const BASE = "base";

/** A table of which nothing is known yet, not even its shoe (`left` is null then), unless that is given. */
export function emptyView(table, shoe = null) {
  return {
    stage: "wagers",
    round: 0,
    step: "",
    step_words: "",
    shoe: shoe || { number: 0, commitment: "", clients: [], left: null, cut_reached: false, shuffled: true },
    positions: Array.from({ length: table.positions }, (_, n) => n + 1),
    players: [],
    lights: [],
    bets: [],
    boxes: [],
    dealer: emptyDealer(),
    community: [],
    action_button: 0,
  };
}

const emptyDealer = () => ({ cards: [], down: [], total: "", checked: false, result: "" });

/** The next view; the old one is not changed. */
export function fold(view, event, table) {
  const next = structuredClone(view);
  next.question = undefined;
  const change = CHANGES[event.event];
  if (change) change(next, event, table);
  return next;
}

const CHANGES = {
  ChipsBought(view, event) {
    if (!view.players.some((one) => one.name === event.player)) {
      view.players.push({ name: event.player, kind: event.kind || "player", seat: 0 });
    }
  },
  PlayerSat: (view, event) => seat(view, event.player, event.seat),
  PlayerMoved(view, event) {
    seat(view, event.player, event.seat);
    for (const lights of view.lights) {
      if (lights.player === event.player && lights.position === event.left) lights.position = event.seat;
    }
  },
  PlayerLeft(view, event) {
    const found = view.players.find((one) => one.name === event.player);
    if (found) found.leaving = true;
  },
  ChipsCashed(view, event) {
    view.players = view.players.filter((one) => one.name !== event.player);
    view.lights = view.lights.filter((one) => one.player !== event.player);
  },
  LightsLost(view, event) {
    view.lights = view.lights.filter(
      (one) => one.player !== event.player || one.position !== (event.position || 0),
    );
  },
  CardSurrendered: (view, event, table) => light(view, event, table, event.lights),
  LightLit: (view, event, table) => light(view, event, table, event.lights),
  // Only lights go out with their prize: one of a hand has a name.
  PrizeWon(view, event, table) {
    if (!event.prize) light(view, event, table, 0);
  },

  ShoeCommitted(view, event) {
    Object.assign(view.shoe, {
      number: event.shoe, commitment: event.commitment, clients: [], cut_reached: false, stacked: false, shuffled: false, left: 0,
    });
  },
  SeedMixed: (view, event) => view.shoe.clients.push(event.seed),
  ShoeShuffled(view, event) {
    Object.assign(view.shoe, { number: event.shoe, left: event.order.length, shuffled: true });
  },
  ShoeStacked(view, event) {
    Object.assign(view.shoe, { left: event.cards.length, stacked: true, shuffled: true });
  },
  DiscardsShuffled(view, event) {
    view.shoe.left = event.order.length;
  },
  RestDiscarded(view) {
    view.shoe.left = 0;
  },
  CardBurned: (view) => draw(view),
  CardFoundFaceUp: (view) => draw(view),
  CardDrawnInError: (view) => draw(view),
  CutCardReached(view) {
    view.shoe.cut_reached = true;
  },

  BankOffered(view, event) {
    view.stage = "bank";
    view.offer = { player: event.player, seat: event.seat, turn: event.turn };
  },
  BankDeclined(view) {
    view.offer = undefined;
  },
  BankTaken(view, event, table) {
    view.stage = "wagers";
    view.offer = undefined;
    const { player, seat: place, amount, turn } = event;
    view.bank = { player, seat: place, amount, turn, turns: table.bank_turns, net: 0 };
  },
  BankReturned(view, event) {
    if (view.bank) view.bank.net = event.net || 0;
  },
  ActionButtonPlaced(view, event) {
    view.action_button = event.position;
  },
  WagersPlaced(view, event) {
    const { player, position } = event;
    view.bets = view.bets.filter((bet) => bet.player !== player || bet.position !== position);
    if (event.wagers.length) {
      const backline = Boolean(event.backline);
      view.bets.push({ player, position, placed: event.wagers, backline, follows: Boolean(event.follows) });
    }
  },

  RoundStarted(view, event) {
    view.stage = "round";
    view.round = event.round;
    view.boxes = boxesOf(view.bets);
    view.bets = [];
    view.dealer = emptyDealer();
    view.community = [];
  },
  StepBegun(view, event, table) {
    view.step = event.step;
    view.step_words = table.steps[event.step] || "";
  },
  CardDealt(view, event, table) {
    draw(view);
    const { to, card } = event;
    if (to === "dealer") dealerGets(view, card, event.face, table);
    else if (to === "community") view.community.push(card);
    else if (to === "down") boxAt(view, event.position).down.push(card);
    else if (to === "hand") handGets(view, event, card, table);
  },
  CardTurned(view, event, table) {
    if (!event.position) {
      view.dealer.down[event.place - 1] = "";
      dealerGets(view, event.card, "up", table);
      return;
    }
    boxAt(view, event.position).down[event.place - 1] = "";
    handGets(view, event, event.card, table);
  },
  DownCardTold(view, event) {
    view.dealer.told = event.ranks;
  },
  CardsShown(view, event) {
    if (event.community) {
      view.community = [...event.cards];
      return;
    }
    const holder = event.position ? boxAt(view, event.position) : view.dealer;
    const seen = event.position ? holder.hands.flatMap((hand) => hand.cards) : holder.cards;
    const rest = withoutSeen(event.cards, seen);
    holder.down = holder.down.map((card) => (card === HIDDEN ? rest.shift() || HIDDEN : card));
    const named = /: (.+)\.$/.exec(event.words || "");
    if (named) holder.poker = named[1];
  },
  CardTraded(view, event) {
    const hand = handAt(view, event);
    hand.gap = event.place - 1;
    hand.cards.splice(hand.gap, 1);
  },
  HandReplaced(view, event) {
    const hand = handAt(view, event);
    hand.gap = 0;
    hand.cards = [];
  },
  CardsSwitched(view, event, table) {
    const [one, other] = [event.position, event.other].map((position) => boxAt(view, position).hands[0]);
    [one.cards[1], other.cards[1]] = [other.cards[1], one.cards[1]];
    for (const hand of [one, other]) Object.assign(hand, totalOf(hand.cards, table.count));
  },
  InsuranceTaken(view, event) {
    const { player, amount } = event;
    boxAt(view, event.position).sides.unshift({ player, wager: "insurance", amount, settled: null, hand: 0 });
  },
  DealerChecked(view) {
    view.dealer.checked = true;
  },
  HandStood: (view, event) => end(view, event, "stood"),
  HandBusted: (view, event) => end(view, event, "bust"),
  HandSurrendered: (view, event) => end(view, event, "surrendered"),
  HandRescued: (view, event) => end(view, event, "rescued"),
  HandDead(view, event) {
    end(view, event, "dead");
    boxAt(view, event.position).dead = true;
  },
  HandDoubled(view, event, table) {
    const hand = handAt(view, event);
    if (table.count.low_once_doubled) {
      hand.low = hand.cards.length;
      Object.assign(hand, totalOf(hand.cards, table.count, { low: hand.low }));
    }
    for (const stake of hand.stakes) {
      const part = event.added.find((one) => one.player === stake.player);
      if (part) stake.added.push(part.amount);
    }
    if (event.marker) markFor(hand, event.marker);
  },
  HandSplit(view, event, table) {
    const box = boxAt(view, event.position);
    const first = handAt(view, event);
    const second = newHand(event.added.map((part) => newStake(part.player, part.amount)));
    if (event.marker) markFor(second, event.marker);
    second.cards = first.cards.splice(1);
    const behind = (event.hand || 0) + 1;
    box.hands.splice(behind, 0, second);
    for (const side of box.sides) if ((side.hand || 0) >= behind) side.hand += 1;
    for (const { player, sides = [] } of event.added)
      for (const [wager, amount] of sides) box.sides.push({ player, wager, amount, settled: null, hand: behind });
    for (const hand of [first, second]) Object.assign(hand, totalOf(hand.cards, table.count));
  },
  DealerFinished(view, event) {
    view.dealer.result = event.result;
  },
  WagerSettled(view, event) {
    const settled = {
      result: event.result,
      collected: event.collected || 0,
      won: event.won || 0,
      uncovered: event.uncovered || 0,
      why: event.why || "",
    };
    const box = boxAt(view, event.position);
    if (event.wager === BASE) {
      const hand = handAt(view, event);
      let stake = hand.stakes.find((one) => one.player === event.player);
      if (!stake) hand.stakes.push((stake = newStake(event.player, event.staked)));
      stake.settled = settled;
      if (stake === hand.stakes[0]) hand.outcome = settled.result;
    } else {
      const hand = event.hand || 0;
      let side = box.sides.find((one) => one.player === event.player && one.wager === event.wager && (one.hand || 0) === hand);
      if (!side) {
        side = { player: event.player, wager: event.wager, amount: event.staked, settled: null, hand };
        box.sides.push(side);
      }
      side.settled = settled;
    }
    if (event.banked && view.bank) view.bank.net += settled.collected - settled.won;
  },
  RoundEnded(view, event, table) {
    view.stage = table.player_banks ? "bank" : "wagers";
    view.step = view.step_words = "";
  },
};

// ------------------------------------------------------------------ parts

function seat(view, name, place) {
  const found = view.players.find((one) => one.name === name);
  if (found) found.seat = place;
  else view.players.push({ name, kind: "player", seat: place });
}

function light(view, event, table, lit) {
  const position = event.position || 0;
  const of = table.lights ? table.lights.count : 0;
  const found = view.lights.find((one) => one.player === event.player && one.position === position);
  if (found) found.lit = lit;
  else view.lights.push({ player: event.player, position, lit, of });
}

function draw(view) {
  if (view.shoe.left) view.shoe.left -= 1;
}

const newStake = (player, start, follows = true) => ({ player, start, added: [], follows, settled: null, markers: [] });

/** The house's marker lies on a hand, for its owner. */
function markFor(hand, marker) {
  const owner = hand.stakes[0];
  owner.markers = [...(owner.markers || []), marker];
}
const newHand = (stakes) => ({
  cards: [], total: "", soft: false, natural: false, ended: "", outcome: "", stakes,
});

function boxesOf(bets) {
  const boxes = [];
  for (const bet of bets.filter((one) => !one.backline)) {
    const all = [bet, ...bets.filter((one) => one.backline && one.position === bet.position)];
    const amounts = all.map((one) => [one, new Map(one.placed)]);
    boxes.push({
      position: bet.position,
      player: bet.player,
      hands: [newHand(amounts.filter(([, placed]) => placed.has(BASE))
        .map(([one, placed]) => newStake(one.player, placed.get(BASE), !one.backline || one.follows)))],
      sides: amounts.flatMap(([one, placed]) =>
        [...placed].filter(([wager]) => wager !== BASE)
          .map(([wager, amount]) => ({ player: one.player, wager, amount, settled: null, hand: 0 }))),
      down: [],
      dead: false,
    });
  }
  return boxes.sort((one, other) => one.position - other.position);
}

/** The box of a position. A replay may begin after its wagers: then it comes with its first card. */
function boxAt(view, position) {
  let box = view.boxes.find((one) => one.position === position);
  if (!box) {
    const sitting = view.players.find((one) => one.seat === position);
    box = { position, player: sitting ? sitting.name : "", hands: [newHand([])], sides: [], down: [], dead: false };
    view.boxes.push(box);
  }
  return box;
}

function handAt(view, event) {
  const box = boxAt(view, event.position);
  const number = event.hand || 0;
  while (box.hands.length <= number) box.hands.push(newHand([]));
  return box.hands[number];
}

function handGets(view, event, card, table) {
  const hand = handAt(view, event);
  if (hand.gap === undefined) hand.cards.push(card);
  else hand.cards.splice(hand.gap, 0, card);
  delete hand.gap;
  const alone = boxAt(view, event.position).hands.length === 1;
  const { total, soft, natural } = totalOf(hand.cards, table.count, { first: alone, low: hand.low });
  Object.assign(hand, { total, soft, natural });
}

function dealerGets(view, card, face, table) {
  const dealer = view.dealer;
  if (face === "down") {
    dealer.down.push(card);
    return;
  }
  dealer.cards.push(card);
  dealer.total = totalOf(dealer.cards, table.count, { first: true }).total;
}

function withoutSeen(cards, seen) {
  const left = [...seen];
  return cards.filter((card) => {
    const at = left.indexOf(card);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

function end(view, event, how) {
  handAt(view, event).ended = how;
}

// ------------------------------------------------------------------ how long it takes to see

const TIMES = {
  CardDealt: 150, CardTurned: 230, DownCardTold: 230, CardsShown: 300, CardTraded: 220, HandReplaced: 260, CardsSwitched: 300, LightLit: 260, PrizeWon: 900,
  HandSplit: 220, HandDoubled: 120, HandBusted: 140, HandSurrendered: 140, HandRescued: 140,
  WagerSettled: 110, FeeCollected: 90, BankTaken: 150, DealerChecked: 120, ShoeShuffled: 250,
};
const BUDGET = 2200;
const LEAST = 0.25;
/** Milliseconds that a card is on its way, or turns; the styles have it from here. */
const MOTION = { usual: 210, fast: 90 };
const MOVES = new Set(["CardDealt", "CardTurned", "CardsShown", "CardTraded", "HandReplaced"]);
/** What cards came to: it is said when they can be seen. */
const TELLS = new Set(["HandBusted", "DealerFinished", "WagerSettled", "LightLit", "PrizeWon", "BankReturned", "RoundEnded"]);

/** Whether something of a stroke says what cards came to. */
export const isTelling = (events) => events.some((one) => TELLS.has(one.event));
export const motionOf = (fast) => (fast ? MOTION.fast : MOTION.usual);
const isSeen = (event) => event.to !== "empty";

/** Milliseconds that an event is looked at before the next; many at once are hurried.
 *
 * A card that is followed by what it came to is not: it has all the time that it moves.
 */
export function pauses(events, { fast = false, still = false } = {}) {
  if (still) return events.map(() => 0);
  const speed = fast ? 0.25 : 1;
  const wanted = events.map((one) => (isSeen(one) ? (TIMES[one.event] || 0) * speed : 0));
  const firm = new Map();
  let told = false;
  for (let n = events.length - 1; n >= 0; n -= 1) {
    if (TELLS.has(events[n].event)) told = true;
    else if (MOVES.has(events[n].event) && isSeen(events[n])) {
      if (told) firm.set(n, Math.max(motionOf(fast), wanted[n]));
      told = false;
    }
  }
  const sum = (times) => times.reduce((one, other) => one + other, 0);
  const loose = sum(wanted.filter((_, n) => !firm.has(n)));
  const share = Math.min(1, Math.max(LEAST, (BUDGET * speed - sum([...firm.values()])) / (loose || 1)));
  return wanted.map((time, n) => firm.get(n) ?? time * share);
}

/** The table while a card is on its way: it lies there, and nothing counts it yet. */
export function uncounted(view, before, event) {
  if (!MOVES.has(event.event)) return view;
  const next = structuredClone(view);
  const ofDealer = event.to ? event.to === "dealer" : !event.position;
  if (ofDealer) {
    next.dealer.total = before.dealer.total;
    next.dealer.shows = before.dealer.down.some(Boolean);
    next.dealer.poker = before.dealer.poker;
    return next;
  }
  const box = next.boxes.find((one) => one.position === event.position);
  const old = before.boxes.find((one) => one.position === event.position);
  for (const [n, hand] of box?.hands.entries() || []) {
    const { total, soft, natural } = old?.hands[n] || newHand([]);
    Object.assign(hand, { total, soft, natural });
  }
  if (box) box.poker = old?.poker;
  return next;
}

/** What one player won or lost by an event, in cents; the player-dealer's part is the bank's. */
export function netOf(event, player) {
  if (event.player !== player) return 0;
  switch (event.event) {
    case "WagerSettled":
      return (event.won || 0) - (event.collected || 0);
    case "FeeCollected":
      return -event.amount;
    case "PrizeWon":
      return event.name ? 0 : event.amount;
    case "BankReturned":
      return event.net || 0;
    default:
      return 0;
  }
}
