import { describe, expect, it } from 'vitest'
import {
  moveNewsletter,
  NEWSLETTER_START,
  type NewsletterEvent,
  type NewsletterForm,
  readNewsletter,
} from '#domain/newsletter/form.ts'

const submit = (value?: string): NewsletterEvent => ({
  kind: 'submit',
  ...(value !== undefined && { value }),
})
const back: NewsletterEvent = { kind: 'back' }
const sent: NewsletterEvent = { kind: 'sent' }
const failed = (at?: 1 | 2 | 3): NewsletterEvent => ({ kind: 'failed', ...(at && { at }) })
const walk = (...events: NewsletterEvent[]): NewsletterForm => events.reduce(moveNewsletter, NEWSLETTER_START)

const TYPED = [submit(), submit('ana@example.org'), submit('Ana')] as const

describe('the newsletter’s form', () => {
  it('goes from the intro over address, name and phone to thanks', () => {
    expect(walk(submit()).step).toBe(1)
    expect(walk(...TYPED.slice(0, 2))).toMatchObject({ step: 2, email: 'ana@example.org' })
    expect(walk(...TYPED)).toMatchObject({ step: 3, email: 'ana@example.org', name: 'Ana', isBusy: false })
    expect(walk(...TYPED, submit())).toMatchObject({ step: 3, isBusy: true })
    expect(walk(...TYPED, submit(), sent)).toMatchObject({ step: 4, isBusy: false })
  })

  it('begins anew after thanks, with nothing kept', () => {
    expect(walk(...TYPED, submit(), sent, submit())).toEqual(NEWSLETTER_START)
    expect(walk(...TYPED, submit(), sent, back)).toEqual(NEWSLETTER_START)
  })

  it('steps back one at a time, keeps what was typed, and stays at the intro', () => {
    expect(walk(...TYPED, back)).toMatchObject({ step: 2, name: 'Ana' })
    expect(walk(...TYPED, back, back)).toMatchObject({ step: 1, email: 'ana@example.org' })
    expect(walk(...TYPED, back, back, back)).toMatchObject({ step: 0, email: 'ana@example.org' })
    expect(walk(back)).toEqual(NEWSLETTER_START)
  })

  it('moves nowhere while a request is in flight', () => {
    const busy = walk(...TYPED, submit())
    for (const event of [submit(), submit('x'), back]) expect(moveNewsletter(busy, event)).toBe(busy)
  })

  it('takes an answer only while a request is in flight', () => {
    const idle = walk(...TYPED)
    for (const event of [sent, failed(), failed(1)]) expect(moveNewsletter(idle, event)).toBe(idle)
  })

  it.each([
    [undefined, { step: 3, email: 'ana@example.org', name: 'Ana' }],
    [1, { step: 1, email: '', name: 'Ana' }],
    [2, { step: 2, email: 'ana@example.org', name: '' }],
    [3, { step: 3, email: 'ana@example.org', name: 'Ana' }],
  ] as const)(
    'shows an error for a refusal at %s, and leads back there with that field cleared',
    (at, form) => {
      expect(walk(...TYPED, submit(), failed(at))).toMatchObject({ step: 5, isBusy: false })
      expect(walk(...TYPED, submit(), failed(at), submit())).toMatchObject(form)
      expect(walk(...TYPED, submit(), failed(at), back)).toMatchObject(form)
    },
  )

  it('keeps its progress over a reload', () => {
    for (const form of [walk(submit()), walk(...TYPED), walk(...TYPED, submit(), failed(1))])
      expect(readNewsletter(JSON.parse(JSON.stringify(form)))).toEqual(form)
  })

  it('asks again for what was in flight, and for what is missing', () => {
    expect(readNewsletter(walk(...TYPED, submit()))).toMatchObject({ step: 3, isBusy: false })
    expect(readNewsletter({ step: 3, email: '', name: 'Ana' }).step).toBe(1)
    expect(readNewsletter({ step: 3, email: 'a@x.org', name: '' }).step).toBe(2)
    expect(readNewsletter({ step: 5, email: 'a@x.org', name: '', returnTo: 3 }).step).toBe(2)
    expect(readNewsletter({ step: 2, email: '' }).step).toBe(1)
  })

  it.each([null, 7, 'x', [], {}, { step: 9 }, { step: '3' }])(
    'begins anew from what it cannot read: %j',
    kept => {
      expect(readNewsletter(kept)).toEqual(NEWSLETTER_START)
    },
  )
})
