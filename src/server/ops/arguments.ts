import { parseArgs } from 'node:util'
import { isDay } from '#domain/days.ts'
import { type Currency, isCurrency } from '#domain/money/currency.ts'
import { Refusal } from './command.ts'

/**
 * Reads a command's arguments.
 * @param names the options that take a value
 * @param flags the options that take none
 * @throws Refusal for an unknown option
 */
export function readArguments(
  args: readonly string[],
  { names = [], flags = [] }: { readonly names?: readonly string[]; readonly flags?: readonly string[] } = {},
): {
  readonly words: readonly string[]
  value(name: string): string | undefined
  has(flag: string): boolean
} {
  const options = Object.fromEntries([
    ...names.map(name => [name, { type: 'string' as const }]),
    ...flags.map(flag => [flag, { type: 'boolean' as const }]),
  ])
  try {
    const { values: read, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const values: Readonly<Record<string, unknown>> = read
    return {
      words: positionals,
      value(name) {
        const given = values[name]
        return typeof given === 'string' ? given : undefined
      },
      has: flag => values[flag] === true,
    }
  } catch (error) {
    throw new Refusal((error as Error).message)
  }
}

/** The one word that a command takes. @throws Refusal when it is missing, or there are more words */
export function oneWord(words: readonly string[], what: string): string {
  const [word, ...more] = words
  if (word === undefined || more.length > 0) throw new Refusal(`Say ${what}, and nothing more.`)
  return word
}

/** For commands that take no word. @throws Refusal when there is one, since it would have no effect */
export function noWords([word]: readonly string[]): void {
  if (word !== undefined) throw new Refusal(`"${word}" means nothing here. --help says what does.`)
}

/** The number of rows to show; `otherwise` when there is no text. @throws Refusal when it is no whole number */
export function wholeNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Refusal(`"${text}" is not a number from 1.`)
  return number
}

/** The first instant in UTC (epoch ms) of a day such as `2026-12-31`. @throws Refusal when it is no day */
export function day(text: string): number {
  if (!isDay(text)) throw new Refusal(`"${text}" is not a day. Write it as 2026-12-31.`)
  return Date.parse(`${text}T00:00:00Z`)
}

/** A currency by its code, in upper or lower case. @throws Refusal for a currency that the product does not have */
export function currency(text: string): Currency {
  const upper = text.toUpperCase()
  if (!isCurrency(upper)) throw new Refusal(`"${text}" is not a currency of the product.`)
  return upper
}
