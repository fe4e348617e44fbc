import { beforeEach, describe, expect, it } from 'vitest'
import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import { admitPartner, type PartnerRules } from '#server/http/pipeline/partner-call.ts'
import { problemResponse } from '#server/http/pipeline/problem-response.ts'
import { noRateLimits } from '#server/http/pipeline/rate-limits.ts'

const KEY = 'partner_key'
const RULES: PartnerRules = { scope: 'orders:read', limit: 'partner-read' }

let used: string[]
beforeEach(() => {
  used = []
})

function admit(headers: Record<string, string>, rules = RULES) {
  const app = appFor(
    {
      limits: {
        ...noRateLimits(),
        use: (limit, who) => void used.push(`${limit} ${who}`),
        turn: async (limit, who) => void used.push(`turn of ${limit} ${who}`),
      },
      partners: {
        async ofKey(key: string) {
          if (key !== KEY) throw new Problem('partner-key-unknown')
          return { id: 'shop', scopes: ['orders:read'] as const }
        },
      } as App['partners'],
    },
    '192.0.2.1',
  )
  return admitPartner(app, rules, { headers: new Headers(headers) })
}
const bearer = { Authorization: `Bearer ${KEY}` }

describe('a partner’s program', () => {
  it('is let in by its key, and counted by the partner', async () => {
    expect(await admit(bearer)).toMatchObject({ id: 'shop' })
    expect(await admit({ authorization: `bearer  ${KEY}` })).toMatchObject({ id: 'shop' })
    expect(used).toEqual(['partner-read shop', 'partner-read shop'])
  })

  it('waits for its turn where all partners share a limit', async () => {
    const both: PartnerRules = { scope: 'orders:read', limit: 'partner-order' }
    await admit(bearer, both)
    expect(used).toEqual(['partner-order shop', 'turn of partner-order shop'])
  })

  it('is not let in, and not counted, for what its key is not for', async () => {
    await expect(admit(bearer, { ...RULES, scope: 'orders:create' })).rejects.toMatchObject({
      code: 'scope-missing',
      details: { scope: 'orders:create' },
    })
    expect(used).toEqual([])
  })

  it.each([
    {},
    { Authorization: '' },
    { Authorization: 'Bearer' },
    { Authorization: `Basic ${KEY}` },
    { Cookie: KEY },
  ])('brings a key: %j', async headers => {
    await expect(admit(headers as Record<string, string>)).rejects.toMatchObject({
      code: 'partner-key-missing',
    })
    expect(used).toEqual([])
  })

  it('has a wrong key counted as one, against the address it came from', async () => {
    await expect(admit({ Authorization: 'Bearer other' })).rejects.toMatchObject({
      code: 'partner-key-unknown',
    })
    expect(used).toEqual(['card-miss 192.0.2.1'])
  })

  it.each([{ Origin: 'https://gifts.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'same-origin' }])(
    'is no page of a browser, and its key is not looked at there: %j',
    async headers => {
      const asked = { ...headers, Authorization: 'Bearer other' } as Record<string, string>
      await expect(admit(asked)).rejects.toMatchObject({ code: 'foreign-origin' })
      expect(used).toEqual([])
    },
  )

  it('says JSON where it sends something', async () => {
    await expect(admit(bearer, { ...RULES, type: 'json' })).rejects.toMatchObject({
      code: 'unsupported-content-type',
    })
  })
})

it.each([
  ['partner-key-missing', 'Bearer realm="partners"'],
  ['partner-key-unknown', 'Bearer realm="partners", error="invalid_token"'],
  ['partner-key-of-sandbox', 'Bearer realm="partners", error="invalid_token"'],
  ['partner-key-of-real-site', 'Bearer realm="partners", error="invalid_token"'],
  ['scope-missing', 'Bearer realm="partners", error="insufficient_scope", scope="orders:read"'],
  ['operator-only', null],
] as const)('%s says how to be let in', (code, said) => {
  const answer = problemResponse(new Problem(code, { scope: 'orders:read' }))
  expect(answer.headers.get('WWW-Authenticate')).toBe(said)
})

it.each([
  ['partner-key-of-sandbox', 'Call the sandbox’s own address'],
  ['partner-key-of-real-site', 'Use a key of the sandbox here'],
  ['scope-missing', 'key'],
] as const)('%s says to the programmer why, and what to do', async (code, words) => {
  const { detail } = (await problemResponse(new Problem(code)).json()) as { detail: string }
  expect(detail).toContain(words)
})
