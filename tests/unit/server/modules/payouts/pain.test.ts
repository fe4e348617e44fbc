import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isSepa, painOf } from '#server/modules/payouts/pain.ts'
import type { PayeeAccount } from '#server/modules/payouts/payee-accounts.ts'
import type { Payout } from '#server/modules/payouts/payouts.ts'
import type { Transfer } from '#server/modules/payouts/runs.ts'
import { losesLetters, sepaText } from '#server/modules/payouts/sepa-text.ts'
import { newId } from '#server/platform/db/ids.ts'

const AT = Date.parse('2026-03-10T09:00:00Z')
const RUN = { id: newId(AT), run_key: '2026-03', created_at: AT }
const OPTIONS = { payer: { name: 'Keep the Chain', iban: 'DE89370400440532013000' }, on: '2026-03-11' }

const transfer = (
  amount: number,
  account: Partial<PayeeAccount> = {},
  currency: Payout['currency'] = 'EUR',
): Transfer => ({
  payout: { id: newId(AT), amount, currency } as Payout,
  account: {
    legal_name: 'Médicos & Compañía',
    country: 'ES',
    iban: 'ES9121000418450200051332',
    bic: null,
    ...account,
  } as PayeeAccount,
})

const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => text)

/** The schema's file. It is its publisher's, so none is kept here; xmllint is Debian's `libxml2-utils`. */
const SCHEMA = process.env.PAIN_SCHEMA

/** What xmllint says against it; nothing where it is valid. */
function faultsOf(xml: string): string {
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', SCHEMA!, '-'], {
    input: xml,
    encoding: 'utf8',
  })
  return status === 0 ? '' : stderr
}

/** What stands directly in each element of this name, in its order. */
function childrenOf(xml: string, name: string): readonly (readonly string[])[] {
  const found: string[][] = []
  const open: { name: string; children: string[] }[] = []
  for (const [, slash, each] of xml.matchAll(/<(\/?)([A-Za-z]+)(?: [^>]*)?>/g)) {
    if (slash === '/') {
      const closed = open.pop()
      expect(closed?.name).toBe(each)
      if (closed?.name === name) found.push(closed.children)
      continue
    }
    open.at(-1)?.children.push(each!)
    open.push({ name: each!, children: [] })
  }
  expect(open).toEqual([])
  return found
}

