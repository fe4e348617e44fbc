import { beforeEach, expect, it } from 'vitest'
import { Problem } from '#domain/problems.ts'
import {
  createOncePerSession,
  type OncePerSession,
  SHARED_MS,
} from '#server/modules/payments/once-per-session.ts'
import { type FakeClock, fakeClock } from '#tests/support/fake-clock.ts'

let clock: FakeClock
let oncePerSession: OncePerSession
let asked: string[]
beforeEach(() => {
  clock = fakeClock()
  asked = []
  oncePerSession = createOncePerSession(clock, 2)
})

/** Names a session whose payment is not completed, or fails otherwise. */
const name = (session: string, code: Problem['code'] = 'payment-not-completed') =>
  oncePerSession(session, async () => {
    asked.push(session)
    throw new Problem(code)
  }).catch(error => error.code)

it('asks once about a session that nobody has paid, and anew after two seconds', async () => {
  expect(await Promise.all([name('a'), name('a'), name('b')])).toEqual(Array(3).fill('payment-not-completed'))
  clock.advance(SHARED_MS - 1)
  expect(await name('a')).toBe('payment-not-completed')
  expect(asked).toEqual(['a', 'b'])
  clock.advance(1)
  await name('a')
  expect(asked).toEqual(['a', 'b', 'a'])
})

it('counts from the question, however late its answer comes', async () => {
  const waiting = Promise.withResolvers<void>()
  const first = oncePerSession('a', () => waiting.promise)
  clock.advance(SHARED_MS)
  await name('a')
  expect(asked).toEqual(['a'])
  // One that fails late takes nothing from the newer one.
  waiting.reject(new Problem('provider-unavailable'))
  await expect(first).rejects.toMatchObject({ code: 'provider-unavailable' })
  await name('a')
  expect(asked).toEqual(['a'])
})

it('gives whoever comes a moment too late for it that a payment was found', async () => {
  const found = () =>
    oncePerSession('a', async () => {
      asked.push('a')
      return 'paid'
    })
  expect([await found(), await found()]).toEqual(['paid', 'paid'])
  expect(asked).toEqual(['a'])
})

it('asks anew where the question failed', async () => {
  for (const code of ['provider-unavailable', 'temporarily-unavailable', 'payment-not-found'] as const)
    expect(await name('a', code)).toBe(code)
  expect(asked).toEqual(['a', 'a', 'a'])
})

it('asks anew where the clock was put back', async () => {
  await name('a')
  clock.advance(-1)
  await name('a')
  expect(asked).toEqual(['a', 'a'])
})

it('keeps no more answers than it is told to', async () => {
  for (const session of ['a', 'b', 'c', 'a']) await name(session)
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})
