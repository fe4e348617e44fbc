import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { dayInMadrid } from '#domain/days.ts'
import { type DutyName, dutiesDue, dutyOf } from '#domain/desk/duties.ts'
import { isProblem } from '#domain/problems.ts'
import type { Selection } from '#domain/redemption/split.ts'
import { audit } from '#server/modules/operator/audit.ts'
import { knownDuties } from '#server/modules/reports/duties.ts'
import { check } from '#server/ops/check.ts'
import type { Command, Tools } from '#server/ops/command.ts'
import { did } from '#server/ops/due.ts'
import { erase } from '#server/ops/erase.ts'
import { hold, release } from '#server/ops/hold.ts'
import { payout } from '#server/ops/payout.ts'
import type { Database } from '#server/platform/db/database.ts'
import { letConnectionsGo } from './connections.ts'
import { createInvoicePlay, type Invoiced } from './invoices.ts'
import { inside, Killed, machine, Stuck } from './machine.ts'
import { createManyPlay } from './many.ts'
import { createOutside, FAIR, type Outside, type Recorded } from './outside.ts'
import type { Act, Plan, Scene, ServerNumber } from './plan.ts'
import { loosen, type Plant } from './plants.ts'
import { CARD, OWN_MONEY, PURCHASES } from './purchases.ts'
import { type BoughtMany, createRefundPlay, type RefundPress } from './refunds.ts'
import { type House, openTerminal, type Server, startServer, Writers } from './server.ts'
import { CARD_SECRET, OPERATOR, SITE } from './settings.ts'

/** Something that must never be. */
export interface Finding {
  /** What was broken, in one word: two findings of one rule are the same to whoever looks for the shortest way. */
  readonly rule: string
  readonly says: string
}

/** What became of a purchase, as its buyer and its recipient know it. */
export interface Purchase {
  readonly buyer: number
  readonly email: string
  readonly price: { readonly ngo: number; readonly net: number; readonly tax: number }
  readonly currency: string
  sessionId: string
  isPressed: boolean
  /** The gift that a recipient was told is given. */
  gift?: { readonly selection: readonly Selection[]; readonly amounts: Readonly<Record<string, number>> }
  receiptKey?: string
  /** Whether its recipient was told that it is left to the draw. */
  isLeft?: true
  /** Own money: what its payer saw. */
  own?: OwnMoney
}

/** Own money, as its payer knows it. Amounts by organisation, minor units. */
export interface OwnMoney {
  /** What was shown before the payment. */
  readonly seen: Readonly<Record<string, number>>
  /** When that was, epoch ms of true time. */
  readonly at: number
  /** What they were told afterwards that was given. */
  told?: Readonly<Record<string, number>>
  /** Had money gone back, or was it disputed, while there was no card? */
  isDoubtful?: true
}

/** What a year came to, and what it asked of people. */
export interface Tally {
  [name: string]: number
}

/** A house with everything in it, in the middle of its year. */
export interface World {
  readonly house: House
  readonly outside: Outside
  readonly purchases: Map<number, Purchase>
  readonly findings: Finding[]
  readonly tally: Tally
  /** What people did, by what asked for it. */
  readonly human: Tally
  /** The log of all servers, line by line. */
  readonly lines: string[]
  /** What was done, in order, for whoever reads a failure. */
  readonly trace: string[]
  /** Reads past every wrapper. */
  readonly eye: Database
  readonly servers: (Server | undefined)[]
  /** Keys that are told to somebody, and whom: found anywhere else they are a leak. */
  readonly claims: Map<number, { readonly email: string; keys: Set<string> }>
  /** Orders by invoice, by who made them. */
  readonly invoiced: Map<number, Invoiced>
  /** Orders of many that are paid through the provider, by who made them. */
  readonly bought: Map<number, BoughtMany>
  /** What the operator pressed at the desk to give money back. */
  readonly refundPresses: Set<RefundPress>
  /** Refunds that a person made at the provider. */
  readonly refundsByHand: Set<string>
  /** When the list of organisations changed, epoch ms of true time. */
  readonly listChanges: readonly number[]
  play(scene: Scene): Promise<void>
  /** Lets everything come to its end: nothing is broken any more, and time goes on. */
  settleDown(): Promise<void>
  tool(command: Command, ...args: string[]): ReturnType<Command['run']>
  close(): Promise<void>
}

