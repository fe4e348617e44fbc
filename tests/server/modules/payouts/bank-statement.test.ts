import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { readCamt } from '#server/modules/payouts/bank-statement/camt.ts'
import { matchStatement, noteStatement } from '#server/modules/payouts/bank-statement/match.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { cancelPayout, markPaid, markUnpaid, type Payout, payouts } from '#server/modules/payouts/payouts.ts'
import { makeRun } from '#server/modules/payouts/runs.ts'
import { writeDown } from '#server/ops/audit.ts'
import type { Tools } from '#server/ops/command.ts'
import { payout as payoutCommand } from '#server/ops/payout.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { entry, type Listed, statement } from '#tests/support/bank-statement.ts'
import { diesAt } from '#tests/support/crash-points.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const IBAN = 'ES9121000418450200051332'
const OTHER_IBAN = 'DE89370400440532013000'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
/** Of 50 euros to msf, and of 50 to cerf. */
let msf: Payout
let cerf: Payout
let run: string
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
  for (const ngoId of ['msf', 'cerf']) {
    const card = await test.db.transaction(trx => sellCard(trx))
    const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => [ngoId] })
    await cards.redeem(card.privateKey, [{ ngoId, points: 50 }])
    const typed = { legalName: ngoId, contact: `${ngoId}@example.org`, language: 'en', iban: IBAN } as const
    await proposePayee(test.db, testKeys, { ...typed, ngoId }, clock())
    await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, clock())
  }
  const made = await makeRun(test.db, testKeys, { runKey: '2026-03' }, clock())
  run = made.run.id
  ;[cerf, msf] = made.payouts as [Payout, Payout]
})
afterEach(() => test.close())

async function* whole(text: string) {
  yield text
}
async function matching(entries: readonly string[], db: Database = test.db, id?: string) {
  const read = await readCamt(whole(statement(entries, undefined, id)))
  return db.read(reader => matchStatement(reader, testKeys, read))
}
async function apply(entries: readonly string[], db: Database = test.db, id?: string) {
  const match = await matching(entries, db, id)
  return { ...match, changed: await noteStatement(db, match, clock()) }
}
const findings = () => checkLedger(test.db, { keys: testKeys, now: clock() })
const states = async () =>
  (await test.db.read(reader => payouts(reader)))
    .map(({ ngo_id, status, reference }) => `${ngo_id} ${status} ${reference ?? ''}`.trim())
    .sort()
const paidBy = (payout: Payout, changes: Partial<Listed> = {}) =>
  entry({ id: payout.id, amount: '50.00', iban: IBAN, reference: `R-${payout.ngo_id}`, ...changes })

