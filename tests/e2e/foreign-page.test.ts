import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { buyThroughApi } from '#tests/support/e2e/api.ts'
import { type Site, startSite } from '#tests/support/e2e/server.ts'
import { test as base, expect } from '#tests/support/e2e/test.ts'

interface Elsewhere {
  /** A product of its own, whose content nobody else changes. */
  readonly site: Site
  /** Addresses of a page that is not the site's, each as another kind of stranger to the browser. */
  readonly origins: Readonly<Record<Kind, string>>
}

/** Another site; another port of the same machine, which to a browser is the same site; a name below ours. */
type Kind = 'cross-site' | 'same-site' | 'subdomain'
const KINDS: readonly Kind[] = ['cross-site', 'same-site', 'subdomain']

const test = base.extend<object, { elsewhere: Elsewhere }>({
  elsewhere: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
    async ({}, use) => {
      const { stop, ...site } = await startSite()
      const server = await foreignServer()
      const { port } = server.address() as AddressInfo
      const origins = {
        'cross-site': `http://127.0.0.2:${port}`,
        'same-site': `http://localhost:${port}`,
        subdomain: `http://evil.localhost:${port}`,
      }
      await use({ site, origins })
      server.closeAllConnections()
      server.close()
      await stop()
    },
    { scope: 'worker' },
  ],
})
test.describe.configure({ mode: 'default' })
// A page elsewhere tries to put a worker of its own here.
test.use({ serviceWorkers: 'allow' })

/** A page and a worker of somebody else's. */
async function foreignServer(): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const isScript = url?.endsWith('.js')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(
      isScript ? 'self.onfetch = () => {}' : '<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>',
    )
  }).listen(0)
  await once(server, 'listening')
  return server
}

const EXPLOSION = encodeURIComponent('count(*[]{"a": *[]{"b": *[]{"c": *[]._id}}})')
const QUERY = '/v2025-02-19/data/query/production'

/** Everything of the stand-ins that is worth reading or dangerous to ask for. */
const DOORS = [
  `${QUERY}?query=*`,
  `${QUERY}?query=${EXPLOSION}`,
  '/vX/data/export/production',
  '/vX/data/listen/production?query=*',
  '/vX/data/history/production/transactions/settings',
  '/vX/users/me',
  '/_local/mail',
  '/api/operator/content',
]

/** The local content as it lies on the disk. */
const contentOf = ({ dataDir }: Site): string =>
  createHash('sha256')
    .update(readFileSync(join(dataDir, 'local/content/transactions.ndjson')))
    .digest('hex')

/** What the page came to know, as text. */
type Reading = Readonly<Record<string, string>>

/** Tries to read every door with what a page has for it. */
function readings(page: Page, target: string): Promise<Reading> {
  return page.evaluate(
    async ({ site, doors }) => {
      const found: Record<string, string> = {}
      const note = (how: string, value: unknown) => {
        found[how] = String(value).slice(0, 200)
      }
      const settled = (make: (done: (said: string) => void) => void) =>
        Promise.race([
          new Promise<string>(make),
          new Promise<string>(resolve => setTimeout(() => resolve('silence'), 5_000)),
        ])
      await Promise.all(
        doors.map(async door => {
          const url = site + door
          for (const credentials of ['omit', 'include'] as const)
            note(
              `fetch ${credentials} ${door}`,
              await fetch(url, { credentials, signal: AbortSignal.timeout(5_000) })
                .then(answer => answer.text())
                .catch(() => 'refused'),
            )
          note(
            `no-cors ${door}`,
            await fetch(url, { mode: 'no-cors', signal: AbortSignal.timeout(5_000) })
              .then(async answer => answer.type + (await answer.text()))
              .catch(() => 'refused'),
          )
          note(
            `image ${door}`,
            await settled(done => {
              const image = new Image()
              image.onload = () => done(`shown ${image.width}`)
              image.onerror = () => done('refused')
              image.src = url
            }),
          )
          note(
            `script ${door}`,
            await settled(done => {
              const script = document.createElement('script')
              script.onload = () => done('ran')
              script.onerror = () => done('refused')
              script.src = url
              document.head.append(script)
            }),
          )
          note(
            `stream ${door}`,
            await settled(done => {
              const stream = new EventSource(url, { withCredentials: true })
              stream.onmessage = () => done('heard')
              stream.onopen = () => done('opened')
              stream.onerror = () => {
                stream.close()
                done('refused')
              }
            }),
          )
          note(
            `frame ${door}`,
            await settled(done => {
              const frame = document.createElement('iframe')
              frame.onload = () => {
                try {
                  done(`read ${frame.contentDocument?.body.textContent}`)
                } catch {
                  done('refused')
                }
              }
              frame.src = url
              document.body.append(frame)
            }),
          )
        }),
      )
      for (const path of ['/local/listen', '/vX/socket/production'])
        note(
          `socket ${path}`,
          await settled(done => {
            const socket = new WebSocket(site.replace('http', 'ws') + path)
            socket.onopen = () => {
              socket.send(JSON.stringify({ op: 'open', id: '1', url: '/vX/data/listen/production?query=*' }))
              done('opened')
            }
            socket.onerror = () => done('refused')
          }),
        )
      for (const path of ['/files/local/production/x.js', '/studio/sw.js'])
        note(
          `worker ${path}`,
          await navigator.serviceWorker.register(site + path).then(
            () => 'registered',
            () => 'refused',
          ),
        )
      return found
    },
    { site: target, doors: DOORS },
  )
}

