import { atom, type ReadableAtom } from 'nanostores'
import { type AddressFault, readClaimAddress } from '#domain/campaign/claim-address.ts'
import type { FreeOffer } from '#domain/campaign/offers.ts'
import type { Refusal, Result } from '#wire/client.ts'

/** The free card's form (product.md#free-cards, product.md#form-checks). */
export type ClaimState =
  | { readonly kind: 'ready' }
  /** What was typed is no address, or has had its card. */
  | { readonly kind: 'refused'; readonly fault: AddressFault | 'used' }
  | { readonly kind: 'loading' }
  /** Worth another try. */
  | { readonly kind: 'failed'; readonly refusal: Refusal }
  /** No address helps: the cards are gone, or there is no such campaign. The packages are. */
  | { readonly kind: 'over'; readonly code: 'finished-campaign-offer' | 'invalid-campaign' }

export interface ClaimNeeds {
  readonly claim: (address: string, attemptKey: string) => Promise<Result<{ readonly key: string }>>
  readonly newAttemptKey: () => string
}

export interface Claim {
  readonly $state: ReadableAtom<ClaimState>
  /** Asks for the card; gives its key, or undefined after a refusal or while another press is under way. */
  press(typed: string): Promise<string | undefined>
}

/** @param offer what the campaign that the visitor came by offers; undefined where there is no such campaign */
export function createClaim({ claim, newAttemptKey }: ClaimNeeds, offer: FreeOffer | undefined): Claim {
  const $state = atom<ClaimState>(
    offer === 'offered'
      ? { kind: 'ready' }
      : { kind: 'over', code: offer === 'sold-out' ? 'finished-campaign-offer' : 'invalid-campaign' },
  )
  let attempt: { readonly key: string; readonly folded: string } | undefined

  return {
    $state,
    async press(typed) {
      const { kind } = $state.get()
      if (kind === 'loading' || kind === 'over') return undefined
      const read = readClaimAddress(typed)
      if (typeof read === 'string') {
        $state.set({ kind: 'refused', fault: read })
        return undefined
      }
      // Tried again for the same mailbox it is the same press: a lost answer costs nobody their card.
      if (attempt?.folded !== read.folded) attempt = { key: newAttemptKey(), folded: read.folded }
      $state.set({ kind: 'loading' })
      const answer = await claim(read.address, attempt.key)
      if (answer.ok) return answer.value.key
      $state.set(stateAfter(answer))
      return undefined
    },
  }
}

function stateAfter(refusal: Refusal): ClaimState {
  const { code } = refusal
  if (code === 'finished-campaign-offer' || code === 'invalid-campaign') return { kind: 'over', code }
  if (code === 'email-already-used') return { kind: 'refused', fault: 'used' }
  if (code === 'invalid-fields') return { kind: 'refused', fault: 'address' }
  return { kind: 'failed', refusal }
}
