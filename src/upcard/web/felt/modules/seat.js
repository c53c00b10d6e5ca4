/** One place at the table: cards, the circle of the base wager, spots, lights, and who sits there. */

import { ChipStack } from "./chips.js";
import { PlayingCard } from "./cards.js";
import { BESIDE, seatCards, seatRows } from "./layout.js";
import { dollars, signed } from "./money.js";
import { netOfSettled, pokerBriefly, resultTone, sidesOf, toneOf } from "./models.js";
import { CardSlot } from "./slot.js";
import { WagerSpot } from "./spot.js";
import { pokerTopic, resultTopic, totalTopic, wagerTopic } from "./topics.js";

/** What a place offers, in full and for a small screen. */
const OFFERS = { sit: ["Sit here", "Sit"], move: ["Move here", "Go"], box: ["Play here too", "+"], back: ["", ""] };

export const SeatPlace = {
  components: { CardSlot, ChipStack, PlayingCard, WagerSpot },
  props: {
    place: Object, model: Object, table: Object, layout: Object, keys: Function, clock: Object,
    offer: String, chosen: String, choosing: Boolean, picks: String, you: Object, ready: Boolean,
  },
  emits: ["take", "rule", "spot", "pick", "box", "card"],
  computed: {
    cards() {
      const { hands, down, turnHand, position } = this.model;
      return seatCards({
        hands, down, width: this.place.width, card: this.place.card, ratio: this.layout.ratio, active: turnHand, picking: Boolean(this.picks),
        keys: (face, hand, place) => this.keys(position, face, hand, place),
      });
    },
    style() {
      const { x, y, scale, width } = this.place;
      return { left: `${x}px`, top: `${y}px`, "--s": scale, "--seat": `${width}px`, "--card": `${this.place.card}px` };
    },
    classes() {
      const { mine, turn, taken, banks } = this.model;
      return {
        "uf-mine": mine, "uf-turn": turn, "uf-empty": !taken && !this.model.player, "uf-compact": this.place.compact, "uf-beside": this.place.beside,
        "uf-banks": banks, "uf-spots-many": this.model.spots.length > 2,
      };
    },
    words: () => OFFERS,
    label() {
      const { position, player, base, hands, banks, lights, poker } = this.model;
      const words = [`Seat ${position}`, player || "empty"];
      if (banks) words.push(`banks with ${dollars(banks.amount)}`);
      if (base) words.push(`${dollars(base)} wagered`);
      if (this.sides.count) words.push(this.sidesLabel);
      hands.forEach((hand) => hand.words && words.push(hand.words));
      if (poker) words.push(poker);
      if (player && lights) words.push(`${lights.lit} of ${lights.of} lights`);
      return words.join(", ");
    },
    result() {
      const { hands, settled } = this.model;
      return settled && hands.length ? hands.map((hand) => hand.result).join(" ") : null;
    },
    /** How far the cards lie above the foot of the seat: the spots and the plate come below. */
    lift() {
      const { scale, compact } = this.place;
      if (compact) return 26 * scale;
      if (this.place.beside) return BESIDE * scale;
      return (34 + 66 + seatRows(this.table)) * scale;
    },
    /** As long as the last round's cards lie there: above them and their total. */
    aboveCards() {
      const [hand] = this.cards.centres;
      return hand ? { bottom: `${this.lift - hand.y + 30 * this.place.scale}px` } : {};
    },
    sides() {
      return sidesOf(this.model);
    },
    sidesLabel() {
      const { settled, net, amount } = this.sides;
      return `side wagers: ${settled ? signed(net) : dollars(amount)}`;
    },
    /** What became of the hands of a small seat, in one figure. */
    verdict() {
      const done = this.model.hands.filter((hand) => hand.settled);
      const given = this.model.hands.find((hand) => hand.given);
      if (!done.length) return given ? { words: given.ended, tone: "even", topic: resultTopic({ result: given.ended }), label: given.ended } : null;
      const net = done.reduce((sum, hand) => sum + hand.net, 0);
      const label = done.map((hand) => `${hand.resultWords} ${signed(hand.net)}`).join(", ");
      return { words: signed(net), tone: toneOf(net), topic: done.length === 1 ? resultTopic(done[0]) : "results", label };
    },
    bankLabel() {
      const { player, banks } = this.model;
      return banks ? `${player} banks with ${dollars(banks.amount)}, turn ${banks.turn} of ${banks.turns}` : "";
    },
    backed() {
      const { backers } = this.model;
      const settled = backers.length > 0 && backers.every((one) => one.settled);
      return { settled, amount: backers.reduce((sum, one) => sum + one.amount, 0), net: backers.reduce((sum, one) => sum + one.net, 0) };
    },
    flank() {
      return this.model.spots.slice(0, 2);
    },
    row() {
      return this.model.spots.slice(2);
    },
  },
  methods: {
    dollars,
    signed,
    resultTone,
    toneOf,
    pokerTopic,
    resultTopic,
    totalTopic,
    wagerTopic,
    slot(card) {
      const { shoe } = this.layout;
      const x = this.place.x + card.x;
      const y = this.place.y + card.y - this.lift;
      return {
        transform: `translate(${card.x}px, ${card.y - this.lift}px)`,
        width: `${card.size}px`,
        height: `${card.size * this.layout.ratio}px`,
        zIndex: card.order,
        "--dx": `${shoe.x - x}px`,
        "--dy": `${shoe.y - y}px`,
        "--turn": `${card.turn}deg`,
      };
    },
    badge(number) {
      const centre = this.cards.centres[number];
      return { transform: `translate(${centre.x}px, ${centre.y - this.lift}px)`, "--hand": `${centre.width}px`, "--tall": `${centre.size * this.layout.ratio}px` };
    },
    pokerBriefly,
    net: (spot) => netOfSettled(spot.settled),
    tap(wager) {
      if (this.choosing) this.$emit("spot", this.model.position, wager);
      else this.$emit("rule", `wager:${wager}`);
    },
  },
  template: `
  <section class="uf-seat" :class="classes" :style="style" :aria-label="label" :data-testid="'seat-' + model.position"
      :data-turn="model.turn ? 'true' : null" :data-result="result" :data-player="model.player || null"
      :data-mine="model.mine ? 'true' : null">
    <div v-if="!place.compact" class="uf-spots" :class="{ 'uf-choosing': choosing }">
      <wager-spot v-if="flank[0]" :spot="flank[0]" class="uf-spot-left" :chosen="choosing && chosen === flank[0].wager.id" @tap="tap"></wager-spot>
      <button type="button" class="uf-circle" data-testid="wager-spot-base" :data-amount="model.base" @click="tap('base')"
          :class="{ 'uf-chosen': choosing && chosen === 'base', 'uf-filled': model.base }"
          :aria-label="table.wagers[0].name + ' of seat ' + model.position + (model.base ? ', ' + dollars(model.base) : ', no wager')">
        <chip-stack v-if="model.base" :cents="model.base" :most="3"></chip-stack>
        <span v-else-if="model.banks" class="uf-circle-word">bank</span>
      </button>
      <wager-spot v-if="flank[1]" :spot="flank[1]" class="uf-spot-right" :chosen="choosing && chosen === flank[1].wager.id" @tap="tap"></wager-spot>
      <div v-if="row.length" class="uf-spot-row">
        <wager-spot v-for="spot in row" :key="spot.wager.id" :spot="spot" small :bare="!model.mine" :chosen="choosing && chosen === spot.wager.id" @tap="tap"></wager-spot>
      </div>
      <button v-if="model.lights" type="button" class="uf-lights" :data-testid="'lights-' + model.position" :data-lit="model.lights.lit"
          :aria-label="model.lights.lit + ' of ' + model.lights.of + ' lights lit, ' + table.lights.prize_words + ' for all'" @click="$emit('rule', 'lights')">
        <i v-for="n in model.lights.of" :key="n" class="uf-lamp" :class="{ 'uf-lit': n <= model.lights.lit }"></i>
      </button>
      <ul v-if="model.backers.length" class="uf-backers">
        <li v-for="one in model.backers" :key="one.player" :data-testid="'backer-' + model.position">
          <button type="button" @click="$emit('rule', 'backline')" :aria-label="one.player + ' backs this hand with ' + dollars(one.amount) + (one.follows ? ', and follows doubles and splits' : '') + (one.settled ? ': ' + signed(one.net) : '')">
          <span class="uf-backer-name">{{ you && one.player === you.name ? 'you' : one.player }}</span> <span class="uf-figures">{{ dollars(one.amount) }}</span>
          <span v-if="one.follows" title="follows doubles and splits">⇉</span>
          <b v-if="one.settled" class="uf-net" :class="'uf-' + toneOf(one.net)">{{ signed(one.net) }}</b></button>
        </li>
      </ul>
      <button v-if="model.insurance" type="button" class="uf-insured" :class="'uf-' + (model.insurance.settled ? resultTone(model.insurance.settled) : 'open')" data-testid="wager-spot-insurance"
          :data-amount="model.insurance.amount" :data-result="model.insurance.settled ? model.insurance.settled.result : null" @click="$emit('rule', 'insurance')"
          :aria-label="'Insurance of ' + dollars(model.insurance.staked) + (model.insurance.settled ? ': ' + signed(net(model.insurance)) : ', pays ' + table.insurance.pays)">
        Insurance <b class="uf-figures">{{ model.insurance.settled ? signed(net(model.insurance)) : dollars(model.insurance.amount) }}</b></button>
    </div>
    <div v-else class="uf-compact-line">
      <button v-if="model.poker" type="button" class="uf-mini uf-mini-poker" :data-testid="'poker-' + model.position" @click="$emit('rule', pokerTopic(table))" :aria-label="model.poker">{{ pokerBriefly(model.poker) }}</button>
      <button v-if="verdict" type="button" class="uf-mini uf-mini-verdict uf-figures" :class="'uf-' + verdict.tone" :data-testid="'verdict-' + model.position" @click="$emit('rule', verdict.topic)" :aria-label="verdict.label">{{ verdict.words }}</button>
      <button v-if="model.banks" type="button" class="uf-mini uf-mini-bank" data-testid="bank-button" :data-seat="model.position" @click="$emit('rule', 'bank')" :aria-label="bankLabel"><b>Bank</b> <span class="uf-figures">{{ model.banks.turn }}/{{ model.banks.turns }}</span></button>
      <button v-if="model.actionButton" type="button" class="uf-mini uf-mini-action" data-testid="action-button" :data-seat="model.position" @click="$emit('rule', 'action button')" aria-label="Action button: settlement begins here"><b>Action</b></button>
      <button v-if="model.lights && model.player" type="button" class="uf-mini uf-mini-lights" :data-testid="'lights-' + model.position" :data-lit="model.lights.lit" @click="$emit('rule', 'lights')"
          :aria-label="model.lights.lit + ' of ' + model.lights.of + ' lights lit, ' + table.lights.prize_words + ' for all'"><i class="uf-lamp" :class="{ 'uf-lit': model.lights.lit }"></i><span class="uf-figures">{{ model.lights.lit }}</span></button>
      <button v-if="model.base" type="button" class="uf-mini uf-figures" data-testid="wager-spot-base" :data-amount="model.base" @click="tap('base')" :aria-label="table.wagers[0].name + ' of seat ' + model.position + ', ' + dollars(model.base)">{{ dollars(model.base) }}</button>
      <button v-if="sides.count" type="button" class="uf-mini uf-mini-sides uf-figures" :class="sides.settled ? 'uf-net uf-' + toneOf(sides.net) : ''" :data-testid="'sides-' + model.position" :data-amount="sides.amount" :data-net="sides.settled ? sides.net : null"
          @click="$emit('rule', sides.wager ? wagerTopic(sides.wager) : 'sides')" :aria-label="sidesLabel">{{ sides.settled ? signed(sides.net) : '+' + dollars(sides.amount) }}</button>
      <button v-if="model.backers.length" type="button" class="uf-mini uf-figures" :class="backed.settled ? 'uf-net uf-' + toneOf(backed.net) : ''" :data-testid="'backed-' + model.position" @click="$emit('rule', 'backline')"
          :aria-label="'Backed by ' + model.backers.map((one) => one.player).join(', ') + ': ' + (backed.settled ? signed(backed.net) : dollars(backed.amount))"><span aria-hidden="true">⇉</span>{{ backed.settled ? signed(backed.net) : dollars(backed.amount) }}</button>
    </div>
    <div class="uf-hands">
      <card-slot v-for="card in cards.cards" :key="card.key" :pickable="Boolean(picks && card.pick)" :style="slot(card)" @click="picks && card.pick ? null : $emit('card')">
          <button v-if="picks && card.pick" type="button" class="uf-pick" :data-testid="'pick-' + card.pick" @click="$emit('pick', card.pick)"
              :aria-label="picks + ' with down card ' + card.pick"><playing-card :card="card.card"></playing-card><kbd>{{ card.pick }}</kbd></button>
          <playing-card v-else :card="card.card" :mark="table.marked[card.card]" :dimmed="card.dimmed"></playing-card>
      </card-slot>
      <template v-for="(hand, number) in model.hands" :key="'hand' + number">
        <div v-if="hand.cards.length" class="uf-badge" :style="badge(number)" :class="['uf-end-' + (hand.ended || 'open'), { 'uf-active': model.turnHand === number }]"
            :data-testid="'hand-' + model.position + '-' + number" :data-total="hand.total" :data-ended="hand.ended || null" :data-result="hand.result || null">
          <button v-if="hand.words" type="button" class="uf-total uf-figures" :class="{ 'uf-natural': hand.natural }" @click="$emit('rule', totalTopic(hand))" :aria-label="hand.words + '. How a hand counts'">{{ hand.words }}</button>
          <span v-if="((model.hands.length > 1 && hand.stake) || hand.marker) && !hand.settled" class="uf-hand-stake uf-figures">{{ hand.stake ? dollars(hand.stake) : "" }}<span v-if="hand.marker" class="uf-marker" :data-testid="'marker-' + model.position + '-' + number">{{ hand.stake ? " + " : "" }}{{ dollars(hand.marker) }} free</span></span>
          <template v-if="place.compact"></template>
          <button v-else-if="hand.settled" type="button" class="uf-verdict" :class="'uf-' + hand.tone" @click="$emit('rule', resultTopic(hand))"><b>{{ hand.resultWords }}</b> <span class="uf-figures">{{ signed(hand.net) }}</span>
            <small v-if="hand.settled.uncovered" class="uf-uncovered">{{ dollars(hand.settled.uncovered) }} not covered</small></button>
          <button v-else-if="hand.given" type="button" class="uf-verdict uf-even" @click="$emit('rule', resultTopic({ result: hand.ended }))"><b>{{ hand.ended }}</b></button>
        </div>
      </template>
      <button v-if="model.poker && cards.centres.length && !place.compact" type="button" class="uf-poker" :style="{ transform: 'translate(-50%, ' + (-lift - 16) + 'px)' }" :data-testid="'poker-' + model.position" @click="$emit('rule', pokerTopic(table))">{{ model.poker }}</button>
    </div>
    <div class="uf-plate">
      <span v-if="model.turn && clock.for === 'turn' && clock.share !== null" class="uf-ring" :style="clock.style" aria-hidden="true"></span>
      <template v-if="model.player">
        <button type="button" class="uf-who" @click="$emit('rule', 'seats')" :aria-label="'Seat ' + model.position + ', ' + model.player + '. Rules of seats'"><span class="uf-seat-number">{{ model.position }}</span>
        <span class="uf-name">{{ place.compact ? model.player.replace(/^Guest /, '') : model.player }}<small v-if="model.mine"> you</small></span></button>
        <span v-if="ready" class="uf-tag" :data-testid="'ready-' + model.position">ready</span>
        <span v-else-if="model.proposition" class="uf-tag">prop</span>
        <span v-else-if="model.bot" class="uf-tag">bot</span>
      </template>
      <button v-if="offer && offer !== 'back'" type="button" class="uf-sit" :data-testid="(offer === 'sit' ? 'sit-' : offer + '-') + model.position" @click="$emit('take', model.position, offer)">
        <span :class="{ 'uf-hush': place.compact }">{{ words[offer][0] }}</span><span v-if="place.compact" aria-hidden="true">{{ words[offer][1] }}</span><span class="uf-hush">, seat {{ model.position }}</span>
      </button>
      <span v-else-if="!model.player" class="uf-seat-number uf-free">{{ model.position }}</span>
    </div>
    <button v-if="offer === 'back'" type="button" class="uf-sit uf-back-here" :style="aboveCards" :data-testid="'back-' + model.position" @click="$emit('take', model.position, offer)">Back<span :class="{ 'uf-hush': place.compact }">&nbsp;{{ model.player }}</span><span class="uf-hush"> at seat {{ model.position }}</span></button>
    <button v-if="model.banks && !place.compact" type="button" class="uf-puck uf-puck-bank" data-testid="bank-button" :data-seat="model.position" @click="$emit('rule', 'bank')" :aria-label="bankLabel">
      <b>Bank</b><span class="uf-figures">{{ model.banks.turn }}/{{ model.banks.turns }}</span>
    </button>
    <button v-if="model.actionButton && !place.compact" type="button" class="uf-puck uf-puck-action" data-testid="action-button" :data-seat="model.position" @click="$emit('rule', 'action button')"
        aria-label="Action button: settlement begins here"><b>Action</b></button>
  </section>`,
};
