import { DAY_MS } from '#domain/durations.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'

/** The calls of one press that give back money of a card. */
export interface CallsOfPress {
  readonly card: string
  readonly press: string
  /** May nobody use the card until the payment provider has answered? */
  readonly holds: boolean
}

/** When the calls of a press began that have not ended, the newest first, epoch ms UTC. Those that died are among them. */
export async function callsOf(db: Reader, { card, press, holds }: CallsOfPress): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('refund_calls')
    .select('begun_at')
    .where('card_id', '=', card)
    .where('press', '=', press)
    .where('holds', '=', Number(holds))
    .orderBy('begun_at', 'desc')
    .execute()
  return rows.map(({ begun_at }) => begun_at)
}

/** Notes that a call has begun. @param at epoch ms UTC */
export async function noteCall(trx: Writer, { card, press, holds }: CallsOfPress, at: number): Promise<void> {
  const call = { card_id: card, press, holds: Number(holds), begun_at: at }
  await trx
    .insertInto('refund_calls')
    .values(call)
    // A call that died at this instant by another server's clock.
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Forgets a call that has ended. @param at when it began, epoch ms UTC */
export async function forgetCall(trx: Writer, calls: CallsOfPress, at: number): Promise<void> {
  await allOf(trx, calls).where('begun_at', '=', at).execute()
}

/** Forgets every call of a press: the payment provider has answered. */
export async function forgetCalls(trx: Writer, calls: CallsOfPress): Promise<void> {
  await allOf(trx, calls).execute()
}

const allOf = (trx: Writer, { card, press, holds }: CallsOfPress) =>
  trx
    .deleteFrom('refund_calls')
    .where('card_id', '=', card)
    .where('press', '=', press)
    .where('holds', '=', Number(holds))

/** Forgets calls that died. @param now epoch ms UTC @returns how many */
export async function forgetDeadCalls(db: Database, now: number): Promise<number> {
  const gone = await db.transaction(trx =>
    trx
      .deleteFrom('refund_calls')
      .where('begun_at', '<', now - DAY_MS)
      .returning('card_id')
      .execute(),
  )
  return gone.length
}
