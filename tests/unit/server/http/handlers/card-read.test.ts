import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { THEMES } from '#domain/themes.ts'
import type { App } from '#server/http/app.ts'
import { cardAskedBy, showCard } from '#server/http/handlers/card-read.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'
import type { LimitName } from '#server/platform/limits.ts'
import * as endpoint from '../../../../../src/pages/api/ajuda/giftcard/[giftCardId]/[flag].ts'
import { call, fakeApp } from '../fake-call.ts'

const [PRIVATE, UNKNOWN, AWAY, BROKEN] = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(32)) as [
  string,
  string,
  string,
  string,
]

const VIEW: CardView = {
  authority: 'full',
  createdAt: 0,
  autoDonateAt: 1,
  credit: money(5_000, 'EUR'),
  senderName: '"Íñigo" <b>',
  message: null,
  theme: THEMES.ukraine,
  language: 'es',
  consumed: true,
  free: false,
  use: { by: 'auto-donation', at: 5_000, ngoIds: ['ngo-msf'] },
}

function anApp(spent: readonly LimitName[] = []) {
  const open = async (key: string, asked: string): Promise<CardView> => {
    if (key === AWAY) throw new Problem('temporarily-unavailable', { retryAfterSeconds: 2.5 })
    if (key === BROKEN) throw new Error('broken')
    if (key !== PRIVATE) throw new Problem('card-not-found')
    return asked === 'preview' ? { ...VIEW, authority: 'preview', consumed: false } : VIEW
  }
  return fakeApp({ cards: { open } as unknown as App['cards'] }, { spent })
}

/** As the front writes the headers of what the site's pages answer. */
const NOT_COMPARED = new Set(['cache-control', 'vary'])

describe('the door of a card', () => {
  it.each<[string, { key: string; flag: string }, readonly LimitName[]]>([
    ['a card', { key: PRIVATE, flag: 'final' }, []],
    ['its preview', { key: PRIVATE, flag: 'preview' }, []],
    ['a word that is neither', { key: PRIVATE, flag: 'PREVIEW' }, []],
    ['the card to try', { key: 'giftcard-try', flag: 'final' }, []],
    ['no card', { key: UNKNOWN, flag: 'final' }, []],
    ['no card, tried too often', { key: UNKNOWN, flag: 'final' }, ['card-miss']],
    ['a card, asked for too often', { key: PRIVATE, flag: 'final' }, ['card-read']],
    ['a database that is away', { key: AWAY, flag: 'final' }, []],
    ['a fault', { key: BROKEN, flag: 'final' }, []],
  ])('answers, counts and logs as the call itself does: %s', async (_, asked, spent) => {
    const [one, other] = [anApp(spent), anApp(spent)]
    const given = await showCard(one.app, asked, { address: '192.0.2.1', cookies: undefined })
    const params = { giftCardId: asked.key, flag: asked.flag }
    const expected = await call(endpoint.GET, other.app, { method: 'GET', params })
    expect(given.status).toBe(expected.status)
    expect(given.body).toBe(await expected.text())
    const headers = given.headers.map(([name, value]) => [name.toLowerCase(), value] as const)
    expect(new Map(headers.filter(([name]) => !NOT_COMPARED.has(name)))).toEqual(
      new Map([...expected.headers].filter(([name]) => !NOT_COMPARED.has(name))),
    )
    expect(new Map(headers).get('cache-control')).toBe('private, no-store')
    expect(one.uses).toEqual(other.uses)
    expect(one.errors).toEqual(other.errors)
  })

  it('shows nothing that the contract does not name', async () => {
    const sender = { address: '192.0.2.1', cookies: undefined }
    const { body } = await showCard(anApp().app, { key: PRIVATE, flag: 'final' }, sender)
    expect(body).not.toMatch(/ngo-msf|allocations|authority/)
  })

  it.each([
    [`/api/ajuda/giftcard/${PRIVATE}/final`, { key: PRIVATE, flag: 'final' }],
    ['/api/ajuda/giftcard/x/y', { key: 'x', flag: 'y' }],
    [`/api/ajuda/giftcard/${PRIVATE}`, undefined],
    [`/api/ajuda/giftcard/${PRIVATE}/final/`, undefined],
    [`/api/ajuda/giftcard/${PRIVATE}/final/more`, undefined],
    [`/api/ajuda/giftcard/%61/final`, undefined],
    [`/api/ajuda/giftcard//final`, undefined],
    [`/api/ajuda/giftcard-volunteering/${PRIVATE}/answer`, undefined],
    [`/x/api/ajuda/giftcard/${PRIVATE}/final`, undefined],
  ])('is asked by plain paths of that call only: %s', (path, asked) => {
    expect(cardAskedBy(path)).toEqual(asked)
  })
})
