import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { verifyFolder } from '#server/modules/public-ledger/verify-folder.ts'
import { booksOf, type Charge, type Gift, type Status, statusOf, UNPAID } from '../stories/journey-model.ts'
import { invoicesAsTheBankSays } from './invoice-oracle.ts'
import { machine } from './machine.ts'
import { manyAsTheProviderSays, refundsAsPressed } from './refund-oracle.ts'
import { OPERATOR, SITE, settingsOf } from './settings.ts'
import { chargeIdOf, type OwnMoney, type Purchase, type World } from './world.ts'

/** A card is not seen as late before this: clocks differ by ten hours, and the site looks every few days. */
const PATIENCE_MS = 15 * 24 * 3_600_000

/** From ten hours behind to ten hours ahead. */
const CLOCKS_APART_MS = 20 * 3_600_000

/** Compares everything at the end of a year with what must be: what is wrong goes into the findings. */
export async function judge(world: World): Promise<void> {
  await booksAndGuards(world)
  for (const purchase of world.purchases.values()) await purchaseAsTheModelSays(world, purchase)
  await invoicesAsTheBankSays(world, PATIENCE_MS)
  await manyAsTheProviderSays(world)
  await refundsAsPressed(world)
  await everyCentIsSomewhere(world)
  await everyJobEnds(world)
  await mailsAsMeant(world)
  await noKeyAnywhere(world)
  await publicLedgerHolds(world)
}

const found = (world: World, rule: string, says: string) => void world.findings.push({ rule, says })

/** What the check says of the keys that a plant has dropped: that they are gone, and so no day's count was kept. */
const OF_PLANTS = ['guard-differs', 'checkpoint-missing']

/** What `ops check` asks. */
async function booksAndGuards(world: World): Promise<void> {
  const { keys } = world.servers.find(each => each?.life.isAlive)!
  const examined = examineBooks(world.eye, { keys, now: machine.now })
  await machine.until(examined)
  for (const { rule, subject, expected, found: is } of (await examined).findings) {
    // A plant that drops a guard is to be found by what follows from it.
    if (OF_PLANTS.includes(rule) && world.house.plant) continue
    found(world, `books:${rule}`, `${subject} expected ${expected} found ${is}`)
  }
}

async function chargeOf({ outside }: World, sessionId: string): Promise<Charge> {
  const charge = await chargeIdOf(outside, sessionId)
  if (charge === undefined) return UNPAID
  const refunds = await outside.dashboard.refunds.list({ charge, limit: 100 })
  const disputes = await outside.dashboard.disputes.list({ charge, limit: 100 })
  const sum = (things: readonly { amount: number }[]) => things.reduce((all, { amount }) => all + amount, 0)
  return {
    isPaid: true,
    refunded: sum(refunds.data.filter(({ status }) => status !== 'failed')),
    lost: sum(disputes.data.filter(({ status }) => status === 'lost')),
    isDisputed: disputes.data.some(({ status }) => status !== 'lost' && status !== 'won'),
  }
}

