import { describe, expect, it, vi } from 'vitest'
import { Problem, type ProblemCode } from '#domain/problems.ts'
import * as calendar from '../../../../../src/pages/api/gift-card/calendar.ts'
import * as print from '../../../../../src/pages/api/gift-card/print.ts'
import { call, type FakeCall, fakeApp } from '../fake-call.ts'

const KEY = 'k'.repeat(32)
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

function aPress(refusal?: ProblemCode, spent: Parameters<typeof fakeApp>[1] = {}) {
  const sheetOf = vi.fn(async () => {
    if (refusal) throw new Problem(refusal)
    return Buffer.from('%PDF')
  })
  const { app, uses } = fakeApp(
    { prints: { sheetOf, sheetsOf: vi.fn(), certificateOf: vi.fn(), invoiceOf: vi.fn() } },
    spent,
  )
  const press = ({ headers, ...rest }: FakeCall = {}) =>
    call(print.POST, app, { raw: `key=${KEY}`, headers: { ...FORM, ...headers }, ...rest })
  return { press, sheetOf, uses }
}

describe('the sheet to print', () => {
  it('is a file to keep, made from the key in the form, kept nowhere', async () => {
    const { press, sheetOf, uses } = aPress()
    const answer = await press()
    expect([answer.status, await answer.text()]).toEqual([200, '%PDF'])
    expect(answer.headers.get('Content-Type')).toBe('application/pdf')
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="gift-card.pdf"')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(sheetOf).toHaveBeenCalledWith(KEY)
    expect(uses.map(([limit]) => limit)).toEqual(['print'])
  })

  it('leads a browser that gets none to the screen that says why, and tells a program', async () => {
    for (const [code, to] of [
      ['card-consumed', `/gift-card/${KEY}/consumed/final`],
      ['card-not-found', '/gift-card/-/doesnt-exist/final'],
      ['temporarily-unavailable', '/es/unavailable'],
    ] as const) {
      const { press } = aPress(code)
      const led = await press({ headers: { Accept: 'text/html,*/*' } })
      expect([led.status, led.headers.get('Location')]).toEqual([303, to])
      expect(await (await press()).json()).toMatchObject({ code })
    }
  })

  it('counts guesses, and is not made for somebody over the limit', async () => {
    const guess = aPress('card-not-found')
    await guess.press()
    expect(guess.uses.map(([limit]) => limit)).toEqual(['print', 'card-miss'])
    const { press, sheetOf } = aPress(undefined, { spent: ['print'] })
    expect((await press()).status).toBe(429)
    expect(sheetOf).not.toHaveBeenCalled()
  })

  it('is given to forms of our own pages only, and never by reading', async () => {
    const { press, sheetOf } = aPress()
    expect((await press({ headers: { Origin: 'https://elsewhere.example' } })).status).toBe(403)
    expect((await press({ headers: { 'Content-Type': 'text/plain' } })).status).toBe(415)
    const read = await call(print.ALL, fakeApp().app, { method: 'GET' })
    expect([read.status, read.headers.get('Allow')]).toEqual([405, 'POST'])
    expect(sheetOf).not.toHaveBeenCalled()
  })
})

describe('the last day for a calendar', () => {
  const open = (view: object) => {
    const { app } = fakeApp({ cards: { open: vi.fn(async () => view) } as never })
    return (headers = {}) => call(calendar.POST, app, { raw: `key=${KEY}`, headers: { ...FORM, ...headers } })
  }
  const unused = {
    authority: 'full',
    consumed: false,
    createdAt: 1,
    autoDonateAt: Date.parse('2027-03-28T22:00:00Z'),
  }

  it('is the day on which a card can be used last, in Madrid, and holds no key', async () => {
    const answer = await open(unused)()
    const file = await answer.text()
    expect(answer.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    // The clocks change on that day: it is 23 hours long.
    expect(file).toContain('DTSTART;VALUE=DATE:20270328\r\nDTEND;VALUE=DATE:20270329')
    expect(file).not.toContain(KEY)
    expect(file).not.toContain('URL')
  })

  it('is of no card that is used, and for no key that only shows a preview', async () => {
    expect(await (await open({ ...unused, consumed: true })()).json()).toMatchObject({
      code: 'card-consumed',
    })
    expect(await (await open({ ...unused, authority: 'preview' })()).json()).toMatchObject({
      code: 'card-not-found',
    })
    const led = await open({ ...unused, consumed: true })({ Accept: 'text/html' })
    expect(led.headers.get('Location')).toBe(`/gift-card/${KEY}/consumed/final`)
  })
})
