import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRateLimits, noRateLimits } from '#server/http/pipeline/rate-limits.ts'
import { createPeopleDesk } from '#server/modules/desk/people-desk.ts'
import { createChallenges } from '#server/modules/operator/challenges.ts'
import { endedSessions } from '#server/modules/operator/ended-sessions.ts'
import type { ChallengeAsked, Operator } from '#server/modules/operator/interface.ts'
import { createOperator } from '#server/modules/operator/login.ts'
import { createPasskeys } from '#server/modules/operator/passkeys.ts'
import { createPeople, invitationSeal, listPeople } from '#server/modules/operator/people.ts'
import { endPerson, invite, inviteAgain } from '#server/modules/operator/people-acts.ts'
import { keyFor } from '#server/modules/operator/signed.ts'
import type { PeopleTable } from '#server/platform/db/schema.ts'
import type { RateLimits } from '#server/platform/limits.ts'
import { createMac } from '#server/platform/mac.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { type Authenticator, anAuthenticator, type Change } from '#tests/support/passkeys/authenticator.ts'
import { plentyOfTokens } from '#tests/support/plenty-of-tokens.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { mailsOf, oneEach, type Teller } from '#tests/support/told-once.ts'

const TOKEN = 'a token that is long enough'
const SITE = 'https://gifts.example'
const HERE = '192.0.2.1'
const HOUR = 3_600_000
const NO_HEADERS = new Headers()
const mac = createMac('a secret')

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let log: ReturnType<typeof quietLog>
let operator: Operator
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  log = quietLog()
  operator = operatorOf()
})
afterEach(() => test.close())

/** A process of the site. */
function operatorOf(limits: RateLimits = noRateLimits(), by: Teller = { db: test.db, log }): Operator {
  const { db } = by
  const challenges = createChallenges(db, keyFor('a secret', 'passkey challenges'), clock, clock)
  return createOperator({
    token: TOKEN,
    openMode: false,
    secret: 'a secret',
    secure: true,
    ended: endedSessions(db),
    people: createPeople({ db, clock, mac }),
    passkeys: createPasskeys(SITE, challenges),
    limits,
    log: by.log,
    clock,
  })
}

const headersOf = (cookie: string | undefined) => new Headers({ cookie: cookie?.split(';')[0] ?? '' })
const challenge = (asked: ChallengeAsked, headers = NO_HEADERS) => operator.challenge(asked, headers, HERE)
const people = () => test.db.read(listPeople)
const NO = { code: 'operator-only' }
const refusal = (rule: string) => ({ code: 'act-refused', details: { fields: [{ path: 'passkey', rule }] } })

/** Makes the first passkey, of Ana the treasurer. */
async function first(key = anAuthenticator(SITE)) {
  const options = await challenge({ for: 'first', token: TOKEN, name: 'Ana' })
  const cookie = await operator.enrol(
    { token: TOKEN, name: 'Ana', answer: key.create(options ?? null) },
    HERE,
  )
  return { key, cookie, session: headersOf(cookie) }
}

/** Somebody whom the desk invites makes a passkey. */
async function invited(role: 'editor' | 'treasurer', key = anAuthenticator(SITE)) {
  const desk = createPeopleDesk({ db: test.db, clock, mac })
  const asked = { act: 'invite', name: 'Ben', role, email: 'ben@example.org' } as const
  const { invitation } = await desk.act(asked, { key: `a press ${key.id}`, person: null })
  const cookie = await join(invitation?.code ?? '', key)
  return { key, session: headersOf(cookie), person: invitation?.person ?? '' }
}

async function join(code: string, key: Authenticator): Promise<string | undefined> {
  const options = await challenge({ for: 'invitation', code }).catch(() => undefined)
  return options && operator.enrol({ code, answer: key.create(options) }, HERE)
}

async function confirm(press: string, key: Authenticator, session: Headers, change: Change = {}) {
  const options = await challenge({ for: 'press', press }, session)
  return operator.confirm(press, key.get(options ?? null, change), session, HERE)
}

