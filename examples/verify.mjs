// A second verifier for the records of Upcard sessions, written from notation.md and shuffle.md alone.
//
//     node verify.mjs FILE... [--promise DIGITS] [--head DIGITS] [--key DIGITS]
//
// It proves that a record is whole (lines, chain, seals, times, rounds) and that every card came as the
// promised seed and the players' words say. It does not know the rules of the games: whether a hand might hit,
// what was paid and whether the fingerprint is that of the game is left to `upcard verify`.
// The exit status is 0 if everything holds, 1 if something does not, 2 for wrong usage.

import { createHash, createHmac, createPublicKey, verify as verifySignature } from 'node:crypto'
import { readFileSync } from 'node:fs'

class Difference extends Error {}
const fail = (sentence) => { throw new Difference(sentence) }
const demand = (holds, sentence) => { if (!holds) fail(sentence) }

const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const hmac = (key, message) => createHmac('sha256', key).update(message, 'utf8').digest()
const isHex = (text, digits) => typeof text === 'string' && text.length === digits && /^[0-9a-f]*$/.test(text)
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
/** 1 to 64 code points; of all blanks and separators just U+0020, and no control, format or unassigned character. */
const isWord = (text) => typeof text === 'string' && /^(?:[^\p{C}\p{Z}]| ){1,64}$/u.test(text)

// ---- The recipe of a shoe (shuffle.md) ------------------------------------------------------------------

const usual = { version: 2, decks: 6, removed: '', everyRound: false, burn: 1, penetration: 0.75, margin: 0 }
const GAMES = {
  'blackjack': { ...usual, version: 1, margin: 5 },
  'ten-sticks-21': { ...usual, version: 3, margin: 5 },
  'pure-spanish-21.5': { ...usual, removed: 'T' },
  'games-of-chance-blackjack': usual,
  'twisted-21': { ...usual, decks: 1, everyRound: true, burn: 0 },
  'blackjack-tie': { ...usual, margin: 5 },
  'spanish-21': { ...usual, version: 1, removed: 'T' },
  'double-exposure': { ...usual, version: 1, decks: 8, margin: 5 },
  'blackjack-switch': { ...usual, version: 1, margin: 5 },
  'free-bet': { ...usual, version: 1, margin: 5 },
  'super-fun-21': { ...usual, version: 1, decks: 1 },
  'pontoon': { ...usual, version: 1, decks: 8, removed: 'T' },
  'european-blackjack': { ...usual, version: 1 },
  'vegas-strip': { ...usual, version: 1, decks: 4 },
  'single-deck-6-5': { ...usual, version: 1, decks: 1, penetration: 0.6 },
  'down-under': { ...usual, version: 1 },
  'zappit': { ...usual, version: 1, margin: 5 },
}

const WHOLE = /^(0|[1-9]\d*)$/, FRACTION = /^(0|[1-9]\d*)(\.\d+)?$/

function shoeRules({ game, settings }) {
  const id = game.split('@', 1)[0]
  demand(Object.hasOwn(GAMES, id), `the pages name no shoe for the game ${JSON.stringify(game)}`)
  const rules = { ...GAMES[id] }
  demand(game === id || game === `${id}@${rules.version}`, `${id} is at version ${rules.version}, not ${JSON.stringify(game)}`)
  for (const name of ['decks', 'penetration', 'burn'].filter((name) => Object.hasOwn(settings, name))) {
    const form = name === 'penetration' ? FRACTION : WHOLE
    demand(form.test(settings[name]), `the setting ${name} is not a number as tables write it`)
    rules[name] = Number(settings[name])
  }
  return rules
}

function freshCards({ decks, removed }) {
  const ranks = [...'A23456789TJQK'].filter((rank) => !removed.includes(rank))
  const deck = [...'shdc'].flatMap((suit) => ranks.map((rank) => rank + suit))
  return Array.from({ length: decks }, () => deck).flat()
}

