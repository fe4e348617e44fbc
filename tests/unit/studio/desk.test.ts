import { describe, expect, it } from 'vitest'
import { ask } from '../../../studio/src/desk/ask.ts'
import { emptyWords, hitsAfter, hitWords, NO_ANSWER, refusalWords } from '../../../studio/src/desk/words.ts'

const question = { path: 'find', body: { words: 'ana@example.org' } }
const answered = (status: number, body: unknown, type = 'application/json') =>
  ask(
    async () => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } }),
    question,
    new AbortController().signal,
  )

describe('the desk asks the site', () => {
  it('by a POST whose address says nothing of what is looked for', async () => {
    let asked: [string, RequestInit] | undefined
    await ask(
      async (path, init) => {
        asked = [path, init]
        return Response.json({})
      },
      { ...question, attemptKey: 'one press' },
      new AbortController().signal,
    )
    expect(asked![0]).toBe('/api/operator/find')
    expect(asked![1]).toMatchObject({
      method: 'POST',
      body: '{"words":"ana@example.org"}',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'one press' },
    })
  })

  it.each<[number, unknown, object]>([
    [200, { hits: [] }, { kind: 'answer', answer: { hits: [] } }],
    [401, { code: 'operator-only' }, { kind: 'no-answer', why: 'session-over' }],
    [429, { code: 'too-many-requests' }, { kind: 'no-answer', why: 'too-often' }],
    [500, { code: 'something-went-wrong' }, { kind: 'no-answer', why: 'broken' }],
    [403, { code: 'foreign-origin' }, { kind: 'no-answer', why: 'elsewhere' }],
    [404, { code: 'not-found' }, { kind: 'no-answer', why: 'elsewhere' }],
    [404, { code: 'card-not-found' }, { kind: 'refused', code: 'card-not-found' }],
    [502, { code: 'provider-unavailable' }, { kind: 'refused', code: 'provider-unavailable' }],
    [401, {}, { kind: 'no-answer', why: 'session-over' }],
    [429, null, { kind: 'no-answer', why: 'too-often' }],
    [502, null, { kind: 'no-answer', why: 'broken' }],
  ])('and understands %s %o', async (status, body, outcome) => {
    expect(await answered(status, body)).toEqual(outcome)
  })

  it('and understands no page, and no answer at all', async () => {
    expect(await answered(200, 'a page', 'text/html')).toEqual({ kind: 'no-answer', why: 'elsewhere' })
    const away = ask(() => Promise.reject(new TypeError('offline')), question, new AbortController().signal)
    expect(await away).toEqual({ kind: 'no-answer', why: 'unreachable' })
  })
})

it('shows what was found with the state of the card that was read since', () => {
  const hit = (kind: 'card' | 'payout', card: string) =>
    ({ kind, id: card, card, name: null, state: 'active', amount: 1, currency: 'EUR', at: 1 }) as const
  const hits = [hit('card', 'a'), hit('card', 'b'), hit('payout', 'a')]
  const states = (read?: { id: string; status: 'frozen' }) => hitsAfter(hits, read).map(({ state }) => state)
  expect(states()).toEqual(['active', 'active', 'active'])
  expect(states({ id: 'a', status: 'frozen' })).toEqual(['frozen', 'active', 'active'])
})

describe('the desk says', () => {
  it('a sentence and a way out for everything', () => {
    const sentences = [
      ...Object.values(NO_ANSWER),
      ...['card-not-found', 'payment-not-found', 'provider-unavailable', 'unheard-of', 'act-refused'].map(
        code => refusalWords(code),
      ),
      ...['key', 'part-of-payment', 'nothing', 'address'].map(recognised =>
        emptyWords({ recognised, lacks: ['currency', 'day'] }),
      ),
    ]
    for (const { says, remedy } of sentences)
      for (const each of [says, remedy]) expect(each).toMatch(/^[A-Z].*\.$/)
    expect(hitWords({ kind: 'payout', name: 'CERF' })).toBe('Payout to CERF')
    expect(hitWords({ kind: 'card', name: null })).toBe('Card')
  })
})
