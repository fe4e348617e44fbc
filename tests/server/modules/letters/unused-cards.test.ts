import { afterEach, beforeEach, expect, it } from 'vitest'
import { autoDonateAt } from '#domain/card/term.ts'
import { LANGUAGES, type Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { newId } from '#server/platform/db/ids.ts'
import { enqueue } from '#server/platform/outbox/enqueue.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { CREATED_AT, inviteFor, type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const SITE = 'https://cards.example'
const clock = fakeClock()

let test: TestDatabase
let sent: (Message & { readonly page: string })[]
beforeEach(async () => {
  test = await openTestDatabase()
  clock.set(CREATED_AT)
  sent = []
})
afterEach(() => test.close())

const sell = (changes: Parameters<typeof sellCard>[1] = {}) =>
  test.db.transaction(trx => sellCard(trx, changes))
const queue = (kind: string, cardId: string | null, invitationId: string | null = null) =>
  test.db.transaction(trx =>
    enqueue(trx, {
      kind,
      dedupeKey: `${kind}:${Math.random()}`,
      payload: { cardId, invitationId },
      runAt: clock(),
    }),
  )

/** Sends what is queued. */
async function work(): Promise<void> {
  let page = ''
  const { handlers } = createMail({
    db: test.db,
    keys: testKeys,
    clock,
    log: quietLog(),
    render: async (path, locals) => {
      page = path
      return JSON.stringify((locals as { mail: MailData }).mail)
    },
    transport: { send: async message => void sent.push({ ...message, page }), close() {} },
    siteUrl: SITE,
    mailFrom: 'Keep the Chain <cards@cards.example>',
    siteName: language => `Name in ${language}`,
    contact: () => 'hello@cards.example',
    identity: () => undefined,
    newsletterTokens: createTokens('a secret'),
    ngoName: (id, language) => `${id} in ${language}`,
  })
  await createWorker({ db: test.db, clock, handlers, log: quietLog() }).runDue()
}

const linksOf = ({ privateKey, publicKey, cardId }: SoldCard) => [
  `#${privateKey}`,
  `#${publicKey}`,
  `${SITE}/new-links/${cardId}/${testKeys.renewalKey(cardId, 1)}`,
]

it.each([
  ['es', 'Tu tarjeta regalo sigue sin usarse', '10\u00a0de\u00a0marzo de 2027'],
  ['en', 'Your gift card has not been used yet', 'March\u00a010, 2027'],
  ['fr', 'Votre carte cadeau n’a pas encore servi', '10\u00a0mars 2027'],
] as const)('a reminder says until when, with the link once more: %s', async (language, subject, date) => {
  const card = await sell({ language })
  await queue('reminder', card.cardId)
  await work()
  expect(sent).toHaveLength(1)
  const [mail] = sent
  expect(mail).toMatchObject({ to: 'buyer@example.org', subject, page: '/internal/mail' })
  for (const part of [mail!.html, mail!.text]) {
    expect(part).toContain(date)
    expect(part).toContain(`${SITE}/g/palestine/${language}#${card.privateKey}`)
  }
})

it.each(LANGUAGES)('the first, the second and the last reminder say different things: %s', async language => {
  const card = await sell({ language })
  for (const which of ['first', 'second', 'last'] as const)
    await test.db.transaction(trx =>
      enqueue(trx, {
        kind: 'reminder',
        dedupeKey: which,
        payload: { cardId: card.cardId, which },
        runAt: clock(),
      }),
    )
  await work()
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ subject }) => subject)).size).toBe(3)
  expect(sent.filter(({ subject }) => /Último|Last|Dernier/.test(subject))).toHaveLength(1)
  // The last one may come half a year before the end, where an operator sets so.
  for (const { html } of sent) expect(html).not.toMatch(/few days|pocos días|quelques jours/)
})

