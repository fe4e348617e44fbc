import { atom, type ReadableAtom } from 'nanostores'
import type { DonationSuccess, Refusal, Result } from '#wire/client.ts'
import type { TabValue } from './tab.ts'

/** What the page after the payment shows. */
export type CheckoutState =
  | { readonly kind: 'loading' }
  /** No payment to ask about: nothing is requested. */
  | { readonly kind: 'absent' }
  /** A slow payment method: asked again quietly. */
  | { readonly kind: 'pending' }
  /** Nobody has paid, or the money never comes: asked again only when the visitor says so. */
  | { readonly kind: 'unpaid' }
  | { readonly kind: 'failed'; readonly code: Refusal['code'] }
  | { readonly kind: 'ready'; readonly gift: DonationSuccess }

/** The mail with the links (specification §4, post-payment e-mail). */
export type MailState =
  | { readonly kind: 'sending' | 'sent' }
  | { readonly kind: 'failed'; readonly code: Refusal['code'] }

export interface CheckoutNeeds {
  readonly readSuccess: (sessionId: string) => Promise<Result<DonationSuccess>>
  readonly sendMail: (gift: DonationSuccess) => Promise<Result<undefined>>
  readonly session: TabValue<string>
  readonly gift: TabValue<DonationSuccess>
  /** Calls back after so many ms. */
  readonly later: (callback: () => void, ms: number) => void
}

export interface Checkout {
  readonly $state: ReadableAtom<CheckoutState>
  readonly $mail: ReadableAtom<MailState>
  /** Begins with the session id of the address, if it had one; else with what the tab remembers. */
  begin(sessionId: string | undefined): void
  retry(): void
  sendMail(): Promise<void>
}

const FIRST_POLL_MS = 2_000
const LONGEST_POLL_MS = 30_000

/** How long to wait before the next quiet question: 2 s, doubled each time, at most 30 s. */
export function pollDelay(asked: number): number {
  return Math.min(FIRST_POLL_MS * 2 ** asked, LONGEST_POLL_MS)
}

/** What a passing trouble is answered with; while a slow payment is awaited it is no failure yet. */
const PASSING: readonly Refusal['code'][] = [
  'network',
  'provider-unavailable',
  'temporarily-unavailable',
  'too-many-requests',
]

/** The money of this payment is on its way. */
function isProcessing({ code, fields }: Refusal): boolean {
  return (
    code === 'payment-not-completed' &&
    fields.some(({ path, rule }) => path === 'payment' && rule === 'processing')
  )
}

export function createCheckout({ readSuccess, sendMail, session, gift, later }: CheckoutNeeds): Checkout {
  const $state = atom<CheckoutState>({ kind: 'loading' })
  const $mail = atom<MailState>({ kind: 'sending' })

  const show = (settled: DonationSuccess): void => {
    $state.set({ kind: 'ready', gift: settled })
    if (settled.isConfirmationEmailSent) $mail.set({ kind: 'sent' })
    else void send()
  }

  const ask = async (sessionId: string, asked = 0): Promise<void> => {
    const answer = await readSuccess(sessionId)
    if (answer.ok) {
      gift.set(answer.value)
      session.set(undefined)
      show(answer.value)
    } else if (isProcessing(answer) || ($state.get().kind === 'pending' && PASSING.includes(answer.code))) {
      $state.set({ kind: 'pending' })
      later(() => void ask(sessionId, asked + 1), pollDelay(asked))
    } else if (answer.code === 'payment-not-completed') $state.set({ kind: 'unpaid' })
    else $state.set({ kind: 'failed', code: answer.code })
  }

  const send = async (): Promise<void> => {
    const shown = $state.get()
    if (shown.kind !== 'ready') return
    $mail.set({ kind: 'sending' })
    const answer = await sendMail(shown.gift)
    if (!answer.ok) return $mail.set({ kind: 'failed', code: answer.code })
    gift.set({ ...shown.gift, isConfirmationEmailSent: true })
    $mail.set({ kind: 'sent' })
  }

  const begin = (sessionId: string | undefined): void => {
    if (sessionId !== undefined) session.set(sessionId)
    const asked = session.get()
    const kept = gift.get()
    if (asked !== undefined) {
      $state.set({ kind: 'loading' })
      void ask(asked)
    } else if (kept !== undefined) show(kept)
    else $state.set({ kind: 'absent' })
  }

  return { $state, $mail, begin, retry: () => begin(undefined), sendMail: send }
}
