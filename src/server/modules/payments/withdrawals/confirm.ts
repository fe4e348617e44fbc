import { money } from '#domain/money/money.ts'
import { firstWithdrawalState, holdsCard, isRefunded } from '#domain/withdrawal/withdrawal.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { holdCard, holdsOn } from '#server/modules/gifts/holds.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import { lockOrder } from '#server/modules/payments/orders.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { carryOut } from './carry-out.ts'
import type { WithdrawalParts } from './dependencies.ts'
import { amountBack, answerOf, type Purchase, purchaseOfKey, shown, statedAtOf } from './find.ts'
import { queueAcknowledgement } from './follow.ts'
import type { OpenedWithdrawal, WithdrawalWords } from './interface.ts'
import { addWithdrawal, changeWithdrawal, type Withdrawal, withdrawalOf } from './stored.ts'

/** The purchase of a key, as its page shows it. @throws Problem payment-not-found */
export async function openWithdrawal(
  parts: WithdrawalParts,
  orderId: string,
  key: string,
): Promise<OpenedWithdrawal> {
  const { db, clock, withdrawalDays: days } = parts
  return db.read(async reader => {
    const purchase = await purchaseOfKey(reader, parts, orderId, key)
    const withdrawal = await withdrawalOf(reader, orderId)
    const statedAt = withdrawal?.stated_at ?? (await statedAtOf(reader, parts, purchase, clock()))
    const answer = await answerOf(reader, purchase, { statedAt, days })
    const back = money(await amountBack(reader, purchase.order, answer), purchase.order.currency)
    const isOfferedAgain = withdrawal?.state === 'closed' && isRefunded(answer)
    const { theme_id: themeId, created_at: boughtAt } = purchase.card ?? purchase.order
    const theme = await themeOf(reader, themeId, boughtAt)
    return { theme, ...shown(purchase, isOfferedAgain ? undefined : withdrawal, { answer, days }), back }
  })
}

/**
 * Withdraws from a purchase: the row, the card that nobody can use any more, and the mail that acknowledges it, in ONE
 * transaction; only then is the refund asked for. What a crash leaves between is ended by `finishWithdrawals`.
 * @throws Problem payment-not-found
 */
export async function confirmWithdrawal(
  parts: WithdrawalParts,
  orderId: string,
  key: string,
  words: WithdrawalWords,
): Promise<OpenedWithdrawal> {
  const { db, clock, log, onQueued } = parts
  const now = clock()
  const withdrawal = await db.transaction(async trx => {
    await purchaseOfKey(trx, parts, orderId, key)
    // The order first, then the card: whoever makes or moves a card meets this transaction at one of them.
    const order = await lockOrder(trx, orderId)
    const card = await lockCard(trx, order.kind, 'order_id', orderId)
    const known = await withdrawalOf(trx, orderId)
    if (known && !(await isOpenAgain(trx, parts, { order, card }, known))) return known
    return write(trx, parts, { purchase: { order, card }, known, words, now })
  })
  onQueued?.()
  if (withdrawal.state === 'refunding') {
    // It is recorded: whatever keeps the refund from being asked for now, the job asks again.
    await carryOut(parts, orderId).catch((error: unknown) =>
      log.error('withdrawal-not-carried-out', error, { order: orderId }),
    )
  }
  return openWithdrawal(parts, orderId, key)
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
  /** One that can be pressed again. */
  readonly known: Withdrawal | undefined
  readonly words: WithdrawalWords
  readonly now: number
}

async function write(
  trx: Writer,
  parts: WithdrawalParts,
  { purchase, known, words, now }: Press,
): Promise<Withdrawal> {
  const { keys, withdrawalDays: days } = parts
  const { order, card } = purchase
  const statedAt = known?.stated_at ?? (await statedAtOf(trx, parts, purchase, now))
  const answer = await answerOf(trx, purchase, { statedAt, days })
  const amount = await amountBack(trx, order, answer)
  const mustWait = card === undefined || (await holdsOn(trx, card.id)).includes('dispute')
  const state = firstWithdrawalState(answer, mustWait)
  let withdrawal: Withdrawal
  if (known) {
    const set = { state, answer, amount, attempt: known.attempt + 1 }
    if (!(await changeWithdrawal(trx, keys, known, set, now))) throw new Error('The withdrawal is not locked')
    withdrawal = { ...known, ...set }
  } else {
    const times = { stated_at: statedAt, confirmed_at: Math.max(now, statedAt), changed_at: now }
    const row = { order_id: order.id, state, answer, amount, attempt: 1, ...times, ...words }
    withdrawal = await addWithdrawal(trx, keys, row)
  }
  if (card) {
    const stands = holdsCard(state, answer)
    await holdCard(trx, keys, order.kind, card as never, { reason: 'withdrawal', stands, at: now })
    await queueAcknowledgement(trx, withdrawal, { cardId: card.id, now })
  }
  return withdrawal
}
