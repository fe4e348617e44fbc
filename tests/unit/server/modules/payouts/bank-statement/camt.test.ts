import { describe, expect, it } from 'vitest'
import { readCamt } from '#server/modules/payouts/bank-statement/camt.ts'
import { minorOf } from '#server/modules/payouts/bank-statement/entry.ts'
import { entry, statement } from '#tests/support/bank-statement.ts'

/** In pieces of so many letters, as a file comes from disk. */
async function* pieces(text: string, size: number) {
  for (let n = 0; n < text.length; n += size) yield text.slice(n, n + size)
}
const read = (text: string, size = 1_000) => readCamt(pieces(text, size))

const ID = '01kq0000000000000000000000'
const IBAN = 'ES9121000418450200051332'

describe('a bank’s statement in XML', () => {
  it.each([1, 7, 100_000])('is read the same in pieces of %s letters', async size => {
    const text = statement([entry({ id: ID, amount: '80.00', iban: IBAN, reference: 'A &amp; B' })])
    expect(await read(text, size)).toEqual([
      {
        reference: 'A & B',
        earlierReference: null,
        transfer: 'A & B A & B 2026-03-12 80.00 EUR #1',
        endToEndId: ID,
        batchId: null,
        amount: 8_000,
        currency: 'EUR',
        isOut: true,
        isReturn: false,
        isBooked: true,
        bookedOn: '2026-03-12',
        iban: IBAN,
      },
    ])
  })

  it.each(['02', '04', '08', '13'])('may be of version 001.%s', async version => {
    expect(await read(statement([entry({ id: ID, amount: '1.5' })], version))).toMatchObject([
      { amount: 150 },
    ])
  })

  it('may have the oldest shape: the state as a text, the amount among the details, prefixes', async () => {
    const text = `<c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><c:BkToCstmrStmt><c:Stmt><c:Id>7</c:Id>
      <c:Ntry><c:Amt Ccy="EUR">100.00</c:Amt><c:CdtDbtInd>DBIT</c:CdtDbtInd><c:Sts>BOOK</c:Sts><c:NtryDtls>
      <c:TxDtls><c:Refs><c:EndToEndId>${ID}</c:EndToEndId></c:Refs><c:AmtDtls><c:TxAmt><c:Amt Ccy="EUR">30.00</c:Amt></c:TxAmt></c:AmtDtls></c:TxDtls>
      <c:TxDtls><c:Refs><c:EndToEndId>other</c:EndToEndId></c:Refs></c:TxDtls>
      </c:NtryDtls></c:Ntry></c:Stmt></c:BkToCstmrStmt></c:Document>`
    expect(await read(text)).toMatchObject([
      {
        endToEndId: ID,
        amount: 3_000,
        isOut: true,
        isBooked: true,
        reference: '7 #1',
        earlierReference: null,
      },
      // Of several in one entry nobody knows how much each was.
      { endToEndId: 'other', amount: null, reference: '7 #1' },
    ])
  })

  it.each(['NONREF', 'NOREF', 'notprovided', 'Not provided', ' N/A ', 'NA', 'N.A.', '0', '0000000000', '-'])(
    'takes %j for no reference',
    async reference => {
      const one = entry({ id: ID, amount: '80.00', reference })
      const other = entry({ id: ID, amount: '80.00', reference, day: '2026-03-13' })
      expect(await read(statement([one, one, other]))).toMatchObject([
        { reference: '2026-03-12 80.00 EUR', earlierReference: reference.trim() },
        { reference: '2026-03-12 80.00 EUR #2', earlierReference: reference.trim() },
        { reference: '2026-03-13 80.00 EUR', earlierReference: reference.trim() },
      ])
    },
  )

  it('tells the numbers that a bank gives to the entries of each statement apart by their day', async () => {
    const numbered = entry({ id: ID, amount: '80.00', reference: '' }).replace(
      '<Amt',
      '<NtryRef>1</NtryRef><Amt',
    )
    expect(await read(statement([numbered]))).toMatchObject([
      { reference: '1 2026-03-12', earlierReference: '1' },
    ])
  })

  it('counts what was ordered before what the bank made of it', async () => {
    const more = '<AmtDtls><InstdAmt><Amt Ccy="USD">50.00</Amt></InstdAmt></AmtDtls>'
    expect(await read(statement([entry({ id: ID, amount: '46.10', more })]))).toMatchObject([
      { amount: 5_000, currency: 'USD' },
    ])
  })

  it('says what came back, what waits, and what was booked as one', async () => {
    const batch = `<Ntry><Amt Ccy="EUR">130.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>B</AcctSvcrRef>
      <NtryDtls><Btch><PmtInfId>${ID}</PmtInfId><NbOfTxs>2</NbOfTxs></Btch></NtryDtls></Ntry>`
    const more = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>'
    const entries = [
      entry({ amount: '1.00', direction: 'CRDT' }),
      entry({ amount: '1.00', isReversal: true }),
      entry({ amount: '1.00', more }),
      entry({ amount: '1.00', status: 'PDNG' }),
      batch,
    ]
    const found = await read(statement(entries))
    expect(
      found.map(({ isOut, isReturn, isBooked, batchId }) => [isOut, isReturn, isBooked, batchId]),
    ).toEqual([
      [false, false, true, null],
      [true, true, true, null],
      [true, true, true, null],
      [true, false, false, null],
      [true, false, true, ID],
    ])
  })

  it.each([
    ['another kind of message', statement([]).replace('camt.053', 'camt.054'), 'no camt.053'],
    ['another document', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'no camt.053'],
    ['no namespace', '<Document/>', 'no camt.053'],
    [
      'a document type',
      statement([]).replace('<Document', '<!DOCTYPE Document [<!ENTITY a "aaaa">]><Document'),
      'declares a document type',
    ],
    ['an entity', statement([entry({ amount: '1.00', reference: '&file;' })]), 'not well-formed'],
    ['an open end', statement([]).slice(0, -5), 'not well-formed'],
    ['another encoding', statement([]).replace('UTF-8', 'ISO-8859-1'), 'Ask the bank for UTF-8'],
    ['a bottomless nest', statement(['<Ntry>'.repeat(60)]), 'deeper than any'],
  ])('is refused with %s', async (_, text, words) => {
    await expect(read(text)).rejects.toThrow(words)
  })
})

it.each([
  ['80', 8_000],
  ['80.5', 8_050],
  ['0,05', 5],
  ['80.1000', 8_010],
  ['80.001', null],
  ['1,000.00', null],
  ['-1.00', null],
  ['1e3', null],
  ['', null],
  ['9'.repeat(20), null],
])('an amount "%s" is %s minor units', (text, minor) => {
  expect(minorOf(text)).toBe(minor)
})
