/**
 * The screens of a used card, in the browser of whoever gave it away: its receipt key, kept here, shows where the gift
 * went. The card's own key tells nobody, since its giver has it too.
 */
import type { Language } from '#domain/languages.ts'
import { addStations } from '#screens/shared/passport/add-stations.ts'
import { keepReceipt, keptReceipt } from '#screens/shared/receipt/receipts.store.ts'
import { SCREEN_SHOWN } from '#wire/browser-names.ts'
import { askReceipt } from '#wire/receipt-client.ts'
import { fillTemplate, showThanks } from './show-thanks.ts'

/** Longer than the answer takes; then the screen is shown as everybody sees it. */
const TIMEOUT_MS = 2_000

const main = document.querySelector('main')!

/** Thanks that a form was answered with: kept like those of the list, and put where a reload sends no form. */
function keepTold(told: HTMLElement): void {
  const { card = '', receiptTold = '', thanksPath = '' } = told.dataset
  if (receiptTold) keepReceipt(card, receiptTold)
  // Where nothing is kept a reload sends the form again, which is answered with the thanks again.
  if (keptReceipt(card) === undefined) return
  history.replaceState(null, '', thanksPath)
  dispatchEvent(new Event(SCREEN_SHOWN))
}

async function showKept(template: HTMLTemplateElement): Promise<void> {
  const { hash, pathname, search } = location
  if (hash) history.replaceState(history.state, '', pathname + search)
  const receipt = keptReceipt(template.dataset.card ?? '')
  if (receipt === undefined) return
  // Not what everybody sees first, and something else a moment later.
  const show = (): void => {
    main.style.visibility = ''
  }
  main.style.visibility = 'hidden'
  const timer = setTimeout(show, TIMEOUT_MS)
  const answer = await askReceipt(receipt, document.documentElement.lang as Language)
  clearTimeout(timer)
  show()
  if (!answer.ok) return
  const { allocations, isOpen, stations } = answer.value
  if (hash === '#thanks') return showThanks(allocations, isOpen ? receipt : undefined)
  main.querySelector('h1')?.after(fillTemplate(template, allocations))
  addStations(stations)
}

const told = document.querySelector<HTMLElement>('[data-receipt-told]')
const template = document.querySelector<HTMLTemplateElement>('template[data-used]')
if (told) keepTold(told)
else if (template) void showKept(template)
