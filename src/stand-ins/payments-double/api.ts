import type { Bank } from './bank.ts'
import contract from './contract/generated/contract.json' with { type: 'json' }
import type { Fields } from './contract/shapes.ts'
import { closeDispute, updateDispute } from './disputes.ts'
import { ApiError, missing } from './errors.ts'
import { expandAll } from './expand.ts'
import { parseForm } from './form.ts'
import { fingerprintOf, once } from './idempotency.ts'
import { checkList, listPage } from './lists.ts'
import { checkRefundRequest, createRefund } from './refunds.ts'
import { checkSessionRequest } from './session-rules.ts'
import { createSession, expireSession, getSession } from './sessions.ts'
import { type Params, validate } from './validate.ts'

interface Route {
  /** Refuses what the contract cannot know; runs before anything is kept under an idempotency key. */
  readonly check?: (bank: Bank, params: Params) => void
  readonly run: (bank: Bank, params: Params, id: string) => object
}

const retrieve = (kind: string): Route => ({
  run: (bank, _params, id) => bank.store.get(kind, id) ?? missing(kind, id),
})

const list = (kind: string, url: string): Route => ({
  check: (_bank, params) => checkList(kind, params),
  run: (bank, params) => listPage(bank, kind, url, params),
})

const payoutNamed = (bank: Bank, id: string): string =>
  bank.store.get('payout', id)?.id ?? missing('payout', id, 'payout')

/** Everything the double answers to; the parameters of each are in the generated contract under the same name. */
const ROUTES: Readonly<Record<keyof typeof contract.requests, Route>> = {
  'POST /v1/checkout/sessions': {
    check: (bank, params) => checkSessionRequest(params, bank.now()),
    run: (bank, params) => createSession(bank, checkSessionRequest(params, bank.now())),
  },
  'GET /v1/checkout/sessions': list('checkout.session', '/v1/checkout/sessions'),
  'GET /v1/checkout/sessions/:id': { run: (bank, _params, id) => getSession(bank, id) },
  'POST /v1/checkout/sessions/:id/expire': { run: (bank, _params, id) => expireSession(bank, id) },
  'GET /v1/checkout/sessions/:id/line_items': {
    check: (_bank, params) => checkList('item', params),
    run: (bank, params, id) =>
      listPage(bank, 'item', `/v1/checkout/sessions/${id}/line_items`, params, getSession(bank, id).id),
  },
  'POST /v1/refunds': {
    check: (_bank, params) => checkRefundRequest(params),
    run: (bank, params) => createRefund(bank, params),
  },
  'GET /v1/refunds': list('refund', '/v1/refunds'),
  'GET /v1/refunds/:id': retrieve('refund'),
  'GET /v1/events': list('event', '/v1/events'),
  'GET /v1/events/:id': retrieve('event'),
  'GET /v1/payment_intents': list('payment_intent', '/v1/payment_intents'),
  'GET /v1/payment_intents/:id': retrieve('payment_intent'),
  'GET /v1/charges': list('charge', '/v1/charges'),
  'GET /v1/charges/:id': retrieve('charge'),
  'GET /v1/disputes': list('dispute', '/v1/disputes'),
  'GET /v1/disputes/:id': retrieve('dispute'),
  'POST /v1/disputes/:id': { run: (bank, params, id) => updateDispute(bank, id, params) },
  'GET /v1/balance_transactions': {
    check: (_bank, params) => checkList('balance_transaction', params),
    run: (bank, { payout, ...params }) =>
      listPage(
        bank,
        'balance_transaction',
        '/v1/balance_transactions',
        params,
        payout === undefined ? undefined : payoutNamed(bank, payout as string),
      ),
  },
  'GET /v1/balance_transactions/:id': retrieve('balance_transaction'),
  'GET /v1/payouts': list('payout', '/v1/payouts'),
  'GET /v1/payouts/:id': retrieve('payout'),
  'POST /v1/disputes/:id/close': { run: (bank, _params, id) => closeDispute(bank, id) },
}

const PATTERNS = Object.entries(ROUTES).map(([endpoint, route]) => ({
  endpoint: endpoint as keyof typeof contract.requests,
  route,
  pattern: new RegExp(`^${endpoint.replaceAll('/', '\\/').replace(':id', '([^/]+)')}$`),
}))

/** Answers a request to `/v1/…`; whatever is refused has the API's error shape. */
export async function answerApi(bank: Bank, clock: () => number, request: Request): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'request-id': bank.newId('req_', 14),
    'stripe-version': contract.apiVersion,
  }
  const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null
  if (key !== null) headers['idempotency-key'] = key
  try {
    const answer = await handle(bank, clock, request, key)
    if (answer.replayed) headers['idempotent-replayed'] = 'true'
    return new Response(answer.body, { status: answer.status, headers })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return new Response(JSON.stringify({ error: error.body }), { status: error.status, headers })
  }
}

async function handle(bank: Bank, clock: () => number, request: Request, key: string | null) {
  checkKey(request.headers.get('authorization'))
  checkVersion(request.headers.get('stripe-version'))
  if (key !== null && (key.length < 1 || key.length > 255))
    throw new ApiError(400, {
      type: 'invalid_request_error',
      message: 'Idempotency keys can have up to 255 characters',
    })
  const url = new URL(request.url)
  const { endpoint, route, id } = find(request.method, url.pathname)
  const pairs = [...new URLSearchParams(request.method === 'POST' ? await formText(request) : url.search)]
  const params = validate(contract.requests[endpoint] as Fields, parseForm(pairs))
  const { store } = bank

  return store.transaction(() =>
    once(store, clock(), key, fingerprintOf(request.method, url.pathname, pairs), () => {
      // A request refused here keeps its key free. (A replay comes before it: `expires_at` may be too near by now.)
      route.check?.(bank, params)
      const result = execute(route, bank, params, id)
      if (result instanceof ApiError)
        return { status: result.status, body: JSON.stringify({ error: result.body }) }
      const body = expandAll(bank, result, (params.expand as string[] | undefined) ?? [])
      return { status: 200, body: JSON.stringify(body) }
    }),
  )
}

/** A refusal in the middle of the work is an answer like any other; each route refuses before it writes. */
function execute(route: Route, bank: Bank, params: Params, id: string): object {
  try {
    return route.run(bank, params, id)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function find(method: string, path: string) {
  for (const { endpoint, route, pattern } of PATTERNS) {
    const match = pattern.exec(`${method} ${path}`)
    if (match) return { endpoint, route, id: match[1] ?? '' }
  }
  throw new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  })
}

/** Test keys only, whole (`sk_test_…`) or restricted (`rk_test_…`). */
function checkKey(authorization: string | null) {
  const key = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  const refuseKey = (message: string): never => {
    throw new ApiError(401, { type: 'invalid_request_error', message })
  }
  if (key === undefined) refuseKey('You did not provide an API key.')
  else if (key.includes('_live_')) refuseKey('The local payments double takes no live keys.')
  else if (!/^(sk|rk)_test_./.test(key)) refuseKey('Invalid API Key provided.')
}

function checkVersion(version: string | null) {
  if (version !== null && version !== contract.apiVersion)
    throw new ApiError(400, {
      type: 'invalid_request_error',
      message: `Invalid Stripe API version: ${version}. The local payments double imitates ${contract.apiVersion}.`,
    })
}

async function formText(request: Request): Promise<string> {
  const body = await request.text()
  const type = request.headers.get('content-type') ?? ''
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded'))
    throw new ApiError(400, {
      type: 'invalid_request_error',
      message: `Invalid request (check that your POST content type is application/x-www-form-urlencoded): got ${type}`,
    })
  return body
}
