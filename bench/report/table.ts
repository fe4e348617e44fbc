import { isWorse } from './baseline.ts'
import { type Figure, ratioOf, statusOf } from './threshold.ts'

const HEADINGS = ['', 'measured', 'reference', 'ratio', 'spread', 'goal', 'kept', '']

/**
 * The figures as lines of text, one part after the other, numbers aligned to the right.
 * @param kept the figures of an earlier run, to stand beside them
 */
export function tableOf(figures: readonly Figure[], kept: readonly Figure[] = []): string {
  const rows: (readonly string[])[] = [HEADINGS]
  let part: string | undefined
  for (const figure of figures) {
    if (figure.part !== part) rows.push([figure.part])
    part = figure.part
    rows.push(
      rowOf(
        figure,
        kept.find(each => each.part === figure.part && each.id === figure.id),
      ),
    )
  }
  const widths = HEADINGS.map((_, column) => Math.max(...rows.slice().map(row => lengthAt(row, column))))
  return rows
    .map(row =>
      row
        .map((cell, column) => padded(cell, column, widths))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function rowOf(figure: Figure, kept: Figure | undefined): string[] {
  const { what, unit, measured, reference, spread, goal } = figure
  const ratio = ratioOf(figure)
  return [
    `  ${what}`,
    `${numeral(measured)} ${unit}`.trimEnd(),
    reference === undefined ? '' : `${numeral(reference)} ${unit}`,
    ratio === undefined ? '' : `${numeral(ratio)} ×`,
    spread === undefined ? '' : `±${Math.round(spread * 50)} %`,
    limitOf(figure),
    kept === undefined ? '' : judgedValue(kept),
    [goal && statusOf(figure).replace('missed', 'MISSED'), kept && isWorse(figure, kept) && 'WORSE']
      .filter(Boolean)
      .join(' '),
  ]
}

/** What a goal or a kept figure is held against: the ratio where there is a reference. */
export function judgedValue(figure: Figure): string {
  const ratio = ratioOf(figure)
  return ratio === undefined ? `${numeral(figure.measured)} ${figure.unit}`.trimEnd() : `${numeral(ratio)} ×`
}

export function limitOf({ goal, reference, unit }: Figure): string {
  if (goal === undefined) return ''
  const sign = reference === undefined ? ` ${unit}` : ' ×'
  const give = goal.tolerance > 0 ? ` +${Math.round(goal.tolerance * 100)} %` : ''
  return `≤ ${goal.atMost}${sign}`.trimEnd() + give
}

/** Three digits that count; big numbers whole. */
export function numeral(value: number): string {
  if (!Number.isFinite(value)) return 'never'
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return String(Math.round(value))
  return value
    .toPrecision(3)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

/** A part's heading stands alone in its line and makes no column wider. */
const lengthAt = (row: readonly string[], column: number): number =>
  row.length === 1 ? 0 : (row[column]?.length ?? 0)

const padded = (cell: string, column: number, widths: readonly number[]): string =>
  column === 0 || column === HEADINGS.length - 1
    ? cell.padEnd(widths[column]!)
    : cell.padStart(widths[column]!)
