import { CONSENT_KEY, RECEIPTS_KEY } from '#wire/browser-names.ts'

/** The newest ones: nobody goes back to more. */
const MOST_KEPT = 20
/** So many letters of a card's key say which card a receipt is of, and are of no use to anybody else. */
const LETTERS_OF_CARD = 8

interface KeptReceipt {
  readonly card: string
  readonly receipt: string
}

const suffixOf = (cardKey: string): string => cardKey.slice(-LETTERS_OF_CARD)

/**
 * Keeps the receipt key of a card that was given in this browser, so that its recipient sees later where it went. After
 * a plain no to the consent question it lives in the tab; a browser that keeps nothing keeps none.
 */
export function keepReceipt(cardKey: string, receipt: string): void {
  try {
    const refused = localStorage.getItem(CONSENT_KEY)?.includes('"reject"')
    const place = refused ? sessionStorage : localStorage
    const card = suffixOf(cardKey)
    const others = readAll(() => place).filter(kept => kept.card !== card)
    place.setItem(RECEIPTS_KEY, JSON.stringify([...others, { card, receipt }].slice(-MOST_KEPT)))
  } catch {
    // Blocked or full: the thanks have come with the answer all the same.
  }
}

/** The receipt key of a card, if it was given in this browser. */
export function keptReceipt(cardKey: string): string | undefined {
  const card = suffixOf(cardKey)
  return [...readAll(() => sessionStorage), ...readAll(() => localStorage)].find(kept => kept.card === card)
    ?.receipt
}

function readAll(open: () => Storage): readonly KeptReceipt[] {
  try {
    const kept: unknown = JSON.parse(open().getItem(RECEIPTS_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(value: unknown): value is KeptReceipt {
  const { card, receipt } = (value ?? {}) as Partial<KeptReceipt>
  return typeof card === 'string' && typeof receipt === 'string'
}