describe('the file for the bank', () => {
  const transfers = [transfer(5), transfer(199_999, { bic: 'CAIXESBBXXX' }), transfer(1_999)]
  const xml = painOf(RUN, transfers, OPTIONS)

  it('has each amount with two decimals, their number and their sum, on both levels', () => {
    expect(all(xml, 'InstdAmt')).toEqual(['0.05', '1999.99', '19.99'])
    expect(xml.match(/Ccy="EUR"/g)).toHaveLength(3)
    expect(all(xml, 'CtrlSum')).toEqual(['2020.03', '2020.03'])
    expect(all(xml, 'NbOfTxs')).toEqual(['3', '3'])
  })

  it('knows each transfer by its payout, and the message by its run, in at most 35 letters', () => {
    expect(all(xml, 'EndToEndId')).toEqual(transfers.map(({ payout }) => payout.id))
    expect(new Set(all(xml, 'EndToEndId')).size).toBe(3)
    expect(all(xml, 'MsgId')).toEqual([RUN.id])
    for (const id of [...all(xml, 'EndToEndId'), ...all(xml, 'MsgId'), ...all(xml, 'PmtInfId')])
      expect(id?.length).toBeLessThanOrEqual(35)
  })

  it('is the same file again', () => {
    expect(painOf(RUN, transfers, OPTIONS)).toBe(xml)
  })

  it('keeps the order of the schema', () => {
    expect(childrenOf(xml, 'CstmrCdtTrfInitn')).toEqual([['GrpHdr', 'PmtInf']])
    expect(childrenOf(xml, 'GrpHdr')).toEqual([['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum', 'InitgPty']])
    expect(childrenOf(xml, 'PmtInf')[0]?.slice(0, 10)).toEqual([
      'PmtInfId',
      'PmtMtd',
      'NbOfTxs',
      'CtrlSum',
      'PmtTpInf',
      'ReqdExctnDt',
      'Dbtr',
      'DbtrAcct',
      'DbtrAgt',
      'ChrgBr',
    ])
    const one = ['PmtId', 'Amt', 'Cdtr', 'CdtrAcct', 'RmtInf']
    expect(childrenOf(xml, 'CdtTrfTxInf')).toEqual([
      one,
      ['PmtId', 'Amt', 'CdtrAgt', 'Cdtr', 'CdtrAcct', 'RmtInf'],
      one,
    ])
    expect(xml).toContain('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">')
    expect(all(xml, 'Dt')).toEqual(['2026-03-11'])
    expect(all(xml, 'CreDtTm')).toEqual(['2026-03-10T09:00:00'])
  })

  it('has only letters that every bank takes', () => {
    expect(all(xml, 'Nm')).toContain('Medicos + Compania')
    for (const text of [...all(xml, 'Nm'), ...all(xml, 'Ustrd')])
      expect(text).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]+$/)
  })

  it('takes sums that no float holds', () => {
    const most = Array.from({ length: 9 }, () => transfer(99_999_999_999))
    expect(all(painOf(RUN, most, OPTIONS), 'CtrlSum')[0]).toBe('8999999999.91')
  })

  it.runIf(SCHEMA)(
    'is valid by the schema that PAIN_SCHEMA names, and not once an element stands elsewhere',
    () => {
      const accounts: readonly Partial<PayeeAccount>[] = [
        {},
        { bic: 'CAIXESBBXXX' },
        {
          legal_name: `${'Ñandú & Œuvre “d’Été” '.repeat(6)}`,
          iban: 'FR1420041010050500013M02606',
          country: 'FR',
        },
        { legal_name: 'O', iban: 'MT84MALT011000012345MTLCAST001S', country: 'MT' },
      ]
      const wide = accounts.flatMap(account => [1, 99_999_999_999].map(amount => transfer(amount, account)))
      for (const payer of [OPTIONS.payer, { ...OPTIONS.payer, name: 'Ł & Ü', bic: 'COBADEFFXXX' }]) {
        const file = painOf(RUN, wide, { ...OPTIONS, payer })
        expect(faultsOf(file)).toBe('')
        expect(faultsOf(file.replace(/(<PmtMtd>.*?<\/PmtMtd>)(<NbOfTxs>.*?<\/NbOfTxs>)/, '$2$1'))).not.toBe(
          '',
        )
      }
    },
  )

  it('is refused empty, with another currency, another area, or more than a transfer may be', () => {
    for (const some of [
      [],
      [transfer(100, {}, 'USD')],
      [transfer(100, { iban: null })],
      [transfer(100, { country: 'TR' })],
      [transfer(0)],
      [transfer(100_000_000_000)],
    ])
      expect(() => painOf(RUN, some, OPTIONS)).toThrow(RangeError)
    expect(isSepa(transfer(100))).toBe(true)
  })
})

it.each([
  ['Ärzte ohne Grenzen', 'Arzte ohne Grenzen'],
  ['Łódź – Œuvre', 'Lodz - OEuvre'],
  ['//a//b/', 'a/b'],
  ['<b>"x"</b>', 'b x /b'],
  ['a\u0000b', 'a b'],
])('writes %s as banks do', (text, written) => {
  expect(sepaText(text, 70)).toBe(written)
})

it.each([
  ['Médicos Sin Fronteras – 1ª “Ñ” Łódź', false],
  ['Ελπίδα NGO', true],
  ['Фонд', true],
])('knows whether %s loses letters', (name, loses) => {
  expect(losesLetters(name)).toBe(loses)
})

it('refuses a name of which nothing is left', () => {
  expect(() => sepaText('名前', 70)).toThrow('no letter')
})
