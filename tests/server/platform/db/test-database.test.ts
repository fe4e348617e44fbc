import { expect, it } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'

it('gives the next test none whose tables a test has changed', async () => {
  const changed = await openTestDatabase()
  await changed.db.transaction(trx => trx.schema.alterTable('disturbances').renameTo('gone').execute())
  await changed.close()
  const next = await openTestDatabase()
  try {
    expect(await next.db.guardsAmiss()).toEqual([])
  } finally {
    await next.close()
  }
})
