/** What every place of the felt shows, worked out from the view. */

import { BASE } from "./scene.js";

const RESULT_WORDS = {
  won: "Win", lost: "Lost", push: "Push", tied: "Tie", surrendered: "Surrendered", rescued: "Rescued",
  returned: "Returned", dead: "Dead",
};

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
export const stakeTotal = (stake) => stake.start + sum(stake.added || []);
/** What the house has staked on a hand: it wins like money, and is not lost. */
export const markerTotal = (stake) => sum(stake.markers || []);
/** What a hand began with, as money or as the house's marker. */
const wagerOf = (stake) => stake.start || (stake.markers || [])[0] || 0;
/** How often a hand was doubled, by whoever staked it. */
export const doublesOf = (stake) => (stake?.added?.length || 0) + Math.max(0, (stake?.markers?.length || 0) - (stake?.start ? 0 : 1));
export const netOfSettled = (settled) => (settled ? settled.won - settled.collected : 0);

/** The word for what became of a wager; a small loss by a tie is a tie, not a loss. */
export function resultWord(settled) {
  return RESULT_WORDS[settled.result] || settled.result;
}

/** Won, lost or even, for colours and for tests. */
export function resultTone(settled) {
  return toneOf(netOfSettled(settled));
}

/** How a hand is called on its badge. */
export function handWords(hand, count) {
  if (!hand.cards.length) return "";
  if (hand.ended === "bust" || hand.total === "over") return "over";
  if (hand.natural) return capital(count.natural_name);
  return hand.soft ? `soft ${hand.total}` : hand.total;
}

/** Words of the rules as a sentence: they come without a capital letter and a full stop. */
export const asSentence = (text) => (text ? `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}` : "");

export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

function spotsOf(table, placed, sides) {
  return table.wagers
    .filter((wager) => wager.id !== BASE)
    .map((wager) => {
      const here = sides.filter((side) => side.wager === wager.id);
      return { wager, amount: placed.get(wager.id) || 0, settled: settledTogether(here) };
    });
}

/** What a wager came to that every hand of a split has one of: all of them together, once all are settled. */
function settledTogether(sides) {
  if (!sides.length || !sides.every((side) => side.settled)) return null;
  if (sides.length === 1) return sides[0].settled;
  const all = (part) => sum(sides.map((side) => side.settled[part] || 0));
  const [collected, won] = [all("collected"), all("won")];
  const result = won > collected ? "won" : won < collected ? "lost" : "push";
  return { result, collected, won, uncovered: all("uncovered"), why: "" };
}

/** Insurance as one spot more: a hand that is split had one insurance before. */
function insuranceOf(sides) {
  const found = sides.find((side) => side.wager === "insurance");
  return found ? { wager: "insurance", amount: found.settled ? 0 : found.amount, staked: found.amount, settled: found.settled || null } : null;
}

/** One model for every position. `draft` has the viewer's own wagers that are not yet placed. */
export function seatModels(view, table, you, { draft = {}, gathered = false } = {}) {
  const inRound = view.stage === "round";
  const showCards = inRound || !gathered;
  const asked = view.question;
  return view.positions.map((position) => {
    const sitting = view.players.find((player) => player.seat === position) || null;
    const box = view.boxes.find((one) => one.position === position) || null;
    const bets = view.bets.filter((bet) => bet.position === position);
    const ownBet = bets.find((bet) => !bet.backline);
    const shown = showCards ? box : null;
    const player = (inRound && box?.player) || sitting?.name || ownBet?.player || shown?.player || "";
    const mine = Boolean(you?.name) && (sitting ? sitting.name === you.name : player === you.name);
    const live = inRound && box ? box : null;
    const drafted = draft[position];
    let placed = new Map();
    if (drafted && drafted.kind === "place" && !inRound) placed = new Map(Object.entries(drafted.wagers));
    else if (live) {
      for (const side of live.sides.filter((one) => one.player === live.player && !one.settled))
        placed.set(side.wager, (placed.get(side.wager) || 0) + side.amount);
      const open = live.hands.filter((hand) => hand.stakes[0] && !hand.stakes[0].settled);
      placed.set(BASE, sum(open.map((hand) => stakeTotal(hand.stakes[0]))));
    } else if (ownBet && !inRound) placed = new Map(ownBet.placed);
    const sides = shown ? shown.sides.filter((side) => side.player === shown.player) : [];
    const hands = shown ? shown.hands.map((hand) => handModel(hand, table)) : [];
    const isAsked = Boolean(asked) && asked.position === position;
    const net = shown ? netOfBox(shown, shown.player) : 0;
    const settled = shown && isSettled(shown);
    return {
      position,
      player,
      mine,
      here: Boolean(sitting) && sitting.name === you?.name,
      taken: Boolean(sitting),
      leaving: Boolean(sitting?.leaving),
      bot: table.bots.includes(player),
      proposition: sitting?.kind === "proposition",
      hands,
      down: shown ? shown.down : [],
      poker: shown?.poker || "",
      dead: Boolean(shown?.dead),
      base: placed.get(BASE) || 0,
      spots: spotsOf(table, placed, sides),
      insurance: insuranceOf(sides),
      backers: backersOf(shown, bets),
      lights: lightsOf(view, table, player, position),
      banks: view.bank && view.stage !== "bank" && view.bank.seat === position ? view.bank : null,
      offered: view.offer && view.offer.seat === position ? view.offer : null,
      actionButton: view.action_button === position,
      turn: isAsked,
      turnHand: isAsked ? asked.hand : -1,
      net,
      settled: Boolean(settled),
    };
  });
}

