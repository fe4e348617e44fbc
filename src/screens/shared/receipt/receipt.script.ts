/**
 * The screen of a used card, in the browser of whoever gave it away: its receipt key, kept here, shows where the gift
 * went. The card's own key tells nobody, since its giver has it too. Most who look keep no such key: what asks for a
 * receipt is fetched only where one is.
 */
import { keptReceipt } from '#screens/shared/receipt/receipts.store.ts'
import showFile from './show-receipt.ts?own-file'

/** Longer than the answer takes; then the screen is shown as everybody sees it. */
const TIMEOUT_MS = 2_000

const main = document.querySelector('main')!

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
  try {
    const { receiptOf, showReceipt }: typeof import('./show-receipt.ts') = await import(
      /* @vite-ignore */ showFile
    )
    const answer = await receiptOf(receipt)
    // The thanks are shown in a copy of this screen.
    show()
    if (answer) showReceipt(answer, { receipt, template, asksForThanks: hash === '#thanks' })
  } finally {
    clearTimeout(timer)
    show()
  }
}

const template = document.querySelector<HTMLTemplateElement>('template[data-used]')
if (template) showKept(template).catch(() => {})
