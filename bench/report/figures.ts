import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Baseline, Kept } from './baseline.ts'
import { GOAL_IDS, GOALS, type GoalId } from './goals.ts'
import { judgedValue, limitOf, numeral } from './table.ts'
import { type Figure, ratioOf, statusOf } from './threshold.ts'

const FILE = fileURLToPath(new URL('../../docs/figures.md', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../docs/figures/', import.meta.url))
const NOT_MEASURED = 'not measured'

/**
 * Writes what was kept: the goals into docs/figures.md, between the marks (everything else in it is a person's), and
 * every figure of each part into a page of its own in docs/figures.
 */
export function writeFigures(baseline: Baseline): void {
  if (!existsSync(FILE)) throw new Error(`${FILE} is gone`)
  const text = readFileSync(FILE, 'utf8')
  writeFileSync(FILE, between(between(text, 'goals', goalTable(baseline)), 'details', partList(baseline)))
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, kept] of Object.entries(baseline)) {
    writeFileSync(join(FOLDER, `${name}.md`), partPage(name, kept))
  }
}

/** @throws Error when the marks are not there */
export function between(text: string, name: string, inside: string): string {
  const [begin, end] = [`<!-- ${name}: written by npm run bench -- --write -->`, `<!-- ${name}: end -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/figures.md has no place for the ${name}`)
  return `${text.slice(0, from + begin.length)}\n${inside}\n${text.slice(to)}`
}

/** One line for each goal of speed, with the figure that comes nearest to missing it. */
export function goalTable(baseline: Baseline): string {
  return [
    '| goal | measured | | command | when, how |',
    '|---|---|---|---|---|',
    ...GOAL_IDS.map(id => goalLine(id, baseline[GOALS[id].part])),
  ].join('\n')
}

function goalLine(id: GoalId, kept: Kept | undefined): string {
  const { says, part } = GOALS[id]
  const command = `\`npm run bench -- ${part}\``
  const figures = kept?.figures.filter(figure => figure.goal?.id === id) ?? []
  if (kept === undefined || figures.length === 0) return `| ${says} | ${NOT_MEASURED} | | ${command} | |`
  const worst = figures.reduce((a, b) => (share(b) > share(a) ? b : a))
  const where = figures.length > 1 ? ` (${worst.what}, the worst of ${figures.length})` : ''
  return `| ${says} | ${judgedValue(worst)}${where} | ${verdictOf(figures)} | ${command} | ${conditions(kept)} |`
}

/** How much of its goal a figure uses up. */
const share = (figure: Figure): number => {
  const value = ratioOf(figure) ?? figure.measured
  const atMost = figure.goal?.atMost ?? Number.NaN
  return atMost === 0 ? value : value / atMost
}

function verdictOf(figures: readonly Figure[]): string {
  const statuses = figures.map(statusOf)
  const missed = statuses.filter(status => status === 'missed').length
  if (missed > 0) return figures.length > 1 ? `**${missed} missed**` : '**missed**'
  return statuses.includes('near') ? 'within the noise' : 'met'
}

const conditions = ({ takenAt, size, load, processors }: Kept): string =>
  `${takenAt.slice(0, 10)}, ${size} run, load ${load[0]} before it on ${processors} processors`

/** Where every figure of each part stands. */
const partList = (baseline: Baseline): string =>
  Object.entries(baseline)
    .map(
      ([name, kept]) =>
        `- [${name}](figures/${name}.md): ${kept.figures.length} figures, ${conditions(kept)}`,
    )
    .join('\n')

/** The page of one part: every figure that was kept of it. */
export function partPage(name: string, kept: Kept): string {
  const lines = kept.figures.map(figure => detailLine(figure))
  return [
    `# Figures: ${name}`,
    '',
    `Written by \`npm run bench -- ${name} --write\`. ${conditions(kept)}, ${kept.seconds} s, Node ${kept.node}.`,
    'What they are held against: [figures.md](../figures.md).',
    '',
    '| | measured | reference | ratio | spread | goal | |',
    '|---|--:|--:|--:|--:|--:|---|',
    ...lines,
    '',
  ].join('\n')
}

function detailLine(figure: Figure): string {
  const { part, what, unit, measured, reference, spread } = figure
  const ratio = ratioOf(figure)
  const cells = [
    `${part}: ${what}`,
    `${numeral(measured)} ${unit}`.trim(),
    reference === undefined ? '' : `${numeral(reference)} ${unit}`,
    ratio === undefined ? '' : `${numeral(ratio)} ×`,
    spread === undefined ? '' : `±${Math.round(spread * 50)} %`,
    limitOf(figure),
    statusOf(figure).replace('–', ''),
  ]
  return `| ${cells.join(' | ')} |`
}
