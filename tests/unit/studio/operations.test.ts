import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { sourceFiles } from '#tests/support/sources.ts'
import {
  jobState,
  ledgerState,
  owedByCurrency,
  standing,
  vitalVerdict,
  wanted,
} from '../../../studio/src/operations/figures.ts'
import { type Figures, readFigures } from '../../../studio/src/operations/read-figures.ts'
import { age, answerWords, jobWords, questionWords, share } from '../../../studio/src/operations/words.ts'

const NOW = 100 * DAY_MS

const job = { name: 'retention', next_run_at: NOW, lease_until: null, started_at: 1, finished_at: 1 } as const
const checked = {
  ...job,
  name: 'ledger-check',
  finished_at: NOW - DAY_MS,
  outcome: 'done',
  result: { findings: 0 },
}
const well = {
  summary: {
    at: NOW,
    money: [],
    cards: { active: 0, consumed: 0, frozen: 0, cancelling: 0, revoked: 0 },
    expiring_soon: 0,
    disputed: 0,
    disputed_cards: [],
    given_up: [],
    owed: [],
    mails: { waiting: 0, failing: 0, given_up: 0 },
    jobs: [checked],
    review: { reviewed_at: '2026-01-01', is_due: false },
    campaigns: [{ tag: 'gift', active: true, stock: 20, claimed: 17 }],
    dead_links: [],
  },
  audience: { since: 0, visits: [], funnel: [], campaigns: [], polls: [], vitals: [] },
  content: { state: 'current', released_at: 1, checked_at: 1, since: null, says: [] },
  due: [],
  payouts: { at: NOW, next_run: '2026-11', with_account: [], payouts: [] },
} as unknown as Figures
type Summary = Figures['summary']
const withSummary = (changes: Partial<Summary>): Figures => ({
  ...well,
  summary: { ...well.summary, ...changes },
})

describe('what needs the operator', () => {
  it('is nothing while all is well', () => expect(wanted(well, 0)).toEqual([]))

  it.each<[string, Partial<Summary>, RegExp]>([
    ['books that do not agree', { jobs: [{ ...checked, result: { findings: 2 } }] }, /books do not agree/],
    [
      'books not checked for days',
      { jobs: [{ ...checked, finished_at: NOW - 3 * DAY_MS }] },
      /not been checked/,
    ],
    ['a job that failed', { jobs: [checked, { ...job, outcome: 'failed', result: {} }] }, /last run failed/],
    [
      'a job whose clock is doubted',
      { jobs: [checked, { ...job, outcome: 'refused', result: {} }] },
      /clock/,
    ],
    ['a mail given up', { mails: { waiting: 0, failing: 0, given_up: 1 } }, /One mail could not be sent/],
    ['failing mails', { mails: { waiting: 0, failing: 2, given_up: 0 } }, /2 mails did not get through/],
    ['a dispute', { disputed: 1 }, /The payment of one card is disputed/],
    ['a list to be reviewed', { review: { reviewed_at: '2025-01-01', is_due: true } }, /review is due/],
    [
      'a debt of more than 30 days',
      {
        owed: [
          {
            ngo_id: 'a',
            name: 'A',
            currency: 'EUR',
            amount: 1,
            allocations: 1,
            oldest_at: NOW - 31 * DAY_MS,
          },
          {
            ngo_id: 'b',
            name: 'B',
            currency: 'EUR',
            amount: 1,
            allocations: 1,
            oldest_at: NOW - 30 * DAY_MS,
          },
        ],
      },
      /One organisation has waited/,
    ],
    [
      'a campaign nearly out',
      { campaigns: [{ tag: 'g', active: true, stock: 20, claimed: 18 }] },
      /2 cards left/,
    ],
    [
      'a dead link',
      { dead_links: [{ link: 'https://a.example/', organisation: 'A', reason: 'answers 404', since: NOW }] },
      /One link of organisations leads to nothing/,
    ],
    ['a campaign out', { campaigns: [{ tag: 'g', active: true, stock: 20, claimed: 20 }] }, /given all/],
  ])('is %s', (_, changes, says) => {
    expect(wanted(withSummary(changes), 0).map(each => each.says)).toEqual([expect.stringMatching(says)])
  })

  it('leads to where it is done, a press away', () => {
    const mail = { id: 'm', card: 'c', kind: 'confirmation', reason: 'smtp-550' }
    const [dispute, mails, debt] = wanted(
      withSummary({
        disputed: 1,
        disputed_cards: ['d'],
        mails: { waiting: 0, failing: 0, given_up: 1 },
        given_up: [mail],
        owed: [{ ngo_id: 'a', name: 'A', currency: 'EUR', amount: 1, allocations: 1, oldest_at: 0 }],
      }),
      0,
    )
    expect(dispute?.ways).toEqual([{ to: 'gift', words: 'd', text: 'Open the gift' }])
    expect(mails?.mails).toEqual([mail])
    expect(debt?.ways).toEqual([{ to: 'part', part: 'payouts', text: 'Go to the payouts' }])
  })

  it('is content that cannot be shown, with its fields, and what hurts most comes first', () => {
    const broken = { ...well.content, state: 'broken' as const, says: ['ngo title'] }
    const found = wanted({ ...withSummary({ disputed: 2 }), content: broken }, 3)
    expect(found.map(({ tone }) => tone)).toEqual(['critical', 'critical', 'caution'])
    expect(found[0]?.remedy).toContain('ngo title')
    expect(found[2]?.says).toBe('The yearly review is due for 3 documents.')
  })
})

