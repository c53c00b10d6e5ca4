/** A round step by step: frames from what was told, and the bar that goes through them. */

import { emptyView, fold } from "./scene.js";

const PAUSE = 900;

/** Every event with the table after it; the first frame is the table before all of them.
 *
 * `before` are events of earlier rounds that still count, such as lights that were lit; `shoe` is how it stood.
 */
export function framesOf(told, table, { before = [], shoe = null } = {}) {
  let view = before.reduce((now, event) => fold(now, event, table), emptyView(table, shoe));
  const memory = new Map();
  const frames = [{ view, event: null, words: "Before the first event.", memory: [] }];
  for (const one of told) {
    for (const event of one.events) {
      if (event.event === "CardTurned") {
        const place = event.position || 0;
        const cards = place ? view.boxes.find((box) => box.position === place)?.hands.flatMap((hand) => hand.cards) : view.dealer.cards;
        const before = (cards || []).filter((card) => card === event.card).length;
        memory.set(`${place}|${event.card}|${before}`, `down:${event.place}`);
      }
      view = fold(view, event, table);
      if (event.event === "StepBegun" || !event.words) continue;
      frames.push({ view, event, words: event.words, memory: [...memory] });
    }
  }
  return frames;
}

export const ReplayBar = {
  props: { frames: Array, frame: Number, round: Number },
  emits: ["go"],
  data: () => ({ playing: false }),
  beforeUnmount() {
    this.stop();
  },
  methods: {
    go(number) {
      this.stop();
      this.$emit("go", number);
    },
    toggle() {
      if (this.playing) return this.stop();
      if (this.frame >= this.frames.length - 1) this.$emit("go", 0);
      this.playing = true;
      this.timer = setInterval(() => {
        if (this.frame >= this.frames.length - 1) this.stop();
        else this.$emit("go", this.frame + 1);
      }, PAUSE);
    },
    stop() {
      this.playing = false;
      clearInterval(this.timer);
    },
    /** Keys as in `upcard replay`; whether one was meant. */
    key(key) {
      const last = this.frames.length - 1;
      const places = { ArrowRight: this.frame + 1, " ": null, Enter: this.frame + 1, b: this.frame - 1, ArrowLeft: this.frame - 1, Home: 0, End: last };
      if (!(key in places)) return false;
      if (places[key] === null) this.toggle();
      else this.go(places[key]);
      return true;
    },
  },
  template: `
  <div class="uf-replay" data-testid="replay">
    <p class="uf-situation" aria-live="polite" data-testid="replay-words"><span>{{ frames[frame] ? frames[frame].words : '' }}</span></p>
    <div class="uf-replay-row">
      <button type="button" class="uf-action" data-testid="replay-first" aria-label="First event" @click="go(0)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 5v14M19 5l-9 7 9 7z"/></svg></button>
      <button type="button" class="uf-action" data-testid="replay-back" aria-label="The event before" @click="go(frame - 1)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M17 5l-10 7 10 7z"/></svg></button>
      <button type="button" class="uf-action uf-usual" data-testid="replay-play" :aria-pressed="playing" @click="toggle"><span class="uf-action-name">{{ playing ? 'Pause' : 'Play' }}</span></button>
      <button type="button" class="uf-action" data-testid="replay-next" aria-label="The next event" @click="go(frame + 1)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 5l10 7-10 7z"/></svg></button>
      <button type="button" class="uf-action" data-testid="replay-last" aria-label="Last event" @click="go(frames.length - 1)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M18 5v14M5 5l9 7-9 7z"/></svg></button>
    </div>
    <label class="uf-replay-slide"><span class="uf-hush">Event</span><input type="range" min="0" :max="frames.length - 1" :value="frame" data-testid="replay-slide" @input="go(Number($event.target.value))">
      <span class="uf-figures">{{ frame }} / {{ frames.length - 1 }}</span></label>
  </div>`,
};
