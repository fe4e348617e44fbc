import { dayAfter } from '#domain/days.ts'

/** What a duty is about, where the data say that it waits: and since when. */
export interface Waiting {
  /** `1234.50 EUR owed to 3 organisations, the oldest since 2026-10-03`. */
  readonly says: string
  /** The duty opens with the next of its months after this day: `2026-10-03`. */
  readonly since: string
}

/** One thing that the operator has to do again and again. */
export interface Duty {
  /** What is to be done, in a few words. */
  readonly title: string
  /** It opens on the first of each of these months. */
  readonly months: readonly number[]
  /** So many days after it opened it is late. */
  readonly lateAfter: number
  /**
   * How it is known to be done. `data`: nothing of it waits any more. `noted`: the operator says so with `ops did`.
   * `content`: by the day of the review in the Studio, or said. `version`: by the first start of another version, or said.
   */
  readonly known: 'data' | 'noted' | 'content' | 'version'
  /** The command of `ops` that it begins with. @param opened the day on which it opened */
  readonly command: (opened: string) => string
  /** The page and the heading that say how. */
  readonly guide: string
}

const EVERY_MONTH = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** The operator's duties. docs/guides/treasurers-year.md has the same table. */
export const DUTIES = {
  payouts: {
    title: 'pay the organisations in one run',
    months: EVERY_MONTH,
    lateAfter: 14,
    known: 'data',
    command: opened => `payout run ${opened.slice(0, 7)}`,
    guide: 'docs/guides/treasurers-month.md#3-pay',
  },
  accounts: {
    title: 'ask organisations for accounts that are missing, and call about those that are proposed',
    months: EVERY_MONTH,
    lateAfter: 14,
    known: 'data',
    command: () => 'account list',
    guide: 'docs/guides/treasurers-month.md#2-has-everybody-who-is-owed-money-an-account',
  },
  'bank-statement': {
    title: 'import the bank’s statement',
    months: EVERY_MONTH,
    lateAfter: 14,
    known: 'data',
    command: () => 'payout import statement.xml',
    guide: 'docs/guides/treasurers-month.md#4-note-what-the-bank-paid',
  },
  'provider-findings': {
    title: 'look into what the check of books and provider has found',
    months: EVERY_MONTH,
    lateAfter: 0,
    known: 'data',
    command: () => 'check',
    guide: 'docs/guides/treasurers-month.md#1-is-everything-in-order',
  },
  vat: {
    title: 'declare the VAT of the quarter before',
    months: [1, 4, 7, 10],
    lateAfter: 19,
    known: 'noted',
    command: opened => `vat ${quarterBefore(opened)}`,
    guide: 'docs/guides/treasurers-year.md#vat-of-a-quarter',
  },
  organisations: {
    title: 'review the organisations, and make next year’s list',
    months: [11],
    lateAfter: 60,
    known: 'content',
    command: () => 'did organisations',
    guide: 'docs/guides/operators-year.md#once-a-year',
  },
  'donors-report': {
    title: 'report last year’s donors to the tax office',
    months: [1],
    lateAfter: 30,
    known: 'noted',
    command: opened => `donors ${yearBefore(opened)}`,
    guide: 'docs/guides/treasurers-year.md#donors-report',
  },
  certificates: {
    title: 'report last year’s certificates to the tax office',
    months: [1],
    lateAfter: 30,
    known: 'noted',
    command: opened => `certificates ${yearBefore(opened)}`,
    guide: 'docs/guides/certificates.md',
  },
  'backup-drill': {
    title: 'bring a backup back, beside the running site',
    months: [3, 9],
    lateAfter: 30,
    known: 'noted',
    command: () => 'did backup-drill',
    guide: 'docs/guides/drill.md',
  },
  'backup-copies': {
    title: 'look whether the backups arrive on another machine',
    months: [2, 5, 8, 11],
    lateAfter: 14,
    known: 'noted',
    command: () => 'did backup-copies',
    guide: 'docs/guides/backups.md#off-the-machine',
  },
  update: {
    title: 'look for a new version, and install it',
    months: [2, 5, 8, 11],
    lateAfter: 30,
    known: 'version',
    command: () => 'did update',
    guide: 'docs/guides/upgrade.md',
  },
  keys: {
    title: 'look through who may sign in, and the keys of the services',
    months: [2],
    lateAfter: 30,
    known: 'noted',
    command: () => 'people',
    guide: 'docs/guides/people-at-the-desk.md#once-a-year',
  },
  'terms-and-prices': {
    title: 'read the terms and the prices again',
    months: [6],
    lateAfter: 60,
    known: 'noted',
    command: () => 'did terms-and-prices',
    guide: 'docs/guides/treasurers-year.md#terms-and-prices',
  },
} as const satisfies Record<string, Duty>

