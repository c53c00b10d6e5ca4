/** The part of the table that places wagers: every change goes to the table as soon as it can. */

import { again, copyOf, doubled, draftOf, leastOf, missing, placeable, playedBy, sameWagers, stepped, totalOfDraft, totalOfWagers, withAmount } from "./draft.js";

const SOON = 140;

export const wagering = {
  data: () => ({ draft: {}, undos: [], chosen: "base", at: 0, last: null, later: {}, dealing: false }),
  created() {
    this.committed = Promise.resolve(true);
    this.commits = 0;
  },
  watch: {
    /** Chips go to the place where one sits now. */
    seat() {
      this.at = 0;
    },
  },
  computed: {
    wagersNow() {
      return this.view.stage === "wagers" && Boolean(this.seat) && !this.iBank;
    },
    /** The box that chips go to. */
    target() {
      const position = this.at || this.seat;
      const found = this.draft[position];
      const kind = this.kindAt(position);
      return { position, kind: found?.kind || kind, follows: found ? found.follows : this.info.backline === "must-match" };
    },
    boxWagers() {
      return this.draft[this.target.position]?.wagers || {};
    },
    myBoxes() {
      const boxes = new Set([this.seat, ...Object.keys(this.draft).map(Number)]);
      if (this.at) boxes.add(this.at);
      return [...boxes].filter(Boolean).sort((one, other) => one - other);
    },
    /** What Deal takes where nothing lies yet: the same as before, or the least. */
    nextTotal() {
      return this.last ? totalOfDraft(again(this.last, this.view, this.seat).now) || totalOfDraft(this.last) : leastOf(this.info.wagers[0], this.info);
    },
    draftTotal() {
      return totalOfDraft(this.draft);
    },
    chosenWager() {
      return this.info.wagers.find((wager) => wager.id === this.chosen) || this.info.wagers[0];
    },
    /** What is missing before a wager that is drawn can lie, in words; "" where all of them lie. */
    unplaced() {
      const words = Object.values(this.draft).map((box) => missing(box.wagers, this.info));
      return words.find(Boolean) || "";
    },
    hint() {
      if (this.unplaced) return this.unplaced;
      const [waits] = Object.entries(this.later);
      if (waits) return `Backs seat ${waits[0]} again as soon as ${waits[1].of} has wagered`;
      const wager = this.chosenWager;
      const seat = this.myBoxes.length > 1 || this.target.kind === "back" ? ` at seat ${this.target.position}` : "";
      const what = this.target.kind === "back" ? `Backing seat ${this.target.position}: ` : "";
      return `${what}${wager.name}${what ? "" : seat}, ${wager.limits}${this.info.together.words ? ` · ${this.info.together.words}` : ""}`;
    },
  },
  methods: {
    kindAt(position) {
      const sitting = this.view.players.find((player) => player.seat === position);
      return sitting && sitting.name !== this.you?.name ? "back" : "place";
    },
    /** After every update: what lies there is the draft, unless something is on its way. */
    syncDraft(view) {
      const name = this.you?.name;
      if (!name) return;
      // A round may come and go in one stroke, such as by the dealer's natural.
      const passed = this.roundSeen !== undefined && view.round !== this.roundSeen;
      this.roundSeen = view.round;
      if (view.stage === "round" || passed) {
        const played = playedBy(view, name);
        if (Object.keys(played).length) this.last = played;
        this.draft = {};
        this.later = {};
        this.undos = [];
        this.at = 0;
        this.chosen = "base";
        if (this.ask?.name === "wager") this.closeAsk();
      } else this.drawLying(view);
      this.backLater(view);
    },
    /** The draft is what lies there, unless something is on its way or cannot lie yet. */
    drawLying(view) {
      if (!this.commits && !this.commitTimer && !this.unplaced) this.draft = draftOf(view, this.you.name);
    },
    /** Hands that are backed again, once their players have wagered. */
    backLater(view) {
      if (view.stage !== "wagers" || !Object.keys(this.later).length) return;
      const { now, later } = again(this.later, view, this.seat);
      this.later = later;
      if (!Object.keys(now).length) return;
      this.draft = { ...this.draft, ...now };
      this.commitSoon();
    },
    change(next) {
      if (!this.wagersNow) return;
      this.undos.push(copyOf(this.draft));
      this.draft = next;
      this.commitSoon();
      this.gather();
    },
    amountOf(wager = this.chosenWager) {
      return this.boxWagers[wager.id] || 0;
    },
    addChip(cents) {
      this.setAmount(this.amountOf() + cents);
    },
    setAmount(cents, wager = this.chosenWager, { position, kind, follows } = this.target) {
      this.change(withAmount(this.draft, position, wager, cents, kind, follows));
    },
    stepAmount(by) {
      this.setAmount(stepped(this.amountOf(), this.chosenWager, this.info, by));
    },
    undo() {
      if (!this.undos.length) return;
      this.later = {};
      const now = this.draft;
      const before = this.undos.pop();
      for (const position of Object.keys(now)) before[position] ||= { ...now[position], wagers: {} };
      this.draft = before;
      this.commitSoon();
    },
    clearWagers() {
      const next = copyOf(this.draft);
      for (const box of Object.values(next)) box.wagers = {};
      this.later = {};
      this.change(next);
      this.at = 0;
    },
    /** The wagers of the last round: own boxes now, backed hands as soon as their players have wagered. */
    repeatWagers() {
      if (!this.last || this.draftTotal) return;
      const { now, later } = again(this.last, this.latest, this.seat);
      this.later = later;
      if (Object.keys(now).length) this.change(now);
    },
    doubleWagers() {
      this.change(doubled(this.draft, this.info));
    },
    follow(yes) {
      const next = copyOf(this.draft);
      const { position, kind } = this.target;
      next[position] = { wagers: {}, kind, ...next[position], follows: yes };
      this.change(next);
    },
    commitSoon() {
      clearTimeout(this.commitTimer);
      this.commitTimer = setTimeout(() => this.commit(), SOON);
    },
    /** Tell the table what has changed, one telling after the other: each begins with what lies there by then. */
    commit() {
      clearTimeout(this.commitTimer);
      this.commitTimer = 0;
      this.commits += 1;
      const told = this.committed.then(() => this.place()).finally(() => {
        this.commits -= 1;
        if (this.takesWagers()) this.drawLying(this.latest);
      });
      this.committed = told.catch(() => false);
      return told;
    },
    /** Whether the table takes wagers by all that is known, and not only by what is drawn already. */
    takesWagers() {
      return this.wagersNow && this.latest.stage === "wagers" && this.latest.round === this.view.round;
    },
    /** The own seat first: other boxes may need it. A wager that cannot lie as it is drawn does not lie at all. */
    async place() {
      if (!this.takesWagers()) return false;
      const lying = draftOf(this.latest, this.you.name);
      const boxes = Object.entries(this.draft).map(([place, box]) => [Number(place), { ...box, wagers: placeable(box.wagers, this.info) }]);
      const changed = boxes.filter(([place, box]) =>
        !sameWagers(box.wagers, lying[place]?.wagers) || (lying[place] && lying[place].follows !== box.follows && box.kind === "back"));
      changed.sort(([one], [other]) => (one === this.seat ? -1 : other === this.seat ? 1 : one - other));
      const taken = changed.filter(([, box]) => !totalOfWagers(box.wagers)).reverse();
      const placed = changed.filter(([, box]) => totalOfWagers(box.wagers));
      for (const [position, box] of [...taken, ...placed]) {
        const command = box.kind === "back"
          ? { command: "BackWagers", position, wagers: box.wagers, follows: Boolean(box.follows) }
          : { command: "PlaceWagers", position, wagers: box.wagers };
        const answer = await this.line.do(command);
        if (answer.type === "refused") {
          this.refuse(answer);
          this.draft = draftOf(this.latest, this.you.name);
          return false;
        }
      }
      return true;
    },
    deal() {
      return this.dealing ? false : this.once("deal", () => this.askForCards());
    },
    bankDeals() {
      return this.once("deal", () => this.send({ command: "Deal" }));
    },
    takeBankBack() {
      return this.once("bank back", () => this.send({ command: "DeclineBank" }));
    },
    async askForCards() {
      const [base] = this.info.wagers;
      if (!this.draftTotal && this.last) this.repeatWagers();
      else if (!this.draftTotal) this.setAmount(leastOf(base, this.info), base, { position: this.seat, kind: "place", follows: false });
      if (this.unplaced) return this.refuse({ reason: this.unplaced });
      if (!(await this.commit())) return;
      this.dealing = true;
      if (!(await this.send({ command: "Deal" }))) this.dealing = false;
    },
  },
};
