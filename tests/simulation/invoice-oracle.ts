import type { Invoiced } from './invoices.ts'
import { machine } from './machine.ts'
import { totalOfMany } from './many.ts'
import type { World } from './world.ts'

/** An invoice waits thirty days; clocks differ by ten hours, and the site looks every few days. */
const LAPSED_AFTER_MS = 50 * 24 * 3_600_000

/**
 * What must be true of every order by invoice in the end, said in the plainest way: there are cards just where the whole
 * amount arrived, every cent of it is at the bank, with an organisation's card or back with the buyer, and each withdrawal
 * was paid back once.
 * @param patience how late a draw may be seen, ms
 */
export async function invoicesAsTheBankSays(world: World, patience: number): Promise<void> {
  for (const mine of world.invoiced.values())
    if (mine.orderId !== '') await asTheBankSays(world, mine, patience)
}

async function rowsOf({ eye }: World, { orderId, email }: Invoiced) {
  return eye.read(async db => {
    const cards = await db
      .selectFrom('cards')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('position')
      .execute()
    const of = cards.length > 0 ? cards.map(({ id }) => id) : ['']
    return {
      cards,
      invoice: await db
        .selectFrom('invoices')
        .innerJoin('orders', 'orders.id', 'invoices.order_id')
        .select(['invoices.state', 'orders.status', 'orders.created_at', 'orders.total_amount'])
        .where('invoices.order_id', '=', orderId)
        .executeTakeFirst(),
      alike: await db.selectFrom('invoices').select('order_id').where('email', '=', email).execute(),
      uses: await db.selectFrom('redemptions').selectAll().where('card_id', 'in', of).execute(),
      parts: await db.selectFrom('allocations').selectAll().where('card_id', 'in', of).execute(),
      withdrawals: await db.selectFrom('withdrawals').selectAll().where('order_id', '=', orderId).execute(),
      back: await db.selectFrom('bank_refunds').selectAll().where('order_id', '=', orderId).execute(),
      entries: await db
        .selectFrom('ledger_entries')
        .select(['account', 'amount'])
        .where(eb => eb.or([eb('order_id', '=', orderId), eb('card_id', 'in', of)]))
        .execute(),
    }
  })
}

