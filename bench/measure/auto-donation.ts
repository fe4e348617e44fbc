import { randomInt } from 'node:crypto'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { type EngineName, OPERATOR_TIMEOUTS, openDatabase } from '#server/platform/db/database.ts'
import { testKeys } from '#tests/builders/server.ts'
import { ENGINE_NAMES, openDatabases } from '../harness/databases.ts'
import type { Profile } from '../harness/profile.ts'
import { CHOSEN, fill } from '../harness/seed-data.ts'
import type { Figure } from '../report/threshold.ts'

const NOW = Date.parse('2027-05-01T12:00:00Z')
const NOT_DUE = 10_000

/** What giving one forgotten card away takes, when few are due at once and when many are. */
export async function measureAutoDonation(
  engine: EngineName,
  { dueSizes }: Pick<Profile, 'dueSizes'>,
): Promise<Figure[]> {
  const part = `The yearly auto-donation on ${ENGINE_NAMES[engine]}, on disk before it counts`
  const databases = await openDatabases(engine)
  try {
    const each: number[] = []
    for (const due of dueSizes) {
      const db = await openDatabase({
        ...(await databases.create(`due_${due}`)),
        timeouts: OPERATOR_TIMEOUTS,
      })
      try {
        await fill(db, { name: 'filler', count: NOT_DUE, dueAt: NOW + 1 })
        await fill(db, { name: 'due', count: due, dueAt: NOW })
        each.push((await giveAway(db, due)) / due)
      } finally {
        await db.close()
      }
    }
    const [first = Number.NaN] = each
    return dueSizes.map((due, n) => ({
      id: String(due),
      part,
      what: `each of ${due.toLocaleString('en')} due, beside ${NOT_DUE.toLocaleString('en')} that are not${n === 0 ? '' : `, against ${dueSizes[0]}`}`,
      unit: 'ms',
      measured: each[n]!,
      ...(n > 0 && { reference: first }),
    }))
  } finally {
    await databases.remove()
  }
}

/** @returns ms that it took, without the pauses that visitors are given in between */
async function giveAway(db: Awaited<ReturnType<typeof openDatabase>>, due: number): Promise<number> {
  const startedAt = performance.now()
  const listedNgoIds = () => CHOSEN.map(({ ngoId }) => ngoId)
  let given = 0
  for (let looked = 1; looked > 0; ) {
    const some = await autoDonateSome({ db, keys: testKeys, clock: () => NOW, draw: randomInt, listedNgoIds })
    looked = some.looked
    given += some.given
  }
  if (given !== due) throw new Error(`${given} of ${due} cards were given away`)
  return performance.now() - startedAt
}
