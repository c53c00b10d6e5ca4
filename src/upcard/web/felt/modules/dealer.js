/** The dealer's side of the table: cards, total, the rack, cards in the middle. */

import { PlayingCard } from "./cards.js";
import { cardName } from "./totals.js";
import { CardSlot } from "./slot.js";
import { ChipRack } from "./surface.js";
import { capital } from "./models.js";
import { dollars, signed } from "./money.js";
import { pokerTopic } from "./topics.js";

export const DealerPlace = {
  components: { CardSlot, PlayingCard, ChipRack },
  props: { layout: Object, dealer: Object, table: Object, keys: Function, bank: Object, step: String },
  emits: ["rule", "card"],
  computed: {
    cards() {
      const { card, width } = this.layout.dealer;
      const held = this.dealer.down.map((face, place) => ({ face, place: place + 1 })).filter((one) => one.face);
      const all = [
        ...this.dealer.cards.map((face, place) => ({ face, key: this.keys(0, face, 0, place) })),
        ...held.map(({ face, place }) => ({ face, key: `down:${place}` })),
      ];
      const dx = Math.min(card * (held.length > 1 ? 0.62 : 1.06), (width - card) / Math.max(1, all.length - 1));
      const left = -(card + dx * (all.length - 1)) / 2;
      return all.map((one, number) => ({ ...one, x: left + number * dx, number }));
    },
    words() {
      const { total, result, down, cards } = this.dealer;
      if (!cards.length || (!total && !result)) return "";
      if (result === "bust" || total === "over") return "over";
      if (result === "natural") return capital(this.table.count.natural_name);
      const shows = this.dealer.shows ?? down.some(Boolean);
      const told = this.dealer.told ? ` over ${this.dealer.told}` : "";
      return shows && !this.dealer.poker && !result ? `shows ${total}${told}` : total;
    },
    style() {
      const { x, y, card } = this.layout.dealer;
      return { left: `${x}px`, top: `${y}px`, "--card": `${card}px`, "--s": this.layout.unit };
    },
    who() {
      return this.table.player_banks ? "Player-dealer" : "Dealer";
    },
  },
  methods: {
    dollars,
    signed,
    pokerTopic,
    slot(card) {
      const { dealer, shoe, ratio } = this.layout;
      return {
        transform: `translate(${card.x}px, 0)`,
        width: `${dealer.card}px`,
        height: `${dealer.card * ratio}px`,
        zIndex: card.number,
        "--dx": `${shoe.x - dealer.x - card.x}px`,
        "--dy": `${shoe.y - dealer.y - 20}px`,
        "--turn": "0deg",
      };
    },
  },
  template: `
  <section class="uf-dealer" :style="style" :aria-label="who + (words ? ', ' + words : '')" data-testid="dealer" :data-total="dealer.total" :data-result="dealer.result || null">
    <chip-rack></chip-rack>
    <div class="uf-hands">
      <card-slot v-for="card in cards" :key="card.key" :style="slot(card)" @click="$emit('card')"><playing-card :card="card.face" :mark="table.marked[card.face]"></playing-card></card-slot>
    </div>
    <div class="uf-dealer-words">
      <button type="button" class="uf-dealer-name" @click="$emit('rule', 'dealer')" :aria-label="'Rules of the ' + who.toLowerCase()">{{ who }}</button>
      <button v-if="words" type="button" class="uf-total uf-figures" :class="{ 'uf-over': words === 'over' }" data-testid="dealer-total" @click="$emit('rule', dealer.result === 'natural' ? 'natural' : 'dealer')">{{ words }}</button>
      <button v-if="dealer.poker" type="button" class="uf-poker-name" data-testid="poker-dealer" @click="$emit('rule', pokerTopic(table))">{{ dealer.poker }}</button>
      <button v-if="bank" type="button" class="uf-bank-words uf-figures" data-testid="bank-amount" @click="$emit('rule', 'bank')">bank {{ dollars(bank.amount) }}<template v-if="bank.net"> · {{ signed(bank.net) }}</template></button>
    </div>
  </section>`,
};

export const MiddleCards = {
  components: { PlayingCard },
  props: { layout: Object, cards: Array },
  emits: ["rule"],
  computed: {
    label() {
      return `Community cards: ${this.cards.map(cardName).join(", ")}`;
    },
  },
  template: `
  <section class="uf-community" aria-label="Community cards" data-testid="community"
      :style="{ left: layout.community.x + 'px', top: layout.community.y + 'px', '--card': layout.community.card + 'px' }">
    <button v-if="cards.length" type="button" class="uf-middle" :aria-label="label" @click="$emit('rule', 'community')">
      <span v-for="(card, n) in cards" :key="n" class="uf-middle-card" :style="{ width: layout.community.card + 'px', height: layout.community.card * layout.ratio + 'px' }">
        <playing-card :card="card"></playing-card>
      </span>
      <span class="uf-community-word">community cards</span>
    </button>
  </section>`,
};
