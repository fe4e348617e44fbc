import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PAYEE_WAIT_MS } from '#domain/payout/payee-accounts.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import type { Message } from '#server/modules/letters/message.ts'
import {
  confirmPayee,
  currentPayee,
  forgetPayees,
  type NewPayee,
  noteTold,
  payees,
  proposePayee,
  withdrawPayee,
} from '#server/modules/payouts/payee-accounts.ts'
import { account } from '#server/ops/account.ts'
import { writeDown } from '#server/ops/audit.ts'
import type { Tools } from '#server/ops/command.ts'
import { erase } from '#server/ops/erase.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const IBAN = 'ES9121000418450200051332'
const OTHER_IBAN = 'DE89370400440532013000'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
})
afterEach(() => test.close())

const propose = (changes: Partial<NewPayee> = {}) =>
  proposePayee(
    test.db,
    testKeys,
    {
      ngoId: 'msf',
      legalName: 'Médicos Sin Fronteras España',
      taxNumber: 'G58277534',
      contact: 'money@msf.example',
      language: 'es',
      iban: IBAN,
      ...changes,
    },
    clock(),
  )
const confirm = (ngoId = 'msf') =>
  confirmPayee(test.db, testKeys, { ngoId, who: 'Núria Prat', how: 'phone' }, clock())
const withdraw = (state: 'proposed' | 'current') =>
  withdrawPayee(test.db, testKeys, { ngoId: 'msf', state }, clock())
const current = () => test.db.read(reader => currentPayee(reader, testKeys, 'msf'))
const findings = () => checkLedger(test.db, { keys: testKeys, now: clock() })

/** Sends what waits in the outbox. */
async function sendMails(): Promise<readonly Message[]> {
  const sent: Message[] = []
  await letterWorker({ db: test.db, clock }, sent).runDue()
  return sent
}

describe('an organisation’s first account', () => {
  it('is paid to once somebody there has confirmed it, which is noted: who, how and when', async () => {
    await propose()
    expect(await current()).toBeUndefined()
    clock.advance(60_000)
    await confirm()
    expect(await current()).toMatchObject({
      iban: IBAN,
      country: 'ES',
      state: 'current',
      confirmed_by: 'Núria Prat',
      confirmed_how: 'phone',
      confirmed_at: clock(),
      replaces: null,
    })
    expect(await findings()).toEqual([])
  })

  it('is no current one in the database without that', async () => {
    const { id } = await propose()
    const write = test.db.transaction(trx =>
      trx.updateTable('payee_accounts').set({ state: 'current' }).where('id', '=', id).execute(),
    )
    await expect(write).rejects.toThrow(/check/i)
  })

  it.each<readonly [string, Partial<NewPayee>, string]>([
    ['an IBAN with a wrong digit', { iban: 'ES9121000418450200051333' }, 'not an IBAN'],
    ['a wrong BIC', { bic: 'CAIXA' }, 'not a BIC'],
    ['a country beside the IBAN that is another', { country: 'FR' }, 'of ES, not of FR'],
    ['no number at all', { iban: undefined, country: 'US' }, '3 to 34'],
    ['no bank', { iban: undefined, country: 'US', number: '123456' }, '--routing or --bic'],
    [
      'a routing number with a wrong digit',
      { iban: undefined, country: 'US', number: '123456', routing: '021000022' },
      'check digit',
    ],
    [
      'a sort code that is too short',
      { iban: undefined, country: 'GB', number: '12345678', routing: '1234' },
      '6 digits in GB',
    ],
    ['a country that there is not', { iban: undefined, country: 'XX', number: '12345' }, '--country'],
    ['a contact that is no address', { contact: 'somebody' }, 'not an e-mail address'],
    ['a name in letters that the bank’s file lacks', { legalName: 'Ελπίδα NGO' }, 'in Latin letters'],
    ['a name that no bank takes', { legalName: 'x'.repeat(71) }, '1 to 70'],
  ])('is refused with %s', async (_, changes, words) => {
    await expect(propose(changes)).rejects.toThrow(words)
    expect(await test.db.read(reader => payees(reader))).toEqual([])
  })

  it('may be one without an IBAN', async () => {
    const typed = { iban: undefined, country: 'us', number: '000-123456789', routing: '021000021' }
    expect(await propose(typed)).toMatchObject({ country: 'US', number: '000123456789', iban: null })
  })

  it('waits alone: a second one is refused, also by the database', async () => {
    const first = await propose()
    await expect(propose({ iban: OTHER_IBAN })).rejects.toThrow('waits already')
    const twice = test.db.transaction(trx =>
      trx
        .insertInto('payee_accounts')
        .values({ ...first, id: 'another' })
        .execute(),
    )
    await expect(twice).rejects.toThrow(/unique/i)
  })
})

