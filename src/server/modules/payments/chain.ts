import { dayInUtc } from '#domain/days.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** Counts gifts that somebody began who had been given one, on their day. @param now epoch ms UTC */
export async function countInChain(trx: Writer, cards: number, now: number): Promise<void> {
  await trx
    .insertInto('chain_days')
    .values({ day: dayInUtc(now), cards })
    .onConflict(conflict =>
      conflict.column('day').doUpdateSet(eb => ({ cards: eb('chain_days.cards', '+', cards) })),
    )
    .execute()
}
