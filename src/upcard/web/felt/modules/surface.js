/** The cloth itself: colour, rail, arc lettering, the dealer's tray, shoe and discards. */

import { back } from "./cards.js";
import { h } from "vue";

let numbers = 0;

/** A curve through the feet of three letters, raised to their middle. */
function through(first, middle, last, { narrow, unit }) {
  const rise = (narrow ? 4 : 6) * unit;
  const control = { x: 2 * middle.x - (first.x + last.x) / 2, y: 2 * middle.y - (first.y + last.y) / 2 };
  return `M${first.x} ${first.y - rise}Q${control.x} ${control.y - rise} ${last.x} ${last.y - rise}`;
}

const BETWEEN = "\u2002·\u2002";

/** The lettering in up to three lines of rules: the first one large, the others below it. */
export function letteringLines(lettering) {
  if (lettering.length <= 1) return lettering.map((rule) => [rule]);
  const [first, ...rest] = lettering;
  const half = rest.length <= 2 ? rest.length : Math.ceil(rest.length / 2);
  return [[first], rest.slice(0, half), rest.slice(half)].filter((line) => line.length);
}

/** The cloth. With `ruled`, every rule of the lettering leads to its clauses. */
export const FeltCloth = {
  props: { layout: Object, table: Object, ruled: Boolean },
  emits: ["rule"],
  data: () => ({ paths: {}, hot: "" }),
  computed: {
    lines() {
      const lines = letteringLines(this.table.lettering).slice(0, this.layout.arcs.length);
      let number = 0;
      return lines.map((rules, line) => rules.map((rule) => ({
        ...rule, number: number++, text: line ? rule.words : rule.words.toUpperCase(),
      })));
    },
  },
  watch: {
    layout() {
      this.$nextTick(this.measure);
    },
  },
  created() {
    this.number = numbers++;
  },
  mounted() {
    this.measure();
    document.fonts?.ready.then(() => this.measure());
  },
  render() {
    const { width, height, felt, arcs, unit, narrow } = this.layout;
    const id = (name) => `uf-${this.number}-${name}`;
    const texts = this.lines.map((rules, line) => {
      const arc = arcs[line];
      const letters = rules.map((rule) => rule.text).join(BETWEEN).length;
      // Letters of the widest system fonts; a long line is set closer, never cut.
      const wide = letters * arc.size * (line ? 0.66 : 0.82);
      const most = arc.reach * 0.98;
      const attributes = { class: ["uf-arc", `uf-arc-${line}`], "font-size": arc.size, ref: `line${line}`, "aria-hidden": "true" };
      if (wide > most) attributes["font-size"] = Math.max(9, (arc.size * most) / wide);
      const words = rules.flatMap((rule, n) => [
        ...(n ? [BETWEEN] : []), h("tspan", { class: { "uf-arc-hot": this.hot === rule.number } }, rule.text),
      ]);
      return h("text", attributes, [
        h("textPath", { href: `#${id(`arc${line}`)}`, startOffset: "50%", "text-anchor": "middle" }, words),
      ]);
    });
    return h(
      "svg",
      {
        class: "uf-cloth", viewBox: `0 0 ${width} ${height}`, width, height,
        ...(this.ruled ? { role: "group", "aria-label": "Lettering of the felt" } : { "aria-hidden": "true" }),
      },
      [
        h("defs", [
          h("radialGradient", { id: id("light"), cx: "50%", cy: "18%", r: "85%" }, [
            h("stop", { offset: "0", "stop-color": "#fff", "stop-opacity": ".12" }),
            h("stop", { offset: ".5", "stop-color": "#fff", "stop-opacity": ".03" }),
            h("stop", { offset: "1", "stop-color": "#000", "stop-opacity": ".42" }),
          ]),
          h("pattern", { id: id("weave"), width: 4, height: 4, patternUnits: "userSpaceOnUse" }, [
            h("path", { d: "M0 0h1v1H0zM2 2h1v1H2z", fill: "#000", "fill-opacity": ".09" }),
            h("path", { d: "M2 0h1v1H2zM0 2h1v1H0z", fill: "#fff", "fill-opacity": ".035" }),
          ]),
          h("clipPath", { id: id("clip") }, [h("path", { d: felt })]),
          ...arcs.map((arc, line) => h("path", { id: id(`arc${line}`), d: arc.path })),
        ]),
        narrow ? null : h("path", { d: felt, class: "uf-rail", "stroke-width": 34 * unit }),
        narrow ? null : h("path", { d: felt, class: "uf-rail-shine", "stroke-width": 2 * unit, transform: `translate(0 ${11 * unit})` }),
        h("path", { d: felt, class: "uf-felt" }),
        h("path", { d: felt, fill: `url(#${id("weave")})` }),
        h("path", { d: felt, fill: `url(#${id("light")})` }),
        narrow ? null : h("path", { d: felt, class: "uf-stitch", "stroke-width": 1.5 * unit, "clip-path": `url(#${id("clip")})` }),
        ...this.band(arcs, unit, narrow),
        ...texts,
        ...(this.ruled ? this.lines.flatMap((rules, line) => rules.map((rule) => this.place(rule, arcs[line]))) : []),
      ],
    );
  },
  methods: {
    /** What one taps to come from a rule of the lettering to its clauses: the letters, and some room around them. */
    place(rule, arc) {
      const go = () => this.$emit("rule", rule.topic);
      const hot = (yes) => () => (this.hot = yes ? rule.number : "");
      return h("path", {
        d: this.paths[rule.number] || arc.path, class: "uf-arc-place", "stroke-width": this.layout.narrow ? arc.room : arc.size * 1.5,
        role: "button", tabindex: 0, "aria-label": `${rule.words}. Its rules`, "data-testid": `lettering-${rule.number}`, "data-topic": rule.topic,
        onClick: go,
        onKeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          event.stopPropagation();
          go();
        },
        onPointerenter: hot(true), onPointerleave: hot(false), onFocus: hot(true), onBlur: hot(false),
      });
    },
    /** Where the letters of every rule lie on their arc. */
    measure() {
      if (!this.ruled || !this.$el?.isConnected) return;
      const paths = {};
      this.lines.forEach((rules, line) => {
        const text = this.$refs[`line${line}`];
        const count = text?.getNumberOfChars?.() || 0;
        let from = 0;
        for (const rule of rules) {
          const to = Math.min(from + rule.text.length, count) - 1;
          if (to > from) {
            const middle = text.getStartPositionOfChar(Math.ceil((from + to) / 2));
            paths[rule.number] = through(text.getStartPositionOfChar(from), middle, text.getEndPositionOfChar(to), this.layout);
          }
          from += rule.text.length + BETWEEN.length;
        }
      });
      this.paths = paths;
    },
    /** Two fine lines that hold the lettering together. */
    band(arcs, unit, narrow) {
      if (narrow) return [];
      const [first] = arcs;
      const last = arcs[arcs.length - 1];
      return [
        h("path", { d: first.path, class: "uf-band", transform: `translate(0 ${-40 * unit})` }),
        h("path", { d: last.path, class: "uf-band", transform: `translate(0 ${16 * unit})` }),
      ];
    },
  },
};

