import { z } from 'zod'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { isThemeId } from '#domain/themes.ts'
import { CLAIM_FREE_CARD_PATH, RETRIEVE_FREE_CARD_PATH, SEND_FREE_CONFIRMATION_PATH } from './api-paths.ts'
import { defineContract } from './contract.ts'
import { dropped, sendConfirmation, sender, settledCard } from './donation-payment.ts'
import { THEME_WORDS } from './theme.ts'

/** The claimant's own address; what is wrong with it is told by the rule `required` or `address`. */
const claimAddress = z
  .string()
  .max(400)
  .transform((text, context) => {
    const read = readClaimAddress(text)
    if (typeof read !== 'string') return read
    context.addIssue({ code: 'custom', params: { rule: read } })
    return z.NEVER
  })

/** Claims the free card of a campaign. A theme and a sender are the visitor's own, where they have chosen them. */
export const claimFreeCard = defineContract({
  method: 'POST',
  path: CLAIM_FREE_CARD_PATH,
  fieldWords: THEME_WORDS,
  request: z
    .object({
      fromEmail: claimAddress,
      campaign_id: z.string().min(1).max(64),
      currency: z.enum(CURRENCIES),
      sessionId: dropped,
      giftcard_theme: z.string().max(40).refine(isThemeId).optional(),
      sender_name: sender.default({ kind: 'anonymous' }),
    })
    .transform(wire => ({
      address: wire.fromEmail,
      campaignCode: wire.campaign_id,
      currency: wire.currency,
      themeId: wire.giftcard_theme,
      sender: wire.sender_name,
    })),
  response: z.object({ key: z.string() }),
})

/** Shows a claimed card to whoever has its private key. */
export const retrieveFreeCard = defineContract({
  method: 'POST',
  path: RETRIEVE_FREE_CARD_PATH,
  request: z.object({ privateKey: z.string().min(1).max(100) }),
  response: settledCard,
})

/** Sends the claimant's mail again; where it goes is not for the caller to say. */
export const sendFreeConfirmation = defineContract({
  ...sendConfirmation,
  path: SEND_FREE_CONFIRMATION_PATH,
})