describe('a bank’s statement', () => {
  it('marks payouts as paid, with the bank’s reference, and counts the account’s other business', async () => {
    const rent = entry({ id: 'NOTPROVIDED', amount: '900.00' })
    // Some banks write ids in capitals, and leave the account out.
    const found = await apply([
      rent,
      paidBy(msf),
      paidBy(cerf, { id: cerf.id.toUpperCase(), iban: undefined }),
    ])
    expect(found).toMatchObject({ others: 1, amiss: [], noted: [], changed: [] })
    expect(await states()).toEqual(['cerf paid R-cerf', 'msf paid R-msf'])
    expect(await findings()).toEqual([])
  })

  it('changes nothing the second time', async () => {
    await apply([paidBy(msf), paidBy(cerf)])
    const before = await test.dump()
    expect(await apply([paidBy(msf), paidBy(cerf)])).toMatchObject({ paid: [], amiss: [] })
    expect((await matching([paidBy(msf)])).noted).toEqual([msf.id])
    // The same entry on two statements within one file is one.
    expect(await apply([paidBy(msf), paidBy(msf)])).toMatchObject({ paid: [], amiss: [] })
    expect(await test.dump()).toBe(before)
  })

  it.each<readonly [string, (payout: Payout) => readonly string[], string]>([
    [
      'another amount',
      each => [paidBy(each, { amount: '49.99' })],
      'The bank paid 49.99 EUR, and the payout is 50.00',
    ],
    ['another currency', each => [paidBy(each, { currency: 'USD' })], 'The bank paid 50.00 USD'],
    ['another account', each => [paidBy(each, { iban: OTHER_IBAN })], 'went to another account'],
    ['two transfers', each => [paidBy(each), paidBy(each, { reference: 'R-2' })], 'paid it 2 times'],
    ['money that came in', each => [paidBy(each, { direction: 'CRDT' })], 'came back'],
    ['a reversed entry', each => [paidBy(each), paidBy(each, { isReversal: true })], 'came back'],
    ['a rejected one', each => [paidBy(each, { more: '<RtrInf/>' })], 'came back'],
    ['one that is pending', each => [paidBy(each, { status: 'PDNG' })], 'not booked yet'],
    ['a payout of nobody', each => [paidBy(each, { id: '01kq0000000000000000000000' })], 'no such payout'],
  ])('names and does not note: %s', async (_, entriesOf, words) => {
    const before = await test.dump()
    const found = await apply(entriesOf(msf))
    expect(found.amiss.map(({ why }) => why)).toEqual([expect.stringContaining(words)])
    expect(await test.dump()).toBe(before)
    // What is amiss with one keeps no other from being noted.
    await apply([...entriesOf(msf), paidBy(cerf)])
    expect(await states()).toEqual(['cerf paid R-cerf', 'msf open'])
  })

  it('names a payout that was cancelled, and one that was noted under another reference', async () => {
    await cancelPayout(test.db, msf.id, clock())
    await markPaid(test.db, { id: cerf.id, reference: 'by hand' }, clock())
    const found = await apply([paidBy(msf), paidBy(cerf)])
    expect(found.amiss.map(({ why }) => why)).toEqual([
      expect.stringContaining('was cancelled'),
      expect.stringContaining('with the reference "by hand"'),
    ])
    expect(await states()).toEqual(['cerf paid by hand', 'msf cancelled'])
    expect(await findings()).toEqual([])
  })

  it('that has shown the transfer keeps a payout from being noted as not paid, whoever noted it as paid', async () => {
    await markPaid(test.db, { id: cerf.id, reference: 'R-cerf' }, clock())
    await apply([paidBy(msf), paidBy(cerf)])
    for (const { id } of [msf, cerf])
      await expect(markUnpaid(test.db, id, clock())).rejects.toMatchObject({ rule: 'seen-at-bank' })
    expect(await states()).toEqual(['cerf paid R-cerf', 'msf paid R-msf'])
  })

  it('that shows it under another reference than was noted by hand keeps it too', async () => {
    await markPaid(test.db, { id: cerf.id, reference: 'by hand' }, clock())
    await apply([paidBy(cerf)])
    await expect(markUnpaid(test.db, cerf.id, clock())).rejects.toMatchObject({ rule: 'seen-at-bank' })
  })

  it('that shows nothing of it does not, and notes it as paid when it is', async () => {
    await markPaid(test.db, { id: cerf.id, reference: 'R-msf' }, clock())
    await apply([paidBy(msf)])
    await markUnpaid(test.db, cerf.id, clock())
    expect(await states()).toEqual(['cerf open', 'msf paid R-msf'])
    clock.advance(1)
    await apply([paidBy(msf), paidBy(cerf)])
    expect(await states()).toEqual(['cerf paid R-cerf', 'msf paid R-msf'])
    expect(await findings()).toEqual([])
  })

  it('names money that came back after it was noted', async () => {
    await apply([paidBy(msf)])
    const [{ why } = { why: '' }] = (await apply([paidBy(msf, { direction: 'CRDT', reference: 'R-9' })]))
      .amiss
    expect(why).toContain('came back after it was noted as paid')
  })

  it('names two transfers of one payout that the bank booked as one entry', async () => {
    const one = `<TxDtls><Refs><EndToEndId>${msf.id}</EndToEndId></Refs><Amt Ccy="EUR">50.00</Amt></TxDtls>`
    const booked = `<Ntry><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <AcctSvcrRef>B</AcctSvcrRef><NtryDtls>${one}${one}</NtryDtls></Ntry>`
    expect((await matching([booked])).amiss.map(({ why }) => why)).toEqual([
      expect.stringContaining('paid it 2 times'),
    ])
  })

  it('names them where the bank gives all of an entry the same reference', async () => {
    const one = `<TxDtls><Refs><AcctSvcrRef>B</AcctSvcrRef><EndToEndId>${msf.id}</EndToEndId></Refs><Amt Ccy="EUR">50.00</Amt></TxDtls>`
    const booked = `<Ntry><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <AcctSvcrRef>B</AcctSvcrRef><NtryDtls>${one}${one}</NtryDtls></Ntry>`
    const twice = expect.stringContaining('paid it 2 times')
    expect((await matching([booked])).amiss.map(({ why }) => why)).toEqual([twice])
    // Two statements show it, and it is two transfers all the same.
    expect((await matching([booked, booked])).amiss.map(({ why }) => why)).toEqual([twice])
  })

  it('names a run that was booked as one entry without its transfers', async () => {
    const booked = `<Ntry><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <AcctSvcrRef>B</AcctSvcrRef><NtryDtls><Btch><PmtInfId>${run}</PmtInfId></Btch></NtryDtls></Ntry>`
    expect(await matching([booked])).toMatchObject({
      others: 0,
      paid: [],
      amiss: [{ subject: 'run 2026-03', reference: 'B', why: expect.stringContaining('single entries') }],
    })
  })

  it('is not held against an account that another hand wrote', async () => {
    await test.plant(`update payee_accounts set iban = '${OTHER_IBAN}' where ngo_id = 'msf'`)
    await expect(matching([paidBy(msf, { iban: OTHER_IBAN })])).rejects.toThrow('has not the seal')
  })

  it('killed between any two statements is noted in part, and goes on with the same file', async () => {
    for (let step = 1; ; step++) {
      const mortal = diesAt(step)
      await apply([paidBy(msf), paidBy(cerf)], mortal.over(test.db)).catch(() => undefined)
      expect(await findings()).toEqual([])
      if (mortal.survived()) break
    }
    await apply([paidBy(msf), paidBy(cerf)])
    expect(await states()).toEqual(['cerf paid R-cerf', 'msf paid R-msf'])
    expect(await findings()).toEqual([])
  })
})