/** How many cards lie before the cut card; all of them if it stands behind the last one. */
function cutOf({ everyRound, penetration, margin }, cards) {
  if (everyRound) return cards
  const below = Math.floor(cards * penetration), rest = cards * penetration - below
  const nearest = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below // a half goes to the even one
  return Math.min(Math.max(nearest, margin), cards - margin)
}

const seedOfShoe = (secret, number) => hmac(Buffer.from(secret, 'hex'), `upcard/1/shoe/${number}`)

function* randomNumbers(seed, purpose, words) {
  for (let counter = 0; ; counter++) {
    const block = hmac(seed, [purpose, ...words, counter].join('\n'))
    for (let at = 0; at < block.length; at += 4) yield block.readUInt32BE(at)
  }
}

function shuffle(cards, seed, purpose, words) {
  const numbers = randomNumbers(seed, purpose, words), order = [...cards]
  for (let last = order.length - 1; last > 0; last--) {
    const fair = 2 ** 32 - (2 ** 32 % (last + 1)) // numbers from here on would favour the low remainders
    let number
    do number = numbers.next().value; while (number >= fair)
    const r = number % (last + 1)
    ;[order[last], order[r]] = [order[r], order[last]]
  }
  return order
}

function demandOrder(recorded, expected, what) {
  if (same(recorded, expected)) return
  demand(recorded.length === expected.length, `${what}: ${recorded.length} cards instead of ${expected.length}`)
  const i = expected.findIndex((card, index) => card !== recorded[index])
  fail(`${what}: card ${i + 1} is ${recorded[i]} and should be ${expected[i]}`)
}

// ---- The cards that lie on the table in a round, for the order of the discards ---------------------------

const newHand = (cards, wagers) =>
  ({ cards, gaps: [], ended: false, settled: 0, unsettled: new Set(wagers.map(({ player }) => player)) })
const neverTurned = (downs) => downs.filter(({ turned }) => !turned).map(({ card }) => card)

class Round {
  boxes = new Map() // position -> { hands, downs }
  dealer = { up: [], downs: [] }
  middle = []
  aside = [] // traded cards, exchanged hands and cards of empty positions, as they came

  constructor(banker, baseWagers) { Object.assign(this, { banker, baseWagers }) }

  box(position) {
    if (!this.boxes.has(position)) {
      const wagers = this.baseWagers.filter((wager) => wager.position === position) // the owner's and the backers'
      this.boxes.set(position, { hands: [newHand([], wagers)], downs: [] })
    }
    return this.boxes.get(position)
  }

  hand({ position = 0, hand = 0 }) {
    return this.box(position).hands[hand] ?? fail(`position ${position} has no hand ${hand}`)
  }

  lay({ card, face, to, ...where }) {
    if (to === 'hand') {
      const { cards, gaps } = this.hand(where)
      cards[gaps.length ? gaps.shift() : cards.length] = card // what replaces a traded card lies in its gap
    } else if (to === 'down') this.box(where.position).downs.push({ card })
    else if (to === 'dealer' && face === 'down') this.dealer.downs.push({ card })
    else if (to === 'dealer') this.dealer.up.push(card)
    else if (to === 'community') this.middle.push(card)
    else if (to === 'empty') this.aside.push(card)
    else fail(`a card is dealt to ${JSON.stringify(to)}`)
  }

  turn({ card, place, position = 0, hand }) {
    const ofDealer = position === 0
    // Down cards keep the number they were dealt with when others of them have been turned.
    const down = (ofDealer ? this.dealer : this.box(position)).downs[place - 1]
    demand(down && !down.turned, `no down card number ${place} lies at position ${position}`)
    demand(down.card === card, `${card} is turned up where ${down.card} was dealt`)
    down.turned = true
    ;(ofDealer ? this.dealer.up : this.hand({ position, hand }).cards).push(card)
  }

