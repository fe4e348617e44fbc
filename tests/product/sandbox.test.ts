/** A sandbox as a process: a notice wherever somebody looks, keys of its own, and a database that nothing else opens. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { PARTNER_SCOPES } from '#domain/partner/partner.ts'
import { getT } from '#i18n/index.ts'
import { cardPath, localizedPath, PUBLISHED_PAGES } from '#paths'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { addPartner } from '#server/modules/partners/partner-acts.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { buyCard } from '#tests/support/product/buy.ts'
import { call, post } from '#tests/support/product/call.ts'
import { PARTNER_ORDER } from '#tests/support/product/every-route.ts'
import { CARD_KEY_SECRET } from '#tests/support/product/operator.ts'
import { type Product, runToEnd, startProduct } from '#tests/support/product/product.ts'
import { PARTNER_ORDERS_PATH } from '#wire/partner.ts'

const folder = mkdtempSync(join(tmpdir(), 'gc-sandbox-'))
const OTHERWISE = { DATA_DIR: folder, CARD_KEY_SECRET }
let sandbox: Product
/** Of a partner. */
let key: string
beforeAll(async () => {
  sandbox = await startProduct({ env: { ...OTHERWISE, SANDBOX: 'yes' } })
  const db = await openDatabase({ dataDir: folder, sandbox: true })
  const asked = { name: 'Shop', contact: 'shop@example.org', scopes: PARTNER_SCOPES }
  const tools = { mac: createCardKeys(CARD_KEY_SECRET).mac, now: Date.now() }
  ;({ key } = await db.transaction(trx => addPartner(trx, asked, tools)))
  await db.close()
})
afterAll(async () => {
  await sandbox?.kill()
  rmSync(folder, { recursive: true, force: true })
})

const NOINDEX = '<meta name="robots" content="noindex">'
const noticeOf = (text: string) => /<aside class="sandbox-notice"[^>]*>([^<]*)</.exec(text)?.[1]

it('says on each page in each language that nothing is worth money, and lets nobody list one', async () => {
  for (const { path } of PUBLISHED_PAGES)
    for (const language of LANGUAGES) {
      const { text } = await call(sandbox.url + localizedPath(language, path))
      expect(noticeOf(text), `${path} in ${language}`).toBe(getT(language)('sandbox-notice'))
      expect(text).toContain(NOINDEX)
    }
  expect((await call(`${sandbox.url}/robots.txt`)).text).not.toContain('Sitemap')
  expect((await call(`${sandbox.url}/sitemap.xml`)).text).not.toContain('<url>')
})

it('says so to whoever gets a card, and to whoever the link is sent on to', async () => {
  const { privateKey } = await buyCard(sandbox)
  for (const screen of ['introduction-1', 'select-ngo']) {
    const { text } = await call(sandbox.url + cardPath(privateKey, screen))
    expect(noticeOf(text), screen).toBe(getT('en')('sandbox-notice'))
    expect(text).toContain(`<meta property="og:description" content="${getT('en')('sandbox-notice')}">`)
  }
})

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  new Promise<string>(resolve =>
    execFile(program, args, { env }, (_, output, complaint) => resolve(output + complaint)),
  )

it('opens a payment by the very lines that its page for developers shows', async () => {
  const { text } = await call(`${sandbox.url}/en/developers`)
  const shown = /data-sandbox-example[\s\S]*?<pre[^>]*>([\s\S]*?)<\/pre>/.exec(text)?.[1] ?? ''
  const lines = shown.replace(/&(quot|#34|#39|amp);/g, (_, name) =>
    name === 'amp' ? '&' : name === '#39' ? "'" : '"',
  )
  const said = await run('bash', ['-c', `${lines.replace('sandbox_…', key)} -s`])
  expect(JSON.parse(said)).toMatchObject({
    state: 'open',
    amount: 5000,
    url: expect.stringContaining('/c/pay/'),
  })
})

it('takes keys of its own alone, and says why', async () => {
  const headers = {
    Authorization: `Bearer partner_${key.slice('sandbox_'.length)}`,
    'Idempotency-Key': 'an-order-in-the-sandbox',
  }
  expect((await post(sandbox.url + PARTNER_ORDERS_PATH, PARTNER_ORDER, headers)).json()).toMatchObject({
    status: 401,
    code: 'partner-key-of-real-site',
    detail: expect.stringContaining('Use a key of the sandbox here'),
  })
})

it('has a database that no site, and no command of another, opens', async () => {
  const site = await runToEnd(OTHERWISE)
  expect(site.exitCode).toBe(1)
  expect(site.output).toContain('This database belongs to a sandbox')
  expect(site.output).not.toMatch(/^\s+at /m)
  const partners = (more: object) =>
    run(process.execPath, ['src/server/ops/main.ts', 'partner'], {
      PATH: process.env.PATH,
      ...OTHERWISE,
      ...more,
    })
  expect(await partners({})).toMatch(/^This database belongs to a sandbox/)
  expect(await partners({ SANDBOX: 'yes' })).toContain('shop@example.org')
})
