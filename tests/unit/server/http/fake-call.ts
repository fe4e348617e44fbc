import type { APIContext, APIRoute } from 'astro'
import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import { noWaitingRoom } from '#server/modules/waiting-room/waiting-room.ts'
import type { LimitName } from '#server/platform/limits.ts'
import type { Log } from '#server/platform/log.ts'

/** The configured site of these tests; the request itself arrives under another name. */
export const SITE = 'https://cards.example'

export interface LoggedError {
  readonly event: string
  readonly error: unknown
  readonly facts: unknown
}

export interface FakeApp {
  readonly app: App
  readonly uses: [limit: LimitName, who: string][]
  readonly errors: LoggedError[]
}

/** An app that answers with what a test gives it, and refuses the limits named. */
export function fakeApp(parts: Partial<App> = {}, { spent = [] as readonly LimitName[] } = {}): FakeApp {
  const uses: FakeApp['uses'] = []
  const errors: LoggedError[] = []
  const log: Log = { info() {}, error: (event, error, facts) => errors.push({ event, error, facts }) }
  const app = {
    settings: { siteUrl: SITE },
    clock: () => Date.parse('2026-03-10T09:00:00Z'),
    log,
    limits: {
      use(limit: LimitName, who: string) {
        uses.push([limit, who])
        if (spent.includes(limit)) throw new Problem('too-many-requests', { retryAfterSeconds: 7.2 })
      },
      check(limit: LimitName) {
        if (spent.includes(limit)) throw new Problem('too-many-requests', { retryAfterSeconds: 7.2 })
      },
      async turn() {},
      left: () => 1,
    },
    waitingRoom: noWaitingRoom(),
    ...parts,
  }
  return { app: app as unknown as App, uses, errors }
}

export interface FakeCall {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sent as it is, in the place of `body`. */
  readonly raw?: RequestInit['body']
  readonly path?: string
  readonly params?: Readonly<Record<string, string>>
  readonly clientAddress?: string
}

/** Calls a handler as the front and Astro do, with JSON from the site's own pages unless told otherwise. */
export async function call(
  handler: APIRoute | undefined,
  app: App,
  { method = 'POST', headers, body, raw, path = '/api/x', params = {}, clientAddress }: FakeCall = {},
): Promise<Response> {
  const url = new URL(path, 'http://localhost:4321')
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const request = new Request(url, {
    method,
    headers: { ...(method === 'POST' && { 'Content-Type': 'application/json', Origin: SITE }), ...headers },
    ...(sent != null && { body: sent, duplex: 'half' }),
  } as RequestInit)
  const context = {
    request,
    url,
    params,
    clientAddress: '192.0.2.1',
    locals: {
      app: appFor(app, clientAddress ?? '192.0.2.1'),
      language: 'es',
      ...(clientAddress !== undefined && { clientAddress }),
    },
  }
  return handler!(context as unknown as APIContext) as Promise<Response>
}