  trade({ card, place, ...where }) {
    const { cards, gaps } = this.hand(where)
    demand(cards[place - 1] === card, `${card} is traded where ${cards[place - 1] ?? 'no card'} lies`)
    cards[place - 1] = null
    gaps.push(place - 1)
    this.aside.push(card)
  }

  replace({ cards: given, ...where }) {
    const { cards } = this.hand(where)
    demand(same(cards, given), `${given} are exchanged where ${cards} lie`)
    this.aside.push(...cards.splice(0))
  }
  split({ position, hand = 0, added = [] }) {
    const { cards, gaps } = this.hand({ position, hand })
    demand(cards.length >= 2 && !gaps.length, 'a hand without two cards is split')
    // The new hand has the wagers of those who added one: who does not follow a split backs only the first hand.
    this.box(position).hands.splice(hand + 1, 0, newHand(cards.splice(1, 1), added))
  }

  end(where) { this.hand(where).ended = true }

  settle({ wager, player, ...where }) {
    if (wager !== 'base') return
    const hand = this.hand(where)
    hand.unsettled.delete(player)
    hand.settled++
  }

  boxesInOrderOfPlay() {
    const late = (position) => position <= (this.banker ?? 0) // play begins behind the banker's seat and goes round
    const positions = [...this.boxes.keys()].sort((a, b) => late(a) - late(b) || a - b)
    return positions.map((position) => this.boxes.get(position))
  }

  /** Takes from the table what a shuffle of discards finds there in the middle of the round. */
  takeWhatIsDone() {
    const hands = this.boxesInOrderOfPlay().flatMap(({ hands }) => hands)
    const done = hands.filter(({ ended, settled, unsettled }) => ended && settled && !unsettled.size)
    return [...done.flatMap(({ cards }) => cards.splice(0)), ...this.aside.splice(0)]
  }

  /** What is left of the round when the next one starts. */
  everything() {
    const ofBox = ({ hands, downs }) => [...hands.flatMap(({ cards }) => cards), ...neverTurned(downs)]
    const ofDealer = [...this.dealer.up, ...neverTurned(this.dealer.downs)]
    return [...this.boxesInOrderOfPlay().flatMap(ofBox), ...ofDealer, ...this.middle, ...this.aside].filter(Boolean)
  }
}

// ---- The shoes of a session, event by event ----------------------------------------------------------------

const MISTAKES = ['CardFoundFaceUp', 'CardDrawnInError'] // only a scripted table makes them
const FAREWELLS = ['LightsLost', 'CardPunched', 'ChipsCashed', 'ShoeOpened'] // the end of a table that has closed
const ON_THE_TABLE = { // events that move no more than the cards of the round, and what Round calls that
  CardDealt: 'lay', CardTurned: 'turn', CardTraded: 'trade', HandReplaced: 'replace', HandSplit: 'split',
  WagerSettled: 'settle',
  HandBusted: 'end', HandStood: 'end', HandSurrendered: 'end', HandRescued: 'end', HandDead: 'end',
}

class Table {
  shoe = null // the shoe that is promised and not yet opened
  promises = []
  discards = []
  round = null // the round whose cards lie on the table, even if it is over
  inRound = false
  roundNumber = 0
  baseWagers = [] // { player, position } for the next round
  counts = { shoes: 0, shuffles: 0, cards: 0, stacked: 0, mistakes: 0 }

  constructor(title) { this.rules = shoeRules(title) }

