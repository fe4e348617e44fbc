import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '#domain/languages.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { money } from '#domain/money/money.ts'
import { lettersOf } from '#domain/payment/document-number.ts'
import { getT } from '#i18n/index.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { numberRefund, numberSale } from '#server/modules/ledger/receipts.ts'
import { createFileTransport } from '#server/modules/letters/file-transport.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import type { MailParts } from '#server/modules/letters/parts.ts'
import { createSmtpTransport } from '#server/modules/letters/smtp-transport.ts'
import type { MailTransport } from '#server/modules/letters/transport.ts'
import type { Log } from '#server/platform/log.ts'
import { enqueue } from '#server/platform/outbox/enqueue.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { anOrder, createOne } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts'

const BUYER = 'buyer@example.org'
const BOUGHT_AT = Date.parse('2026-03-10T09:00:00Z')
const keys = createCardKeys('a secret of the tests that is long enough')

let database: TestDatabase
let sink: SmtpSink
let dir: string
let lines: string[]
let clock: ReturnType<typeof fakeClock>

beforeEach(async () => {
  database = await openTestDatabase()
  sink = await startSmtpSink()
  dir = await mkdtemp(join(tmpdir(), 'mail-'))
  lines = []
  clock = fakeClock(BOUGHT_AT)
})
afterEach(async () => {
  await database.close()
  await sink.close()
  await rm(dir, { recursive: true, force: true })
})

/** Everything the server says of itself, unmasked. */
const log: Log = {
  info: (event, facts) => void lines.push(JSON.stringify({ event, facts })),
  error: (event, error, facts) =>
    void lines.push(JSON.stringify({ event, facts, error: error instanceof Error ? error.stack : error })),
}

/** Stands for the site: the page's own words are the browser tests' to look at. */
const render: MailParts['render'] = async (path, locals) => {
  const { mail } = locals as { mail: MailData }
  const links = mail.sections.flatMap(({ copy, buttons = [] }) => [
    copy ?? '',
    ...buttons.map(({ url }) => url),
  ])
  return `<!doctype html><title>${path}</title>${links.map(url => `<a href="${url}"></a>`).join('')}`
}

/** A paid order's card with its confirmation queued, as settling leaves them. */
async function aCardToConfirm({
  email = BUYER as string | null,
  language = 'es' as Language,
  isNumbered = false,
} = {}) {
  const order = anOrder({ status: 'paid', settled_at: BOUGHT_AT, language })
  return database.db.transaction(async trx => {
    await trx.insertInto('orders').values(order).execute()
    if (isNumbered) {
      const { id: orderId, total_amount: amount } = order
      // What went back has a number of its own, which is not that of the purchase.
      await numberRefund(trx, { orderId, back: 1, at: BOUGHT_AT })
      await numberSale(trx, { orderId, amount, at: BOUGHT_AT })
    }
    const card = await createOne(trx, keys, {
      orderId: order.id,
      themeId: 'palestine',
      senderName: 'Aina',
      language,
      credit: money(5_000, 'EUR'),
      email,
      createdAt: BOUGHT_AT,
    })
    const payload = { cardId: card.cardId }
    const dedupeKey = `confirmation:${card.cardId}`
    await enqueue(trx, { kind: 'confirmation', dedupeKey, payload, runAt: BOUGHT_AT })
    return { ...card, orderId: order.id }
  })
}

function aWorker(transport: MailTransport, changes: Partial<MailParts> = {}) {
  const mail = createMail({
    db: database.db,
    keys,
    clock,
    render,
    transport,
    siteUrl: 'https://cards.example',
    mailFrom: 'Keep the Chain <cards@cards.example>',
    siteName: language => `Name in ${language}`,
    contact: () => 'hello@cards.example',
    identity: () => undefined,
    newsletterTokens: createTokens('a secret'),
    ngoName: id => id,
    log,
    ...changes,
  })
  return createWorker({ db: database.db, clock, handlers: mail.handlers, log })
}

const theJob = () => database.db.read(db => db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow())
const kept = async () => (await readdir(dir)).filter(name => name.endsWith('.eml'))

