/** Chips: stacks of at most five in perspective, and the round chip of a tray. */

import { h } from "vue";
import { dollars, stacksOf } from "./money.js";

const WIDTH = 30;
const RISE = 5;
const TOP = 9;

function disc(chip, level, tall) {
  const y = (tall - 1 - level) * RISE;
  return h("g", { transform: `translate(0 ${y})`, class: `uf-chip-${chip.tone}` }, [
    h("path", { d: `M1 ${TOP}v${RISE}a14 7.5 0 0 0 28 0v-${RISE}z`, class: "uf-chip-edge" }),
    h("path", {
      d: `M5 ${TOP + 4.6}v${RISE}M11 ${TOP + 6.8}v${RISE}M19 ${TOP + 6.8}v${RISE}M25 ${TOP + 4.6}v${RISE}`,
      class: "uf-chip-stripes",
    }),
    h("ellipse", { cx: 15, cy: TOP, rx: 14, ry: 7.5, class: "uf-chip-top" }),
    h("ellipse", { cx: 15, cy: TOP, rx: 9, ry: 4.6, class: "uf-chip-ring" }),
  ]);
}

/** An amount as chips, with the amount beside or below them. */
export const ChipStack = {
  props: { cents: Number, label: { type: Boolean, default: true }, most: { type: Number, default: 3 } },
  render() {
    if (!this.cents) return null;
    const stacks = stacksOf(this.cents, this.most);
    const drawn = stacks.map((stack) => {
      const height = TOP * 2 + RISE * stack.length;
      return h(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${height}`, class: "uf-stack", style: { "--tall": height / WIDTH } },
        stack.map((chip, level) => disc(chip, level, stack.length)),
      );
    });
    return h("div", { class: "uf-chips" }, [
      h("div", { class: "uf-stacks", "aria-hidden": "true" }, drawn),
      this.label ? h("span", { class: "uf-amount" }, dollars(this.cents)) : null,
    ]);
  },
};

/** A chip seen from above, for the tray. */
export function roundChip(tone, name) {
  const marks = [0, 60, 120, 180, 240, 300].map((turn) =>
    h("path", { d: "M26.5 2.3h7l-1 7h-5z", transform: `rotate(${turn} 30 30)`, class: "uf-chip-notch" }),
  );
  return h("svg", { viewBox: "0 0 60 60", class: ["uf-round-chip", `uf-chip-${tone}`], "aria-hidden": "true" }, [
    h("circle", { cx: 30, cy: 30, r: 28.5, class: "uf-chip-top" }),
    ...marks,
    h("circle", { cx: 30, cy: 30, r: 19, class: "uf-chip-ring" }),
    h("text", { x: 30, y: 35, "text-anchor": "middle", class: "uf-chip-name", "font-size": name.length > 4 ? 11 : 14 }, name),
  ]);
}

export const RoundChip = {
  props: { tone: String, name: String },
  render() {
    return roundChip(this.tone, this.name);
  },
};
