/** The table: a live one over the public WebSocket, or a round of it from what was told. */

import { CardShoe, DiscardTray, FeltCloth } from "./surface.js";
import { DealerPlace, MiddleCards } from "./dealer.js";
import { ActionBar } from "./actions.js";
import { AskForm } from "./ask.js";
import { ReplayBar } from "./replay.js";
import { RoundNet } from "./net.js";
import { SeatPlace } from "./seat.js";
import { SidePanel } from "./panel.js";
import { TableBar } from "./bar.js";
import { TableLine } from "./socket.js";
import { WagerTray } from "./tray.js";
import { asking } from "./asking.js";
import { chronicle } from "./chronicle.js";
import { ChipStack } from "./chips.js";
import { clockwork } from "./clockwork.js";
import { deciding } from "./deciding.js";
import { leading } from "./leading.js";
import { isNarrow, layoutOf, seatRows } from "./layout.js";
import { asSentence, discardCount, seatModels } from "./models.js";
import { emptyView, fold, isTelling, motionOf, pauses, uncounted } from "./scene.js";
import { dollars } from "./money.js";
import { pressing } from "./pressing.js";
import { replaying } from "./replaying.js";
import { wagering } from "./wagering.js";
import { markRaw } from "vue";

const KEPT = "upcard.table";
/** What one does with a hand. */
const PLAYED = new Set(["HandHit", "HandStood", "HandDoubled", "HandSplit", "HandSurrendered", "HandRescued"]);

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}

