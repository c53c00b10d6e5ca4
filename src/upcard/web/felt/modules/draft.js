/** Wagers that somebody is about to place: pure steps from one draft to the next.
 *
 * A draft is {position: {wagers: {id: cents}, kind: "place" | "back", follows}}.
 */

import { BASE } from "./scene.js";
import { dollars } from "./money.js";

export const copyOf = (draft) => JSON.parse(JSON.stringify(draft));
export const totalOfWagers = (wagers) => Object.values(wagers || {}).reduce((one, other) => one + other, 0);
export const totalOfDraft = (draft) => Object.values(draft).reduce((sum, box) => sum + totalOfWagers(box.wagers), 0);

/** The least amount of a wager. */
export function leastOf(wager, table) {
  return Math.min(...wager.amounts, Infinity) < Infinity ? Math.min(...wager.amounts) : wager.minimum || table.unit;
}

export function mostOf(wager) {
  return wager.amounts.length ? Math.max(...wager.amounts) : wager.maximum || Infinity;
}

/** A draft with another amount of one wager; none takes it away. */
export function withAmount(draft, position, wager, cents, kind = "place", follows = false) {
  const next = copyOf(draft);
  const box = next[position] || { wagers: {}, kind, follows };
  const amount = Math.max(0, Math.min(cents, mostOf(wager)));
  if (amount) box.wagers[wager.id] = amount;
  else delete box.wagers[wager.id];
  next[position] = box;
  return next;
}

/** One step more or less: through fixed amounts, or from nothing to the least and on. */
export function stepped(amount, wager, table, by) {
  const least = leastOf(wager, table);
  if (wager.amounts.length) {
    const rungs = [0, ...[...wager.amounts].sort((one, other) => one - other)];
    const at = Math.max(0, rungs.indexOf(amount));
    return rungs[Math.max(0, Math.min(rungs.length - 1, at + Math.sign(by)))];
  }
  const five = 5 * table.unit;
  const rung = (least % five === 0 ? five : table.unit) * Math.abs(by);
  if (by > 0) return Math.min(mostOf(wager), amount < least ? least : amount + rung);
  return amount - rung < least ? 0 : amount - rung;
}

/** Twice everything, as far as the limits go. */
export function doubled(draft, table) {
  const next = copyOf(draft);
  for (const box of Object.values(next)) {
    for (const wager of table.wagers) {
      const amount = box.wagers[wager.id];
      if (!amount) continue;
      const twice = wager.amounts.length
        ? Math.max(...wager.amounts.filter((one) => one <= 2 * amount))
        : 2 * amount;
      box.wagers[wager.id] = Math.min(twice, mostOf(wager));
    }
  }
  return next;
}

/** What the table would surely refuse of a box, in words; "" where it may be placed. */
export function missing(wagers, table) {
  for (const wager of table.wagers) {
    const amount = wagers[wager.id];
    if (!amount) continue;
    const least = leastOf(wager, table);
    if (amount < least) return `${wager.name} begins at ${dollars(least)}: ${dollars(least - amount)} more.`;
    if (wager.needs && !wagers[wager.needs]) {
      const needed = table.wagers.find((one) => one.id === wager.needs);
      return `${wager.name} goes along with ${needed ? needed.name : wager.needs}.`;
    }
  }
  return "";
}

/** The wagers of a box that may lie there as they are; others wait for more chips, or for the wager that they need. */
export function placeable(wagers, table) {
  const found = {};
  for (const wager of table.wagers) {
    const amount = wagers[wager.id];
    if (amount && amount >= leastOf(wager, table) && (!wager.needs || found[wager.needs])) found[wager.id] = amount;
  }
  return found;
}

/** The viewer's wagers as they lie on the layout. */
export function draftOf(view, name) {
  const draft = {};
  for (const bet of view.bets) {
    if (bet.player !== name) continue;
    const kind = bet.backline ? "back" : "place";
    draft[bet.position] = { wagers: Object.fromEntries(bet.placed), kind, follows: bet.follows };
  }
  return draft;
}

/** The wagers of a round that is being played, to repeat them; `of` is whose hand was backed. */
export function playedBy(view, name) {
  const draft = {};
  for (const box of view.boxes) {
    const wagers = {};
    const stake = box.hands[0]?.stakes.find((one) => one.player === name);
    if (stake) wagers[BASE] = stake.start;
    for (const side of box.sides) {
      if (side.player === name && side.wager !== "insurance" && !side.hand) wagers[side.wager] = side.amount;
    }
    if (box.player === name) draft[box.position] = { wagers, kind: "place", follows: false };
    else if (totalOfWagers(wagers)) draft[box.position] = { wagers, kind: "back", follows: Boolean(stake?.follows), of: box.player };
  }
  return draft;
}

/** The same wagers again, as far as they can lie now: own boxes at the seat where somebody sits, backed hands whose
 * player has wagered. `later` are those whose player is still there and has not. */
export function again(played, view, seat) {
  const now = {};
  const later = {};
  const places = Object.entries(copyOf(played));
  const own = places.filter(([, box]) => box.kind === "place");
  for (const [place, box] of own) now[own.length === 1 ? seat : place] = box;
  for (const [place, box] of places.filter(([, one]) => one.kind === "back")) {
    const position = Number(place);
    const sits = view.players.some((player) => player.name === box.of && player.seat === position);
    const banks = view.bank?.seat === position;
    if (view.bets.some((bet) => bet.position === position && bet.player === box.of && !bet.backline)) now[place] = box;
    else if (sits && !banks) later[place] = box;
  }
  return { now, later };
}

export function sameWagers(one = {}, other = {}) {
  const ids = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...ids].every((id) => (one[id] || 0) === (other[id] || 0));
}
