/** The part of the table that leads from a word to its rules, and back. */

import { situationTopic } from "./topics.js";

export const leading = {
  computed: {
    /** What stands behind the line above the controls. */
    aboutNow() {
      const { stage, step } = this.view;
      const topic = situationTopic({ question: this.view.question, stage, step, watching: !this.seat });
      return this.rules.topics[topic] ? topic : "deal";
    },
  },
  methods: {
    showRule(topic) {
      this.lead({ topic, found: "" });
    },
    showClause(clause) {
      this.lead({ topic: "", found: clause });
    },
    /** A card was tapped; while cards are on their way that only hurries them. */
    onCard() {
      if (!this.moving) this.showRule("cards");
    },
    lead({ topic, found }) {
      const from = document.activeElement;
      const outside = from && from !== document.body && !from.closest(".uf-panel");
      Object.assign(this, { topic, found, tab: "rules", sheet: true });
      // Who goes by keyboard goes along, and comes back by Escape; a click leaves the keyboard alone.
      if (outside) this.cameFrom = from;
      if (outside) this.$nextTick(() => this.$el.querySelector(".uf-panel [role=tabpanel]")?.focus());
    },
    /** To where one was before the rules. */
    leadBack() {
      const inside = document.activeElement?.closest(".uf-panel");
      if (inside && this.cameFrom?.isConnected) this.cameFrom.focus();
      this.cameFrom = null;
    },
  },
};
