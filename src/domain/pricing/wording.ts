import { drawWeighted } from './weighted.ts'

/** `keep-chain` for receiver-origin and referred visitors, `start-chain` for everybody else (product.md#packages). */
export type ChainWording = 'start-chain' | 'keep-chain'

/** One way to say something: its locale key, its name in statistics, its chance, and for whom it is (all, when absent). */
export interface WordingVariant {
  readonly key: string
  readonly name: string
  readonly probability: number
  readonly otherFiltering?: ChainWording
}

/** A locale key, or several of which one is drawn. */
export type Wording = string | readonly WordingVariant[]

/**
 * The locale key to show: drawn among the variants meant for this visitor, in proportion to their chances.
 * `random` gives numbers from 0 up to, not including, 1. RangeError if no variant is meant for the visitor.
 */
export function drawWording(wording: Wording, chain: ChainWording, random: () => number): string {
  if (typeof wording === 'string') return wording
  const meant = wording.filter(
    ({ otherFiltering }) => otherFiltering === undefined || otherFiltering === chain,
  )
  return drawWeighted(meant, random).key
}
