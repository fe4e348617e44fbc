import { reminderInstant, sendingInstant } from '#domain/sending/sending.ts'
import { type After, type DueTools, someInState } from '#server/modules/gifts/sendings/due.ts'
import { giveBack, moveSending, type Sending, sendingOf } from '#server/modules/gifts/sendings/stored.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import type { Writer } from '#server/platform/db/database.ts'

/**
 * Settles the sendings of a backup that was brought back, while nothing is mailed yet. What was due before may have gone
 * since the backup: the gift goes back to its giver with new links, and no reminder follows. What is due later is mailed as
 * it was asked for. It can be called again after it was cut off.
 * @param restoredAt epoch ms UTC
 * @returns how many gifts went back
 */
export async function settleSendings({ db, keys, clock }: DueTools, restoredAt: number): Promise<number> {
  let returned = 0
  for (const state of ['planned', 'sending', 'sent', 'reminding'] as const)
    for (let after: After | undefined; ; ) {
      const { seen, next } = await someInState(db, state, { after })
      for (const { card_id: cardId, gift } of seen) {
        const settled = db.transaction(async trx => {
          await lockCard(trx, gift, cardId)
          const sending = await sendingOf(trx, cardId)
          return sending !== undefined && settle(trx, keys, sending, restoredAt, clock())
        })
        if (await settled) returned++
      }
      after = next
      if (after === undefined) break
    }
  return returned
}

/** @returns whether the gift went back */
async function settle(
  trx: Writer,
  keys: DueTools['keys'],
  sending: Sending,
  restoredAt: number,
  now: number,
): Promise<boolean> {
  const { state, sent_at: sentAt, zone } = sending
  const isUnsure = state === 'sending' || (state === 'planned' && sendingInstant(sending) <= restoredAt)
  if (isUnsure) return giveBack(trx, keys, sending, { why: null, mayBeThere: true, now })
  const mayBeReminded =
    state === 'reminding' ||
    (state === 'sent' && sentAt !== null && reminderInstant(sentAt, zone) <= restoredAt)
  if (mayBeReminded) await moveSending(trx, sending, 'stop', { changed_at: now })
  return false
}
