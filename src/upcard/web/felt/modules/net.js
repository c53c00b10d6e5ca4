/** What the last round came to, and behind it what each wager won or lost. */

import { signed } from "./money.js";
import { toneOf } from "./models.js";

export const RoundNet = {
  props: { net: Number, parts: Array },
  emits: ["rule"],
  data: () => ({ open: false }),
  watch: {
    parts() {
      this.open = false;
    },
  },
  methods: { signed, toneOf },
  template: `
  <span class="uf-round" @keydown.esc="open = false">
    <button type="button" class="uf-round-net uf-figures" :class="'uf-' + toneOf(net)" data-testid="round-net" :aria-expanded="open" @click="open = !open">last round {{ signed(net) }}</button>
    <span v-if="open" class="uf-bubble uf-parts" data-testid="round-parts">
      <table class="uf-values"><caption class="uf-hush">What each wager of the last round won or lost</caption>
        <tbody><tr v-for="one in parts" :key="one.key" :data-part="one.key" :data-net="one.net"><th scope="row"><button type="button" class="uf-part" @click="$emit('rule', one.topic)">{{ one.name }}</button></th><td class="uf-figures" :class="'uf-' + toneOf(one.net)">{{ signed(one.net) }}</td></tr></tbody>
        <tfoot><tr><th scope="row">Together</th><td class="uf-figures" :class="'uf-' + toneOf(net)">{{ signed(net) }}</td></tr></tfoot></table>
      <button type="button" class="uf-bubble-close" aria-label="Close" @click="open = false">×</button>
    </span>
  </span>`,
};