  follow(event) {
    demand(event.event === 'TableOpened' ? !this.secret : this.secret, 'the table is not opened once, at the start')
    const isLeft = this.shoe && FAREWELLS.includes(event.event) // the opening of the last shoe is the very end
    demand(!this.closed || isLeft, 'the table is closed, but something happens at it')
    const inPlay = ['CardDealt', 'CardBurned'].includes(event.event)
    const takesCard = inPlay || MISTAKES.includes(event.event)
    // CutCardReached and DiscardsShuffled are only for a card that comes at once: else they could spend a shoe early.
    demand(inPlay || !this.cardIsDue, 'the cut card or a shuffle of discards came, but no card behind it')
    this.cardIsDue = false
    if ([...MISTAKES, 'ShoeStacked'].includes(event.event)) {
      demand(this.scripted, `${event.event} stands in the record of a table that is not scripted`)
      this.counts.mistakes++
    }
    if (takesCard) this.takeNextCard(event)
    if (Object.hasOwn(Table.effects, event.event)) Table.effects[event.event].call(this, event)
    if (!Object.hasOwn(ON_THE_TABLE, event.event)) return
    demand(this.round, `${event.event} comes when no cards lie on the table`)
    this.round[ON_THE_TABLE[event.event]](event)
  }

  takeNextCard({ event, card }) {
    const shoe = this.shoe?.order ? this.shoe : fail('a card is taken, but no shoe is shuffled')
    demand(this.inRound || event !== 'CardDealt', 'a card is dealt between two rounds')
    demand(shoe.taken < shoe.order.length, 'a card is taken from an empty shoe')
    const next = shoe.order[shoe.taken]
    demand(card === next, `the card is ${card}, but the next one of the shoe is ${next}`)
    if (!shoe.stacked) {
      const announced = !shoe.cutCardToCome || shoe.taken < shoe.cut || MISTAKES.includes(event)
      demand(announced, 'the card behind the cut card comes without CutCardReached')
      demand(event !== 'CardDealt' || shoe.burned === this.rules.burn, `a card is dealt after ${shoe.burned} burned ones`)
      demand(event !== 'CardBurned' || shoe.burned++ < this.rules.burn, 'one card too many is burned')
    }
    shoe.taken++
    this.counts.cards++
    if (event !== 'CardDealt') this.discards.push(card)
  }

