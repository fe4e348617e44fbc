import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ClaimAddress, readClaimAddress } from '#domain/campaign/claim-address.ts'
import { DAY_MS } from '#domain/durations.ts'
import { money } from '#domain/money/money.ts'
import { lettersOf } from '#domain/payment/document-number.ts'
import { createAnswers } from '#server/modules/gifts/answers/answers.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createClaim } from '#server/modules/gifts/cards/claim-free.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { queueFirstConfirmation } from '#server/modules/gifts/confirmation-jobs.ts'
import { keepMessage } from '#server/modules/gifts/messages.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { recordSale } from '#server/modules/ledger/record.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createNewsletter, digestOfMailbox } from '#server/modules/letters/newsletter/newsletter.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { graceEndedAt } from '#server/modules/offers/grace.ts'
import { addInvoice } from '#server/modules/payments/invoices/stored.ts'
import { address } from '#server/ops/address.ts'
import { audit, writeDown } from '#server/ops/audit.ts'
import { backup } from '#server/ops/backup.ts'
import { blankMessage } from '#server/ops/blank-message.ts'
import { blockAnswer } from '#server/ops/block-answer.ts'
import { campaigns } from '#server/ops/campaigns.ts'
import { card, cards, resend } from '#server/ops/cards.ts'
import { certificates } from '#server/ops/certificates.ts'
import { check } from '#server/ops/check.ts'
import type { Command, Tools } from '#server/ops/command.ts'
import { dealtWith } from '#server/ops/dealt-with.ts'
import { doctor } from '#server/ops/doctor.ts'
import { donors } from '#server/ops/donors.ts'
import { endGrace } from '#server/ops/end-grace.ts'
import { erase } from '#server/ops/erase.ts'
import { hold, release } from '#server/ops/hold.ts'
import { jobs, run } from '#server/ops/jobs.ts'
import { move, TABLES_IN_ORDER } from '#server/ops/move.ts'
import { payout } from '#server/ops/payout.ts'
import { report } from '#server/ops/report.ts'
import { restore } from '#server/ops/restore.ts'
import { wrapped } from '#server/ops/table.ts'
import { vat } from '#server/ops/vat.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import {
  anOrder,
  anyTheme,
  CREATED_AT,
  giveFreeCard,
  inviteFor,
  refundBegins,
  type SoldCard,
  sellCard,
  sellCards,
  TEST_CARD_SECRET,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let folder: string
let tools: Tools
let sold: SoldCard[]
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
  folder = mkdtempSync(join(tmpdir(), 'gc-ops-'))
  tools = {
    database: async () => test.db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: { DATA_DIR: test.location.dataDir, CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock,
    sharedClock: clock,
    progress() {},
  }
  sold = await sellCards(test.db, 3)
})
afterEach(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

const tell = async (command: Command, ...args: string[]) => {
  const { lines, data, ok } = await command.run(tools, args)
  for (const line of lines.join('\n').split('\n')) expect(line.length, line).toBeLessThanOrEqual(140)
  return { text: lines.join('\n'), data: data as never, ok }
}
const give = (card: SoldCard, points = 50) =>
  createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf', 'cerf'] }).redeem(
    card.privateKey,
    [{ ngoId: 'msf', points }],
  )

describe('what stays written down', () => {
  it.each([
    ['payout', ['paid', 'an-id', '--reference', 'some words'], 'payout paid'],
    ['invoice', ['paid', 'an-id', '--amount', '65'], 'invoice paid'],
    ['invoice', ['cancel', 'an-id'], 'invoice cancel'],
    ['invoice', ['address', 'an-id', 'a@mail.example'], 'invoice address'],
    ['wishes', ['seen', 'some name'], 'wishes seen'],
    ['partner', ['revoke', 'an-id'], 'partner revoke'],
    ['run', ['retention'], 'run'],
    ['backup', ['/a/file'], 'backup'],
  ] as const)('is that %s %j was carried out', async (name, words, action) => {
    await writeDown(name, words, true, tools)
    const rows = await test.db.read(db => db.selectFrom('audit_log').select(['action', 'actor']).execute())
    expect(rows).toEqual([{ action, actor: 'terminal' }])
  })

  it.each([
    [['withdraw', 'msf'], 'msf'],
    [['withdraw', 'msf', '--current'], 'msf current'],
    [['withdraw', '--current', 'msf'], 'msf current'],
  ])('is which account was withdrawn: account %j', async (words, subject) => {
    await writeDown('account', words, true, tools)
    const rows = await test.db.read(db => db.selectFrom('audit_log').select(['action', 'subject']).execute())
    expect(rows).toEqual([{ action: 'account withdraw', subject }])
  })

  it.each([
    ['invoice', []],
    ['invoice', ['list']],
    ['wishes', []],
    ['payout', ['list']],
    ['constructor', []],
    ['check', []],
  ] as const)('is not that %s %j was looked at', async (name, words) => {
    await writeDown(name, words, true, tools)
    expect(await test.db.read(db => db.selectFrom('audit_log').select('id').execute())).toEqual([])
  })
})

