import { dayInUtc } from '#domain/days.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** Counts a gift that somebody began who had been given one, on its day. @param now epoch ms UTC */
export async function countInChain(trx: Writer, now: number): Promise<void> {
  await trx
    .insertInto('chain_days')
    .values({ day: dayInUtc(now), cards: 1 })
    .onConflict(conflict =>
      conflict.column('day').doUpdateSet(eb => ({ cards: eb('chain_days.cards', '+', 1) })),
    )
    .execute()
}
