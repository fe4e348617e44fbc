import { writeNamedCards } from '#domain/card/batch.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { isAbout } from '#domain/withdrawal/cards.ts'
import type { Chosen } from '#domain/withdrawal/choice.ts'
import {
  firstWithdrawalState,
  holdsCard,
  isRefundAsked,
  isRefunded,
  type WithdrawalAnswer,
} from '#domain/withdrawal/withdrawal.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { holdCard, holdsOn } from '#server/modules/gifts/holds.ts'
import { type Card, lockCardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import { invoiceOf, mailInvoice } from '#server/modules/payments/invoices/stored.ts'
import { lockOrder } from '#server/modules/payments/orders.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { carryOut } from './carry-out.ts'
import type { WithdrawalParts } from './dependencies.ts'
import {
  type AnyCard,
  amountBack,
  answerOf,
  confirmedOf,
  type Purchase,
  purchaseOfKey,
  shown,
  statedAtOf,
} from './find.ts'
import { queueAcknowledgement } from './follow.ts'
import type { OpenedWithdrawal, WithdrawalWords } from './interface.ts'
import { asChosen, type Part, partOf } from './part.ts'
import { addWithdrawal, asEarlier, changeWithdrawal, type Withdrawal, withdrawalsOf } from './stored.ts'

interface Opened {
  readonly orderId: string
  readonly key: string
}

/** Is it an order of many, with cards to choose among? */
const isOfMany = ({ order, cards }: Purchase): boolean => order.card_count > 1 && cards.length > 0

/**
 * The purchase of a key, as its page shows it.
 * @param chosen of an order of many: what is to be looked at
 * @throws Problem payment-not-found
 */
export async function openWithdrawal(
  parts: WithdrawalParts,
  { orderId, key }: Opened,
  chosen?: Chosen,
): Promise<OpenedWithdrawal> {
  const { db, clock, withdrawalDays: days } = parts
  return db.read(async reader => {
    const purchase = await purchaseOfKey(reader, parts, orderId, key)
    const { theme_id: themeId, created_at: boughtAt } = purchase.cards[0] ?? purchase.order
    const theme = await themeOf(reader, themeId, boughtAt)
    if (isOfMany(purchase)) return { theme, ...(await openedMany(reader, parts, purchase, chosen)) }
    const [withdrawal] = await withdrawalsOf(reader, orderId)
    const statedAt = withdrawal?.stated_at ?? (await statedAtOf(reader, parts, purchase, clock()))
    const answer = await answerOf(reader, purchase, { statedAt, days })
    const back = money(await amountBack(reader, purchase, answer), purchase.order.currency)
    const isOfferedAgain = withdrawal?.state === 'closed' && isRefunded(answer)
    return { theme, ...shown(purchase, isOfferedAgain ? undefined : withdrawal, { answer, days }), back }
  })
}

async function openedMany(
  reader: Reader,
  parts: WithdrawalParts,
  purchase: Purchase,
  chosen: Chosen | undefined,
): Promise<Omit<OpenedWithdrawal, 'theme'>> {
  const { withdrawalDays: days } = parts
  const { id } = purchase.order
  const earlier = await withdrawalsOf(reader, id)
  const of = (which: Chosen) =>
    partOf(reader, parts, purchase, { earlier, chosen: which, now: parts.clock() })
  const left = await of('all')
  const part = chosen && (await of(chosen))
  // As long as anything can be given back, that is what the page is about.
  const last = isRefunded(left.answer) ? undefined : earlier.at(-1)
  return {
    ...shown(purchase, last, { answer: left.answer, days }),
    back: left.back,
    many: {
      withdrawals: earlier.map(each => confirmedOf(purchase, each)),
      left: await asChosen(reader, id, left),
      ...(part && isRefunded(part.answer) && { chosen: await asChosen(reader, id, part) }),
    },
  }
}

/**
 * Withdraws from a purchase: the row, the card that nobody can use any more, and the mail that acknowledges it, in ONE
 * transaction; only then is the refund asked for. What a crash leaves between is ended by `finishWithdrawals`.
 * @throws Problems payment-not-found, invalid-fields
 */
export async function confirmWithdrawal(
  parts: WithdrawalParts,
  { orderId, key }: Opened,
  words: WithdrawalWords,
  chosen: Chosen = 'all',
): Promise<OpenedWithdrawal> {
  const { db, clock, log, onQueued } = parts
  const now = clock()
  const withdrawal = await db.transaction(async trx => {
    await purchaseOfKey(trx, parts, orderId, key)
    // The order first, then the cards: whoever makes or moves a card meets this transaction at one of them.
    const order = await lockOrder(trx, orderId)
    // Whoever waited for a buyer who gave the purchase other keys has a key of before.
    await purchaseOfKey(trx, parts, orderId, key)
    const cards = await lockCardsOfOrder(trx, order.kind, orderId)
    const earlier = await withdrawalsOf(trx, orderId)
    const purchase = { order, cards }
    if (isOfMany(purchase)) return withdrawSome(trx, parts, { purchase, earlier, chosen, words, now })
    const [known] = earlier
    if (known && !(await isOpenAgain(trx, parts, purchase, known))) return known
    return withdrawAll(trx, parts, { purchase, known, words, now })
  })
  onQueued?.()
  if (withdrawal.state === 'refunding') {
    // It is recorded: whatever keeps the refund from being asked for now, the job asks again.
    await carryOut(parts, orderId).catch((error: unknown) =>
      log.error('withdrawal-not-carried-out', error, { order: orderId }),
    )
  }
  return openWithdrawal(parts, { orderId, key })
}

/** Has a refund come back to us: the one that it asked for, or the one by hand that it was answered with? */
async function isOpenAgain(
  trx: Writer,
  { withdrawalDays: days }: WithdrawalParts,
  purchase: Purchase,
  { state, stated_at: statedAt }: Withdrawal,
): Promise<boolean> {
  if (state === 'failed') return true
  return state === 'closed' && isRefunded(await answerOf(trx, purchase, { statedAt, days }))
}

interface Press {
  readonly purchase: Purchase
  readonly words: WithdrawalWords
  readonly now: number
}

/** Withdraws from an order of one card, or from one that has no cards yet. @param known one that can be pressed again */
async function withdrawAll(
  trx: Writer,
  parts: WithdrawalParts,
  { purchase, known, words, now }: Press & { readonly known: Withdrawal | undefined },
): Promise<Withdrawal> {
  const { keys, withdrawalDays: days } = parts
  const { order, cards } = purchase
  const statedAt = known?.stated_at ?? (await statedAtOf(trx, parts, purchase, now))
  const answer = await answerOf(trx, purchase, { statedAt, days })
  const amount = await amountBack(trx, purchase, answer)
  const mustWait = cards.length === 0 || (await isAnyDisputed(trx, cards))
  const state = firstWithdrawalState(answer, mustWait)
  let withdrawal: Withdrawal
  if (known) {
    const set = { state, answer, amount, attempt: known.attempt + 1 }
    if (!(await changeWithdrawal(trx, keys, known, set, now))) throw new Error('The withdrawal is not locked')
    withdrawal = { ...known, ...set }
  } else {
    const row = { order_id: order.id, number: 1, cards: null, state, answer, amount, attempt: 1 }
    withdrawal = await addWithdrawal(trx, keys, { ...row, ...timesOf(statedAt, now), ...words })
  }
  await holdAll(trx, parts, { cards, withdrawal, kind: order.kind, now })
  const [first] = cards
  if (first) await queueAcknowledgement(trx, withdrawal, { cardId: first.id, now })
  // Before its payment the address of an order by invoice is that of the invoice.
  const email = first ? null : (await invoiceOf(trx, order.id))?.email
  if (email) await mailInvoice(trx, keys, { orderId: order.id, email, now, about: 'withdrawn' })
  return withdrawal
}

interface PressOfMany extends Press {
  readonly earlier: readonly Withdrawal[]
  readonly chosen: Chosen
}

/**
 * Withdraws from cards of an order of many: one more withdrawal, of those that no other one has. What was pressed for
 * before is not written again.
 * @throws Problem invalid-fields where none of the cards that were chosen can be given back, nor was before
 */
async function withdrawSome(
  trx: Writer,
  parts: WithdrawalParts,
  { purchase, earlier, chosen, words, now }: PressOfMany,
): Promise<Withdrawal> {
  const { order } = purchase
  const part = await partOf(trx, parts, purchase, { earlier, chosen, now })
  const last = earlier.at(-1)
  if (!isRefunded(part.answer)) {
    if (chosen !== 'all' && !chosen.every(position => isAskedFor(earlier, position)))
      throw new Problem('invalid-fields')
    if (last) return last
  }
  const state = firstWithdrawalState(part.answer, await isAnyDisputed(trx, purchase.cards))
  const withdrawal = await addWithdrawal(trx, parts.keys, {
    order_id: order.id,
    number: (last?.number ?? 0) + 1,
    cards: isRefunded(part.answer) ? writeNamedCards(placesIn(part)) : null,
    state,
    answer: part.answer,
    amount: part.back.amount,
    attempt: 1,
    ...timesOf(part.statedAt, now),
    ...words,
  })
  // Those that were used stay given.
  await holdAll(trx, parts, { cards: part.unused, withdrawal, kind: order.kind, now })
  await queueAcknowledgement(trx, withdrawal, { cardId: purchase.cards[0]!.id, now })
  return withdrawal
}

const placesIn = ({ cards }: Part): readonly number[] => cards.map(card => (card as Card).position)

const isAskedFor = (earlier: readonly Withdrawal[], position: number): boolean =>
  earlier.some(each => isRefundAsked(each.state) && isAbout(asEarlier(each), position))

const timesOf = (statedAt: number, now: number) => ({
  stated_at: statedAt,
  confirmed_at: Math.max(now, statedAt),
  changed_at: now,
})

interface Held {
  readonly cards: readonly AnyCard[]
  readonly withdrawal: { readonly state: Withdrawal['state']; readonly answer: WithdrawalAnswer }
  readonly kind: Purchase['order']['kind']
  readonly now: number
}

/** Nobody can use what is to go back whole. */
async function holdAll(
  trx: Writer,
  { keys }: WithdrawalParts,
  { cards, withdrawal: { state, answer }, kind, now }: Held,
): Promise<void> {
  const stands = holdsCard(state, answer)
  for (const card of cards)
    await holdCard(trx, keys, kind, card as never, { reason: 'withdrawal', stands, at: now })
}

async function isAnyDisputed(db: Reader, cards: Purchase['cards']): Promise<boolean> {
  for (const { id } of cards) if ((await holdsOn(db, id)).includes('dispute')) return true
  return false
}
