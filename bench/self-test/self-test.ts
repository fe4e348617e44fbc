import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EngineName } from '#server/platform/db/database.ts'
import { EFFORTS } from '../harness/profile.ts'
import { measurePaint } from '../measure/paint.ts'
import { measureRedemptions } from '../measure/redemptions.ts'
import { measureScreens } from '../measure/screens.ts'
import { measureServer } from '../measure/server.ts'
import { measureTaps } from '../measure/taps.ts'
import { withTools } from '../parts.ts'
import type { GoalId } from '../report/goals.ts'
import { fadeFromNothing, lateBanner, moreScript, type Plant, sleep } from './faults.ts'
import { type Proof, proofsOf } from './verdict.ts'

const EFFORT = {
  ...EFFORTS.quick,
  redemptionSizes: [1_000, 2_000],
  redemptions: 150,
  serverRounds: 1,
  serverSeconds: 3,
}
const LATE_MS = 50
const MEMORY = '/dev/shm'
const SLOW_SERVER = fileURLToPath(new URL('slow-server.ts', import.meta.url))

/** Measures everything twice, as it is and with a fault planted, and says which figures the fault turned red. */
export async function proveAll(): Promise<Proof[]> {
  const { inBrowser, server } = await withTools({ cards: 0 }, async ({ browser, site, screens }) => {
    const few = screens.filter(
      ({ word, cookies }) => !cookies && ['consumed', 'donation-prepayment'].includes(word),
    )
    const story = screens.slice(0, 1)
    const paint = (plant?: Plant) =>
      measurePaint(browser, site, { screens: story, loads: 3, peerScreens: 0, ...(plant && { plant }) })
    const clean = [
      ...(await measureScreens(browser, site, few)),
      ...(await paint()),
      ...(await measureTaps(browser, site, { stories: 1 })),
    ]
    return {
      inBrowser: [
        ...proofsOf('20 kB of script', clean, await measureScreens(browser, site, few, moreScript), [
          'text-bytes',
          'island-bytes',
          'island-script',
        ]),
        ...proofsOf('a fade from nothing', clean, await paint(fadeFromNothing), [
          'text-paint',
          'island-paint',
        ]),
        ...proofsOf('a sleep of 50 ms', clean, await paint(sleep), ['blocking-time']),
        ...proofsOf('a late banner', clean, await paint(lateBanner), ['paint-shift']),
        ...proofsOf(
          'a sleep of 50 ms',
          clean,
          await measureTaps(browser, site, { stories: 1, plant: sleep }),
          ['tap-to-next-screen'],
        ),
      ],
      server: await measureServer(browser, site, EFFORT),
    }
  })
  const slowServer = await withTools({ cards: 0, preload: SLOW_SERVER }, ({ browser, site }) =>
    measureServer(browser, site, EFFORT),
  )
  return [
    ...inBrowser,
    ...proofsOf('a sleep of 50 ms', server, slowServer, ['published-page', 'card-endpoint', 'card-page']),
    ...(await proveRedemptions()),
  ]
}

async function proveRedemptions(): Promise<Proof[]> {
  const prove = async (engine: EngineName, goals: readonly GoalId[]): Promise<Proof[]> => {
    const clean = await measureRedemptions(engine, EFFORT)
    return proofsOf(
      'a sleep of 50 ms',
      clean,
      await measureRedemptions(engine, EFFORT, { lateMs: LATE_MS }),
      goals,
    )
  }
  // In memory, where there is room: on a busy disk some redemptions take longer than the planted sleep by themselves.
  if (existsSync(MEMORY)) process.env.TMPDIR = MEMORY
  return [
    ...(await prove('sqlite', ['redemption-p50', 'redemption-p99'])),
    ...(await prove('postgres', ['redemption-p50'])),
  ]
}