/** The shoe, with what is left of it. */
export const CardShoe = {
  props: { left: Number, full: Number, cut: Boolean, shuffled: Boolean, every: Boolean, unit: Number },
  emits: ["rule"],
  computed: {
    words() {
      if (this.left === null) return "";
      if (!this.left) return this.shuffled ? "none left" : "new shoe";
      return `${this.left} of ${this.full}`;
    },
    label() {
      if (this.left === null) return "Rules of the shoe";
      const cut = this.cut ? ", the cut card is out" : "";
      return `Shoe: ${this.left ? `${this.words} cards left` : this.shuffled ? "no cards left" : "to be shuffled"}${cut}. Rules of the shoe`;
    },
    share() {
      return this.full ? Math.min(1, this.left / this.full) : 0;
    },
  },
  template: `
    <button type="button" class="uf-shoe" data-testid="shoe" :data-left="left" @click="$emit('rule', 'shoe')"
        :aria-label="label">
      <svg viewBox="0 0 120 84" aria-hidden="true">
        <path d="M22 12h84a6 6 0 0 1 6 6v44l-18 14H22z" class="uf-shoe-body"/>
        <path d="M22 12h84a6 6 0 0 1 6 6l-14 6H16z" class="uf-shoe-lid"/>
        <path d="M16 24h82v52H8z" class="uf-shoe-front"/>
        <rect x="16" y="30" :width="70 * share + 4" height="40" rx="3" class="uf-shoe-cards"/>
        <path v-for="n in Math.round(16 * share)" :key="n" :d="'M' + (16 + n * 4.2) + ' 30v40'" class="uf-shoe-edges"/>
        <path v-if="cut" d="M20 26v48" class="uf-shoe-cut"/>
      </svg>
      <span v-if="words" class="uf-shoe-words uf-figures">{{ words }}</span>
      <span v-if="cut" class="uf-shoe-note">last round</span>
    </button>`,
};

/** Cards that are done, as a stack that grows. */
export const DiscardTray = {
  props: { count: Number, full: Number },
  emits: ["rule"],
  computed: {
    edges() {
      return Math.min(14, Math.ceil((14 * this.count) / Math.max(1, this.full)));
    },
  },
  template: `
    <button type="button" class="uf-discards" data-testid="discards" @click="$emit('rule', 'discards')" :aria-label="(count === null ? '' : 'Discards: ' + count + ' cards. ') + 'Rules of cards that are done'">
      <svg viewBox="0 0 96 84" aria-hidden="true">
        <path d="M10 70h76l6 8H4z" class="uf-tray"/>
        <path v-for="n in edges" :key="n" :d="'M' + (16 + n % 2) + ' ' + (70 - n * 3) + 'h64'" class="uf-discard-edge"/>
        <path d="M10 34v38M86 34v38" class="uf-tray-post"/>
      </svg>
      <span v-if="count !== null" class="uf-shoe-words uf-figures">{{ count }} out</span>
    </button>`,
};

/** The rack of chips before the dealer. */
export const ChipRack = {
  render() {
    const tones = ["white", "red", "green", "black", "purple", "black", "green", "red", "white"];
    return h("svg", { class: "uf-rack", viewBox: "0 0 270 26", "aria-hidden": "true" }, [
      h("rect", { x: 1, y: 1, width: 268, height: 24, rx: 5, class: "uf-rack-box" }),
      ...tones.map((tone, n) =>
        h("g", { class: `uf-chip-${tone}`, transform: `translate(${8 + n * 28.5} 5)` }, [
          h("rect", { width: 25, height: 16, rx: 3, class: "uf-chip-top" }),
          h("path", { d: "M4 0v16M9 0v16M14 0v16M19 0v16", class: "uf-rack-line" }),
        ]),
      ),
    ]);
  },
};

export { back };
