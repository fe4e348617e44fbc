import { placeOfCard } from '#domain/card/batch.ts'
import { figuresOfMany } from '#domain/card/figures-of-many.ts'
import { isPressShaped, showingFor } from '#domain/card/showing.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { confirmationsOf, queueConfirmationAgain } from '#server/modules/gifts/confirmation-jobs.ts'
import { changeManyPage, type ManyPage, manyPageOf, movePage } from '#server/modules/gifts/many-pages.ts'
import { messageOfOrder } from '#server/modules/gifts/messages.ts'
import { rowsOfOrder } from '#server/modules/gifts/order-rows.ts'
import {
  type Card,
  cardsOfOrder,
  changeCard,
  linksOf,
  lockCardsOfOrder,
  sealOfStored,
} from '#server/modules/gifts/stored-cards.ts'
import { sealOfOrder } from '#server/modules/ledger/seals.ts'
import type { PaymentsDependencies } from '#server/modules/payments/dependencies.ts'
import { isSameSecret } from '#server/modules/payments/digests.ts'
import { isByTransfer, lockOrder, type Order, orderById } from '#server/modules/payments/orders.ts'
import { withdrawalKeyOf } from '#server/modules/payments/withdrawals/find.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import type { ManyOrders, OpenedMany, PressedMany, Renewed, ShownOfMany } from './interface.ts'
import { counted, numbered, usesOfOrder } from './stored.ts'

type Parts = Pick<PaymentsDependencies, 'db' | 'keys' | 'clock' | 'log' | 'onQueued'>

/** An order of many, its page and its cards by their places. */
interface Many {
  readonly order: Order
  readonly page: ManyPage
  readonly cards: readonly Card[]
}

interface Press {
  readonly orderId: string
  readonly key: string
  readonly press: string
}

/** Makes the pages of orders of many cards. */
export function createManyOrders(parts: Parts): ManyOrders {
  const { db } = parts
  return {
    open: (orderId, key) =>
      db.read(async reader => opened(reader, parts, await manyOfKey(reader, parts, orderId, key))),
    show: (orderId, key, press) => pressed(parts, { orderId, key, press }, undefined),
    renew: (orderId, key, press, which) => pressed(parts, { orderId, key, press }, which),
    shownTo: (orderId, key, press) =>
      db.read(async reader => {
        const many = await manyOfKey(reader, parts, orderId, key)
        return shownAgain(reader, parts, many, press)
      }),
    move: (orderId, key) => move(parts, orderId, key),
  }
}

/**
 * The order of many that a key opens.
 * @throws Problem payment-not-found, after the same work, for an order that has no such page and for every wrong key
 */
async function manyOfKey(
  db: Reader,
  { keys }: Pick<Parts, 'keys'>,
  orderId: string,
  key: string,
): Promise<Many> {
  const id = isIdShaped(orderId) ? orderId : ''
  const page = await manyPageOf(db, id)
  const order = await orderById(db, id)
  const cards = await cardsOfOrder(db, 'donation', id)
  const isKey = isSameSecret(key, keys.manyKey(id, page?.key_version ?? keys.firstVersion))
  if (!isKey || !page || !order) throw new Problem('payment-not-found')
  return { order, page, cards }
}

async function opened(db: Reader, { keys }: Parts, { order, page, cards }: Many): Promise<OpenedMany> {
  const [first] = cards
  if (!first) throw new Error('A settled order has no card')
  const rows = await rowsOfOrder(db, order.id)
  return {
    orderId: order.id,
    theme: await themeOf(db, order.theme_id, first.created_at),
    language: order.language,
    senderName: order.sender_name,
    credit: money(first.credit, first.currency),
    boughtAt: order.settled_at ?? order.created_at,
    autoDonateAt: first.auto_donate_at,
    figures: figuresOfMany(counted(cards, await usesOfOrder(db, order.id))),
    unused: cards.filter(isActive).map(card => numbered(card, rows)),
    shownAt: page.shown_at,
    withdrawalKey: await withdrawalKeyOf(db, { keys }, { order, cards }),
    byInvoice: isByTransfer(order),
    hasAddress: cards.some(({ email }) => email !== null),
  }
}

const isActive = ({ status }: Card): boolean => status === 'active'

