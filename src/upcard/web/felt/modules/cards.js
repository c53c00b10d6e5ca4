/** Playing cards as SVG: a large index, simplified pips, a back with the project's mark. */

import { h } from "vue";
import { HIDDEN, cardName } from "./totals.js";

export const SUIT_PATHS = {
  s: "M16 2C11 9 3 13 3 20.2a6 6 0 0 0 10.6 3.8c-.3 2.5-1.4 4.4-3.6 6h12c-2.2-1.6-3.3-3.5-3.6-6A6 6 0 0 0 29 20.2C29 13 21 9 16 2z",
  h: "M16 29.5C9 22.5 2.6 17.4 2.6 10.6A6.9 6.9 0 0 1 16 7.9a6.9 6.9 0 0 1 13.4 2.7C29.4 17.4 23 22.5 16 29.5z",
  d: "M16 1.8c3 5 6.6 9.8 10.6 14.2C22.6 20.4 19 25.2 16 30.2 13 25.2 9.4 20.4 5.4 16 9.4 11.6 13 6.8 16 1.8z",
  c: "M16 2a6.3 6.3 0 0 1 5.3 9.7A6.3 6.3 0 1 1 18.3 22c.3 3 1.5 5.5 3.7 8H10c2.2-2.5 3.4-5 3.7-8A6.3 6.3 0 1 1 10.7 11.7 6.3 6.3 0 0 1 16 2z",
};

/** The mark of the house: a card that is being turned up. */
export const MARK_PATH =
  "M8 4h12a3 3 0 0 1 3 3v9.5l-6.5 11.5H8a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3zm6 4.5-4.5 5.5h2.7v6h3.6v-6h2.7zM23.7 18.5V25a3 3 0 0 1-3 3h-2.5z";

const LEFT = 0.3;
const RIGHT = 0.7;
const MIDDLE = 0.5;
const PIPS = {
  2: [[MIDDLE, 0.16], [MIDDLE, 0.84]],
  3: [[MIDDLE, 0.16], [MIDDLE, 0.5], [MIDDLE, 0.84]],
  4: [[LEFT, 0.18], [RIGHT, 0.18], [LEFT, 0.82], [RIGHT, 0.82]],
  5: [[LEFT, 0.18], [RIGHT, 0.18], [MIDDLE, 0.5], [LEFT, 0.82], [RIGHT, 0.82]],
  6: [[LEFT, 0.18], [RIGHT, 0.18], [LEFT, 0.5], [RIGHT, 0.5], [LEFT, 0.82], [RIGHT, 0.82]],
  7: [[LEFT, 0.18], [RIGHT, 0.18], [MIDDLE, 0.34], [LEFT, 0.5], [RIGHT, 0.5], [LEFT, 0.82], [RIGHT, 0.82]],
  8: [[LEFT, 0.18], [RIGHT, 0.18], [MIDDLE, 0.34], [LEFT, 0.5], [RIGHT, 0.5], [MIDDLE, 0.66], [LEFT, 0.82], [RIGHT, 0.82]],
  9: [[LEFT, 0.14], [RIGHT, 0.14], [LEFT, 0.38], [RIGHT, 0.38], [MIDDLE, 0.5], [LEFT, 0.62], [RIGHT, 0.62], [LEFT, 0.86], [RIGHT, 0.86]],
  T: [[LEFT, 0.14], [RIGHT, 0.14], [MIDDLE, 0.26], [LEFT, 0.38], [RIGHT, 0.38], [LEFT, 0.62], [RIGHT, 0.62], [MIDDLE, 0.74], [LEFT, 0.86], [RIGHT, 0.86]],
};
const HEADGEAR = {
  K: "M4 22 2 7l7 6 7-10 7 10 7-6-2 15z",
  Q: "M5 22 3 10l6 4 3-8 4 6 4-6 3 8 6-4-2 12zM16 4a2.2 2.2 0 1 0 0-.1z",
  J: "M4 22c0-8 5-13 12-13s12 5 12 13zM18 9c1-6 6-8 11-7-1 5-4 9-9 9z",
};
const W = 88;
const H = 124;

function suit(kind, x, y, size, turned = false) {
  const scale = size / 32;
  const turn = turned ? ` rotate(180 16 16)` : "";
  return h("path", {
    d: SUIT_PATHS[kind],
    transform: `translate(${x - size / 2} ${y - size / 2}) scale(${scale})${turn}`,
  });
}

