import { createHash } from 'node:crypto'
import type { Bank } from '#stand-ins/payments-double/bank.ts'
import type { LineItem, Session } from '#stand-ins/payments-double/objects.ts'
import { answerChallenge, challengedIntent, type Outcome, pay } from '#stand-ins/payments-double/payments.ts'
import { readEntry } from './entry.ts'
import { challengePage, closedPage, type FieldName, type FormState, paymentPage } from './page.ts'
import { SCRIPT, STYLE } from './style.ts'
import { pageLanguage, type Texts, textsIn } from './texts.ts'

export const PAGE_PATH = '/c/pay/'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const ALLOWED = `style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}`

/**
 * The page where the buyer pays: GET shows it, POST is the buyer's press. `beforeReturn` is awaited before the
 * browser is sent to the merchant's success page, as the real page waits for the webhook's answer.
 */
export async function answerPage(
  bank: Bank,
  request: Request,
  beforeReturn: () => Promise<void>,
): Promise<Response> {
  const id = new URL(request.url).pathname.slice(PAGE_PATH.length)
  const session = bank.store.get<Session>('checkout.session', id)
  const language = pageLanguage(session?.locale ?? null, request.headers.get('accept-language'))
  const isPost = request.method === 'POST'
  if (!isPost && request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } })
  if (isPost && isForeign(bank, request)) return new Response('Foreign origin', { status: 403 })
  if (!session) return html(bank, undefined, 404, closedPage(language, undefined, ''))
  if (session.status === 'expired') return html(bank, session, 410, closedPage(language, session, ''))
  const view = { language, session }
  if (!isPost) {
    if (session.status === 'complete')
      return html(bank, session, 200, closedPage(language, session, successUrl(session)))
    if (challengedIntent(bank, session)) return html(bank, session, 200, challengePage(view))
    const form = { email: session.customer_email ?? '', expiry: '', errors: {} }
    return html(bank, session, 200, paymentPage(view, itemsOf(bank, session), form))
  }

  const typed = new URLSearchParams(await request.text())
  const result = bank.store.transaction(() => press(bank, id, typed, textsIn(language)))
  if (result.kind === 'complete') {
    await beforeReturn()
    return redirect(successUrl(session))
  }
  if (result.kind === 'again') return redirect(PAGE_PATH + id)
  return html(bank, session, 200, paymentPage(view, itemsOf(bank, session), result.form))
}

type Pressed =
  | { readonly kind: 'complete' }
  /** Show the page anew: the bank asks, or the session changed in another window. */
  | { readonly kind: 'again' }
  | { readonly kind: 'form'; readonly form: FormState }

/** One press, alone on the store; the session is read again, so that a second press finds what the first did. */
function press(bank: Bank, id: string, typed: URLSearchParams, t: Texts): Pressed {
  const session = bank.store.get<Session>('checkout.session', id)!
  if (session.status !== 'open') return { kind: session.status === 'complete' ? 'complete' : 'again' }
  const kept = {
    email: session.customer_email ?? typed.get('email') ?? '',
    expiry: typed.get('expiry') ?? '',
  }

  if (typed.has('challenge')) {
    const outcome = answerChallenge(bank, session, typed.get('challenge') === 'pass')
    const { email } = (session.customer_details as { email: string } | null) ?? kept
    return outcome ? show(outcome, { ...kept, email }, t) : { kind: 'again' }
  }
  if (challengedIntent(bank, session)) return { kind: 'again' }
  const read = readEntry(typed, session, t, bank.now())
  return 'errors' in read
    ? { kind: 'form', form: { ...kept, errors: read.errors } }
    : show(pay(bank, session, read.entry), kept, t)
}

function show(outcome: Outcome, kept: Omit<FormState, 'errors'>, t: Texts): Pressed {
  if (outcome.kind === 'challenge') return { kind: 'again' }
  if (outcome.kind === 'complete') return outcome
  const text =
    outcome.declineCode === 'insufficient_funds' ? t.declined.insufficient_funds : t.declined[outcome.code]
  const name: FieldName = outcome.code === 'incorrect_cvc' ? 'cvc' : 'card_number'
  return { kind: 'form', form: { ...kept, errors: { [name]: text } } }
}

const successUrl = (session: Session) => session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)

const itemsOf = (bank: Bank, session: Session) =>
  bank.store.list<LineItem>({ kind: 'item', parent: session.id, limit: 100 })

/** Only our own page may press; a request without an Origin comes from no browser's foreign page. */
function isForeign(bank: Bank, request: Request): boolean {
  const origin = request.headers.get('origin')
  return (
    (origin !== null && origin !== new URL(bank.siteUrl).origin) ||
    request.headers.get('sec-fetch-site') === 'cross-site'
  )
}

const redirect = (location: string) =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })

/** Browsers apply `form-action` to the redirect after a POST, too: a success page elsewhere must be named. */
function html(bank: Bank, session: Session | undefined, status: number, body: string): Response {
  const success = session && new URL(successUrl(session)).origin
  const formAction = success && success !== new URL(bank.siteUrl).origin ? `'self' ${success}` : "'self'"
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; ${ALLOWED}; img-src data:; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
      // With `no-referrer` a browser would post with `Origin: null`.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  })
}
