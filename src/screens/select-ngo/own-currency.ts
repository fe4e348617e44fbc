import { isCurrency } from '#domain/money/currency.ts'
import { CURRENCY_KEY } from '#wire/browser-names.ts'
import type { SelectNgoProps } from './props.ts'

/**
 * The try card in the currency that the visitor chose, if one was chosen. Every other card keeps the currency that it
 * was bought in. The stored text is read here directly: the store would add 8 kB to every recipient's page.
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
