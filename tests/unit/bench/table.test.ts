import { describe, expect, it } from 'vitest'
import { barePage } from '../../../bench/harness/bare-page.ts'
import { numeral, tableOf } from '../../../bench/report/table.ts'

describe('the table of the benchmarks', () => {
  it('shows each part once, and goal, ratio, spread and verdict beside each figure', () => {
    const table = tableOf([
      {
        id: 'a',
        part: 'Screens',
        what: 'thanks',
        unit: 'kB',
        measured: 16,
        goal: { id: 'text-bytes', atMost: 15, tolerance: 0 },
      },
      {
        id: 'b',
        part: 'Screens',
        what: 'consumed',
        unit: 'kB',
        measured: 4.25,
        goal: { id: 'text-bytes', atMost: 15, tolerance: 0 },
      },
      {
        id: 'c',
        part: 'Server',
        what: 'page',
        unit: 'µs',
        measured: 18,
        reference: 10,
        spread: 0.1,
        goal: { id: 'text-bytes', atMost: 2, tolerance: 0.15 },
      },
    ])
    const lines = table.split('\n').map(line => line.replace(/ {2,}/g, ' | ').trim())
    expect(lines).toEqual([
      '| measured | reference | ratio | spread | goal | kept',
      'Screens',
      '| thanks | 16 kB | ≤ 15 kB | MISSED',
      '| consumed | 4.25 kB | ≤ 15 kB | ok',
      'Server',
      '| page | 18 µs | 10 µs | 1.8 × | ±5 % | ≤ 2 × +15 % | ok',
    ])
  })

  it.each([
    [0, '0'],
    [0.0123, '0.0123'],
    [1.5, '1.5'],
    [1.999, '2'],
    [12.34, '12.3'],
    [99.96, '100'],
    [1234.5, '1235'],
    [Number.NaN, 'never'],
    [Number.POSITIVE_INFINITY, 'never'],
  ])('writes %d as %s', (value, text) => {
    expect(numeral(value)).toBe(text)
  })
})

describe('the bare page', () => {
  it('has every word of the screen, its heading as one, and nothing to fetch', () => {
    const page = barePage({
      language: 'es',
      title: 'A & B',
      heading: 'Uno',
      lines: ['Site', 'Uno', ' ', '<dos>'],
    })
    expect(page).toContain('<html lang="es">')
    expect(page).toContain('<title>A &amp; B</title>')
    expect(page).toContain('<body><p>Site</p><h1>Uno</h1><p>&lt;dos&gt;</p></body>')
    expect(page).not.toMatch(/<script|<link(?![^>]*data:)|src=/)
  })
})
