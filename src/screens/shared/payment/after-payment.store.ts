import { atom, type ReadableAtom } from 'nanostores'
import { pageOfUnpaid } from '#domain/payment/unpaid-sessions.ts'
import type { QueuedMail, Refusal, Result } from '#wire/client.ts'
import {
  type Asking,
  askedInVain,
  askedWell,
  NOT_ASKED,
  QUIET_BESIDE_MS,
  QUIET_WITH_NOTHING_MS,
  waitAfter,
} from './asking.ts'
import type { KeptGift } from './paid-gifts.store.ts'

/** What every kind of gift tells of its mail. */
export interface PaidGift {
  readonly isConfirmationEmailSent: boolean
}

/** What the page after the payment of a gift shows. */
export type AfterPaymentState<Gift> =
  | { readonly kind: 'loading' }
  /** No payment to ask about: nothing is requested. */
  | { readonly kind: 'absent' }
  /** A slow payment method: asked again quietly. */
  | { readonly kind: 'pending' }
  /** Nobody has paid, or the money never comes: asked again only when the visitor says so. */
  | { readonly kind: 'unpaid' }
  | { readonly kind: 'failed'; readonly code: Refusal['code'] }
  | LinksByMail
  | { readonly kind: 'ready'; readonly gift: Gift }

/** The links are not shown any more: the mail has them, sent to this masked address where one is known. */
export interface LinksByMail {
  readonly kind: 'by-mail'
  readonly address: string | undefined
}

/** What the page shows once its links are only sent by mail; undefined for every other refusal. */
function linksByMail({ code, maskedAddress }: Refusal): LinksByMail | undefined {
  return code === 'links-by-mail' ? { kind: 'by-mail', address: maskedAddress } : undefined
}

/** The mail with the links. It is sent when the server says so, no sooner. */
export type MailState =
  | { readonly kind: 'sending' | 'sent' }
  /** So many were delivered lately that no other goes before so many seconds. */
  | { readonly kind: 'enough'; readonly retryAfterSeconds: number }
  /** Refused with a code; or without one: it did not get through, or takes too long. */
  | {
      readonly kind: 'failed'
      readonly code?: Refusal['code']
      readonly retryAfterSeconds?: number | undefined
    }

/** What a refusal says of the mail: it was written often enough, or could not be written. */
function mailRefused({ code, fields, retryAfterSeconds }: Refusal): MailState {
  const wasDelivered = fields.some(({ path, rule }) => path === 'mail' && rule === 'delivered')
  return code === 'too-many-requests' && wasDelivered && retryAfterSeconds !== undefined
    ? { kind: 'enough', retryAfterSeconds }
    : { kind: 'failed', code, retryAfterSeconds }
}

export interface AfterPaymentNeeds<Gift extends PaidGift> {
  readonly readSuccess: (sessionId: string) => Promise<Result<Gift>>
  readonly sendMail: (gift: Gift) => Promise<Result<QueuedMail>>
  /** Where the tab keeps gifts of this kind. */
  readonly kept: KeptGift<Gift>
  /** Calls back after so many ms. */
  readonly later: (callback: () => void, ms: number) => void
}

export interface AfterPayment<Gift> {
  readonly $state: ReadableAtom<AfterPaymentState<Gift>>
  readonly $mail: ReadableAtom<MailState>
  /** Begins with the session id of the address, if it had one; else with what the tab remembers. */
  begin(sessionId: string | undefined): void
  retry(): void
  sendMail(): Promise<void>
}

/** The waits before each quiet question whether the mail has gone: about 20 s, then it takes too long. */
const MAIL_POLLS_MS = [1_000, 2_000, 4_000, 6_000, 8_000]
/** A settled payment has queued its mail; where it has not gone by this question, the page asks for it. */
const ASKS_FOR_MAIL_AFTER = 1

/** What a passing trouble of the site or the provider is answered with: no failure yet. */
const PASSING: readonly Refusal['code'][] = [
  'provider-unavailable',
  'temporarily-unavailable',
  'too-many-requests',
  // What stands before the site answers so while the site starts again.
  'something-went-wrong',
]

/** Nobody has answered, either. Before anything is shown the visitor hears of that at once: their own connection may be gone. */
const isPassing = ({ code }: Refusal, isShown: boolean): boolean =>
  PASSING.includes(code) || (isShown && code === 'network')

/** The money of this payment is on its way. */
function isProcessing({ code, fields }: Refusal): boolean {
  const payment = fields.find(({ path }) => path === 'payment')
  return code === 'payment-not-completed' && pageOfUnpaid(payment?.rule) === 'pending'
}

