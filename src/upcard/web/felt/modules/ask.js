/** A question with an answer of its own, such as an amount; it stands where decisions stand. */

import { dollars, parseDollars } from "./money.js";

export const AskForm = {
  props: { ask: Object, refusal: Object },
  emits: ["answer", "cancel", "clause", "decline"],
  data() {
    return { text: this.initial(), fault: "" };
  },
  watch: {
    ask() {
      this.text = this.initial();
      this.fault = "";
      this.focus();
    },
  },
  mounted() {
    this.focus();
  },
  methods: {
    dollars,
    initial() {
      const { kind, start } = this.ask;
      return kind === "amount" ? (start / 100).toFixed(start % 100 ? 2 : 0) : start || "";
    },
    focus() {
      this.$nextTick(() => {
        const field = this.$refs.field;
        if (field) {
          field.focus();
          field.select?.();
        } else this.$refs.go?.focus();
      });
    },
    set(cents) {
      this.text = (cents / 100).toFixed(cents % 100 ? 2 : 0);
      this.$refs.field?.focus();
    },
    go() {
      if (this.ask.kind !== "amount") {
        const text = String(this.text).trim();
        if (this.ask.kind === "text" && !text) this.fault = this.ask.empty || "Write something first.";
        else this.$emit("answer", text);
        return;
      }
      const cents = parseDollars(String(this.text));
      if (cents === null) this.fault = "That is no amount: write dollars, such as 25 or 12.50.";
      else if (this.ask.most && cents > this.ask.most) this.fault = `At most ${dollars(this.ask.most)}.`;
      else if (this.ask.least && cents < this.ask.least) this.fault = `At least ${dollars(this.ask.least)}.`;
      else this.$emit("answer", cents);
    },
  },
  template: `
  <form class="uf-ask" data-testid="ask" :data-ask="ask.name" :aria-label="ask.title" @submit.prevent="go" @keydown.esc.stop.prevent="$emit('cancel')">
    <div class="uf-ask-words"><h2>{{ ask.title }}</h2><p>{{ ask.words }}</p>
      <p v-if="fault || (refusal && refusal.ask)" class="uf-bubble" role="alert" data-testid="ask-fault">{{ fault || refusal.reason }}
        <template v-if="!fault"><button v-for="clause in refusal.clauses" :key="clause" type="button" class="uf-clause" @click="$emit('clause', clause)">{{ clause }}</button></template></p>
    </div>
    <div class="uf-ask-field" v-if="ask.kind === 'amount' || ask.kind === 'text'">
      <label><span class="uf-hush">{{ ask.label || ask.title }}</span>
        <span v-if="ask.kind === 'amount'" class="uf-ask-unit" aria-hidden="true">$</span>
        <input ref="field" v-model="text" data-testid="ask-field" :inputmode="ask.kind === 'amount' ? 'decimal' : 'text'" autocomplete="off" :maxlength="ask.kind === 'amount' ? 12 : ask.longest || 4000"></label>
      <button v-for="cents in ask.amounts || []" :key="cents" type="button" class="uf-quiet uf-figures" :data-testid="'ask-' + cents" @click="set(cents)">{{ dollars(cents) }}</button>
    </div>
    <div class="uf-ask-buttons">
      <button ref="go" type="submit" class="uf-action uf-usual" data-testid="ask-go"><span class="uf-action-name">{{ ask.go }}</span><kbd aria-hidden="true">{{ ask.key || '⏎' }}</kbd></button>
      <button v-if="ask.decline" type="button" class="uf-action" data-testid="ask-decline" @click="$emit('decline')"><span class="uf-action-name">{{ ask.decline }}</span><kbd aria-hidden="true">N</kbd></button>
      <button v-if="!ask.firm" type="button" class="uf-action" data-testid="ask-cancel" @click="$emit('cancel')"><span class="uf-action-name">Back</span><kbd aria-hidden="true">Esc</kbd></button>
    </div>
  </form>`,
};
