import type { Language } from '#domain/languages.ts'
import { isProblem } from '#domain/problems.ts'
import {
  type Chosen,
  chosenOf,
  NO_CHOICE,
  REVIEW,
  readChoice,
  type WrittenChoice,
} from '#domain/withdrawal/choice.ts'
import {
  faultsIn,
  readStatement,
  type StatementField,
  type WrittenStatement,
} from '#domain/withdrawal/statement.ts'
import { isRefunded } from '#domain/withdrawal/withdrawal.ts'
import { withdrawalPath } from '#paths'
import type { App } from '#server/http/app.ts'
import { readForm } from '#server/http/pipeline/read-form.ts'
import type { OpenedWithdrawal } from '#server/modules/payments/withdrawals/interface.ts'

/** What the page of a withdrawal shows. */
export interface WithdrawalPageView {
  readonly purchase: OpenedWithdrawal
  readonly written: WrittenStatement
  readonly faults: readonly StatementField[]
  /** The form was sent, and is shown with what stands in it. */
  readonly isWritten: boolean
  /** Of an order of many: what was ticked, and why that is not enough. */
  readonly choice: WrittenChoice
  readonly choiceFault?: 'none' | 'gone' | undefined
}

interface Visit {
  readonly request: Request
  readonly response: { status?: number }
  redirect(path: string, status: 303): Response
  readonly locals: { readonly app: App; readonly language: Language }
}

interface Opened {
  readonly orderId: string
  readonly key: string
  /** The value of `step` that shows a form again in another language. */
  readonly shownAgain: string
}

/**
 * What a visit to the page of a withdrawal is answered. A purchase of one card is withdrawn from by the one press. Of an
 * order of many its buyer chooses first, and looks at what that gives back before they confirm it.
 * @throws Problem payment-not-found for every wrong key
 */
export async function readWithdrawal(
  visit: Visit,
  opened: Opened,
  isPressed: boolean,
): Promise<WithdrawalPageView | Response> {
  const { app } = visit.locals
  const { orderId, key } = opened
  const purchase = await app.withdrawals.open(orderId, key)
  const { name, email } = purchase.confirmed ?? purchase
  const known = { name, email, order: purchase.orderId }
  if (!isPressed) return { purchase, written: known, faults: [], isWritten: false, choice: NO_CHOICE }
  const form = await readForm(visit.request, app.settings.siteUrl)
  const written = { ...readStatement(field => form.get(field)), order: purchase.orderId }
  const faults = faultsIn(written)
  const view = { purchase, written, faults, isWritten: true, choice: NO_CHOICE }
  if (purchase.many && isRefunded(purchase.answer)) return readChosen(visit, opened, view, form)
  if (faults.length > 0) return refused(visit, view)
  if (form.get('step') === opened.shownAgain) return view
  return confirmed(visit, opened, view, undefined)
}

async function readChosen(
  visit: Visit,
  opened: Opened,
  before: WithdrawalPageView,
  form: URLSearchParams,
): Promise<WithdrawalPageView | Response> {
  const { app } = visit.locals
  const choice = readChoice(form.get('which'), form.getAll('cards'))
  const chosen = chosenOf(choice)
  const view = { ...before, choice }
  const step = form.get('step')
  if (step === 'change') return { ...view, faults: [] }
  if (step === opened.shownAgain && form.get('at') !== REVIEW)
    return view.faults.length > 0 ? refused(visit, view) : view
  if (view.faults.length > 0 || chosen === undefined)
    return refused(visit, { ...view, choiceFault: chosen === undefined ? 'none' : undefined })
  if (step === 'confirm') return confirmed(visit, opened, view, chosen)
  const purchase = await app.withdrawals.open(opened.orderId, opened.key, chosen)
  return purchase.many?.chosen
    ? { ...view, purchase }
    : refused(visit, { ...view, purchase, choiceFault: 'gone' })
}

/** It is done, and a reload withdraws nothing again. */
async function confirmed(
  visit: Visit,
  { orderId, key }: Opened,
  view: WithdrawalPageView,
  chosen: Chosen | undefined,
): Promise<WithdrawalPageView | Response> {
  const { app, language } = visit.locals
  const { name, email } = view.written
  try {
    await app.withdrawals.confirm(orderId, key, { name, email }, chosen)
  } catch (error) {
    if (!isProblem(error) || error.code !== 'invalid-fields') throw error
    return refused(visit, { ...view, choiceFault: 'gone' })
  }
  return visit.redirect(`${withdrawalPath(orderId, key)}?lang=${language}`, 303)
}

function refused({ response }: Visit, view: WithdrawalPageView): WithdrawalPageView {
  response.status = 422
  return view
}
