import { areLinksShown } from '#domain/card/shown-links.ts'
import { DAY_MS } from '#domain/durations.ts'
import { purchaseKeyVersion } from '#server/modules/gifts/many-pages.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { cardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import { orderOfSession } from '#server/modules/payments/orders.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isIdShaped, newId } from '#server/platform/db/ids.ts'
import type { WithdrawalParts } from './dependencies.ts'
import { withdrawalKeyOf } from './find.ts'
import type { WithdrawalStatement } from './interface.ts'

/** The kind of the mail with the links to what an address can withdraw from. */
export const WITHDRAWAL_LINKS = 'withdrawal-links'

const MAILS_PER_DAY = 3
const BATCH = 100

/**
 * Keeps a statement, and queues the mail with the links. Whether the address bought anything is neither said nor shown
 * by the time it takes: the same is written for every address, and the mail decides when it is sent.
 * @returns when it was stated, epoch ms UTC
 */
export async function stateWithdrawal(
  { db, keys, clock, onQueued }: WithdrawalParts,
  { name, email, order, language }: WithdrawalStatement,
): Promise<{ readonly at: number }> {
  const now = clock()
  const id = newId(now)
  const subject = keys.pseudonym(email.toLowerCase())
  const orderId = order.trim().toLowerCase()
  await db.transaction(async trx => {
    await trx
      .insertInto('withdrawal_statements')
      .values({
        id,
        address: subject,
        order_id: isIdShaped(orderId) ? orderId : null,
        name,
        email,
        language,
        created_at: now,
      })
      .execute()
    const day = Math.floor(now / DAY_MS)
    // Each mail of a day has a number that can be taken once: however many ask at once, there are so many mails.
    for (let n = 0; n < MAILS_PER_DAY; n++) {
      const dedupeKey = `${WITHDRAWAL_LINKS}:${subject}:${day}:${n}`
      const payload = { statementId: id }
      if (await queueMail(trx, { kind: WITHDRAWAL_LINKS, dedupeKey, payload, runAt: now, subject })) return
    }
  })
  onQueued?.()
  return { at: now }
}

/** The order of a Checkout session, and the key that allows the withdrawal from it; undefined for one that is unknown. */
export async function keyOfSession(
  parts: Pick<WithdrawalParts, 'db' | 'keys' | 'clock'>,
  sessionId: string,
): Promise<{ readonly orderId: string; readonly key: string } | undefined> {
  const { db, keys, clock } = parts
  return db.read(async reader => {
    const order = await orderOfSession(reader, keys.keyedDigest(sessionId))
    if (!order) return undefined
    const cards = await cardsOfOrder(reader, order.kind, order.id)
    const [card] = cards
    // As with the links: whoever finds a session's id later finds nothing, nor once the links were replaced.
    const { settled_at: since } = order
    const keyVersion = card && (await purchaseKeyVersion(reader, order.id, card))
    if (keyVersion !== undefined && !areLinksShown({ since: since ?? 0, keyVersion }, clock()))
      return undefined
    return { orderId: order.id, key: await withdrawalKeyOf(reader, parts, { order, cards }) }
  })
}

/** Deletes some statements that count no more, and the jobs of their mails. @returns how many; 0 when done */
export async function forgetStatements(db: Database, before: number): Promise<number> {
  return db.transaction(async trx => {
    const gone = await trx
      .deleteFrom('withdrawal_statements')
      .where('id', 'in', eb =>
        eb.selectFrom('withdrawal_statements').select('id').where('created_at', '<', before).limit(BATCH),
      )
      .returning('id')
      .execute()
    const mails = await trx
      .deleteFrom('jobs')
      .where('id', 'in', eb =>
        eb
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', WITHDRAWAL_LINKS)
          .where('done_at', 'is not', null)
          .where('created_at', '<', before)
          .limit(BATCH),
      )
      .returning('id')
      .execute()
    return gone.length + mails.length
  })
}