describe('what an operator is told', () => {
  it('is no key, digest, name or address, in words or as data', async () => {
    await give(sold[0]!)
    await payout.run(tools, ['create', 'msf', 'EUR'])
    await test.db.transaction(giveFreeCard)
    const invitation = await test.db.transaction(inviteFor)
    const said: string[] = []
    for (const [command, ...args] of [
      [report],
      [vat, '2026'],
      [cards],
      [card, sold[0]!.cardId],
      [card, sold[1]!.cardId],
      [resend, sold[1]!.cardId],
      [address, sold[1]!.cardId, 'buyer@example.org'],
      [blockAnswer, sold[0]!.cardId],
      [hold, sold[1]!.cardId],
      [release, sold[1]!.cardId],
      [card, invitation.cardId],
      [resend, invitation.cardId],
      [jobs],
      [payout, 'owed'],
      [payout, 'list'],
      [payout, 'csv'],
      [campaigns],
      [doctor],
      [erase, 'buyer@example.org'],
    ] as [Command, ...string[]][]) {
      const { lines, data } = await command.run(tools, args)
      said.push(lines.join('\n'), JSON.stringify(data))
    }
    const secrets = [
      ...sold.flatMap(each => [each.privateKey, each.publicKey]),
      ...sold.map(each => testKeys.digest(each.privateKey)),
      invitation.key,
      testKeys.digest(invitation.key),
      'buyer@example.org',
      'Aina',
    ]
    for (const secret of secrets) expect(said.join('\n')).not.toContain(secret)
    expect(said.join('\n')).toContain(sold[0]!.cardId)
  })

  it('adds up: what was sold, given, owed and paid out', async () => {
    await give(sold[0]!)
    expect((await tell(report)).data).toMatchObject({
      money: [
        {
          currency: 'EUR',
          orders: 3,
          paid: 16_500,
          support: 1185,
          tax: 315,
          outstanding: 10_000,
          allocated: 5000,
        },
      ],
      cards: { active: 2, consumed: 1, frozen: 0, revoked: 0 },
      expiringSoon: 0,
      owed: [{ ngoId: 'msf', currency: 'EUR', amount: 5000 }],
    })
    const { text } = await tell(report)
    expect(text).toMatch(/paid by buyers +165\.00/)
    expect(text).toMatch(/msf +msf +EUR +50\.00 +1 +0 days/)
  })

  it('is how many gifts are to be mailed, were, came back or were stopped', async () => {
    const states = ['planned', 'planned', 'sending', 'sent', 'reminding', 'over', 'stopped', 'returned']
    const address = { address_sealed: 'x', address_digest: 'x' }
    await test.db.transaction(trx =>
      trx
        .insertInto('sendings')
        .values(
          states.map((state, n) => ({
            ...address,
            card_id: `card-${n}`,
            gift: 'donation' as const,
            state: state as 'planned',
            why: null,
            day: '2027-01-01',
            zone: 'Europe/Madrid',
            changes_left: 3,
            sent_at: null,
            created_at: CREATED_AT,
            changed_at: CREATED_AT,
          })),
        )
        .execute(),
    )
    const { text, data } = await tell(report)
    expect(text).toContain('Gifts mailed on a day: 2 planned, 4 sent, 1 returned, 1 stopped.')
    expect(data).toMatchObject({ sendings: { planned: 2, sent: 4, returned: 1, stopped: 1 } })
  })

  it('is which links of organisations lead to nothing, and for how long', async () => {
    expect((await tell(report)).text).toMatch(/lead to nothing:\n\(none\)/)
    const look = { link: 'https://gone.example/', reason: 'answers 404', failed: 3, looked_at: CREATED_AT }
    const failing_since = CREATED_AT - 4 * 86_400_000
    await test.db.transaction(trx =>
      trx
        .insertInto('link_looks')
        .values({ ...look, failing_since })
        .execute(),
    )
    const { text, data } = await tell(report)
    expect(text).toMatch(/https:\/\/gone\.example\/ +answers 404 +4 days/)
    expect(data).toMatchObject({
      deadLinks: [{ link: look.link, reason: 'answers 404', since: failing_since }],
    })
  })

  it('is the history of a card', async () => {
    await give(sold[0]!)
    const { text } = await tell(card, sold[0]!.cardId)
    expect(text).toMatch(/consumed, 50\.00 EUR/)
    expect(text).toMatch(
      /ordered[\s\S]*paid[\s\S]*made[\s\S]*booked: recipient +cards -50\.00, ngo:msf 50\.00/,
    )
    // It is given away: no year of it ends.
    expect(text).not.toContain('year ends')
    // What logs and alarms name is its order.
    expect((await tell(card, sold[0]!.orderId)).text).toBe(text)
    expect((await tell(card, sold[1]!.cardId)).text).toContain('Its year ends on')
  })

  it('is the history of an invitation, by its order too', async () => {
    const { cardId, orderId } = await test.db.transaction(async trx => {
      const invited = await inviteFor(trx)
      await recordSale(trx, {
        kind: 'volunteering',
        cardIds: [invited.cardId],
        orderId: invited.orderId,
        price: money(1_000, 'EUR'),
        net: money(1_185, 'EUR'),
        tax: money(315, 'EUR'),
        total: money(2_500, 'EUR'),
        at: CREATED_AT,
      })
      await queueFirstConfirmation(trx, { kind: 'volunteering', ...invited, now: CREATED_AT })
      return invited
    })
    await test.plant(`update volunteering_cards set answer = 'accept', answered_at = 1, answers = 2`)
    const { text } = await tell(card, cardId)
    expect(text).toContain(`Card ${cardId}: active, volunteering, in`)
    expect(text).not.toContain('year ends')
    expect(text).toMatch(/answered +accept, answer 2[\s\S]*ordered[\s\S]*made +an invitation/)
    expect(text).toMatch(/booked: sale +payments -25\.00, support 11\.85, tax 3\.15,\n +volunteering 10\.00/)
    expect(text).toMatch(/mail asked for +volunteering-confirmation/)
    expect((await tell(card, orderId)).text).toBe(text)
    expect(text).not.toContain('…')
  })

  it('cuts no amount', () => {
    const booked = 'cards -50.00, ngo:ngo-unicef 20.00, ngo:ngo-msf 30.00'
    expect(wrapped(booked, 40)).toEqual(['cards -50.00, ngo:ngo-unicef 20.00,', 'ngo:ngo-msf 30.00'])
    expect(wrapped('', 40)).toEqual([''])
  })

  it('are the cards whose year ends soonest', async () => {
    const { data } = await tell(cards, '--ending', '--limit', '2')
    expect((data as { cards: unknown[] }).cards).toHaveLength(2)
  })
})

