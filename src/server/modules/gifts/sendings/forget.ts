import { sql } from 'kysely'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { ADDRESS_KEPT_MS } from '#domain/sending/sending.ts'
import { moveSending, NO_ADDRESS } from '#server/modules/gifts/sendings/stored.ts'
import { STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'

const BATCH = 50

/** Forgets to whom these gifts go or went, with their givers: what is not sent yet is not sent. */
export async function forgetSendings(trx: Writer, cardIds: readonly string[]): Promise<void> {
  const sendings = await trx
    .selectFrom('sendings')
    .selectAll()
    .where('card_id', 'in', cardIds)
    .where('address_sealed', 'is not', null)
    .execute()
  for (const sending of sendings)
    await moveSending(trx, sending, 'stop', { why: 'forgotten', changed_at: sending.changed_at })
  await trx.updateTable('sendings').set(NO_ADDRESS).where('card_id', 'in', cardIds).execute()
}

/**
 * Forgets some addresses thirty days after their mail went, or came back, and their digests with them. Of a gift that its
 * reader was reminded of, the digest stays for thirty days more: by it they can still give the gift back.
 * @returns how many; 0 when done
 */
async function forgetAddresses(db: Database, now: number): Promise<number> {
  const before = now - ADDRESS_KEPT_MS
  return db.transaction(async trx => {
    const sealed = await trx
      .updateTable('sendings')
      .set({ address_sealed: null })
      .where('card_id', 'in', eb =>
        eb
          .selectFrom('sendings')
          .select('card_id')
          .where('address_digest', 'is not', null)
          .where('changed_at', '<=', now)
          .where('address_sealed', 'is not', null)
          .where('state', 'in', ['over', 'returned'])
          .where(each => each(each.fn.coalesce('sent_at', 'changed_at'), '<=', before))
          .limit(BATCH),
      )
      .returning(sql<number>`1`.as('one'))
      .execute()
    const digests = await trx
      .updateTable('sendings')
      .set(NO_ADDRESS)
      .where('card_id', 'in', eb =>
        eb
          .selectFrom('sendings')
          .select('card_id')
          .where('address_digest', 'is not', null)
          .where('address_sealed', 'is', null)
          .where('changed_at', '<=', now)
          .where(each => each.or([each('state', '=', 'returned'), each('changed_at', '<=', before)]))
          .limit(BATCH),
      )
      .returning(sql<number>`1`.as('one'))
      .execute()
    return sealed.length + digests.length
  })
}

/** Stops some mails of gifts that were used or given back, long before their day. @returns how many; 0 when done */
async function stopSendingsOfNoGift(db: Database, now: number): Promise<number> {
  return db.transaction(async trx => {
    let stopped = 0
    for (const kind of ALL_GIFT_KINDS) {
      const table = STORED_CARDS[kind].table as 'cards'
      const sendings = await trx
        .selectFrom('sendings')
        .innerJoin(`${table} as card`, 'card.id', 'sendings.card_id')
        .selectAll('sendings')
        .where('sendings.state', '=', 'planned')
        .where('card.status', 'in', ['consumed', 'revoked'])
        .limit(BATCH)
        .execute()
      for (const sending of sendings)
        if (await moveSending(trx, sending, 'stop', { why: 'gift', changed_at: now })) stopped++
    }
    return stopped
  })
}

/** For a daily job: both of these. @returns how many; 0 when done */
export async function forgetRecipients(db: Database, now: number): Promise<number> {
  return (await stopSendingsOfNoGift(db, now)) + (await forgetAddresses(db, now))
}
