/** Questions that want an answer of their own: chips, seats, the bank, amounts, players' cards. */

import { leastOf } from "./draft.js";
import { dollars } from "./money.js";

const USUAL = 100;

export const asking = {
  data: () => ({ ask: null, walking: false }),
  created() {
    this.underWay = new Set();
  },
  computed: {
    /** Whether the bank is offered by all that is known, seen on the felt already or not. */
    bankWaits() {
      return this.offered && this.latest.stage === "bank" && this.latest.offer?.player === this.you.name;
    },
    freeSeat() {
      const taken = new Set(this.view.players.map((player) => player.seat));
      const free = this.view.positions.filter((place) => !taken.has(place) && !this.view.boxes.some((box) => box.position === place && this.playing));
      const middle = (this.view.positions.length + 1) / 2;
      return free.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0] || 0;
    },
    usualChips() {
      const least = leastOf(this.info.wagers[0], this.info);
      return Math.min(USUAL * least, this.you?.wallet || USUAL * least);
    },
  },
  methods: {
    openAsk(name, more) {
      const open = { buy: () => this.askChips(), mix: () => this.askMix(), leave: () => this.askLeave(), card: () => this.askCard(more), walk: () => (this.walking = !this.walking) }[name];
      this.refusal = null;
      this.sheet = false;
      open?.();
    },
    buyForm(title, words, go, then) {
      const usual = this.usualChips;
      return {
        name: "buy", kind: "amount", title, words, label: "Chips in dollars", start: usual, least: this.info.unit, most: this.you.wallet || 0,
        amounts: [usual / 2, usual, usual * 5].filter((cents) => cents <= this.you.wallet && cents % 100 === 0), go, then,
      };
    },
    askChips() {
      if (!this.you) return;
      const words = `You have ${dollars(this.you.chips)} at this table and ${dollars(this.you.wallet)} of play money beside it.`;
      this.ask = this.buyForm("Buy chips", words, "Buy", (amount) => this.send({ command: "BuyIn", amount }));
    },
    askSeat(position) {
      if (!position || !this.you) return;
      const sit = () => this.send({ command: "Sit", seat: position });
      if (this.you.chips) return this.once("sit", sit);
      let bought = false;
      const words = `Seat ${position}. Play money: you have ${dollars(this.you.wallet)}.`;
      this.ask = this.buyForm("Sit down with", words, "Sit down", async (amount) => {
        bought ||= await this.send({ command: "BuyIn", amount });
        return bought && sit();
      });
    },
    move(seat) {
      this.walking = false;
      this.send({ command: "Move", seat });
    },
    askMix() {
      this.ask = {
        name: "mix", kind: "text", title: "Mix a word into the shuffle", longest: 64, empty: "Write a word of your own.", go: "Mix it in", start: "",
        words: "The table has promised its seed already; your word goes into the next shuffle too, so that nobody can have chosen the cards.",
        then: (seed) => this.send({ command: "MixSeed", seed }),
      };
    },
    /** A word of the browser's own for every new shoe, so that the house cannot have chosen its order. */
    async mixOwn(view) {
      const name = this.you?.name;
      const sits = name && view.players.some((player) => player.name === name && player.seat);
      const { number, commitment, shuffled } = view.shoe;
      if (!this.options.mix || !sits || !commitment || shuffled || view.bets.length || this.mixed === number) return;
      this.mixed = number;
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      const seed = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      // Too late or said already: the shoe is as fair as before, and nobody asked for this.
      await this.line.do({ command: "MixSeed", seed });
    },
    askLeave() {
      const lights = this.models.find((model) => model.mine)?.lights?.lit || 0;
      const kept = lights ? (this.info.players_card ? " Your lights go onto a player's card." : ` You lose your ${lights === 1 ? "light" : `${lights} lights`}.`) : "";
      this.ask = { name: "leave", kind: "none", title: "Cash out and leave?", words: `Your ${dollars(this.you?.chips || 0)} in chips go back to your play money.${kept}`, go: "Leave", then: () => this.send({ command: "Leave" }) };
    },
    askCard(card) {
      this.ask = {
        name: "card", kind: "text", title: "Give up a player's card", start: card || "", label: "The card", empty: "Paste the card first.", go: "Give it up",
        words: `Its lights come on at seat ${this.seat}, before your first round here. A card is good once.`,
        then: (token) => this.send({ command: "PresentCard", position: this.seat, token }),
      };
    },
    askWager() {
      const wager = this.chosenWager;
      const { target } = this;
      this.ask = {
        name: "wager", kind: "amount", title: wager.name, words: `${wager.limits}, in whole ${this.info.unit === 100 ? "dollars" : dollars(this.info.unit)}.`, label: `${wager.name} in dollars`,
        start: this.amountOf() || leastOf(wager, this.info), most: wager.maximum || 0, go: "Place", then: (cents) => (this.setAmount(cents, wager, target), true),
      };
    },
    askBank() {
      if (!this.you) return;
      const least = leastOf(this.info.wagers[0], this.info);
      const unit = this.info.unit;
      const spare = Math.floor((this.you.chips * 0.9) / unit) * unit;
      const usual = Math.max(unit, Math.min(50 * least, spare));
      this.ask = {
        name: "bank", kind: "amount", firm: true, key: "⏎", title: "Take the bank?", label: "The bank in dollars", start: usual, most: this.you.chips, least: unit,
        words: `You pay and collect, turn ${this.view.offer?.turn || 1} of ${this.info.bank_turns}, and can neither win nor lose more than you put up. You have ${dollars(this.you.chips)}.`,
        amounts: [...new Set([usual / 2, usual, spare])].filter((cents) => cents >= unit && cents % unit === 0), go: "Take the bank", decline: "Decline",
        then: (amount) => this.send({ command: "TakeBank", amount }), refuse: () => this.declineBank(),
      };
    },
    declineBank() {
      return this.settle(() => this.send({ command: "DeclineBank" }));
    },
    askAmount(action, full, most) {
      const named = action === "insure" ? "Insurance" : action === "redouble" ? "Double again" : "Double";
      const { chip, insurance, count } = this.info;
      const about = this.aboutQuestion;
      const half = Math.floor(full / 2 / chip) * chip;
      const offered = action === "insure" && insurance.amounts.length ? insurance.amounts : [half, full];
      this.ask = {
        name: action, about, kind: "amount", title: `${named} for less`, label: `${named}, in dollars`, start: Math.min(half || full, most), most, least: chip, go: named,
        amounts: [...new Set(offered)].filter((cents) => cents && cents <= most),
        words: action === "insure" ? `Up to ${dollars(most)}; it pays ${insurance.pays} if the dealer has ${count.natural_name}.` : `Up to ${dollars(most)}, for one more card.`,
        then: (amount) => {
          if (this.aboutQuestion === about) this.act(action, { amount: amount === full ? 0 : amount });
          return true;
        },
      };
    },
    answer(value) {
      return this.settle(() => this.ask.then(value));
    },
    /** Answer the question that is open, once. Its answer may come when another one is open already. */
    settle(answer) {
      const asked = this.ask;
      return this.once(asked, async () => {
        this.refusal = null;
        const done = await answer();
        if (done !== false && this.ask === asked) this.closeAsk();
      });
    },
    /** Do something that is not begun again before it is done, however often it is asked for. */
    async once(what, work) {
      if (this.underWay.has(what)) return false;
      this.underWay.add(what);
      try {
        return await work();
      } finally {
        this.underWay.delete(what);
      }
    },
    /** A form is done with; an offer of the bank that it stood before comes back. */
    closeAsk() {
      this.ask = null;
      if (this.bankWaits) this.askBank();
    },
    cancelAsk() {
      this.refusal = null;
      if (!this.ask?.firm) this.closeAsk();
    },
    declineAsk() {
      this.ask?.refuse?.();
    },
  },
};