describe('what is listed', () => {
  it('is every card and invitation, the newest first; an invitation has no year that ends', async () => {
    const { cardId } = await test.db.transaction(inviteFor)
    const listed = async (...args: string[]) => {
      const { data } = await tell(cards, ...args)
      return (data as { cards: { id: string }[] }).cards.map(({ id }) => id)
    }
    const newestFirst = [cardId, ...sold.map(each => each.cardId)].toSorted().toReversed()
    expect(await listed()).toEqual(newestFirst)
    expect(await listed('--limit', '2')).toEqual(newestFirst.slice(0, 2))
    expect((await tell(cards)).text).toMatch(new RegExp(`${cardId} +volunteering +active`))
    expect(await listed('--ending')).not.toContain(cardId)
    expect(await listed('--status', 'frozen')).toEqual([])
    await test.plant(`update volunteering_cards set status = 'frozen'`)
    expect(await listed('--status', 'frozen')).toEqual([cardId])
  })
})

describe('what cannot be done', () => {
  it.each([
    ['an unknown card', card, ['nobody'], 'no card "nobody"'],
    ['no card', card, [], 'Say the id'],
    ['an unknown status', cards, ['--status', 'lost'], 'no status "lost"'],
    ['an unknown option', cards, ['--colour'], '--colour'],
    ['a word that changes nothing', cards, ['frozen'], '"frozen" means nothing'],
    ['a report of one thing', report, ['cards'], '"cards" means nothing'],
    ['a number that is none', cards, ['--limit', 'all'], '"all" is not a number'],
    ['an address of an unknown card', address, ['nobody', 'right@example.org'], 'no card "nobody"'],
    ['an address that is none', address, ['nobody', 'right@'], 'not an e-mail address'],
    ['an address of nothing', address, ['right@example.org'], 'the id of one card'],
    ['a mail of an unknown card', resend, ['nobody'], 'no card "nobody"'],
    ['an answer of an unknown card', blockAnswer, ['nobody'], 'no card "nobody"'],
    ['an answer of no card', blockAnswer, [], 'Say the id'],
    ['a message of an unknown card', blankMessage, ['nobody'], 'no card "nobody"'],
    ['an unknown job', run, ['nothing'], 'no job "nothing"'],
    ['an unknown word', payout, ['steal'], 'payout owed'],
    ['a payout of nothing', payout, ['create', 'msf', 'EUR'], 'Nothing is owed'],
    ['a payout in no currency', payout, ['create', 'msf', 'XXX'], '"XXX" is not a currency'],
    ['a payout before no day', payout, ['create', 'msf', 'EUR', '--before', 'then'], '"then" is not a day'],
    ['paying an unknown payout', payout, ['paid', 'none', '--reference', 'x'], 'no such payout'],
    ['paying without a reference', payout, ['paid', 'none'], '--reference'],
    ['forgetting nobody', erase, ['nobody'], 'not an e-mail address'],
    ['restoring nothing', restore, ['/nowhere/at.all'], 'There is no file'],
    ['moving nowhere', move, ['--to', 'mysql://x'], 'postgres://'],
  ] as const)('is refused in words, and nothing is changed: %s', async (_, command, args, words) => {
    const before = await test.dump()
    await expect((command as Command).run(tools, args)).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringContaining(words),
    })
    expect(await test.dump()).toBe(before)
  })
})