describe('a passkey', () => {
  it('is made first with the token, and signs its person in as the treasurer', async () => {
    expect(await operator.isFirst()).toBe(true)
    const { key, session } = await first()
    expect(await operator.who(session, HERE)).toMatchObject({ role: 'treasurer', person: { name: 'Ana' } })
    expect(await operator.isFirst()).toBe(false)
    const options = await challenge({ for: 'sign-in' })
    const again = headersOf(await operator.signInWithPasskey(key.get(options ?? null), HERE))
    expect((await operator.who(again, HERE))?.person?.name).toBe('Ana')
    expect(log.events).toContain('passkey-made')
  })

  it('is told of once to everybody, whatever process dies behind a commit', async () => {
    await first()
    const desk = createPeopleDesk({ db: test.db, clock, mac })
    const told = await mailsOf('passkey-made', async round => {
      const asked = { act: 'invite', name: 'Ben', role: 'editor', email: `ben${round}@example.org` } as const
      const { invitation } = await desk.act(asked, { key: `press ${round}`, person: null })
      const code = invitation?.code ?? ''
      return {
        db: test.db,
        clock,
        act: async by => {
          operator = operatorOf(noRateLimits(), by)
          return join(code, anAuthenticator(SITE))
        },
      }
    })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(oneEach(told))
  })

  it('is the first one once, also of two at the same moment', async () => {
    const keys = [anAuthenticator(SITE), anAuthenticator(SITE)]
    const cookies = await Promise.all(
      keys.map(key =>
        first(key).then(
          ({ cookie }) => cookie,
          () => undefined,
        ),
      ),
    )
    expect(cookies.filter(cookie => cookie !== undefined)).toHaveLength(1)
    expect(await people()).toHaveLength(1)
    await expect(challenge({ for: 'first', token: TOKEN, name: 'Eve' })).rejects.toMatchObject(NO)
  })

  it('is no first one any more once somebody was let in on the machine', async () => {
    const options = (await challenge({ for: 'first', token: TOKEN, name: 'Eve' })) ?? null
    const asked = { name: 'Ana', role: 'treasurer', email: 'ana@example.org' } as const
    await test.db.transaction(trx => invite(trx, asked, { door: 'machine', now: clock(), mac }))
    const answer = anAuthenticator(SITE).create(options)
    expect(await operator.enrol({ token: TOKEN, name: 'Eve', answer }, HERE)).toBeUndefined()
    expect((await people()).map(({ name }) => name)).toEqual(['Ana'])
  })

  it('is not made with a guess, without a name, or for nothing', async () => {
    await expect(challenge({ for: 'first', token: 'a guess', name: 'Eve' })).rejects.toMatchObject(NO)
    await expect(challenge({ for: 'first', token: TOKEN, name: ' ' })).rejects.toMatchObject(NO)
    const options = (await challenge({ for: 'first', token: TOKEN, name: 'Eve' })) ?? null
    const key = anAuthenticator(SITE)
    for (const answer of ['', '{}', 'null', '[]', 'x'.repeat(20_000), key.get(options)])
      expect(await operator.enrol({ token: TOKEN, name: 'Eve', answer }, HERE)).toBeUndefined()
    const good = key.create(options)
    expect(await operator.enrol({ token: 'a guess', name: 'Eve', answer: good }, HERE)).toBeUndefined()
    expect(await people()).toEqual([])
  })

  it('confirms one press of its own treasurer, once', async () => {
    const { key, session } = await first()
    await confirm('press 1', key, session)
    const options = (await challenge({ for: 'press', press: 'press 2' }, session)) ?? null
    const answer = key.get(options)
    await expect(operator.confirm('press 3', answer, session, HERE)).rejects.toMatchObject(refusal('passkey'))
    await operator.confirm('press 2', key.get(options), session, HERE)
    // The same challenge again, and through another process.
    for (const process of [operator, operatorOf()])
      await expect(process.confirm('press 2', key.get(options), session, HERE)).rejects.toMatchObject(
        refusal('passkey'),
      )
    await expect(operator.confirm('press 4', undefined, session, HERE)).rejects.toMatchObject(
      refusal('passkey'),
    )
  })

  it.each<[string, Change]>([
    ['from another site’s page', { origin: 'https://elsewhere.example' }],
    ['for another site', { rpId: 'elsewhere.example' }],
    ['without its person’s finger, face or number', { isUnverified: true }],
    ['to a challenge that somebody made up', { challenge: Buffer.from('made up').toString('base64url') }],
    ['that is of a creation', { type: 'webauthn.create' }],
  ])('is not taken %s', async (_, change) => {
    const { key, session } = await first()
    await expect(confirm('a press', key, session, change)).rejects.toMatchObject(refusal('passkey'))
    const options = (await challenge({ for: 'sign-in' })) ?? null
    expect(await operator.signInWithPasskey(key.get(options, change), HERE)).toBeUndefined()
  })

  it('is taken for five minutes', async () => {
    const { key, session } = await first()
    const options = (await challenge({ for: 'press', press: 'a press' }, session)) ?? null
    clock.advance(5 * 60_000)
    await expect(operator.confirm('a press', key.get(options), session, HERE)).rejects.toMatchObject(
      refusal('passkey'),
    )
  })

  it('signs for nothing but what it was asked for', async () => {
    const { key, session } = await first()
    const signIn = (await challenge({ for: 'sign-in' })) ?? null
    await expect(operator.confirm('a press', key.get(signIn), session, HERE)).rejects.toMatchObject(
      refusal('passkey'),
    )
    const press = (await challenge({ for: 'press', press: 'a press' }, session)) ?? null
    expect(await operator.signInWithPasskey(key.get(press), HERE)).toBeUndefined()
  })

  it('of somebody else confirms nothing, also of a treasurer', async () => {
    const ana = await first()
    const ben = await invited('treasurer')
    await expect(confirm('a press', ben.key, ana.session)).rejects.toMatchObject(refusal('passkey'))
    const options = (await challenge({ for: 'press', press: 'a press' }, ben.session)) ?? null
    await expect(operator.confirm('a press', ben.key.get(options), ana.session, HERE)).rejects.toMatchObject(
      refusal('passkey'),
    )
    await confirm('a press', ben.key, ben.session)
  })

  it('that was copied is refused by its count', async () => {
    const { key, session } = await first()
    await confirm('press 1', key, session)
    await confirm('press 2', key, session)
    await test.db.transaction(trx => trx.updateTable('passkeys').set({ counter: 99 }).execute())
    await expect(confirm('press 3', key, session)).rejects.toMatchObject(refusal('passkey'))
  })
})

