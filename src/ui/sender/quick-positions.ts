import type { PricingEntry } from '#domain/pricing/strategies.ts'
import { sliderExtra, sliderPositions } from '#domain/support/slider.ts'

const SHARES = [0, 0.1, 0.3, 0.5]

/**
 * Places of the slider worth a button: nothing, and about a tenth, a third and a half of the way, each the first
 * place that gives its amount. Fewer where small prices give the same amount twice.
 */
export function quickPositions({ ngoAmount, supportAmount, multiplier }: PricingEntry<string>): number[] {
  const price = ngoAmount / 100
  const support = supportAmount / 100
  const positions = sliderPositions(price)
  const extra = (position: number) => sliderExtra({ support, price, multiplier, position })
  const chosen = SHARES.map(share => {
    const wanted = positions.find(position => position >= share * 100) ?? 0
    return positions.find(position => extra(position) === extra(wanted)) ?? wanted
  })
  return [...new Set(chosen)]
}
