import { type Language, perLanguage, SOURCE_LANGUAGE } from '#domain/languages.ts'
import { type Money, money } from '#domain/money/money.ts'
import type { PricingEntry } from '#domain/pricing/strategies.ts'
import type { Selection } from '#domain/redemption/split.ts'

/** 50 € unless told otherwise; `amount` in minor units. */
export function aMoney({ amount = 5_000, currency = 'EUR' }: Partial<Money> = {}): Money {
  return money(amount, currency)
}

/** "Their water" as the Spanish strategy sells it, unless told otherwise. */
export function anEntry(parts: Partial<PricingEntry> = {}): PricingEntry {
  return { packageId: 'their water', ngoAmount: 5_000, supportAmount: 0, multiplier: 1, ...parts }
}

/** A selection from pairs: `aSelection(['msf', 20], ['cerf', 10])`. */
export function aSelection(...pairs: readonly (readonly [ngoId: string, points: number])[]): Selection[] {
  return pairs.map(([ngoId, points]) => ({ ngoId, points }))
}

/** A text in every language of the product: those that are given, and the Spanish one for each that is not. */
export function inLanguages(words: Readonly<{ es: string } & Partial<Record<Language, string>>>) {
  return perLanguage(language => words[language] ?? words[SOURCE_LANGUAGE] ?? '')
}

/** Numbers from 0 up to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Runs something and gives what it throws; undefined when it throws nothing. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}
