import type { z } from 'zod'
import type { Language } from '#domain/languages.ts'
import type { SettledGift, VolunteeringChoice } from '#domain/payment/purchase.ts'
import type { Mission } from '#domain/volunteering/mission.ts'
import {
  answerInvitationPath,
  readPhotoBookPath,
  SEND_INVITATION_PATH,
  START_VOLUNTEERING_PATH,
  VOLUNTEERING_SUCCESS_PATH,
} from './api-paths.ts'
import {
  mapResult,
  newAttemptKey,
  type PaymentAnswer,
  type QueuedMail,
  type Result,
  request,
  settledGift,
  wireTerms,
} from './client.ts'
import { DECIDE_LATER_MARKER } from './markers.ts'
import type {
  answerInvitation,
  readPhotoBook,
  sendInvitation,
  settleVolunteering,
  startVolunteering,
} from './volunteering.ts'

/** The browser's side of the volunteering calls, as client.ts is of the donations'. */

/** Opens a payment for a volunteering card; `url` is the provider's page. */
export async function startVolunteeringPayment(
  choice: VolunteeringChoice,
  attemptKey: string = newAttemptKey(),
): Promise<Result<PaymentAnswer>> {
  const { sender } = choice
  const body: z.input<typeof startVolunteering.request> = {
    giftcard_theme: choice.themeId,
    giftcard_mission: wireMission(choice.mission),
    ...(sender.kind === 'own' && { sender_name: sender.name }),
    nom_producte: choice.packageId,
    support_amount_cents: choice.supportAmount,
    amount: choice.price,
    currency: choice.currency,
    ...wireTerms(choice),
    date: new Date().toISOString(),
  }
  return request<PaymentAnswer>(`${START_VOLUNTEERING_PATH}?lang=${choice.language}`, { body, attemptKey })
}

function wireMission(mission: Mission): string {
  if (mission.kind === 'decide-later') return DECIDE_LATER_MARKER
  return mission.kind === 'listed' ? mission.id : mission.text
}

export interface VolunteeringSuccess extends SettledGift {
  readonly key: string
  /** In each language, or the sender's own words; null where the recipient chooses. Undefined in what a tab kept earlier. */
  readonly mission?: Readonly<Record<Language, string>> | string | null
}

/** Asks for the volunteering card of a payment; `payment-not-completed` while a slow payment method is pending. */
export async function readVolunteeringSuccess(asked: {
  readonly checkoutSessionId: string
  readonly language: Language
}): Promise<Result<VolunteeringSuccess>> {
  const body: z.input<typeof settleVolunteering.request> = {
    stripe_session_id: asked.checkoutSessionId,
    lang: asked.language,
  }
  const answer = await request<z.output<typeof settleVolunteering.response>>(VOLUNTEERING_SUCCESS_PATH, {
    body,
  })
  return mapResult(answer, wire => ({
    ...settledGift(wire),
    key: wire.key,
    mission: wire.missionTitle ?? (wire.mission === DECIDE_LATER_MARKER ? null : wire.mission),
  }))
}

/** Asks for the mail with the invitation's link (again). It goes to the address of the payment only. */
export function sendInvitationMail({
  cardId,
  key,
  language,
}: VolunteeringSuccess & { readonly language: Language }): Promise<Result<QueuedMail>> {
  const body: z.input<typeof sendInvitation.request> = {
    giftcard_key: key,
    giftcard_id: cardId,
    lang: language,
  }
  return request<QueuedMail>(SEND_INVITATION_PATH, { body })
}

export type SavedAnswer = z.output<typeof answerInvitation.response>

/** Keeps the recipient's answer; the giver is told only if asked for. */
export function sendAnswer(
  key: string,
  given: z.input<typeof answerInvitation.request>,
): Promise<Result<SavedAnswer>> {
  return request<SavedAnswer>(answerInvitationPath(key), { body: given })
}

export type BookProgress = z.output<typeof readPhotoBook.response>

/** How far the photo-book is; undefined when no answer came. */
export async function readBookProgress(key: string): Promise<BookProgress | undefined> {
  try {
    const response = await fetch(readPhotoBookPath(key), { credentials: 'same-origin' })
    return response.ok ? ((await response.json()) as BookProgress) : undefined
  } catch {
    return undefined
  }
}