async function purchaseAsTheModelSays(world: World, purchase: Purchase): Promise<void> {
  const { sessionId, price, buyer } = purchase
  if (!sessionId) return
  const charge = await chargeOf(world, sessionId)
  const { metadata } = await world.outside.dashboard.checkout.sessions.retrieve(sessionId)
  const rows = await world.eye.read(async db => {
    const cards = await db
      .selectFrom('cards')
      .selectAll()
      .where('order_id', '=', metadata?.order_id ?? '')
      .execute()
    const ids = cards.map(({ id }) => id)
    const of = ids.length > 0 ? ids : ['']
    return {
      cards,
      uses: await db.selectFrom('redemptions').selectAll().where('card_id', 'in', of).execute(),
      parts: await db.selectFrom('allocations').selectAll().where('card_id', 'in', of).execute(),
      left: await db
        .selectFrom('card_holds')
        .select('created_at')
        .where('card_id', 'in', of)
        .where('reason', '=', 'draw')
        .executeTakeFirst(),
      draws: await db.selectFrom('draws').selectAll().where('card_id', 'in', of).execute(),
      entries: await db.selectFrom('ledger_entries').selectAll().where('card_id', 'in', of).execute(),
      withdrawal: await db
        .selectFrom('withdrawals')
        .selectAll()
        .where('order_id', '=', metadata?.order_id ?? '')
        .executeTakeFirst(),
    }
  })
  const who = `buyer ${buyer}`
  if (rows.cards.length > 1) found(world, 'settled-twice', `${who} has ${rows.cards.length} cards`)
  const [card] = rows.cards
  if (!card) {
    if (charge.isPaid) found(world, 'paid-without-card', who)
    return
  }
  if (rows.uses.length > 1) found(world, 'used-twice', who)
  const [use] = rows.uses
  const amounts: Record<string, number> = {}
  for (const { ngo_id, amount } of rows.parts) amounts[ngo_id] = (amounts[ngo_id] ?? 0) + amount
  const gift: Gift | undefined = use && amounts
  if (purchase.gift && JSON.stringify(sorted(purchase.gift.amounts)) !== JSON.stringify(sorted(amounts)))
    found(
      world,
      'gift-lost',
      `${who} was told ${JSON.stringify(purchase.gift.amounts)}, kept is ${JSON.stringify(amounts)}`,
    )
  if (purchase.own)
    ownMoneyAsItsPayerSaw(world, purchase.own, {
      who,
      card,
      use,
      amounts,
      charge,
      isWithdrawn: !!rows.withdrawal,
    })
  if (use?.cause === 'auto-donation') {
    world.tally.draws = (world.tally.draws ?? 0) + 1
    if (rows.draws.length !== 1) found(world, 'drawn-otherwise-than-once', `${who}: ${rows.draws.length}`)
    // Left on one server, a card may be drawn by another whose clock is behind.
    const since = rows.left ? rows.left.created_at - CLOCKS_APART_MS : card.auto_donate_at
    if (use.created_at < since) found(world, 'drawn-early', who)
  }
  if (purchase.isLeft && !rows.left) found(world, 'left-lost', who)
  if (rows.left && use?.cause === 'recipient') found(world, 'card-spent-twice', `${who} left it, and gave it`)
  if (charge.refunded > 0) world.tally.refunds = (world.tally.refunds ?? 0) + 1
  world.tally.sales = (world.tally.sales ?? 0) + 1
  const { refunds } = charge.isPaid ? await refundsOf(world, sessionId) : { refunds: [] }
  const support = price.net + price.tax
  // What the operator gives back by hand, here or there, is theirs to say (refund-oracle.ts).
  for (const { id, amount, status, metadata } of refunds)
    if (
      (use || rows.left) &&
      amount > support &&
      status !== 'failed' &&
      metadata?.operator === undefined &&
      !world.refundsByHand.has(id)
    )
      found(world, 'refund-on-a-used-card', `${who}: ${amount}`)
  const status: Status = statusOf(charge, price, gift, rows.left !== undefined)
  const isWithdrawing = rows.withdrawal?.state === 'refunding' || rows.withdrawal?.state === 'waiting'
  if (card.status !== status)
    found(
      world,
      'card-otherwise',
      `${who}: ${card.status}, and should be ${status}${isWithdrawing ? ' (withdrawal unfinished)' : ''} ${JSON.stringify({ charge, withdrawal: rows.withdrawal?.state })}`,
    )
  const isDue = card.auto_donate_at + PATIENCE_MS < machine.now
  const isOverdue = rows.left !== undefined && rows.left.created_at + PATIENCE_MS < machine.now
  if ((card.status === 'active' && isDue) || (card.status === 'left' && isOverdue))
    found(world, 'not-drawn', who)
  const books: Record<string, number> = {}
  for (const { account, amount } of rows.entries) books[account] = (books[account] ?? 0) + amount
  const is = sorted(Object.fromEntries(Object.entries(books).filter(([, amount]) => amount !== 0)))
  const isSupportWithdrawn = (use ?? rows.left) !== undefined && rows.withdrawal?.answer === 'support'
  const must = sorted(booksOf(charge, price, gift, isSupportWithdrawn))
  if (JSON.stringify(is) !== JSON.stringify(must))
    found(world, 'books-otherwise', `${who}: ${JSON.stringify(is)}, and should be ${JSON.stringify(must)}`)
}

/** Servers look at the content every few days; and their clocks differ. */
const NEWS_TRAVEL_MS = 20 * 24 * 3_600_000

