import type { Audience } from '#server/analytics/report.ts'
import { table } from './table.ts'

/** What visitors allowed us to count, for a terminal. */
export function audienceLines(
  { visits, funnel, campaigns, polls, vitals }: Audience,
  days: number,
): string[] {
  const count = { title: 'visits', right: true } as const
  return [
    `Visits of the last ${days} days, by consent and language:`,
    ...table(
      [{ title: 'consent' }, { title: 'language' }, count],
      visits.map(each => [each.level, each.language, String(each.visits)]),
    ),
    '',
    'Screens of a buyer’s way, in its order:',
    ...table(
      [{ title: 'screen' }, { title: 'language' }, count],
      funnel.map(each => [each.route, each.language, String(each.visits)]),
    ),
    '',
    'Campaigns (visits after "accept all"; claims from the beginning):',
    ...table(
      [{ title: 'campaign' }, count, { title: 'claims', right: true }],
      campaigns.map(each => [each.code, String(each.visits), String(each.claims)]),
    ),
    '',
    'Polls, answers that at least ten gave alike:',
    ...table(
      [{ title: 'poll' }, { title: 'question' }, { title: 'answer' }, { title: 'answers', right: true }],
      polls.map(each => [each.poll, each.question, each.value, String(each.answers)]),
    ),
    '',
    'Web Vitals, 75th percentile (ms; CLS is a score):',
    ...table(
      [
        { title: 'route' },
        { title: 'vital' },
        { title: 'p75', right: true },
        { title: 'samples', right: true },
      ],
      vitals.map(each => [each.route, each.name, String(each.p75), String(each.samples)]),
    ),
  ]
}

/** The same as one table for a spreadsheet (RFC 4180): what is counted, of what, of which, and how many. */
export function audienceCsv({ visits, funnel, campaigns, polls, vitals }: Audience): string[] {
  const rows: readonly (readonly (string | number)[])[] = [
    ['figure', 'of', 'which', 'value'],
    ...visits.map(each => ['visits', each.level, each.language, each.visits]),
    ...funnel.map(each => ['screen', each.route, each.language, each.visits]),
    ...campaigns.flatMap(each => [
      ['campaign', each.code, 'visits', each.visits],
      ['campaign', each.code, 'claims', each.claims],
    ]),
    ...polls.map(each => [each.poll, each.question, each.value, each.answers]),
    ...vitals.map(each => ['web-vital', each.route, each.name, each.p75]),
  ]
  return rows.map(row => row.map(cell).join(','))
}

/** Quoted where it must be; what a spreadsheet would take for a formula is text. */
function cell(value: string | number): string {
  const text = typeof value === 'number' ? String(value) : value.replace(/^[=+\-@\t]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
