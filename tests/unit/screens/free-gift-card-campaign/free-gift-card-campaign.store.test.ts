import { describe, expect, it } from 'vitest'
import type { FreeOffer } from '#domain/campaign/offers.ts'
import { createClaim } from '#screens/free-gift-card-campaign/free-gift-card-campaign.store.ts'
import type { Refusal, Result } from '#wire/client.ts'

const refused = (code: Refusal['code']): Refusal => ({
  ok: false,
  code,
  fields: [],
  retryAfterSeconds: undefined,
})

function form(answers: readonly Result<{ key: string }>[], offer: FreeOffer | null = 'offered') {
  const asked: [address: string, attemptKey: string][] = []
  let keys = 0
  const claim = createClaim(
    {
      claim: async (...call) => {
        asked.push(call)
        return answers[asked.length - 1]!
      },
      newAttemptKey: () => `attempt-${++keys}`,
    },
    offer ?? undefined,
  )
  return { ...claim, asked }
}

describe('the form of a free card', () => {
  it('gives the key of the card', async () => {
    const { press, asked } = form([{ ok: true, value: { key: 'k' } }])
    expect(await press(' Ana@Example.org ')).toBe('k')
    expect(asked).toEqual([['Ana@example.org', 'attempt-1']])
  })

  it.each([
    ['', 'required'],
    ['ana lopez@example.org', 'address'],
  ] as const)('sends nothing while the address is %j', async (typed, fault) => {
    const { press, $state, asked } = form([])
    expect(await press(typed)).toBeUndefined()
    expect($state.get()).toEqual({ kind: 'refused', fault })
    expect(asked).toEqual([])
  })

  it('is the same press when it is tried again, and another one for another mailbox', async () => {
    const { press, asked } = form([refused('network'), refused('network'), refused('network')])
    await press('a.b@gmail.com')
    await press('ab@gmail.com')
    await press('eva@example.org')
    expect(asked.map(([, key]) => key)).toEqual(['attempt-1', 'attempt-1', 'attempt-2'])
  })

  it.each([
    ['finished-campaign-offer', { kind: 'over', code: 'finished-campaign-offer' }],
    ['invalid-campaign', { kind: 'over', code: 'invalid-campaign' }],
    ['email-already-used', { kind: 'refused', fault: 'used' }],
    ['invalid-fields', { kind: 'refused', fault: 'address' }],
  ] as const)('says what %s means', async (code, state) => {
    const { press, $state } = form([refused(code)])
    await press('ana@example.org')
    expect($state.get()).toEqual(state)
  })

  it('offers another try after anything else', async () => {
    const { press, $state } = form([refused('too-many-requests'), { ok: true, value: { key: 'k' } }])
    await press('ana@example.org')
    expect($state.get()).toMatchObject({ kind: 'failed', refusal: { code: 'too-many-requests' } })
    expect(await press('ana@example.org')).toBe('k')
  })

  it('takes one press at a time', async () => {
    const { press, asked } = form([{ ok: true, value: { key: 'k' } }])
    const both = await Promise.all([press('ana@example.org'), press('ana@example.org')])
    expect(both).toEqual(['k', undefined])
    expect(asked).toHaveLength(1)
  })

  it('asks nothing of a visitor who came with no campaign', async () => {
    const { press, $state, asked } = form([], null)
    expect($state.get()).toEqual({ kind: 'over', code: 'invalid-campaign' })
    await press('ana@example.org')
    expect(asked).toEqual([])
  })

  it('asks for no address where the cards are gone', async () => {
    const { press, $state, asked } = form([], 'sold-out')
    expect($state.get()).toEqual({ kind: 'over', code: 'finished-campaign-offer' })
    await press('ana@example.org')
    expect(asked).toEqual([])
  })
})