/** A duty's name, as `ops did` takes it. */
export type DutyName = keyof typeof DUTIES

/** The names of all duties. */
export const DUTY_NAMES = Object.keys(DUTIES) as readonly DutyName[]

/** Is this the name of a duty? */
export const isDutyName = (text: string): text is DutyName => Object.hasOwn(DUTIES, text)

/** The duty of a name. */
export const dutyOf = (name: DutyName): Duty => DUTIES[name]

/** What is known of the duties. Days are those of Madrid. */
export interface Known {
  /** Since when the site keeps books: nothing of before is asked for. */
  readonly began: string
  /** When each was last done, as the operator noted it, or as the content or the running version says. */
  readonly done: Readonly<Partial<Record<DutyName, string>>>
  /** What the data say is waiting. */
  readonly waiting: Readonly<Partial<Record<DutyName, Waiting>>>
}

/** A duty that is to be done now. */
export interface Due {
  readonly name: DutyName
  /** The day on which it opened: `2026-10-01`. */
  readonly opened: string
  /** The last day on which it is in time. */
  readonly until: string
  readonly isLate: boolean
  /** What is to be done, in a few words. */
  readonly title: string
  /** What waits, where the data say so. */
  readonly waiting?: string
  readonly known: Duty['known']
  readonly command: string
  readonly guide: string
  /** Sentences: what, since when, and the command. */
  readonly says: string
}

/** What is due on a day: first what is late, and of that what opened first. */
export function dutiesDue(known: Known, today: string): readonly Due[] {
  return DUTY_NAMES.flatMap(name => {
    const duty = dutyOf(name)
    const waiting = known.waiting[name]
    const after = duty.known === 'data' ? waiting?.since : (known.done[name] ?? known.began)
    if (after === undefined) return []
    const opened = openingAfter(duty, after)
    return opened > today ? [] : [dueOf(name, opened, today, waiting)]
  }).sort((one, other) => Number(other.isLate) - Number(one.isLate) || (one.opened < other.opened ? -1 : 1))
}

function dueOf(name: DutyName, opened: string, today: string, waiting: Waiting | undefined): Due {
  const { title, lateAfter, known, guide, command: commandAt } = dutyOf(name)
  const until = daysAfter(opened, lateAfter)
  const isLate = today > until
  const command = commandAt(opened)
  const when = isLate ? `Late since ${dayAfter(until)}` : `Due until ${until}`
  const what = waiting === undefined ? '' : ` ${waiting.says}.`
  const then = known === 'data' || command === `did ${name}` ? '' : `, then npm run ops -- did ${name}`
  const says = `${when}: ${title}.${what} npm run ops -- ${command}${then} (${guide}).`
  const about = waiting === undefined ? {} : { waiting: waiting.says }
  return { name, opened, until, isLate, title, ...about, known, command, guide, says }
}

/**
 * What has become late since somebody last looked, so that each is told of once.
 * @param lastLook the day of that look
 */
export const lateSince = (due: readonly Due[], lastLook: string): readonly Due[] =>
  due.filter(({ isLate, until }) => isLate && until >= lastLook)

/** The first day after another on which a duty opens. */
function openingAfter({ months }: Duty, day: string): string {
  const year = Number(day.slice(0, 4))
  const openings = [year, year + 1].flatMap(each => months.map(month => firstOf(each, month)))
  return openings.find(opening => opening > day)!
}

const firstOf = (year: number, month: number) => `${year}-${String(month).padStart(2, '0')}-01`
const yearBefore = (day: string) => String(Number(day.slice(0, 4)) - 1)

function quarterBefore(day: string): string {
  const quarter = Math.floor((Number(day.slice(5, 7)) - 1) / 3)
  return quarter === 0 ? `${yearBefore(day)}-Q4` : `${day.slice(0, 4)}-Q${quarter}`
}

function daysAfter(day: string, days: number): string {
  let at = day
  for (let n = 0; n < days; n++) at = dayAfter(at)
  return at
}

/** Holidays of all Spain that fall on the first of a month. */
const HOLIDAYS = ['01-01', '05-01', '11-01']

/** The first working day of the month of a day: no weekend, and no holiday of all Spain. */
export function firstWorkingDay(day: string): string {
  let at = `${day.slice(0, 7)}-01`
  while (HOLIDAYS.includes(at.slice(5)) || isWeekend(at)) at = dayAfter(at)
  return at
}

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
