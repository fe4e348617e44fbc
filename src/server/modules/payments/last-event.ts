import type { PaymentsDependencies } from './dependencies.ts'

const NOTED_EVERY_MS = 60_000

/** Notes that events come, so that the operator can be told when they do not. */
export async function noteEvent({ db, clock }: Pick<PaymentsDependencies, 'db' | 'clock'>): Promise<void> {
  const name = 'payment-event'
  const at = clock()
  const seen = await db.read(reader =>
    reader.selectFrom('sightings').select('at').where('name', '=', name).executeTakeFirst(),
  )
  if (seen !== undefined && at - seen.at < NOTED_EVERY_MS) return
  await db.transaction(trx =>
    trx
      .insertInto('sightings')
      .values({ name, at })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ at }))
      .execute(),
  )
}
