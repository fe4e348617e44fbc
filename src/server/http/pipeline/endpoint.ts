import type { APIContext, APIRoute } from 'astro'
import type { z } from 'zod'
import { type Language, languageFromTag } from '#domain/languages.ts'
import type { PartnerScope } from '#domain/partner/partner.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import type { Actor } from '#server/modules/operator/interface.ts'
import type { Partner } from '#server/modules/partners/partners.ts'
import type { Waiting } from '#server/modules/waiting-room/interface.ts'
import type { LimitName } from '#server/platform/limits.ts'
import type { Contract } from '#wire/contract.ts'
import { waitingAnswer } from '#wire/waiting.ts'
import { admitInTurn, admitToRoom, count } from './admit.ts'
import { checkOrigin, readAttemptKey } from './guards.ts'
import { parseJson } from './parse.ts'
import { admitPartner } from './partner-call.ts'
import { problemResponse } from './problem-response.ts'
import { readBody } from './read-body.ts'

/** What a use case learns of the call besides its input. */
export interface Call {
  readonly app: App
  /** The language of `?lang=`, else the visitor's. */
  readonly language: Language
  /** A parameter of the path, '' where the path has none of that name. */
  param(name: string): string
  /** The idempotency key that the browser made for this press; undefined where it sent none. */
  readonly attemptKey: string | undefined
  /** The address behind trusted proxies. */
  readonly address: string
  readonly headers: Headers
  /** Who asks, where only the operator may call. */
  readonly actor: Actor | undefined
  /** Whose program asks, where only partners may call. */
  readonly partner: Partner | undefined
  /** Sends these `Set-Cookie` lines with the answer. */
  setCookies(cookies: readonly string[]): void
}

export interface EndpointOptions {
  /** The limit that every call counts against. */
  readonly limit: LimitName
  /** Where more come than all together may, they wait in the waiting room: 202 with their place, instead of the answer. */
  readonly waitingRoom?: true
  /** Only the operator may call, and only from a page of this site. Problems: operator-only, foreign-origin. */
  readonly operatorOnly?: true
  /**
   * Only a partner's program may call, with a key for this: it is counted by the partner, and comes from no page.
   * Problems: as `admitPartner`; idempotency-key-missing, for a call that changes something.
   */
  readonly partnerScope?: PartnerScope
  /** Pages of others may read the answer: it is the same for everybody. */
  readonly anyOrigin?: true
  /** The largest body; 64 kB when missing. */
  readonly bodyLimit?: number
  /** How many uses of the limit a call with a body of so many bytes takes, at least one; when missing, one. */
  readonly costOf?: (bytes: number) => number
}

/** The handlers of one path, to be exported as they are: `export const { GET, POST, ALL } = endpoint(…)`. */
export interface Handlers {
  readonly GET?: APIRoute
  readonly POST?: APIRoute
  /** Every other method. */
  readonly ALL: APIRoute
}

/**
 * Makes the handlers of a use case. A call that changes something must be JSON (415), come from our own pages or from
 * no page at all (403), and have at most 64 kB (413). A body that does not fit the contract is refused with the
 * fields' paths (422). Each caller has a limit (429). Expected failures become problem+json with their own status;
 * every other failure becomes a logged 500. Answers are never cached.
 */
