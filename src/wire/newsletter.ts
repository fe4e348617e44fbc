import { z } from 'zod'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { cleanSenderName } from '#domain/sender/sender-name.ts'
import { CONFIRM_NEWSLETTER_PATH, SUBSCRIBE_PATH } from './api-paths.ts'
import { defineContract } from './contract.ts'
import { dropped } from './donation-payment.ts'

/** What is wrong with a field is told by its rule. */
const refused = (rule: string) => ({ code: 'custom' as const, params: { rule } })

const address = z
  .string()
  .max(400)
  .transform((text, context) => {
    const read = readClaimAddress(text)
    if (typeof read !== 'string') return read
    context.addIssue(refused(read))
    return z.NEVER
  })

const name = z
  .string()
  .max(400)
  .transform((text, context) => {
    const cleaned = cleanSenderName(text)
    if (cleaned !== '') return cleaned
    context.addIssue(refused('required'))
    return z.NEVER
  })

/** A number as the world dials it: a plus, the country's code, digits; spaces and dashes are taken out. */
const phone = z
  .string()
  .max(40)
  .transform(text => text.replace(/[\s().-]/g, ''))
  .refine(text => text === '' || /^\+[1-9]\d{6,14}$/.test(text), { params: { rule: 'phone' } })
  .transform(text => text || undefined)

/** Asks for the newsletter. The visitor's analytics ids are taken, as old clients send them, and not kept. */
export const subscribe = defineContract({
  method: 'POST',
  path: SUBSCRIBE_PATH,
  request: z.object({
    email: address,
    name,
    phone: phone.optional(),
    analyticsUserId: dropped,
    analyticsSessionId: dropped,
    lang: dropped,
  }),
  response: z.object({ status: z.literal('pending') }),
})

/** Makes a subscription good, by the mail's link. */
export const confirmSubscription = defineContract({
  method: 'POST',
  path: CONFIRM_NEWSLETTER_PATH,
  request: z.object({ token: z.string().min(1).max(200) }),
  response: z.object({ status: z.literal('active') }),
})
