/** What one's own result of a round is made of: wager by wager, fees, prizes, the bank. */

import { netOf } from "./scene.js";
import { wagerTopic } from "./topics.js";

const OTHERS = {
  FeeCollected: { name: "Fee", topic: "fees" },
  PrizeWon: { name: "Prize", topic: "lights" },
  BankReturned: { name: "The bank", topic: "bank" },
};

/** The same parts with what an event of this player adds; they sum to the net. */
export function withPart(parts, event, player, table) {
  const wager = event.event === "WagerSettled" ? event.wager : "";
  const other = event.prize ? { name: event.prize, topic: "prizes" } : OTHERS[event.event];
  if (event.player !== player || (!wager && !other)) return parts;
  const position = wager ? event.position : 0;
  const key = `${wager || other.name}|${position}`;
  const named = table.wagers.find((one) => one.id === wager)?.name || (wager === "insurance" ? "Insurance" : wager);
  const before = parts.find((one) => one.key === key);
  const part = before || { key, position, net: 0, ...(other || { name: named, topic: wagerTopic(wager) }) };
  const next = { ...part, net: part.net + netOf(event, player) };
  return before ? parts.map((one) => (one.key === key ? next : one)) : [...parts, next];
}

/** With the seat in the name where there are wagers at several. */
export function namedParts(parts) {
  const seats = new Set(parts.map((one) => one.position).filter(Boolean));
  return parts.map((one) => (seats.size > 1 && one.position ? { ...one, name: `${one.name}, seat ${one.position}` } : one));
}