  /** What events do to the shoe and for the next round. */
  static effects = {
    TableOpened({ secret, scripted, dealt_from: text }) {
      demand(isHex(secret, 64), 'the table has no secret of 64 digits')
      const known = text === undefined || (isWord(text) && sha256(`upcard/1/secret/${text}`) === secret)
      demand(known, 'the secret is not that of the text it is dealt from')
      Object.assign(this, { secret, scripted: scripted === true, dealtFrom: text })
    },
    ShoeCommitted({ shoe: number, commitment }) {
      demand(!this.shoe && number === this.promises.length + 1, `shoe ${number} is promised out of turn`)
      const seed = seedOfShoe(this.secret, number)
      demand(sha256(seed) === commitment, `the commitment of shoe ${number} is not that of the table's secret`)
      this.promises.push(commitment)
      const untouched = { order: null, taken: 0, burned: 0, discardShuffles: 0 }
      this.shoe = { number, seed, words: [], speakers: new Set(), ...untouched }
      this.discards = []
      this.round = null // the cards of the round before it are all in the new shoe
    },
    SeedMixed({ player, seed: word }) {
      demand(this.shoe && !this.shoe.order, 'a word is given when no shoe waits for words')
      demand(!this.shoe.speakers.has(player), `${player} gives a second word for one shoe`)
      // A word with a line feed could pass for two words, so it matters that words are printable.
      demand(isWord(word), 'a word is not 1 to 64 printable characters')
      this.shoe.speakers.add(player)
      this.shoe.words.push(word)
    },
    ShoeShuffled({ shoe: number, order, cut }) {
      const shoe = this.shoe
      demand(shoe?.number === number && !shoe.order, `shoe ${number} is shuffled, but is not the one promised`)
      const expected = shuffle(freshCards(this.rules), shoe.seed, 'shuffle', shoe.words)
      demandOrder(order, expected, `shoe ${number} is not the shuffle of its seed and words`)
      const place = cutOf(this.rules, order.length)
      demand(cut === place, `the cut card stands behind ${cut} cards and should behind ${place}`)
      Object.assign(shoe, { order, cut, taken: 0, cutCardToCome: cut < order.length })
      this.counts.shuffles++
    },
    RestDiscarded({ cards }) {
      const shoe = this.shoe?.order && this.inRound ? this.shoe : fail('the rest is discarded outside of a round')
      demand(this.rules.everyRound, 'the rest of a shoe is discarded that lasts for several rounds')
      const rest = shoe.order.slice(shoe.taken)
      demand(cards > 0 && cards === rest.length, `${cards} cards are discarded, but ${rest.length} are left`)
      this.discards.push(...rest)
      Object.assign(shoe, { taken: shoe.order.length, restIsGone: true })
    },
    CutCardReached() {
      const shoe = this.shoe?.order ? this.shoe : fail('a cut card comes, but no shoe is shuffled')
      const there = !shoe.stacked && shoe.cutCardToCome && shoe.taken >= shoe.cut
      demand(there, `the cut card comes after ${shoe.taken} cards, where it does not stand`)
      Object.assign(shoe, { cutCardToCome: false, spent: true })
      this.cardIsDue = true
    },
    DiscardsShuffled({ order }) {
      const shoe = this.shoe?.order && this.inRound ? this.shoe : fail('discards are shuffled outside of a round')
      demand(shoe.taken === shoe.order.length, 'discards are shuffled, but the shoe is not empty')
      demand(!shoe.restIsGone || shoe.stacked, 'discards are shuffled in a round whose rest was discarded')
      const lying = [...this.discards.splice(0), ...this.round.takeWhatIsDone()]
      const expected = shuffle(lying, shoe.seed, `discards/${++shoe.discardShuffles}`, shoe.words)
      demandOrder(order, expected, 'the shuffle of discards is not that of the cards laid off')
      this.counts.shuffles++
      Object.assign(shoe, { order, taken: 0, cutCardToCome: false, spent: true })
      this.cardIsDue = true
    },
    ShoeStacked({ cards, discards = [] }) {
      demand(this.shoe && !this.inRound, 'a shoe is stacked in the middle of a round')
      Object.assign(this.shoe, { order: cards, taken: 0, stacked: true })
      this.discards = [...discards]
      this.round = null // what lies on the table is not counted any more
      this.counts.stacked++
    },
    ShoeOpened({ shoe: number, seed, clients = [] }) {
      const shoe = this.shoe?.number === number ? this.shoe : fail(`shoe ${number} is opened, but was not promised`)
      demand(seed === shoe.seed.toString('hex'), `the opened seed of shoe ${number} is not that of the commitment`)
      demand(same(clients, shoe.words), `shoe ${number} is opened with other words than were given for it`)
      // A shoe whose cards end just with a round is not spent: the next round begins with a shuffle of discards.
      const due = !this.inRound && shoe.spent && !shoe.stacked
      demand(due || this.closed, `shoe ${number} is opened too early`)
      this.shoe = null
      this.counts.shoes++
    },
    RoundStarted({ round: number }) {
      demand(!this.inRound && number === this.roundNumber + 1, `round ${number} starts out of turn`)
      demand(!this.shoe?.spent || this.shoe.stacked, 'a round starts with a shoe that had to be opened')
      if (this.round) this.discards.push(...this.round.everything())
      this.round = new Round(this.banker, this.baseWagers)
      Object.assign(this, { inRound: true, roundNumber: number, baseWagers: [] })
    },
    RoundEnded({ round: number }) {
      demand(this.inRound && number === this.roundNumber, `round ${number} ends, but is not in play`)
      this.inRound = false
      if (this.rules.everyRound && this.shoe?.order) this.shoe.spent = true
    },
    WagersPlaced({ player, position, wagers = [] }) {
      this.baseWagers = this.baseWagers.filter((old) => old.player !== player || old.position !== position)
      if (wagers.some(([wager]) => wager === 'base')) this.baseWagers.push({ player, position })
    },
    PlayerLeft({ player }) { this.baseWagers = this.baseWagers.filter((old) => old.player !== player) },
    BankTaken({ seat }) { this.banker = seat },
    BankReturned() { this.banker = undefined },
    TableClosed() { this.closed = true },
  }
}

