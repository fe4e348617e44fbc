import { LANGUAGES } from '#domain/languages.ts'
import type { Audience } from '#server/modules/reports/audience.ts'
import { figure as csvFigure, csvLine } from '#server/platform/csv.ts'
import { table } from './table.ts'

/** The order of the measurements: that of a page's life. Other measurements come after these. */
const VITALS = ['TTFB', 'FCP', 'LCP', 'INP', 'CLS']

/** The statistics that visitors allowed, as lines for a terminal. */
export function audienceLines(
  { visits, funnel, campaigns, polls, vitals }: Audience,
  days: number,
): string[] {
  const count = { title: 'visits', right: true } as const
  return [
    `Visits of the last ${days} days, by consent and language:`,
    ...byLanguage(
      'consent',
      visits.map(each => ({ ...each, of: each.level })),
    ),
    '',
    'Visits that saw each screen of a buyer’s way, in its order:',
    ...byLanguage(
      'screen',
      funnel.map(each => ({ ...each, of: each.route })),
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
    'Web Vitals, 75th percentile by screen (ms; CLS is a score), and the number of measurements:',
    ...vitalsByRoute(vitals),
  ]
}

interface Counted {
  readonly of: string
  readonly language: string
  readonly visits: number
}

/** One row for each thing that was counted, with a column for each language and one for the sum. */
function byLanguage(title: string, counted: readonly Counted[]): string[] {
  const sum = (those: readonly Counted[]): string =>
    String(those.reduce((total, { visits }) => total + visits, 0))
  return table(
    [{ title }, ...[...LANGUAGES, 'all'].map(each => ({ title: each, right: true as const }))],
    unique(counted.map(({ of }) => of)).map(of => {
      const its = counted.filter(each => each.of === of)
      return [of, ...LANGUAGES.map(language => sum(its.filter(each => each.language === language))), sum(its)]
    }),
  )
}

/** One row for each screen, with a column for each measurement. */
function vitalsByRoute(vitals: Audience['vitals']): string[] {
  const told = unique(vitals.map(({ name }) => name))
  const names = [
    ...VITALS.filter(name => told.includes(name)),
    ...told.filter(name => !VITALS.includes(name)),
  ]
  return table(
    [{ title: 'screen' }, ...[...names, 'samples'].map(title => ({ title, right: true as const }))],
    unique(vitals.map(({ route }) => route)).map(route => {
      const its = vitals.filter(each => each.route === route)
      const figures = names.map(name => figure(name, its.find(each => each.name === name)?.p75))
      return [route, ...figures, String(Math.max(...its.map(({ samples }) => samples)))]
    }),
  )
}

const figure = (name: string, value: number | undefined): string =>
  value === undefined ? '' : name === 'CLS' ? value.toFixed(3) : String(Math.round(value))

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** The same statistics as one table for a spreadsheet (RFC 4180). The last column holds the number. */
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
  return rows.map(row =>
    csvLine(row.map(value => (typeof value === 'number' ? csvFigure(String(value)) : value))),
  )
}
