import { readWish, readWritten } from '#domain/wish/wish.ts'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import {
  type ReceiverAnswer,
  type ReceiverRequest,
  receiverScreen,
} from '#server/modules/story/receiver-screen.ts'
import { afterFailure, placeOf } from './plain-split.ts'

/** Answers the form by which a recipient wishes for an organisation. A preview is answered alike, and keeps nothing. */
export async function answerPlainWish(
  app: Pick<App, 'cards' | 'wishes' | 'limits' | 'log'>,
  request: ReceiverRequest,
  form: URLSearchParams,
): Promise<ReceiverAnswer> {
  const answer = await receiverScreen(app, request)
  if (answer.kind === 'redirect' || !answer.view) return answer
  const typed = readWritten(name => form.get(name))
  const wish = readWish(typed)
  if (!wish) return { ...answer, wish: { kind: 'form', typed, isNameMissing: true } }
  const noted = { ...answer, wish: { kind: 'noted', name: wish.name } } as const
  if (answer.view.authority !== 'full') return noted
  try {
    count(app, 'wish', request.clientAddress)
    await app.wishes.keep(request.giftCardId, wish)
    return noted
  } catch (error) {
    const after = afterFailure(app, error, placeOf(request))
    if ('to' in after) return { kind: 'redirect', to: after.to }
    return { ...answer, failure: after, wish: { kind: 'form', typed, isNameMissing: false } }
  }
}
