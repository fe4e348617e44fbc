import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { ADVICE_DAYS, MOST_RECEIPT_BYTES } from '#domain/payout/advice.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { MailFailure } from '#server/modules/letters/failure.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { advise, advisedPayouts, withdrawAdvice } from '#server/modules/payouts/advices/advices.ts'
import { receiptsFolder } from '#server/modules/payouts/advices/receipt-files.ts'
import { createReceivedPayouts } from '#server/modules/payouts/advices/received.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { createPayout, markPaid, markUnpaid, type Payout, payouts } from '#server/modules/payouts/payouts.ts'
import { backup } from '#server/ops/backup.ts'
import type { Tools } from '#server/ops/command.ts'
import { payout as payoutCommand } from '#server/ops/payout.ts'
import { restore } from '#server/ops/restore.ts'
import type { Database } from '#server/platform/db/database.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

const PDF = Buffer.from('%PDF-1.7\nreceipt')
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let folder: string
let payout: Payout
beforeEach(async () => {
  test = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'gc-advices-'))
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  await give()
  clock.advance(3 * DAY_MS)
  await give()
  await haveAccount()
  clock.advance(DAY_MS)
  payout = await createPayout(test.db, { ngoId: 'msf', currency: 'EUR' }, clock())
})
afterEach(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

async function give(ngoId = 'msf'): Promise<void> {
  const card = await test.db.transaction(trx => sellCard(trx))
  const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => [ngoId] })
  await cards.redeem(card.privateKey, [{ ngoId, points: 50 }])
}

async function haveAccount(contact = 'money@msf.example'): Promise<void> {
  const typed = { ngoId: 'msf', legalName: 'MSF', language: 'es', iban: 'ES9121000418450200051332' } as const
  await proposePayee(test.db, testKeys, { ...typed, contact }, clock())
  await sendMails()
  clock.advance(DAY_MS)
  await confirmPayee(test.db, testKeys, { ngoId: 'msf', who: 'Aina', how: 'phone' }, clock())
}

const pay = (db: Database = test.db) =>
  markPaid(db, { id: payout.id, reference: 'SEPA 1' }, clock(), testKeys)
const listed = async () => (await test.db.read(advisedPayouts))[0]!
const received = () => createReceivedPayouts({ db: test.db, keys: testKeys, clock, dataDir: folder })
const findings = () => checkLedger(test.db, { keys: testKeys, now: clock() })
const files = () => {
  try {
    return readdirSync(receiptsFolder(folder))
  } catch {
    return []
  }
}

interface Sent {
  readonly to: string
  readonly mail: MailData
}

/** Sends what waits in the outbox. */
async function sendMails(failure?: MailFailure): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const push = ({ to, html }: Message): void => {
    if (failure) throw failure
    sent.push({ to: String(to), mail: JSON.parse(html ?? '') as MailData })
  }
  await letterWorker({ db: test.db, clock }, { push }).runDue()
  // Givers are told that their gifts were used.
  return sent.filter(({ to }) => to !== 'buyer@example.org')
}

/** The id and the key of the link in a mail. */
function linkIn({ mail }: Sent): readonly [string, string] {
  const url = mail.sections.flatMap(({ buttons = [] }) => buttons)[0]!.url
  const [, id = '', key = ''] = /\/received\/(\w+)\/(\w+)\?lang=es$/.exec(url) ?? []
  return [id, key]
}

async function paidAndTold(): Promise<readonly [string, string]> {
  await pay()
  return linkIn((await sendMails())[0]!)
}

