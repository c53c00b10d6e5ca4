/** The part of the table that shows one round again, frame by frame. */

import { dollars } from "./money.js";
import { framesOf } from "./replay.js";
import { markRaw } from "vue";

/** A copy that nothing watches. */
const plain = (given) => JSON.parse(JSON.stringify(given));

export const replaying = {
  data: () => ({ frame: 0, frames: [] }),
  methods: {
    openReplay() {
      this.frames = markRaw(framesOf(plain(this.told), this.info, { before: plain(this.before || []), shoe: plain(this.shoe || null) }));
      const [first] = this.frames;
      if (!first) return;
      this.view = markRaw(first.view);
      this.remember(this.told, true);
      this.$nextTick(() => (this.still = false));
    },
    showFrame(number) {
      const next = Math.max(0, Math.min(this.frames.length - 1, number));
      const forward = next === this.frame + 1;
      this.still = !forward;
      this.frame = next;
      const frame = this.frames[next];
      this.memory = new Map(frame.memory);
      this.prize = frame.event?.event === "PrizeWon" ? { words: frame.words, amount: frame.event.name || dollars(frame.event.amount) } : null;
      this.view = markRaw(frame.view);
      if (forward && frame.event) this.fly(frame.event);
      this.speakNow(frame.words);
      if (!forward) this.$nextTick(() => requestAnimationFrame(() => (this.still = false)));
    },
    replayKey(event) {
      const bar = this.$refs.replay;
      if (bar?.key(event.key)) event.preventDefault();
    },
  },
};