describe('whoever asks', () => {
  it('with the token edits, and confirms nothing', async () => {
    const session = headersOf(await operator.signIn(TOKEN, HERE))
    expect(await operator.who(session, HERE)).toEqual({ role: 'editor' })
    await expect(operator.confirm('a press', '{}', session, HERE)).rejects.toMatchObject(
      refusal('no-passkey'),
    )
    const { key } = await first()
    await expect(confirm('a press', key, session)).rejects.toMatchObject(refusal('role'))
    const bearer = new Headers({ authorization: `Bearer ${TOKEN}` })
    await expect(confirm('a press', key, bearer)).rejects.toMatchObject(refusal('role'))
    await expect(challenge({ for: 'press', press: 'a press' })).rejects.toMatchObject({
      code: 'operator-only',
    })
  })

  it('is an editor confirms nothing', async () => {
    await first()
    const ben = await invited('editor')
    expect((await operator.who(ben.session, HERE))?.role).toBe('editor')
    await expect(confirm('a press', ben.key, ben.session)).rejects.toMatchObject(refusal('role'))
  })

  it('guesses ten times in ten minutes, by tokens, codes and passkeys together', async () => {
    const ana = await first()
    operator = operatorOf(createRateLimits({ monotonic: () => 0, log, tokensOf: plentyOfTokens }))
    for (let n = 0; n < 3; n++) {
      expect(await operator.signIn(`a guess ${n}`, HERE)).toBeUndefined()
      await expect(challenge({ for: 'invitation', code: 'A'.repeat(20) })).rejects.toMatchObject(NO)
      expect(await operator.signInWithPasskey('{}', HERE)).toBeUndefined()
    }
    await expect(confirm('a press', anAuthenticator(SITE), ana.session)).rejects.toMatchObject(
      refusal('passkey'),
    )
    await expect(confirm('a press', ana.key, ana.session)).rejects.toMatchObject({
      code: 'too-many-requests',
    })
    await expect(operator.signInWithPasskey('{}', HERE)).rejects.toMatchObject({ code: 'too-many-requests' })
  })
})

describe('an invitation', () => {
  it('makes one passkey, within a day', async () => {
    await first()
    const desk = createPeopleDesk({ db: test.db, clock, mac })
    const asked = { act: 'invite', name: 'Ben', role: 'editor', email: 'ben@example.org' } as const
    const press = { key: 'a press', person: null }
    const { invitation } = await desk.act(asked, press)
    const code = invitation?.code ?? ''
    expect(await desk.act(asked, press)).toEqual({ isRepeated: true })
    const [one, other] = await Promise.all([1, 2].map(() => join(code, anAuthenticator(SITE))))
    expect([one, other].filter(Boolean)).toHaveLength(1)
    expect(await join(code, anAuthenticator(SITE))).toBeUndefined()

    const later = await desk.act({ ...asked, name: 'Cleo' }, { key: 'another press', person: null })
    clock.advance(24 * HOUR)
    expect(await join(later.invitation?.code ?? '', anAuthenticator(SITE))).toBeUndefined()
  })

  it('that was made on the machine waits for a day', async () => {
    await first()
    const [ana] = await people()
    const { code } = await test.db.transaction(trx =>
      inviteAgain(trx, ana?.id ?? '', { door: 'machine', now: clock(), mac }),
    )
    expect(await join(code, anAuthenticator(SITE))).toBeUndefined()
    clock.advance(24 * HOUR - 1)
    expect(await join(code, anAuthenticator(SITE))).toBeUndefined()
    clock.advance(1)
    expect(await join(code, anAuthenticator(SITE))).toBeDefined()
    expect((await people())[0]).toMatchObject({ name: 'Ana', passkeys: 2 })
  })

  it('is refused where the name or the address is none', async () => {
    const desk = createPeopleDesk({ db: test.db, clock, mac })
    const press = { key: 'a press', person: null }
    const asked = { act: 'invite', role: 'editor', name: 'Ben', email: 'ben@example.org' } as const
    for (const [change, rule] of [
      [{ name: ' ' }, 'name'],
      [{ email: 'ben' }, 'not-an-address'],
    ] as const)
      await expect(desk.act({ ...asked, ...change }, press)).rejects.toMatchObject({
        details: { fields: [{ path: 'act', rule }] },
      })
    expect(await people()).toEqual([])
  })
})

