// The table of the felt as a whole, under the real Vue, with a line that says what a check wants:
// run by test_felt_table.py in a folder that has the felt's modules in m/ and Vue in node_modules/.
import assert from "node:assert/strict";
import { createRenderer, nextTick } from "vue"; // before there is a document that it would draw on

const listeners = {};
const kept = new Map();
const sockets = [];
Object.assign(globalThis, {
  innerWidth: 1200,
  document: {
    hidden: false, activeElement: null, body: {}, documentElement: { dataset: {} },
    addEventListener: (name, work) => (listeners[name] = work), removeEventListener() {},
  },
  addEventListener() {},
  removeEventListener() {},
  requestAnimationFrame: (work) => setTimeout(work, 0),
  location: { protocol: "http:", host: "here" },
  localStorage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) },
  fetch: async () => ({ ok: false }),
  WebSocket: class {
    constructor(url) {
      Object.assign(this, { url, readyState: 1, sent: [] });
      sockets.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    close() {}
  },
});
const { default: Table } = await import("./m/table.js");
const { pressing } = await import("./m/pressing.js");

// ---------------------------------------------------------------- a table, as the house tells of it

const wager = (id, name, more = {}) => ({ id, name, minimum: 500, maximum: 100000, amounts: [], needs: "", limits: "$5 to $1,000", pays: [], mandatory: id === "base", ...more });
const action = (name, more = {}) => ({ action: name, name, key: name[0], adds: "", for_less: false, wager: "", draws: false, ...more });
const game = (more = {}) => ({
  game: "blackjack", title: "Blackjack", positions: 7, several_boxes: true, wagers: [wager("base", "Blackjack"), wager("pair", "Pair", { minimum: 100, needs: "base" })],
  together: { words: "" }, unit: 100, chip: 50, insurance: null, lights: null, players_card: false, player_banks: false, bank_turns: 2, backline: "", bots: [],
  actions: [action("hit", { draws: true }), action("stand"), action("double", { adds: "wager", for_less: true, draws: true })],
  picks: false, steps: { turns: "Players act in turn, one hand finished before the next.", reveal: "The down card is turned up.", dealer: "The dealer's hand is completed, if a wager still depends on it.", settle: "Wagers are paid." }, deal: { down: 0, community: 0 }, count: { values: {}, most: 42, natural: "21", natural_with: [], natural_name: "blackjack" }, marked: {},
  shoe: { cards: 312, every_round: false }, fees: { words: [] }, sign: { notices: [] }, felt: "#000", ...more,
});
const view = (more = {}) => ({
  stage: "wagers", round: 0, step: "", step_words: "", shoe: { number: 1, commitment: "c", clients: [], left: 300, cut_reached: false, shuffled: true },
  positions: [1, 2, 3, 4, 5, 6, 7], players: [{ name: "Ann", seat: 3, kind: "player" }], lights: [], bets: [], boxes: [],
  dealer: { cards: [], down: [], total: "", checked: false, result: "" }, community: [], action_button: 0, ...more,
});
const ann = (more = {}) => ({ name: "Ann", seat: 3, chips: 50000, wallet: 900000, ...more });
const bet = (cents, position = 3, pair = 0) => ({ player: "Ann", position, placed: [["base", cents], ...(pair ? [["pair", pair]] : [])], backline: false, follows: false });
const placed = (cents, position = 3) => ({ event: "WagersPlaced", player: "Ann", position, wagers: [["base", cents]], words: "Ann wagers." });
const box = (cents, position = 3, cards = ["5s", "6s"]) => ({
  position, player: "Ann", sides: [], down: [], dead: false,
  hands: [{ cards, total: "11", soft: false, natural: false, ended: "", outcome: "", stakes: [{ player: "Ann", start: cents, added: [], follows: true, settled: null }] }],
});
const question = (position = 3) => ({ player: "Ann", position, hand: 0, phase: "turns", answers: ["hit", "stand", "double"].map((name) => ({ action: name, words: "" })) });
const round = (number, won) => [
  { event: "RoundStarted", round: number, words: "A round begins." },
  { event: "CardDealt", to: "hand", position: 3, card: "5s", words: "A card." },
  { event: "CardDealt", to: "dealer", card: "As", face: "up", words: "A card." },
  { event: "WagerSettled", player: "Ann", position: 3, wager: "base", result: won > 0 ? "won" : "lost", staked: 1000, won: Math.max(0, won), collected: Math.max(0, -won), words: "Settled." },
  { event: "RoundEnded", round: number, words: "It ends." },
];
const offer = () => view({ stage: "bank", offer: { player: "Ann", seat: 3, turn: 1 } });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
/** Wait until something is so. */
async function until(what, so) {
  for (let n = 0; n < 4000; n += 1) {
    if (so()) return;
    await sleep(5);
  }
  assert.fail(`it never came: ${what}`);
}