function index(rank, kind) {
  const text = rank === "T" ? "10" : rank;
  const attributes = { x: 6, y: 27, class: "uf-card-rank" };
  if (rank === "T") Object.assign(attributes, { textLength: 25, lengthAdjust: "spacingAndGlyphs", x: 4 });
  return [h("text", attributes, text), suit(kind, 14.5, 41, 17)];
}

function pips(rank, kind) {
  const area = { left: 24, top: 14, width: 46, height: 96 };
  return PIPS[rank].map(([x, y]) =>
    suit(kind, area.left + x * area.width, area.top + y * area.height, 14.5, y > 0.5),
  );
}

function court(rank, kind) {
  const half = [
    h("path", { d: HEADGEAR[rank], transform: "translate(32 23) scale(.96)", class: "uf-court-hat" }),
    suit(kind, 47.3, 52, 17),
  ];
  return [
    h("rect", { x: 27, y: 13, width: 41, height: 98, rx: 3, class: "uf-court-frame" }),
    h("path", { d: "M27 74 68 50", class: "uf-court-line" }),
    h("g", half),
    h("g", { transform: `rotate(180 ${47.5} ${H / 2})` }, half.map((part) => h(part))),
  ];
}

function centre(rank, kind) {
  if (rank === "A") return [suit(kind, 50, 62, 46)];
  if (HEADGEAR[rank]) return court(rank, kind);
  return PIPS[rank] ? pips(rank, kind) : [];
}

/** The face of a card. `mark` is what a bonus card carries on it. */
export function face(card, mark) {
  const rank = card[0];
  const kind = card[1];
  const corner = index(rank, kind);
  const parts = [
    h("rect", { x: 0.5, y: 0.5, width: W - 1, height: H - 1, rx: 5.3, class: "uf-card-paper" }),
    h("g", corner),
    h("g", { transform: `rotate(180 ${W / 2} ${H / 2})` }, index(rank, kind)),
    h("g", centre(rank, kind)),
  ];
  if (mark) parts.push(markOn(mark));
  return h("svg", { viewBox: `0 0 ${W} ${H}`, class: ["uf-card-face", `uf-suit-${kind}`], "aria-hidden": "true" }, parts);
}

/** A band with lamps for a card that lights one, the word itself for others. */
function markOn(mark) {
  const brief = mark.length <= 6;
  return h("g", { class: "uf-card-mark" }, [
    // Beside the index as well, where it is seen when cards lie over each other.
    h("rect", { x: 7, y: 54, width: 14, height: 14, rx: 7 }),
    h("circle", { cx: 14, cy: 61, r: 3.4 }),
    h("rect", { x: 26, y: 52, width: 46, height: 20, rx: 10 }),
    brief
      ? h("text", { x: 49, y: 65.6, "text-anchor": "middle" }, mark.toUpperCase())
      : [0, 1, 2, 3, 4].map((n) => h("circle", { cx: 33 + n * 8, cy: 62, r: 2.9 })),
  ]);
}

export function back() {
  return h("svg", { viewBox: `0 0 ${W} ${H}`, class: "uf-card-back", "aria-hidden": "true" }, [
    h("rect", { x: 0.5, y: 0.5, width: W - 1, height: H - 1, rx: 5.3, class: "uf-back-paper" }),
    h("rect", { x: 5, y: 5, width: W - 10, height: H - 10, rx: 3, class: "uf-back-field" }),
    h("path", {
      class: "uf-back-lines",
      d: "M5 34 34 5M5 64 64 5M5 94 83 16M16 113 83 46M46 113 83 76M76 113 83 106M54 5l29 29M24 5l59 59M5 16l78 78M5 46l67 67M5 76l37 37M5 106l7 7",
    }),
    h("circle", { cx: W / 2, cy: H / 2, r: 20, class: "uf-back-seal" }),
    h("path", { d: MARK_PATH, class: "uf-back-mark", transform: `translate(${W / 2 - 14} ${H / 2 - 16})` }),
  ]);
}

/** One card: both sides, so that it can be turned. */
export const PlayingCard = {
  props: { card: String, mark: String, dimmed: Boolean },
  render() {
    const down = !this.card || this.card === HIDDEN;
    return h(
      "div",
      {
        class: ["uf-card", { "uf-down": down, "uf-dimmed": this.dimmed }],
        role: "img",
        "aria-label": cardName(this.card) + (this.mark ? ", marked" : ""),
        "data-card": down ? HIDDEN : this.card,
      },
      [h("div", { class: "uf-card-turn" }, [
        h("div", { class: "uf-side uf-front" }, down ? [] : [face(this.card, this.mark)]),
        h("div", { class: "uf-side uf-back" }, [back()]),
      ])],
    );
  },
};