describe('the mail about a payout', () => {
  it('goes once to the contact in its language, with amount, reference, time and number of gifts, and no secret of any gift', async () => {
    await pay()
    await pay()
    const [sent, ...more] = await sendMails()
    expect(more).toEqual([])
    expect(await sendMails()).toEqual([])
    expect(sent).toMatchObject({ to: 'money@msf.example', mail: { language: 'es' } })
    const text = JSON.stringify(sent!.mail)
    for (const part of [
      '100,00',
      'EUR',
      'SEPA 1',
      payout.id,
      'Número de regalos: 2.',
      'Dado del 10\u00a0de\u00a0marzo de 2026 al 13\u00a0de\u00a0marzo',
    ])
      expect(text).toContain(part)
    const gifts = await test.db.read(db => db.selectFrom('cards').selectAll().execute())
    for (const { id, private_digest, public_digest, email, sender_name } of gifts)
      for (const secret of [id, private_digest, public_digest, email, sender_name].filter(Boolean))
        expect(text).not.toContain(secret)
    expect(await findings()).toEqual([])
  })

  it('holds a key that neither the database nor its outbox has', async () => {
    const [id, key] = await paidAndTold()
    expect(key).toMatch(/^[a-z2-7]{32}$/)
    expect(id).not.toBe('')
    expect(await test.dump()).not.toContain(key)
  })

  it('is queued with the payment or not at all, killed at any statement', async () => {
    for (let step = 1; ; step++) {
      const mortal = diesAt(step)
      const outcome = await pay(mortal.over(test.db)).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Killed)
      const { status } = await test.db.read(db =>
        db.selectFrom('payouts').select('status').where('id', '=', payout.id).executeTakeFirstOrThrow(),
      )
      const queued = await test.db.read(db =>
        db.selectFrom('jobs').select('id').where('kind', '=', 'payout-advice').execute(),
      )
      expect(queued).toHaveLength(status === 'paid' ? 1 : 0)
      expect(await findings()).toEqual([])
      if (mortal.survived()) break
    }
    await pay()
    expect(await sendMails()).toHaveLength(1)
  })

  it('is tried again with the same link when the mail server was away', async () => {
    await pay()
    expect(await sendMails(new MailFailure('smtp-450', false))).toEqual([])
    expect(await listed()).toMatchObject({ fate: 'waiting' })
    clock.advance(3_600_000)
    const [sent] = await sendMails()
    const [id, key] = linkIn(sent!)
    expect(await received().open(id, key)).toMatchObject({ gifts: 2, receivedAt: null })
    expect(await listed()).toMatchObject({ fate: 'sent' })
  })

  it('is given up where its address is refused for good, which is seen', async () => {
    await pay()
    await sendMails(new MailFailure('smtp-550', true))
    expect(await listed()).toMatchObject({ fate: 'given-up', receivedAt: null })
  })

  it('is written to nobody where the account has another hand’s contact, and the payout is paid all the same', async () => {
    await test.plant(`update payee_accounts set contact = 'thief@example.org'`)
    expect(await pay()).toMatchObject({ status: 'paid' })
    expect(await sendMails()).toEqual([])
    expect(await listed()).toMatchObject({ fate: 'none' })
    await expect(advise(test.db, testKeys, payout.id, clock())).rejects.toThrow('Nobody at msf')
  })

  it('waits where that was done after it was queued', async () => {
    await pay()
    await test.plant(`update payee_accounts set contact = 'thief@example.org'`)
    expect(await sendMails()).toEqual([])
    expect(await listed()).toMatchObject({ fate: 'waiting' })
  })
})