describe('the confirmation mail', () => {
  it.each([
    ['es', 'Tu tarjeta regalo está lista'],
    ['en', 'Your gift card is ready'],
    ['fr', 'Votre carte cadeau est prête'],
  ] as const)(
    'goes to the address of the payment, in the language of the order: %s',
    async (language, subject) => {
      const card = await aCardToConfirm({ language })
      await aWorker(createFileTransport(dir)).runDue()
      const [name = ''] = await kept()
      const mail = await PostalMime.parse(await readFile(join(dir, name)))
      expect(mail.to).toEqual([{ name: '', address: BUYER }])
      expect(mail.subject).toBe(subject)
      expect(mail.html).toContain('<title>/internal/mail</title>')
      for (const part of [mail.html, mail.text]) {
        expect(part).toContain(`https://cards.example/g/palestine/${language}#${card.privateKey}`)
        expect(part).toContain(`https://cards.example/g/palestine/${language}#${card.publicKey}`)
      }
      expect(mail.text).toContain('Aina')
      expect(mail.text).toContain(`Name in ${language}`)
      expect(mail.text?.replace(/[\u00a0\u202f]/g, ' ')).toMatch(/50[.,]00.*3[.,]95.*1[.,]05.*55[.,]00/s)
      expect(await theJob()).toMatchObject({ done_at: clock(), failed_reason: null })
    },
  )

  it.each(LANGUAGES)('is a receipt by its number, the same when it is sent again, in %s', async language => {
    await aCardToConfirm({ language })
    const { cardId, orderId } = await aCardToConfirm({ language, isNumbered: true })
    await aWorker(createFileTransport(dir)).runDue()
    await database.db.transaction(trx =>
      enqueue(trx, { kind: 'confirmation', dedupeKey: 'again', payload: { cardId }, runAt: clock() }),
    )
    await aWorker(createFileTransport(dir)).runDue()
    const mails = await Promise.all(
      (await kept()).map(async name => (await PostalMime.parse(await readFile(join(dir, name)))).text ?? ''),
    )
    const said = getT(language)('mail-amounts-receipt', { number: `S2026-000001-${lettersOf(orderId)}` })
    expect(mails.map(text => text.includes(said)).sort()).toEqual([false, true, true])
  })

  it('leaves no key and no address in the log or in the jobs', async () => {
    const card = await aCardToConfirm()
    await aWorker(createFileTransport(dir)).runDue()
    for (const text of [lines.join('\n'), JSON.stringify(await theJob())]) {
      for (const secret of [card.privateKey, card.publicKey, BUYER]) expect(text).not.toContain(secret)
    }
  })

  it.each([null, 'nobody', 'a@example.org, b@example.org'])(
    'is given up for good when the address is %j, and logged without it',
    async email => {
      await aCardToConfirm({ email })
      const worker = aWorker(createSmtpTransport(sink.url))
      await worker.runDue()
      expect(await theJob()).toMatchObject({ done_at: clock(), failed_reason: 'invalid-address' })
      clock.advance(30 * 86_400_000)
      expect(await worker.runDue()).toBe(0)
      expect(sink.mails).toHaveLength(0)
      expect(lines.join('\n')).toContain('invalid-address')
      if (email !== null) expect(lines.join('\n')).not.toContain(email)
    },
  )

  it.each(['frozen', 'revoked'] as const)('is not sent for a card that is %s by then', async status => {
    await aCardToConfirm()
    await database.db.transaction(trx => trx.updateTable('cards').set({ status }).execute())
    await aWorker(createSmtpTransport(sink.url)).runDue()
    expect(sink.mails).toHaveLength(0)
    expect(await theJob()).toMatchObject({ done_at: clock(), failed_reason: 'card-not-found' })
  })

  it('waits when the page cannot be rendered', async () => {
    await aCardToConfirm()
    let isBroken = true
    const worker = aWorker(createSmtpTransport(sink.url), {
      render: (path, locals) => (isBroken ? Promise.reject(new Error('500')) : render(path, locals)),
    })
    await worker.runDue()
    expect(sink.mails).toHaveLength(0)
    isBroken = false
    clock.advance(30_000)
    await worker.runDue()
    expect(sink.mails).toHaveLength(1)
  })
})