describe('the figures', () => {
  it('know a job by its lease and its last outcome, and the books by their daily check', () => {
    expect(jobState({ ...job, lease_until: NOW + 1, outcome: 'done', result: {} }, NOW)).toBe('running')
    expect(jobState({ ...job, lease_until: NOW, outcome: 'done', result: {} }, NOW)).toBe('done')
    expect(jobState({ ...job, outcome: null, result: {} }, NOW)).toBe('never ran')
    expect(ledgerState(well.summary)).toBe('in order')
    expect(ledgerState({ ...well.summary, jobs: [] })).toBe('not yet')
  })

  it('say of all the money where it is, once', () => {
    const money = {
      currency: 'EUR',
      orders: 1,
      paid: 9_000,
      campaign: 500,
      support: 790,
      tax: 210,
      volunteering: 1_000,
      outstanding: 2_500,
      allocated: 5_000,
      being_paid_out: 1_000,
      paid_out: 3_000,
      refunded: 0,
      losses: 0,
    }
    expect(standing(money).reduce((sum, { amount }) => sum + amount, 0)).toBe(money.paid + money.campaign)
  })

  it('are read in words: ages, shares, questions, verdicts', () => {
    expect([age(NOW - DAY_MS + 1, NOW), age(NOW - DAY_MS, NOW), age(0, NOW)]).toEqual([
      'today',
      '1 day',
      '100 days',
    ])
    expect([share(1, 3), share(1, 0)]).toEqual(['33 %', '–'])
    expect(questionWords('poll-1', 'donated')).toBe('Have you ever donated to an NGO?')
    expect([answerWords('drink', 'tea'), answerWords('impact', '4')]).toEqual(['Tea', '4'])
    expect([vitalVerdict('LCP', 2_500), vitalVerdict('CLS', 0.26), vitalVerdict('X', 1)]).toEqual([
      'good',
      'poor',
      undefined,
    ])
  })
})

describe('reading them', () => {
  const asked = (answer: (path: string) => Response | Promise<Response>) =>
    readFigures(async path => answer(path), new AbortController().signal)
  const json = (status: number) =>
    new Response('{"a":1}', { status, headers: { 'Content-Type': 'application/json' } })

  it('takes all parts together', async () => {
    const reading = await asked(() => json(200))
    expect(reading).toEqual({
      kind: 'figures',
      figures: {
        summary: { a: 1 },
        audience: { a: 1 },
        content: { a: 1 },
        due: { a: 1 },
        payouts: { a: 1 },
        people: { a: 1 },
        partners: { a: 1 },
        wishes: { a: 1 },
        invoices: { a: 1 },
      },
    })
  })

  it.each([
    ['session-over', () => json(401)],
    ['too-often', () => json(429)],
    ['broken', () => json(500)],
    ['elsewhere', () => json(403)],
    ['elsewhere', () => new Response('<p>not found', { status: 404 })],
    ['elsewhere', () => new Response('<p>another site', { headers: { 'Content-Type': 'text/html' } })],
    ['unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('tells %s apart', async (trouble, answer) => {
    const one = await asked(path => (path.endsWith('audience') ? answer() : json(200)))
    expect(one).toEqual({ kind: 'trouble', trouble })
  })
})

it('compares what is owed within one currency only, the most first', () => {
  const owes = (currency: string, ngo_id: string, amount: number) =>
    ({ currency, ngo_id, amount }) as Summary['owed'][number]
  const given = [owes('USD', 'a', 10), owes('EUR', 'a', 30), owes('USD', 'b', 40)]
  expect(
    owedByCurrency(given).map(({ currency, sum, rows }) => [currency, sum, rows.map(row => row.ngo_id)]),
  ).toEqual([
    ['EUR', 30, ['a']],
    ['USD', 50, ['b', 'a']],
  ])
})

it('every job that comes again is called by what it does', () => {
  const names = sourceFiles('src/server/app/schedule/*.ts').flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/^\s+name: '([a-z-]+)',$/gm)].map(([, name]) => name!),
  )
  expect(names).toContain('withdrawals')
  expect(names.filter(name => jobWords(name) === name)).toEqual([])
})
