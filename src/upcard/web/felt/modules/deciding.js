/** The part of the table that decides: what is asked, what is answered, what was refused. */

import { asSentence, mostFor } from "./models.js";
import { shownBrief, HIDDEN } from "./totals.js";

const drawsAt = (action, info) => Boolean(info.actions.find((one) => one.action === action)?.draws);

export const deciding = {
  data: () => ({ refusal: null, reason: null, busy: false, picking: null }),
  computed: {
    /** Which decision is asked for: the same as long as it is the same, in whatever view it comes. */
    aboutQuestion() {
      const asked = this.question;
      return asked ? `${this.view.round}|${asked.position}|${asked.hand}|${asked.phase}|${this.askedHand?.cards}` : "";
    },
    /** The numbers of the down cards of which one can be chosen now. */
    picks() {
      const asked = this.question;
      if (!asked || !this.info.picks || !asked.answers.some((answer) => drawsAt(answer.action, this.info))) return [];
      const box = this.view.boxes.find((one) => one.position === asked.position);
      return box ? box.down.map((card, place) => (card === HIDDEN ? place + 1 : 0)).filter(Boolean) : [];
    },
  },
  watch: {
    /** What was being answered is over, such as by the clock. */
    aboutQuestion() {
      this.picking = null;
      if (this.refusal?.action) this.refusal = null;
      if (this.ask?.about && this.ask.about !== this.aboutQuestion) this.closeAsk();
      if (!this.aboutQuestion) return;
      this.speakNow(this.situation);
      if (this.narrow) this.sheet = false; // what is asked for is behind it
    },
    offered(now) {
      if (!now) return;
      this.speakNow(this.situation);
      if (this.narrow) this.sheet = false;
    },
  },
  methods: {
    mySituation(asked) {
      const hand = this.askedHand;
      const hands = this.view.boxes.find((box) => box.position === asked.position)?.hands.length || 1;
      const which = hands > 1 ? `, hand ${asked.hand + 1} of ${hands}` : "";
      const total = hand ? `${hand.soft ? "soft " : ""}${hand.total}` : "";
      const against = this.view.dealer.cards[0] ? ` against ${shownBrief(this.view.dealer)}` : "";
      const box = this.models.filter((model) => model.mine).length > 1 ? ` at seat ${asked.position}` : "";
      if (this.picking) return `Which card do you ${this.picking.action} with? Tap it.`;
      if (asked.phase === "insurance") return `Insurance${box}? You have ${total}${against}.`;
      if (asked.phase === "exchange") return `Exchange the second cards of your two boxes${against}?`;
      if (asked.phase === "trades" || asked.answers.some((answer) => answer.action === "trade")) return `A bonus card${box}${which}: keep it, or trade it for a light?`;
      return `Your turn${box}${which}: ${total}${against}.`;
    },
    act(action, more = {}) {
      const asked = this.question;
      if (!asked || this.busy) return;
      const legal = asked.answers.map((answer) => answer.action);
      if (legal.includes(`free-${action}`)) action = `free-${action}`; // one key for it, whoever pays
      if (!legal.includes(action)) return this.line.why(action);
      const most = mostFor(action, this.info, this.askedStake);
      if (most > this.you.chips && more.amount === undefined) return this.askLess(action);
      if (drawsAt(action, this.info) && action !== "hit" && this.picks.length > 1) {
        this.picking = { action, more };
        return;
      }
      this.decide(action, more);
    },
    /** For less than in full, where that is allowed. */
    askLess(action) {
      const full = mostFor(action, this.info, this.askedStake);
      if (full && this.question && !this.busy) this.askAmount(action, full, Math.min(full, this.you.chips));
    },
    /** A card that lies face down was chosen: for what was asked before, or to hit. */
    pickCard(pick) {
      if (this.picking) this.decide(this.picking.action, { ...this.picking.more, pick });
      else if (this.question?.answers.some((answer) => answer.action === "hit")) this.decide("hit", { pick });
    },
    async decide(action, more = {}) {
      const asked = this.question;
      if (!asked || this.busy) return;
      this.picking = null;
      this.decidedOn = this.handBriefly();
      this.busy = true;
      this.acting = action;
      this.refusal = this.reason = null;
      const word = action.replace(/^free-/, "");
      const command = { command: word[0].toUpperCase() + word.slice(1), position: asked.position };
      if (word !== action) command.free = true; // what the house stakes, and nothing else
      if (more.amount) command.amount = more.amount;
      if (more.pick) command.pick = more.pick;
      const answer = await this.line.do(command, this.shown);
      this.busy = false;
      if (answer.type === "refused") this.refuse({ ...answer, action });
    },
    async send(command) {
      if (command.command === "Leave") this.leaving = true;
      const answer = await this.line.do(command);
      if (answer.type === "refused") this.refuse(answer);
      return answer.type === "ack";
    },
    refuse(answer) {
      this.refusal = { reason: asSentence(answer.reason), clauses: answer.clauses || [], action: answer.action || "", ask: Boolean(this.ask) };
      this.speakNow(answer.reason);
    },
  },
};