it('of two reminders that had to wait, the nearer one alone is sent', async () => {
  const card = await sell()
  const remind = (days: number, which: 'first' | 'last') =>
    test.db.transaction(trx =>
      enqueue(trx, {
        kind: 'reminder',
        dedupeKey: `${days}`,
        payload: { cardId: card.cardId, which, days },
        runAt: clock(),
      }),
    )
  // Half an hour before the morning of the second one.
  clock.set(autoDonateAt(CREATED_AT) - 8 * 86_400_000 + 8.5 * 3_600_000)
  await remind(30, 'first')
  await work()
  expect(sent).toHaveLength(1)
  await remind(31, 'first')
  clock.advance(3_600_000)
  await remind(7, 'last')
  await work()
  expect(sent).toHaveLength(2)
  expect(sent[1]?.subject).toMatch(/Último|Last|Dernier/)
})

it('a reminder is not sent for a card that was used, frozen or forgotten meanwhile', async () => {
  for (const change of [`status = 'consumed'`, `status = 'frozen'`, 'email = null']) {
    const card = await sell()
    await test.plant(`update cards set ${change} where id = '${card.cardId}'`)
    await queue('reminder', card.cardId)
  }
  await queue('reminder', 'nobody')
  await work()
  expect(sent).toEqual([])
})

it.each(LANGUAGES)(
  'what became of a card nobody used is told with the name and the amount: %s',
  async language => {
    const card = await sell({ language })
    clock.set(autoDonateAt(CREATED_AT))
    await autoDonateSome({
      db: test.db,
      keys: testKeys,
      clock,
      draw: () => 1,
      listedNgoIds: () => ['cerf', 'msf'],
    })
    await work()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.text).toContain(`msf in ${language}`)
    expect(sent[0]?.text).toMatch(/50/)
    expect(sent[0]?.text).not.toContain(card.privateKey)
  },
)

it.each([
  ['msf', / msf in en -+ It will receive €50: it is the organization that you named/],
  [
    'gone',
    / msf in en -+ It will receive €50\. It was drawn .+ The one you named .+ no longer on the list: gone in en\./,
  ],
])('says what became of the organisation that the buyer named: %s', async (fallback_ngo_id, said) => {
  await sell({ language: 'en', fallback_ngo_id })
  clock.set(autoDonateAt(CREATED_AT))
  const listedNgoIds = () => ['cerf', 'msf']
  await autoDonateSome({ db: test.db, keys: testKeys, clock, draw: () => 1, listedNgoIds })
  await work()
  expect(sent[0]?.text.replace(/\s+/g, ' ')).toMatch(said)
})

it('a name that another hand wrote is told in no letter', async () => {
  const card = await sell({ language: 'en' })
  await test.plant(`update orders set fallback_ngo_id = 'msf' where id = '${card.orderId}'`)
  await queue('reminder', card.cardId)
  await queue('lost-links', card.cardId)
  await queue('confirmation', card.cardId)
  await work()
  clock.set(autoDonateAt(CREATED_AT))
  const listedNgoIds = () => ['cerf', 'msf']
  await autoDonateSome({ db: test.db, keys: testKeys, clock, draw: () => 0, listedNgoIds })
  await work()
  expect(sent).toHaveLength(4)
  for (const { text } of sent) expect(text).not.toContain('msf in en')
})

it('a reminder that waited until the last day was over is not sent', async () => {
  const card = await sell()
  await queue('reminder', card.cardId)
  clock.set(autoDonateAt(CREATED_AT))
  await work()
  expect(sent).toEqual([])
})

it.each(LANGUAGES)('a reminder says to whom the credit goes, as its buyer asked: %s', async language => {
  const card = await sell({ language, fallback_ngo_id: 'msf' })
  await queue('reminder', card.cardId)
  await work()
  // Behind a word for it, since the names of some have an article that stands in no field.
  const said: Readonly<Partial<Record<Language, string>>> = {
    es: 'irá a la organización que elegiste: msf in es.',
    en: 'goes to the organization that you named: msf in en.',
    fr: 'ira à l’organisation que vous avez nommée\u00a0: msf in fr.',
  }
  for (const part of [sent[0]!.html!, sent[0]!.text])
    expect(part.replace(/[ \n]+/g, ' ')).toContain(said[language] ?? `msf in ${language}`)
})

