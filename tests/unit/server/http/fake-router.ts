import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isLanguage, LANGUAGES } from '#domain/languages.ts'
import type { PublishedPage } from '#paths'
import type { App } from '#server/http/app.ts'
import { createHealth } from '#server/http/health.ts'
import { type AstroHandler, renderPath } from '#server/http/page-cache/astro-handler.ts'
import { createPublishedPages } from '#server/http/page-cache/published-pages.ts'
import { createFront, type FrontParts } from '#server/http/router/router.ts'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import { type HttpServer, listen } from '#server/http/transport/http-server.ts'
import { makeContent, prepare } from '#server/http/transport/prepared.ts'

export const SITE = 'https://gift.example'

export const PAGES: readonly PublishedPage[] = [
  { path: '/' },
  { path: '/intro/ngo-list' },
  { path: '/intro/no-refresh/checkout', noStore: true, noIndex: true },
  { path: '/error', noStore: true, noIndex: true },
  { path: '/unavailable', noStore: true, noIndex: true },
]

export const FILLER = '<p>Mantén la cadena. </p>'.repeat(100)

/** What the fake Astro was asked, and what it shall break. */
export interface FakeAstro {
  readonly handler: AstroHandler
  readonly asked: {
    url: string
    method: string
    host: string | undefined
    body: string
    locals: Record<string, unknown>
  }[]
  readonly broken: Set<string>
  /** What cannot be made just now. */
  readonly away: Set<string>
  /** Grows with every publish, so that a new set is told from the old. */
  release: number
}

/** A handler with the shape of the built site's: pages by language, a few calls, failures on demand. */
export function fakeAstro(): FakeAstro {
  const fake: FakeAstro = { handler, asked: [], broken: new Set(), away: new Set(), release: 1 }
  const html = {
    'content-type': 'text/html',
    'content-security-policy': "default-src 'none';script-src 'self' 'sha256-unused';",
  }

  async function handler(
    req: IncomingMessage,
    res: ServerResponse,
    next: () => void,
    locals: object,
  ): Promise<void> {
    const url = req.url ?? ''
    const path = url.split('?')[0] ?? ''
    const body = 'body' in req ? String(req.body) : ''
    fake.asked.push({ url, method: req.method ?? '', host: req.headers.host, body, locals: locals as never })
    if (fake.away.has(path)) return void res.writeHead(503, { 'retry-after': '3' }).end()
    if (fake.broken.has(path)) return void res.writeHead(500, {}).end()
    const [, first = ''] = path.split('/')
    const language = isLanguage(first) ? first : ''
    const page = path.slice(1 + language.length) || '/'
    if (language && PAGES.some(each => each.path === page)) {
      res.writeHead(200, html)
      res.end(`<html lang="${language}"><title>${page} ${fake.release}</title>${FILLER}</html>`)
    } else if (path.startsWith('/gift-card/')) {
      res.writeHead(200, { ...html, 'cache-control': 'public, max-age=99', 'set-cookie': ['a=1', 'b=2'] })
      res.end(`<html><title>card</title>${FILLER}</html>`)
    } else if (path === '/api/echo') {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ body, language: (locals as { language: string }).language }))
    } else if (path === '/api/refused') {
      res.writeHead(503, { 'content-type': 'application/problem+json' })
      res.end('{"code":"temporarily-unavailable"}')
    } else if (path === '/api/throws') {
      throw new Error('thrown for ana@mail.example')
    } else next()
  }
  return fake
}

export interface RunningFront {
  readonly port: number
  readonly astro: FakeAstro
  readonly logged: string[]
  readonly published: FrontParts['published']
  readonly server: HttpServer
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  send(
    method: string,
    path: string,
    options?: { headers?: Readonly<Record<string, string>>; body?: string | Buffer },
  ): Promise<Answer>
}

/** A front on a free port, over a fake Astro, with its pages published. */
export async function startFakeFront(
  change: Partial<FrontParts> = {},
  siteUrl = SITE,
): Promise<RunningFront> {
  const astro = fakeAstro()
  const logged: string[] = []
  const app = {
    settings: { siteUrl },
    log: { info() {}, error: (event: string, error: unknown) => void logged.push(`${event} ${error}`) },
  } as unknown as App
  const published = createPublishedPages({
    pages: PAGES,
    languages: LANGUAGES,
    complete: true,
    render: (path, language) => renderPath(astro.handler, path, { app, language }),
  })
  await published.publish()
  const script = await makeContent(
    Buffer.from('export const x = 1\n'.repeat(100)),
    'text/javascript; charset=utf-8',
  )
  const listener: RequestListener = createFront({
    app,
    pages: PAGES,
    published,
    astro: astro.handler,
    files: new Map([
      ['/_astro/x.js', prepare(script, { cacheControl: 'public, max-age=31536000, immutable' })],
    ]),
    health: createHealth({ pages: published.isReady }),
    clientAddress: createClientAddress([]),
    mounts: [],
    studio: { matches: () => false, find: async () => undefined, state: () => 'off' },
    draftsFor: () => undefined,
    ...change,
  })
  const server = await listen(listener, { port: 0, host: '127.0.0.1' })
  const { port } = server
  return {
    port,
    astro,
    logged,
    published,
    server,
    get: (path, headers = {}) => ask(port, 'GET', path, { headers }),
    send: (method, path, options = {}) => ask(port, method, path, options),
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As sent. */
  readonly raw: Buffer
  /** Decompressed. */
  readonly text: string
}

/** One request exactly as written, over its own connection. */
export function ask(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => {
        const raw = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          raw,
          text: plain(raw, response.headers),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function plain(raw: Buffer, headers: IncomingHttpHeaders): string {
  if (raw.length === 0) return ''
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(raw).toString()
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString()
}