/** What happens after the payment of a gift, whatever kind of gift it is. */
export function createAfterPayment<Gift extends PaidGift>(
  needs: AfterPaymentNeeds<Gift>,
): AfterPayment<Gift> {
  const { readSuccess, sendMail, later } = needs
  const { pending: session, last: gift, paidBy: giftSession } = needs.kept
  const $state = atom<AfterPaymentState<Gift>>({ kind: 'loading' })
  const $mail = atom<MailState>({ kind: 'sending' })

  const show = (settled: Gift): void => {
    $state.set({ kind: 'ready', gift: settled })
    if (settled.isConfirmationEmailSent) $mail.set({ kind: 'sent' })
    else {
      $mail.set({ kind: 'sending' })
      watchMail(settled, true)
    }
  }

  /** A newer press, or another gift, has begun asking anew: whoever asked before has no say any more. */
  let asking = 0

  const ask = async (sessionId: string, so: Asking = NOT_ASKED, turn = ++asking): Promise<void> => {
    const answer = await readSuccess(sessionId)
    if (turn !== asking) return
    const goOn = (next: Asking, ms: number) =>
      later(() => void (turn === asking && ask(sessionId, next, turn)), ms)
    if (answer.ok) {
      gift.set(answer.value)
      giftSession.set(sessionId)
      session.set(undefined)
      return show(answer.value)
    }
    const { code, retryAfterSeconds } = answer
    if (isProcessing(answer)) {
      $state.set({ kind: 'pending' })
      return goOn(askedWell(so), waitAfter(so, retryAfterSeconds))
    }
    const isShown = $state.get().kind === 'pending'
    if (isPassing(answer, isShown)) {
      const vain = askedInVain(so, retryAfterSeconds, isShown ? QUIET_BESIDE_MS : QUIET_WITH_NOTHING_MS)
      if (vain) return goOn(vain.next, vain.waitMs)
    }
    if (code === 'payment-not-completed') $state.set({ kind: 'unpaid' })
    else $state.set(linksByMail(answer) ?? { kind: 'failed', code })
  }

  /** Shows that the links of the kept gift open nothing any more, where that is what the answer says. */
  const hasEnded = (answer: Refusal, paidBy: string): boolean => {
    const ended = linksByMail(answer)
    const isGone = answer.code === 'payment-not-found'
    if (!ended && !isGone) return false
    watched++
    gift.set(undefined)
    session.set(paidBy)
    $state.set(ended ?? { kind: 'failed', code: answer.code })
    return true
  }

  /** What this tab has kept is shown at once; its links may have been replaced elsewhere meanwhile. */
  const showKept = async (kept: Gift): Promise<void> => {
    show(kept)
    const paidBy = giftSession.get()
    // Whoever watches for the mail asks by that already.
    if (paidBy !== undefined && kept.isConfirmationEmailSent) await askOfKept(paidBy)
  }

  /** Asks whether the kept links still open the gift, until somebody answers, or it was asked in vain long enough. */
  const askOfKept = async (paidBy: string, so: Asking = NOT_ASKED): Promise<void> => {
    const answer = await readSuccess(paidBy)
    // Another gift has come into this tab meanwhile.
    if (answer.ok || giftSession.get() !== paidBy) return
    if (!isPassing(answer, true)) return void hasEnded(answer, paidBy)
    // The gift stays on the screen: trouble at the site does not mean that its links are dead.
    const vain = askedInVain(so, answer.retryAfterSeconds, QUIET_BESIDE_MS)
    if (vain) later(() => void askOfKept(paidBy, vain.next), vain.waitMs)
  }

  let watched = 0

  /** Asks quietly until the mail has gone. `asksForIt`: asks for it by itself where it is late. */
  const watchMail = (shown: Gift, asksForIt: boolean): void => {
    const watch = ++watched
    const look = async (poll: number): Promise<void> => {
      if (watch !== watched) return
      const paidBy = giftSession.get()
      const answer = paidBy === undefined ? undefined : await readSuccess(paidBy)
      if (watch !== watched) return
      if (answer?.ok && answer.value.isConfirmationEmailSent) {
        gift.set(answer.value)
        return $mail.set({ kind: 'sent' })
      }
      if (paidBy !== undefined && answer && !answer.ok && hasEnded(answer, paidBy)) return
      if (asksForIt && poll === ASKS_FOR_MAIL_AFTER) {
        const asked = await sendMail(shown)
        if (watch !== watched) return
        if (!asked.ok) $mail.set(mailRefused(asked))
        else if (asked.value.status === 'sent') return noteSent(shown)
        else if (asked.value.status === 'failing') $mail.set({ kind: 'failed' })
      }
      waitFor(poll + 1)
    }
    const waitFor = (poll: number): void => {
      const ms = MAIL_POLLS_MS[poll]
      if (ms !== undefined) later(() => void look(poll), ms)
      else if ($mail.get().kind === 'sending') $mail.set({ kind: 'failed' })
    }
    waitFor(0)
  }

  const noteSent = (shown: Gift): void => {
    gift.set({ ...shown, isConfirmationEmailSent: true })
    $mail.set({ kind: 'sent' })
  }

  const send = async (): Promise<void> => {
    const shown = $state.get()
    if (shown.kind !== 'ready') return
    // Whoever was watching before has no say any more.
    watched++
    $mail.set({ kind: 'sending' })
    const answer = await sendMail(shown.gift)
    if (!answer.ok) return $mail.set(mailRefused(answer))
    if (answer.value.status === 'sent') return noteSent(shown.gift)
    if (answer.value.status === 'failing') {
      $mail.set({ kind: 'failed' })
      // The server still says of an earlier mail that it was sent.
      if (gift.get()?.isConfirmationEmailSent) return
    }
    // It is tried again by itself, so one that failed may still go.
    watchMail(shown.gift, false)
  }

  const begin = (sessionId: string | undefined): void => {
    if (sessionId !== undefined) session.set(sessionId)
    const asked = session.get()
    const kept = gift.get()
    if (asked !== undefined) {
      $state.set({ kind: 'loading' })
      void ask(asked)
    } else if (kept !== undefined) void showKept(kept)
    else $state.set({ kind: 'absent' })
  }

  return { $state, $mail, begin, retry: () => begin(undefined), sendMail: send }
}
