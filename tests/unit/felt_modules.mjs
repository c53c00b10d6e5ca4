// Checks of the felt's pure modules, run by test_felt_modules.py: one name, data on standard input.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const [, , folder, name] = process.argv;
const load = (file) => import(pathToFileURL(`${folder}/${file}`).href);
const given = () => JSON.parse(readFileSync(0, "utf8"));

const checks = {
  /** Every stroke of many rounds: the fold of its events is the view that comes with them. */
  async fold() {
    const { fold } = await load("scene.js");
    const { table, first, strokes } = given();
    let view = first;
    for (const stroke of strokes) {
      let folded = view;
      for (const event of stroke.events) folded = fold(folded, event, table);
      assert.deepEqual(seen(folded), seen(stroke.view), stroke.events.map((one) => one.words).join(" "));
      view = stroke.view;
    }
    return strokes.length;
  },
  /** A replay has events only, from wagers to the end of a round. */
  async replay() {
    const { framesOf } = await load("replay.js");
    const { discardCount } = await load("models.js");
    const { table, told, shoe, view } = given();
    const frames = framesOf(told, table, { shoe });
    const last = frames.at(-1).view;
    // The shoe is what it was, at the beginning and at the end, and so are the discards; or nothing is said of it.
    assert.equal(frames[0].view.shoe.left, shoe.left);
    assert.deepEqual([last.shoe.left, last.shoe.cut_reached], [view.shoe.left, view.shoe.cut_reached]);
    for (const { view: now } of frames) assert.equal(discardCount(now, table), now.shoe.shuffled ? table.shoe.cards - now.shoe.left - lying(now) : 0);
    assert.equal(discardCount({ ...last, shoe: { ...last.shoe, stacked: true } }, table), null, "of a stacked shoe nobody knows");
    const unknown = framesOf(told, table);
    assert.equal(unknown[0].view.shoe.left, null);
    assert.equal(discardCount(unknown[0].view, table), null);
    if (!told.some((one) => one.events.some((event) => /^Shoe|Shuffled/.test(event.event)))) assert.equal(discardCount(unknown.at(-1).view, table), null);
    const cards = (one) => ({ boxes: one.boxes.map((box) => box.hands.map((hand) => hand.cards)), dealer: one.dealer.cards });
    assert.deepEqual(cards(last), cards(view));
    assert.deepEqual(last.boxes.map((box) => box.player), view.boxes.map((box) => box.player));
    assert.deepEqual(last.boxes.map((box) => box.hands.map((hand) => hand.stakes)), view.boxes.map((box) => box.hands.map((hand) => hand.stakes)));
    return last.boxes.length;
  },
  async money() {
    const { chipsOf, dollars, parseDollars, percent, signed, stacksOf } = await load("money.js");
    assert.deepEqual([100000, 50, -250, 0].map(dollars), ["$1,000", "$0.50", "-$2.50", "$0"]);
    assert.deepEqual([1500, -500, 0].map(signed), ["+$15", "−$5", "$0"]);
    assert.deepEqual(["25", "$1,000.5", ".5", "x", "", "1,00"].map(parseDollars), [2500, 100050, 50, null, null, null]);
    assert.equal(percent(-0.512), "−0.51 %");
    for (let cents = 0; cents < 40000; cents += 100) {
      assert.equal(chipsOf(cents).reduce((sum, chip) => sum + chip.cents, 0), cents);
      assert.ok(stacksOf(cents).every((stack) => stack.length <= 5));
    }
    return 1;
  },
  async layout() {
    const { BESIDE, layoutOf, seatCards } = await load("layout.js");
    for (const [width, height] of [[1120, 676], [1120, 640], [1600, 1000], [390, 568], [390, 600]]) {
      for (let positions = 1; positions <= 9; positions += 1) {
        for (const own of [0, 1, positions]) {
          const found = layoutOf({ width, height, positions, own });
          assert.equal(found.seats.length, positions);
          for (const seat of found.seats) {
            assert.ok(seat.x > 0 && seat.x < width && seat.y > 0 && seat.y <= height, `seat ${seat.position}`);
            assert.ok(!own || seat.mine === (seat.position === own));
          }
        }
      }
    }
    // Stages of short phones, upright and on their side: the dealer's cards end above the own hand and its total.
    for (const [width, height] of [[390, 402], [360, 378], [375, 291], [320, 306], [422, 346], [334, 331], [430, 480]]) {
      for (const rows of [0, 16, 30]) {
        const { dealer, seats, strip, ratio, arcs } = layoutOf({ width, height, positions: 7, own: 4, rows });
        const mine = seats[3];
        assert.ok(mine.beside, `${width}x${height}: the circle is beside the cards`);
        const ownTop = mine.y - BESIDE * mine.scale - mine.card * ratio;
        assert.ok(dealer.y > strip && dealer.y + dealer.card * ratio + 10 <= ownTop - 23, `${width}x${height}: one hand over the other`);
        assert.ok(mine.card >= 60 && dealer.card >= 45 && mine.x + mine.width / 2 < width, `${width}x${height}: cards`);
        assert.ok(arcs.length <= 1 || height > 420, `${width}x${height}: lettering`);
      }
    }
    assert.ok([0, 16, 30].every((rows) => !layoutOf({ width: 390, height: rows ? 498 : 542, positions: 7, own: 4, rows }).seats[3].beside));
    const stake = (added) => [{ player: "A", start: 5, added, settled: null }];
    const hand = (cards, added = [], ended = "") => ({ cards, stakes: stake(added), ended });
    const keys = (card, number, place) => `${number}.${place}`;
    const lies = (hands, more = {}) => seatCards({ hands, width: 200, card: 88, ratio: 1.4, keys, ...more });
    const doubled = lies([hand(["6s", "5h", "Kc"], [5])]).cards;
    assert.deepEqual(doubled.map((card) => card.turn), [0, 0, 90]);
    const split = lies([hand(["8s"]), hand(["8c"]), hand(["8h"])], { active: 1 });
    assert.ok(split.centres[1].y < split.centres[0].y, "the active hand is raised");
    assert.ok(split.centres[0].x < split.centres[1].x && split.centres[1].x < split.centres[2].x);
    const over = lies([hand(["Ks", "Qh", "5c"], [], "bust")]).cards;
    assert.ok(over.every((card) => card.dimmed) && over.some((card) => card.turn));
    return 1;
  },
  async draft() {
    const { doubled, missing, stepped, withAmount } = await load("draft.js");
    const { table } = given();
    const [base, side] = table.wagers;
    let draft = withAmount({}, 3, base, 2500);
    draft = withAmount(draft, 3, side, 100);
    assert.deepEqual(draft[3].wagers, { [base.id]: 2500, [side.id]: 100 });
    assert.equal(missing(draft[3].wagers, table), "");
    assert.ok(missing({ [side.id]: 100 }, table).includes("goes along with"));
    assert.ok(missing({ [base.id]: 100 }, table).includes("$4 more"));
    assert.equal(withAmount(draft, 3, base, 10 ** 9)[3].wagers[base.id], base.maximum);
    assert.deepEqual(doubled(draft, table)[3].wagers, { [base.id]: 5000, [side.id]: 200 });
    assert.equal(stepped(0, base, table, 1), base.minimum);
    assert.equal(stepped(base.minimum, base, table, -1), 0);
    const fixed = { ...base, amounts: [200, 400] };
    assert.deepEqual([stepped(0, fixed, table, 1), stepped(200, fixed, table, 1), stepped(400, fixed, table, 1)], [200, 400, 400]);
    return 1;
  },
  /** Every line of many rounds leads to a rule, and what is drawn of a round sums to its net. */
  async words() {
    const { topicList, topicOf } = await load("topics.js");
    const { namedParts, withPart } = await load("parts.js");
    const { netOf } = await load("scene.js");
    const { netOfSettled, seatModels, sidesOf } = await load("models.js");
    const { table, rules, strokes } = given();
    const quiet = new Set(["TableOpened", "ChipsBought", "ChipsCashed", "StepBegun"]);
    const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
    let parts = {};
    let ended = 0;
    for (const { events, view } of strokes) {
      for (const event of events) {
        const dark = quiet.has(event.event) || event.to === "empty";
        assert.ok(dark || rules.topics[topicOf(event, table, rules)], `${event.event}: ${event.words}`);
        if (event.event === "RoundStarted") parts = {};
        for (const { name } of view.players) {
          const before = parts[name] || { net: 0, rows: [] };
          parts[name] = { net: before.net + netOf(event, name), rows: withPart(before.rows, event, name, table) };
        }
      }
      if (!events.some((event) => event.event === "RoundEnded")) continue;
      ended += 1;
      for (const { net, rows } of Object.values(parts)) {
        assert.equal(sum(namedParts(rows).map((row) => row.net)), net);
        assert.ok(rows.every((row) => rules.topics[row.topic]), JSON.stringify(rows));
      }
      for (const model of seatModels(view, table, null)) {
        const drawn = sum(model.hands.map((hand) => hand.net)) + sum(model.spots.map((spot) => netOfSettled(spot.settled)))
          + netOfSettled(model.insurance?.settled);
        assert.equal(drawn, model.net, `seat ${model.position}`);
        const sides = sidesOf(model);
        assert.equal(sides.settled ? sides.net : 0, drawn - sum(model.hands.map((hand) => hand.net)));
      }
    }
    const listed = new Set([...topicList(table, rules).map((one) => one.topic), "sides", "action:insure", "action:decline"]);
    assert.deepEqual(Object.keys(rules.topics).filter((topic) => !listed.has(topic)), [], "every topic is on the list");
    return ended;
  },
  /** Backed hands: drawn until the cards are gathered, and wagered again. */
  async backing() {
    const { again, playedBy } = await load("draft.js");
    const { seatModels } = await load("models.js");
    const { emptyView } = await load("scene.js");
    const { table } = given();
    const won = { result: "won", collected: 0, won: 1000, uncovered: 0, why: "" };
    const lost = { ...won, result: "lost", collected: 300, won: 0 };
    const stake = (player, start, settled, follows = true) => ({ player, start, added: [], follows, settled });
    const hand = (...stakes) => ({ cards: ["9s", "Kc"], total: "19", soft: false, natural: false, ended: "stood", outcome: "won", stakes });
    const box = (position, player, ...stakes) => ({ position, player, hands: [hand(...stakes)], sides: [], down: [], dead: false });
    const view = {
      ...emptyView(table), stage: "wagers", round: 1,
      players: [{ name: "Ann", seat: 3, kind: "player" }, { name: "Me", seat: 4, kind: "player" }],
      boxes: [box(3, "Ann", stake("Ann", 500, won), stake("Me", 1000, won, false)), box(4, "Me", stake("Me", 500, won))],
    };
    view.boxes[0].sides.push({ player: "Me", wager: "match", amount: 300, settled: lost });
    const backers = (more, seen = view) => seatModels(seen, { ...table, bots: [] }, null, more)[2].backers;
    assert.deepEqual(backers(), [{ player: "Me", amount: 1300, follows: false, settled: true, net: 700 }]);
    assert.deepEqual(backers({ gathered: true }), []);
    const placed = { player: "Me", position: 3, placed: [["base", 700]], backline: true, follows: true };
    assert.deepEqual(backers({}, { ...view, bets: [placed] }).map((one) => [one.amount, one.settled]), [[700, false]]);
    const played = playedBy(view, "Me");
    assert.deepEqual(played[3], { wagers: { base: 1000, match: 300 }, kind: "back", follows: false, of: "Ann" });
    assert.deepEqual(played[4], { wagers: { base: 500 }, kind: "place", follows: false });
    const own = { player: "Ann", position: 3, placed: [["base", 500]], backline: false, follows: false };
    const seen = ({ now, later }) => [Object.keys(now), Object.keys(later)];
    assert.deepEqual(seen(again(played, view, 4)), [["4"], ["3"]], "who is backed has not wagered yet");
    assert.deepEqual(seen(again(played, { ...view, bets: [own] }, 4)), [["3", "4"], []]);
    assert.deepEqual(seen(again(played, view, 6)), [["6"], ["3"]], "one's own box goes along to another seat");
    assert.deepEqual(seen(again(played, { ...view, bank: { seat: 3 } }, 4)), [["4"], []], "a bank is not backed");
    assert.deepEqual(seen(again(played, { ...view, players: view.players.slice(1) }, 4)), [["4"], []], "nor who has left");
    return 1;
  },
  async phrases() {
    const { methodWords, resultTopic, situationTopic, topicName, totalTopic } = await load("topics.js");
    const { pokerBriefly } = await load("models.js");
    const { table } = given();
    assert.ok(!methodWords("exact").includes("split") && !methodWords("exact, splits CDP").includes("CDP"));
    assert.ok(methodWords("exact, splits CDP").includes("split"));
    assert.deepEqual(["three of a kind, eights", "two pair, nines and fours", "pair of sixes"].map(pokerBriefly), ["3 of a kind", "two pair", "pair of sixes"]);
    assert.deepEqual([{ result: "won" }, { result: "won", natural: true }, { result: "push" }, { result: "surrendered" }].map(resultTopic), ["results", "natural", "ties", "action:surrender"]);
    assert.deepEqual([{ total: "17" }, { total: "over" }, { natural: true, total: "21" }].map(totalTopic), ["totals", "over", "natural"]);
    assert.deepEqual(["natural", "wager:base", "action:double", "ties"].map((topic) => topicName(topic, table)), ["Blackjack", table.wagers[0].name, "Double", "Ties"]);
    assert.equal(situationTopic({ question: { phase: "insurance", answers: [] }, stage: "round" }), "insurance");
    assert.equal(situationTopic({ stage: "wagers", watching: true }), "seats");
    return 1;
  },
  async line() {
    const { TableLine, backoff } = await load("socket.js");
    const opened = [];
    const open = (url) => {
      const socket = { url, readyState: 1, sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close: () => socket.onclose({ code: 1006 }) };
      opened.push(socket);
      return socket;
    };
    globalThis.location = { protocol: "https:", host: "house" };
    const states = [];
    const line = new TableLine("a b", { state: (state) => states.push(state) }, open);
    const say = (message) => opened.at(-1).onmessage({ data: JSON.stringify(message) });
    line.connect();
    assert.equal(opened[0].url, "wss://house/api/tables/a%20b/socket");
    say({ type: "welcome", seq: 7 });
    const answer = line.do({ command: "Hit", position: 1 });
    const first = opened[0].sent.find((message) => message.type === "do");
    opened[0].close();
    line.hurry();
    assert.equal(opened[1].url, "wss://house/api/tables/a%20b/socket?since=7");
    say({ type: "welcome", seq: 8 });
    const again = opened[1].sent.find((message) => message.type === "do");
    assert.deepEqual(again, first, "what was not answered is said again under the same id");
    say({ type: "ack", id: first.id, seq: 8 });
    assert.equal((await answer).type, "ack");
    opened[1].close();
    line.hurry();
    say({ type: "welcome", seq: 9 });
    assert.ok(!opened[2].sent.some((message) => message.type === "do"), "what was answered is not said again");
    const later = [];
    const real = globalThis.setTimeout;
    globalThis.setTimeout = (work) => later.push(work);
    const tried = line.do({ command: "Stand", position: 1 }, 4);
    const stand = opened[2].sent.at(-1);
    assert.deepEqual([stand.seq, first.seq], [4, 7], "what was seen goes along");
    say({ type: "error", id: stand.id, words: "later", again: true });
    assert.equal(later.length, 1);
    later[0]();
    assert.deepEqual(opened[2].sent.slice(-2), [stand, stand], "said again by the same id");
    say({ type: "ack", id: stand.id, seq: 10 });
    assert.ok(line.pending.has(stand.id), "what it did has not come yet");
    say({ type: "update", seq: 10 });
    assert.equal((await tried).type, "ack");
    later[0]();
    assert.equal(opened[2].sent.filter((message) => message.id === stand.id).length, 2, "and no more once it is answered");
    const lost = line.do({ command: "Stand", position: 1 });
    say({ type: "error", id: opened[2].sent.at(-1).id, words: "no" });
    assert.deepEqual([(await lost).type, (await lost).reason], ["refused", "no"], "what cannot help is not said again");
    globalThis.setTimeout = real;
    opened[2].onclose({ code: 4404 });
    assert.deepEqual(states.slice(-1), ["ended"]);
    assert.ok(backoff(0, 0) < backoff(3, 0) && backoff(50, 1) <= 15000 * 1.25);
    line.close();
    return 1;
  },
};

