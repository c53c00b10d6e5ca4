/** Totals of hands while cards are on their way; the table's own view has the last word. */

export const HIDDEN = "??";

/** Total in words ("17", "21.5", "over") and whether it is soft, by the table's way of counting. */
export function totalOf(cards, count, { first = false, low: held = 0 } = {}) {
  const known = cards.filter((card) => card && card !== HIDDEN);
  if (!known.length) return { total: "", soft: false, natural: false, over: false };
  let low = 0;
  let aces = 0;
  let gain = 0;
  for (const [place, card] of known.entries()) {
    const [least, most] = count.values[card[0]] || [0, 0];
    low += least;
    if (most > least && place >= held) {
      aces += 1;
      gain = most - least;
    }
  }
  const high = aces && low + gain <= count.most ? low + gain : low;
  const natural = first && known.length === 2 && isNatural(known, count);
  const over = low > count.most;
  const total = over ? "over" : natural ? count.natural : String(high / 2);
  return { total, soft: high > low && !natural, natural, over };
}

function isNatural(cards, count) {
  const [one, other] = cards.map((card) => card[0]);
  const makes = (rank) => count.natural_with.includes(rank);
  return (one === "A" && makes(other)) || (other === "A" && makes(one));
}

const RANKS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
  9: "nine", T: "ten", J: "jack", Q: "queen", K: "king",
};
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
export const GLYPHS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/** "ten of clubs", for those who listen. */
export function cardName(card) {
  if (!card || card === HIDDEN) return "a card face down";
  return `${RANKS[card[0]] || card[0]} of ${SUITS[card[1]] || "?"}`;
}

/** "10♣", for a line of text. */
export function cardBrief(card) {
  if (!card || card === HIDDEN) return "▒";
  return `${card[0] === "T" ? "10" : card[0]}${GLYPHS[card[1]] || ""}`;
}

/** What the dealer shows while players decide: the cards that lie face up, and what is told of another. */
export function shownBrief(dealer) {
  const cards = dealer.cards.map(cardBrief).join(" ");
  return dealer.told ? `${cards} over ${dealer.told}` : cards;
}