it('lost links are those of every unused card of the address, the newest first, and no other’s', async () => {
  const address = (email: string, created_at: number, language: Language = 'en') =>
    sell({ email, created_at, language })
  const older = await address('Buyer@Example.org', CREATED_AT - 1)
  const newer = await address('buyer@example.org', CREATED_AT, 'fr')
  const used = await address('buyer@example.org', CREATED_AT)
  const others = await address('other@example.org', CREATED_AT)
  await test.plant(`update cards set status = 'consumed' where id = '${used.cardId}'`)
  await queue('lost-links', older.cardId)
  await work()
  expect(sent).toHaveLength(1)
  const [mail] = sent
  expect(mail).toMatchObject({ to: 'buyer@example.org', subject: 'Les liens de vos cartes cadeaux' })
  for (const part of [mail!.html!, mail!.text]) {
    for (const link of [...linksOf(older), ...linksOf(newer)]) expect(part).toContain(link)
    // Each in the language that its card was bought in.
    expect(part).toContain(`${SITE}/g/palestine/en#${older.privateKey}`)
    expect(part).toContain(`${SITE}/g/palestine/fr#${newer.publicKey}/passport`)
    expect(part.indexOf(newer.privateKey)).toBeLessThan(part.indexOf(older.privateKey))
    for (const card of [used, others]) for (const link of linksOf(card)) expect(part).not.toContain(link)
  }
})

it('lost links are those of its invitations too, also when it bought nothing else', async () => {
  const { cardId, key } = await test.db.transaction(trx => inviteFor(trx, { email: 'giver@example.org' }))
  await test.db.transaction(trx => inviteFor(trx, { email: 'other@example.org' }))
  await queue('lost-links', null, cardId)
  await work()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ to: 'giver@example.org' })
  for (const part of [sent[0]!.html!, sent[0]!.text]) {
    expect(part).toContain(`${SITE}/g/palestine/es/invitation#${key}`)
    expect(part).toContain(`/new-links/${cardId}/${testKeys.renewalKey(cardId, 1)}`)
  }
})

it('a withdrawal of a named order is linked however many were bought since, of either kind', async () => {
  const email = 'buyer@example.org'
  const oldest = await sell({ created_at: CREATED_AT - 60_000, settled_at: CREATED_AT - 60_000 })
  const invitation = await test.db.transaction(trx => inviteFor(trx, { email }))
  const others = [await sell({ email: 'other@example.org' })]
  for (let n = 0; n < 20; n++) others.push(await sell())
  const stated = async (order_id: string | null) => {
    sent = []
    const id = newId(clock())
    const row = {
      id,
      address: 'x',
      order_id,
      name: 'Aina',
      email,
      language: 'en',
      created_at: clock(),
    } as const
    await test.db.transaction(async trx => {
      await trx.insertInto('withdrawal_statements').values(row).execute()
      const payload = { statementId: id }
      await enqueue(trx, { kind: 'withdrawal-links', dedupeKey: id, payload, runAt: clock() })
    })
    await work()
    return new Set([...(sent[0]?.text ?? '').matchAll(/\/withdraw\/(\w+)\//g)].map(([, order]) => order))
  }
  for (const { orderId } of [oldest, invitation]) expect([...(await stated(orderId))]).toEqual([orderId])
  const ofAll = await stated(null)
  expect(ofAll).not.toContain(oldest.orderId)
  // An order of somebody else is as good as none.
  expect(await stated(others[0]!.orderId)).toEqual(ofAll)
})

it('an address that bought nothing gets no mail', async () => {
  await sell()
  await queue('lost-links', null)
  await work()
  expect(sent).toEqual([])
  const [job] = await test.db.read(db => db.selectFrom('jobs').select(['done_at', 'failed_reason']).execute())
  expect(job).toEqual({ done_at: clock(), failed_reason: null })
})