/** The parts of a view that a fold has to know, without what only the table's own automata tell. */
/** How many cards lie on the table. */
function lying(view) {
  const up = [...view.boxes.flatMap((box) => box.hands), view.dealer].flatMap((holder) => holder.cards);
  const down = [...view.boxes, view.dealer].flatMap((holder) => holder.down.filter(Boolean));
  return up.length + down.length + view.community.length;
}

function seen(view) {
  return {
    stage: view.stage,
    step: [view.step, view.step_words],
    round: view.round,
    left: view.shoe.left,
    cut: view.shoe.cut_reached,
    players: view.players.map(({ name, seat }) => [name, seat]),
    lights: view.lights.filter((one) => one.lit).map(({ player, position, lit }) => [player, position, lit]),
    bets: [...view.bets].sort((one, other) => one.position - other.position || one.player.localeCompare(other.player)),
    boxes: view.boxes.map((box) => ({
      position: box.position,
      player: box.player,
      down: box.down,
      dead: box.dead,
      poker: box.poker || "",
      sides: box.sides,
      hands: box.hands.map(({ cards, stakes, ended, outcome, total }) => ({ cards, stakes, outcome, ended: Boolean(ended), total: ended === "bust" || total === "over" ? "over" : total })),
    })),
    dealer: { cards: view.dealer.cards, down: view.dealer.down, result: view.dealer.result, poker: view.dealer.poker || "" },
    community: view.community,
    bank: view.stage === "round" && view.bank ? [view.bank.player, view.bank.amount, view.bank.net] : null,
    button: view.action_button,
  };
}

process.stdout.write(String(await checks[name]()));