describe('somebody who was ended', () => {
  it('opens nothing from the same moment on, and the last treasurer stays', async () => {
    const ana = await first()
    const ben = await invited('editor')
    const desk = createPeopleDesk({ db: test.db, clock, mac })
    await desk.act({ act: 'end', person: ben.person }, { key: 'end ben', person: null })
    expect(await operator.who(ben.session, HERE)).toBeUndefined()
    const options = (await challenge({ for: 'sign-in' })) ?? null
    expect(await operator.signInWithPasskey(ben.key.get(options), HERE)).toBeUndefined()

    const [{ id } = { id: '' }] = await people()
    const ending = desk.act({ act: 'end', person: id }, { key: 'end ana', person: null })
    await expect(ending).rejects.toMatchObject({ details: { fields: [{ rule: 'last-treasurer' }] } })
    expect((await operator.who(ana.session, HERE))?.role).toBe('treasurer')
    // On the machine everybody can be ended; the token makes no first passkey afterwards.
    await test.db.transaction(trx => endPerson(trx, id, 'machine', clock()))
    expect(await operator.isFirst()).toBe(false)
  })
})

describe('two treasurers', () => {
  it('who end each other at once leave one of them', async () => {
    await first()
    const other = await test.another()
    for (let round = 0; round < 8; round++) {
      await invited('treasurer')
      const standing = (await people()).filter(({ role }) => role === 'treasurer')
      expect(standing).toHaveLength(2)
      await Promise.allSettled(
        [test.db, other].map((db, n) =>
          db.transaction(trx => endPerson(trx, standing[n]!.id, 'desk', clock())),
        ),
      )
      expect((await people()).filter(({ role }) => role === 'treasurer')).toHaveLength(1)
    }
  })
})

describe('whoever writes to the database', () => {
  it('invites nobody, and changes no invitation', async () => {
    await first()
    const desk = createPeopleDesk({ db: test.db, clock, mac })
    const asked = { act: 'invite', name: 'Eve', role: 'editor', email: 'eve@example.org' } as const
    const { invitation } = await desk.act(asked, { key: 'a press', person: null })
    const { person = '', code = '', from = 0, until = 0 } = invitation ?? {}
    const change = (set: Partial<PeopleTable>) =>
      test.db.transaction(trx => trx.updateTable('people').set(set).where('id', '=', person).execute())

    await change({ role: 'treasurer' })
    expect(await join(code, anAuthenticator(SITE))).toBeUndefined()
    await change({ role: 'editor', invitation_until: until + HOUR })
    expect(await join(code, anAuthenticator(SITE))).toBeUndefined()
    const own = { code: 'A'.repeat(20), person, role: 'treasurer', from, until } as const
    await change({
      role: 'treasurer',
      invitation_until: until,
      invitation_seal: invitationSeal(createMac('another secret'), own),
    })
    expect(await join(own.code, anAuthenticator(SITE))).toBeUndefined()
    await change({
      role: 'editor',
      invitation_seal: invitationSeal(mac, { ...own, code: code.replace(/-/g, ''), role: 'editor' }),
    })
    expect(await join(code, anAuthenticator(SITE))).toBeDefined()
  })

  it('makes nobody a treasurer', async () => {
    const ana = await first()
    const ben = await invited('editor')
    await test.db.transaction(trx => trx.updateTable('people').set({ role: 'treasurer' }).execute())
    await expect(confirm('a press', ben.key, ben.session)).rejects.toMatchObject(refusal('passkey'))
    await test.db.transaction(trx =>
      trx.updateTable('passkeys').set({ person_id: ben.person }).where('id', '=', ana.key.id).execute(),
    )
    await expect(confirm('a press', ana.key, ben.session)).rejects.toMatchObject(refusal('passkey'))
  })
})