export function endpoint<Request extends z.ZodType, Response extends z.ZodType>(
  contract: Contract<Request, Response>,
  carryOut: (input: z.output<Request>, call: Call) => Promise<z.input<Response>>,
  options: EndpointOptions,
): Handlers {
  const handle: APIRoute = context =>
    answering(context, contract, async () => {
      const { app } = context.locals
      const { headers } = context.request
      const isReading = contract.method === 'GET'
      const address = callerOf(context)
      const rules = {
        limit: options.limit,
        changes: !isReading,
        type: isReading ? undefined : 'json',
      } as const
      let partner: Partner | undefined
      if (options.partnerScope) {
        const { limit, type } = rules
        partner = await admitPartner(app, { scope: options.partnerScope, limit, type }, { headers })
        if (!isReading && headers.get('Idempotency-Key') === null)
          throw new Problem('idempotency-key-missing')
      } else if (options.waitingRoom) admitToRoom(app, rules, { address, headers })
      else await admitInTurn(app, rules, { address, headers })
      const actor = options.operatorOnly ? await checkOperator(context) : undefined
      const body = isReading ? undefined : await readBody(context.request, options.bodyLimit)
      if (options.costOf && body !== undefined) {
        const more = options.costOf(Buffer.byteLength(body)) - 1
        if (more > 0) count(app, options.limit, address, more)
      }
      const input = body === undefined ? undefined : parseJson(contract.request, body)
      const cookies: string[] = []
      const call = callOf(context, { actor, partner }, cookies)
      const turn = options.waitingRoom ? await turnOf(call, options.limit) : undefined
      if (turn?.kind === 'waiting') return waitingResponse(turn)
      const result = await carryOut(input as z.output<Request>, call)
      // The contract's schema removes every field that it does not name, so none can leave the server by mistake.
      if (turn?.cookie !== undefined) cookies.push(turn.cookie)
      const response = jsonResponse(200, contract.response.parse(result), cookies)
      if (options.anyOrigin) response.headers.set('Access-Control-Allow-Origin', '*')
      return response
    })
  return contract.method === 'GET'
    ? { GET: handle, ALL: allowOnly('GET', handle) }
    : { POST: handle, ALL: allowOnly('POST', handle) }
}

/** What has to be waited for is asked for last: nobody's turn is spent on a call that is refused anyway. */
const turnOf = ({ app, attemptKey, headers, address }: Call, limit: LimitName) =>
  app.waitingRoom.enter({ headers, attemptKey, left: app.limits.left(limit, address) })

function waitingResponse(waiting: Waiting): Response {
  const response = jsonResponse(202, waitingAnswer.parse(waiting), [waiting.cookie])
  response.headers.set('Retry-After', String(Math.ceil(waiting.askAgainMs / 1_000)))
  return response
}

const jsonResponse = (status: number, body: unknown, cookies: readonly string[]): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
      ...cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]),
    ],
  })

/**
 * Lets the operator pass, from a page of this site or from no page at all, whatever the method: Problems
 * `foreign-origin`, `operator-only`.
 * @returns who it is
 */
export async function checkOperator(context: APIContext): Promise<Actor> {
  const { app } = context.locals
  const { headers } = context.request
  checkOrigin(headers, app.settings.siteUrl)
  const actor = await app.operator.who(headers, callerOf(context))
  if (actor) return actor
  app.log.info('operator-call-refused')
  throw new Problem('operator-only')
}

/** Runs a handler's work and turns every failure into its answer. */
export async function answering(
  context: APIContext,
  contract: Pick<Contract, 'method' | 'path' | 'fieldWords'>,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (isProblem(error)) return problemResponse(error, contract.fieldWords)
    // The contract's path is logged, since the request's path may hold a key.
    context.locals.app.log.error('endpoint-failed', error, { method: contract.method, path: contract.path })
    return problemResponse(new Problem('something-went-wrong'))
  }
}

/** Answers 405 to every method but the path's own; HEAD reads what GET reads. */
export function allowOnly(method: 'GET' | 'POST', handle: APIRoute): APIRoute {
  return context => {
    if (method === 'GET' && context.request.method === 'HEAD') return handle(context)
    const response = problemResponse(new Problem('method-not-allowed'))
    response.headers.set('Allow', method === 'GET' ? 'GET, HEAD' : method)
    return response
  }
}

function callOf(context: APIContext, who: Pick<Call, 'actor' | 'partner'>, cookies: string[]): Call {
  const { locals, params, request, url } = context
  return {
    ...who,
    address: callerOf(context),
    headers: request.headers,
    app: locals.app,
    language: languageFromTag(url.searchParams.get('lang') ?? '') ?? locals.language,
    param: name => params[name] ?? '',
    attemptKey: readAttemptKey(request.headers),
    setCookies: more => void cookies.push(...more),
  }
}

/** The address that limits count by. The front finds it behind trusted proxies. */
export function callerOf(context: APIContext): string {
  return context.locals.clientAddress ?? context.clientAddress
}
