/** The panel beside the felt: what happened, coach, rules, session. On a phone a sheet from below. */

import { dollars, percent, signed } from "./money.js";
import { capital } from "./models.js";
import { judgedWords } from "./chronicle.js";
import { methodWords, topicList, topicName } from "./topics.js";

const TABS = [
  { id: "events", name: "Events" },
  { id: "coach", name: "Coach" },
  { id: "rules", name: "Rules" },
  { id: "session", name: "Session" },
];

export const SidePanel = {
  props: {
    tab: String, log: Array, rules: Object, table: Object, advice: Object, coach: Boolean, session: Object, found: String,
    you: Object, shoe: Object, topic: String, links: Object, replay: Boolean, deciding: Boolean, options: Object, played: Number,
  },
  emits: ["theme", "tab", "coach", "close", "clause", "ask", "topic", "option", "rule"],
  data: () => ({ search: "", index: false }),
  computed: {
    tabs() {
      return this.replay ? TABS.filter((one) => one.id === "events" || one.id === "rules") : TABS;
    },
    sections() {
      const wanted = this.search.trim().toLowerCase();
      const places = this.topic && !wanted ? this.rules.topics[this.topic] || [] : null;
      return this.rules.sections
        .map((section, number) => ({
          title: section.title,
          rules: section.rules.filter((rule, line) =>
            places
              ? places.some(([one, other]) => one === number && other === line)
              : !wanted || (rule.words + rule.clauses.join(" ") + section.title).toLowerCase().includes(wanted)),
        }))
        .filter((section) => section.rules.length);
    },
    /** Those of this page, and those that the coach judged before it was opened. */
    mistakes() {
      const { mistakes, reviewed } = this.session;
      const cost = mistakes.reduce((sum, one) => sum + one.cost, 0);
      return { count: mistakes.length + (reviewed?.mistakes || 0), cost: cost + (reviewed?.cost || 0) };
    },
    clause() {
      const id = this.search.trim().toUpperCase();
      return this.rules.clauses[id] ? { id, words: this.rules.clauses[id] } : null;
    },
    topicName() {
      return topicName(this.topic, this.table);
    },
    topics() {
      return topicList(this.table, this.rules);
    },
    /** Pay tables of what is looked at: of one wager, or of all beside the first. */
    payTables() {
      const [kind, id] = (this.topic || "").split(":");
      if (this.topic === "sides") return this.table.wagers.slice(1);
      return kind === "wager" ? this.table.wagers.filter((wager) => wager.id === id) : [];
    },
    /** The last line with a rule behind it: the one that Tab comes to. */
    lastLed() {
      return this.log.findLastIndex((line) => line.topic);
    },
    method() {
      return methodWords(this.advice?.method);
    },
    /** How the wagers of the next round were priced, those that were priced alike in one line. */
    ways() {
      const names = new Map();
      for (const one of [...(this.advice?.next || []), this.advice?.together]) {
        if (one?.method) names.set(one.method, [...(names.get(one.method) || []), one.name || one.wager]);
      }
      return [...names].map(([method, alike]) => `${alike.join(", ")}: ${method}.`);
    },
    atPlay() {
      return `${Math.floor(this.played / 60)}:${String(this.played % 60).padStart(2, "0")}`;
    },
  },
  watch: {
    found(text) {
      this.search = text || "";
    },
    topic(name) {
      if (name) this.search = "";
      if (this.$refs.rules) this.$refs.rules.scrollTop = 0;
    },
    log() {
      this.toEnd();
    },
    tab() {
      this.toEnd(true);
    },
  },
  mounted() {
    this.toEnd(true);
  },
  methods: {
    dollars,
    signed,
    percent,
    judgedWords,
    /** The list follows what happens, unless somebody reads further up. */
    toEnd(anyhow = false) {
      const list = this.$refs.list;
      const follows = anyhow || !list || list.scrollHeight - list.scrollTop - list.clientHeight < 120;
      if (!follows) return;
      this.$nextTick(() => {
        const now = this.$refs.list;
        if (now) now.scrollTop = now.scrollHeight;
      });
    },
    step(event, by) {
      const ids = this.tabs.map((one) => one.id);
      const next = ids[(ids.indexOf(this.tab) + by + ids.length) % ids.length];
      this.$emit("tab", next);
      this.$nextTick(() => this.$refs[`tab-${next}`]?.[0]?.focus());
      event.preventDefault();
    },
    /** Through the list of events line by line. */
    go(event, by) {
      const words = [...event.currentTarget.querySelectorAll(".uf-log-word")];
      const at = words.indexOf(event.target);
      if (at < 0) return;
      words[Math.max(0, Math.min(words.length - 1, at + by))].focus();
      event.preventDefault();
    },
    lookUp(text) {
      this.$emit("topic", "");
      this.search = text;
    },
  },
  template: `
  <aside class="uf-panel" aria-label="Beside the table" data-testid="panel">
    <div class="uf-tabs"><div role="tablist" aria-label="Panel">
      <button v-for="one in tabs" :key="one.id" :ref="'tab-' + one.id" type="button" role="tab" :id="'uf-tab-' + one.id" :aria-selected="tab === one.id" :aria-controls="'uf-panel-' + one.id"
          :tabindex="tab === one.id ? 0 : -1" :data-testid="'tab-' + one.id" @click="$emit('tab', one.id)" @keydown.right="step($event, 1)" @keydown.left="step($event, -1)">{{ one.name }}</button>
      </div><button type="button" class="uf-panel-close" data-testid="panel-close" aria-label="Close the panel" @click="$emit('close')">×</button>
    </div>
    <div v-if="tab === 'events'" ref="list" class="uf-panel-body uf-log" role="tabpanel" id="uf-panel-events" aria-labelledby="uf-tab-events" tabindex="0" data-testid="log">
      <p v-if="!log.length" class="uf-soft">Nothing has happened yet.</p>
      <ol @keydown.up="go($event, -1)" @keydown.down="go($event, 1)"><li v-for="(line, n) in log" :key="line.key" :class="['uf-log-' + line.kind, { 'uf-log-mine': line.mine }]"><button v-if="line.topic" type="button" class="uf-log-word" :tabindex="n === lastLed ? 0 : -1" :data-topic="line.topic" @click="$emit('rule', line.topic)">{{ line.words }}</button><span v-else>{{ line.words }}</span></li></ol>
    </div>
    <div v-else-if="tab === 'coach'" class="uf-panel-body" role="tabpanel" id="uf-panel-coach" aria-labelledby="uf-tab-coach" tabindex="0" data-testid="coach">
      <label class="uf-switch"><input type="checkbox" data-testid="coach-switch" :checked="coach" @change="$emit('coach', $event.target.checked)"><span class="uf-switch-track" aria-hidden="true"></span><span>Coach <kbd aria-hidden="true">G</kbd></span></label>
      <p class="uf-soft">The exact value of every legal action, from this shoe as it is.</p>
      <template v-if="coach && advice">
        <table v-if="advice.actions && advice.actions.length" class="uf-values"><caption class="uf-hush">What every action is worth</caption>
          <thead><tr><th scope="col">Action</th><th scope="col">Worth</th><th scope="col">Of wager</th></tr></thead>
          <tbody><tr v-for="one in advice.actions" :key="one.action" :class="{ 'uf-best': one.best }"><th scope="row"><span v-if="one.best" aria-label="best">★</span> {{ one.action }}</th>
            <td class="uf-figures">{{ signed(Math.round(one.cents)) }}</td><td class="uf-figures">{{ percent(one.percent) }}</td></tr></tbody></table>
        <table v-if="advice.next && advice.next.length" class="uf-values"><caption>The next round is worth</caption>
          <thead><tr><th scope="col">Wager</th><th scope="col">Worth</th><th scope="col">Of it</th></tr></thead>
          <tbody><tr v-for="one in advice.next" :key="one.wager" :data-testid="'next-' + one.wager"><th scope="row">{{ one.name || one.wager }}, {{ dollars(one.bet || 0) }}</th><td class="uf-figures">{{ typeof one.cents === 'number' ? signed(one.cents) : '–' }}</td><td class="uf-figures">{{ typeof one.percent === 'number' ? percent(one.percent) : '–' }}</td></tr></tbody>
          <tfoot v-if="advice.together"><tr data-testid="next-together"><th scope="row">{{ advice.together.name }}, {{ dollars(advice.together.bet) }}</th><td class="uf-figures">{{ signed(advice.together.cents) }}</td><td class="uf-figures">{{ percent(advice.together.percent) }}</td></tr></tfoot></table>
        <p v-if="advice.next && advice.of" class="uf-soft" data-testid="next-bet">For {{ advice.of }}: {{ dollars(advice.bet) }}.</p>
        <p v-for="note in advice.notes || []" :key="note" class="uf-soft">{{ note }}</p>
        <p v-if="advice.words">{{ advice.words }}</p>
        <details v-if="method" class="uf-method" data-testid="method"><summary>How this is worked out</summary><p>{{ method }}</p><p class="uf-soft">The term for it: {{ advice.method }}.</p></details>
        <details v-if="ways.length" class="uf-method" data-testid="next-method"><summary>How this is worked out</summary><p v-for="way in ways" :key="way">{{ way }}</p></details>
      </template>
      <p v-else-if="coach && deciding" class="uf-soft" role="status">Working out the values …</p>
      <p v-else-if="coach" class="uf-soft">At your next decision the values stand here and on the buttons.</p>
      <div v-if="session.last" class="uf-note" data-testid="last-mistake"><b>Last decision</b>
        <p>{{ judgedWords(session.last) }}</p></div>
    </div>
    <div v-else-if="tab === 'rules'" ref="rules" class="uf-panel-body" role="tabpanel" id="uf-panel-rules" aria-labelledby="uf-tab-rules" tabindex="0" data-testid="rules">
      <label class="uf-search"><span class="uf-hush">Search the rules</span><input v-model="search" type="search" data-testid="rules-search" placeholder="A word or a clause" @input="$emit('topic', '')"></label>
      <div v-if="topic && !search" class="uf-topic" data-testid="rule-topic"><h2 class="uf-topic-name">{{ topicName }}</h2>
        <template v-for="wager in payTables" :key="wager.id"><table v-if="wager.pays.length" class="uf-values" :data-testid="'pays-' + wager.id"><caption :class="{ 'uf-hush': payTables.length === 1 }">{{ wager.name }} pays</caption><tbody><tr v-for="[event, odds] in [...wager.pays].reverse()" :key="event"><th scope="row">{{ event || 'a win' }}</th><td class="uf-figures">{{ odds }}</td></tr></tbody></table></template>
        <p v-if="topic === 'shoe' && shoe" class="uf-promise">Shoe {{ shoe.number }} was promised before its first card:<code data-testid="promise">{{ shoe.commitment }}</code>
          <span v-if="shoe.clients && shoe.clients.length">Mixed in by players: {{ shoe.clients.join(', ') }}</span>
          <span v-else>No player has mixed a word into it. </span><span v-if="options.mix && !replay"> Your browser mixes in a word of its own before a new shoe is shuffled; the tab Session has the switch.</span></p>
        <button type="button" class="uf-quiet" @click="$emit('topic', '')">All rules</button></div>
      <details v-if="!topic && !search" class="uf-method" data-testid="topics" :open="index" @toggle="index = $event.target.open"><summary>By what is on the felt</summary><div class="uf-topics"><button v-for="one in topics" :key="one.topic" type="button" class="uf-quiet" :data-testid="'topic-' + one.topic" @click="$emit('rule', one.topic)">{{ one.name }}</button></div></details>
      <div v-if="clause" class="uf-note" data-testid="clause"><b>{{ clause.id }}</b><p>{{ clause.words }}</p></div>
      <section v-for="section in sections" :key="section.title"><h2>{{ section.title }}</h2>
        <div v-for="(rule, n) in section.rules" :key="n" class="uf-rule"><p>{{ rule.words }}
          <button v-for="one in rule.clauses" :key="one" type="button" class="uf-clause" @click="lookUp(one)">{{ one }}</button><small v-for="mark in rule.marks" :key="mark">{{ mark }}</small></p>
          <table v-if="rule.rows.length && !payTables.length" class="uf-values"><tbody><tr v-for="[event, odds] in rule.rows" :key="event"><th scope="row">{{ event }}</th><td class="uf-figures">{{ odds }}</td></tr></tbody></table></div></section>
      <template v-if="!topic && !search"><section v-if="table.sign.notices.length"><h2>On the sign</h2><p v-for="words in table.sign.notices" :key="words">{{ words }}</p></section>
        <p v-if="links.rules"><a :href="links.rules">The whole sheet, with options and readings</a></p></template>
      <p v-if="!sections.length" class="uf-soft">Nothing of that is in the rules of this game.</p>
    </div>
    <div v-else class="uf-panel-body" role="tabpanel" id="uf-panel-session" aria-labelledby="uf-tab-session" tabindex="0" data-testid="session">
      <dl class="uf-figures-list"><div><dt>Result</dt><dd class="uf-figures" :class="session.net > 0 ? 'uf-won' : session.net < 0 ? 'uf-lost' : ''" data-testid="session-net">{{ signed(session.net) }}</dd></div>
        <div><dt>Rounds</dt><dd class="uf-figures">{{ session.rounds.length }}</dd></div><div><dt>Mistakes</dt><dd class="uf-figures">{{ mistakes.count }}</dd></div>
        <div><dt>They cost</dt><dd class="uf-figures">{{ dollars(mistakes.cost) }}</dd></div>
        <div v-if="you"><dt>At play today</dt><dd class="uf-figures" data-testid="at-play">{{ atPlay }}</dd></div><div v-if="you"><dt>Own limits</dt><dd class="uf-own-limits"><a href="/me#limits">Set or see</a></dd></div></dl>
      <section v-if="session.mistakes.length"><h2>Worst decisions</h2><ol class="uf-mistakes"><li v-for="(one, n) in [...session.mistakes].sort((a, b) => b.cost - a.cost).slice(0, 5)" :key="n">{{ one.hand }}: {{ one.action }} instead of {{ one.best }} <b class="uf-figures">{{ dollars(one.cost) }}</b></li></ol></section>
      <section v-if="session.rounds.length"><h2>Rounds</h2><table class="uf-values"><tbody><tr v-for="one in [...session.rounds].reverse().slice(0, 40)" :key="one.round"><th scope="row"><a v-if="links.round" :href="links.round.replace('{n}', one.round)">Round {{ one.round }}</a><template v-else>Round {{ one.round }}</template></th><td class="uf-figures" :class="one.net > 0 ? 'uf-won' : one.net < 0 ? 'uf-lost' : ''">{{ signed(one.net) }}</td></tr></tbody></table></section>
      <section v-if="you && you.cards && you.cards.length"><h2>Player's cards</h2>
        <div v-for="card in you.cards" :key="card" class="uf-players-card" data-testid="players-card"><p>{{ lightsOn(card) }}</p><code>{{ card.slice(0, 24) }}…</code>
          <button type="button" class="uf-quiet" data-testid="card-copy" @click="copy(card)">Copy</button><button type="button" class="uf-quiet" data-testid="card-present" @click="$emit('ask', 'card', card)">Give up for its lights</button></div></section>
      <section><h2>At this table</h2><div class="uf-buttons">
        <button type="button" class="uf-quiet" data-testid="buy" @click="$emit('ask', 'buy')">Buy chips <kbd aria-hidden="true">$</kbd></button>
        <button type="button" class="uf-quiet" data-testid="mix" @click="$emit('ask', 'mix')">Mix a word into the shuffle <kbd aria-hidden="true">M</kbd></button>
        <button type="button" class="uf-quiet" data-testid="walk" @click="$emit('ask', 'walk')">Walk to another seat <kbd aria-hidden="true">W</kbd></button>
        <button v-if="table.players_card" type="button" class="uf-quiet" data-testid="present" @click="$emit('ask', 'card', '')">Present a player's card</button>
        <button type="button" class="uf-quiet" data-testid="leave" @click="$emit('ask', 'leave')">Cash out and leave <kbd aria-hidden="true">C</kbd></button></div></section>
      <section><h2>Fair shuffles</h2>
        <label class="uf-switch"><input type="checkbox" data-testid="mix-own" :checked="options.mix" @change="$emit('option', 'mix', $event.target.checked)"><span class="uf-switch-track" aria-hidden="true"></span><span>Mix my own word automatically</span></label>
        <p class="uf-soft">Your browser gives a random word to every new shoe before its first wager. The table has promised its seed by then, so nobody can have chosen the cards.</p></section>
      <section><h2>How it looks</h2>
        <button type="button" class="uf-quiet uf-panel-theme" data-testid="panel-theme" @click="$emit('theme')">Light or dark</button>
        <label class="uf-switch"><input type="checkbox" data-testid="four-colour" :checked="options.four" @change="$emit('option', 'four', $event.target.checked)"><span class="uf-switch-track" aria-hidden="true"></span><span>Four-colour deck</span></label>
        <label class="uf-switch"><input type="checkbox" data-testid="fast" :checked="options.fast" @change="$emit('option', 'fast', $event.target.checked)"><span class="uf-switch-track" aria-hidden="true"></span><span>Fast cards <kbd aria-hidden="true">F</kbd></span></label></section>
      <p v-if="links.session"><a :href="links.session">What the coach judged here</a></p><p v-if="links.history"><a :href="links.history">History of this table</a></p><p v-if="links.verify"><a :href="links.verify">Verify this table</a></p>
    </div>
  </aside>`,
};

/** How many lights a player's card has punched, as far as it can be read here. */
export function lightsOn(card) {
  try {
    const body = card.split(".")[0].replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    const read = JSON.parse(new TextDecoder().decode(bytes));
    return `${read.lights} ${read.lights === 1 ? "light" : "lights"}, made out to ${read.player}`;
  } catch {
    return "A player's card";
  }
}
Object.assign(SidePanel.methods, {
  capital,
  lightsOn,
  copy: (card) => navigator.clipboard?.writeText(card),
});