/** A press that wants links: those that there are, once, or new ones. */
async function pressed(
  parts: Parts,
  { orderId, key, press }: Press,
  which: Renewed | undefined,
): Promise<PressedMany> {
  const { db, keys, clock } = parts
  checkPress(press)
  return db.transaction(async trx => {
    await manyOfKey(trx, parts, orderId, key)
    // The order first, then its cards: two presses at once, or a press and a withdrawal, come one after the other.
    await lockOrder(trx, orderId)
    await lockCardsOfOrder(trx, 'donation', orderId)
    const many = await manyOfKey(trx, parts, orderId, key)
    const { page } = many
    const digest = keys.digest(press)
    const showing = showingFor({ digest: page.showing_digest, at: page.shown_at }, digest, clock())
    if (showing === 'again') return shownAgain(trx, parts, many, press)
    if (which === undefined && showing === 'over') return opened(trx, parts, many)
    const position = which === undefined || which === 'all' ? null : placeOfCard(which)
    if (which !== undefined) await renew(trx, parts, many, position)
    await changeManyPage(trx, orderId, {
      showing_digest: digest,
      // As long as nobody has seen the others, the one that is made anew is shown with them.
      showing_position: page.shown_at === null ? null : position,
      shown_at: clock(),
    })
    return shownAgain(trx, parts, await manyOfKey(trx, parts, orderId, key), press)
  })
}

/** @throws Problem invalid-fields for what could be guessed */
function checkPress(press: string): void {
  if (!isPressShaped(press))
    throw new Problem('invalid-fields', { fields: [{ path: 'press', rule: 'press' }] })
}

/** What a press is shown by now: nothing where another press has come, or its time is over. */
async function shownAgain(db: Reader, parts: Parts, many: Many, press: string): Promise<PressedMany> {
  const { page } = many
  const kept = { digest: page.showing_digest, at: page.shown_at }
  const view = await opened(db, parts, many)
  if (showingFor(kept, parts.keys.digest(press), parts.clock()) !== 'again') return view
  return { ...view, shown: await withLinks(db, parts, many) }
}

async function withLinks(db: Reader, { keys, log }: Parts, many: Many): Promise<readonly ShownOfMany[]> {
  const { order, page, cards } = many
  const rows = await rowsOfOrder(db, order.id)
  const message = await messageOfOrder(db, order.id)
  const { showing_position: only } = page
  const shown = cards.filter(
    card => isActive(card) && keys.knows(card.key_version) && (only === null || card.position === only),
  )
  // Somebody who writes to the database could give their own order another's cards.
  const isOurs = order.seal === sealOfOrder(keys, order)
  const whole = shown.filter(card => isOurs && card.seal === sealOfStored(keys, 'donation', card))
  if (whole.length < shown.length)
    log.error('payment-not-ours', new Error('seal'), {
      order: order.id,
      amount: order.total_amount,
      currency: order.currency,
      differs: 'seal',
    })
  return whole.map(card => {
    const privateKey = keys.privateKey(card.id, card.key_version)
    const words = rows.find(({ position }) => position === card.position)?.words ?? message
    // Empty where it was blanked.
    return {
      ...numbered(card, rows),
      words: words === '' ? null : words,
      privateKey,
      publicKey: keys.publicKey(card.id, card.key_version),
      checkWord: printedWordOf(card, privateKey),
    }
  })
}

/** Gives cards that nobody has used new keys. @param position the place of one, null for all @throws Problem card-not-found where that one has none to replace */
async function renew(trx: Writer, { keys }: Parts, { cards }: Many, position: number | null): Promise<void> {
  const unused = cards.filter(card => isActive(card) && (position === null || card.position === position))
  if (position !== null && unused.length === 0)
    throw new Problem('invalid-fields', { fields: [{ path: 'card', rule: 'unused' }] })
  for (const card of unused) {
    const next = linksOf(keys, 'donation', card.id, keys.nextVersion(card.key_version))
    if (!(await changeCard(trx, keys, 'donation', card, next))) throw new Error('The card is not locked')
  }
}

async function move(
  { db, keys, clock, onQueued, ...rest }: Parts,
  orderId: string,
  key: string,
): Promise<void> {
  const parts = { db, keys, clock, onQueued, ...rest }
  await db.transaction(async trx => {
    await manyOfKey(trx, parts, orderId, key)
    await lockOrder(trx, orderId)
    const { page, cards } = await manyOfKey(trx, parts, orderId, key)
    const [first] = cards
    // Nobody could be told the new address.
    if (!first || cards.every(({ email }) => email === null)) return
    await movePage(trx, keys, page, cards)
    const { length: count } = await confirmationsOf(trx, first.id)
    await queueConfirmationAgain(trx, { kind: 'donation', cardId: first.id, now: clock(), count })
  })
  onQueued?.()
}
