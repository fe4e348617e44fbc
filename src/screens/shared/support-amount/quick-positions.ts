import type { PricingEntry } from '#domain/pricing/strategies.ts'
import { sliderExtra, sliderPositions } from '#domain/support/slider.ts'

const SHARES = [0, 0.1, 0.3, 0.5]

/**
 * Places of the slider worth a button: nothing, and about a tenth, a third and a half of the price, each the first
 * place that gives as much. Fewer where small prices, or a slider that begins far above its price, give the same
 * amount twice: nobody is asked for twenty times what they buy.
 */
export function quickPositions({ ngoAmount, supportAmount, multiplier }: PricingEntry): number[] {
  const price = ngoAmount / 100
  const support = supportAmount / 100
  const positions = sliderPositions(price)
  const extra = (position: number) => sliderExtra({ support, price, multiplier, position })
  const chosen = SHARES.map(
    share => positions.find(position => extra(position) >= Math.floor(share * price)) ?? 0,
  )
  return [...new Set(chosen)]
}
