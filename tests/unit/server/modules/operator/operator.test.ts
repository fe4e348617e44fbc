import { describe, expect, it } from 'vitest'
import { createRateLimits, noRateLimits } from '#server/http/pipeline/rate-limits.ts'
import { operatorCookie } from '#server/modules/operator/cookies.ts'
import { createOperator, type OperatorParts } from '#server/modules/operator/login.ts'
import { ownPath } from '#server/modules/operator/own-path.ts'
import { keyFor, readSigned, signed } from '#server/modules/operator/signed.ts'
import { nobody } from '#tests/support/passkeys/nobody.ts'
import { plentyOfTokens } from '#tests/support/plenty-of-tokens.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const key = keyFor('a secret', 'a purpose')

describe('a signed text', () => {
  it('is read again, with whatever is in it', () => {
    for (const text of ['', 'a', 'a.b.c', 'ñ ✓']) expect(readSigned(key, signed(key, text))).toBe(text)
  })

  it('is nothing once a character of it differs, or under another key', () => {
    const good = signed(key, 'id.123')
    for (let at = 0; at < good.length; at++) {
      const bad = `${good.slice(0, at)}${good[at] === 'A' ? 'B' : 'A'}${good.slice(at + 1)}`
      expect(readSigned(key, bad)).toBeUndefined()
    }
    expect(readSigned(keyFor('a secret', 'another purpose'), good)).toBeUndefined()
    for (const bad of ['', '.', 'x', `${good}.`, `${good}A`]) expect(readSigned(key, bad)).toBeUndefined()
  })
})

describe('a cookie of the operator', () => {
  it('goes over https alone where the site does, under a name that no other host can set', () => {
    expect(operatorCookie('operator', true).set('x', 60)).toBe(
      '__Host-operator=x; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict',
    )
    expect(operatorCookie('operator', false).set('x', 60)).not.toContain('Secure')
  })

  it('is found among others, and not inside them', () => {
    const { read } = operatorCookie('operator', false)
    const of = (cookie: string) => read(new Headers({ cookie }))
    expect(of('a=1; operator=x.y; b=2')).toBe('x.y')
    expect(of('notoperator=x; operators=y')).toBeUndefined()
    expect(read(new Headers())).toBeUndefined()
  })
})

const TOKEN = 'a token that is long enough'

function operatorWith(change: Partial<OperatorParts> = {}) {
  const ended = new Set<string>()
  let now = 1_000_000
  const operator = createOperator({
    token: TOKEN,
    openMode: true,
    secret: 'a secret of the server',
    ended: { has: async id => ended.has(id), add: async id => void ended.add(id) },
    secure: false,
    ...nobody,
    log: quietLog(),
    limits: noRateLimits(),
    clock: () => now,
    ...change,
  })
  return { operator, ended, pass: (ms: number) => (now += ms) }
}
const headersWith = (setCookie = '') => new Headers({ cookie: setCookie.split(';')[0] ?? '' })

describe('the operator', () => {
  it('stays for twelve hours, and not a moment longer', async () => {
    const { operator, pass } = operatorWith()
    const session = headersWith(await operator.signIn(TOKEN, ''))
    pass(12 * 3_600_000 - 1)
    expect(await operator.isOperator(session, '')).toBe(true)
    expect(operator.endOfSession(session)).toBe(1_000_000 + 12 * 3_600_000)
    pass(1)
    expect(await operator.isOperator(session, '')).toBe(false)
    expect(operator.endOfSession(session)).toBeUndefined()
  })

  it('is guessed ten times in ten minutes by an address, in forms and in headers alike', async () => {
    let passed = 0
    const limits = createRateLimits({ monotonic: () => passed, log: quietLog(), tokensOf: plentyOfTokens })
    const { operator } = operatorWith({ limits })
    const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` })
    for (let n = 0; n < 5; n++) {
      // Being right costs nothing.
      expect(await operator.isOperator(bearer(TOKEN), '192.0.2.1')).toBe(true)
      expect(await operator.signIn(`${TOKEN}${n}`, '192.0.2.1')).toBeUndefined()
      expect(await operator.isOperator(bearer(`${TOKEN}${n}`), '192.0.2.1')).toBe(false)
    }
    const spent = { code: 'too-many-requests', details: { retryAfterSeconds: 60 } }
    for (const given of [`${TOKEN}x`, TOKEN]) {
      await expect(operator.signIn(given, '192.0.2.1')).rejects.toMatchObject(spent)
      await expect(operator.isOperator(bearer(given), '192.0.2.1')).rejects.toMatchObject(spent)
    }
    const session = headersWith(await operator.signIn(TOKEN, '192.0.2.2'))
    // A session is no guess, from wherever it comes.
    expect(await operator.isOperator(session, '192.0.2.1')).toBe(true)
    passed += 60_000
    expect(await operator.isOperator(bearer(TOKEN), '192.0.2.1')).toBe(true)
  })

  it('ends one session and no other', async () => {
    const { operator } = operatorWith()
    const [one, other] = [
      headersWith(await operator.signIn(TOKEN, '')),
      headersWith(await operator.signIn(TOKEN, '')),
    ]
    await operator.signOut(one)
    expect([await operator.isOperator(one, ''), await operator.isOperator(other, '')]).toEqual([false, true])
  })

  it('writes nothing down for a session that is none', async () => {
    const { operator, ended } = operatorWith()
    await operator.signOut(new Headers({ cookie: 'operator=x.99999999999999.y' }))
    expect(ended.size).toBe(0)
  })

  it('with a token, is nobody by using this machine', async () => {
    const { operator } = operatorWith()
    expect([operator.login, await operator.isOperator(new Headers(), '127.0.0.1')]).toEqual(['token', false])
  })

  it.each([
    ['127.0.0.1', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['192.0.2.1', {}, false],
    ['', {}, false],
    ['127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, false],
    ['127.0.0.1', { forwarded: 'for=192.0.2.1' }, false],
    ['127.0.0.1', { via: '1.1 proxy' }, false],
    ['127.0.0.1', { authorization: 'Bearer x' }, false],
  ])('without a token, is whoever uses this machine: %s %o', async (address, headers, expected) => {
    const { operator } = operatorWith({ token: undefined })
    expect(await operator.isOperator(new Headers(headers as Record<string, string>), address)).toBe(expected)
  })

  it('is nobody at all in production without a token', async () => {
    const { operator } = operatorWith({ token: undefined, openMode: false })
    expect(operator.login).toBe('closed')
    expect(await operator.isOperator(new Headers(), '127.0.0.1')).toBe(false)
    for (const given of ['', 'undefined']) expect(await operator.signIn(given, '')).toBeUndefined()
  })
})

describe('the place to return to', () => {
  it('keeps what follows the path, under both names of this machine', () => {
    const site = 'http://localhost:4321'
    expect(ownPath('http://127.0.0.1:4321/studio/x?a=1#b', site)).toBe('/studio/x?a=1#b')
    expect(ownPath('http://127.0.0.1:1/studio/x', site)).toBe('/studio')
    expect(ownPath('https://localhost:4321/x', site)).toBe('/studio')
    expect(ownPath(null, site, '/')).toBe('/')
  })
})