function handModel(hand, table) {
  const stake = hand.stakes[0];
  const settled = stake?.settled || null;
  return {
    ...hand,
    words: handWords(hand, table.count),
    stake: stake ? stakeTotal(stake) : 0,
    marker: stake ? markerTotal(stake) : 0,
    doubled: doublesOf(stake) > 0,
    settled,
    given: hand.ended === "surrendered" || hand.ended === "rescued",
    result: settled ? settled.result : "",
    net: netOfSettled(settled),
    tone: settled ? resultTone(settled) : "",
    resultWords: settled ? resultWord(settled) : "",
  };
}

function netOfBox(box, player) {
  const stakes = box.hands.flatMap((hand) => hand.stakes).filter((stake) => stake.player === player);
  const sides = box.sides.filter((side) => side.player === player);
  return sum([...stakes, ...sides].map((one) => netOfSettled(one.settled)));
}

function isSettled(box) {
  const all = [...box.hands.flatMap((hand) => hand.stakes), ...box.sides];
  return all.length > 0 && all.every((one) => one.settled);
}

/** Who else has money on a hand: what lies there for the next round, else what was played. */
function backersOf(box, bets) {
  const placed = bets.filter((bet) => bet.backline)
    .map((bet) => ({ player: bet.player, amount: sum(bet.placed.map(([, cents]) => cents)), follows: bet.follows, settled: false, net: 0 }));
  if (placed.length || !box) return placed;
  const found = new Map();
  const add = (player, follows, amount, settled) => {
    const one = found.get(player) || { player, amount: 0, follows, settled: true, net: 0 };
    one.amount += amount;
    one.settled &&= Boolean(settled);
    one.net += netOfSettled(settled);
    found.set(player, one);
  };
  for (const hand of box.hands) {
    for (const stake of hand.stakes.slice(1)) add(stake.player, stake.follows, stakeTotal(stake), stake.settled);
  }
  for (const side of box.sides.filter((one) => one.player !== box.player)) add(side.player, false, side.amount, side.settled);
  return [...found.values()];
}

/** All side wagers of a seat together, for where there is no room for each: what lies there, or what they won. */
export function sidesOf(model) {
  const all = [...model.spots, ...(model.insurance ? [model.insurance] : [])].filter((one) => one.amount || one.settled);
  const open = all.filter((one) => one.amount && !one.settled);
  return {
    count: all.length,
    amount: sum(open.map((one) => one.amount)),
    settled: all.length > 0 && !open.length,
    net: sum(all.map((one) => netOfSettled(one.settled))),
    wager: all.length === 1 ? (all[0].wager.id || all[0].wager) : "",
  };
}

/** "3 of a kind" for "three of a kind, eights": where there is little room. */
export const pokerBriefly = (name) => name.split(",")[0].replace(/^three of/, "3 of").replace(/^four of/, "4 of").replace("straight flush", "str. flush");

/** Won, lost or even by the amount. */
export const toneOf = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "even");

function lightsOf(view, table, player, position) {
  if (!table.lights) return null;
  const of = table.lights.count;
  const found = view.lights.find(
    (one) => one.player === player && (one.position === position || one.position === 0) && player,
  );
  return { lit: found ? found.lit : 0, of };
}

/** Cards that are neither in the shoe nor on the table; null where nobody knows. */
export function discardCount(view, table) {
  if (view.shoe.left === null || view.shoe.stacked) return null;
  if (!view.shoe.shuffled) return 0;
  const onTable = sum(view.boxes.map((box) => sum(box.hands.map((hand) => hand.cards.length)) + box.down.filter(Boolean).length))
    + view.dealer.cards.length + view.dealer.down.filter(Boolean).length + view.community.length;
  return Math.max(0, table.shoe.cards - view.shoe.left - onTable);
}

/** The action that most people would take, which gets the largest button. */
export function usualAction(question, hand) {
  const legal = question.answers.map((answer) => answer.action);
  const has = (action) => legal.includes(action);
  if (has("decline")) return "decline";
  if (has("keep") || has("trade")) return has("trade") ? "trade" : "keep";
  if (has("hit") && has("stand")) {
    const total = Number(hand?.total) || 0;
    return total >= (hand?.soft ? 18 : 17) ? "stand" : "hit";
  }
  return has("stand") ? "stand" : legal[0];
}

/** The most that an action may add, in cents; 0 where there is nothing to choose. */
export function mostFor(action, table, stake) {
  const row = table.actions.find((one) => one.action === action);
  if (!row || !stake) return 0;
  if (row.wager === "insurance" && table.insurance) {
    const [up, low] = table.insurance.share;
    const most = Math.floor((stake.start * up) / low / table.chip) * table.chip;
    const allowed = table.insurance.amounts.filter((amount) => amount <= most);
    return table.insurance.amounts.length ? Math.max(0, ...allowed) : most;
  }
  if (!row.for_less) return 0;
  return row.adds === "total" ? stakeTotal(stake) : wagerOf(stake);
}

/** What an action costs in chips now. */
export function costOf(action, table, stake) {
  const row = table.actions.find((one) => one.action === action);
  if (!row || !stake) return 0;
  if (row.wager) return mostFor(action, table, stake);
  return row.by_house ? 0 : addedBy(row, stake);
}

/** What an action adds to a stake, whoever pays it. */
export function addedBy(row, stake) {
  return row.adds === "total" ? stakeTotal(stake) : row.adds === "wager" ? wagerOf(stake) : 0;
}
