/** The part of the table that listens to the keyboard. */

import { isWriting, meaningOf } from "./keyboard.js";

/** What a key that is held down does over and over. */
const REPEATED = new Set(["wager up", "wager down", "more", "less", "much more", "much less"]);

export const pressing = {
  methods: {
    /** A click takes the keyboard from nothing: Enter still deals. Who goes by Tab has the focus. */
    keepFocus(event) {
      if (event.button || !event.target.closest?.("button, [role=button]")) return;
      event.preventDefault();
      if (isWriting(document.activeElement)) document.activeElement.blur();
    },
    onLook() {
      if (!document.hidden) this.line?.hurry();
    },
    onKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === "Escape") return this.escape();
      if (isWriting(event.target)) return;
      if (["Enter", " "].includes(event.key) && event.target.closest?.("button, a, summary")) return;
      if (!this.live) return this.replayKey(event);
      if (event.key.startsWith("Arrow") && event.target.closest?.("[role=tablist], .uf-panel-body")) return;
      if (this.moving && !event.repeat) this.hurry();
      const meaning = meaningOf(event.key, {
        asked: Boolean(this.question) && !this.ask,
        actions: this.info.actions,
        picks: this.picks,
        offered: this.offered && (!this.ask || this.ask.name === "bank"),
        wagering: this.wagersNow && !this.ask,
        inRound: this.playing,
        banks: this.iBank,
      });
      if (!meaning) return;
      event.preventDefault();
      if (!event.repeat || REPEATED.has(meaning)) this.mean(meaning);
    },
    mean(meaning) {
      if (meaning.act) return this.act(meaning.act);
      if (meaning.pick) return this.pickCard(meaning.pick);
      if (meaning.wager !== undefined) return (this.chosen = (this.info.wagers[meaning.wager] || this.chosenWager).id);
      const wagers = this.info.wagers.map((wager) => wager.id);
      const turn = (by) => (this.chosen = wagers[(wagers.indexOf(this.chosenWager.id) + by + wagers.length) % wagers.length]);
      const acts = {
        deal: () => (this.iBank ? this.bankDeals() : this.deal()),
        "wager up": () => turn(-1),
        "wager down": () => turn(1),
        more: () => this.stepAmount(1),
        less: () => this.stepAmount(-1),
        "much more": () => this.stepAmount(5),
        "much less": () => this.stepAmount(-5),
        type: () => this.askWager(),
        none: () => this.setAmount(0),
        clear: () => this.clearWagers(),
        undo: () => this.undo(),
        repeat: () => this.repeatWagers(),
        double: () => this.doubleWagers(),
        box: () => this.nextFree("box"),
        "drop box": () => this.dropBox(),
        "next box": () => this.nextBox(),
        back: () => this.nextFree("back"),
        walk: () => this.openAsk("walk"),
        buy: () => this.openAsk("buy"),
        mix: () => this.openAsk("mix"),
        leave: () => this.openAsk("leave"),
        rules: () => this.openTab("rules"),
        events: () => this.openTab("events"),
        fast: () => this.option("fast", !this.options.fast),
        coach: () => this.option("coach", !this.options.coach),
        "take bank": () => this.askBank(),
        "decline bank": () => this.declineBank(),
      };
      acts[meaning]?.();
    },
    escape() {
      if (this.ask && !this.ask.firm) this.closeAsk();
      else if (this.sheet && this.narrow) this.sheet = false;
      this.leadBack();
      this.walking = false;
      this.picking = null;
      this.refusal = this.reason = null;
    },
    nextFree(offer) {
      const found = this.models.find((model) => this.offerAt(model) === offer && model.position > (this.at || 0)) || this.models.find((model) => this.offerAt(model) === offer);
      if (found) this.take(found.position, offer);
    },
    nextBox() {
      const boxes = this.myBoxes;
      this.at = boxes[(boxes.indexOf(this.target.position) + 1) % boxes.length];
    },
    dropBox() {
      const { position } = this.target;
      if (position === this.seat) return;
      if (this.draft[position]) this.change({ ...this.draft, [position]: { ...this.draft[position], wagers: {} } });
      this.at = 0;
    },
  },
};