describe('another account', () => {
  beforeEach(async () => {
    await propose()
    await confirm()
    clock.advance(1)
  })

  it('takes its place a day after the old contact was written to, and not a moment before', async () => {
    const next = await propose({ iban: OTHER_IBAN, contact: 'thief@elsewhere.example', language: 'en' })
    clock.advance(2 * PAYEE_WAIT_MS)
    await expect(confirm()).rejects.toThrow('still on its way')
    const [letter, ...more] = await sendMails()
    expect(more).toEqual([])
    expect(letter).toMatchObject({ to: 'money@msf.example' })
    expect(letter?.text).toContain('…3000')
    expect(letter?.text).toContain('…1332')
    expect(letter?.text).not.toMatch(new RegExp(`${IBAN}|${OTHER_IBAN}`))
    clock.advance(PAYEE_WAIT_MS - 1)
    await expect(confirm()).rejects.toThrow('from 2026-03-13 09:00 UTC on')
    expect((await current())?.iban).toBe(IBAN)
    clock.advance(1)
    await confirm()
    expect(await current()).toMatchObject({ id: next.id, iban: OTHER_IBAN })
    expect((await test.db.read(reader => payees(reader))).map(({ state }) => state)).toEqual([
      'current',
      'ended',
    ])
    expect(await findings()).toEqual([])
  })

  it('cannot be confirmed before its time in the database either', async () => {
    const { id } = await propose({ iban: OTHER_IBAN })
    const write = (told: number | null, confirmed: number) =>
      test.db.transaction(trx =>
        trx
          .updateTable('payee_accounts')
          .set({ told_at: told, confirmed_at: confirmed, confirmed_by: 'x', confirmed_how: 'phone' })
          .where('id', '=', id)
          .execute(),
      )
    await expect(write(null, clock() + PAYEE_WAIT_MS)).rejects.toThrow(/check/i)
    await expect(write(clock(), clock() + PAYEE_WAIT_MS - 1)).rejects.toThrow(/check/i)
  })

  it('waits all the same where the account before was withdrawn first', async () => {
    await withdraw('current')
    expect(await current()).toBeUndefined()
    await propose({ iban: OTHER_IBAN })
    await expect(confirm()).rejects.toThrow('still on its way')
    expect(await sendMails()).toHaveLength(1)
    await expect(confirm()).rejects.toThrow('can be confirmed from')
  })

  it('waits for a day from its proposal where nobody is left to be written to', async () => {
    await test.db.transaction(trx => forgetPayees(trx, testKeys, { addresses: ['MONEY@msf.example'] }))
    expect(await findings()).toEqual([])
    await propose({ iban: OTHER_IBAN })
    await expect(confirm()).rejects.toThrow('can be confirmed from')
    clock.advance(PAYEE_WAIT_MS)
    await confirm()
    expect((await current())?.iban).toBe(OTHER_IBAN)
  })

  it('that was withdrawn in time is written of to nobody and never paid', async () => {
    const { id } = await propose({ iban: OTHER_IBAN })
    await withdraw('proposed')
    expect(await sendMails()).toEqual([])
    await test.db.transaction(trx => noteTold(trx, testKeys, id, 1))
    clock.advance(2 * PAYEE_WAIT_MS)
    await expect(confirm()).rejects.toThrow('No account of msf waits')
    expect((await current())?.iban).toBe(IBAN)
  })

  it('written by another hand is paid nothing, confirmed by nobody, and found', async () => {
    await test.plant(`update payee_accounts set iban = '${OTHER_IBAN}', country = 'DE'`)
    await expect(current()).rejects.toThrow('has not the seal')
    await expect(propose({ iban: OTHER_IBAN })).rejects.toThrow('has not the seal')
    expect((await findings()).map(({ rule }) => rule)).toEqual(['payee-seal-broken'])
    // What the product changes of it afterwards does not mend it.
    await withdraw('current')
    expect((await findings()).map(({ rule }) => rule)).toEqual(['payee-seal-broken'])
  })

  it('that was proposed, and changed by another hand, is not confirmed', async () => {
    await propose({ iban: OTHER_IBAN })
    await sendMails()
    clock.advance(PAYEE_WAIT_MS)
    await test.plant(`update payee_accounts set contact = 'thief@elsewhere.example' where state = 'proposed'`)
    await expect(confirm()).rejects.toThrow('has not the seal')
  })

  it('whose waiting day another hand has begun is not confirmed', async () => {
    await propose({ iban: OTHER_IBAN })
    await test.plant(`update payee_accounts set told_at = proposed_at where state = 'proposed'`)
    clock.advance(PAYEE_WAIT_MS)
    await expect(confirm()).rejects.toThrow('has not the seal')
    expect((await findings()).map(({ rule }) => rule)).toEqual(['payee-seal-broken'])
  })

  it('is written of to the contact that the product noted, and to no other', async () => {
    await propose({ iban: OTHER_IBAN })
    const setContact = (contact: string) =>
      test.plant(`update payee_accounts set contact = '${contact}' where state = 'current'`)
    await setContact('thief@elsewhere.example')
    expect(await sendMails()).toEqual([])
    await setContact('money@msf.example')
    await expect(confirm()).rejects.toThrow('still on its way')
    clock.advance(3_600_000)
    expect(await sendMails()).toMatchObject([{ to: 'money@msf.example' }])
    expect(await findings()).toEqual([])
  })

  it('is not confirmed where another hand has written to the one that was withdrawn before it', async () => {
    await withdraw('current')
    await propose({ iban: OTHER_IBAN })
    await sendMails()
    clock.advance(PAYEE_WAIT_MS)
    await test.plant(`update payee_accounts set contact = 'thief@elsewhere.example' where state = 'ended'`)
    await expect(confirm()).rejects.toThrow('has not the seal')
  })

  it('begins its waiting day once, also where its contact is forgotten in that moment', async () => {
    const { id } = await propose({ iban: OTHER_IBAN, contact: 'new@msf.example' })
    const other = await test.another()
    await Promise.all([
      test.db.transaction(trx => noteTold(trx, testKeys, id, clock())),
      other
        .transaction(trx => forgetPayees(trx, testKeys, { addresses: ['new@msf.example'] }))
        .catch(() => 0),
    ])
    clock.advance(1)
    await test.db.transaction(trx => noteTold(trx, testKeys, id, clock()))
    expect((await test.db.read(reader => payees(reader, 'msf')))[0]).toMatchObject({
      state: 'proposed',
      told_at: clock() - 1,
    })
    expect(await findings()).toEqual([])
  })

  it('leaves of the one before the account and, once its time is over, no person', async () => {
    await propose({ iban: OTHER_IBAN })
    await sendMails()
    clock.advance(PAYEE_WAIT_MS)
    await confirm()
    const forget = (endedBefore: number) =>
      test.db.transaction(trx => forgetPayees(trx, testKeys, { endedBefore }))
    expect(await forget(clock())).toBe(0)
    expect(await forget(clock() + 1)).toBe(1)
    expect(await forget(clock() + 1)).toBe(0)
    const [now, before] = await test.db.read(reader => payees(reader))
    expect(now).toMatchObject({ contact: 'money@msf.example', confirmed_by: 'Núria Prat' })
    expect(before).toMatchObject({ iban: IBAN, contact: null, confirmed_by: null, confirmed_how: 'phone' })
    expect(await findings()).toEqual([])
  })
})

