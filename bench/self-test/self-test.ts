import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EngineName } from '#server/platform/db/database.ts'
import { PROFILES } from '../harness/profile.ts'
import { measurePaint } from '../measure/paint.ts'
import { measureRedemptions } from '../measure/redemptions.ts'
import { measureScreens } from '../measure/screens.ts'
import { measureServer } from '../measure/server.ts'
import { measureTaps } from '../measure/taps.ts'
import { withTools } from '../parts.ts'
import type { GoalId } from '../report/goals.ts'
import { type FaultCheck, faultChecksOf } from './fault-checks.ts'
import { fadeFromNothing, lateBanner, moreScript, type PageFault, sleep } from './faults.ts'

const PROFILE = {
  ...PROFILES.quick,
  redemptionSizes: [1_000, 2_000],
  redemptions: 150,
  serverRounds: 1,
  serverSeconds: 3,
}
const LATE_MS = 50
const MEMORY = '/dev/shm'
const SLOW_SERVER = fileURLToPath(new URL('slow-server.ts', import.meta.url))

/** Measures everything twice, as it is and with a fault planted, and says which figures the fault turned red. */
export async function runSelfTest(): Promise<FaultCheck[]> {
  const { inBrowser, server } = await withTools({ cards: 0 }, async ({ browser, site, screens }) => {
    const few = screens.filter(
      ({ word, cookies }) => !cookies && ['consumed', 'donation-prepayment'].includes(word),
    )
    const story = screens.slice(0, 1)
    const paint = (fault?: PageFault) =>
      measurePaint(browser, site, { screens: story, loads: 3, peerScreens: 0, ...(fault && { fault }) })
    const clean = [
      ...(await measureScreens(browser, site, few)),
      ...(await paint()),
      ...(await measureTaps(browser, site, { stories: 1 })),
    ]
    return {
      inBrowser: [
        ...faultChecksOf('20 kB of script', clean, await measureScreens(browser, site, few, moreScript), [
          'text-bytes',
          'island-bytes',
          'island-script',
        ]),
        ...faultChecksOf('a fade from nothing', clean, await paint(fadeFromNothing), [
          'text-paint',
          'island-paint',
        ]),
        ...faultChecksOf('a sleep of 50 ms', clean, await paint(sleep), ['blocking-time']),
        ...faultChecksOf('a late banner', clean, await paint(lateBanner), ['paint-shift']),
        ...faultChecksOf(
          'a sleep of 50 ms',
          clean,
          await measureTaps(browser, site, { stories: 1, fault: sleep }),
          ['tap-to-next-screen'],
        ),
      ],
      server: await measureServer(browser, site, PROFILE),
    }
  })
  const slowServer = await withTools({ cards: 0, preload: SLOW_SERVER }, ({ browser, site }) =>
    measureServer(browser, site, PROFILE),
  )
  return [
    ...inBrowser,
    ...faultChecksOf('a sleep of 50 ms', server, slowServer, [
      'published-page',
      'card-endpoint',
      'card-page',
    ]),
    ...(await checkRedemptions()),
  ]
}

async function checkRedemptions(): Promise<FaultCheck[]> {
  const check = async (engine: EngineName, goals: readonly GoalId[]): Promise<FaultCheck[]> => {
    const clean = await measureRedemptions(engine, PROFILE)
    return faultChecksOf(
      'a sleep of 50 ms',
      clean,
      await measureRedemptions(engine, PROFILE, { lateMs: LATE_MS }),
      goals,
    )
  }
  // In memory, where there is room: on a busy disk some redemptions take longer than the planted sleep by themselves.
  if (existsSync(MEMORY)) process.env.TMPDIR = MEMORY
  return [
    ...(await check('sqlite', ['redemption-p50', 'redemption-p99'])),
    ...(await check('postgres', ['redemption-p50'])),
  ]
}
