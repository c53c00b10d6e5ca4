/** A small picture of a game's felt for the lobby: the same cloth, spots and cards, standing still. */

import { FeltCloth } from "./surface.js";
import { PlayingCard } from "./cards.js";
import { ChipStack } from "./chips.js";

const WIDTH = 1120;
const HEIGHT = 560;

export const FeltPicture = {
  components: { FeltCloth, PlayingCard, ChipStack },
  props: { info: Object },
  computed: {
    layout() {
      const low = HEIGHT + 60;
      return {
        narrow: false, width: WIDTH, height: HEIGHT, unit: 1.25,
        felt: `M0 0H${WIDTH}V190C${WIDTH} 440 ${0.8 * WIDTH} ${low} ${WIDTH / 2} ${low}S0 440 0 190Z`,
        arcs: [46, 30].map((size, line) => ({
          size,
          path: `M60 ${195 + line * 50}Q${WIDTH / 2} ${330 + line * 50} ${WIDTH - 60} ${195 + line * 50}`,
          reach: WIDTH - 160,
        })),
      };
    },
    seats() {
      const count = Math.min(5, this.info.positions);
      return Array.from({ length: count }, (_, n) => {
        const off = (n - (count - 1) / 2) / (count / 2);
        return { n, x: WIDTH / 2 + off * 470, y: 472 - 132 * off * off };
      });
    },
    hands() {
      const marked = Object.keys(this.info.marked);
      const own = marked.length ? [marked[marked.length - 1], "Ah"] : this.info.deal.down ? ["Js", "9h"] : ["Kd", "As"];
      return { dealer: ["7c", "??"], own };
    },
  },
  template: `
  <div class="uf uf-picture" :style="{ '--felt': info.felt }" role="img" :aria-label="'The felt of ' + info.title">
    <div class="uf-picture-in" aria-hidden="true">
      <felt-cloth :layout="layout" :table="info"></felt-cloth>
      <div class="uf-picture-cards" style="left: 50%; top: 20px"><playing-card v-for="card in hands.dealer" :key="card" :card="card"></playing-card></div>
      <div v-for="seat in seats" :key="seat.n" class="uf-picture-seat" :style="{ left: seat.x + 'px', top: seat.y + 'px' }">
        <i class="uf-picture-circle"></i><i v-for="wager in info.wagers.slice(1, 3)" :key="wager.id" class="uf-picture-spot"></i>
        <span v-if="info.lights" class="uf-picture-lights"><i v-for="n in info.lights.count" :key="n" :class="{ 'uf-lit': n <= 2 * seat.n + 1 }"></i></span>
      </div>
      <div class="uf-picture-cards uf-picture-own" style="left: 50%; top: 352px"><playing-card v-for="card in hands.own" :key="card" :card="card" :mark="info.marked[card]"></playing-card></div>
    </div>
  </div>`,
};
