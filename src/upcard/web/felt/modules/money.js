/** Money is integer cents everywhere; these are its text forms and its chips. */

export const CHIPS = [
  { cents: 100000, name: "$1,000", tone: "yellow" },
  { cents: 50000, name: "$500", tone: "purple" },
  { cents: 10000, name: "$100", tone: "black" },
  { cents: 2500, name: "$25", tone: "green" },
  { cents: 500, name: "$5", tone: "red" },
  { cents: 100, name: "$1", tone: "white" },
];
/** What is less than a dollar lies there as one small coin. */
export const COIN = { cents: 0, name: "¢", tone: "coin" };
export const STACK = 5;

/** "$1,000", "$0.50", "-$2.50": as the rest of the house writes it. */
export function dollars(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = Math.abs(cents) % 100;
  const text = whole.toLocaleString("en-US");
  return `${sign}$${text}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** With its sign always: "+$15", "−$5", "$0". */
export function signed(cents) {
  if (!cents) return "$0";
  return `${cents > 0 ? "+" : "−"}${dollars(Math.abs(cents))}`;
}

/** A percentage with two decimals and its sign. */
export function percent(value) {
  const text = Math.abs(value).toFixed(2);
  return `${value > 0 ? "+" : Number(text) ? "−" : ""}${text} %`;
}

/** Cents from what somebody typed in dollars; null if it is no amount. */
export function parseDollars(text) {
  const found = /^\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{0,2}))?\s*$/.exec(text);
  if (!found || (!found[1] && !found[2])) return null;
  const whole = Number((found[1] || "0").replaceAll(",", ""));
  return whole * 100 + Number((found[2] || "").padEnd(2, "0") || 0);
}

/** Chips of an amount, the largest first: every chip as its row of CHIPS. */
export function chipsOf(cents) {
  const found = [];
  let left = cents;
  for (const chip of CHIPS) {
    while (left >= chip.cents && found.length < 40) {
      found.push(chip);
      left -= chip.cents;
    }
  }
  if (left > 0) found.push(COIN);
  return found;
}

/** The same in stacks of at most five; of very many chips the first stacks only. */
export function stacksOf(cents, most = 4) {
  const chips = chipsOf(cents);
  const stacks = [];
  for (let at = 0; at < chips.length && stacks.length < most; at += STACK) {
    stacks.push(chips.slice(at, at + STACK));
  }
  return stacks;
}

/** "1 to 1" as "1:1", for small spots. */
export function briefOdds(odds) {
  return odds.replace(" to ", ":").replace(" for ", ":");
}

/** What a wager pays in a word or two: "3:2", "1:1 or 3:2", "up to 18:1". */
export function paysBriefly(pays) {
  const figures = [...new Set(pays.map(([, odds]) => briefOdds(odds)))];
  if (figures.length === 0) return "";
  if (figures.length === 1) return figures[0];
  return pays.length > 2 || pays.every(([event]) => event)
    ? `up to ${figures[figures.length - 1]}`
    : figures.join(" · ");
}
