import type { Owed } from '#server/modules/payouts/owed.ts'
import { age, amount, table } from './table.ts'

/**
 * A table of what organisations are owed and no payout holds yet.
 * @param now epoch ms UTC, from which the age of the oldest gift is counted
 */
export function owedTable(
  owed: readonly Owed[],
  nameOf: (ngoId: string) => string,
  { amountTitle, now }: { readonly amountTitle: string; readonly now: number },
): string[] {
  return table(
    [
      { title: 'organisation' },
      { title: 'name' },
      { title: 'currency' },
      { title: amountTitle, right: true },
      { title: 'gifts', right: true },
      { title: 'oldest', right: true },
    ],
    owed.map(each => [
      each.ngoId,
      nameOf(each.ngoId),
      each.currency,
      amount(each.amount),
      String(each.allocations),
      age(each.oldestAt, now),
    ]),
  )
}
