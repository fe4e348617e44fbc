import type { z } from 'zod'
import type { Language } from '#domain/languages.ts'
import { CONFIRM_NEWSLETTER_PATH, SUBSCRIBE_PATH, UNSUBSCRIBE_PATH } from './api-paths.ts'
import { type Refusal, type Result, request } from './client.ts'
import type { confirmSubscription, subscribe } from './newsletter.ts'

export interface NewSubscriber {
  readonly email: string
  readonly name: string
  /** Left out when empty (product.md#form-checks). */
  readonly phone?: string
  readonly language: Language
}

/** Asks for the newsletter; a mail makes it good. */
export function subscribeToNewsletter({ language, ...subscriber }: NewSubscriber): Promise<Result<unknown>> {
  const body: z.input<typeof subscribe.request> = { ...subscriber, lang: language }
  return request(`${SUBSCRIBE_PATH}?lang=${language}`, { body })
}

/** Makes a subscription good. */
export function confirmNewsletter(token: string): Promise<Result<unknown>> {
  const body: z.input<typeof confirmSubscription.request> = { token }
  return request(CONFIRM_NEWSLETTER_PATH, { body })
}

/** Leaves the newsletter; the same call as a mail program's, whose answer has no body. */
export async function leaveNewsletter(token: string): Promise<Result<undefined>> {
  const refused = (code: Refusal['code']): Refusal => ({
    ok: false,
    code,
    fields: [],
    retryAfterSeconds: undefined,
  })
  try {
    const { ok, status } = await fetch(`${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`, {
      method: 'POST',
    })
    if (ok) return { ok, value: undefined }
    return refused(status === 429 ? 'too-many-requests' : 'something-went-wrong')
  } catch {
    return refused('network')
  }
}