describe('a mail server', () => {
  it('gets the mail once, from the site to the buyer alone', async () => {
    const card = await aCardToConfirm()
    const worker = aWorker(createSmtpTransport(sink.url))
    await worker.runDue()
    clock.advance(86_400_000)
    await worker.runDue()
    expect(sink.mails).toHaveLength(1)
    expect(sink.mails[0]).toMatchObject({ from: 'cards@cards.example', to: [BUYER] })
    const mail = await PostalMime.parse(sink.mails[0]?.data ?? '')
    expect(mail.text).toContain(card.privateKey)
    expect(mail.headerLines.map(({ line }) => line).join('\n')).not.toContain(card.privateKey)
  })

  it('that is down is tried again after 30 s, then 60 s, and gets the mail once it is back', async () => {
    await aCardToConfirm()
    const { port, url } = sink
    await sink.close()
    const worker = aWorker(createSmtpTransport(url))
    await worker.runDue()
    expect(await theJob()).toMatchObject({
      done_at: null,
      failed_reason: 'smtp-ESOCKET',
      run_at: clock() + 30_000,
    })
    clock.advance(29_999)
    expect(await worker.runDue()).toBe(0)
    clock.advance(1)
    expect(await worker.runDue()).toBe(1)
    expect((await theJob()).run_at).toBe(clock() + 60_000)

    sink = await startSmtpSink(port)
    clock.advance(60_000)
    await worker.runDue()
    clock.advance(86_400_000)
    expect(await worker.runDue()).toBe(0)
    expect(sink.mails).toHaveLength(1)
    expect(await theJob()).toMatchObject({ failed_reason: null, attempts: 3 })
  })

  it.each([
    ['not now', '450 4.2.1 buyer@example.org is busy', null],
    ['not from us', '550 5.7.1 relaying buyer@example.org denied', null],
    ['no such mailbox', '550 5.1.1 buyer@example.org unknown', BOUGHT_AT],
  ])(
    'that says %s is asked again unless that is final, and its words are kept nowhere',
    async (_says, reply, doneAt) => {
      await aCardToConfirm()
      sink.refuseRecipients(reply)
      await aWorker(createSmtpTransport(sink.url)).runDue()
      expect(await theJob()).toMatchObject({ done_at: doneAt, failed_reason: `smtp-${reply.slice(0, 3)}` })
      expect(lines.join('\n') + JSON.stringify(await theJob())).not.toContain(BUYER)
    },
  )

  it('elsewhere that offers no encryption is given nothing, and asked again', async () => {
    await aCardToConfirm()
    // This machine under a name that says nothing of it.
    await aWorker(createSmtpTransport(sink.url.replace('127.0.0.1', '127.1'))).runDue()
    expect(sink.heard).toEqual(['EHLO', 'STARTTLS'])
    expect(sink.mails).toEqual([])
    expect(await theJob()).toMatchObject({ done_at: null, failed_reason: 'smtp-502' })
  })

  it('that takes the mail but is cut off before it says so gets it again under the same Message-ID', async () => {
    await aCardToConfirm()
    sink.hangUpAfterNextMail()
    const worker = aWorker(createSmtpTransport(sink.url))
    await worker.runDue()
    clock.advance(30_000)
    await worker.runDue()
    const mails = await Promise.all(sink.mails.map(({ data }) => PostalMime.parse(data)))
    expect(mails).toHaveLength(2)
    expect(mails[0]?.messageId).toBe(mails[1]?.messageId)
  })
})

describe('the folder of mails', () => {
  it('holds one file when the server dies between sending and writing that down', async () => {
    await aCardToConfirm()
    const files = createFileTransport(dir)
    const dying: MailTransport = {
      close: () => {},
      async send(message) {
        await files.send(message)
        throw new Error('killed')
      },
    }
    await aWorker(dying).runDue()
    expect(await theJob()).toMatchObject({ done_at: null })
    clock.advance(30_000)
    await aWorker(files).runDue()
    expect(await kept()).toHaveLength(1)
    expect(await theJob()).toMatchObject({ done_at: clock(), failed_reason: null })
  })

  it('holds a second mail when the buyer asks for another', async () => {
    const { cardId } = await aCardToConfirm()
    const payload = { cardId }
    await database.db.transaction(trx =>
      enqueue(trx, {
        kind: 'confirmation',
        dedupeKey: `confirmation:${cardId}:2`,
        payload,
        runAt: BOUGHT_AT,
      }),
    )
    await aWorker(createFileTransport(dir)).runDue()
    expect(await kept()).toHaveLength(2)
  })
})
