import { describe, expect, it } from 'vitest'
import { readTable } from '#server/modules/payouts/bank-statement/table.ts'

const ID = '01kq0000000000000000000000'

describe('a bank’s statement as a table', () => {
  it.each([
    ['commas', `Reference,End-to-end ID,Amount,Currency,IBAN\r\nR 1,${ID},-80.00,eur,es91 2100\r\n`],
    [
      'semicolons',
      `\uFEFFday;amount;currency;iban;endToEndId;reference\n1.3.;-80,00;EUR;ES912100;${ID};R 1\n\n`,
    ],
    ['tabs', `reference\tend_to_end_id\tamount\tcurrency\tiban\n"R 1"\t${ID}\t−80\tEUR\tES912100`],
  ])('is read with %s', (_, text) => {
    expect(readTable(text)).toEqual([
      {
        reference: 'R 1',
        earlierReference: null,
        transfer: 'R 1 0',
        endToEndId: ID,
        batchId: null,
        amount: 8_000,
        currency: 'EUR',
        isOut: true,
        isReturn: false,
        isBooked: true,
        bookedOn: null,
        iban: 'ES912100',
      },
    ])
  })

  it('says what came in, and what names no payout', () => {
    expect(readTable('reference,end to end id,amount,currency\nR 1,,12.50,EUR')).toMatchObject([
      { endToEndId: null, amount: 1_250, isOut: false, iban: null },
    ])
  })

  it.each([
    ['no columns', 'a,b\n1,2', 'Missing: reference, endtoendid, amount, currency'],
    ['nothing', '', 'Missing: reference'],
    [
      'marks between thousands',
      `reference,end to end id,amount,currency\nR,x,"-1,000.00",EUR`,
      'Row 2: "-1,000.00"',
    ],
    ['no reference', `reference,end to end id,amount,currency\n,x,-1.00,EUR`, 'Row 2 has no reference'],
    [
      'a placeholder for the reference of a payout',
      `reference,end to end id,amount,currency\nNONREF,,-9.00,EUR\nNONREF,${ID},-1.00,EUR`,
      'Row 3 has no reference of the bank: "NONREF" stands for none. Write the booking day',
    ],
    ['an uneven row', `reference,end to end id,amount,currency\nR,x,-1.00`, 'is no table'],
  ])('is refused with %s', (_, text, words) => {
    expect(() => readTable(text)).toThrow(words)
  })
})
