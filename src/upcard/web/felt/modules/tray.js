/** The wager tray: which wager, chips, repeat, double, clear, undo, deal. */

import { RoundChip, ChipStack } from "./chips.js";
import { CHIPS, dollars, paysBriefly } from "./money.js";

/** Chips that make sense for a wager's limits. */
export function trayChips(wager, table) {
  const most = wager.maximum || Infinity;
  return [...CHIPS].reverse().filter((chip) => chip.cents <= most && chip.cents % table.unit === 0).slice(0, 6);
}

export const WagerTray = {
  components: { RoundChip, ChipStack },
  props: {
    table: Object, target: Object, chosen: String, wagers: Object, canUndo: Boolean, canRepeat: Boolean, hint: String,
    refusal: Object, total: Number, next: Number, chips: Number, dealing: Boolean, boxes: Array, advice: Object,
  },
  emits: ["choose", "add", "set", "undo", "clear", "repeat", "double", "deal", "type", "follow", "box", "clause", "out", "rule"],
  computed: {
    wager() {
      return this.table.wagers.find((one) => one.id === this.chosen) || this.table.wagers[0];
    },
    choices() {
      return this.wager.amounts.length ? [] : trayChips(this.wager, this.table);
    },
    named() {
      return new Map((this.advice?.next || []).map((one) => [one.wager, one]));
    },
  },
  watch: {
    chosen: "toChosen",
    wagers: "toChosen",
  },
  methods: {
    dollars,
    paysBriefly,
    /** On a phone the wagers are a strip: the one that chips go to is seen whole. */
    toChosen() {
      this.$nextTick(() => this.$el.querySelector(".uf-wager.uf-chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
    },
    worth(wager) {
      const found = this.named.get(wager.id);
      return found && typeof found.percent === "number" ? `${found.percent > 0 ? "+" : "−"}${Math.abs(found.percent).toFixed(2)} %` : "";
    },
  },
  template: `
  <div class="uf-tray" data-testid="tray">
    <p v-if="refusal && !refusal.action" class="uf-bubble" role="alert" data-testid="refused">{{ refusal.reason }}
      <button v-for="clause in refusal.clauses" :key="clause" type="button" class="uf-clause" @click="$emit('clause', clause)">{{ clause }}</button></p>
    <div v-if="table.wagers.length > 1 || boxes.length > 1 || target.kind === 'back'" class="uf-wager-list" role="group" aria-label="Wagers">
      <template v-if="boxes.length > 1">
        <button v-for="box in boxes" :key="box" type="button" class="uf-box-tab" :aria-pressed="box === target.position" :data-testid="'box-' + box" @click="$emit('box', box)">Seat {{ box }}</button>
      </template>
      <button v-for="(one, n) in table.wagers" :key="one.id" type="button" class="uf-wager" :class="{ 'uf-chosen': one.id === wager.id, 'uf-filled': wagers[one.id] }"
          :aria-pressed="one.id === wager.id" :data-testid="'wager-' + one.id" :data-amount="wagers[one.id] || 0" @click="$emit('choose', one.id)"
          :aria-label="one.name + ', ' + one.limits + ', pays ' + paysBriefly(one.pays) + ', ' + (wagers[one.id] ? dollars(wagers[one.id]) : 'nothing') + ' on it'">
        <kbd aria-hidden="true">{{ n + 1 }}</kbd>
        <span class="uf-wager-name">{{ table.wagers.length > 4 ? one.short : one.name }}</span>
        <span class="uf-wager-pays uf-figures">{{ worth(one) || paysBriefly(one.pays) }}</span>
        <b class="uf-figures">{{ wagers[one.id] ? dollars(wagers[one.id]) : '–' }}</b>
      </button>
      <label v-if="target.kind === 'back'" class="uf-follow"><input type="checkbox" data-testid="follows" :checked="target.follows" :disabled="table.backline === 'must-match'" @change="$emit('follow', $event.target.checked)"> follow doubles and splits</label>
    </div>
    <div class="uf-tray-row">
      <div class="uf-tray-tools">
        <button type="button" class="uf-tool" data-testid="tray-undo" :disabled="!canUndo" @click="$emit('undo')" aria-keyshortcuts="z"><span>Undo</span><kbd aria-hidden="true">Z</kbd></button>
        <button type="button" class="uf-tool" data-testid="tray-clear" :disabled="!total" @click="$emit('clear')" aria-keyshortcuts="o"><span>Clear</span><kbd aria-hidden="true">O</kbd></button>
      </div>
      <div class="uf-tray-chips" role="group" :aria-label="'Chips for ' + wager.name">
        <template v-if="wager.amounts.length">
          <button v-for="amount in wager.amounts" :key="amount" type="button" class="uf-fixed" :class="{ 'uf-chosen': wagers[wager.id] === amount }"
              :data-testid="'chip-' + amount" :aria-pressed="wagers[wager.id] === amount" @click="$emit('set', amount)" :aria-label="wager.name + ' of ' + dollars(amount)">
            <chip-stack :cents="amount" :label="false"></chip-stack><b class="uf-figures">{{ dollars(amount) }}</b></button>
        </template>
        <button v-else v-for="chip in choices" :key="chip.cents" type="button" class="uf-chip-button" :data-testid="'chip-' + chip.cents" :disabled="chip.cents > chips"
            @click="$emit('add', chip.cents)" :aria-label="'Add ' + chip.name + ' to ' + wager.name"><round-chip :tone="chip.tone" :name="chip.name"></round-chip></button>
        <button v-if="!wager.amounts.length" type="button" class="uf-tool uf-type" data-testid="tray-type" @click="$emit('type')" aria-keyshortcuts="a" aria-label="Type an amount"><span>$…</span><kbd aria-hidden="true">A</kbd></button>
      </div>
      <div class="uf-tray-tools">
        <button type="button" class="uf-tool" data-testid="tray-repeat" :disabled="!canRepeat" @click="$emit('repeat')" aria-keyshortcuts="r"><span>Repeat</span><kbd aria-hidden="true">R</kbd></button>
        <button type="button" class="uf-tool" data-testid="tray-double" :disabled="!total" @click="$emit('double')" aria-keyshortcuts="d"><span>Double</span><kbd aria-hidden="true">D</kbd></button>
      </div>
      <button type="button" class="uf-action uf-usual uf-deal" data-testid="tray-deal" :disabled="dealing" @click="$emit('deal')" aria-keyshortcuts="Enter">
        <span class="uf-action-name">{{ dealing ? 'Waiting …' : 'Deal' }}</span><kbd aria-hidden="true">⏎</kbd>
        <span class="uf-action-cost uf-figures">{{ total ? dollars(total) : canRepeat ? dollars(next) + ' again' : dollars(next) + ', the least' }}</span></button>
    </div>
    <button type="button" class="uf-hint" data-testid="hint" :aria-label="hint + '. Rules of this wager'" @click="$emit('rule', 'wager:' + wager.id)">{{ hint }}</button>
  </div>`,
};
