import { isCurrency } from '#domain/money/currency.ts'
import { CURRENCY_KEY } from '#wire/browser-names.ts'
import type { SelectNgoProps } from './props.ts'

/**
 * The try card in the currency that the visitor chose, if one was chosen; every other card keeps the one that it was
 * bought in. Read by hand, as the story reads the name: the store would bring 8 kB to every recipient.
 */
export function inOwnCurrency(page: SelectNgoProps): SelectNgoProps {
  if (!page.isTry) return page
  try {
    const kept = sessionStorage.getItem(CURRENCY_KEY) ?? localStorage.getItem(CURRENCY_KEY)
    return isCurrency(kept) ? { ...page, credit: { ...page.credit, currency: kept } } : page
  } catch {
    // Storage is blocked: the browser's languages have said it.
    return page
  }
}
