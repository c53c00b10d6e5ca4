/** Where everything lies on the felt: pure geometry, in pixels of the stage. */

import { doublesOf } from "./models.js";
import { HIDDEN } from "./totals.js";

const CARD = { width: 88, ratio: 124 / 88 };
const DESIGN = { width: 1120, height: 676 };
/** Pages narrower than this have no room for a panel beside the felt. */
export const NARROW = 960;

export function isNarrow(width) {
  return width < NARROW;
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** What a seat has below its cards beside the circle: a row of small spots, lights. */
export function seatRows(table) {
  return (table.wagers.length > 3 ? 30 : 0) + (table.lights ? 16 : 0);
}

/** The geometry of a stage of this size on a page; `own` is the viewer's seat or 0. */
export function layoutOf({ width, height, positions, page = width, own = 0, down = 0, rows = 0 }) {
  return isNarrow(page)
    ? phone({ width, height, positions, own, down, rows })
    : desktop({ width, height, positions, own, down });
}

function desktop({ width, height, positions, own, down }) {
  const unit = clamp(Math.min(width / DESIGN.width, height / DESIGN.height), 0.5, 2);
  const middle = width / 2;
  const crowd = positions > 7 ? 7 / positions : 1;
  const card = CARD.width * unit * crowd;
  const weights = Array.from({ length: positions }, (_, n) => (n + 1 === own ? (down ? 1.9 : 1.62) : 1));
  const sum = weights.reduce((one, other) => one + other, 0);
  const margin = 34 * unit;
  const span = Math.min(width - 2 * margin, 1500 * unit);
  const start = middle - span / 2;
  const radius = span / 2 + 24 * unit;
  const bottom = height - 16 * unit;
  const top = 0.34 * height;
  let gone = 0;
  const seats = weights.map((weight, index) => {
    const sector = (span * weight) / sum;
    const x = start + (span * gone) / sum + sector / 2;
    gone += weight;
    const off = (x - middle) / radius;
    const y = top + (bottom - top) * Math.sqrt(Math.max(0, 1 - off * off));
    const mine = index + 1 === own;
    return {
      position: index + 1,
      x,
      y,
      width: sector - 8 * unit,
      card: (mine ? 1.2 : down ? 0.84 : 1) * card,
      scale: unit * (mine ? 1.12 : crowd),
      compact: false,
      mine,
    };
  });
  return {
    narrow: false,
    width,
    height,
    unit,
    seats,
    dealer: { x: middle, y: 18 * unit, card: CARD.width * unit, width: 420 * unit },
    shoe: { x: width - 78 * unit, y: 64 * unit },
    discards: { x: 72 * unit, y: 62 * unit },
    community: { x: middle - 300 * unit, y: 40 * unit, card: 70 * unit },
    bank: { x: middle, y: 14 * unit },
    felt: feltPath(width, height, top + 8 * unit, unit),
    arcs: arcs(width, height, unit, own ? 0.88 : 1, down),
    ratio: CARD.ratio,
  };
}

/** The cloth: straight where the dealer stands, a wide curve where the players sit. */
function feltPath(width, height, shoulder, unit) {
  const edge = 10 * unit;
  const low = height + 26 * unit;
  return [
    `M${edge} 0H${width - edge}`,
    `V${shoulder}`,
    `C${width - edge} ${0.86 * height} ${0.83 * width} ${low} ${width / 2} ${low}`,
    `S${edge} ${0.86 * height} ${edge} ${shoulder}Z`,
  ].join("");
}

/** Paths for the lettering: the first line large, and two below it along the same curve. */
function arcs(width, height, unit, tight) {
  const sizes = [30, 17, 15];
  const first = 262 * unit;
  const reach = Math.min(430 * unit, width * 0.4) * tight;
  return sizes.map((size, line) => {
    const y = first + line * 30 * unit + (line ? 6 * unit : 0);
    const rise = 62 * unit;
    const [left, right] = [width / 2 - reach, width / 2 + reach];
    return { size: size * unit, path: `M${left} ${y - rise}Q${width / 2} ${y + rise} ${right} ${y - rise}`, reach: reach * 2 };
  });
}

/** From line to line of the lettering on a phone: enough for a thumb's tip. */
const LINE = 20;
/** How far cards lie above the foot of a seat whose circle and name are beside them. */
export const BESIDE = 8;
/** What circle, spots and name have of a short stage's width, at the left; felt.css knows it too. */
const SPOTS = 0.4;

function phone({ width, height, positions, own, down, rows }) {
  const unit = clamp(width / 390, 0.82, 1.4);
  const others = Array.from({ length: positions }, (_, n) => n + 1).filter((n) => n !== own);
  const sized = (room) => room / ((66 + 88) * CARD.ratio * unit);
  const foot = (100 + rows) * 1.1;
  const strip = 98 * unit;
  const rest = height - strip - (6 + foot + 26 + 12 + 40 + LINE + 4) * unit;
  if (own && sized(rest) < (rows < 30 ? 0.7 : 0.68)) return short({ width, height, positions, own, down, others });
  // Cards as large as leaves a line of lettering, or two where they stay large enough, between the dealer and the own hand.
  const fits = sized(rest - LINE * unit) < 0.84 ? sized(rest) : sized(rest - LINE * unit);
  const tight = clamp(Math.min(height / 560, own ? fits : 2), 0.7, 1.15);
  const ownCard = 88 * unit * tight;
  const mine = { x: width / 2, y: height - 6 * unit, width: width - 16 * unit, card: ownCard, scale: unit * 1.1 };
  const seats = stripOf({ width, positions, own, others, down, unit, y: strip, card: 38 * unit, mine });
  const dealerTop = strip + 12 * unit;
  const dealerCard = 66 * unit * tight;
  const below = dealerTop + dealerCard * CARD.ratio + 40 * unit;
  // As many lines of lettering as there is room for above the own hand.
  const ownTop = own ? height - (6 + foot) * unit - ownCard * CARD.ratio - 26 * unit : height - LINE * unit;
  const lines = clamp(Math.floor((ownTop - below - 8 * unit) / (LINE * unit)) + 1, 1, 3);
  return {
    ...small({ width, height, unit, strip, seats, dealerTop, dealerCard }),
    community: { x: width - 46 * unit, y: below + 14 * unit, card: 34 * unit },
    arcs: lettering({ width, unit, below, lines }),
  };
}

/** A stage of little height: circle, spots and name beside the own cards, and no more lettering than has room.
 *
 * Dealer and own hand share what others' strip leaves, 3 to 4; totals lie on the dealer's cards and above the own.
 */
function short({ width, height, positions, own, down, others }) {
  const unit = clamp(Math.min(width / 390, height / 340), 0.82, 1.4);
  const strip = clamp(0.25 * height, 74, 98 * unit);
  const dealerTop = strip + 6;
  const around = { words: 12, total: 26, foot: 4 + BESIDE * 0.82 * unit };
  const rest = height - dealerTop - around.words - around.total - around.foot;
  const ownCard = Math.min(88 * unit, rest / (1.75 * CARD.ratio));
  const dealerCard = 0.75 * ownCard;
  const left = SPOTS * width;
  const mine = { x: left + (width - left - 8) / 2, y: height - 4, width: width - left - 8, card: ownCard, scale: 0.82 * unit, beside: true };
  const tall = strip - 26 * 0.72 * unit - 18;
  const seats = stripOf({ width, positions, own, others, down, unit, y: strip, card: Math.min(38 * unit, tall / CARD.ratio), mine });
  const below = dealerTop + dealerCard * CARD.ratio + around.words + 6 * unit;
  const ownTop = height - around.foot - ownCard * CARD.ratio - around.total;
  // Cards in the middle lie between the discards and the own circle.
  const middle = dealerTop + 40 * unit + 36;
  const lines = clamp(Math.floor((ownTop - below + 5) / (LINE * unit)), 0, 3);
  return {
    ...small({ width, height, unit, strip, seats, dealerTop, dealerCard }),
    community: { x: (SPOTS * width) / 2, y: middle, card: clamp((height - 48 - 50 * unit - middle) / CARD.ratio, 24, 34 * unit) },
    arcs: lettering({ width, unit, below, lines }),
  };
}

/** The places of others in a strip above, and the own one. */
function stripOf({ width, positions, own, others, down, unit, y, card, mine }) {
  const room = width / Math.max(others.length, 1);
  return Array.from({ length: positions }, (_, n) => {
    const position = n + 1;
    if (position === own) return { position, ...mine, compact: false, mine: true };
    return {
      position, x: room * (others.indexOf(position) + 0.5), y, width: room - 2, card: Math.min(card, room * (down ? 0.46 : 0.62)),
      scale: 0.72 * unit, compact: true, mine: false,
    };
  });
}

/** What all small stages have alike. */
function small({ width, height, unit, strip, seats, dealerTop, dealerCard }) {
  return {
    narrow: true,
    width,
    height,
    unit,
    strip,
    seats,
    dealer: { x: width / 2, y: dealerTop, card: dealerCard, width: width * 0.56 },
    shoe: { x: width - 46 * unit, y: dealerTop + 40 * unit },
    discards: { x: 40 * unit, y: dealerTop + 40 * unit },
    bank: { x: width / 2, y: dealerTop },
    felt: `M0 0H${width}V${height}H0Z`,
    ratio: CARD.ratio,
  };
}

function lettering({ width, unit, below, lines }) {
  return [15, 11, 10.5].slice(0, lines).map((size, line) => ({
    size: size * unit,
    path: `M${8 * unit} ${below + line * LINE * unit}Q${width / 2} ${below + (22 + line * LINE) * unit} ${width - 8 * unit} ${below + line * LINE * unit}`,
    reach: width - 16 * unit,
    room: LINE * unit,
  }));
}

// ------------------------------------------------------------------ the cards of one seat

/** Where the cards of a seat lie: [{key, card, x, y, turn, hand, ...}] around the seat's middle.
 *
 * Hands lie side by side, the active one a little higher; a doubled card lies across the others;
 * cards that are face down lie behind those that are up: close together, unless one is picked.
 */
export function seatCards({ hands, down = [], width, card, ratio, active = -1, picking = false, keys }) {
  const held = down.map((face, place) => ({ face, place: place + 1 })).filter((one) => one.face);
  const several = hands.length > 1;
  const spread = several ? 0.27 : 0.36;
  const wide = hands.map((hand) => 1 + spread * Math.max(0, hand.cards.length - 1));
  const total = sum(wide) + GAP * (hands.length - 1);
  const size = card * (several ? clamp(width / (total * card), 0.5, 1) : 1);
  const tall = size * ratio;
  const seen = held.some((one) => one.face !== HIDDEN);
  const heldStep = picking ? 0.4 * size : seen ? 0.3 * size : 0.08 * size;
  // A single hand keeps its size and closes up instead.
  const steps = Math.max(1, (hands[0]?.cards.length || 1) - 1 + (held.length && (picking || seen) ? held.length : 0));
  const room = Math.max(0.5 * size, width - size - (picking || seen ? 0 : held.length * heldStep + (held.length ? 0.2 * size : 0)));
  const dx = several ? spread * size : Math.min((held.length ? 0.44 : spread) * size, room / steps);
  const heldX = picking || seen ? Math.min(heldStep, dx) : heldStep;
  const first = held.length ? (picking || seen ? dx : 0.34 * size) + heldX * (held.length - 1) : 0;
  const widths = hands.map((hand, n) => size + Math.max(0, hand.cards.length - 1) * dx + (n === 0 ? first : 0));
  let left = -(sum(widths) + GAP * size * (hands.length - 1)) / 2;
  const found = [];
  const centres = [];
  hands.forEach((hand, number) => {
    const lift = active === number && several ? 0.12 * tall : 0;
    found.push(...upCards(hand, number, { left, dx, tall, lift, size, keys }));
    centres.push({ x: left + widths[number] / 2, width: widths[number], y: -tall - lift, size });
    if (number === 0) {
      const start = left + Math.max(0, hand.cards.length - 1) * dx + (picking || seen ? dx : 0.34 * size);
      held.forEach((one, place) => {
        const lies = { x: start + place * heldX, y: -tall + 0.05 * tall, turn: 0, size };
        found.push({ ...lies, key: `down:${one.place}`, card: one.face, hand: 0, dimmed: false, order: 10 + place, pick: one.place });
      });
    }
    left += widths[number] + GAP * size;
  });
  return { cards: found, centres, size, tall };
}

const GAP = 0.16;
const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

function upCards(hand, number, { left, dx, tall, lift, size, keys }) {
  const doubled = doublesOf(hand.stakes?.[0]);
  const over = hand.ended === "bust";
  return hand.cards.map((face, place) => {
    const across = doubled > 0 && place >= 2 && place >= hand.cards.length - doubled;
    return {
      key: keys(face, number, place),
      card: face,
      hand: number,
      x: left + place * dx,
      y: -tall - lift + (across ? 0.12 * tall : 0),
      turn: across ? 90 : over ? (place - 0.5) * 7 : 0,
      size,
      dimmed: over || Boolean(hand.given),
      order: number * 20 + place,
      pick: 0,
    };
  });
}