describe.each(['NONREF', 'NOTPROVIDED', 'N/A', ''])(
  'a bank without references, which writes %j',
  reference => {
    const paidOn = (day: string, payout = msf) => paidBy(payout, { reference, day })
    const [first, second] = ['2026-03-12', '2026-03-13']
    const whys = (found: { amiss: readonly { why: string }[] }) => found.amiss.map(({ why }) => why)

    it('that pays twice in one file is found out', async () => {
      expect(whys(await matching([paidOn(first), paidOn(second)]))).toEqual([
        expect.stringContaining('paid it 2 times'),
      ])
      expect(whys(await matching([paidOn(first), paidOn(first)]))).toEqual([
        expect.stringContaining('paid it 2 times'),
      ])
      expect(await states()).toEqual(['cerf open', 'msf open'])
    })

    it('that pays twice in two files is found out, where its statements have one id too', async () => {
      await apply([paidOn(first)])
      expect(whys(await apply([paidOn(second)]))).toEqual([expect.stringContaining('it was paid twice')])
    })

    it('shows one entry in two statements, at another place there, and it stays one', async () => {
      await apply([paidOn(first)], test.db, 'in the day')
      const before = await test.dump()
      const found = await apply([paidOn(first, cerf), paidOn(first)], test.db, 'of the day')
      expect(found).toMatchObject({ amiss: [], noted: [msf.id], paid: [{ payout: { ngo_id: 'cerf' } }] })
      expect(await states()).toEqual(['cerf paid 2026-03-12 50.00 EUR', 'msf paid 2026-03-12 50.00 EUR'])
      expect(before).toContain('2026-03-12 50.00 EUR')
      expect((await apply([paidOn(first, cerf), paidOn(first)])).amiss).toEqual([])
    })

    it('whose file was read before placeholders were known does not count again, and a later transfer does', async () => {
      clock.advance(3 * DAY_MS)
      await markPaid(test.db, { id: msf.id, reference: reference || '2026-071 #1' }, clock())
      expect(await matching([paidOn(first)])).toMatchObject({ paid: [], noted: [msf.id], amiss: [] })
      expect(whys(await matching([paidOn('2026-03-20')]))).toEqual([
        expect.stringContaining('it was paid twice'),
      ])
    })
  },
)

