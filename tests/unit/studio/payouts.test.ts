import { describe, expect, it } from 'vitest'
import { PAYOUT_REFUSALS } from '#domain/desk/payout-acts.ts'
import { actRefusal } from '../../../studio/src/desk/acts.ts'
import { dueWords } from '../../../studio/src/desk/duties.ts'
import {
  changesWhatIsOwed,
  nextRunOf,
  payoutsAfter,
  runsOf,
  stateWords,
} from '../../../studio/src/desk/payouts.ts'
import type { DueAnswer, PayoutsAnswer, SummaryAnswer } from '../../../studio/src/product.ts'

type Payout = PayoutsAnswer['payouts'][number]

const owes = (ngo_id: string, currency: string, amount: number): SummaryAnswer['owed'][number] => ({
  ngo_id,
  name: ngo_id.toUpperCase(),
  currency,
  amount,
  allocations: 1,
  oldest_at: 0,
})
const payout = (run: string | null, id: string): Payout => ({
  id,
  ngo_id: 'msf',
  name: 'MSF',
  currency: 'EUR',
  amount: 1,
  status: 'open',
  run,
  made_at: 1,
  reference: null,
  said: null,
  is_by_hand: false,
})

describe('the next run', () => {
  it('pays each organisation with an account in each currency, and names the others once', () => {
    const owed = [
      owes('msf', 'EUR', 10),
      owes('msf', 'USD', 5),
      owes('irc', 'EUR', 7),
      owes('cerf', 'EUR', 1),
    ]
    expect(nextRunOf([...owed, owes('irc', 'USD', 2)], ['msf', 'cerf'])).toEqual({
      sums: [
        { currency: 'EUR', amount: 11 },
        { currency: 'USD', amount: 5 },
      ],
      payouts: 3,
      leftOut: ['IRC'],
    })
  })

  it('is nothing where nothing is owed', () => {
    expect(nextRunOf([], ['msf'])).toEqual({ sums: [], payouts: 0, leftOut: [] })
  })
})

it('shows a payout that was noted as paid by mistake as one that waits', () => {
  const noted = { ...payout('a', '1'), reference: 'SEPA 77', said: 'mail waits', is_by_hand: true }
  const mistaken: Payout = { ...noted, status: 'paid' }
  const back = { payout: '1', status: 'open' } as const
  expect(payoutsAfter([mistaken], [back])).toEqual([payout('a', '1')])
  // The last press counts.
  expect(payoutsAfter([mistaken], [back, { payout: '1', status: 'cancelled' }])).toMatchObject([
    { status: 'cancelled' },
  ])
})

it('shows what a press has done to payouts before they are read again', () => {
  const before = [payout('a', '1'), payout('a', '2'), payout('a', '3')]
  const noted = { payout: '1', status: 'paid', reference: 'SEPA 77' } as const
  const cancelled = { payout: '2', status: 'cancelled' } as const
  expect(
    payoutsAfter(before, [noted, cancelled, { run: 'b' }]).map(({ id, status, reference }) => [
      id,
      status,
      reference,
    ]),
  ).toEqual([
    ['1', 'paid', 'SEPA 77'],
    ['2', 'cancelled', null],
    ['3', 'open', null],
  ])
  expect([[], [noted], [cancelled], [noted, { run: 'b' }]].map(changesWhatIsOwed)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

it('shows payouts by run, the newest first, and those made alone last', () => {
  const runs = runsOf([payout('b', '1'), payout(null, '2'), payout('a', '3'), payout('b', '4')])
  expect(runs.map(({ run, payouts }) => [run, payouts.map(({ id }) => id).join()])).toEqual([
    ['b', '1,4'],
    ['a', '3'],
    [null, '2'],
  ])
})

it('says the state of a payout, and what its organisation says', () => {
  expect(stateWords({ status: 'paid', said: 'receipt' })).toBe('paid, receipt')
  expect(stateWords({ status: 'open', said: null })).toBe('not paid yet')
})

describe('a refusal of the desk', () => {
  it.each([
    // Mails to organisations are sent and taken back in the terminal.
    ...PAYOUT_REFUSALS.filter(rule => !['not-paid', 'never-told'].includes(rule)),
    'run-name',
    'reference',
    'payer-account',
    'payer-name',
    'day',
    'nothing-to-transfer',
    'other-press',
    'passkey',
    'no-passkey',
    'role',
    'cancelled',
    'too-old',
    'name',
    'no-such-person',
    'last-treasurer',
    'refund-under-way',
    'used',
  ])('has a sentence and a way out: %s', rule => {
    const { says, remedy } = actRefusal(rule)
    expect(says).not.toBe(actRefusal('unheard-of').says)
    expect(says).toMatch(/\.$/)
    expect(remedy).toMatch(/\.$/)
  })
})

describe('a duty', () => {
  const due = (changes: Partial<DueAnswer[number]>): DueAnswer[number] => ({
    name: 'vat',
    title: 'declare the VAT of the quarter before',
    waiting: null,
    opened: '2026-10-01',
    until: '2026-10-20',
    is_late: false,
    command: 'vat 2026-Q3',
    guide: 'docs/guides/treasurers-year.md#vat-of-a-quarter',
    known: 'noted',
    ...changes,
  })

  it('says until when, what waits, and how it is done', () => {
    expect(dueWords(due({}))).toEqual({
      says: 'Due until 2026-10-20: declare the VAT of the quarter before.',
      how: 'In the terminal: npm run ops -- vat 2026-Q3.',
      way: { to: 'terminal', command: 'npm run ops -- vat 2026-Q3' },
    })
    const late = due({
      name: 'payouts',
      title: 'pay',
      is_late: true,
      waiting: '5.00 EUR owed',
      known: 'data',
    })
    expect(dueWords(late).says).toBe('Late, it was due until 2026-10-20: pay. 5.00 EUR owed.')
    expect(dueWords(late).way).toEqual({ to: 'part', part: 'payouts', text: 'Go to the payouts' })
    const drill = due({ name: 'backup-drill', command: 'did backup-drill' })
    expect([dueWords(drill).how, dueWords(drill).way]).toEqual([
      'It is done off the site: its page says how.',
      undefined,
    ])
  })
})