describe('what an operator does', () => {
  it('pays an organisation out, once', async () => {
    await give(sold[0]!)
    const { data } = await tell(payout, 'create', 'msf', 'eur')
    const { id } = data as { id: string }
    await expect(payout.run(tools, ['create', 'msf', 'EUR'])).rejects.toThrow('Nothing is owed')
    expect((await tell(payout, 'csv')).text).toContain(`${id},msf,msf,EUR,50.00,1`)
    expect((await tell(payout, 'paid', id, '--reference', 'SEPA 7')).text).toContain('is paid')
    expect((await tell(payout, 'list')).text).toContain('SEPA 7')
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('blocks what a recipient has written, says that in the history of the card, and writes it down', async () => {
    const words = 'Words that nobody should read'
    const { receiptKey } = await give(sold[0]!)
    const { cardId, orderId } = sold[0]!
    await createAnswers({ db: test.db, keys: testKeys, clock }).give(receiptKey!, { saysWhere: true, words })
    expect((await tell(card, cardId)).text).toMatch(/answered +in the first letter/)
    expect((await tell(blockAnswer, orderId)).data).toEqual({ card: cardId, hadAnswer: true, isNew: true })
    expect(await test.dump()).not.toContain(words)
    expect((await tell(card, cardId)).text).toMatch(/answer blocked +by an operator/)
    expect((await tell(blockAnswer, cardId)).text).toContain('was blocked already')
    await writeDown('block-answer', [cardId], true, tools)
    expect((await tell(audit)).text).toMatch(new RegExp(`block-answer +${cardId} +done`))
  })

  it('says the VAT of a year, a quarter or a month, as a table and for a spreadsheet', async () => {
    await test.db.transaction(trx =>
      sellCard(trx, { settled_at: Date.parse('2026-09-30T21:59:59Z'), vat_rate: 550, vat_amount: 26 }),
    )
    for (const period of ['2026', '2026-Q3', '2026-09'])
      expect((await tell(vat, period, '--csv')).text).toContain('EUR,5.5%,1,5.00,0.26,0.00,0.00,4.74,0.26')
    // Midnight in Madrid is two hours before that of UTC.
    expect((await tell(vat, '2026-Q4')).text).not.toContain('5.5%')
    for (const wrong of ['2026-Q5', '2026-13', 'Q3', '26'])
      await expect(vat.run(tools, [wrong]), wrong).rejects.toThrow('is no year, quarter or month')
  })

  it('ends the hour of earlier prices, and writes that down', async () => {
    const before = await test.db.read(graceEndedAt)
    expect((await tell(endGrace)).text).toContain('only what is published now is sold')
    expect(await test.db.read(graceEndedAt)).toBeGreaterThan(before)
    await expect(endGrace.run(tools, ['now'])).rejects.toThrow('means nothing here')
    await writeDown('end-grace', [], true, tools)
    expect((await tell(audit)).text).toMatch(/end-grace +done/)
  })

  it('holds a card of either kind until it is released, and no dispute or withdrawal with it', async () => {
    const invitation = await test.db.transaction(inviteFor)
    // The builder's invitation stands outside the books.
    const amiss = async () =>
      (await checkLedger(test.db, { keys: testKeys })).filter(({ rule }) => /hold|seal|card/.test(rule))
    for (const { cardId, orderId } of [sold[0]!, invitation]) {
      expect((await tell(hold, orderId)).data).toEqual({ card: cardId, status: 'frozen' })
      expect((await tell(card, cardId)).text).toContain('An operator holds it')
      expect((await tell(hold, cardId)).text).toContain('was held already')
      expect(await amiss()).toEqual([])
      expect((await tell(release, cardId)).data).toEqual({ card: cardId, status: 'active', others: [] })
      expect((await tell(release, cardId)).text).toContain('did not hold')
    }
    for (const [kind, { cardId }] of [
      ['donation', sold[0]!],
      ['volunteering', invitation],
    ] as const) {
      await refundBegins(test.db, cardId, clock(), kind)
      clock.advance(10 * 60_000)
      expect(await tell(release, cardId)).toMatchObject({ ok: false, data: { others: ['refund'] } })
      expect((await tell(release, cardId, '--refund-not-made')).data).toMatchObject({
        status: 'active',
        others: [],
      })
      expect(await amiss()).toEqual([])
    }
    await tell(hold, sold[0]!.cardId)
    await expect(give(sold[0]!)).rejects.toMatchObject({ name: 'Problem' })
    await tell(release, sold[0]!.cardId)
    await give(sold[0]!)
    expect(await tell(hold, sold[0]!.cardId)).toMatchObject({
      text: expect.stringContaining('is consumed'),
      ok: false,
    })
    expect(await test.db.read(db => db.selectFrom('card_holds').selectAll().execute())).toEqual([])
    expect(await amiss()).toEqual([])
  })

  it('forgets what was written to a person with the person', async () => {
    const words = 'Words for one person alone'
    const { receiptKey } = await give(sold[0]!)
    await createAnswers({ db: test.db, keys: testKeys, clock }).give(receiptKey!, { saysWhere: false, words })
    await tell(erase, 'buyer@example.org', '--yes')
    expect(await test.dump()).not.toContain(words)
  })

  it('has the mail of a card sent again, once however often it is said', async () => {
    const id = sold[0]!.cardId
    expect((await tell(resend, id)).data).toMatchObject({ outcome: 'queued' })
    expect((await tell(resend, id)).data).toMatchObject({ outcome: 'joined' })
    await test.plant('update jobs set done_at = 1')
    // What logs and alarms name is its order.
    expect((await tell(resend, sold[0]!.orderId)).data).toMatchObject({ outcome: 'queued', card: id })
    await test.plant(`update cards set email = null where id = '${id}'`)
    await expect(resend.run(tools, [id])).rejects.toThrow('not known')
  })

  it.each(['cards', 'volunteering_cards'])('asks for no mail of a revoked card in %s', async table => {
    const invited = await test.db.transaction(trx => inviteFor(trx))
    const id = table === 'cards' ? sold[0]!.cardId : invited.cardId
    await test.plant(`update ${table} set status = 'revoked' where id = '${id}'`)
    await expect(resend.run(tools, [id])).rejects.toThrow()
    const jobs = await test.db.read(db =>
      db.selectFrom('jobs').select('id').where('subject', '=', id).execute(),
    )
    expect(jobs).toEqual([])
  })

  it.each([
    ['a gift', async () => sold[0]!.cardId],
    ['a gift, by its order', async () => sold[0]!.orderId],
    ['a free card', async () => (await test.db.transaction(giveFreeCard)).cardId],
    ['an invitation', async () => (await test.db.transaction(inviteFor)).cardId],
    [
      'a gift whose buyer’s address was never known',
      async () => {
        await test.plant(`update cards set email = null where id = '${sold[0]!.cardId}'`)
        return sold[0]!.cardId
      },
    ],
  ])('corrects the address of %s, and the resent mail goes there', async (_, make) => {
    const word = await make()
    const { data, text } = await tell(address, word, 'right@example.net')
    const { card: id } = data as { card: string }
    expect(text).not.toContain('@')
    await writeDown('address', [word, 'right@example.net'], true, tools)
    expect((await tell(audit)).data).toMatchObject({
      entries: [{ action: 'address', subject: word, outcome: 'done' }],
    })
    expect(JSON.stringify((await tell(audit)).data)).not.toContain('@')
    expect((await tell(address, word, 'right@example.net')).data).toMatchObject({ changed: false })
    expect((await tell(resend, word)).data).toMatchObject({ outcome: 'queued' })
    const sent: Message[] = []
    const mail = createMail({
      db: test.db,
      clock,
      log: quietLog(),
      keys: testKeys,
      render: async () => '',
      mailFrom: 'Keep the Chain <cards@cards.example>',
      siteUrl: 'https://cards.example',
      siteName: () => 'Keep the Chain',
      contact: () => 'hello@cards.example',
      identity: () => undefined,
      newsletterTokens: createTokens('a secret'),
      ngoName: id => id,
      transport: { send: async message => void sent.push(message), close() {} },
    })
    await createWorker({ db: test.db, clock, log: quietLog(), handlers: mail.handlers }).runDue()
    expect(sent.map(({ to }) => to)).toEqual(['right@example.net'])
    expect(
      await test.db.read(db =>
        db.selectFrom('jobs').select('subject').where('done_at', 'is not', null).execute(),
      ),
    ).toEqual([{ subject: id }])
  })

  it('finds the cards whose mails did not get through, until the same mail has', async () => {
    const [first, second] = sold as [SoldCard, SoldCard]
    await test.db.transaction(async trx => {
      for (const { cardId, orderId } of [first, second])
        await queueFirstConfirmation(trx, { kind: 'donation', cardId, orderId, now: clock() })
    })
    const givenUp = async () => {
      const { mails } = (await tell(report)).data as { mails: { givenUp: number } }
      return mails.givenUp
    }
    expect((await tell(cards, '--unsent')).text).toContain('Every mail got through')
    await test.plant(
      `update jobs set failed_reason = 'smtp-421' where subject = '${first.cardId}'`,
      `update jobs set failed_reason = 'smtp-550', done_at = ${clock()} where subject = '${second.cardId}'`,
    )
    const { text, data } = await tell(cards, '--unsent')
    expect(text).toMatch(new RegExp(`${first.cardId} +confirmation +tried again +smtp-421`))
    expect(text).toMatch(new RegExp(`${second.cardId} +confirmation +given up +smtp-550`))
    expect((data as { mails: unknown[] }).mails).toHaveLength(2)
    expect(await givenUp()).toBe(1)

    // By its order, as the payment account has it.
    expect((await tell(resend, second.orderId)).data).toMatchObject({ outcome: 'queued' })
    expect(await givenUp()).toBe(1)
    await test.plant(`update jobs set done_at = ${clock()} where done_at is null and failed_reason is null`)
    expect(await givenUp()).toBe(0)
    expect((await tell(cards, '--unsent')).text).not.toContain(second.cardId)
    await test.plant(`update jobs set failed_reason = 'smtp-550', done_at = ${clock()}`)
    expect(await givenUp()).toBeGreaterThan(0)
    clock.advance(31 * 24 * 3_600_000)
    expect(await givenUp()).toBe(0)
  })

  it('asks for no mail that the operator has dealt with, by its card, its order or its own id', async () => {
    const [first, second, third] = sold as [SoldCard, SoldCard, SoldCard]
    await test.db.transaction(async trx => {
      for (const { cardId, orderId } of [first, second, third])
        await queueFirstConfirmation(trx, { kind: 'donation', cardId, orderId, now: clock() })
    })
    await expect(tell(dealtWith, first.cardId)).rejects.toThrow('waits for somebody')
    await test.plant(`update jobs set failed_reason = 'smtp-550', done_at = ${clock()}`)
    const left = async () => ((await tell(cards, '--unsent')).data as { mails: { id: string }[] }).mails
    const { id } = (await left()).find(mail => 'subject' in mail && mail.subject === third.cardId)!
    for (const [word, rest] of [
      [first.cardId, 2],
      [second.orderId, 1],
      [id, 0],
    ] as const) {
      expect((await tell(dealtWith, word)).text).toMatch(/^Noted: mail .* was dealt with\./)
      expect(await left()).toHaveLength(rest)
    }
    const { data } = await tell(audit)
    expect((data as { entries: unknown[] }).entries).toMatchObject(
      [1, 2, 3].map(() => ({ actor: 'terminal', action: 'dealt-with', outcome: 'done' })),
    )
    await expect(tell(dealtWith, id)).rejects.toThrow('waits for somebody')
    await expect(tell(dealtWith, 'nothing')).rejects.toThrow('waits for somebody')
  })

  it('has the mail of an invitation sent again, once however often it is said', async () => {
    const { cardId: id } = await test.db.transaction(inviteFor)
    expect((await tell(resend, id)).data).toMatchObject({ outcome: 'queued' })
    expect((await tell(resend, id)).data).toMatchObject({ outcome: 'joined' })
    await test.plant('update jobs set done_at = 1')
    expect((await tell(resend, id)).data).toMatchObject({ outcome: 'queued' })
    expect((await tell(card, id)).text).toMatch(/(mail asked for +volunteering-confirmation[\s\S]*){2}/)
  })

  it('forgets a person, whose cards work on', async () => {
    expect(await tell(erase, 'BUYER@example.org')).toMatchObject({
      ok: false,
      data: { cards: 3, done: false },
    })
    expect(await test.dump()).toContain('buyer@example.org')
    expect(await tell(erase, 'BUYER@example.org', '--yes')).toMatchObject({ ok: true, data: { cards: 3 } })
    const dump = await test.dump()
    expect(dump).not.toContain('buyer@example.org')
    expect(dump).not.toContain('Aina')
    await give(sold[0]!)
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('leaves who gave, says how long and why, and lists it for the authorities', async () => {
    const { orderId } = sold[0]!
    const donor = { name: '=Aina, Ferrer', document: '12345678Z' }
    await test.db.transaction(trx =>
      trx
        .insertInto('donor_identities')
        .values({ order_id: orderId, ...donor, created_at: CREATED_AT })
        .execute(),
    )
    expect((await tell(erase, 'buyer@example.org')).text).toContain('Who gave stays on 1 order for 10 years')
    const { text } = await tell(erase, 'buyer@example.org', '--yes')
    expect(text).toContain('Who gave stays on 1 order for 10 years')
    const year = String(new Date(CREATED_AT).getUTCFullYear())
    expect((await tell(donors, year)).text).toContain('12345678Z')
    // A spreadsheet takes it for a name, and not for a formula.
    expect((await tell(donors, year, '--csv')).text).toContain(`,EUR,"'=Aina, Ferrer",12345678Z,${orderId}`)
    await writeDown('donors', ['--csv', year], true, tools)
    expect((await tell(audit)).text).toMatch(new RegExp(`donors +${year} +done`))
  })

  it('blanks what a giver wrote, once, and writes down of which card', async () => {
    const { cardId, orderId } = sold[0]!
    const words = 'canary words of the giver'
    await test.db.transaction(trx => keepMessage(trx, orderId, words, CREATED_AT))
    expect((await tell(blankMessage, cardId)).data).toEqual({ card: cardId, isBlanked: true })
    expect(await test.dump()).not.toContain(words)
    expect((await tell(blankMessage, orderId)).text).toContain('has no message')
    await writeDown('blank-message', [cardId], true, tools)
    expect((await tell(audit)).text).toMatch(new RegExp(`blank-message +${cardId} +done`))
  })

  it('leaves whom a certificate names, says so, and lists it for the tax office', async () => {
    const { orderId } = sold[0]!
    const holder = { name: '=Aina', document: '12345678Z', address: 'Carrer Major 1, Vic' }
    await test.db.transaction(async trx => {
      const drawn = { year: 2026, number: 17, letters: lettersOf(orderId) }
      const row = { order_id: orderId, ...drawn, ...holder, amount: 100, made_at: CREATED_AT }
      await trx.insertInto('certificates').values(row).execute()
    })
    const { text } = await tell(erase, 'buyer@example.org', '--yes')
    expect(text).toContain('Kept for 10 years with whom they name: 1 certificate for the tax office.')
    const year = String(new Date(CREATED_AT).getUTCFullYear())
    expect((await tell(certificates, year)).text).toMatch(
      new RegExp(`2026-000017-${lettersOf(orderId)} .* holds .*12345678Z`),
    )
    expect((await tell(certificates, year, '--csv')).text).toContain(
      `,holds,'=Aina,12345678Z,"Carrer Major 1, Vic",${orderId}`,
    )
    expect((await tell(certificates, '2020')).text).not.toContain('12345678Z')
    await writeDown('certificates', ['--csv', year], true, tools)
    expect((await tell(audit)).text).toMatch(new RegExp(`certificates +${year} +done`))
  })

  it('leaves nothing of a person in any table: cards, invitations, orders, newsletter, requests', async () => {
    const typed = 'Canary.Bird@gmail.com'
    const mailbox = readClaimAddress(typed) as ClaimAddress
    const other = readClaimAddress('Somebody.Else@example.org') as ClaimAddress
    const newsletter = createNewsletter({
      db: test.db,
      keys: testKeys,
      clock,
      tokens: createTokens(TEST_CARD_SECRET),
    })
    const subscribe = (address: ClaimAddress, name: string) =>
      newsletter.subscribe({ address, name, phone: '+34600111222', language: 'es' })
    await subscribe(mailbox, 'Canary the Reader')
    await subscribe(other, 'Somebody Else')
    await test.db.transaction(async trx => {
      await sellCard(trx, { email: typed, sender_name: 'Canary the Giver' })
      await inviteFor(trx, { email: typed.toLowerCase(), name: 'Canary the Host' })
      // Withdrawn from before the payment came, which it never did.
      const unpaid = anOrder({ status: 'failed' })
      await trx.insertInto('orders').values(unpaid).execute()
      const times = { stated_at: CREATED_AT, confirmed_at: CREATED_AT, changed_at: CREATED_AT }
      const words = { name: 'Canary the Undecided', email: typed }
      const answer = { state: 'closed', answer: 'unpaid', amount: 0, attempt: 1, seal: null } as const
      await trx
        .insertInto('withdrawals')
        .values({ id: unpaid.id, order_id: unpaid.id, number: 1, ...answer, ...times, ...words })
        .execute()
      const invoiced = await trx
        .insertInto('orders')
        .values(anOrder({ status: 'open' }))
        .returningAll()
        .executeTakeFirstOrThrow()
      const to = { name: 'Canary Ltd', document: 'CANARY-1', address: 'Canary Wharf 1', email: typed }
      await addInvoice(trx, testKeys, { order: invoiced, to, now: CREATED_AT })
    })
    await createLostLinks({ db: test.db, keys: testKeys, clock }).request(typed)

    const asked = testKeys.pseudonym(typed.toLowerCase())
    const canaries = ['canary', mailbox.folded, digestOfMailbox(testKeys, mailbox), asked]
    const found = async () => {
      const dump = (await test.dump()).toLowerCase()
      return canaries.filter(each => dump.includes(each))
    }
    // Folded, the address stands nowhere.
    expect(await found()).toEqual([canaries[0], canaries[2], asked])
    expect((await tell(erase, 'canary.bird@GMAIL.com')).data).toEqual({
      cards: 2,
      identities: 0,
      certificates: 0,
      invoices: 1,
      invoiced: 0,
      subscriptions: 1,
      withdrawals: 1,
      contacts: 0,
      received: 0,
      done: false,
    })
    expect((await tell(erase, typed)).text).toContain('Withdrawals that would name this person no longer: 1.')
    expect(await found()).toHaveLength(3)
    expect((await tell(erase, 'canary.bird@GMAIL.com', '--yes')).text).toContain(
      'name this person no longer: 1.',
    )
    expect(await found()).toEqual([])
    const dump = await test.dump()
    expect(dump).toContain('Somebody Else')
    expect(dump).toContain('buyer@example.org')

    // Whoever has left already is known by a digest alone.
    await subscribe(mailbox, 'Canary the Reader')
    await test.plant(
      `update newsletter_subscribers set status = 'unsubscribed', email = null, name = null, phone = null
        where name = 'Canary the Reader'`,
    )
    expect(await found()).toEqual([canaries[2]])
    expect((await tell(erase, typed, '--yes')).data).toEqual({
      cards: 0,
      identities: 0,
      certificates: 0,
      invoices: 0,
      invoiced: 0,
      subscriptions: 1,
      withdrawals: 0,
      contacts: 0,
      received: 0,
      done: true,
    })
    expect(await found()).toEqual([])
  })

  it('keeps of a forgotten person what no guess confirms without the secret, and gives no second free card', async () => {
    const typed = 'Canary.Bird@gmail.com'
    const mailbox = readClaimAddress(typed) as ClaimAddress
    const claim = () =>
      createClaim({
        themes: anyTheme,
        db: test.db,
        keys: testKeys,
        clock,
        log: quietLog(),
        campaigns: () => [{ tag: 'gift-seed', language: 'en', source: 'other', active: true, stock: 9 }],
      })({
        campaignCode: 'gift-seed',
        address: mailbox,
        currency: 'EUR',
        themeId: 'palestine',
        sender: { kind: 'own', name: 'Canary' },
        language: 'en',
      })
    await claim()
    await tell(erase, typed, '--yes')
    const dump = await test.dump()
    // Every text that a digest is made of anywhere in the product.
    for (const spelling of [typed, typed.toLowerCase(), mailbox.folded])
      for (const text of ['', 'free card of ', 'newsletter of '].map(before => before + spelling))
        for (const hash of ['sha256', 'sha1', 'md5', 'sha512'])
          for (const form of ['hex', 'base64', 'base64url'] as const)
            expect(dump).not.toContain(createHash(hash).update(text).digest(form))
    expect(dump).toContain(testKeys.keyedDigest(`free card of ${mailbox.folded}`))
    await expect(claim()).rejects.toMatchObject({ code: 'email-already-used' })
  })

  it('forgets nobody where the secret is missing or another one: a subscription would be overlooked', async () => {
    const before = await test.dump()
    for (const CARD_KEY_SECRET of [undefined, 'another secret than the one of the tests']) {
      const without = { ...tools, environment: { CARD_KEY_SECRET } }
      await expect(erase.run(without, ['buyer@example.org', '--yes'])).rejects.toThrow('CARD_KEY_SECRET')
    }
    expect(await test.dump()).toBe(before)
  })

  it('keeps the books balanced when a person is forgotten', async () => {
    await give(sold[0]!)
    await tell(erase, 'buyer@example.org', '--yes')
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('has a running site do a job now', async () => {
    let runs = 0
    const site = createJobs({
      db: await test.another(),
      clock,
      sharedClock: clock,
      log: quietLog(),
      rest: () => nextTurn(),
      jobs: [{ name: 'count', everyMs: 3_600_000, run: async () => ({ runs: ++runs }) }],
    })
    await site.runDue()
    clock.advance(1_000)
    site.start()
    expect(await tell(run, 'count')).toMatchObject({ ok: true, text: 'count: done. runs 2' })
    await site.stop()
    expect((await tell(jobs)).text).toMatch(/count .* done +runs 2/)
  })

  it('waits for a run that is under way, and no longer for a site that is gone', async () => {
    const work = Promise.withResolvers<{ runs: number }>()
    const site = createJobs({
      db: await test.another(),
      clock,
      sharedClock: clock,
      log: quietLog(),
      jobs: [{ name: 'count', everyMs: 3_600_000, run: () => work.promise }],
    })
    const running = site.runDue()
    await expect.poll(async () => (await tell(jobs)).text).toContain('running')
    const ask = (onRunning: () => void) =>
      run.run({ ...tools, progress: word => word.endsWith('is running') && onRunning() }, ['count'])
    expect(await ask(() => work.resolve({ runs: 1 }))).toMatchObject({
      ok: true,
      lines: ['count: done. runs 1'],
    })
    await running
    await test.plant(`update periodic_jobs set lease_until = ${clock() + 10_000}`)
    await expect(ask(() => clock.advance(30_000))).rejects.toThrow('says nothing any more')
  })

  it('takes an earlier run for no result of one that the end of its site broke off', async () => {
    let runs = 0
    const site = createJobs({
      db: await test.another(),
      clock,
      sharedClock: clock,
      log: quietLog(),
      rest: () => nextTurn(),
      jobs: [
        {
          name: 'count',
          everyMs: 3_600_000,
          async run({ goOn }) {
            while (runs > 0) await goOn()
            return { runs: ++runs }
          },
        },
      ],
    })
    await site.runDue()
    clock.advance(1_000)
    const progress = (word: string) => void (word.endsWith('is running') ? site.stop() : site.runDue())
    const ended = run.run({ ...tools, progress }, ['count'])
    await expect(ended).rejects.toThrow('The site ended before "count" was done.')
  })
})

describe('the secret that keys are made from', () => {
  const other = 'another secret than the one of the tests'
  const under = (secret: string | undefined): Tools => ({
    ...tools,
    environment: { ...tools.environment, CARD_KEY_SECRET: secret },
  })
  const found = async (secret: string | undefined) => {
    const { data } = await doctor.run(under(secret), [])
    const { findings } = data as { findings: { what: string; verdict: string; words: string }[] }
    return findings.find(({ what }) => what === 'card secret')
  }

  it('is compared with the cards by the doctor', async () => {
    expect(await found(TEST_CARD_SECRET)).toMatchObject({ verdict: 'well' })
    expect(await found(other)).toMatchObject({ verdict: 'bad', words: WRONG_SECRET })
    expect(await found(undefined)).toMatchObject({ verdict: 'look' })
  })

  it('sends no mail with links where it is another one', async () => {
    const before = await test.dump()
    for (const [command, ...args] of [
      [resend, sold[0]!.cardId],
      [run, 'reminders'],
      [run, 'sendings'],
      [run, 'auto-donation'],
    ] as [Command, ...string[]][])
      await expect(command.run(under(other), args)).rejects.toThrow(WRONG_SECRET)
    expect(await test.dump()).toBe(before)
    await resend.run(under(TEST_CARD_SECRET), [sold[0]!.cardId])
    expect(await test.dump()).not.toBe(before)
  })

  it('is asked for by a restore that was done without it', async () => {
    if (test.engine === 'postgres') return
    const file = join(folder, 'copy')
    await tell(backup, file)
    const empty = { ...under(other), place: { dataDir: join(folder, 'new') } }
    expect(await restore.run(empty, [file])).toMatchObject({ ok: false, data: { secret: 'wrong' } })
  })
})

describe('the public ledger', () => {
  it.each(['with the secret', 'without it'])('is looked at by the check, %s', async secret => {
    await test.plant(`update public_entries set day = '1999-01-01' where id = 'sale:${sold[0]!.orderId}'`)
    const CARD_KEY_SECRET = secret === 'without it' ? '' : tools.environment.CARD_KEY_SECRET
    const { ok, lines } = await check.run(
      { ...tools, environment: { ...tools.environment, CARD_KEY_SECRET } },
      [],
    )
    expect([ok, lines]).toEqual([
      false,
      expect.arrayContaining([`public-entry-differs  sale:${sold[0]!.orderId}`]),
    ])
  })
})

describe('the seals of the books', () => {
  it('are looked at with the right secret alone, and the check says when it was another', async () => {
    expect(await tell(check)).toMatchObject({ ok: true, text: 'The ledger is in order.' })
    const other = { ...tools, environment: { ...tools.environment, CARD_KEY_SECRET: 'x'.repeat(40) } }
    const { ok, lines } = await check.run(other, [])
    expect([ok, lines]).toEqual([false, ['The ledger is in order.', WRONG_SECRET]])
  })

  it('are looked at by the check, beside its other rules', async () => {
    await test.plant(`update cards set auto_donate_at = auto_donate_at - 1 where id = '${sold[0]!.cardId}'`)
    const { text, ok } = await tell(check)
    expect([ok, text]).toEqual([false, expect.stringContaining(`card-seal-broken  ${sold[0]!.cardId}`)])
  })

  it('are looked at after a restore', async () => {
    await test.plant(`update cards set auto_donate_at = auto_donate_at - 1 where id = '${sold[0]!.cardId}'`)
    const file = join(folder, 'tampered')
    process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
    await tell(backup, file)
    await test.db.close()
    const { text, ok } = await tell(restore, file)
    expect([ok, text]).toEqual([false, expect.stringMatching(/The ledger has \d+ findings/)])
  })
})

describe('the counts of the rows', () => {
  /** For a week nobody counted, and a card was sold in it. */
  const pause = async () => {
    clock.advance(9 * DAY_MS)
    await test.db.transaction(trx => sellCard(trx, { created_at: CREATED_AT + 4 * DAY_MS }))
  }

  it('are missed where they stopped for days, and made again on the word of the operator alone', async () => {
    await pause()
    const { text, ok } = await tell(check)
    expect(ok).toBe(false)
    expect(text).toMatch(/^1 findings:\ncheckpoint-missing {2}2\n.*`check count-again`/s)
    expect(await tell(check)).toMatchObject({ ok: false })
    expect(await tell(check, 'count-again')).toMatchObject({
      ok: true,
      text: expect.stringContaining('counted again'),
    })
    await writeDown('check', ['count-again'], true, tools)
    expect(await tell(check)).toMatchObject({ ok: true, text: 'The ledger is in order.' })
    expect((await tell(audit)).text).toMatch(/terminal +check count-again/)
  })

  it('are not made where anything else is found, where none were missed, or without the secret', async () => {
    const counts = () => test.db.read(db => db.selectFrom('checkpoints').select('number').execute())
    expect(await tell(check, 'count-again')).toMatchObject({ ok: true, text: 'The ledger is in order.' })
    await pause()
    await test.plant(`update cards set auto_donate_at = auto_donate_at - 1 where id = '${sold[0]!.cardId}'`)
    const { text, ok } = await tell(check, 'count-again')
    expect([ok, text]).toEqual([false, expect.stringContaining('Nothing was counted')])
    for (const secret of ['', 'x'.repeat(40)]) {
      const other = { ...tools, environment: { ...tools.environment, CARD_KEY_SECRET: secret } }
      await expect(check.run(other, ['count-again'])).rejects.toMatchObject({ name: 'Refusal' })
    }
    await expect(check.run(tools, ['count'])).rejects.toThrow('means nothing here')
    expect(await counts()).toEqual([{ number: 1 }])
  })
})

describe('the restore drill', () => {
  beforeEach(() => {
    process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
  })

  it('brings everything back as it was, after everything was lost', async () => {
    await give(sold[0]!)
    const before = await test.dump()
    const file = join(folder, 'copy')
    expect((await tell(backup, file)).data).toMatchObject({ file })
    expect(await readdir(folder)).toEqual(['copy'])
    await give(sold[1]!)
    await test.plant('delete from ledger_entries', 'update cards set credit = 1')
    await test.db.close()
    expect(await tell(restore, file)).toMatchObject({ ok: true })
    expect(await test.dump()).toBe(before)
    const db = await openDatabase(test.location)
    expect(await checkLedger(db)).toEqual([])
    await db.close()
  })

  it('brings a backup of an older version back over the tables of this one', async () => {
    const before = [await test.tables(), await test.dump()]
    const file = join(folder, 'old')
    await backup.run(tools, [file])
    // What a later version would bring; it could not make them if they were there already.
    await test.plant(
      'create table later (card_id text primary key references cards (id))',
      `insert into later (card_id) values ('${sold[0]!.cardId}')`,
      'create index cards_later on cards (created_at)',
    )
    await test.db.close()
    expect(await tell(restore, file)).toMatchObject({ ok: true })
    expect([await test.tables(), await test.dump()]).toEqual(before)
    await test.plant('create index cards_later on cards (created_at)')
  })

  it('is refused while somebody has the database open, and with what is no backup', async () => {
    const file = join(folder, 'copy')
    await backup.run(tools, [file])
    await expect(backup.run(tools, [file])).rejects.toThrow('there already')
    await give(sold[0]!)
    const before = await test.dump()
    await expect(restore.run(tools, [file])).rejects.toThrow('Stop it first')
    expect(await test.dump()).toBe(before)
    await test.db.close()
    const nothing = join(folder, 'nothing')
    await writeFile(nothing, 'this is no database')
    const isNoBackup = { name: 'Refusal', message: expect.not.stringContaining('Stop it first') }
    await expect(restore.run(tools, [nothing])).rejects.toMatchObject(isNoBackup)
    const half = join(folder, 'half')
    const whole = await readFile(file)
    await writeFile(half, whole.subarray(0, whole.length * 0.8))
    await expect(restore.run(tools, [half])).rejects.toMatchObject(isNoBackup)
    expect(await test.dump()).toBe(before)
  })
})

it('names every table there is, so that a move forgets none', async () => {
  // These two are made where the database is opened.
  const tables = (await test.tables()).filter(name => !['schema_steps', 'sandbox'].includes(name))
  expect([...TABLES_IN_ORDER].sort()).toEqual([...tables].sort())
})