describe('an operator', () => {
  let folder: string
  let tools: Tools
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gc-statement-'))
    tools = {
      database: async () => test.db,
      place: { dataDir: folder },
      environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
      clock,
      progress() {},
    }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  function file(content: string | Uint8Array): string {
    const path = join(folder, 'statement')
    writeFileSync(path, content)
    return path
  }
  async function tell(...args: string[]) {
    const { lines, ok } = await payoutCommand.run(tools, ['import', ...args])
    return { ok, text: lines.join('\n') }
  }

  it('sees what would be noted, has it noted, and may say it twice', async () => {
    const path = file(statement([paidBy(msf)]))
    const before = await test.dump()
    const { text, ok } = await tell(path)
    expect(text).toContain('1 payout to note as paid, 0 noted before, 0 amiss')
    expect(text).toContain('Nothing is noted yet')
    expect(text).not.toContain(IBAN)
    expect(ok).toBe(true)
    expect(await test.dump()).toBe(before)
    expect((await tell(path, '--apply')).text).toContain('1 payout noted as paid')
    expect((await tell(path, '--apply')).text).toContain('0 payouts noted as paid, 1 noted before')
    expect(await states()).toEqual(['cerf open', 'msf paid R-msf'])
  })

  it('may bring a table, and is told what does not fit', async () => {
    const path = file(
      `reference;end to end id;amount;currency\nA;${msf.id};-50,00;EUR\nB;${cerf.id};-5,00;EUR\nC;;12,00;EUR\n`,
    )
    const { text, ok } = await tell(path, '--apply')
    expect(text).toContain('1 payout noted as paid, 0 noted before, 1 amiss, 1 other entries')
    expect(text).toContain(
      `Not noted: ${cerf.id} (B)\n  The bank paid 5.00 EUR, and the payout is 50.00 EUR.`,
    )
    expect(ok).toBe(false)
    expect(await states()).toEqual(['cerf open', 'msf paid A'])
  })

  it('has it in the audit log once something was noted, without the name of the file', async () => {
    const log = () =>
      test.db.read(reader =>
        reader.selectFrom('audit_log').select(['action', 'subject', 'outcome']).execute(),
      )
    await writeDown('payout', ['import', 'x.xml'], true, tools)
    expect(await log()).toEqual([])
    await writeDown('payout', ['import', 'x.xml', '--apply'], false, tools)
    expect(await log()).toEqual([{ action: 'payout import', subject: null, outcome: 'done' }])
  })

  it.each<readonly [string, () => string, string]>([
    ['no file', () => '/nowhere/at.all', 'ENOENT'],
    ['a folder', () => folder, 'is no file'],
    ['a file that is too large', () => file(Buffer.alloc(20 * 1024 * 1024 + 1, ' ')), 'larger than 20 MB'],
    ['bytes that are no text', () => file(Uint8Array.of(0x3c, 0xff, 0xfe)), 'not in UTF-8'],
    ['another document', () => file('<html/>'), 'no camt.053'],
    ['another table', () => file('a,b\n1,2\n'), 'Missing: reference'],
  ])('is refused in words: %s', async (_, path, words) => {
    await expect(tell(path(), '--apply')).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringContaining(words),
    })
  })
})
