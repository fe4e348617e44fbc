import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { secondsOf } from '../../../bench/harness/profile.ts'
import { megabytesOf, slope } from '../../../bench/harness/vitals.ts'
import { type Kept, readBaseline } from '../../../bench/report/baseline.ts'
import { between, goalTable, partPage } from '../../../bench/report/figures.ts'
import { GOAL_IDS, GOALS, goalOf, goalsWithoutFigure } from '../../../bench/report/goals.ts'
import type { Figure } from '../../../bench/report/threshold.ts'

const text = (what: string, measured: number): Figure => ({
  id: `${what} all`,
  part: 'Bytes',
  what: `${what} · all`,
  unit: 'kB',
  measured,
  goal: goalOf('text-bytes'),
})
const kept = (...figures: Figure[]): Kept => ({
  takenAt: '2026-11-21T09:30:00.000Z',
  size: 'full',
  node: 'v24.21.0',
  processors: 2,
  load: [0.1, 1.9],
  seconds: 30,
  figures,
})
const firstLine = (...figures: Figure[]): string =>
  goalTable({ screens: kept(...figures) }).split('\n')[2] ?? ''

describe('a goal', () => {
  it('is of a part that there is, and a figure of the code carries it', () => {
    const parts = readFileSync('bench/parts.ts', 'utf8')
    const measures = readdirSync('bench/measure')
      .filter(file => file.endsWith('.ts'))
      .map(file => readFileSync(join('bench/measure', file), 'utf8'))
      .join('\n')
    for (const id of GOAL_IDS) {
      expect(parts).toMatch(new RegExp(`^  '?${GOALS[id].part}'?: \\(`, 'm'))
      expect(measures, `no figure carries ${id}`).toContain(`'${id}'`)
    }
  })

  it('has a kept figure', () => {
    const carried = new Set(
      Object.values(readBaseline()).flatMap(part => part.figures.map(({ goal }) => goal?.id)),
    )
    expect(GOAL_IDS.filter(id => !carried.has(id))).toEqual([])
  })

  it('stands in docs/figures.md as it was kept', () => {
    const page = readFileSync('docs/figures.md', 'utf8')
    expect(between(page, 'goals', goalTable(readBaseline()))).toBe(page)
  })
})

describe('the table of goals', () => {
  it('shows the figure that comes nearest to missing a goal, and when it was measured', () => {
    expect(firstLine(text('thanks', 6), text('packages', 9.8))).toBe(
      '| text screens: ≤ 10 kB until loaded | 9.8 kB (packages · all, the worst of 2) | met | `npm run bench -- screens` | 2026-11-21, full run, load 0.1 before it on 2 processors |',
    )
  })

  it('says how many figures miss it', () => {
    expect(firstLine(text('thanks', 16), text('packages', 17))).toContain('| 17 kB (packages')
    expect(firstLine(text('thanks', 16), text('packages', 17))).toContain('**2 missed**')
  })

  it('leaves open what was not measured', () => {
    const lines = goalTable({}).split('\n').slice(2)
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) expect(line).toContain('| not measured |')
  })

  it('names the goals of a measured part that no figure carries', () => {
    const screens = kept(text('thanks', 6))
    expect(goalsWithoutFigure({ screens }, false)).toEqual([
      'form-bytes',
      'picture-bytes',
      'text-requests',
      'island-bytes',
      'island-script',
      'island-requests',
      'early-fonts',
      'third-parties',
      'screen-shift',
    ])
    expect(goalsWithoutFigure({}, true)).toEqual([])
  })

  it('asks for the growth of memory after a long soak alone', () => {
    const soak = kept()
    expect(goalsWithoutFigure({ soak }, true)).toContain('memory-growth')
    expect(goalsWithoutFigure({ soak }, false)).not.toContain('memory-growth')
  })

  it('holds every kept figure against a goal that there is', () => {
    const carried = Object.values(readBaseline()).flatMap(part => part.figures.map(({ goal }) => goal?.id))
    for (const id of carried) if (id !== undefined) expect(GOAL_IDS).toContain(id)
  })

  it('stands between its marks, and the rest of the page stays', () => {
    const page =
      'before\n<!-- goals: written by npm run bench -- --write -->\nold\n<!-- goals: end -->\nafter'
    expect(between(page, 'goals', 'new')).toBe(page.replace('old', 'new'))
    expect(() => between(page, 'details', 'new')).toThrow('no place')
  })
})

describe('the pages of every figure', () => {
  it.each(Object.entries(readBaseline()))('hold what was kept of %s', (name, part) => {
    expect(readFileSync(`docs/figures/${name}.md`, 'utf8')).toBe(partPage(name, part))
  })

  it('are each named on the page of goals', () => {
    const page = readFileSync('docs/figures.md', 'utf8')
    for (const name of Object.keys(readBaseline())) expect(page).toContain(`(figures/${name}.md)`)
  })
})

describe('what a soak looks at', () => {
  it('is the resident memory as Linux tells it', () => {
    expect(megabytesOf('VmPeak:\t  9 kB\nVmRSS:\t  250000 kB\nThreads: 7')).toBe(256)
  })

  it('is how much a line through all looks grows', () => {
    const points = [0, 1, 2, 3].map(at => [at, 100 + at * 2 + (at % 2)] as const)
    expect(slope(points)).toBeCloseTo(2.2)
  })

  it.each([
    ['90s', 90],
    ['5m', 300],
    ['2h', 7_200],
  ])('lasts %s, that is %d seconds', (time, seconds) => {
    expect(secondsOf(time)).toBe(seconds)
  })

  it('refuses a time without a unit', () => {
    expect(() => secondsOf('5')).toThrow(RangeError)
  })
})
