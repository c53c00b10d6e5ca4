/** What happened, in words: the list beside the table, what is read aloud, and one's own results. */

import { cardBrief, shownBrief } from "./totals.js";
import { netOf } from "./scene.js";
import { topicOf } from "./topics.js";
import { namedParts, withPart } from "./parts.js";
import { dollars, signed } from "./money.js";
import { capital } from "./models.js";

const MOST = 400;
/** Lines that are kept for those who listen. */
const SPOKEN = 40;
/** Milliseconds after which no further chip is expected. */
const CHIPS_LIE = 400;
const SILENT = new Set(["StepBegun", "RoundStarted", "CardBurned", "ShoeCommitted", "ShoeOpened"]);
/** What would only fill the list: steps that the next line tells anyway, cards for nobody. */
const isTold = (event) => Boolean(event.words) && event.event !== "StepBegun" && event.to !== "empty";
/** A promise or a word of 32 digits and more is in the rules of the shoe; here a few of them do. */
const brief = (words) => words.replace(/([0-9a-f]{8})[0-9a-f]{16,}\.?/g, "$1…");
const KINDS = { RoundStarted: "round", RoundEnded: "end", WagerSettled: "money", LightLit: "light", PrizeWon: "light", FeeCollected: "money" };

async function asked(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** What the coach says to a decision. */
export const judgedWords = ({ action, best, cost }) =>
  (cost ? `${capital(action)} instead of ${best} cost ${dollars(cost)}.` : `${capital(action)}: the best play.`);

export const chronicle = {
  data: () => ({
    log: [],
    session: { net: 0, rounds: [], mistakes: [], last: null, reviewed: null },
    result: null,
    resultParts: [],
  }),
  computed: {
    /** The coach's word on the last decision, as long as its round is on the felt. */
    judged() {
      const { last } = this.session;
      if (!this.options.coach || !last || last.round !== this.view.round) return null;
      const { cost, best } = last;
      return { cost, words: judgedWords(last), briefly: cost ? `${best} was better` : "best play", sign: cost ? `✗ ${signed(-cost)}` : "✓" };
    },
  },
  methods: {
    signed,
    line_(event, key) {
      const kind = KINDS[event.event] || "event";
      const name = this.you?.name;
      return { key, kind, words: brief(event.words), mine: Boolean(name) && event.player === name, topic: topicOf(event, this.info, this.rules) };
    },
    /** What was told before one came; without a gap it goes on where the list stops. */
    remember(told, whole, round = 0) {
      if (this.live) this.noteSeat(told, round);
      const lines = told.flatMap((one) =>
        one.events.filter(isTold)
          .map((event, n) => this.line_(event, `${one.seq}.${n}`)));
      this.log = (whole ? [...this.log, ...lines] : lines).slice(-MOST);
      for (const one of told) this.count(one);
    },
    note(message) {
      const lines = message.events.filter(isTold)
        .map((event, n) => this.line_(event, `${message.seq}.${n}`));
      this.log = [...this.log, ...lines].slice(-MOST);
      this.noteSeat([message], message.view.round);
      const before = this.session.rounds.length;
      this.count(message);
      if (this.session.rounds.length > before) this.speakNow(`Your result: ${signed(this.result)}.`);
    },
    /** One's own result of a round: wagers, fees, prizes and the bank. */
    count(told) {
      const name = this.you?.name;
      if (!name || told.seq <= (this.counted || 0)) return;
      this.counted = told.seq;
      for (const event of told.events) {
        if (event.event === "RoundStarted") this.running = { round: event.round, net: 0, took: false, parts: [] };
        const net = netOf(event, name);
        const running = (this.running ||= { round: this.latest.round, net: 0, took: false, parts: [] });
        if (event.player === name && ["WagerSettled", "BankReturned"].includes(event.event)) running.took = true;
        running.net += net;
        running.parts = withPart(running.parts, event, name, this.info);
        if (event.event === "RoundEnded" && running.took) {
          this.session.rounds.push({ round: event.round, net: running.net });
          this.session.net += running.net;
          this.result = running.net;
          this.resultParts = namedParts(running.parts);
        } else if (event.event === "RoundEnded") this.result = null;
      }
    },
    /** Results since one sat down, after the page was loaded anew: the house knows them. */
    async recall() {
      if (!this.you || !this.seat) return;
      const since = this.satBefore();
      const [games] = await Promise.all([asked("/api/me/games?limit=200"), this.review()]);
      const known = new Set(this.session.rounds.map((one) => one.round));
      const older = (games || []).filter((one) => one.table === this.table && one.round > since && !known.has(one.round))
        .map((one) => ({ round: one.round, net: one.results.filter((row) => row.player === this.you.name).reduce((sum, row) => sum + row.net, 0) }));
      this.session.rounds = [...older, ...this.session.rounds].sort((one, other) => one.round - other.round);
      this.session.net = this.session.rounds.reduce((sum, one) => sum + one.net, 0);
    },
    /** All decisions here, judged by the house, whether the coach is on or not; those of this page are counted once. */
    async review() {
      const found = await asked(`/api/me/review?table=${encodeURIComponent(this.table)}`);
      if (!found) return;
      const { mistakes } = this.session;
      const cost = mistakes.reduce((sum, one) => sum + one.cost, 0);
      this.session.reviewed = { mistakes: Math.max(0, found.decisions - found.right - mistakes.length), cost: Math.max(0, found.cost - cost) };
    },
    /** The number of the round after which one sat down here, as far as this browser saw it. */
    satBefore() {
      try {
        return Number(localStorage.getItem(`upcard.sat.${this.table}`)) || 0;
      } catch {
        return 0;
      }
    },
    /** Of events up to a round: whether one sat down among them, and after which round. */
    noteSeat(told, round) {
      const events = told.flatMap((one) => one.events);
      const at = events.findLastIndex((event) => event.event === "PlayerSat" && event.player === this.you?.name);
      if (at < 0) return;
      const since = events.slice(at).filter((event) => event.event === "RoundStarted").length;
      this.session = { net: 0, rounds: [], mistakes: [], last: null, reviewed: null };
      try {
        localStorage.setItem(`upcard.sat.${this.table}`, String(round - since));
      } catch {
        // Then the results of the whole day are shown after the page is loaded anew.
      }
    },
    speak(event) {
      if (isTold(event) && !SILENT.has(event.event)) this.speakNow(brief(event.words));
    },
    /** One more line for those who listen: each is read once, when it comes. */
    speakNow(words) {
      this.lines = (this.lines || 0) + 1;
      this.spoken = [...this.spoken, { key: this.lines, words }].slice(-SPOKEN);
    },

    // -------------------------------------------------------------- coach

    askCoach(anew = false) {
      if (!this.options.coach || !this.line) return;
      const asked = this.question;
      const about = this.aboutQuestion || `${this.view.round}|${this.view.stage}`;
      const lying = asked ? "" : JSON.stringify((this.view.bets || []).filter((bet) => bet.player === this.you?.name));
      if (about === this.coachedAbout && lying === this.coachedFor && !anew) return;
      clearTimeout(this.coachTimer);
      const onlyChips = about === this.coachedAbout && !anew;
      [this.coachedAbout, this.coachedFor] = [about, lying];
      if (!onlyChips) this.advice = null;
      if (!asked && !(this.seat && this.view.stage === "wagers")) return;
      // What the round is worth goes by the wager: asked again when the last chip lies.
      if (onlyChips) this.coachTimer = setTimeout(() => (this.coachAsked = this.line.coach()), CHIPS_LIE);
      else this.coachAsked = this.line.coach();
    },
    /** An answer to an older question than the last is worth nothing any more. */
    onAdvice(message) {
      if (message.id === this.coachAsked) this.advice = message.advice;
    },
    /** What the coach says to a decision that it had given advice on. */
    onJudged(message) {
      const { action, mistake } = message;
      this.session.last = { action, best: mistake?.best || action, cost: mistake?.cost || 0, hand: this.decidedOn || "", round: this.latest.round };
      if (!mistake) return;
      this.session.mistakes.push(this.session.last);
      this.speakNow(`Coach: ${judgedWords(this.session.last)}`);
    },
    /** The hand that is being decided, in a few signs. */
    handBriefly() {
      const cards = (this.askedHand?.cards || []).map(cardBrief).join(" ");
      return `${cards} against ${shownBrief(this.view.dealer)}`;
    },
  },
};
