/** The clock of a decision, as a ring and as seconds; the time of day, and the time at play today. */

export const clockwork = {
  data: () => ({ clockSeen: { for: "", ends: 0, seconds: 0 }, ticks: 0, atPlay: 0 }),
  computed: {
    now() {
      return this.ticks ? Date.now() : Date.now();
    },
    /** Minutes at play today. */
    played() {
      return Math.floor((this.playedBefore || 0) / 60 + this.atPlay / 60000);
    },
    clock() {
      const { ends, seconds } = this.clockSeen;
      const kind = this.clockSeen.for || "";
      if (!ends || !this.line) return { for: kind, left: null, share: null, style: {} };
      const rest = this.ticks >= 0 ? Math.max(0, ends - this.line.now()) : 0;
      const whole = Math.max(seconds * 1000, 1);
      return { for: kind, left: Math.min(seconds, Math.ceil(rest / 1000)), share: Math.min(1, rest / whole), style: this.ring };
    },
    /** The ring runs by itself: it is told once how long it takes and how much of that is over. */
    ring() {
      const { ends, seconds } = this.clockSeen;
      if (!ends || !this.line) return {};
      const whole = Math.max(seconds, 1);
      const gone = Math.max(0, whole - (ends - this.line.now()) / 1000);
      return { animationDuration: `${whole}s`, animationDelay: `-${gone.toFixed(2)}s` };
    },
  },
  mounted() {
    // Counted by the house until the page came, and from there on by this clock while one sits here.
    let before = performance.now();
    this.ticking = setInterval(() => {
      const now = performance.now();
      if (this.seat && this.live) this.atPlay += now - before;
      before = now;
      this.ticks += 1;
    }, 500);
  },
  beforeUnmount() {
    clearInterval(this.ticking);
  },
  methods: {
    setClock(clock) {
      this.clockSeen = { for: "", ends: 0, seconds: 0, ...clock };
    },
  },
};
