import { atom, type ReadableAtom } from 'nanostores'
import type { Refusal, Result } from '#wire/client.ts'
import type { VolunteeringSuccess } from '#wire/volunteering-client.ts'
import { type LinksByMail, linksByMail, pollDelay } from './checkout.ts'
import { json, type TabValue, tabValue } from './tab.ts'

/** What the page after the payment of an invitation shows (as the donations' checkout.ts, without the mail's state). */
export type InvitationState =
  | { readonly kind: 'loading' | 'absent' | 'pending' | 'unpaid' }
  | { readonly kind: 'failed'; readonly code: Refusal['code'] }
  | LinksByMail
  | { readonly kind: 'ready'; readonly card: VolunteeringSuccess }

export interface InvitationNeeds {
  readonly read: (sessionId: string) => Promise<Result<VolunteeringSuccess>>
  readonly session: TabValue<string>
  readonly card: TabValue<VolunteeringSuccess>
  readonly later: (callback: () => void, ms: number) => void
}

const isCard = (value: unknown): value is VolunteeringSuccess => {
  const { cardId, key } = (value ?? {}) as Partial<VolunteeringSuccess>
  return typeof cardId === 'string' && typeof key === 'string'
}

/** The invitation bought last, with its key: kept for this tab only (decisions §7). */
export const lastInvitation = tabValue('gift:last-invitation', json(isCard))

/** A payment's session that is not settled yet, so that a reload asks again. */
export const invitationSession = tabValue<string>('gift:invitation-session', {
  read: text => text || undefined,
  write: id => id,
})

const isProcessing = ({ code, fields }: Refusal): boolean =>
  code === 'payment-not-completed' &&
  fields.some(({ path, rule }) => path === 'payment' && rule === 'processing')

export function createInvitation({ read, session, card, later }: InvitationNeeds) {
  const $state = atom<InvitationState>({ kind: 'loading' })

  const ask = async (sessionId: string, asked = 0): Promise<void> => {
    const answer = await read(sessionId)
    if (answer.ok) {
      card.set(answer.value)
      session.set(undefined)
      $state.set({ kind: 'ready', card: answer.value })
    } else if (isProcessing(answer)) {
      $state.set({ kind: 'pending' })
      later(() => void ask(sessionId, asked + 1), pollDelay(asked))
    } else if (answer.code === 'payment-not-completed') $state.set({ kind: 'unpaid' })
    else $state.set(linksByMail(answer) ?? { kind: 'failed', code: answer.code })
  }

  const begin = (sessionId: string | undefined): void => {
    if (sessionId !== undefined) session.set(sessionId)
    const asked = session.get()
    const kept = card.get()
    if (asked !== undefined) {
      $state.set({ kind: 'loading' })
      void ask(asked)
    } else if (kept !== undefined) $state.set({ kind: 'ready', card: kept })
    else $state.set({ kind: 'absent' })
  }

  return { $state: $state as ReadableAtom<InvitationState>, begin, retry: () => begin(undefined) }
}
