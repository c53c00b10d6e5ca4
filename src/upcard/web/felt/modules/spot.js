/** A labelled spot for a side wager: what it pays, what lies on it, what it won. */

import { ChipStack } from "./chips.js";
import { netOfSettled, resultTone } from "./models.js";
import { briefOdds, dollars, paysBriefly, signed } from "./money.js";

export const WagerSpot = {
  components: { ChipStack },
  props: { spot: Object, small: Boolean, bare: Boolean, chosen: Boolean },
  emits: ["tap"],
  computed: {
    label() {
      const { wager, amount } = this.spot;
      const placed = amount ? `, ${dollars(amount)} placed` : "";
      return `${wager.name}, pays ${paysBriefly(wager.pays)}, ${wager.limits}${placed}`;
    },
    /** On the felt there is room for one figure: the best. */
    best() {
      const { pays } = this.spot.wager;
      return pays.length ? briefOdds(pays[pays.length - 1][1]) : "";
    },
    net() {
      return netOfSettled(this.spot.settled);
    },
    tone() {
      return resultTone(this.spot.settled);
    },
  },
  methods: { dollars, signed },
  template: `
    <button type="button" class="uf-spot" :class="{ 'uf-spot-small': small, 'uf-chosen': chosen, 'uf-filled': spot.amount }"
        :data-testid="'wager-spot-' + spot.wager.id" :data-amount="spot.amount" :data-result="spot.settled ? spot.settled.result : null"
        :aria-label="label" @click="$emit('tap', spot.wager.id)">
      <span class="uf-spot-name">{{ spot.wager.short }}</span>
      <template v-if="small">
        <span v-if="spot.amount" class="uf-spot-amount uf-figures">{{ dollars(spot.amount) }}</span>
        <span v-else-if="spot.settled" class="uf-net" :class="'uf-' + tone">{{ signed(net) }}</span>
        <span v-else-if="!bare" class="uf-spot-pays uf-figures">{{ best }}</span>
      </template>
      <template v-else>
        <span class="uf-spot-pays uf-figures">{{ best }}</span>
        <chip-stack v-if="spot.amount" :cents="spot.amount" :most="1"></chip-stack>
        <span v-else-if="spot.settled" class="uf-net" :class="'uf-' + tone">{{ signed(net) }}</span>
      </template>
    </button>`,
};
