import type { z } from 'zod'
import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import { READ_RECEIPT_PATH } from './api-paths.ts'
import { type Result, request } from './client.ts'
import type { readReceipt, Station } from './gift-card.ts'

/** What one organisation got, with its name in the page's language. */
export interface NamedAllocation {
  readonly ngoId: string
  readonly name: string
  readonly amount: Money
}

/** What a receipt key shows. */
export interface KnownReceipt {
  readonly allocations: readonly NamedAllocation[]
  /** The giver can still be told by mail. */
  readonly isOpen: boolean
  /** Where each part is. */
  readonly stations: readonly Station[]
}

/** Asks what became of the card that this receipt key is of. */
export async function askReceipt(receiptKey: string, language: Language): Promise<Result<KnownReceipt>> {
  const body: z.input<typeof readReceipt.request> = { receiptKey }
  const path = `${READ_RECEIPT_PATH}?lang=${language}`
  const answer = await request<z.output<typeof readReceipt.response>>(path, { body })
  if (!answer.ok) return answer
  const allocations = answer.value.allocations.map(({ ngoSelected, ngoName, amount, currency }) => ({
    ngoId: ngoSelected,
    name: ngoName,
    amount: { amount, currency },
  }))
  const { answer: state, stations } = answer.value
  return { ok: true, value: { allocations, isOpen: state === 'open', stations } }
}