// ---- The lines of a record (notation.md) -------------------------------------------------------------------

const P = 2n ** 255n - 19n
const SMALL_ORDER = [
  0n, 1n, P - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
]

/** Not a key for which anybody can write signatures, nor a second spelling of one. */
function isStrong(key) {
  const y = BigInt(`0x${Buffer.from(key, 'hex').reverse().toString('hex')}`) % 2n ** 255n
  return y < P && !SMALL_ORDER.includes(y)
}

/** 24 characters, a moment that there is, and no year 0: of those the language takes more. */
function isTime(text) {
  const form = typeof text === 'string' && /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)
  const moment = new Date(form ? text : NaN)
  return !Number.isNaN(moment.valueOf()) && moment.toISOString() === text
}

class Record {
  entry = null // the first line of the entry that is not sealed yet
  entries = 0
  heads = []

  readLine(line) {
    const data = JSON.parse(line)
    demand(isObject(data) && JSON.stringify(data) === line, 'the line is not in its compact form')
    if (this.title) demand(data.after === this.hashBefore, 'the line does not have the hash of the line before it')
    if (!this.title) this.readTitle(data)
    else if (Object.hasOwn(data, 'seal')) this.readSeal(data, line)
    else this.readEvent(data)
    this.hashBefore = sha256(line)
  }

  readTitle(title) {
    demand(same(Object.keys(title), ['notation', 'game', 'fingerprint', 'settings', 'key']), 'the first line is no title')
    demand(title.notation === 2, `this is notation ${title.notation}, not 2`)
    const texts = isObject(title.settings) && [title.game, title.fingerprint, ...Object.values(title.settings)]
    demand(texts && texts.every((text) => typeof text === 'string'), 'the title has something else than texts')
    demand(title.key === '' || isHex(title.key, 64), 'the title has no key of 64 digits')
    demand(title.key === '' || isStrong(title.key), 'anybody can sign for the key of the title')
    const x = Buffer.from(title.key, 'hex').toString('base64url')
    this.key = x && createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    this.table = new Table(title)
    this.title = title
  }

  readEvent(data) {
    const { at, round, command, event } = data
    const keys = ['after', 'at', 'round', 'command', 'event'].filter((key) => Object.hasOwn(data, key))
    demand(same(Object.keys(data), keys) && typeof event?.event === 'string', 'the line is not formed as an event')
    if (this.entry) demand(command === undefined, 'a second command stands in one entry')
    else demand(command === null || isObject(command), 'an entry begins without its command')
    // What was played in the notation of old has no times; behind the first time every line has one.
    demand(at === undefined ? !this.latest : isTime(at), 'the line has no time in UTC')
    demand(!this.latest || at >= this.latest, 'the time goes back')
    demand(!this.entry || this.entry.at === at, 'the time is not that of the entry')
    this.latest = at
    this.entry ??= data
    this.table.follow(event)
    const number = this.table.roundNumber || undefined // left out before the first round
    demand(round === number, `the line is of round ${round ?? 'none'}, but stands in round ${number ?? 'none'}`)
  }

  readSeal(data, line) {
    demand(same(Object.keys(data), ['after', 'seal']), 'the line is not formed as a seal')
    demand(this.entry, 'a seal stands where no entry ends')
    demand(isHex(data.seal, this.key ? 128 : 0), 'the seal has not the digits of a signature')
    const text = Buffer.from(`upcard/2/seal/${data.after}`)
    const signed = !this.key || verifySignature(null, text, this.key, Buffer.from(data.seal, 'hex'))
    demand(signed, 'the seal is not by the key of the title')
    this.entry = null
    this.entries++
    this.heads.push(sha256(line))
  }