/** Own money goes to whom its payer saw, to the cent; where it cannot, to nobody before they divide it anew. */
function ownMoneyAsItsPayerSaw(
  world: World,
  own: OwnMoney,
  {
    who,
    card,
    use,
    amounts,
    charge,
    isWithdrawn,
  }: {
    readonly who: string
    readonly card: { readonly created_at: number }
    readonly use: { readonly cause: string; readonly receipt_digest: string | null } | undefined
    readonly amounts: Readonly<Record<string, number>>
    readonly charge: Charge
    readonly isWithdrawn: boolean
  },
): void {
  const says = (of: Readonly<Record<string, number>>) => JSON.stringify(sorted(of))
  const isGiven = use?.cause === 'recipient' && use.receipt_digest === null
  world.tally[isGiven ? 'own money given' : 'own money to divide'] =
    (world.tally[isGiven ? 'own money given' : 'own money to divide'] ?? 0) + 1
  if (own.told && says(own.told) !== says(amounts))
    found(world, 'gift-lost', `${who} was told ${says(own.told)}, kept is ${says(amounts)}`)
  if (isGiven && says(amounts) !== says(own.seen))
    found(world, 'own-money-otherwise', `${who} saw ${says(own.seen)}, given is ${says(amounts)}`)
  if (isGiven && own.isDoubtful) found(world, 'own-money-given-back', who)
  const isListNew = world.listChanges.some(
    at => at > own.at - NEWS_TRAVEL_MS && at < card.created_at + NEWS_TRAVEL_MS,
  )
  const isHeld = own.isDoubtful || isWithdrawn || charge.refunded > 0 || charge.lost > 0 || charge.isDisputed
  if (!isGiven && !isListNew && !isHeld) found(world, 'own-money-not-given', who)
}

async function refundsOf({ outside }: World, sessionId: string) {
  const charge = await chargeIdOf(outside, sessionId)
  const { data } = await outside.dashboard.refunds.list({ charge: charge ?? '', limit: 100 })
  return { refunds: data }
}