/** A page; with `methods` of its own where a check wants to see what happens in between. */
function page(info = game(), methods = {}) {
  const node = () => ({ parent: null });
  const nothing = () => null;
  const renderer = createRenderer({ createElement: node, createText: node, createComment: node, insert: nothing, remove: nothing, setText: nothing, setElementText: nothing, patchProp: nothing, parentNode: nothing, nextSibling: nothing });
  const app = renderer.createApp(
    { ...Table, template: undefined, render: nothing, methods: { ...Table.methods, watchSize: nothing, ...methods } },
    { table: "t", info, rules: { topics: {}, sections: [], clauses: {} }, links: {}, viewer: "Ann" },
  );
  app.config.warnHandler = (words) => assert.ok(/render|template|root/i.test(words), words);
  const vm = app.mount({});
  let seq = 0;
  const say = (message) => sockets.at(-1).onmessage({ data: JSON.stringify(message) });
  const whole = ({ you, ...more }) => ({ clock: {}, status: "open", ready: [], you: ann(you), ...more });
  const sent = () => sockets.at(-1).sent.filter((one) => one.type === "do");
  return {
    vm, say, sent,
    commands: () => sent().map((one) => one.command),
    key: (key, more = {}) => listeners.keydown({ key, target: { closest: () => null }, preventDefault() {}, ...more }),
    welcome: (more = {}) => say(whole({ type: "welcome", seq: (seq = more.seq ?? seq), view: view(), told: [], whole: true, ...more })),
    update: (more = {}) => say(whole({ type: "update", seq: (seq += 1), at: "", events: [], view: view(), ...more })),
    status: (more = {}) => say(whole({ type: "status", seq, ...more })),
    ack: (one, more = {}) => say({ type: "ack", id: one.id, seq, ...more }),
    refuse: (one, reason) => say({ type: "refused", id: one.id, reason, clauses: [] }),
    /** Wait until the table has been told so many commands. */
    told: (count) => until(`${count} commands, not ${JSON.stringify(sent())}`, () => sent().length >= count),
    /** Long enough for what is wrongly sent to be sent. */
    quiet: () => sleep(400),
    break: () => sockets.at(-1).onclose({ code: 1006 }),
  };
}

const shows = (felt, cents) => {
  assert.equal(felt.vm.models[2].base, cents, "on the layout");
  assert.equal(felt.vm.draftTotal, cents, "on the button");
};

/** What says what cards came to. */
const TOLD = new Set(["DealerFinished", "WagerSettled", "RoundEnded"]);
const dealerPlays = () => view({
  stage: "round", round: 1, step: "turns", step_words: "Players act in turn.", boxes: [box(1000)],
  dealer: { cards: ["Ks"], down: ["??"], total: "10", checked: true, result: "" },
});
/** From the last decision to the end: the down card, one more, and many wagers. */
const dealersEnd = () => [
  { event: "HandStood", position: 3, words: "Ann stands." },
  { event: "StepBegun", step: "reveal" },
  { event: "CardTurned", place: 1, card: "9s", words: "It is turned." },
  { event: "StepBegun", step: "dealer" },
  { event: "CardDealt", to: "dealer", card: "2s", face: "up", words: "A card." },
  { event: "DealerFinished", result: "21", words: "The dealer has 21." },
  { event: "StepBegun", step: "settle" },
  ...Array.from({ length: 30 }, () => ({ event: "WagerSettled", player: "Ann", position: 3, wager: "base", result: "lost", staked: 1000, won: 0, collected: 1000, words: "Settled." })),
  { event: "RoundEnded", round: 1, words: "It ends." },
];

