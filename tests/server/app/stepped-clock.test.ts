import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '#domain/limits/limits.ts'
import { type Application, compose } from '#server/app/compose.ts'
import { noRateLimits } from '#server/http/pipeline/rate-limits.ts'
import { createAnalytics } from '#server/modules/analytics/analytics.ts'
import { isAlarm } from '#server/modules/letters/alarm-kinds.ts'
import { endedSessions } from '#server/modules/operator/ended-sessions.ts'
import { createOperator } from '#server/modules/operator/login.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { readSettings } from '#server/platform/settings.ts'
import { testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { nobody } from '#tests/support/passkeys/nobody.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const HOUR = 3_600_000
/** Hours that the system's clock is put forward or back by. */
const STEPS = [-10, -1, 1, 10]

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
})
afterEach(() => test.close())

describe('a step of the system’s clock', () => {
  it.each(STEPS)('of %d h leaves visitors their limits, and raises no alarm', async hours => {
    const folder = mkdtempSync(join(tmpdir(), 'stepped-'))
    const log = quietLog()
    let application: Application | undefined
    let passed = 0
    try {
      const settings = readSettings(
        {
          PORT: '4321',
          SITE_URL: 'http://127.0.0.1:4321',
          DATA_DIR: folder,
          DATABASE_URL: test.location.databaseUrl,
          RATE_LIMITS: 'on',
          STUDIO: 'off',
        },
        { version: '1.0.0', keepSecret: name => name.padEnd(32, 'x') },
      )
      application = await compose(settings, {
        root: folder,
        log,
        clock,
        monotonic: () => passed,
        render: async () => '<p></p>',
        onContentChanged: async () => true,
      })
      const { limits } = application.app
      const use = (who: string) => limits.use('gateway', who)
      await limits.turn('gateway', '192.0.2.1')
      for (let n = 0; n < LIMITS.gateway.uses; n++) use('192.0.2.1')
      use('192.0.2.2')
      clock.advance(hours * HOUR)
      // As before: the one who spent the limit waits, and nobody else does, be they known or new.
      expect(() => use('192.0.2.1')).toThrow('too-many-requests')
      for (const who of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) {
        expect(() => use(who)).not.toThrow()
        await limits.turn('gateway', who)
      }
      passed += LIMITS.gateway.perMs
      expect(() => use('192.0.2.1')).not.toThrow()
      expect(log.events.filter(isAlarm)).toEqual([])
    } finally {
      await application?.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it.each(STEPS)('of %d h and back keeps no periodic job from its next run', async hours => {
    let runs = 0
    const log = quietLog()
    const jobs = createJobs({
      db: test.db,
      clock,
      log,
      jobs: [{ name: 'count', everyMs: HOUR, irreversible: true, run: async () => ({ runs: ++runs }) }],
    })
    await jobs.runDue()
    clock.advance(hours * HOUR)
    await jobs.runDue()
    clock.advance(-hours * HOUR)
    // A running site looks every two seconds.
    await jobs.runDue()
    const before = runs
    clock.advance(HOUR)
    await jobs.runDue()
    expect(runs).toBe(before + 1)
    expect(log.events).not.toContain('clock-not-believed')
  })

  it.each(STEPS)('of %d h brings no session back that was ended', async hours => {
    const operator = createOperator({
      token: 'a token that is long enough',
      openMode: false,
      secret: 'a secret of the server',
      ended: endedSessions(test.db),
      secure: false,
      ...nobody,
      limits: noRateLimits(),
      log: quietLog(),
      clock,
    })
    const signIn = async () => {
      const cookie = (await operator.signIn('a token that is long enough', '192.0.2.1')) ?? ''
      return new Headers({ cookie: cookie.split(';')[0] ?? '' })
    }
    const session = await signIn()
    clock.advance(3 * HOUR)
    await operator.signOut(session)
    clock.advance(hours * HOUR)
    // Somebody signs out meanwhile, which is when old ones are forgotten.
    await operator.signOut(await signIn())
    clock.advance(-hours * HOUR)
    expect(await operator.isOperator(session, '192.0.2.1')).toBe(false)
  })

  it.each(STEPS)('of %d h makes no visit part of another', async hours => {
    const analytics = createAnalytics({
      db: test.db,
      keys: testKeys,
      clock,
      log: quietLog(),
      countSession() {},
    })
    const asked = { device: {}, timezoneOffset: 0, isAnonymous: false }
    const caller = { address: '192.0.2.1', userAgent: '', language: 'es', refuses: false } as const
    const first = await analytics.newSession({ ...asked, userId: '' }, caller)
    clock.advance(hours * HOUR)
    const second = await analytics.newSession({ ...asked, userId: first.userId }, caller)
    expect(second.sessionId).not.toBe(first.sessionId)
    const again = await analytics.newSession({ ...asked, userId: first.userId }, caller)
    expect(again.sessionId).toBe(second.sessionId)
  })
})
