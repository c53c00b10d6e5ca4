/** From a word at the table to its rules: which topic stands behind what. */

const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

/** What happened, and the topic behind it; a function where it depends on more than the name. */
const OF_EVENT = {
  PlayerSat: "seats", PlayerMoved: "seats", PlayerLeft: "seats", CardsMissed: "seats",
  LightsLost: "lights", CardPunched: "lights", CardSurrendered: "lights", CardsVoided: "lights", LightLit: "lights",
  PrizeWon: (event) => (event.prize ? "prizes" : "lights"),
  ShoeCommitted: "shoe", SeedMixed: "shoe", ShoeStacked: "shoe", ShoeShuffled: "shoe", ShoeOpened: "shoe", CardBurned: "shoe",
  CutCardReached: "shoe", DiscardsShuffled: "discards", RestDiscarded: "discards",
  BankOffered: "bank", BankDeclined: "bank", BankTaken: "bank", BankReturned: "bank", ActionButtonPlaced: "action button",
  FeeCollected: "fees", RoundStarted: "deal", CardTurned: "deal", DownCardTold: "dealer", RoundEnded: "results", RoundVoided: "mistakes",
  CardFoundFaceUp: "mistakes", CardDrawnInError: "mistakes",
  CardKept: "action:keep", CardTraded: "action:trade", InsuranceTaken: "insurance", InsuranceDeclined: "insurance", SurrenderDeclined: "action:surrender",
  HandReplaced: "action:replace", CardsSwitched: "action:switch", ExchangeDeclined: "action:switch",
  HandHit: "action:hit", HandStood: "action:stand", HandDoubled: "action:double", HandSplit: "action:split", HandSurrendered: "action:surrender",
  HandRescued: "action:rescue", HandBusted: "over", HandDead: "mistakes", DealerChecked: "dealer", DealerFinished: "dealer",
  WagersPlaced: (event) => (event.backline ? "backline" : event.wagers?.length === 1 ? `wager:${event.wagers[0][0]}` : "limits"),
  CardDealt: (event) => ({ dealer: "dealer", community: "community" })[event.to] || "deal",
  CardsShown: (event, table) => (event.community ? "community" : pokerTopic(table) || "deal"),
  WagerSettled: (event) => (event.wager === "base" ? resultTopic(event) : wagerTopic(event.wager)),
};

/** The topic behind an event; "" where the rules have none for it. */
export function topicOf(event, table, rules) {
  const found = OF_EVENT[event.event] || "";
  const topic = typeof found === "function" ? found(event, table) : found;
  return rules.topics[topic] ? topic : "";
}

/** Insurance is a wager that has rules of its own. */
export const wagerTopic = (wager) => (wager === "insurance" ? wager : `wager:${wager}`);

/** What became of a wager on a hand. */
export function resultTopic({ result, natural }) {
  const found = { push: "ties", tied: "ties", surrendered: "action:surrender", rescued: "action:rescue", dead: "mistakes" }[result];
  return found || (natural ? "natural" : "results");
}

/** What a hand is called on its badge. */
export function totalTopic({ natural, total, ended }) {
  return natural ? "natural" : ended === "bust" || total === "over" ? "over" : "totals";
}

/** The wager that goes by the names of poker hands. */
export function pokerTopic(table) {
  const found = table.wagers.find((wager) => /poker|stud/i.test(wager.id)) || table.wagers[1];
  return found ? `wager:${found.id}` : "";
}

const OF_STEP = {
  fees: "fees", trades: "lights", insurance: "insurance", peek: "dealer", exchange: "action:switch", turns: "action:hit", reveal: "dealer", dealer: "dealer", settle: "results",
  "stud-round": "sides", rotate: "bank",
};

/** What the line above the controls speaks of. */
export function situationTopic({ question, stage, step, watching }) {
  if (question) {
    if (question.phase === "insurance") return "insurance";
    if (question.phase === "exchange") return "action:switch";
    return question.answers?.some((answer) => answer.action === "trade") ? "action:trade" : "action:hit";
  }
  if (stage === "round") return OF_STEP[step] || "deal";
  return stage === "bank" ? "bank" : watching ? "seats" : "limits";
}

const NAMES = {
  results: "Who wins", over: "A hand that is over", totals: "How a hand counts", ties: "Ties", cards: "The cards", deal: "The deal",
  seats: "Seats and boxes", backline: "Backing somebody's hand", sides: "Side wagers", community: "Community cards",
  discards: "Cards that are done", limits: "Limits", mistakes: "Mistakes of the deal", dealer: "The dealer", shoe: "The shoe",
  bank: "The bank", fees: "Fees", lights: "Lights", insurance: "Insurance", "action button": "The action button",
};
const ACTIONS = { insure: "Insurance", decline: "To decline", redouble: "Double again" };

/** How a topic is called. */
export function topicName(topic, table) {
  const [kind, id] = (topic || "").split(":");
  if (kind === "wager") return table.wagers.find((wager) => wager.id === id)?.name || id;
  if (kind === "action") return ACTIONS[id] || capital(id);
  if (topic === "natural") return capital(table.count.natural_name);
  if (topic === "dealer" && table.player_banks) return "The player-dealer";
  return NAMES[topic] || capital(topic || "");
}

/** All topics that the rules have, in the order in which one meets them at the table. */
export function topicList(table, rules) {
  const wanted = [
    ...table.wagers.map((wager) => `wager:${wager.id}`), "limits", "fees", "seats", "backline", "bank", "action button", "shoe", "discards", "cards",
    "deal", "community", "totals", "natural", ...table.actions.map((row) => `action:${row.action}`), "insurance", "lights", "dealer", "over", "results", "prizes", "ties", "mistakes",
  ];
  const same = new Set(["action:insure", "action:decline"]);
  return wanted.filter((topic) => rules.topics[topic] && !same.has(topic)).map((topic) => ({ topic, name: topicName(topic, table) }));
}

/** How the coach's figures were found, in plain words; the term behind them is for those who know it. */
export function methodWords(method) {
  if (!method) return "";
  if (!method.startsWith("exact")) return `Worked out so: ${method}.`;
  const counted = "Worked out exactly: every card that can still come is counted.";
  return method.includes("splits")
    ? `${counted} After a split, each hand is played as is best when the pair cards of the others are gone from the shoe; their further cards are not looked at.`
    : counted;
}
