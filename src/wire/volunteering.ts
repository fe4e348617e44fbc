import { z } from 'zod'
import { perLanguage } from '#domain/languages.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { isThemeId, rgbText } from '#domain/themes.ts'
import { ANSWERS } from '#domain/volunteering/answer.ts'
import { cleanMission, isMissionId, type Mission } from '#domain/volunteering/mission.ts'
import {
  ANSWER_INVITATION_PATH,
  READ_PHOTO_BOOK_PATH,
  READ_VOLUNTEERING_CARD_PATH,
  SEND_INVITATION_PATH,
  START_VOLUNTEERING_PATH,
  VOLUNTEERING_SUCCESS_PATH,
} from './api-paths.ts'
import { defineContract } from './contract.ts'
import { acceptedTerms, queuedMail, readSenderOf, settledGift, wireGift } from './donation-payment.ts'
import { ANONYMOUS_MARKER, DECIDE_LATER_MARKER } from './markers.ts'
import { shownTheme, THEME_WORDS } from './theme.ts'

/** Minor units; far above any price, so that the price tables and not this bound decide. */
const minorUnits = z.int().min(0).max(100_000_000)

/** Absent or the marker: nobody is named. */
const sender = z
  .string()
  .max(400)
  .optional()
  .transform((text = ANONYMOUS_MARKER, context) =>
    readSenderOf(text === ANONYMOUS_MARKER ? 'anonymous' : 'own', text, context),
  )

/** The marker, the id of a mission, or a text of the sender's own. Which ids there are the server knows. */
const mission = z
  .string()
  .max(1000)
  .transform((text, context): Mission => {
    if (text === DECIDE_LATER_MARKER) return { kind: 'decide-later' }
    if (isMissionId(text)) return { kind: 'listed', id: text }
    const cleaned = cleanMission(text)
    if (cleaned !== '' && cleaned !== DECIDE_LATER_MARKER) return { kind: 'other', text: cleaned }
    context.addIssue({ code: 'custom', params: { rule: 'required' } })
    return z.NEVER
  })

/** Opens a payment for a volunteering card. Gives the address of the provider's page. */
export const startVolunteering = defineContract({
  method: 'POST',
  path: START_VOLUNTEERING_PATH,
  fieldWords: THEME_WORDS,
  request: z
    .object({
      giftcard_theme: z.string().max(40).refine(isThemeId),
      giftcard_mission: mission,
      sender_name: sender,
      nom_producte: z.string().min(1).max(60),
      support_amount_cents: minorUnits,
      amount: minorUnits,
      currency: z.enum(CURRENCIES),
      ...acceptedTerms,
      date: z.unknown().optional(),
    })
    .transform(wire => ({
      packageId: wire.nom_producte,
      price: wire.amount,
      supportAmount: wire.support_amount_cents,
      currency: wire.currency,
      themeId: wire.giftcard_theme,
      sender: wire.sender_name,
      mission: wire.giftcard_mission,
      termsVersion: wire.terms_version,
      fulfilmentConsent: wire.fulfilment_consent,
      donor: wire.donor ?? null,
      message: wire.message,
      keepsChain: wire.keeps_chain ?? false,
    })),
  response: z.object({ url: z.string() }),
})

const text = z.string()
const storedMission = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('decide-later') }),
  z.object({ kind: z.literal('listed'), id: text, title: z.object(perLanguage(() => text)) }),
  z.object({ kind: z.literal('other'), text }),
])

/** What a mission is on the wire: the words that the gateway takes. */
function wireMission(given: z.output<typeof storedMission>): string {
  if (given.kind === 'decide-later') return DECIDE_LATER_MARKER
  return given.kind === 'listed' ? given.id : given.text
}

/** The mission in the contract's words, with what the operator called it when it was bought. */
const missionFields = (mission: z.output<typeof storedMission>) => ({
  mission: wireMission(mission),
  missionTitle: mission.kind === 'listed' ? mission.title : null,
})

/** Asks for the volunteering card of a paid Checkout session. */
export const settleVolunteering = defineContract({
  method: 'POST',
  path: VOLUNTEERING_SUCCESS_PATH,
  request: z
    .object({ stripe_session_id: z.string().min(1).max(400), lang: z.unknown().optional() })
    .transform(wire => ({ checkoutSessionId: wire.stripe_session_id })),
  response: settledGift
    .extend({ key: z.string(), mission: storedMission })
    .transform(({ key, mission, ...settled }) => ({ key, ...missionFields(mission), ...wireGift(settled) })),
})

/** Sends the buyer's mail again; where it goes is not for the caller to say. */
export const sendInvitation = defineContract({
  method: 'POST',
  path: SEND_INVITATION_PATH,
  request: z
    .object({
      giftcard_key: z.string().min(1).max(100),
      giftcard_id: z.string().min(1).max(100),
      lang: z.unknown().optional(),
    })
    .transform(wire => ({ cardId: wire.giftcard_id, key: wire.giftcard_key })),
  response: queuedMail,
})

/** Shows a volunteering card to whoever holds its key. */
export const readVolunteeringCard = defineContract({
  method: 'GET',
  path: READ_VOLUNTEERING_CARD_PATH,
  request: z.undefined(),
  response: z
    .object({
      senderName: z.string().nullable(),
      theme: shownTheme,
      mission: storedMission,
    })
    .transform(card => ({
      giftcard: {
        theme: card.theme.id,
        ...missionFields(card.mission),
        fromName: card.senderName ?? ANONYMOUS_MARKER,
        bg: rgbText(card.theme.background),
        text: rgbText(card.theme.text),
      },
    })),
})

/** What the recipient says to the invitation. */
export const answerInvitation = defineContract({
  method: 'POST',
  path: ANSWER_INVITATION_PATH,
  request: z.object({ answer: z.enum(ANSWERS), tellGiver: z.boolean() }),
  response: z.object({ answer: z.enum(ANSWERS).nullable(), isTold: z.boolean() }),
})

/** How far the photo-book is, for whoever holds the card's key. */
export const readPhotoBook = defineContract({
  method: 'GET',
  path: READ_PHOTO_BOOK_PATH,
  request: z.undefined(),
  response: z.object({
    state: z.enum(['making', 'ready', 'failed']),
    /** Photos done, of how many. */
    done: z.int(),
    total: z.int(),
    /** Photos that could not be had and are not in it. */
    missing: z.int(),
  }),
})
