import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DUTY_NAMES, dutiesDue, dutyOf, firstWorkingDay, type Known } from '#domain/desk/duties.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const nothing: Known = { began: '2026-03-10', done: {}, waiting: {} }
const namesOn = (today: string, known: Partial<Known> = {}) =>
  dutiesDue({ ...nothing, ...known }, today).map(({ name, isLate }) => `${name}${isLate ? ' late' : ''}`)

describe('what is due', () => {
  it('is nothing of before the site began', () => {
    expect(namesOn('2026-03-31')).toEqual([])
    expect(namesOn('2026-04-01')).toEqual(['vat'])
  })

  it('is late after its days, and comes first then', () => {
    expect(namesOn('2026-04-20')).toEqual(['vat'])
    expect(namesOn('2026-04-21')).toEqual(['vat late'])
    const done = { 'backup-copies': '2026-05-01', update: '2026-05-01' }
    expect(namesOn('2026-06-01', { done })).toEqual(['vat late', 'terms-and-prices'])
  })

  it('comes again after it was done, with its next month', () => {
    const done = {
      vat: '2026-04-01',
      'terms-and-prices': '2026-06-02',
      'backup-copies': '2026-05-01',
      update: '2026-05-01',
    }
    expect(namesOn('2026-06-30', { done })).toEqual([])
    expect(namesOn('2026-07-01', { done })).toEqual(['vat'])
  })

  it('names the quarter and the year that it is about', () => {
    const says = (today: string) => dutiesDue(nothing, today).map(each => each.command)
    expect(says('2026-04-01')).toEqual(['vat 2026-Q1'])
    const began = { ...nothing, began: '2026-12-31' }
    expect(dutiesDue(began, '2027-01-01').map(each => each.command)).toEqual([
      'vat 2026-Q4',
      'donors 2026',
      'certificates 2026',
    ])
  })

  it('of what the data show is due in the month after it began to wait', () => {
    const waiting = { payouts: { says: '50.00 EUR owed to 1 organisation', since: '2026-03-11' } }
    expect(namesOn('2026-03-31', { waiting })).toEqual([])
    const [first] = dutiesDue({ ...nothing, waiting }, '2026-04-01')
    expect(first?.says).toBe(
      'Due until 2026-04-15: pay the organisations in one run. 50.00 EUR owed to 1 organisation. npm run ops -- payout run 2026-04 (docs/guides/treasurers-month.md#3-pay).',
    )
  })
})

it.each([
  ['2026-12-24', '2026-12-01'],
  ['2027-01-31', '2027-01-04'],
  ['2026-11-01', '2026-11-02'],
  ['2026-08-15', '2026-08-03'],
  ['2028-05-05', '2028-05-02'],
])('of the month of %s the first working day is %s', (day, expected) => {
  expect(firstWorkingDay(day)).toBe(expected)
})

describe('the guide', () => {
  const text = readFileSync(join(ROOT, 'docs/guides/treasurers-year.md'), 'utf8')

  it('has the same table of duties', () => {
    const rows = text.split('\n').filter(line => /^\| `/.test(line))
    const expected = DUTY_NAMES.map(name => {
      const { months, lateAfter, known, command, guide } = dutyOf(name)
      const when = months.length === 12 ? 'every' : months.join(', ')
      const year = { payouts: '2026-12-01', vat: '2026-10-01' }[name as string] ?? '2026-01-01'
      return `| \`${name}\` | ${when} | ${lateAfter} days | ${known} | \`${command(year)}\` | [here](${guide.replace('docs/guides/', '')}) |`
    })
    expect(rows).toEqual(expected)
  })

  it('has every page and heading that a duty leads to', () => {
    for (const name of DUTY_NAMES) {
      const [file = '', heading] = dutyOf(name).guide.split('#')
      const page = readFileSync(join(ROOT, file), 'utf8')
      const headings = page
        .split('\n')
        .filter(line => line.startsWith('#'))
        .map(line =>
          line
            .replace(/^#+ /, '')
            .toLowerCase()
            .replace(/[^a-z0-9 -]/g, '')
            .replaceAll(' ', '-'),
        )
      if (heading !== undefined) expect(headings, name).toContain(heading)
    }
  })
})
