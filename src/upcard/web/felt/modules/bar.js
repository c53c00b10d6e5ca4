/** The bar of 48 px: game, table, limits, clock, balance. */

import { dollars } from "./money.js";

export const TableBar = {
  props: { info: Object, you: Object, clock: Object, links: Object, state: String, played: Number, now: Number, replay: Boolean, round: Number },
  emits: ["panel", "rule", "ask", "theme", "session"],
  computed: {
    limits() {
      return this.info.wagers[0].limits;
    },
    time() {
      return new Date(this.now).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
    },
    /** Hours and minutes, as on the other pages. */
    atPlay() {
      return `${Math.floor(this.played / 60)}:${String(this.played % 60).padStart(2, "0")}`;
    },
  },
  methods: {
    dollars,
  },
  template: `
  <header class="uf-bar">
    <a class="uf-home" :href="links.lobby || '/'" data-testid="to-lobby" aria-label="Back to the lobby"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M15 5l-7 7 7 7"/></svg></a>
    <span class="uf-game" :class="{ 'uf-long': info.title.length > 20 }" data-testid="game">{{ info.title }}</span>
    <span v-if="info.name" class="uf-table-name">{{ info.name }}</span>
    <div class="uf-sign">
      <button type="button" class="uf-limits uf-figures" data-testid="limits" @click="$emit('rule', 'limits')" :aria-label="'Limits: ' + limits">{{ limits }}</button>
      <button v-if="info.fees.words.length" type="button" class="uf-limits" data-testid="fees" @click="$emit('rule', 'fees')">Fees</button>
      <button v-if="info.lights" type="button" class="uf-limits uf-prize" data-testid="prize" @click="$emit('rule', 'lights')">{{ info.lights.count }} lights: {{ info.lights.prize_words }}</button>
      <span v-if="replay" class="uf-replay-mark">Replay of round {{ round }}</span>
      <span class="uf-space"></span>
      <span class="uf-play-money">play money</span>
      <button v-if="!replay" type="button" class="uf-time uf-figures" data-testid="clock" :data-minutes="played" @click="$emit('session')" :aria-label="time + (you ? ', at play today for ' + atPlay + ' hours and minutes' : '')" :title="you ? 'Time at play today, hours and minutes' : null">{{ time }}<small v-if="you"> · {{ atPlay }} at play</small></button>
    </div>
    <button v-if="you && !replay" type="button" class="uf-balance uf-figures" data-testid="balance" :data-cents="you.chips" @click="$emit('ask', 'buy')" :aria-label="'You have ' + dollars(you.chips) + ' in chips. Buy chips'">
      <small>chips</small><b>{{ dollars(you.chips) }}</b></button>
    <button type="button" class="uf-icon" data-testid="theme" aria-label="Light or dark" @click="$emit('theme')"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18zM12 3v18"/><circle cx="12" cy="12" r="9"/></svg></button>
    <button type="button" class="uf-icon uf-menu" data-testid="panel-open" aria-label="Open the panel" @click="$emit('panel')"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16"/></svg></button>
    <i class="uf-dot" :class="'uf-dot-' + state" role="img" :aria-label="state === 'open' ? 'Connected' : 'Not connected'"></i>
  </header>`,
};