describe('an operator', () => {
  let tools: Tools
  let folder: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gc-accounts-'))
    tools = {
      database: async () => test.db,
      place: { dataDir: folder },
      environment: { CARD_KEY_SECRET: TEST_CARD_SECRET },
      clock,
      progress() {},
    }
    const card = await test.db.transaction(trx => sellCard(trx))
    await createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] }).redeem(
      card.privateKey,
      [{ ngoId: 'msf', points: 50 }],
    )
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const tell = async (...args: string[]) => {
    const report = await account.run(tools, args)
    await writeDown('account', args, report.ok, tools)
    return report.lines.join('\n')
  }
  const PROPOSE = ['propose', 'msf', '--name', 'MSF', '--contact', 'money@msf.example', '--iban', IBAN]
  const PROPOSE_OTHER = [...PROPOSE.slice(0, -1), OTHER_IBAN]
  const CONFIRM = ['confirm', 'msf', '--with', 'Núria Prat', '--how', 'phone']

  it('proposes, asks, confirms and looks; the log of what was done names no person', async () => {
    expect(await tell(...PROPOSE)).toContain('Noted: ES …1332 for msf. Nothing is paid there yet.')
    expect(await tell('confirm', 'msf', '--with', 'Núria Prat', '--how', 'phone')).toContain(
      'msf is paid to ES …1332 from now on.',
    )
    expect(await tell('list')).toMatch(/msf +msf +ES …1332 +current +2026-03-10/)
    expect(await tell('show', 'msf')).toMatch(
      /account +ES9121000418450200051332[\s\S]*confirmed +2026-03-10.*by phone, with Núria Prat/,
    )
    const log = await test.db.read(reader => reader.selectFrom('audit_log').selectAll().execute())
    expect(log.map(({ action, subject }) => [action, subject]).sort()).toEqual([
      ['account confirm', 'msf'],
      ['account propose', 'msf'],
      ['account show', 'msf'],
    ])
    expect(JSON.stringify(log)).not.toMatch(/Núria|money@|ES91/)
    const change = test.db.transaction(trx => trx.deleteFrom('audit_log').execute())
    await expect(change).rejects.toThrow('append-only')
  })

  it('ends what was proposed, and the account that is paid to only by its own word', async () => {
    await tell(...PROPOSE)
    await tell(...CONFIRM)
    await tell(...PROPOSE_OTHER)
    expect(await tell('withdraw', 'msf')).toContain('What was proposed for msf is withdrawn.')
    await expect(tell('withdraw', 'msf')).rejects.toThrow('ends with --current alone')
    expect((await current())?.iban).toBe(IBAN)
    expect(await tell('withdraw', 'msf', '--current')).toContain('Nothing is paid to msf any more')
    expect(await current()).toBeUndefined()
    await expect(tell('withdraw', 'msf')).rejects.toThrow('No account of msf waits.')
  })

  it.each([
    ['propose', [], PROPOSE],
    ['confirm', [PROPOSE], CONFIRM],
    ['withdraw', [PROPOSE, CONFIRM, PROPOSE_OTHER], ['withdraw', 'msf']],
    ['withdraw --current', [PROPOSE, CONFIRM, PROPOSE_OTHER], ['withdraw', 'msf', '--current']],
  ] as const)('who says the same twice changes nothing by the second time (%s)', async (_, before, act) => {
    for (const each of before) await tell(...each)
    await tell(...act)
    const stand = () => test.db.read(reader => payees(reader, 'msf'))
    const once = await stand()
    clock.advance(1)
    await expect(tell(...act)).rejects.toThrow()
    expect(await stand()).toEqual(once)
  })

  it('is told why not', async () => {
    await expect(tell('propose', 'mfs', ...PROPOSE.slice(2))).rejects.toThrow('no organisation "mfs"')
    await expect(tell(...PROPOSE, '--language', 'xx')).rejects.toThrow('not a language')
    await tell(...PROPOSE)
    await expect(tell('confirm', 'msf', '--with', 'Núria', '--how', 'mail')).rejects.toThrow('Not by mail')
    await expect(tell('confirm', 'msf', '--how', 'phone')).rejects.toThrow('(--with)')
    tools = { ...tools, environment: {} }
    await expect(tell('withdraw', 'msf')).rejects.toThrow('CARD_KEY_SECRET')
  })

  it('forgets a contact who asks for it, and the account stays', async () => {
    await tell(...PROPOSE)
    await tell('confirm', 'msf', '--with', 'Núria Prat', '--how', 'phone')
    expect((await erase.run(tools, ['money@msf.example'])).data).toMatchObject({ contacts: 1, done: false })
    expect((await erase.run(tools, ['money@msf.example', '--yes'])).data).toMatchObject({ contacts: 1 })
    expect(await current()).toMatchObject({ contact: null, iban: IBAN })
    expect(await findings()).toEqual([])
  })
})