describe('a link that went astray', () => {
  it('is dead once withdrawn, and the next mail goes to the right address with another link', async () => {
    const [id, key] = await paidAndTold()
    await withdrawAdvice(test.db, payout.id, clock())
    await withdrawAdvice(test.db, payout.id, clock())
    await expect(received().open(id, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    await expect(received().confirm(id, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    await haveAccount('right@msf.example')
    await advise(test.db, testKeys, payout.id, clock())
    expect((await advise(test.db, testKeys, payout.id, clock())).isNew).toBe(false)
    const sent = (await sendMails()).filter(({ to }) => to === 'right@msf.example')
    expect(sent).toHaveLength(1)
    const [other, otherKey] = linkIn(sent[0]!)
    expect(other).not.toBe(id)
    await received().confirm(other, otherKey)
    expect(await listed()).toMatchObject({ receivedAt: clock() })
  })

  it('is not sent any more where it was not sent yet', async () => {
    await pay()
    await withdrawAdvice(test.db, payout.id, clock())
    expect(await sendMails()).toEqual([])
  })

  it('has what was confirmed with it count no more', async () => {
    const [id, key] = await paidAndTold()
    await received().confirm(id, key, PDF)
    await withdrawAdvice(test.db, payout.id, clock())
    expect(await listed()).toMatchObject({ fate: 'none', receivedAt: null, receipt: undefined })
  })

  it('is one of a payout at most, also where two ask at once', async () => {
    await markPaid(test.db, { id: payout.id, reference: 'SEPA 1' }, clock())
    const dbs = [test.db, await test.another()]
    const made = await Promise.all(dbs.map(db => advise(db, testKeys, payout.id, clock())))
    expect(made.map(({ isNew }) => isNew).sort()).toEqual([false, true])
    expect(await sendMails()).toHaveLength(1)
  })
})

describe('a confirmation', () => {
  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'stands where somebody takes back at the same moment that the bank has paid',
    async () => {
      const [id] = await paidAndTold()
      const another = await test.another()
      const [isWritten, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const receiving = another.transaction(async trx => {
        await trx.updateTable('payout_advices').set({ received_at: clock() }).where('id', '=', id).execute()
        isWritten.resolve()
        await mayEnd.promise
      })
      await isWritten.promise
      // It has read that nothing was said, and waits for the row.
      const takenBack = markUnpaid(test.db, payout.id, clock()).then(
        () => 'done',
        ({ rule }) => rule,
      )
      const waiting = () =>
        another.read(async reader => {
          const { n } = await reader
            .selectFrom('payouts')
            .select(
              sql<number>`(select count(*)::int from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock')`.as('n'),
            )
            .executeTakeFirstOrThrow()
          return n
        })
      await expect.poll(waiting).toBeGreaterThan(0)
      mayEnd.resolve()
      await receiving
      expect(await takenBack).toBe('received')
      expect(await listed()).toMatchObject({ receivedAt: clock() })
      expect((await test.db.read(db => payouts(db))).map(({ status }) => status)).toEqual(['paid'])
    },
  )

  it('takes a press, keeps the receipt for its owner only, and changes nothing the second time', async () => {
    const [id, key] = await paidAndTold()
    const before = await test.dump()
    expect(await received().open(id, key)).toMatchObject({ receivedAt: null, hasReceipt: false })
    expect(await test.dump()).toBe(before)
    expect(await received().confirm(id, key, PDF)).toMatchObject({ receivedAt: clock(), hasReceipt: true })
    const at = clock()
    clock.advance(DAY_MS)
    expect(await received().confirm(id, key, PNG)).toMatchObject({ receivedAt: at })
    const [file, ...more] = files()
    expect(more).toEqual([])
    const path = join(receiptsFolder(folder), file!)
    expect(readFileSync(path)).toEqual(PDF)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(receiptsFolder(folder)).mode & 0o777).toBe(0o700)
  })

  it('is one of two that are sent at once, with its own receipt', async () => {
    const [id, key] = await paidAndTold()
    const other = createReceivedPayouts({ db: await test.another(), keys: testKeys, clock, dataDir: folder })
    await Promise.all([received().confirm(id, key, PDF), other.confirm(id, key, PNG)])
    const { receipt } = await listed()
    expect(files()).toEqual([`${id}-${receipt!.receipt_digest!.slice(0, 16)}.${receipt!.receipt_kind}`])
  })

  it.each<readonly [string, Buffer, string]>([
    ['a page', Buffer.from('<html><script>1</script>'), 'kind'],
    ['a program that calls itself a PDF further on', Buffer.from('MZ %PDF-1.7'), 'kind'],
    ['more than 5 MB', Buffer.concat([PDF, Buffer.alloc(MOST_RECEIPT_BYTES)]), 'large'],
  ])('takes no receipt that is %s, and is not made', async (_, bytes, fault) => {
    const [id, key] = await paidAndTold()
    expect(await received().confirm(id, key, bytes)).toMatchObject({ fault, receivedAt: null })
    expect(files()).toEqual([])
  })

  it('is refused with every wrong key, and once its days are over', async () => {
    const [id, key] = await paidAndTold()
    for (const [otherId, otherKey] of [
      [id, testKeys.adviceKey('another', 1)],
      [id, ''],
      ['nothing', key],
      ['\0', key],
    ] as const)
      await expect(received().confirm(otherId, otherKey)).rejects.toMatchObject({ code: 'payment-not-found' })
    clock.advance(ADVICE_DAYS * DAY_MS)
    await expect(received().confirm(id, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(await listed()).toMatchObject({ receivedAt: null })
  })

  it('killed between the file and its row leaves a press that can be repeated', async () => {
    const [id, key] = await paidAndTold()
    for (let step = 1; ; step++) {
      const mortal = diesAt(step)
      const parts = { db: mortal.over(test.db), keys: testKeys, clock, dataDir: folder }
      await createReceivedPayouts(parts)
        .confirm(id, key, PDF)
        .catch(() => undefined)
      const { receipt } = await listed()
      if (receipt) expect(files()).toHaveLength(1)
      if (mortal.survived()) break
    }
    expect(await received().confirm(id, key, PDF)).toMatchObject({ hasReceipt: true })
    expect(files()).toHaveLength(1)
  })
})

describe('an operator', () => {
  let tools: Tools
  beforeEach(() => {
    tools = {
      database: async () => test.db,
      place: { dataDir: folder },
      environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
      clock,
      progress() {},
    }
  })
  const tell = async (...args: string[]) => (await payoutCommand.run(tools, args)).lines.join('\n')

  it('sees what is confirmed and what is missing, and takes a receipt out once', async () => {
    await expect(tell('advise', payout.id)).rejects.toThrow('has not paid it')
    await tell('paid', payout.id, '--reference', 'SEPA 1')
    expect(await tell('list')).toContain('paid, mail waits')
    const [id, key] = linkIn((await sendMails())[0]!)
    expect(await tell('receipts')).toMatch(
      /no, mail sent +missing[\s\S]*1 of 1 paid payouts are not confirmed/,
    )
    await expect(tell('receipt', payout.id)).rejects.toThrow('No receipt was attached')
    await received().confirm(id, key, PDF)
    expect(await tell('list')).toContain('paid, receipt')
    expect(await tell('receipts')).toMatch(/2026-03-1\d +pdf, 1 kB[\s\S]*0 of 1/)
    await give('cerf')
    expect(await tell('receipts', 'cerf')).toContain('0 of 0 paid payouts are not confirmed.')
    await expect(tell('receipts', 'mfs')).rejects.toThrow('There is no organisation "mfs".')
    await expect(tell('receipt', 'mfs')).rejects.toThrow('No payout "mfs" was paid.')
    const to = join(folder, 'out', 'msf.pdf')
    expect(await tell('receipt', payout.id, '--to', to)).toContain('Somebody else made this file')
    expect(readFileSync(to)).toEqual(PDF)
    await expect(tell('receipt', payout.id, '--to', to)).rejects.toThrow('is there already')
    rmSync(receiptsFolder(folder), { recursive: true })
    await expect(tell('receipt', payout.id, '--to', `${to}.2`)).rejects.toThrow('is not in')
    expect(await tell('unadvise', payout.id)).toContain('is dead')
    expect(await tell('list')).toContain('paid, no mail')
    expect(await tell('advise', payout.id)).toContain('is queued')
  })

  it('is told where nobody can be written to', async () => {
    await test.plant(`update payee_accounts set contact = null`)
    expect(await tell('paid', payout.id, '--reference', 'SEPA 1')).toContain('Nobody at msf')
    await expect(tell('unadvise', payout.id)).rejects.toThrow('was ever queued')
    await expect(tell('unadvise', 'nothing')).rejects.toThrow('no such payout')
  })

  it('has the receipts in every backup, and back after a restore', async () => {
    process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
    // The embedded database lies in its own folder; the others share one.
    const place = test.engine === 'postgres' ? { ...test.location, dataDir: folder } : test.location
    const [id, key] = await paidAndTold()
    await createReceivedPayouts({ db: test.db, keys: testKeys, clock, dataDir: place.dataDir }).confirm(
      id,
      key,
      PDF,
    )
    const [name] = readdirSync(receiptsFolder(place.dataDir))
    const here = { ...tools, place, environment: { ...tools.environment, DATA_DIR: place.dataDir } }
    for (const file of ['one', 'two']) await backup.run(here, [join(folder, 'backups', file)])
    expect(readdirSync(join(folder, 'backups')).sort()).toEqual(['one', 'receipts', 'two'])
    rmSync(receiptsFolder(place.dataDir), { recursive: true })
    await test.db.close()
    expect(await restore.run(here, [join(folder, 'backups', 'two')])).toMatchObject({ data: { receipts: 1 } })
    expect(readFileSync(join(receiptsFolder(place.dataDir), name!))).toEqual(PDF)
  })
})
