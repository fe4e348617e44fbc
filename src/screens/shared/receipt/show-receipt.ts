/** What asks where a gift went and shows it, as a file of its own: fetched where the browser keeps the card's receipt. */
import type { Language } from '#domain/languages.ts'
import { addStations } from '#screens/shared/passport/add-stations.ts'
import { askReceipt, type KnownReceipt } from '#wire/receipt-client.ts'
import { fillTemplate, showThanks } from './show-thanks.ts'

/** What the receipt says; undefined where nobody answers, or it is of no card. */
export async function receiptOf(receiptKey: string): Promise<KnownReceipt | undefined> {
  const answer = await askReceipt(receiptKey, document.documentElement.lang as Language)
  return answer.ok ? answer.value : undefined
}

/** Shows on the screen of a used card what its receipt says, or the thanks in its place. */
export function showReceipt(
  { allocations, isOpen, stations }: KnownReceipt,
  {
    receipt,
    template,
    asksForThanks,
  }: {
    readonly receipt: string
    readonly template: HTMLTemplateElement
    readonly asksForThanks: boolean
  },
): void {
  if (asksForThanks) {
    showThanks(allocations, isOpen ? receipt : undefined)
    return
  }
  document.querySelector('main h1')?.after(fillTemplate(template, allocations))
  addStations(stations)
}