/** Tries to change something, with what a page can send without asking first and what it has to ask for. */
function attacks(page: Page, target: string): Promise<readonly string[]> {
  return page.evaluate(async site => {
    const wipe = JSON.stringify({ mutations: [{ delete: { query: '*[_type == "ngoList"]' } }] })
    const targets = [
      '/vX/data/mutate/production',
      '/vX/data/actions/production',
      '/vX/assets/files/production?filename=x.js',
      '/vX/auth/logout',
    ]
    const said: string[] = []
    for (const path of targets) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json'])
        said.push(
          await fetch(site + path, {
            method: 'POST',
            mode: type.endsWith('json') ? 'cors' : 'no-cors',
            headers: { 'content-type': type },
            body: wipe,
          }).then(
            answer => `${path} ${answer.type}`,
            () => `${path} refused`,
          ),
        )
      navigator.sendBeacon(site + path, wipe)
      const frame = document.createElement('iframe')
      frame.name = `into${said.length}`
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: site + path, target: frame.name, enctype: 'text/plain' })
      const field = document.createElement('input')
      // As text/plain it reads as JSON.
      field.name = wipe.slice(0, -1)
      field.value = '}'
      form.append(field)
      document.body.append(frame, form)
      const loaded = new Promise(resolve => {
        frame.onload = resolve
      })
      form.submit()
      await Promise.race([loaded, new Promise(resolve => setTimeout(resolve, 2_000))])
    }
    return said
  }, target)
}

for (const kind of KINDS) {
  test(`a page that is ${kind} to the local server can neither read nor hurt it`, async ({
    browser,
    elsewhere: { site, origins },
  }) => {
    const { privateKey } = await buyThroughApi(site)
    const context = await browser.newContext()
    // Somebody works here: whatever the browser keeps for the site is there.
    const own = await context.newPage()
    await own.goto(`${site.url}/es`)
    const before = contentOf(site)

    const page = await context.newPage()
    await page.goto(origins[kind])
    for (const target of [site.url, site.url.replace('localhost', '127.0.0.1')]) {
      const found = await readings(page, target)
      expect(Object.keys(found).length).toBeGreaterThan(50)
      const told = Object.entries(found).filter(
        // What a no-cors answer is, is opaque: no byte of it; a frame of another origin cannot be looked into.
        ([, value]) => !['refused', 'silence', 'opaque', 'read null', 'read undefined'].includes(value),
      )
      expect(told).toEqual([])
      expect(JSON.stringify(found)).not.toContain(privateKey)
      await attacks(page, target)
    }

    expect(contentOf(site)).toBe(before)
    const answer = await fetch(`${site.url}${QUERY}?query=count(*[_type=="ngoList"])`)
    expect(((await answer.json()) as { result: number }).result).toBeGreaterThan(0)
    await own.reload()
    await expect(own.locator('main h1')).toBeVisible()
    await context.close()
  })
}

test('a page under a name that was made to lead here is answered nothing', async ({
  elsewhere: { site },
}) => {
  const { port } = new URL(site.url)
  for (const path of DOORS) {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host: 'rebound.example' } }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    expect([path, answer.statusCode]).toEqual([path, 404])
  }
})
