import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { HOUR_MS } from '#domain/durations.ts'
import { isProblem } from '#domain/problems.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import type { Message } from '#server/modules/letters/message.ts'
import {
  createNewsletter,
  deleteUnconfirmed,
  type Newsletter,
} from '#server/modules/letters/newsletter/newsletter.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const SITE = 'https://cards.example'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let newsletter: Newsletter
let sent: Message[]
let work: () => Promise<unknown>
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  sent = []
  const log = quietLog()
  const newsletterTokens = createTokens('a secret of these tests')
  newsletter = createNewsletter({ db: test.db, keys: testKeys, clock, tokens: newsletterTokens })
  const { handlers } = createMail({
    db: test.db,
    keys: { ...testKeys, renewalKey: () => '' },
    clock,
    log,
    render: async path => `<p>${path}</p>`,
    transport: { send: async message => void sent.push(message), close() {} },
    siteUrl: SITE,
    mailFrom: 'Gifts <gifts@cards.example>',
    siteName: () => 'Keep the Chain',
    contact: () => 'hello@cards.example',
    identity: () => undefined,
    ngoName: id => id,
    newsletterTokens,
  })
  const worker = createWorker({ db: test.db, clock, log, handlers })
  work = () => worker.runDue()
})
afterEach(() => test.close())

function ask(typed: string, changes: { name?: string; phone?: string } = {}) {
  const address = readClaimAddress(typed)
  if (typeof address === 'string') throw new Error(address)
  return newsletter.subscribe({ address, name: 'Ana', phone: undefined, language: 'es', ...changes })
}
const rows = () =>
  test.db.read(db => db.selectFrom('newsletter_subscribers').selectAll().orderBy('asked_at').execute())
const tokenIn = (text: string | undefined, page: string): string =>
  new RegExp(`/es/newsletter/${page}\\?token=(\\w+)`).exec(text ?? '')?.[1] ?? ''
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

describe('a subscription', () => {
  it('waits for the link in the mail, whose page confirms it', async () => {
    await ask('Ana@Example.org', { phone: '+34600000000' })
    await work()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: 'Ana@example.org', subject: 'Confirma tu suscripción' })
    expect((await rows())[0]).toMatchObject({
      status: 'pending',
      text_version: 1,
      asked_at: clock(),
      whatsapp_at: clock(),
      phone: '+34600000000',
      language: 'es',
      confirmed_at: null,
    })
    const token = tokenIn(sent[0]?.text, 'confirm')
    clock.advance(48 * HOUR_MS)
    await newsletter.confirm(token)
    await newsletter.confirm(token)
    expect((await rows())[0]).toMatchObject({ status: 'active', confirmed_at: clock() })
  })

  it('can be left with one click from every mail, by whoever has it, for ever', async () => {
    await ask('ana@example.org')
    await work()
    const { headers = {} } = sent[0] ?? {}
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    const [, link = ''] = /^<(.*)>$/.exec(headers['List-Unsubscribe'] ?? '') ?? []
    expect(link).toMatch(`${SITE}/api/newsletter/unsubscribe?token=`)
    await newsletter.confirm(tokenIn(sent[0]?.text, 'confirm'))
    clock.advance(1_000 * 24 * HOUR_MS)
    await newsletter.unsubscribe(new URL(link).searchParams.get('token') ?? '')
    expect((await rows())[0]).toMatchObject({
      status: 'unsubscribed',
      email: null,
      name: null,
      phone: null,
      unsubscribed_at: clock(),
      text_version: 1,
    })
  })

  it('is not confirmed after 48 hours, by a wrong token, or by the one that leaves', async () => {
    await ask('ana@example.org')
    await work()
    const token = tokenIn(sent[0]?.text, 'confirm')
    const leave = tokenIn(sent[0]?.text, 'unsubscribe')
    for (const wrong of [leave, `${token}0`, token.toUpperCase(), '', 'x'.repeat(66), '\u0000'])
      expect(await codeOf(newsletter.confirm(wrong))).toBe('not-found')
    clock.advance(48 * HOUR_MS + 1)
    expect(await codeOf(newsletter.confirm(token))).toBe('not-found')
    expect((await rows())[0]?.status).toBe('pending')
  })

  it('asked for again sends one mail an hour, and only the newest link confirms', async () => {
    for (let n = 0; n < 5; n++) await ask('ana@example.org')
    await work()
    expect(sent).toHaveLength(1)
    clock.advance(HOUR_MS)
    await ask('ANA@example.org', { name: 'Ana María' })
    await work()
    expect(sent).toHaveLength(2)
    expect(await codeOf(newsletter.confirm(tokenIn(sent[0]?.text, 'confirm')))).toBe('not-found')
    await newsletter.confirm(tokenIn(sent[1]?.text, 'confirm'))
    expect(await rows()).toHaveLength(1)
    expect((await rows())[0]).toMatchObject({ status: 'active', name: 'Ana María' })
  })

  it('asked for again too soon for another mail leaves the link of the last one good', async () => {
    await ask('ana@example.org')
    await work()
    clock.advance(5 * 60_000)
    await ask('ana@example.org', { name: 'Somebody else' })
    await work()
    expect(sent).toHaveLength(1)
    await newsletter.confirm(tokenIn(sent[0]?.text, 'confirm'))
    expect((await rows())[0]).toMatchObject({ status: 'active', name: 'Ana' })
  })

  it('asked for every ten minutes, also after leaving, sends three mails a day', async () => {
    for (let n = 0; n < 6 * 24; n++) {
      await ask('ana@example.org')
      await work()
      await newsletter.unsubscribe(tokenIn(sent[0]?.text, 'unsubscribe'))
      clock.advance(10 * 60_000)
    }
    expect(sent).toHaveLength(3)
    await ask('ana@example.org')
    await work()
    expect(sent).toHaveLength(4)
    await newsletter.confirm(tokenIn(sent[3]?.text, 'confirm'))
    expect((await rows())[0]).toMatchObject({ status: 'active' })
  })

  it('that is active is changed by nobody who types its address, and writes to nobody', async () => {
    await ask('ana@example.org')
    await work()
    await newsletter.confirm(tokenIn(sent[0]?.text, 'confirm'))
    clock.advance(2 * HOUR_MS)
    await ask('ana@example.org', { name: 'Somebody else' })
    await work()
    expect(sent).toHaveLength(1)
    expect((await rows())[0]).toMatchObject({ status: 'active', name: 'Ana' })
  })

  it('that was left can be asked for anew', async () => {
    await ask('ana@example.org')
    await work()
    await newsletter.unsubscribe(tokenIn(sent[0]?.text, 'unsubscribe'))
    clock.advance(HOUR_MS)
    await ask('ana@example.org')
    await work()
    await newsletter.confirm(tokenIn(sent[1]?.text, 'confirm'))
    expect((await rows())[0]).toMatchObject({ status: 'active', unsubscribed_at: null })
  })

  it('that nobody confirms is not kept', async () => {
    await ask('ana@example.org')
    clock.advance(24 * HOUR_MS)
    await ask('eva@example.org')
    clock.advance(24 * HOUR_MS + 1)
    expect(await deleteUnconfirmed(test.db, clock())).toBe(1)
    expect((await rows()).map(({ email }) => email)).toEqual(['eva@example.org'])
  })

  it('asked for fifty times at once is one', async () => {
    await Promise.all(Array.from({ length: 50 }, () => ask('ana@example.org')))
    await work()
    expect([await rows(), sent].map(({ length }) => length)).toEqual([1, 1])
  })
})