/** Alarms that tell of something that must never be. */
const NEVER = ['ledger-broken', 'books-sealed', 'unused-card-altered', 'withdrawal-not-ours', 'watch-failing']
const DAY = 24 * 3_600_000
/** Six days without a count are missed, by clocks that may be ten hours off. */
const PAUSE_MS = 5 * DAY

/** @param template a folder with an empty database */
export async function openWorld(
  plan: Plan,
  {
    seed,
    folder,
    template,
    recorded,
    plant,
  }: { seed: number; folder: string; template: string; recorded: Recorded; plant: Plant | undefined },
): Promise<World> {
  rmSync(folder, { recursive: true, force: true })
  cpSync(template, folder, { recursive: true })
  machine.reset(plan.begins)
  machine.seed(`${seed} begins`)
  machine.heat = 0
  if (plant?.loose || plant?.sql) loosen(join(folder, 'database.sqlite'), plant)
  const outside = createOutside(folder, recorded)
  let isListWhole = true
  const listChanges: number[] = []
  outside.content = answer => ({
    ...answer,
    freeCampaigns: (answer.freeCampaigns ?? []).map(each => ({ ...each, stock: 3 })),
    ngoList: {
      ...answer.ngoList,
      ngos: (answer.ngoList?.ngos ?? []).filter((_, n) => isListWhole || n !== 1),
    },
  })
  const findings: Finding[] = []
  const lines: string[] = []
  const trace: string[] = []
  const tally: Tally = {}
  const human: Tally = {}
  const purchases = new Map<number, Purchase>()
  const claims: World['claims'] = new Map()
  const invoiced: World['invoiced'] = new Map()
  const bought: World['bought'] = new Map()
  const refundPresses: World['refundPresses'] = new Set()
  const find = (rule: string, says: string) => void findings.push({ rule, says })
  const count = (name: string, n = 1) => {
    tally[name] = (tally[name] ?? 0) + n
  }
  /** When the books were last found in order, and their rows counted. */
  let checkedAt = plan.begins
  /** Servers work every few days here. Where nobody has counted for so long, the operator has it done (decision 142). */
  const isOfPause = (event: string) =>
    event === 'ledger-broken' &&
    lines.at(-1)?.includes('"findings":1,"first":"checkpoint-missing"') === true &&
    machine.now - checkedAt > PAUSE_MS
  const house: House = {
    folder,
    outside,
    writers: new Writers(),
    plant,
    logged(line) {
      lines.push(line)
      if (line.includes('"work":"ledger-check","findings":0')) checkedAt = machine.now
    },
    async refundAll(orderId) {
      const charges = await outside.dashboard.charges.list({ limit: 100 })
      const charge = charges.data.find(({ metadata }) => metadata.order_id === orderId)
      if (charge && charge.amount_refunded === 0)
        await outside.dashboard.refunds.create({ charge: charge.id }).catch(() => undefined)
    },
    heard(event, error) {
      count(`alarm or error: ${event}`)
      // A plant that takes a key away is to be found by what follows from it.
      const isPlanted =
        plant &&
        event === 'ledger-broken' &&
        /"first":"(guard-differs|checkpoint-missing)"/.test(lines.at(-1) ?? '')
      // A clock that was put back lies before what is known of the provider: a sale of now looks like one of before.
      const isOfClock = outside.areClocksApart && lines.at(-1)?.includes('"first":"movement-')
      if (NEVER.includes(event) && !isPlanted && !isOfClock && !isOfPause(event))
        find(event, String(lines.at(-1)).slice(0, 400))
      if (error instanceof TypeError && !/fetch failed/.test(error.message))
        find('crash', String(error.stack))
    },
  }
  const rejected = (error: unknown) => {
    if (!(error instanceof Killed)) find('unhandled-rejection', String((error as Error)?.stack ?? error))
  }
  process.on('unhandledRejection', rejected)
  const servers: (Server | undefined)[] = [undefined, undefined]
  const skews = [0, 0]
  const graves: Server[] = []
  const { db: terminal, raw: eye } = await openTerminal(house)
  const tools: Tools = {
    database: async () => terminal,
    place: { dataDir: folder },
    environment: { CARD_KEY_SECRET: CARD_SECRET },
    clock: () => machine.now,
    progress() {},
  }
  const refundsByHand = new Set<string>()
  let told = 0

  async function server(number: ServerNumber): Promise<Server> {
    const running = servers[number]
    if (running?.life.isAlive) return running
    if (running) graves.push(running)
    servers[number] = undefined
    const started = await startServer(house, `server ${number}`, skews[number] ?? 0)
    servers[number] = started
    return started
  }
  /** Whoever is there; nobody while both are dead. */
  const alive = (number: ServerNumber): Server | undefined =>
    [servers[number], servers[1 - number]].find(each => each?.life.isAlive)

  const invoicePlay = createInvoicePlay({
    eye,
    tool: async (command, ...args) => command.run(tools, args),
    invoiced,
    find,
    count,
    alive,
  })

  outside.receive = async (body, signature) => {
    const its = alive(machine.chance() < 0.5 ? 0 : 1)
    if (!its) return new Response(null, { status: 503 })
    try {
      await inside(its.life, () => its.payments.receiveEvent(body, signature))
      return new Response(null, { status: 204 })
    } catch (error) {
      if (error instanceof Killed) throw error
      if (!isProblem(error)) find('event-failed', String((error as Error).stack))
      return new Response(null, { status: isProblem(error) ? error.status : 500 })
    }
  }

  const cardOf = async (buyer: number) => {
    const purchase = purchases.get(buyer)
    if (!purchase?.sessionId) return undefined
    const { metadata } = await outside.dashboard.checkout.sessions.retrieve(purchase.sessionId)
    const card = await eye.read(db =>
      db
        .selectFrom('cards')
        .select(['id', 'key_version', 'order_id', 'status'])
        .where('order_id', '=', metadata?.order_id ?? '')
        .executeTakeFirst(),
    )
    return card && { purchase, card }
  }

  /** Fills the provider's page in. */
  async function fillIn(
    { sessionId, email }: Pick<Purchase, 'sessionId' | 'email'>,
    card: keyof typeof CARD,
  ): Promise<void> {
    const form = { card_number: CARD[card], expiry: '12/34', cvc: '123', email }
    await outside.double.fetch(
      new Request(`${SITE}/c/pay/${sessionId}`, { method: 'POST', body: new URLSearchParams(form) }),
    )
  }

  const refundPlay = createRefundPlay({
    ...{ eye, bought, refundPresses, outside, count, alive, cardOf },
    invoicedTo: buyer => invoicePlay.orderOf(buyer),
    pay: fillIn,
  })
  const manyPlay = createManyPlay({
    ...{ eye, find, count, alive },
    orderOf: async buyer => (await refundPlay.orderOf(buyer)) ?? invoicePlay.orderOf(buyer),
  })

  async function perform(act: Act): Promise<string> {
    if (plant?.leavesOut?.includes(act.does)) return 'left out'
    switch (act.does) {
      case 'buy': {
        const { net, tax, ...purchase } = PURCHASES[act.purchase]
        const its = alive(act.on)
        if (!its) return 'nobody there'
        const mine: Purchase = {
          buyer: act.buyer,
          email: `buyer${act.buyer}@mail.example`,
          price: { ngo: purchase.ngoAmount, net, tax },
          currency: purchase.currency,
          sessionId: '',
          isPressed: true,
        }
        purchases.set(act.buyer, mine)
        const { url } = await inside(its.life, () =>
          its.payments.startDonation({
            ...purchase,
            themeId: 'ukraine',
            sender: { kind: 'own', name: `Sender ${act.buyer}` },
            language: 'es',
            termsVersion: its.terms(),
            fulfilmentConsent: true,
            attemptKey: `attempt ${act.buyer}`,
          }),
        )
        mine.sessionId = url.slice(url.lastIndexOf('/') + 1)
        await fillIn(mine, act.card)
        return 'paid or tried'
      }
      case 'add-own': {
        const its = alive(act.on)
        const [first, second] = its?.listed() ?? []
        if (!its || !first || !second) return 'nobody there'
        const { net, tax, ...asked } = OWN_MONEY[act.purchase]
        const [one, other] = sharesOf(asked.ngoAmount, act.parts)
        const mine: Purchase = {
          buyer: act.buyer,
          email: `payer${act.buyer}@mail.example`,
          price: { ngo: asked.ngoAmount, net, tax },
          currency: asked.currency,
          sessionId: '',
          isPressed: true,
          own: { seen: { [first]: one, [second]: other }, at: machine.now },
        }
        purchases.set(act.buyer, mine)
        const { url } = await inside(its.life, () =>
          its.payments.startOwnMoney({
            ...asked,
            themeId: 'ukraine',
            language: 'fr',
            termsVersion: its.terms(),
            fulfilmentConsent: true,
            attemptKey: `attempt ${act.buyer}`,
            parts: [
              { ngoId: first, points: act.parts[0] },
              { ngoId: second, points: act.parts[1] },
            ],
          }),
        )
        mine.sessionId = url.slice(url.lastIndexOf('/') + 1)
        await fillIn(mine, act.card)
        return 'paid or tried'
      }
      case 'list':
        isListWhole = act.isWhole
        outside.edited()
        listChanges.push(machine.now)
        return act.isWhole ? 'whole' : 'without one'
      case 'return': {
        const purchase = purchases.get(act.buyer)
        const its = alive(act.on)
        if (!purchase?.sessionId || !its) return 'nothing'
        if (purchase.own) {
          const settled = await inside(its.life, () => its.payments.settleOwnMoney(purchase.sessionId))
          if (settled.kind === 'to-divide') return 'to divide'
          if (settled.allocations)
            purchase.own.told = Object.fromEntries(
              settled.allocations.map(({ ngoId, amount }) => [ngoId, amount.amount]),
            )
          return 'given'
        }
        const card = await inside(its.life, () => its.payments.settle(purchase.sessionId))
        if (card.email !== purchase.email) find('another-buyers-card', `buyer ${act.buyer}`)
        return 'has links'
      }
      case 'look': {
        const found = await cardOf(act.buyer)
        const its = alive(act.on)
        if (!found || !its) return 'nothing'
        const key = its.keys.privateKey(found.card.id, found.card.key_version)
        const view = await inside(its.life, () => its.cards.open(key, 'full'))
        return view.consumed ? 'used' : 'unused'
      }
      case 'give': {
        const found = await cardOf(act.buyer)
        const listed = alive(act.on)?.listed() ?? []
        if (!found || listed.length === 0) return 'no card'
        return give(act, found, selectionOf(listed, act.points, found.purchase.price.ngo))
      }
      case 'give-again': {
        const found = await cardOf(act.buyer)
        if (!found?.purchase.gift) return 'nothing'
        const answer = await give(act, found, found.purchase.gift.selection)
        if (answer !== 'repeated' && answer !== 'nobody there')
          find('gift-not-repeated', `buyer ${act.buyer}: ${answer}`)
        return answer
      }
      case 'leave': {
        const found = await cardOf(act.buyer)
        const its = alive(act.on)
        if (!found || !its) return 'nothing'
        await inside(its.life, () =>
          its.cards.leave(its.keys.privateKey(found.card.id, found.card.key_version)),
        )
        if (!found.purchase.isLeft) count('left to the draw')
        found.purchase.isLeft = true
        return 'left'
      }
      case 'answer': {
        const key = purchases.get(act.buyer)?.receiptKey
        const its = alive(act.on)
        if (!key || !its) return 'nothing'
        await inside(its.life, () => its.answers.give(key, { saysWhere: true, words: 'Thank you.' }))
        return 'answered'
      }
      case 'withdraw': {
        const found = await cardOf(act.buyer)
        const its = alive(act.on)
        if (!found?.card.order_id || !its) return 'nothing'
        const orderId = found.card.order_id
        const key = its.keys.withdrawalKey(orderId, found.card.key_version)
        const words = { name: 'Aina Puig', email: found.purchase.email }
        const { confirmed } = await inside(its.life, () => its.withdrawals.confirm(orderId, key, words))
        return confirmed ? `${confirmed.answer} ${confirmed.state}` : 'not confirmed'
      }
      case 'lose-links': {
        const found = await cardOf(act.buyer)
        const its = alive(act.on)
        if (!found || !its) return 'nothing'
        await inside(its.life, () => its.lostLinks.request(found.purchase.email))
        const renewal = its.keys.renewalKey(found.card.id, found.card.key_version)
        await inside(its.life, () => its.lostLinks.renew(found.card.id, renewal))
        return 'renewed'
      }
      case 'steal': {
        const found = await cardOf(act.buyer)
        const its = alive(act.on)
        if (!found || !its) return 'nothing'
        return inside(its.life, () => steal(act.how, found, its))
      }
      case 'claim': {
        const its = alive(act.on)
        if (!its) return 'nobody there'
        const email = `claimant${act.person}@mail.example`
        const address = readClaimAddress(email)
        if (typeof address === 'string') throw new Error(address)
        // Noted before: a server that dies once it has committed has given the card all the same.
        const mine = claims.get(act.person) ?? { email, keys: new Set<string>() }
        claims.set(act.person, mine)
        const { key } = await inside(its.life, () =>
          its.freeCards.claim({
            campaignCode: 'regalo-semilla',
            address,
            currency: 'EUR',
            sender: { kind: 'anonymous' },
            language: 'es',
            attemptKey: `claim ${act.person}`,
          }),
        )
        mine.keys.add(key)
        if (mine.keys.size > 1) find('two-free-cards', email)
        return 'has a card'
      }
      case 'refund': {
        const charge = await chargeIdOf(outside, purchases.get(act.buyer)?.sessionId)
        if (!charge) return 'nothing'
        const { id } = await outside.dashboard.refunds.create({
          charge,
          ...(act.part === 'all' ? {} : { amount: 100 }),
        })
        refundsByHand.add(id)
        note(human, 'refund at the provider (a buyer asked)')
        return 'refunded'
      }
      case 'decide': {
        const charge = await chargeIdOf(outside, purchases.get(act.buyer)?.sessionId)
        if (!charge) return 'nothing'
        const [dispute] = (await outside.dashboard.disputes.list({ charge, limit: 1 })).data
        if (!dispute) return 'no dispute'
        if (act.isWon)
          await outside.dashboard.disputes.update(dispute.id, {
            evidence: { uncategorized_text: 'winning_evidence' },
          })
        else await outside.dashboard.disputes.close(dispute.id)
        return act.isWon ? 'won' : 'lost'
      }
      case 'hold':
      case 'release': {
        const found = await cardOf(act.buyer)
        if (!found) return 'nothing'
        const { ok } = await world.tool(act.does === 'hold' ? hold : release, found.card.id)
        note(human, `${act.does} (a buyer asked)`)
        return String(ok)
      }
      case 'order':
      case 'transfer':
      case 'say-paid':
      case 'cancel':
      case 'say-back':
      case 'look-at-bank':
      case 'refund-one':
        return invoicePlay.perform(act)
      case 'give-one':
      case 'withdraw-some':
        return manyPlay.perform(act)
      case 'buy-many':
      case 'refund-at-desk':
      case 'release-at-desk':
        return refundPlay.perform(act)
      case 'erase': {
        const school = invoiced.get(act.buyer)
        if (school) school.isCalledOff = true
        const purchase = purchases.get(act.buyer) ?? school
        if (!purchase) return 'nothing'
        const { ok } = await world.tool(erase, purchase.email, '--yes')
        note(human, 'erase (a buyer asked)')
        erased.add(act.buyer)
        return String(ok)
      }
      case 'events':
        await outside.double.runDue()
        return 'delivered'
      case 'operate':
        return operate()
      case 'publish': {
        const before = outside.content
        const years = machine.chance() < 0.5
        outside.content = answer => ({ ...before(answer), simulated: years })
        return 'published'
      }
      case 'work': {
        const its = alive(act.on)
        if (!its) return 'nobody there'
        await inside(its.life, () => its.work())
        return 'worked'
      }
      case 'kill':
      case 'fill-disk':
      case 'set-clock':
        return 'done'
    }
  }
  const erased = new Set<number>()

  /** Between two scenes nobody is at work: whose money is back by now, and has no card yet, is given to nobody. */
  async function noteDoubtful(): Promise<void> {
    for (const { own, sessionId, buyer } of purchases.values()) {
      if (!own || own.isDoubtful || (await cardOf(buyer))) continue
      const charge = await chargeIdOf(outside, sessionId)
      if (charge === undefined) continue
      const { amount_refunded: refunded, disputed } = await outside.dashboard.charges.retrieve(charge)
      if (refunded > 0 || disputed) own.isDoubtful = true
    }
  }

  async function give(
    { buyer, on }: { readonly buyer: number; readonly on: ServerNumber },
    {
      purchase,
      card,
    }: { readonly purchase: Purchase; readonly card: { readonly id: string; readonly key_version: number } },
    selection: readonly Selection[],
  ): Promise<string> {
    const its = alive(on)
    if (!its) return 'nobody there'
    const key = its.keys.privateKey(card.id, card.key_version)
    const { allocations, receiptKey } = await inside(its.life, () =>
      its.cards.redeem(key, selection, `press ${buyer}`),
    )
    const amounts = Object.fromEntries(allocations.map(({ ngoId, amount }) => [ngoId, amount.amount]))
    if (receiptKey) purchase.receiptKey = receiptKey
    if (!purchase.gift) {
      purchase.gift = { selection, amounts }
      count('gifts')
      return 'given'
    }
    if (
      JSON.stringify([purchase.gift.selection, purchase.gift.amounts]) !==
      JSON.stringify([selection, amounts])
    )
      find('card-spent-twice', `buyer ${buyer}: ${JSON.stringify([purchase.gift, { selection, amounts }])}`)
    return 'repeated'
  }

  async function steal(
    how: 'public-key' | 'guess' | 'forged-event' | 'strange-session',
    { purchase, card }: NonNullable<Awaited<ReturnType<typeof cardOf>>>,
    its: Server,
  ): Promise<string> {
    const selection = [{ ngoId: its.listed()[0] ?? '', points: 1 }]
    try {
      switch (how) {
        case 'public-key':
          await its.cards.redeem(its.keys.publicKey(card.id, card.key_version), selection)
          break
        case 'guess':
          await its.cards.redeem(
            machine
              .bytes(20)
              .toString('hex')
              .replace(/[0189]/g, 'a')
              .slice(0, 32),
            selection,
          )
          break
        case 'forged-event':
          await its.payments.receiveEvent(
            JSON.stringify({
              id: 'evt_forged',
              object: 'event',
              type: 'checkout.session.completed',
              data: { object: { id: purchase.sessionId } },
            }),
            `t=${Math.floor(its.clock() / 1000)},v1=${'0'.repeat(64)}`,
          )
          break
        case 'strange-session':
          await its.payments.settle(`${purchase.sessionId.slice(0, -6)}abcdef`)
      }
      find('stolen', how)
      return 'stolen'
    } catch (error) {
      if (!isProblem(error)) throw error
      return error.code
    }
  }

  /** The operator reads the mails since the last time, and does what they ask for. */
  async function operate(): Promise<string> {
    const unread = outside.mails.slice(told).filter(({ message }) => message.to.includes(OPERATOR))
    told = outside.mails.length
    const done: string[] = []
    for (const { message } of unread) {
      const kind = /has every event "([\w-]+)"/.exec(message.text)?.[1] ?? 'unknown'
      done.push(kind)
      note(human, `mail: ${kind}`)
      if (kind === 'duties-due' || kind === 'duty-late') await doDuties(kind)
      const [, order] = /of order (\w+) paid by invoice/.exec(message.text) ?? []
      if (kind === 'invoice-refund-due' && order) await invoicePlay.payBack(order)
      if (kind === 'ngo-review-overdue') review(kind)
      if (kind === 'ledger-broken') await countAgain()
    }
    return done.join(', ') || 'no mail'
  }

  /** The check has said that for days nobody counted: the servers had not worked. */
  async function countAgain(): Promise<void> {
    note(human, 'count-again (ledger-broken)')
    const { ok, lines: said } = await world.tool(check, 'count-again')
    // A sale of a server whose clock is right may not be read yet, by one whose clock was ahead (decision 141): later, then.
    const named = said.filter(line => /^[a-z-]+ {2}/.test(line))
    const isOfClock =
      outside.areClocksApart && named.length > 0 && named.every(line => line.startsWith('movement-'))
    // A trigger that a plant puts in is to be found by what follows from it.
    const isOfPlant =
      plant && named.length > 0 && named.every(line => /^(guard-differs|checkpoint-missing) /.test(line))
    if (ok) checkedAt = machine.now
    else if (!isOfClock && !isOfPlant) find('ledger-broken', said.join('; '))
  }

  /** Does what is due, by the commands that the mail names. */
  async function doDuties(asked: string): Promise<void> {
    const duties = dutiesDue(await eye.read(db => knownDuties(db, machine.now)), dayInMadrid(machine.now))
    for (const { name } of duties) {
      if (name !== 'organisations') note(human, `${name} (${asked})`)
      if (name === 'payouts') {
        const { owed } = (await world.tool(payout, 'owed')).data as {
          owed: readonly { ngoId: string; currency: string }[]
        }
        for (const { ngoId, currency } of owed) {
          const { id } = (await world.tool(payout, 'create', ngoId, currency)).data as { id: string }
          await world.tool(payout, 'paid', id, '--reference', `transfer ${id}`)
          count('payouts')
        }
      } else if (name === 'organisations') review(asked)
      else await noteDone(name)
    }
  }

  /** Looks through the list of organisations, and sets the day in the Studio. */
  function review(asked: string): void {
    note(human, `organisations (${asked})`)
    const before = outside.content
    const reviewedAt = dayInMadrid(machine.now)
    outside.content = answer => {
      const content = before(answer)
      return { ...content, ngoList: { ...content.ngoList, reviewedAt } }
    }
  }

  /** `ops did`, which the terminal's own program writes down. */
  async function noteDone(name: string): Promise<void> {
    if (dutyOf(name as DutyName).known === 'data') return
    await world.tool(did, name)
    const entry = { actor: 'terminal', action: 'did', subject: name, outcome: 'done' } as const
    await audit(terminal, entry, machine.now)
  }

  async function play(scene: Scene): Promise<void> {
    outside.weather = FAIR
    machine.heat = 0
    machine.seed(`${seed} ${scene.name} before`)
    await machine.advanceTo(Math.max(machine.now, plan.begins + scene.at))
    for (const grave of graves.splice(0)) await machine.until(grave.end())
    await machine.until(Promise.all([server(0), server(1)]))
    const full: Server[] = []
    for (const act of scene.acts) {
      if (!('on' in act)) continue
      const its = servers[act.on]!
      if (act.does === 'kill') its.life.diesAt = its.life.steps + act.after
      if (act.does === 'set-clock') {
        skews[act.on] = act.ms
        its.skew = act.ms
        outside.areClocksApart = skews[0] !== skews[1]
        outside.mishaps++
      }
      if (act.does === 'fill-disk') {
        await machine.until(its.setDiskFull(true))
        full.push(its)
        outside.strike('disk full')
      }
    }
    await machine.until(noteDoubtful())
    machine.seed(`${seed} ${scene.name}`)
    machine.heat = scene.heat
    outside.weather = { ...FAIR, ...scene.weather, ...plant?.weather }
    const before = outside.mishaps
    const answers: { act: Act; answer?: string; error?: unknown }[] = []
    const work = Promise.all(
      scene.acts.map(async act => {
        try {
          const { later } = act
          if (later !== undefined) await new Promise<void>(resolve => machine.after(later, resolve))
          answers.push({ act, answer: await perform(act) })
        } catch (error) {
          answers.push({ act, error })
        }
      }),
    )
    try {
      await machine.until(work)
    } catch (error) {
      if (!(error instanceof Stuck)) throw error
      find('work-without-end', `${error.message}: ${scene.acts.map(({ does }) => does).join(', ')}`)
    }
    for (const each of servers) {
      if (each && !each.life.isAlive) {
        outside.mishaps++
        count('kills')
        trace.push(`  ${each.life.name} died at "${each.life.diedAt}"`)
        machine.note(`died ${each.life.name} ${each.life.steps}`)
      } else if (each) each.life.diesAt = Number.POSITIVE_INFINITY
    }
    machine.heat = 0
    outside.weather = FAIR
    for (const each of full) if (each.life.isAlive) await machine.until(each.setDiskFull(false))
    const isTroubled = outside.mishaps > before || full.length > 0 || skews.some(ms => ms !== 0)
    for (const { act, answer, error } of answers) {
      const said =
        answer ?? (isProblem(error) ? error.code : error instanceof Killed ? 'died' : String(error))
      const line = `${new Date(machine.now).toISOString().slice(0, 19)}  ${JSON.stringify(act)}: ${said}`
      trace.push(line)
      machine.note(line)
      if (error === undefined || error instanceof Killed) continue
      if (!isProblem(error)) {
        if (act.does !== 'refund' && act.does !== 'decide')
          find('unexpected-error', `${act.does}: ${(error as Error).stack}`)
      } else if (!isTroubled && /^(temporarily|provider)-unavailable$|^something/.test(error.code))
        find('refused-without-cause', `${JSON.stringify(act)}: ${error.code}`)
    }
  }

  const world: World = {
    house,
    outside,
    purchases,
    findings,
    tally,
    human,
    lines,
    trace,
    eye,
    servers,
    claims,
    invoiced,
    bought,
    refundPresses,
    refundsByHand,
    listChanges,
    play,
    async settleDown() {
      skews.fill(0)
      outside.areClocksApart = false
      for (const each of servers) if (each) each.skew = 0
      const last = machine.now - plan.begins
      const all: Act[] = [{ does: 'events' }, { does: 'work', on: 0 }]
      const held = [...purchases.keys()].map(buyer => ({ does: 'release' as const, buyer }))
      // Once the hourly reading has asked the provider what became of it.
      const leftOver: Act[] = [
        ...[...purchases.keys()].map(buyer => ({ does: 'release-at-desk', buyer, place: 0, on: 0 }) as const),
        ...[...bought.keys(), ...invoiced.keys()].map(
          buyer => ({ does: 'release-at-desk', buyer, place: 'all', on: 0 }) as const,
        ),
      ]
      const scenes: Scene[] = [
        { name: 'end release', at: last + DAY, acts: held, heat: 0, weather: {} },
        { name: 'end bank', at: last + DAY, acts: [{ does: 'look-at-bank' }], heat: 0, weather: {} },
        ...[1.1, 1.2, 2, 3, 4, 4.1, 5, 6, 6.1, 10, 10.1].map((days, n) => ({
          name: `end ${n}`,
          at: last + days * DAY,
          acts: all,
          heat: 0,
          weather: {},
        })),
      ]
      for (const scene of scenes) {
        if (findings.length > 0) return
        await play(scene)
      }
      await play({ name: 'end left over', at: last + 10.2 * DAY, acts: leftOver, heat: 0, weather: {} })
      await play({ name: 'end pay', at: last + 11 * DAY, acts: [{ does: 'operate' }], heat: 0, weather: {} })
      await play({ name: 'end work', at: last + 11.2 * DAY, acts: all, heat: 0, weather: {} })
    },
    async tool(command, ...args) {
      return command.run(tools, args)
    },
    async close() {
      process.off('unhandledRejection', rejected)
      for (const each of [...graves, ...servers]) if (each) await machine.until(each.end())
      await machine.until(Promise.all([terminal.close()]))
      outside.close()
      letConnectionsGo()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return world
}

const note = (human: Tally, what: string) => {
  human[what] = (human[what] ?? 0) + 1
}

/** Points of the first and the second organisation, in thirds of what the card can give; never more than it has. */
function selectionOf(
  [one, other]: readonly string[],
  [first, second]: readonly [number, number],
  credit: number,
): readonly Selection[] {
  const third = Math.max(1, Math.floor(credit / 300))
  const wanted = [
    { ngoId: one ?? '', points: first * third },
    { ngoId: other ?? '', points: second * third },
  ].filter(({ points }) => points > 0)
  const isTooMuch = wanted.reduce((sum, { points }) => sum + points, 0) * 100 > credit
  return isTooMuch ? wanted.slice(0, 1).map(({ ngoId }) => ({ ngoId, points: 1 })) : wanted
}

/** An amount by two parts, as one reckons on paper: whole cents, and one that is left over to the larger rest. */
function sharesOf(amount: number, [one, other]: readonly [number, number]): readonly [number, number] {
  const all = one + other
  const [first, second] = [Math.floor((amount * one) / all), Math.floor((amount * other) / all)]
  const isOver = first + second < amount
  const isFirst = (amount * one) % all >= (amount * other) % all
  return [first + (isOver && isFirst ? 1 : 0), second + (isOver && !isFirst ? 1 : 0)]
}

/** The charge of a session that was paid. */
export async function chargeIdOf(
  outside: Outside,
  sessionId: string | undefined,
): Promise<string | undefined> {
  if (!sessionId) return undefined
  const { payment_intent: intent } = await outside.dashboard.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge'],
  })
  const charge = typeof intent === 'object' ? intent?.latest_charge : undefined
  return typeof charge === 'object' && charge?.status === 'succeeded' ? charge.id : undefined
}
