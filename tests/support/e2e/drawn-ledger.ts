import { autoDonateAt } from '#domain/card/term.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { announceSome } from '#server/modules/gifts/cards/announce-draws.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { notePublished, valuesDue } from '#server/modules/public-ledger/announcements.ts'
import { verifyBeacon } from '#server/modules/public-ledger/beacon.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createDrandDouble } from '#stand-ins/drand-double/index.ts'
import { noonDaysAgo, testKeys } from '#tests/builders/server.ts'
import { LEDGER_KEY } from './ledger-site.ts'

/**
 * When the cards of these tests are sold, and when those that nobody has used are given away, epoch ms UTC: so long ago that
 * it was published, and so short that nothing of it is forgotten.
 */
export const SOLD_AT = noonDaysAgo(425)
const DUE = autoDonateAt(SOLD_AT)
/** When their draws are announced, a day before that is published. */
export const ANNOUNCED_AT = DUE - 60 * HOUR_MS

/** The double of drand by which they are drawn for. */
export const drand = createDrandDouble({ clock: () => 0 })

interface Parts {
  readonly db: Database
  /** Of the site. */
  readonly url: string
  readonly ngoIds: readonly string[]
}

/** Publishes what happens, and has unused cards announced and drawn for; it begins when the cards are sold. */
export function createDrawnLedger({ db, url, ngoIds }: Parts) {
  const signer = createSigner(LEDGER_KEY, originOf(url))
  let now = SOLD_AT
  const clock = () => now
  const tools = { db, keys: testKeys, clock, listedNgoIds: () => ngoIds }
  const publish = async () => {
    now += DAY_MS
    const { size } = await sequenceDays({ db, clock, signer, draw: count => count - 1 }, async () => {})
    await notePublished(db, size, now)
  }
  return {
    tools,
    /** Announces, draws and publishes, as their year ends. */
    async draw() {
      now = ANNOUNCED_AT
      await announceSome(tools, drand)
      await publish()
      now = DUE
      const source = { signatureOf: async (_: unknown, round: number) => drand.sign(round) }
      const { seeds } = await valuesDue({ db, clock, verifyBeacon, source })
      await autoDonateSome({ ...tools, draw: () => 0, isAnnounced: true, seeds })
      await publish()
    },
  }
}
