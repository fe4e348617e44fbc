import { randomUUID } from 'node:crypto'
import { isProblem, PROBLEMS, Problem } from '#domain/problems.ts'
import { creditPoints, toSelection } from '#domain/redemption/points.ts'
import { type Selection, splitCredit } from '#domain/redemption/split.ts'
import { readTypedPoints } from '#domain/redemption/typed-points.ts'
import { cardPath } from '#paths'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import { isAttemptKey } from '#server/http/pipeline/guards.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'
import {
  type FormFailure,
  type ReceiverAnswer,
  type ReceiverRequest,
  receiverScreen,
} from '#server/modules/story/receiver-screen.ts'

/** The prefix of a field with an organisation's points in the form of the split. */
export const POINTS_FIELD = 'points-'

/** The field with the attempt's own key, which calls send as their Idempotency-Key. */
export const ATTEMPT_FIELD = 'attempt'

/** The values of the form's buttons in `step`: show the split again, change the numbers, give. */
export const SPLIT_STEPS = ['review', 'change', 'confirm'] as const
type SplitStep = (typeof SPLIT_STEPS)[number]

/**
 * Answers the form of select-ngo. Only its `confirm` step gives anything away, and only with the private key. It uses
 * the same use case as the call of the interface. A preview leads to the thanks screen and gives nothing.
 * @throws Problem method-not-allowed for a form sent to another screen
 */
export async function answerPlainSplit(
  app: Pick<App, 'cards' | 'limits' | 'content' | 'log'>,
  request: ReceiverRequest,
  form: URLSearchParams,
): Promise<ReceiverAnswer> {
  const answer = await receiverScreen(app, request)
  const [screen] = (request.path ?? '').split('/')
  if (screen !== 'select-ngo') throw new Problem('method-not-allowed')
  const step = stepOf(form)
  const listed = app.content.snapshot().ngoList.ngos.map(({ id }) => id)
  const attempt = attemptOf(form)
  const give = (selection: readonly Selection[]) => app.cards.redeem(request.giftCardId, selection, attempt)
  const to = placeOf(request)

  if (answer.kind === 'redirect') {
    // The card is used already, perhaps by this form, whose answer was lost. The same split gets the same answer.
    if (answer.to !== to('consumed') || step !== 'confirm') return answer
    const selection = [...writtenPoints(form)].map(([ngoId, text]) => ({ ngoId, points: Number(text) }))
    // Asking what was given is limited like giving.
    count(app, 'redeem', request.clientAddress)
    const given = await give(selection).catch((error: unknown) => {
      if (isProblem(error) && PROBLEMS[error.code] < 500) return undefined
      throw error
    })
    if (!given) return answer
    const view = await app.cards.open(request.giftCardId, 'full')
    return { kind: 'show', screen: 'thanks', mode: 'final', isTry: false, view, given }
  }
  const { view } = answer
  if (!view) return answer

  const { typed, points, faults } = readTypedPoints(writtenPoints(form), listed, creditPoints(view.credit))
  if (step === 'change') return { ...answer, split: { kind: 'form', typed } }
  if (faults) return { ...answer, split: { kind: 'form', typed, faults } }
  const selection = toSelection(points, listed)
  const allocations = splitCredit(view.credit, selection)
  const review = { kind: 'review', selection, allocations, attempt: attempt ?? randomUUID() } as const
  if (step === 'review') return { ...answer, split: review }
  if (!mayGive(view)) return { kind: 'redirect', to: to('thanks') }

  try {
    count(app, 'redeem', request.clientAddress)
    // The thanks are sent as the answer to the form: a redirect could not say who may see them.
    return { ...answer, screen: 'thanks', given: await give(selection) }
  } catch (error) {
    const after = afterFailure(app, error, to)
    return 'to' in after
      ? { kind: 'redirect', to: after.to }
      : { ...answer, split: { ...review, failure: after } }
  }
}

/** The paths of a card's other screens, seen as this one is. */
export const placeOf = (request: ReceiverRequest) => (screen: string) =>
  cardPath(request.giftCardId, screen, modeOf(request))

/** What follows when a card cannot be given: the screen that says so, or why this one says that it failed. */
export function afterFailure(
  app: Pick<App, 'log'>,
  error: unknown,
  to: (screen: string) => string,
): { readonly to: string } | FormFailure {
  const code = isProblem(error) ? error.code : 'something-went-wrong'
  if (code === 'card-consumed') return { to: to('consumed') }
  if (code === 'card-not-found') return { to: to('doesnt-exist') }
  if (!isProblem(error)) app.log.error('plain-form-failed', error)
  return { code, retryAfterSeconds: isProblem(error) ? error.details.retryAfterSeconds : undefined }
}

const mayGive = ({ authority }: CardView): boolean => authority === 'full'

const modeOf = ({ path = '' }: ReceiverRequest) =>
  path.split('/').filter(Boolean)[1] === 'preview' ? 'preview' : 'final'

/** The attempt's own key as the form sends it; undefined where no form of ours could have sent it. */
function attemptOf(form: URLSearchParams): string | undefined {
  const written = form.get(ATTEMPT_FIELD)
  return written !== null && isAttemptKey(written) ? written : undefined
}

function stepOf(form: URLSearchParams): SplitStep {
  const step = form.get('step')
  return SPLIT_STEPS.find(known => known === step) ?? 'review'
}

/** Pairs of organisation and text, in the form's order; an organisation may come twice. */
function writtenPoints(form: URLSearchParams): (readonly [ngoId: string, text: string])[] {
  return [...form]
    .filter(([name]) => name.startsWith(POINTS_FIELD))
    .map(([name, text]) => [name.slice(POINTS_FIELD.length), text] as const)
}
