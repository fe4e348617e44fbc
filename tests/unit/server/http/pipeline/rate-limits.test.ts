import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS, type Limit } from '#domain/limits/limits.ts'
import { isProblem } from '#domain/problems.ts'
import { createRateLimits, noRateLimits } from '#server/http/pipeline/rate-limits.ts'
import type { LimitName } from '#server/platform/limits.ts'
import { plentyOfTokens } from '#tests/support/plenty-of-tokens.ts'

let now = 0
let alarms: string[] = []
const log = { info() {}, error: (event: string) => void alarms.push(event) }
beforeEach(() => {
  now = 1_000_000
  alarms = []
})

const only = (limit: Limit) => {
  const table = Object.fromEntries(Object.keys(LIMITS).map(name => [name, limit])) as Record<LimitName, Limit>
  return createRateLimits({ monotonic: () => now, log, table, tokensOf: plentyOfTokens })
}

/** How many of `tries` uses pass, and what the first refusal says. */
function tries(use: () => void, count: number): { passed: number; retryAfterSeconds?: number | undefined } {
  for (let passed = 0; passed < count; passed++) {
    try {
      use()
    } catch (error) {
      if (!isProblem(error) || error.code !== 'too-many-requests') throw error
      return { passed, retryAfterSeconds: error.details.retryAfterSeconds }
    }
  }
  return { passed: count }
}

describe('rate limits', () => {
  it('grant so many uses at once, then say when to come back', () => {
    const limits = only({ uses: 3, perMs: 60_000 })
    expect(tries(() => limits.use('gateway', 'a'), 10)).toEqual({ passed: 3, retryAfterSeconds: 20 })
    now += 20_000
    expect(tries(() => limits.use('gateway', 'a'), 10)).toEqual({ passed: 1, retryAfterSeconds: 20 })
    now += 3_600_000
    expect(tries(() => limits.use('gateway', 'a'), 10).passed).toBe(3)
  })

  it('count each visitor and each limit for itself', () => {
    const limits = only({ uses: 1, perMs: 60_000 })
    for (const who of ['a', 'b']) {
      expect(tries(() => limits.use('gateway', who), 2).passed).toBe(1)
      expect(tries(() => limits.use('redeem', who), 2).passed).toBe(1)
    }
  })

  it('take a whole /64 of IPv6 for one visitor', () => {
    const limits = only({ uses: 1, perMs: 60_000 })
    limits.use('gateway', '2001:db8::1')
    expect(() => limits.use('gateway', '2001:0db8:0:0:ffff::2')).not.toThrow()
    expect(() => limits.use('gateway', '2001:db8:0:0:1:2:3:4')).toThrow('too-many-requests')
    expect(() => limits.use('gateway', '2001:db8:0:1::1')).not.toThrow()
  })

  it('let whoever has pressed least go first where all share one, and raise one alarm', async () => {
    let tokens = 0
    let come: (() => void) | undefined
    const limits = createRateLimits({
      monotonic: () => now,
      log,
      tokensOf: () => ({
        async take(wanted) {
          const granted = Math.min(wanted, tokens)
          tokens -= granted
          return { granted, waitMs: 1_000 }
        },
      }),
      sleep: () =>
        new Promise<void>(resolve => {
          come = resolve
        }),
    })
    const went: string[] = []
    const press = (who: string) => {
      limits.use('gateway', who)
      void limits.turn('gateway', who).then(() => went.push(who))
    }
    for (let n = 0; n < LIMITS.gateway.uses / 2; n++) press('presser')
    press('buyer')
    await nextTurn()
    expect(went).toEqual([])
    tokens = 1
    come?.()
    for (let n = 0; n < 5; n++) await nextTurn()
    expect(went).toEqual(['buyer'])
    expect(alarms).toEqual(['limit-of-all-visitors-spent'])
  })

  it('remember no more visitors than they may', () => {
    const table = { ...LIMITS, redeem: { uses: 1, perMs: 60_000 } }
    const limits = createRateLimits({
      monotonic: () => now,
      log,
      table,
      mostVisitors: 100,
      tokensOf: plentyOfTokens,
    })
    for (let visitor = 0; visitor < 1000; visitor++) limits.use('redeem', `v${visitor}`)
    expect(() => limits.use('redeem', 'v999')).toThrow('too-many-requests')
    expect(() => limits.use('redeem', 'v0')).not.toThrow()
  })

  it('take as many uses as a call costs, and none of one that costs more than is left', () => {
    const limits = only({ uses: 10, perMs: 10_000 })
    limits.use('analytics-event', 'a', 7)
    expect(tries(() => limits.use('analytics-event', 'a', 7), 1)).toEqual({ passed: 0, retryAfterSeconds: 4 })
    expect(tries(() => limits.use('analytics-event', 'a'), 9).passed).toBe(3)
    now += 10_000
    expect(tries(() => limits.use('analytics-event', 'a', 99), 2).passed).toBe(1)
  })

  it('count a guess that is wrong, none that is right or could not be looked at, and then look at none', async () => {
    const limits = only({ uses: 2, perMs: 60_000 })
    const guess = (found: () => string | undefined, who = 'a') => limits.guess('operator-login', who, found)
    const away = () => {
      throw new Error('no database')
    }
    for (let n = 0; n < 5; n++) {
      expect(await guess(() => 'right')).toBe('right')
      await expect(guess(away)).rejects.toThrow('no database')
    }
    expect([await guess(() => undefined), await guess(() => undefined)]).toEqual([undefined, undefined])
    const spent = { code: 'too-many-requests', details: { retryAfterSeconds: 30 } }
    await expect(guess(() => expect.unreachable('looked at'))).rejects.toMatchObject(spent)
    expect(await guess(() => 'right', 'b')).toBe('right')
    now += 30_000
    expect(await guess(() => 'right')).toBe('right')
  })

  it('look at no more guesses at once than one after the other', async () => {
    const limits = only({ uses: 2, perMs: 60_000 })
    let looked = 0
    const wrong = async () => {
      looked++
      await Promise.resolve()
      return undefined
    }
    const guesses = Array.from({ length: 50 }, () => limits.guess('operator-login', 'a', wrong))
    await Promise.allSettled(guesses)
    expect(looked).toBe(2)
  })

  it('of the product never block twenty buyers behind one address on their first purchase', () => {
    const limits = createRateLimits({ monotonic: () => now, log, tokensOf: plentyOfTokens })
    for (let buyer = 0; buyer < 20; buyer++) {
      expect(tries(() => limits.use('gateway', 'school'), 3).passed).toBe(3)
      expect(tries(() => limits.use('success', 'school'), 20).passed).toBe(20)
      expect(tries(() => limits.use('card-read', 'school'), 12).passed).toBe(12)
      expect(tries(() => limits.use('redeem', 'school'), 2).passed).toBe(2)
    }
  })

  it('of the product stop somebody who guesses keys', () => {
    const limits = createRateLimits({ monotonic: () => now, log, tokensOf: plentyOfTokens })
    expect(tries(() => limits.use('card-miss', 'guesser'), 1000).passed).toBe(30)
  })

  it('can be lifted', () => {
    expect(tries(() => noRateLimits().use('card-miss', 'a'), 1000).passed).toBe(1000)
  })
})