/** A page whose time passes only where it waits, and what it shows after every event. */
function timed() {
  const clock = { now: 0, waited: 0, waits: () => null };
  const seen = [];
  let last = "";
  const note = (vm) => {
    const { cards, total, shows } = vm.view.dealer;
    seen.push({ at: clock.now, event: last, cards: [...cards], total, shows, still: vm.still, chips: vm.you.chips, situation: vm.situation });
    last = "";
  };
  const values = { K: [20, 20], 9: [18, 18], 2: [4, 4] }; // in halves
  const count = { ...game().count, values };
  const felt = page(game({ count }), {
    happen(event) {
      if (last) note(this);
      Table.methods.happen.call(this, event);
      last = event.event;
    },
    wait(time) {
      note(this);
      clock.now += time;
      clock.waited += 1;
      clock.waits();
      return Promise.resolve();
    },
    accept(message) {
      if (last) note(this);
      Table.methods.accept.call(this, message);
    },
  });
  return { ...felt, clock, seen };
}

const checks = {
  async "an answer that comes late closes the form that it answers and no other"() {
    const felt = page();
    felt.welcome();
    felt.vm.openAsk("buy");
    felt.vm.answer(10000);
    felt.vm.answer(10000); // a second click
    await felt.told(1);
    felt.vm.openAsk("leave");
    felt.update();
    felt.ack(felt.sent()[0]);
    await nextTick();
    assert.equal(felt.vm.ask.name, "leave");
    await felt.quiet();
    assert.equal(felt.sent().length, 1);
    felt.vm.openAsk("buy");
    felt.vm.answer(999999999);
    await felt.told(2);
    felt.refuse(felt.sent()[1], "that is too much");
    await until("the refusal", () => felt.vm.refusal);
    assert.equal(felt.vm.ask.name, "buy");
    felt.vm.answer(500); // what was refused can be asked again
    await felt.told(3);
    felt.update();
    felt.ack(felt.sent()[2]);
    await until("the form closes", () => !felt.vm.ask);
  },
  async "an acknowledgement is heard with what it did, whichever comes first"() {
    const felt = page();
    felt.welcome();
    const done = felt.vm.send({ command: "BuyIn", amount: 100 });
    let heard = false;
    done.then(() => (heard = true));
    felt.ack(felt.sent()[0], { seq: 1 });
    await sleep(10);
    assert.ok(!heard);
    felt.update({ you: { chips: 60000 } });
    assert.equal(await done, true);
    assert.equal(felt.vm.you.chips, 60000);
  },
  async "an amount is for the question that it was asked for"() {
    const felt = page();
    const boxes = [box(1000, 3), box(5000, 5)];
    felt.welcome({ seq: 1, view: view({ stage: "round", round: 1, boxes, question: question(3) }) });
    felt.vm.askLess("double");
    assert.match(felt.vm.ask.words, /Up to \$10,/);
    const late = felt.vm.ask;
    felt.update({ view: view({ stage: "round", round: 1, boxes, question: question(3) }) });
    await sleep(20);
    assert.equal(felt.vm.ask, late, "the same question in another view");
    felt.update({ events: [{ event: "HandStood", position: 3, words: "Time is up." }], view: view({ stage: "round", round: 1, boxes, question: question(5) }) });
    await until("the question goes on", () => felt.vm.question?.position === 5);
    await nextTick();
    assert.equal(felt.vm.ask, null);
    assert.equal(late.then(1000), true);
    await felt.quiet();
    assert.deepEqual(felt.commands(), []);
  },
  async "wagers that are changed while they are on their way lie as they are shown"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(1000)] }) });
    felt.vm.addChip(2500);
    await felt.told(1);
    felt.vm.undo();
    await felt.quiet();
    felt.update({ events: [placed(3500)], view: view({ bets: [bet(3500)] }) });
    felt.ack(felt.sent()[0]);
    await felt.told(2);
    assert.deepEqual(felt.commands().map((one) => one.wagers), [{ base: 3500 }, { base: 1000 }]);
    felt.update({ events: [placed(1000)], view: view({ bets: [bet(1000)] }) });
    felt.ack(felt.sent()[1]);
    await felt.quiet();
    shows(felt, 1000);
    assert.equal(felt.sent().length, 2);
  },
  async "wagers are told one after the other"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(1000, 3), bet(1000, 5)] }) });
    felt.vm.doubleWagers();
    await felt.told(1);
    felt.update({ events: [placed(2000, 3)], view: view({ bets: [bet(2000, 3), bet(1000, 5)] }) });
    felt.vm.at = 5;
    felt.vm.addChip(2500);
    await felt.quiet();
    felt.ack(felt.sent()[0]);
    await felt.told(2);
    felt.update({ events: [placed(2000, 5)], view: view({ bets: [bet(2000, 3), bet(2000, 5)] }) });
    felt.ack(felt.sent()[1]);
    await felt.told(3);
    assert.deepEqual(felt.commands().map((one) => [one.position, one.wagers.base]), [[3, 2000], [5, 2000], [5, 4500]]);
  },
  async "what is told again does not overtake what was wagered since"() {
    const felt = page();
    felt.welcome();
    felt.vm.addChip(500);
    await felt.told(1);
    felt.say({ type: "error", words: "The store gives no answer.", id: felt.sent()[0].id, again: true });
    felt.vm.addChip(500);
    await felt.told(2);
    assert.equal(felt.sent()[1].id, felt.sent()[0].id);
    felt.update({ events: [placed(500)], view: view({ bets: [bet(500)] }) });
    felt.ack(felt.sent()[0]);
    await felt.told(3);
    assert.deepEqual(felt.commands()[2].wagers, { base: 1000 });
  },
  async "what cannot lie as it is shown does not lie at all"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(500)] }) });
    felt.vm.setAmount(400);
    await felt.told(1);
    assert.deepEqual(felt.commands()[0].wagers, {});
    felt.update({ view: view() });
    felt.ack(felt.sent()[0]);
    await felt.quiet();
    shows(felt, 400);
    felt.vm.addChip(100);
    await felt.told(2);
    assert.deepEqual(felt.commands()[1].wagers, { base: 500 });

    const side = page(); // a side wager that is too small takes nothing else from the table
    side.welcome({ view: view({ bets: [bet(1000)] }) });
    side.vm.chosen = "pair";
    side.vm.setAmount(50);
    await side.quiet();
    assert.deepEqual(side.commands(), []);
    assert.equal(side.vm.situation, "Pair begins at $1: $0.50 more.");
    await side.vm.deal();
    assert.equal(side.vm.refusal.reason, "Pair begins at $1: $0.50 more.", "Deal says why it does not");
    assert.deepEqual(side.commands(), []);

    const other = page();
    other.welcome({ view: view({ bets: [bet(1000, 3, 500)] }) });
    other.key("0"); // the base wager goes, and the pair cannot lie without it
    await other.told(1);
    assert.deepEqual(other.commands()[0].wagers, {});
  },
  async "nothing is wagered on a round that nobody has seen begin"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(1000)] }) });
    felt.vm.addChip(2500);
    felt.update({ events: round(1, -1000), view: view({ round: 1 }) });
    await until("the cards lie still", () => !felt.vm.moving);
    await felt.quiet();
    assert.deepEqual(felt.commands(), []);
    assert.equal(felt.vm.draftTotal, 0);
  },
  async "an offer of the bank is answered, whatever was asked in between"() {
    const felt = page(game({ player_banks: true }));
    felt.welcome({ view: offer() });
    assert.equal(felt.vm.ask.name, "bank");
    felt.vm.openAsk("buy");
    felt.vm.cancelAsk();
    assert.equal(felt.vm.ask.name, "bank");
    felt.vm.openAsk("buy");
    felt.vm.answer(10000);
    await felt.told(1);
    felt.update({ view: offer() });
    felt.ack(felt.sent()[0]);
    await until("the offer is back", () => felt.vm.ask?.name === "bank");
    felt.vm.openAsk("leave");
    felt.key("n");
    await felt.quiet();
    assert.equal(felt.sent().length, 1, "no key of a form that is not there");
    felt.key("Escape");
    assert.equal(felt.vm.ask.name, "bank");
    felt.vm.declineAsk();
    felt.vm.declineAsk();
    await felt.told(2);
    felt.update({ view: view({ stage: "bank", offer: { player: "Bob", seat: 5, turn: 1 } }) });
    felt.ack(felt.sent()[1]);
    await until("the form closes", () => !felt.vm.ask);
    assert.deepEqual(felt.commands().map((one) => one.command), ["BuyIn", "DeclineBank"]);
  },
  async "a key that is held down decides once"() {
    const felt = page();
    const asked = (cards) => view({ stage: "round", round: 1, boxes: [box(1000, 3, cards)], question: question() });
    felt.welcome({ seq: 1, view: asked(["2s", "3s"]) });
    felt.key("h");
    await felt.told(1);
    felt.update({ events: [{ event: "CardDealt", to: "hand", position: 3, card: "4s", words: "A card." }], view: asked(["2s", "3s", "4s"]) });
    felt.ack(felt.sent()[0]);
    await until("the card lies", () => !felt.vm.moving && !felt.vm.busy);
    felt.key("h", { repeat: true });
    await felt.quiet();
    assert.equal(felt.sent().length, 1);
    felt.key("h");
    await felt.told(2);

    const wagers = page();
    wagers.welcome({ view: view({ bets: [bet(1000)] }) });
    wagers.key("ArrowRight", { repeat: true });
    await wagers.told(1);
    assert.equal(wagers.commands()[0].wagers.base, 1500, "more and more, as ever");
  },
  async "the cards are asked for once"() {
    const felt = page();
    felt.welcome();
    felt.vm.last = { 3: { wagers: { base: 1000 }, kind: "place", follows: false } };
    felt.vm.deal();
    felt.vm.deal();
    felt.key("Enter");
    await felt.told(1);
    felt.update({ events: [placed(1000)], view: view({ bets: [bet(1000)] }) });
    felt.ack(felt.sent()[0]);
    await felt.told(2);
    felt.status({ ready: ["Ann"] });
    felt.ack(felt.sent()[1], { waiting: "Bob" });
    await felt.quiet();
    felt.key("Enter");
    await felt.quiet();
    assert.deepEqual(felt.commands().map((one) => one.command), ["PlaceWagers", "Deal"]);
  },
  async "the least goes onto the game itself, whatever is chosen"() {
    const felt = page();
    felt.welcome();
    felt.key("2");
    assert.equal(felt.vm.chosen, "pair");
    felt.vm.deal();
    await felt.told(1);
    assert.deepEqual(felt.commands()[0].wagers, { base: 500 });
  },
  async "wagers are repeated only where none lie"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(1000, 3), bet(2000, 5)] }) });
    felt.vm.last = { 3: { wagers: { base: 1000 }, kind: "place", follows: false } };
    felt.key("r");
    assert.equal(felt.vm.draftTotal, 3000);
  },
  async "an amount that was asked for goes where it was asked for"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(1000)] }) });
    felt.vm.chosen = "pair";
    felt.vm.askWager();
    felt.vm.chosen = "base";
    felt.vm.answer(2500);
    await felt.told(1);
    assert.deepEqual(felt.commands()[0].wagers, { base: 1000, pair: 2500 });
    felt.update({ view: view({ bets: [bet(1000, 3, 2500)] }) });
    felt.ack(felt.sent()[0]);
    felt.vm.askWager();
    felt.update({ events: round(1, -1000), view: view({ round: 1 }) });
    await until("the cards lie still", () => !felt.vm.moving);
    assert.equal(felt.vm.ask, null, "that round is over");
  },
  async "chips go to the place where one sits"() {
    const felt = page();
    felt.welcome();
    felt.vm.onSpot(3, "base");
    felt.vm.move(5);
    await felt.told(1);
    felt.update({ events: [{ event: "PlayerMoved", player: "Ann", seat: 5, left: 3, words: "Ann moves." }], view: view({ players: [{ name: "Ann", seat: 5 }] }) });
    felt.ack(felt.sent()[0]);
    await until("the seat", () => felt.vm.seat === 5);
    await nextTick();
    felt.vm.addChip(2500);
    await felt.told(2);
    assert.equal(felt.commands()[1].position, 5);
  },
  async "a round that was on its way to the felt when the line broke is counted"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(1000)] }) });
    felt.update({ events: round(1, 1500), view: view({ round: 1 }) });
    await until("the cards lie still", () => !felt.vm.moving);
    felt.update({ events: round(2, -1000), view: view({ round: 2 }) });
    felt.break();
    felt.vm.line.hurry();
    felt.welcome({ seq: 2, view: view({ round: 2 }) });
    await sleep(20);
    assert.equal(felt.vm.result, -1000);
    assert.equal(felt.vm.session.net, 500);
    assert.equal(felt.vm.session.rounds.length, 2);
    assert.equal(felt.vm.log.filter((one) => one.words === "It ends.").length, 2);
  },
  async "who listens hears every card, whose turn it is and what came of it, each once"() {
    const felt = page();
    const heard = () => felt.vm.spoken.map((line) => line.words);
    felt.welcome({ view: view({ bets: [bet(1000)] }) });
    const cards = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"].map((card) => ({ event: "CardDealt", to: "hand", position: 3, card, words: `A card: ${card}.` }));
    const begun = { event: "RoundStarted", round: 1, words: "A round begins." };
    const mixed = { event: "SeedMixed", player: "Ann", words: `Ann mixes "${"58a9a443".repeat(4)}" into the shuffle.` };
    felt.update({ events: [mixed, begun, ...cards], view: view({ stage: "round", round: 1, boxes: [box(1000)], question: question() }) });
    await until("the cards lie still", () => !felt.vm.moving);
    await nextTick();
    assert.equal(heard().filter((words) => words.startsWith("A card: ")).length, cards.length);
    assert.match(heard().at(-1), /^Your turn: /);
    assert.ok(heard().every((words) => !words.includes("58a9a44358a9a443")), "no digits without end");
    felt.update({ events: round(1, 1500).slice(3), view: view({ round: 1 }) });
    await until("the cards lie still", () => !felt.vm.moving);
    assert.ok(heard().includes("Your result: +$15."));
    const keys = felt.vm.spoken.map((line) => line.key);
    assert.equal(new Set(keys).size, keys.length);
  },
  async "a panel on a phone does not stand before one's turn"() {
    const felt = page();
    felt.vm.size = { width: 390, height: 600, page: 390 };
    felt.welcome({ view: view({ bets: [bet(1000)] }) });
    felt.vm.openTab("rules");
    assert.ok(felt.vm.sheet);
    felt.update({ view: view({ stage: "round", round: 1, boxes: [box(1000)], question: question() }) });
    await until("the turn", () => felt.vm.question);
    await nextTick();
    assert.ok(!felt.vm.sheet);
  },
  async "how the table stands is not put back by what is still on its way"() {
    const felt = page();
    felt.welcome({ view: view({ bets: [bet(1000)] }) });
    felt.update({ events: round(1, 1500), view: view({ round: 1 }) });
    felt.status({ status: "paused", ready: ["Bob"], clock: { for: "wagers", ends: 1e15, seconds: 60 } });
    await until("the cards lie still", () => !felt.vm.moving);
    assert.equal(felt.vm.status, "paused");
    assert.deepEqual(felt.vm.ready, ["Bob"]);
    assert.equal(felt.vm.clockSeen.seconds, 60);
  },
  async "chips are bought once, however often a seat is taken by another"() {
    const felt = page();
    felt.welcome({ view: view({ players: [] }), you: { seat: 0, chips: 0 } });
    felt.vm.askSeat(4);
    felt.vm.answer(50000);
    await felt.told(1);
    felt.update({ view: view({ players: [{ name: "Bob", seat: 4 }] }), you: { seat: 0, chips: 50000 } });
    felt.ack(felt.sent()[0]);
    await felt.told(2);
    felt.refuse(felt.sent()[1], "seat 4 is taken by Bob");
    await until("the refusal", () => felt.vm.refusal && !felt.vm.underWay.size);
    felt.vm.answer(50000);
    await felt.told(3);
    assert.deepEqual(felt.commands().map((one) => one.command), ["BuyIn", "Sit", "Sit"]);

    const other = page();
    other.welcome({ view: view({ players: [{ name: "Ann", seat: 0 }] }), you: { seat: 0 } });
    other.vm.askSeat(4);
    other.vm.askSeat(4);
    await other.quiet();
    assert.equal(other.sent().length, 1);
  },
  async "what cards came to is written when they have come, however many come at once"() {
    for (const fast of [false, true]) {
      const felt = timed();
      felt.vm.option("fast", fast);
      felt.welcome({ view: dealerPlays() });
      felt.update({ events: dealersEnd(), view: view({ round: 1, shoe: felt.vm.view.shoe }) });
      await until("the cards lie still", () => !felt.vm.moving);
      const turned = felt.seen.find((one) => one.event === "CardTurned");
      assert.deepEqual([turned.cards, turned.total, turned.shows], [["Ks", "9s"], "10", true], "a card that turns is not yet counted");
      const drawn = felt.seen.filter((one) => one.event === "CardDealt").map((one) => one.total);
      assert.deepEqual(drawn, ["19"], "nor is one that comes");
      let moved = 0;
      for (const { at, event } of felt.seen) {
        if (event.startsWith("Card")) moved = at;
        else if (TOLD.has(event)) assert.ok(at - moved >= felt.vm.quick, `${event} after ${at - moved} ms of ${felt.vm.quick}`);
      }
      assert.ok(felt.seen.at(-1).at < 4000, "nobody waits for long");
    }
  },
  async "who hurries has everything at once, and no card comes after what it came to"() {
    const felt = timed();
    felt.welcome({ view: dealerPlays() });
    await until("the table stands", () => !felt.vm.still);
    felt.clock.waits = () => felt.key("x"); // any key
    felt.update({ events: dealersEnd(), view: view({ round: 1 }) });
    await until("the cards lie still", () => !felt.vm.moving);
    assert.equal(felt.clock.waited, 1, "nothing is waited for after that");
    const turned = felt.seen.findIndex((one) => one.event === "CardTurned");
    assert.ok(felt.seen.every((one, n) => one.still === n > turned), "cards lie there and are not on their way");
    assert.deepEqual(felt.seen.map((one) => one.event), dealersEnd().map((one) => one.event), "in the same order");
    await until("the next round moves again", () => !felt.vm.still);
  },
  async "one's chips do not tell the end of a round before its cards do"() {
    const felt = timed();
    felt.welcome({ view: dealerPlays() });
    felt.clock.waits = () => felt.clock.waited === 1 && felt.status({ you: { chips: 70000 } });
    felt.update({ events: dealersEnd(), view: view({ round: 1 }), you: { chips: 70000 } });
    await until("the cards lie still", () => !felt.vm.moving);
    assert.ok(felt.seen.length > 5 && felt.seen.every((one) => one.chips === 50000));
    assert.equal(felt.vm.you.chips, 70000);
  },
  async "the line above the controls says what goes on"() {
    const felt = timed();
    felt.welcome({ view: dealerPlays() });
    felt.update({ events: dealersEnd(), view: view({ round: 1 }) });
    await until("the cards lie still", () => !felt.vm.moving);
    const said = (event) => felt.seen.filter((one) => one.event === event).map((one) => one.situation);
    assert.deepEqual(said("HandStood"), ["Your hand at seat 3 is played."]);
    assert.deepEqual(said("CardTurned"), ["The down card is turned up."]);
    assert.deepEqual(said("CardDealt"), ["The dealer plays."]);
    assert.ok(said("WagerSettled").every((words) => words === "Wagers are paid."));
  },
  async "a line that is lost again is not said to be back"() {
    const felt = page();
    felt.welcome();
    felt.break();
    felt.vm.line.hurry();
    felt.welcome();
    assert.equal(felt.vm.lineWords, "Back at the table.");
    felt.break();
    assert.match(felt.vm.lineWords, /^Connection lost/);
  },
  async "keys of a control are its own in a replay too"() {
    let gone = false;
    const shown = { live: false, replayKey: () => (gone = true) };
    const control = { closest: (names) => (names.includes("button") ? {} : null) };
    for (const key of ["Enter", " "]) pressing.methods.onKey.call(shown, { key, target: control, preventDefault() {} });
    assert.ok(!gone);
    pressing.methods.onKey.call(shown, { key: "Enter", target: { closest: () => null }, preventDefault() {} });
    assert.ok(gone);
  },
};

const [, , name] = process.argv;
if (name === undefined) process.stdout.write(JSON.stringify(Object.keys(checks)));
else {
  await checks[name]();
  process.stdout.write("1");
}
process.exit(0);