export default {
  components: {
    ActionBar, AskForm, CardShoe, ChipStack, DealerPlace, DiscardTray, FeltCloth, MiddleCards, ReplayBar, RoundNet, SeatPlace, SidePanel, TableBar, WagerTray,
  },
  mixins: [clockwork, chronicle, wagering, asking, deciding, leading, pressing, replaying],
  provide() {
    return { isStill: () => this.still };
  },
  props: { table: String, info: Object, rules: Object, told: Array, before: Array, shoe: Object, round: Number, viewer: String, links: Object, playedBefore: Number, closedBy: String },
  data() {
    const options = { four: false, fast: false, coach: false, mix: true, ...kept() };
    return {
      live: !this.told,
      view: markRaw(emptyView(this.info)),
      latest: markRaw(emptyView(this.info)),
      you: this.viewer ? { name: this.viewer, seat: 0, chips: 0, wallet: 0, cards: [] } : null,
      status: "open",
      ready: [],
      state: this.told ? "open" : "connecting",
      ending: 0,
      back: false,
      options,
      size: { width: 1120, height: 676, page: innerWidth },
      still: true,
      moving: false,
      gathered: false,
      playedAt: 0,
      hadChips: false,
      ledOut: false,
      flights: [],
      prize: null,
      topic: "",
      found: "",
      tab: "events",
      sheet: false,
      advice: null,
      spoken: [],
    };
  },
  computed: {
    layout() {
      return layoutOf({ ...this.size, positions: this.view.positions.length || this.info.positions, own: this.seat, down: this.info.deal.down, rows: seatRows(this.info) });
    },
    /** How long a card is on its way. */
    quick() {
      return motionOf(this.options.fast);
    },
    narrow() {
      return isNarrow(this.size.page);
    },
    seat() {
      const name = this.you?.name;
      return (name && this.view.players.find((player) => player.name === name)?.seat) || 0;
    },
    models() {
      return seatModels(this.view, this.info, this.you, { draft: this.live ? this.draft : {}, gathered: this.gathered });
    },
    question() {
      const asked = this.view.question;
      return asked && this.you && asked.player === this.you.name && this.live ? asked : null;
    },
    askedHand() {
      const asked = this.view.question;
      if (!asked) return null;
      return this.view.boxes.find((box) => box.position === asked.position)?.hands[asked.hand] || null;
    },
    askedStake() {
      return this.askedHand?.stakes[0] || null;
    },
    offered() {
      return Boolean(this.live && this.view.stage === "bank" && this.view.offer && this.view.offer.player === this.you?.name);
    },
    iBank() {
      return Boolean(this.you && this.view.bank && this.view.bank.player === this.you.name && this.view.stage !== "bank");
    },
    discards() {
      return discardCount(this.view, this.info);
    },
    dealerShown() {
      return this.view.stage === "round" || !this.gathered ? this.view.dealer : { cards: [], down: [], total: "", result: "" };
    },
    communityShown() {
      return this.view.stage === "round" || !this.gathered ? this.view.community : [];
    },
    /** A round in play comes to its end, and its clock runs. */
    paused() {
      return this.status === "paused" && !this.playing;
    },
    closed() {
      return this.status === "closed";
    },
    closedWords() {
      const why = { operator: "An operator of the house closed it.", house: "Nobody sat here any more." }[this.closedBy] || (this.ledOut ? "The house closed it between rounds." : "");
      return [why, this.hadChips ? "Your chips are back in your play money." : "", "Its rounds can still be seen and verified."].filter(Boolean).join(" ");
    },
    playing() {
      return this.view.stage === "round";
    },
    /** People who sit here, have not asked for the cards, and could. */
    waitsFor() {
      const slow = this.view.players.filter((player) =>
        player.seat && player.name !== this.you?.name && !this.info.bots.includes(player.name) && !this.ready.includes(player.name));
      return slow.map((player) => player.name).join(", ");
    },
    lineWords() {
      if (this.back) return "Back at the table.";
      if (this.state === "ended") {
        return { 4401: "You have signed out.", 4404: "There is no such table." }[this.ending] || "The table is closed.";
      }
      return this.state === "lost" ? "Connection lost. Your place is kept." : "Coming to the table …";
    },
    /** What goes on while nobody is asked. */
    stepWords() {
      const { step, step_words: words } = this.view;
      if (step === "turns") {
        const hand = this.models.find((model) => model.position === this.playedAt);
        return hand?.player ? `${hand.mine ? "Your" : `${hand.player}'s`} hand at seat ${hand.position} is played.` : "Players act in turn.";
      }
      if (step === "dealer") return `The ${this.info.player_banks ? "player-dealer" : "dealer"} plays.`;
      return words || "The cards are dealt.";
    },
    /** What the table waits for, in a few words. */
    situation() {
      if (!this.live) return "";
      if (this.closed) return "The table is closed.";
      if (this.paused) return "The table is paused.";
      const asked = this.view.question;
      const soon = this.status === "paused" ? " The table is paused after this round." : "";
      if (asked) return (this.question ? this.mySituation(asked) : `${asked.player}'s turn at seat ${asked.position}.`) + soon;
      if (this.playing) return this.stepWords;
      if (this.view.stage === "bank") {
        if (this.offered) return `The bank is offered to you, turn ${this.view.offer.turn} of ${this.info.bank_turns}.`;
        return this.view.offer ? `The bank is offered to ${this.view.offer.player}.` : "Somebody has to put up the bank.";
      }
      if (this.iBank) return "You bank this round. The others place their wagers.";
      if (!this.seat) return this.you ? "You are watching. Take a seat to play." : "You are watching.";
      if (this.dealing) return this.waitsFor ? `Ready. Waiting for ${this.waitsFor}.` : "Ready. The cards are coming.";
      if (this.unplaced) return this.unplaced;
      return this.draftTotal ? "Deal, or change your wagers." : "Place your wagers.";
    },
  },
  created() {
    this.memory = new Map();
    this.queue = [];
    this.flight = 0;
    this.generation = 0;
    this.hurried = false;
  },
  mounted() {
    this.watchSize();
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("visibilitychange", this.onLook);
    if (!this.live) return this.openReplay();
    this.line = new TableLine(this.table, {
      state: (state, attempt, wasLost, code) => this.onState(state, attempt, wasLost, code),
      welcome: (message) => this.onWelcome(message),
      update: (message) => this.onUpdate(message),
      status: (message) => this.onStatus(message),
      reason: (message) => (this.reason = { ...message, words: asSentence(message.words) }),
      advice: (message) => this.onAdvice(message),
      judged: (message) => this.onJudged(message),
      error: (message) => this.onError(message),
      recovered: () => (this.refusal = null),
    });
    addEventListener("online", this.onLook);
    this.line.connect();
  },
  beforeUnmount() {
    this.line?.close();
    this.observer?.disconnect();
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("visibilitychange", this.onLook);
    removeEventListener("online", this.onLook);
    clearTimeout(this.gatherTimer);
  },
  methods: {
    dollars,
    watchSize() {
      const stage = this.$refs.stage;
      const measure = () => {
        const { clientWidth: width, clientHeight: height } = stage;
        // The page decides how it is laid out: the stage is as wide as that leaves it.
        if (width && height) this.size = { width, height, page: this.$el.clientWidth };
      };
      this.observer = new ResizeObserver(measure);
      this.observer.observe(stage);
      measure();
    },

    // -------------------------------------------------------------- the line

    onState(state, attempt, wasLost, code) {
      this.state = state;
      this.ending = code || 0;
      if (state !== "open") this.back = false;
      if (state === "open" && wasLost) {
        this.back = true;
        setTimeout(() => (this.back = false), 2500);
      }
    },
    onWelcome(message) {
      // What was on its way to the felt has happened all the same.
      for (const one of [this.current, ...this.queue]) if (one) this.note(one);
      this.current = null;
      this.queue.length = 0;
      this.generation += 1;
      this.release?.();
      if (message.you) this.you = { seat: 0, chips: 0, wallet: 0, cards: [], ...message.you };
      this.remember(message.told, message.whole, message.view.round);
      this.still = true;
      this.moving = false;
      this.coachedAbout = ""; // an answer may have been lost with the line
      this.accept(message);
      this.mixOwn(message.view);
      if (!this.recalled) this.recall();
      this.recalled = true;
      this.gathered = message.view.stage !== "round";
      this.moveAgain();
    },
    onUpdate(message) {
      this.mixOwn(message.view);
      this.latest = markRaw(message.view);
      this.queue.push(message);
      if (!this.moving) this.play();
    },
    onError(message) {
      if (message.id && message.id === this.coachAsked) this.coachedAbout = ""; // the coach is asked again
      this.refuse({ reason: message.words, clauses: [], action: this.busy ? this.acting : "" });
    },
    onStatus(message) {
      // It is newer than what is still on its way to the felt.
      const last = this.queue.at(-1) || this.current;
      if (last) Object.assign(last, { status: message.status, clock: message.clock, ready: message.ready, you: message.you || last.you });
      // One's chips would say how a round ends before its cards do.
      this.takeIn(last ? { ...message, you: null } : message);
    },
    /** What a message says beside its view. */
    takeIn({ status, clock, ready, you }) {
      this.status = status;
      if (you) this.you = { seat: 0, chips: 0, wallet: 0, cards: [], ...you };
      if (you?.chips || you?.seat) this.hadChips = true;
      this.setClock(clock);
      this.setReady(ready);
    },
    accept(message) {
      // A view is never changed, only replaced: nothing in it has to be watched.
      this.view = markRaw(message.view);
      this.shown = message.seq;
      this.latest = this.queue.length ? this.latest : this.view;
      this.takeIn(message);
      this.syncDraft(message.view);
      this.askCoach();
      if (this.offered && !this.ask) this.askBank();
      else if (!this.offered && this.ask?.name === "bank") this.ask = null;
    },

    /** Who has asked for the cards and waits for the others. */
    setReady(names = []) {
      this.ready = names;
      this.dealing = Boolean(this.you) && names.includes(this.you.name);
    },

    // -------------------------------------------------------------- one event after the other

    async play() {
      const generation = (this.generation += 1);
      this.moving = true;
      this.hurried = false;
      while (this.queue.length) {
        const message = (this.current = this.queue.shift());
        const late = this.queue.length > 2 || document.hidden || this.calm();
        if (late || (this.hurried && isTelling(message.events))) this.still = true;
        const times = pauses(message.events, { fast: this.options.fast, still: late });
        for (const [number, event] of message.events.entries()) {
          const before = this.view;
          this.happen(event);
          if (times[number] && !this.hurried) {
            const after = this.view;
            this.view = markRaw(uncounted(after, before, event));
            await this.wait(times[number]);
            // The line broke meanwhile and came back with the table as it is now.
            if (generation !== this.generation) return;
            this.view = after;
          }
        }
        this.current = null;
        this.note(message);
        this.accept(message);
        if (this.still) this.moveAgain();
      }
      this.moving = this.hurried = false;
    },
    /** What comes after the next picture is seen coming. */
    moveAgain() {
      this.$nextTick(() => requestAnimationFrame(() => (this.still = this.hurried)));
    },
    happen(event) {
      this.see(event);
      this.view = markRaw(fold(this.view, event, this.info));
      if (!this.still) this.fly(event);
      this.speak(event);
    },
    /** Cards and chips that are on their way arrive at once; where it is said what they came to, without moving. */
    hurry() {
      this.hurried = true;
      if (this.current && isTelling(this.current.events)) this.still = true;
      this.release?.();
    },
    wait(time) {
      return new Promise((done) => {
        const timer = setTimeout(done, time);
        this.release = () => {
          clearTimeout(timer);
          done();
        };
      });
    },
    calm() {
      return Boolean(globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches);
    },
    /** What a card is called from its deal to its turn, so that it is the same card on the screen. */
    see(event) {
      if (PLAYED.has(event.event)) this.playedAt = event.position;
      if (event.event === "RoundStarted") {
        this.playedAt = 0;
        this.memory.clear();
        this.gathered = false;
        clearTimeout(this.gatherTimer);
        this.refusal = this.reason = this.prize = null;
      } else if (event.event === "ChipsCashed" && event.player === this.you?.name) {
        this.ledOut = !this.leaving;
        this.leaving = false;
      } else if (event.event === "PrizeWon") {
        this.prize = { words: event.words, amount: event.name || dollars(event.amount) };
      } else if (event.event === "CardTurned") {
        const place = event.position || 0;
        const cards = place ? this.view.boxes.find((box) => box.position === place)?.hands.flatMap((hand) => hand.cards) : this.view.dealer.cards;
        const before = (cards || []).filter((card) => card === event.card).length;
        this.memory.set(`${place}|${event.card}|${before}`, `down:${event.place}`);
      } else if (event.event === "RoundEnded") {
        clearTimeout(this.gatherTimer);
        if (this.live) this.gatherTimer = setTimeout(() => this.gather(), this.options.fast ? 3500 : 7000);
      }
    },
    gather() {
      if (this.view.stage !== "round") this.gathered = true;
    },
    /** The key of a card: the same for the same card, wherever it lies in the box. */
    keyOf(position, card, hand, place) {
      const cards = position
        ? this.view.boxes.find((box) => box.position === position)?.hands.flatMap((one, n) => one.cards.map((face, p) => [face, n, p]))
        : this.view.dealer.cards.map((face, p) => [face, 0, p]);
      let before = 0;
      for (const [face, n, p] of cards || []) {
        if (n === hand && p === place) break;
        if (face === card) before += 1;
      }
      return this.memory.get(`${position}|${card}|${before}`) || `${card}:${before}`;
    },

    // -------------------------------------------------------------- chips that move

    fly(event) {
      const place = this.layout.seats.find((one) => one.position === event.position);
      if (!place || this.calm()) return;
      const here = { x: place.x, y: place.y - 60 * place.scale };
      const tray = { x: this.layout.dealer.x, y: this.layout.dealer.y };
      if (event.event === "WagerSettled") {
        if (event.won) this.launch(event.won, tray, here);
        if (event.collected) this.launch(event.collected, here, tray);
      } else if (event.event === "FeeCollected") this.launch(event.amount, here, tray);
    },
    launch(cents, from, to) {
      const id = ++this.flight;
      const style = { left: `${to.x}px`, top: `${to.y}px`, "--dx": `${from.x - to.x}px`, "--dy": `${from.y - to.y}px` };
      this.flights.push({ id, cents, style });
      setTimeout(() => (this.flights = this.flights.filter((one) => one.id !== id)), 900);
    },

    // -------------------------------------------------------------- seats, wagers, rules

    /** What an empty or a foreign place offers to the viewer. */
    offerAt(model) {
      if (!this.live || !this.you || this.paused || this.closed) return "";
      if (!model.taken && !this.seat) return model.player && (this.playing || model.base) ? "" : "sit";
      if (!this.seat || this.playing) return "";
      if (!model.taken && !model.player) {
        if (this.walking) return "move";
        return this.wagersNow && this.info.several_boxes ? "box" : "";
      }
      // In the strip of a phone the sign would lie on the cards of the last round.
      if (this.narrow && model.hands.length) return "";
      return this.info.backline && this.wagersNow && model.taken && !model.here && model.base && !model.banks ? "back" : "";
    },
    take(position, offer) {
      if (offer === "sit") this.askSeat(position);
      else if (offer === "move") this.move(position);
      else {
        this.at = position;
        this.chosen = "base";
      }
    },
    onSpot(position, wager) {
      if (position === this.seat || this.draft[position] || this.at === position) this.at = position;
      else return this.showRule(`wager:${wager}`);
      if (this.chosen === wager) this.showRule(`wager:${wager}`);
      this.chosen = wager;
    },
    /** Where a seat lies. Split hands spread over the places beside them, where nobody plays. */
    placeOf(model) {
      const place = this.layout.seats[model.position - 1];
      if (model.hands.length < 3 || place.compact || this.narrow) return place;
      const free = (position) => {
        const beside = this.models[position - 1];
        return beside && !beside.hands.length && !beside.base ? this.layout.seats[position - 1].width : 0;
      };
      const more = Math.min(free(model.position - 1), free(model.position + 1));
      return { ...place, width: place.width + 2 * more };
    },
    choosingAt(position) {
      return this.wagersNow && !this.moving && this.target.position === position;
    },
    openTab(tab) {
      this.tab = tab;
      this.sheet = true;
      if (tab === "session" && this.live && this.you) this.review();
      if (tab === "rules" && !this.topic) this.topic = "";
    },
    option(name, value) {
      this.options = { ...this.options, [name]: value };
      try {
        localStorage.setItem(KEPT, JSON.stringify(this.options));
      } catch {
        // A browser that keeps nothing: the choice holds as long as the page.
      }
      if (name === "coach" && value) this.askCoach(true);
      if (name === "mix" && value) this.mixOwn(this.latest);
    },

    turnTheme() {
      const root = document.documentElement;
      const light = root.dataset.theme ? root.dataset.theme === "light" : matchMedia("(prefers-color-scheme: light)").matches;
      root.dataset.theme = light ? "dark" : "light";
      try {
        localStorage.setItem("upcard-theme", root.dataset.theme);
      } catch {
        // It holds as long as the page.
      }
    },

  },
  template: `
  <div class="uf" :class="{ 'uf-narrow': narrow, 'uf-small': !narrow && layout.unit < 0.84, 'uf-still': still, 'uf-four': options.four, 'uf-sheet-open': sheet, 'uf-paused': paused, 'uf-sides': info.wagers.length > 1, 'uf-many': info.wagers.length > 4 }"
      :style="{ '--felt': info.felt, '--quick': quick + 'ms' }" :data-game="info.game" @mousedown="keepFocus" data-testid="felt" :data-stage="view.stage" :data-round="view.round" :data-state="state" :data-status="status">
    <table-bar :info="info" :you="you" :clock="clock" :links="links" :state="state" :played="played" :now="now" :replay="!live" :round="round" @panel="openTab(tab)" @theme="turnTheme" @rule="showRule" @ask="openAsk" @session="openTab('session')"></table-bar>
    <section class="uf-table" aria-label="Table">
      <div ref="stage" class="uf-stage" @click="moving && hurry()">
        <felt-cloth :layout="layout" :table="info" ruled @rule="showRule"></felt-cloth>
        <h1 class="uf-hush">{{ info.title }}{{ info.name ? ', ' + info.name : '' }}</h1>
        <div class="uf-shoe-place" :style="{ left: layout.shoe.x + 'px', top: layout.shoe.y + 'px', '--s': layout.unit }"><card-shoe :left="view.shoe.left" :full="info.shoe.cards" :cut="view.shoe.cut_reached" :shuffled="view.shoe.shuffled" :every="info.shoe.every_round" @rule="showRule"></card-shoe></div>
        <div class="uf-discard-place" :style="{ left: layout.discards.x + 'px', top: layout.discards.y + 'px', '--s': layout.unit }"><discard-tray :count="discards" :full="info.shoe.cards" @rule="showRule"></discard-tray></div>
        <dealer-place :layout="layout" :dealer="dealerShown" :table="info" :keys="keyOf" :bank="view.stage === 'bank' ? null : view.bank" :step="view.step" @rule="showRule" @card="onCard"></dealer-place>
        <middle-cards v-if="info.deal.community" :layout="layout" :cards="communityShown" @rule="showRule"></middle-cards>
        <div class="uf-seats">
          <seat-place v-for="model in models" :key="model.position" :place="placeOf(model)" :model="model" :table="info" :layout="layout" :keys="keyOf" :clock="clock" :you="you"
            :ready="ready.includes(model.player)" :offer="offerAt(model)" :chosen="chosen" :choosing="choosingAt(model.position)" :picks="picks.length > 0 && question && question.position === model.position ? (picking ? picking.action : 'hit') : ''"
            @take="take" @rule="showRule" @spot="onSpot" @pick="pickCard" @card="onCard"></seat-place>
        </div>
        <div class="uf-flights" aria-hidden="true"><div v-for="one in flights" :key="one.id" class="uf-flight" :style="one.style"><chip-stack :cents="one.cents" :most="2"></chip-stack></div></div>
        <div v-if="prize" class="uf-prize-won" data-testid="prize-won"><i aria-hidden="true">{{ '●'.repeat(info.lights ? info.lights.count : 0) }}</i><b>{{ prize.amount }}</b><span>{{ prize.words }}</span></div>
        <div v-if="paused || closed" class="uf-curtain" data-testid="paused"><b>{{ closed ? 'Table closed' : 'Table paused' }}</b><span>{{ closed ? closedWords : 'Your chips and wagers are safe, and the clock stands still.' }}</span></div>
      </div>
      <div class="uf-controls" data-testid="controls">
        <p v-if="state !== 'open' || back" class="uf-line" :class="{ 'uf-line-back': back }" role="status" data-testid="connection">
          {{ lineWords }} <a v-if="ending === 4401" :href="links.sign_in">Sign in</a></p>
        <button v-if="judged" type="button" class="uf-judged uf-figures" :class="{ 'uf-judged-wrong': judged.cost }" data-testid="judged" :data-cost="judged.cost" :aria-label="'Coach: ' + judged.words" @click="openTab('coach')">
          <span class="uf-judged-who">Coach<span class="uf-judged-words">: {{ judged.briefly }}</span></span> <b>{{ judged.sign }}</b></button>
        <replay-bar v-if="!live" ref="replay" :frames="frames" :frame="frame" :round="round" @go="showFrame"></replay-bar>
        <template v-else>
          <div class="uf-situation" data-testid="situation"><button type="button" class="uf-situation-words" @click="showRule(aboutNow)">{{ situation }}</button>
            <b v-if="clock.left !== null && !paused" class="uf-countdown uf-figures" :class="{ 'uf-late': clock.left <= 5 }" data-testid="countdown">{{ clock.left }} s</b>
            <round-net v-if="!playing && result !== null" :net="result" :parts="resultParts" @rule="showRule"></round-net></div>
          <ask-form v-if="ask" :key="ask.name" :ask="ask" :refusal="refusal" @answer="answer" @cancel="cancelAsk" @decline="declineAsk" @clause="showClause"></ask-form>
          <div v-else-if="question && picking && !paused" class="uf-actions" role="group" aria-label="Your cards" data-testid="picking">
            <button v-for="pick in picks" :key="pick" type="button" class="uf-action" :data-testid="'choose-' + pick" :disabled="busy" @click="pickCard(pick)"><span class="uf-action-name">Card {{ pick }}</span><kbd aria-hidden="true">{{ pick }}</kbd></button>
            <button type="button" class="uf-action" data-testid="pick-cancel" @click="picking = null"><span class="uf-action-name">Back</span><kbd aria-hidden="true">Esc</kbd></button>
          </div>
          <action-bar v-else-if="question && !paused" :table="info" :question="question" :hand="askedHand" :stake="askedStake" :chips="you.chips" :advice="options.coach ? advice : null" :refusal="refusal" :reason="reason" :busy="busy" :narrow="narrow"
            @act="act" @less="askLess" @why="(action) => line.why(action)" @clause="showClause" @rule="showRule" @hush="reason = null" @dismiss="refusal = null"></action-bar>
          <wager-tray v-else-if="wagersNow && !paused" :table="info" :target="target" :chosen="chosen" :wagers="boxWagers" :can-undo="undos.length > 0" :can-repeat="Boolean(last) && !draftTotal" :hint="hint" :refusal="refusal" :total="draftTotal" :next="nextTotal" :chips="you.chips" :dealing="dealing" :boxes="myBoxes" :advice="options.coach ? advice : null"
            @choose="(id) => (chosen = id)" @add="addChip" @set="(cents) => setAmount(amountOf() === cents ? 0 : cents)" @undo="undo" @clear="clearWagers" @repeat="repeatWagers" @double="doubleWagers" @deal="deal" @type="askWager" @follow="follow" @box="(place) => (at = place)" @clause="showClause" @rule="showRule"></wager-tray>
          <div v-else class="uf-waiting">
            <p v-if="refusal" class="uf-bubble uf-bubble-flat" role="alert" data-testid="refused">{{ refusal.reason }} <button v-for="clause in refusal.clauses" :key="clause" type="button" class="uf-clause" @click="showClause(clause)">{{ clause }}</button></p>
            <button v-if="iBank && view.stage === 'wagers'" type="button" class="uf-action uf-usual" data-testid="tray-deal" @click="bankDeals()"><span class="uf-action-name">Deal</span><kbd aria-hidden="true">⏎</kbd></button>
            <button v-if="iBank && view.stage === 'wagers' && !view.bets.length" type="button" class="uf-action" data-testid="bank-back" @click="takeBankBack()"><span class="uf-action-name">Take the bank back</span></button>
            <button v-if="you && !seat && !closed" type="button" class="uf-action uf-usual" data-testid="sit-any" :disabled="!freeSeat" @click="askSeat(freeSeat)"><span class="uf-action-name">{{ freeSeat ? 'Take seat ' + freeSeat : 'No seat is free' }}</span></button>
            <template v-if="closed">
              <a class="uf-action uf-usual" :href="links.lobby || '/'" data-testid="closed-lobby"><span class="uf-action-name">To the lobby</span></a>
              <a v-if="links.history" class="uf-action" :href="links.history" data-testid="closed-history"><span class="uf-action-name">Its rounds</span></a>
            </template>
            <a v-else-if="!you && links.sign_in" class="uf-action uf-usual" :href="links.sign_in" data-testid="sign-in"><span class="uf-action-name">Sign in to play</span></a>
          </div>
        </template>
      </div>
    </section>
    <side-panel :tab="tab" :log="log" :rules="rules" :table="info" :advice="advice" :coach="options.coach" :session="session" :found="found" :you="you" :shoe="view.shoe" :topic="topic" :links="links" :replay="!live" :deciding="Boolean(question)" :options="options" :played="played"
      @tab="openTab" @coach="(yes) => option('coach', yes)" @close="sheet = false; leadBack()" @clause="showClause" @ask="openAsk" @topic="(name) => (topic = name)" @rule="showRule" @option="option" @theme="turnTheme"></side-panel>
    <div class="uf-hush" role="log" aria-live="polite" aria-atomic="false" data-testid="spoken"><p v-for="line in spoken" :key="line.key">{{ line.words }}</p></div>
  </div>`,
};
