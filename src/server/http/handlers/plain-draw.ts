import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import {
  type ReceiverAnswer,
  type ReceiverRequest,
  receiverScreen,
} from '#server/modules/story/receiver-screen.ts'
import { afterFailure, placeOf } from './plain-split.ts'

/** The box of the form. Without it nothing is left: a second tap that was meant for the link to the screen may fall on its button. */
export const TICK_FIELD = 'sure'

/**
 * Answers the form by which a recipient leaves the card to the draw, with and without scripts. A preview, by whichever
 * key, leads to the thanks screen and leaves nothing.
 */
export async function answerPlainDraw(
  app: Pick<App, 'cards' | 'limits' | 'log'>,
  request: ReceiverRequest,
  form: URLSearchParams,
): Promise<ReceiverAnswer> {
  const answer = await receiverScreen(app, request)
  if (answer.kind === 'redirect' || !answer.view) return answer
  if (form.get(TICK_FIELD) !== 'yes') return { ...answer, isTickMissing: true }
  const to = placeOf(request)
  if (answer.view.authority !== 'full') return { kind: 'redirect', to: to('thanks') }
  try {
    count(app, 'redeem', request.clientAddress)
    await app.cards.leave(request.giftCardId)
    return { kind: 'redirect', to: to('consumed') }
  } catch (error) {
    const after = afterFailure(app, error, to)
    return 'to' in after ? { kind: 'redirect', to: after.to } : { ...answer, failure: after }
  }
}
