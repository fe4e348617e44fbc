import { MARK } from './refusal.ts'

type Chance = () => number

/** Texts that have surprised programs before: control and format characters, halves of pairs, names of objects' own parts. */
const STRANGE = [
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '\ufeff',
  '💳'.repeat(20),
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table cards; --',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00',
  'FROM_ANONYMOUS',
  'ngo-msf',
  'palestine',
  'cs_test_a1b2c3d4e5f6g7h8',
] as const

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  50,
  5000,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  Number.MIN_VALUE,
] as const

const pick = <T>(items: readonly T[], chance: Chance): T => items[Math.floor(chance() * items.length)]!

export function randomText(chance: Chance): string {
  const strange = pick(STRANGE, chance)
  return chance() < 0.5 ? strange : `${MARK}${strange}${'x'.repeat(Math.floor(chance() ** 4 * 2_000))}`
}

/** A JSON value, nested a few levels at most times. */
export function randomValue(chance: Chance, depth = 0): unknown {
  const kind = chance()
  if (depth < 4 && kind < 0.15)
    return Array.from({ length: Math.floor(chance() * 5) }, () => randomValue(chance, depth + 1))
  if (depth < 4 && kind < 0.3) {
    return Object.fromEntries(
      Array.from({ length: Math.floor(chance() * 5) }, () => [
        randomText(chance),
        randomValue(chance, depth + 1),
      ]),
    )
  }
  if (kind < 0.5) return pick(NUMBERS, chance)
  if (kind < 0.6) return pick([null, true, false], chance)
  return randomText(chance)
}

/**
 * The text of a body: mostly a good one in which some values, anywhere, were replaced, taken out or added;
 * sometimes any JSON, or a piece of a text that would have been JSON.
 */
export function randomBody(good: object, chance: Chance): string {
  const way = chance()
  if (way < 0.1) return JSON.stringify(randomValue(chance))
  const text = JSON.stringify(changed(good, chance))
  return way < 0.15 ? text.slice(0, Math.floor(chance() * text.length)) : text
}

function changed(value: unknown, chance: Chance): unknown {
  if (chance() < 0.2) return randomValue(chance)
  if (Array.isArray(value)) {
    const items = value.flatMap(item => (chance() < 0.1 ? [] : [changed(item, chance)]))
    return chance() < 0.2 ? [...items, ...items, randomValue(chance)] : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([name, each]) =>
    chance() < 0.05 ? [] : [[name, changed(each, chance)] as const],
  )
  const extra = chance() < 0.2 ? [[randomText(chance), randomValue(chance)] as const] : []
  return Object.fromEntries([...entries, ...extra])
}
