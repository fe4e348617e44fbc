import { expect, it, vi } from 'vitest'
import type { App } from '#server/http/app.ts'
import { acceptEvent } from '#server/http/handlers/analytics-event.ts'
import { POST } from '../../../../../src/pages/api/analytics/general/new-event/[eventName].ts'
import { call, fakeApp, SITE } from '../fake-call.ts'

const event = (filler: number) => ({
  browserDateNow: 0,
  browserPerformanceNow: 0,
  currentUrl: '/es',
  metadata: {
    text: 'x'.repeat(Math.min(filler, 400)),
    more: Array(Math.floor(filler / 400)).fill('y'.repeat(390)),
  },
  isAnonymous: true,
})

it.each([
  ['a small one', 50, 1],
  ['one of four kilobytes', 3_600, 4],
  ['the largest', 15_600, 16],
])('%s takes as many uses of the limit as its kilobytes, at both doors', async (_, filler, cost) => {
  const analytics = { newEvent: vi.fn(async () => {}) } as unknown as App['analytics']
  const used = (app: App) => vi.spyOn(app.limits, 'use')
  const sum = (spy: ReturnType<typeof used>) => spy.mock.calls.reduce((all, [, , n = 1]) => all + n, 0)
  const [fast, usual] = [fakeApp({ analytics }).app, fakeApp({ analytics }).app]
  const [atFast, atUsual] = [used(fast), used(usual)]
  const answer = await acceptEvent(fast, {
    name: 'scroll',
    headers: { origin: SITE, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(event(filler))),
    address: '192.0.2.1',
    language: 'es',
  })
  const other = await call(POST, usual, { body: event(filler), params: { eventName: 'scroll' } })
  expect([answer.status, other.status]).toEqual([200, 200])
  expect([sum(atFast), sum(atUsual)]).toEqual([cost, cost])
})

it('one that is too large costs as much as the largest', async () => {
  const { app } = fakeApp()
  const use = vi.spyOn(app.limits, 'use')
  const headers = { origin: SITE, 'content-type': 'application/json' }
  const call = { name: 'scroll', headers, body: undefined, address: '192.0.2.1', language: 'es' as const }
  expect((await acceptEvent(app, call)).status).toBe(413)
  expect(use).toHaveBeenCalledWith('analytics-event', '192.0.2.1', 16)
})