const sorted = (record: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Currency by currency: what the provider took and gave back is what the books have, and what is owed or paid out is all of it. */
async function everyCentIsSomewhere(world: World): Promise<void> {
  const charges = await world.outside.dashboard.charges.list({ limit: 100 })
  const provider: Record<string, number> = {}
  for (const { currency, amount, status } of charges.data)
    if (status === 'succeeded')
      provider[currency.toUpperCase()] = (provider[currency.toUpperCase()] ?? 0) + amount
  const entries = await world.eye.read(db =>
    db.selectFrom('ledger_entries').select(['account', 'currency', 'amount', 'cause', 'order_id']).execute(),
  )
  const invoiced = new Set([...world.invoiced.values()].map(({ orderId }) => orderId))
  const taken: Record<string, number> = {}
  // What is paid by invoice the bank has.
  for (const { account, currency, amount, cause, order_id: order } of entries)
    if (account === 'payments' && cause === 'sale' && !invoiced.has(order ?? ''))
      taken[currency] = (taken[currency] ?? 0) - amount
  if (JSON.stringify(sorted(provider)) !== JSON.stringify(sorted(taken)))
    found(
      world,
      'cent-lost',
      `the provider took ${JSON.stringify(provider)}, the books have ${JSON.stringify(taken)}`,
    )
  const parts = await world.eye.read(db =>
    db.selectFrom('allocations').select(['currency', 'amount']).execute(),
  )
  const given: Record<string, number> = {}
  for (const { currency, amount } of parts) given[currency] = (given[currency] ?? 0) + amount
  const owed: Record<string, number> = {}
  for (const { account, currency, amount } of entries)
    if (account.startsWith('ngo:') || account.startsWith('payout'))
      owed[currency] = (owed[currency] ?? 0) + amount
  const some = (of: Record<string, number>) =>
    JSON.stringify(sorted(Object.fromEntries(Object.entries(of).filter(([, amount]) => amount !== 0))))
  if (some(given) !== some(owed))
    found(world, 'cent-not-owed', `given ${some(given)}, owed or paid out ${some(owed)}`)
}

/** Mails that nobody needs any more. */
const NEEDLESS = /^(card-not-shown|invalid-address|nobody|not-needed|already)/

async function everyJobEnds(world: World): Promise<void> {
  const jobs = await world.eye.read(db => db.selectFrom('jobs').selectAll().execute())
  for (const { kind, done_at, failed_reason, run_at } of jobs) {
    if (kind.startsWith('reminder')) world.tally.reminders = (world.tally.reminders ?? 0) + 1
    if (done_at === null && run_at <= machine.now)
      found(world, 'mail-never-ends', `${kind} ${failed_reason ?? ''}`)
    else if (done_at !== null && failed_reason !== null && !NEEDLESS.test(failed_reason))
      world.tally[`given up: ${kind} ${failed_reason}`] =
        (world.tally[`given up: ${kind} ${failed_reason}`] ?? 0) + 1
  }
  const periodic = await world.eye.read(db => db.selectFrom('periodic_jobs').selectAll().execute())
  for (const { name, outcome, lease_until, result } of periodic) {
    if (lease_until !== null && lease_until > machine.now) found(world, 'job-never-ends', name)
    if (outcome !== 'done') found(world, 'job-fails', `${name}: ${outcome} ${result}`)
  }
  const orders = await world.eye.read(db =>
    db
      .selectFrom('orders')
      .select(['id', 'status', 'created_at'])
      .where('id', 'not in', db.selectFrom('invoices').select('order_id'))
      .execute(),
  )
  for (const { status, created_at } of orders)
    if (status === 'open' && created_at < machine.now - 5 * 24 * 3_600_000)
      found(world, 'order-never-ends', status)
}

/** Each mail reaches one mailbox, once, unless something went wrong between two tries. */
async function mailsAsMeant(world: World): Promise<void> {
  const seen = new Map<string, number>()
  const contacts = new Set([
    OPERATOR,
    ...[...world.purchases.values()].map(({ email }) => email),
    ...[...world.claims.values()].map(({ email }) => email),
    ...[...world.invoiced.values(), ...world.bought.values()].map(({ email }) => email),
  ])
  for (const { message, mishaps, areClocksApart } of world.outside.mails) {
    const before = seen.get(message.messageId)
    if (before !== undefined && before === mishaps && !areClocksApart)
      found(world, 'mail-doubled', `${message.subject} to ${message.to}`)
    seen.set(message.messageId, mishaps)
    if (!contacts.has(message.to)) found(world, 'mail-astray', message.subject)
  }
  const cards = await world.eye.read(db =>
    // One mail leads to all of many cards.
    db.selectFrom('cards').select(['id', 'order_id', 'email', 'status']).where('position', '=', 0).execute(),
  )
  const confirmed = await world.eye.read(db =>
    db
      .selectFrom('jobs')
      .select(['subject', 'kind', 'dedupe_key'])
      .where('kind', '=', 'confirmation')
      .execute(),
  )
  for (const { id, email, status } of cards) {
    const mails = confirmed.filter(({ subject }) => subject === id)
    if (email !== null && status === 'active' && mails.length === 0) found(world, 'card-without-mail', id)
  }
}

/** No key stands in a log, a table or a published file, and in mails only where its owner reads it. */
async function noKeyAnywhere(world: World): Promise<void> {
  const { keys } = world.servers.find(each => each?.life.isAlive)!
  const cards = await world.eye.read(db => db.selectFrom('cards').selectAll().execute())
  const secrets = new Map<string, string>()
  for (const card of cards) {
    const owner =
      [...world.purchases.values(), ...world.bought.values()].find(({ email }) => email === card.email)
        ?.email ??
      card.email ??
      'forgotten'
    for (const version of [1, 2, 3]) {
      secrets.set(keys.privateKey(card.id, version), owner)
      secrets.set(keys.publicKey(card.id, version), owner)
    }
  }
  const logs = world.lines.join('')
  const files = readdirSync(world.house.folder, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile() && !/payments-double/.test(each.name))
    .map(each => readFileSync(join(each.parentPath, each.name), 'latin1'))
    .join('\n')
  const sessions = [...world.purchases.values(), ...world.bought.values()]
    .map(({ sessionId }) => sessionId)
    .filter(Boolean)
  for (const secret of [
    ...secrets.keys(),
    ...sessions,
    ...[...world.purchases.values()].flatMap(({ receiptKey }) => receiptKey ?? []),
  ]) {
    if (logs.includes(secret))
      found(world, 'key-in-log', logs.slice(logs.indexOf(secret) - 200, logs.indexOf(secret)))
    if (files.includes(secret)) found(world, 'key-in-file', secret.slice(0, 4))
  }
  for (const { email } of [...world.purchases.values(), ...world.invoiced.values(), ...world.bought.values()])
    if (logs.includes(email)) found(world, 'address-in-log', email)
  for (const { message } of world.outside.mails)
    for (const [secret, owner] of secrets)
      if (message.text.includes(secret) && owner !== 'forgotten' && message.to !== owner)
        found(world, 'key-in-strange-mail', `${message.subject} to ${message.to}`)
}

/** Anybody who reads the published files finds what was booked. */
async function publicLedgerHolds(world: World): Promise<void> {
  const settings = settingsOf(world.house.folder)
  const { verifier } = createSigner(settings.ledgerKey!, originOf(SITE))
  const heads = await world.eye.read(db => db.selectFrom('ledger_heads').select('size').execute())
  // Nothing was ever published of a year in which nothing was sold.
  if (heads.length === 0) return
  try {
    const log = await machine.until(verifyFolder(join(world.house.folder, 'ledger'), verifier))
    world.tally['lines of the public ledger'] = log.checkpoint.size
  } catch (error) {
    found(world, 'public-ledger-broken', String(error))
  }
}