  atEnd() {
    demand(this.title && !this.entry && this.table.secret, 'the record does not end with a sealed entry, or has none')
    demand(!this.table.closed || !this.table.shoe, 'the table is closed, but its last shoe is not opened')
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }) // takes no wrong byte, and hides no mark

/** Gives the record if it holds; else throws the first difference with its line. */
function verifyFile(file) {
  const bytes = readFileSync(file)
  const record = new Record()
  let number = 0
  try {
    for (let start = 0, end; start < bytes.length; start = end + 1) {
      number++
      end = bytes.indexOf(10, start)
      demand(end >= 0, 'the last line is not ended by a line feed')
      record.readLine(UTF8.decode(bytes.subarray(start, end)))
    }
    record.atEnd()
    return Object.assign(record, { file, lines: number })
  } catch (error) {
    // Any other error comes from a value of the wrong kind: no JSON, no UTF-8, a list that is none.
    throw new Difference(`line ${number}: ${error instanceof Difference ? '' : 'cannot be read: '}${error.message}`)
  }
}

function summary({ lines, entries, title, table: { counts, closed, scripted, dealtFrom } }) {
  return [
    `${lines} lines, ${entries} entries; shoes opened: ${counts.shoes}, shuffles: ${counts.shuffles}, cards: ${counts.cards}`,
    title.key === '' && 'not signed',
    !closed && 'the table is not closed, so only a noted head tells whether the end is missing',
    scripted && `scripted table: ${counts.mistakes} mistakes on order, stacked and so not proven: ${counts.stacked} shoes`,
    dealtFrom !== undefined && `all cards are known from the text ${JSON.stringify(dealtFrom)}`,
  ].filter(Boolean).join('; ')
}

// ---- The command line --------------------------------------------------------------------------------------

const NOTABLE = { // what can be noted at a table, and where a record has it
  promise: ({ table }) => table.promises,
  head: ({ heads }) => heads,
  key: ({ title }) => [title.key],
}

/** One line, whatever a forged record holds: nothing in it may move the cursor of a terminal. */
const say = (line) => console.log(line.replace(/\p{C}/gu, '?'))

function wrongUsage(sentence) {
  console.error(`${sentence}\nusage: node verify.mjs FILE... [--promise DIGITS] [--head DIGITS] [--key DIGITS]`)
  process.exit(2)
}

const files = [], noted = [], held = []
for (const words = process.argv.slice(2); words.length;) {
  const word = words.shift()
  const kind = word.slice(2)
  if (!word.startsWith('--')) files.push(word)
  else if (!Object.hasOwn(NOTABLE, kind)) wrongUsage(`there is no option ${word}`)
  else noted.push({ kind, digits: (words.shift() ?? '').replace(/[\s.…]/g, '').toLowerCase() }) // blanks, dots: no matter
}
if (!files.length) wrongUsage('no file is named')
if (!noted.every(({ digits }) => /^[0-9a-f]{1,64}$/.test(digits))) wrongUsage('what was noted is up to 64 hexadecimal digits')

for (const file of files) {
  try {
    held.push(verifyFile(file))
    say(`✓ ${file}: ${summary(held.at(-1))}`)
  } catch (error) {
    if (!(error instanceof Difference)) wrongUsage(error.message) // the file cannot be read at all
    process.exitCode = 1
    say(`✗ ${file}: ${error.message}`)
  }
}
for (const { kind, digits } of noted) {
  const home = held.find((record) => NOTABLE[kind](record).some((known) => known.startsWith(digits)))
  const few = digits.length < 32 ? ', but fewer than 32 digits prove little' : ''
  say(home ? `✓ ${kind} ${digits}: in ${home.file}${few}` : `✗ ${kind} ${digits}: in no record that holds`)
  if (!home) process.exitCode = 1
}