async function asTheBankSays(world: World, mine: Invoiced, patience: number): Promise<void> {
  const { orderId, told } = mine
  const found = (rule: string, says: string) =>
    void world.findings.push({ rule, says: `order ${orderId} of ${mine.buyer}: ${says}` })
  const { invoice, cards, alike, uses, parts, withdrawals, back, entries } = await rowsOf(world, mine)
  const total = totalOfMany(mine)
  const credit = mine.price.ngo
  const support = mine.price.net + mine.price.tax
  if (!invoice) return found('invoice-lost', 'there is none')
  if (alike.length > 1) found('ordered-twice', alike.map(({ order_id: id }) => id).join())
  if (invoice.total_amount !== total)
    found('invoice-otherwise', `${invoice.total_amount}, shown was ${total}`)
  if (told.has('paid') && told.has('cancelled')) found('paid-and-cancelled', invoice.state)
  // What nobody was told, since the server died, is as it is.
  for (const state of ['paid', 'cancelled'] as const)
    if (told.has(state) && invoice.state !== state)
      found('invoice-lost', `${invoice.state}, and was ${state}`)

  const isPaid = invoice.state === 'paid'
  const atBank = mine.arrived - mine.returned
  if (isPaid && atBank !== total) found('cards-without-money', `${atBank} of ${total} are at the bank`)
  if (!isPaid && atBank !== 0) found('paid-without-card', `${atBank} are at the bank`)
  if (cards.length !== (isPaid ? mine.cards : 0)) found('cards-otherwise', `${cards.length} of ${mine.cards}`)
  if (invoice.status === 'open' && invoice.created_at < machine.now - LAPSED_AFTER_MS)
    found('order-never-ends', 'by invoice')

  // Withdrawals: each is paid back once, of the amount that was transferred for it.
  for (const { number, state, answer, amount } of withdrawals) {
    const isDue = isPaid && (answer === 'whole' || answer === 'support')
    const written = back.filter(each => each.withdrawal === number)
    const transferred = mine.back.get(`${orderId} ${number}`)
    if (isDue && state !== 'refunded') found('never-paid-back', `withdrawal ${number} is ${state}`)
    if (written.length !== (isDue ? 1 : 0)) found('paid-back-otherwise-than-once', `withdrawal ${number}`)
    if (isDue && (transferred !== amount || written[0]?.amount !== amount))
      found('paid-back-otherwise', `withdrawal ${number}: ${transferred} ${written[0]?.amount} of ${amount}`)
  }
  for (const place of mine.byHand.keys()) {
    const written = back.filter(each => each.withdrawal === null && each.cards === String(place + 1))
    if (written.length !== 1) found('given-back-otherwise-than-once', `card ${place}: ${written.length}`)
  }
  const out = [...mine.back.values(), ...mine.byHand.values()].reduce<number>(
    (sum, amount) => sum + (amount ?? 0),
    0,
  )
  if (back.reduce((sum, { amount }) => sum + amount, 0) !== out) found('cent-lost', `${out} went back`)

  // Cards: each is used once at the most, or its price is back; what is withdrawn is used by nobody.
  const standing = (status: string) => cards.filter(card => card.status === status)
  const revoked = standing('revoked').length
  const used = standing('consumed').length
  /** Used, and its price back by the operator's hand all the same, at the product's loss. */
  const lost = standing('consumed').filter(({ position }) => mine.byHand.has(position)).length
  for (const card of cards) {
    const place = card.position
    const its = uses.filter(each => each.card_id === card.id)
    const amounts = parts.filter(each => each.card_id === card.id)
    const sum = amounts.reduce((all, { amount }) => all + amount, 0)
    if (!['active', 'consumed', 'revoked'].includes(card.status)) found('card-otherwise', card.status)
    if (its.length !== (card.status === 'consumed' ? 1 : 0)) found('used-twice', `card ${place}`)
    if (sum !== (card.status === 'consumed' ? credit : 0)) found('cent-lost', `card ${place} gave ${sum}`)
    const given = mine.given.get(place)
    const kept = Object.fromEntries(amounts.map(({ ngo_id: id, amount }) => [id, amount]))
    if (given && says(given) !== says(kept)) found('gift-lost', `${says(given)}, kept is ${says(kept)}`)
    const isWithdrawn = isPaid && mine.withdrawn.has(place)
    if (isWithdrawn && card.status !== 'revoked' && its[0]?.cause !== 'recipient')
      found('withdrawn-and-not-back', `card ${place} is ${card.status}`)
    if (mine.byHand.has(place) && card.status === 'active')
      found('given-back-and-not-revoked', `card ${place}`)
    if (card.status === 'active' && card.auto_donate_at + patience < machine.now)
      found('not-drawn', `${place}`)
  }
  // Of a card that was used the support alone goes back.
  const ofUsed = out - (revoked + lost) * (credit + support)
  const isShareOfUsed = support === 0 ? ofUsed === 0 : ofUsed % support === 0
  if (ofUsed < 0 || ofUsed > (used - lost) * support || !isShareOfUsed)
    found('back-otherwise', `${out} for ${revoked} cards and the support of some of ${used}`)

  const books: Record<string, number> = {}
  for (const { account, amount } of entries) {
    const kind = /^(ngo:|support$|tax$)/.test(account)
      ? account.startsWith('ngo:')
        ? 'ngos'
        : 'kept'
      : account
    books[kind] = (books[kind] ?? 0) + amount
  }
  const must: Record<string, number> = isPaid
    ? {
        bank: out - total,
        payments: -out,
        refunds: out,
        cards: credit * (cards.length - revoked - used),
        ngos: credit * used,
        kept: support * (cards.length - revoked - lost) - ofUsed,
        losses: -credit * lost,
      }
    : {}
  const without = (of: Record<string, number>) =>
    says(Object.fromEntries(Object.entries(of).filter(([, amount]) => amount !== 0)))
  if (without(books) !== without(must))
    found('books-otherwise', `${without(books)}, should be ${without(must)}`)

  // Their page says the same.
  const its = world.servers.find(each => each?.life.isAlive)!
  if (mine.key !== '') {
    const opened = its.invoices.open(orderId, mine.key)
    await machine.until(opened)
    const { standing: shown } = await opened
    const waits = withdrawals.length > 0 ? 'withdrawn' : 'open'
    const unpaid = invoice.status === 'open' ? waits : 'lapsed'
    const should = invoice.state === 'open' ? unpaid : invoice.state
    if (shown !== should) found('invoice-otherwise', `its page says ${shown}, and should say ${should}`)
  }
  const { tally } = world
  if (isPaid) tally['sales by invoice'] = (tally['sales by invoice'] ?? 0) + 1
  if (revoked > 0) tally['cards of invoices back'] = (tally['cards of invoices back'] ?? 0) + revoked
}

/** Amounts by name, in one order. */
export const says = (record: Readonly<Record<string, number>>) =>
  JSON.stringify(Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))))
