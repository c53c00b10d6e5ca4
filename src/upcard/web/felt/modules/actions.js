/** What can be done now: legal actions as large buttons, and the rule behind each, there or missing. */

import { addedBy, asSentence, costOf, mostFor, usualAction } from "./models.js";
import { dollars, percent, signed } from "./money.js";
import { topicName } from "./topics.js";

/** Milliseconds for which a button that has come to another's place takes no tap: it was meant for the other. */
const SETTLES = 400;
/** What nobody misses where it is not asked for. */
const ANSWERS_ONLY = new Set(["decline", "keep"]);
let lastUsual = "";

const WORDS = { decline: "No, thanks", insure: "Insurance", redouble: "Double again", "free-double": "Double free", "free-split": "Split free" };

export const ActionBar = {
  props: {
    table: Object, question: Object, hand: Object, stake: Object, chips: Number, advice: Object, refusal: Object,
    reason: Object, busy: Boolean, narrow: Boolean,
  },
  emits: ["act", "less", "why", "clause", "rule", "hush", "dismiss"],
  data: () => ({ asking: false, about: "", fresh: false }),
  mounted() {
    this.settle();
  },
  beforeUnmount() {
    clearTimeout(this.settling);
  },
  computed: {
    usual() {
      return usualAction(this.question, this.hand);
    },
    legal() {
      const answers = new Map(this.question.answers.map((answer) => [answer.action, answer]));
      return this.table.actions.filter((row) => answers.has(row.action)).map((row) => ({ ...row, answer: answers.get(row.action) }));
    },
    /** The answer of the table to the action that is asked about. */
    said() {
      const answer = this.question.answers.find((one) => one.action === this.about);
      if (answer) return { ...answer, words: asSentence(answer.words) };
      return this.reason && (!this.reason.action || this.reason.action === this.about) ? this.reason : null;
    },
    ruleName() {
      return topicName(`action:${this.about}`, this.table).toLowerCase();
    },
    refusedAbove() {
      return this.refusal && !this.legal.some((row) => this.refused(row)) ? this.refusal : null;
    },
    missing() {
      const legal = new Set(this.question.answers.map((answer) => answer.action));
      return this.table.actions.filter((row) => !legal.has(row.action) && !ANSWERS_ONLY.has(row.action));
    },
  },
  watch: {
    usual() {
      this.settle();
    },
    question() {
      this.asking = false;
      this.about = "";
    },
    // A key that is no answer now: the table says why.
    reason(said) {
      if (!said) return;
      this.asking = true;
      this.about = said.action || this.about;
    },
  },
  methods: {
    signed,
    percent,
    /** The usual action is the largest button, so another one may stand where the finger still is. */
    settle() {
      this.fresh = Boolean(lastUsual) && lastUsual !== this.usual;
      lastUsual = this.usual;
      clearTimeout(this.settling);
      this.settling = setTimeout(() => (this.fresh = false), SETTLES);
    },
    ask(row) {
      this.about = row.action;
      if (this.missing.includes(row)) this.$emit("why", row.action);
      else this.$emit("hush");
    },
    close() {
      const inside = document.activeElement?.closest?.(".uf-reason");
      this.asking = false;
      this.about = "";
      this.$emit("hush");
      if (inside) this.$refs.why?.focus();
    },
    words(row) {
      if (row.action === "decline") return this.question.phase === "insurance" ? "No insurance" : "Play on";
      return WORDS[row.action] || row.name;
    },
    cost(row) {
      if (row.by_house && this.stake) return `the house adds ${dollars(addedBy(row, this.stake))}`;
      const cents = costOf(row.action, this.table, this.stake);
      return cents ? `adds ${dollars(cents)}` : "";
    },
    /** Whether less than in full can be chosen. */
    lessable(row) {
      const most = mostFor(row.action, this.table, this.stake);
      const { insurance, chip } = this.table;
      if (row.wager === "insurance" && insurance?.amounts.length) return insurance.amounts.filter((amount) => amount <= most).length > 1;
      return most > chip;
    },
    advised(row) {
      return this.advice?.actions?.find((one) => one.action === row.action) || null;
    },
    /** What was refused stands beside its button where there is room, else above all of them. */
    refused(row) {
      return !this.narrow && this.refusal && this.refusal.action === row.action ? this.refusal : null;
    },
  },
  template: `
  <div class="uf-actions" role="group" aria-label="Your actions" :style="fresh ? { pointerEvents: 'none' } : {}">
    <div v-for="row in legal" :key="row.action" class="uf-action-place" :class="{ 'uf-usual-place': row.action === usual }">
      <p v-if="refused(row)" class="uf-bubble" role="alert" :data-testid="'refused-' + row.action">{{ refused(row).reason }}
        <button v-for="clause in refused(row).clauses" :key="clause" type="button" class="uf-clause" @click="$emit('clause', clause)">{{ clause }}</button></p>
      <button type="button" class="uf-action" :class="['uf-action-' + row.action, { 'uf-usual': row.action === usual, 'uf-best': advised(row) && advised(row).best }]"
          :data-testid="'action-' + row.action" :title="row.answer.words" :aria-keyshortcuts="row.key" :disabled="busy" @click="$emit('act', row.action)">
        <span class="uf-action-name">{{ words(row) }}</span>
        <kbd aria-hidden="true">{{ row.key.toUpperCase() }}</kbd>
        <span v-if="cost(row)" class="uf-action-cost uf-figures">{{ cost(row) }}</span>
        <span v-if="advised(row)" class="uf-action-value uf-figures" :data-testid="'value-' + row.action">
          <template v-if="advised(row).best">★ </template>{{ signed(Math.round(advised(row).cents)) }}</span>
      </button>
      <button v-if="lessable(row)" type="button" class="uf-less" :data-testid="'less-' + row.action" :disabled="busy" @click="$emit('less', row.action)"
          :aria-label="words(row) + ' for less'"><span>for </span>less …</button>
    </div>
    <div class="uf-whynot" @keydown.esc.stop="close">
      <p v-if="refusedAbove" class="uf-bubble uf-refused" role="alert" :data-testid="'refused' + (refusedAbove.action ? '-' + refusedAbove.action : '')">{{ refusedAbove.reason }}
        <button v-for="clause in refusedAbove.clauses" :key="clause" type="button" class="uf-clause" @click="$emit('clause', clause)">{{ clause }}</button>
        <button type="button" class="uf-bubble-close" aria-label="Close" @click="$emit('dismiss')">×</button></p>
      <button ref="why" type="button" class="uf-quiet" data-testid="why-not" :aria-expanded="asking" @click="asking ? close() : (asking = true)"
          aria-label="Why? The rule behind every action, and why others are missing">Why …?</button>
      <div v-if="asking" class="uf-bubble uf-reason" data-testid="why-list">
        <div class="uf-whynot-list" role="group" aria-label="You may"><span class="uf-soft">You may</span><button v-for="row in legal" :key="row.action" type="button" class="uf-quiet" :class="{ 'uf-chosen': about === row.action }" :aria-pressed="about === row.action" :data-testid="'why-' + row.action" @click="ask(row)">{{ words(row).toLowerCase() }}</button></div>
        <div v-if="missing.length" class="uf-whynot-list" role="group" aria-label="Why not"><span class="uf-soft">Why not</span><button v-for="row in missing" :key="row.action" type="button" class="uf-quiet" :class="{ 'uf-chosen': about === row.action }" :aria-pressed="about === row.action" :data-testid="'why-' + row.action" @click="ask(row)">{{ words(row).toLowerCase() }}?</button></div>
        <p v-if="said" role="status" data-testid="reason">{{ said.words }}
          <button v-for="clause in said.clauses" :key="clause" type="button" class="uf-clause" @click="$emit('clause', clause)">{{ clause }}</button>
          <button v-if="about" type="button" class="uf-all-rules" data-testid="why-rules" @click="$emit('rule', 'action:' + about)">All rules of {{ ruleName }}</button></p>
        <p v-else class="uf-soft">Tap an action for the rule behind it.</p>
        <button type="button" class="uf-bubble-close" aria-label="Close" @click="close">×</button>
      </div>
    </div>
  </div>`,
};
