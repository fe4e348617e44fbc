import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '#tests/support/free-port.ts'
import { type Databases, openDatabases } from './databases.ts'
import { startCompressingProxy } from './nginx.ts'
import { installWhenNeeded, runScript } from './npm-project.ts'
import { childrenOf, processorMicroseconds } from './processor.ts'
import { vitalsOf } from './vitals.ts'

const PROJECT = fileURLToPath(new URL('../peers/evershop', import.meta.url))
/** The shop wants these where it starts, empty or not. */
const FOLDERS = ['media', 'public', 'themes', 'extensions', 'translations', 'config']
const MAIN = 'node_modules/@evershop/evershop/dist/bin/evershop.js'
const START_MS = 120_000

/** One gift card of 25, sold by the shop and paid by transfer, without a parcel. */
const SKU = 'gift-25'
const GOODS = `
  insert into setting (name, value, is_json) values ('codPaymentStatus', '1', false);
  with made as (
    insert into product (sku, price, status, no_shipping_required, weight)
    values ('${SKU}', 25, true, true, 0) returning product_id
  ), described as (
    insert into product_description (product_description_product_id, name, description, url_key)
    select product_id, 'Tarjeta regalo', '[]', '${SKU}' from made
  )
  insert into product_inventory (product_inventory_product_id, qty, manage_stock, stock_availability)
  select product_id, 1, false, true from made`

/** The shop, ready to sell one gift card, with a database of its own. */
export interface OpenShop {
  /** As visitors reach it: behind nginx, which compresses, as its guide for production wants. */
  readonly url: string
  /** Where a visitor chooses the gift. */
  readonly productPath: string
  /** Where a visitor with a cart says whom it is for, and pays. */
  readonly checkoutPath: string
  /** From the start of the process to its first page, ms. */
  readonly readyMs: number
  /** A page, asked of the shop itself by a visitor of another address each time. @throws Error where it does not come */
  view(path: string): Promise<void>
  /** @returns the cookie of a visitor who has the gift card in the cart */
  fillCart(): Promise<{ readonly name: string; readonly value: string }>
  /** Cart, address, way to pay, order. @throws Error where there is no order in the end */
  buy(): Promise<void>
  /** Of all its processes so far, µs. */
  processor(): number
  /** Of all its processes, MB of 10⁶ bytes. */
  megabytes(): number
  stop(): Promise<void>
}

/** Installs and builds the shop where that was not done yet, and starts it. @throws Error without nginx or PostgreSQL */
export async function startOpenShop(): Promise<OpenShop> {
  for (const folder of FOLDERS) mkdirSync(join(PROJECT, folder), { recursive: true })
  const isNew = await installWhenNeeded(PROJECT)
  if (isNew || !existsSync(join(PROJECT, '.evershop/build/frontStore/server')))
    await runScript(PROJECT, 'build')
  const databases = await openDatabases('postgres')
  try {
    return await openShopOn(databases)
  } catch (error) {
    await databases.remove()
    throw error
  }
}

async function openShopOn(databases: Databases): Promise<OpenShop> {
  const { databaseUrl = '' } = await databases.create('shop')
  const first = await runShop(databaseUrl)
  // Its first start makes the tables; what it sells is read at the second.
  await first.stop()
  const productPath = await sell(databaseUrl)
  const shop = await runShop(databaseUrl)
  const proxy = await startCompressingProxy(shop.port)
  let visitors = 0
  const own = `http://127.0.0.1:${shop.port}`
  const visitor = (): Record<string, string> => {
    visitors++
    return { 'X-Forwarded-For': `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}` }
  }
  const processes = () => [shop.pid, ...childrenOf(shop.pid)]
  return {
    url: proxy.url,
    productPath,
    checkoutPath: '/checkout',
    readyMs: shop.readyMs,
    async view(path) {
      const answer = await fetch(own + path, { headers: visitor() })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`The shop answers ${answer.status} for ${path}`)
    },
    async fillCart() {
      const headers = visitor()
      const page = await fetch(own + productPath, { headers })
      const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const answer = await fetch(`${own}/api/cart/mine/items`, {
        method: 'POST',
        headers: { ...headers, Cookie: cookie, 'Content-Type': 'application/json' },
        body: JSON.stringify({ sku: SKU, qty: 1 }),
      })
      if (!answer.ok) throw new Error('The shop has no cart')
      const [name = '', value = ''] = cookie.split('=')
      return { name, value }
    },
    async buy() {
      const headers = { ...visitor(), 'Content-Type': 'application/json' }
      const send = async (path: string, body: object) => {
        const answer = await fetch(`${own}/api/carts${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        return (await answer.json()) as { data?: { cartId?: string; order_number?: string } }
      }
      const { email, address } = BUYER
      const items = [{ sku: SKU, qty: 1 }]
      const name = address.full_name
      const made = await send('', { items, customer_email: email, customer_full_name: name })
      const cart = made.data?.cartId ?? ''
      await send(`/${cart}/addresses`, { type: 'billing', address })
      await send(`/${cart}/paymentMethods`, { method_code: 'cod', method_name: 'Transfer' })
      const { data } = await send(`/${cart}/checkout`, { cart_id: cart, customer: { email } })
      if (data?.order_number === undefined) throw new Error('The shop made no order')
    },
    processor: () => processes().reduce((sum, pid) => sum + processorMicroseconds(pid), 0),
    megabytes: () => processes().reduce((sum, pid) => sum + vitalsOf(pid).megabytes, 0),
    async stop() {
      await proxy.stop()
      await shop.stop()
      await databases.remove()
    },
  }
}

const BUYER = {
  email: 'ana@example.org',
  address: {
    full_name: 'Ana',
    telephone: '600000000',
    address_1: 'Calle Mayor 1',
    city: 'Madrid',
    country: 'ES',
    province: 'ES-M',
    postcode: '28001',
  },
}

/** @returns the path of the product's page */
async function sell(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(GOODS)
  const { rows } = await client.query<{ uuid: string }>('select uuid from product where sku = $1', [SKU])
  await client.end()
  return `/product/${rows[0]?.uuid}`
}

async function runShop(databaseUrl: string) {
  const { hostname, port: databasePort, username, password, pathname, searchParams } = new URL(databaseUrl)
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [MAIN, 'start'], {
    cwd: PROJECT,
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      TRUST_PROXY_HOPS: '1',
      // A server of the benchmark listens at a socket in a folder.
      DB_HOST: searchParams.get('host') ?? hostname,
      DB_PORT: databasePort || '5432',
      DB_USER: decodeURIComponent(username),
      DB_PASSWORD: decodeURIComponent(password) || 'none',
      DB_NAME: pathname.slice(1),
      DB_SSLMODE: 'disable',
    },
  })
  const ended = once(child, 'exit')
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - startedAt > START_MS)
      throw new Error('The shop did not start')
    await pause(20)
  }
  const pid = child.pid ?? 0
  return {
    port,
    pid,
    readyMs: performance.now() - startedAt,
    async stop() {
      const helpers = childrenOf(pid)
      child.kill('SIGTERM')
      await ended
      // Some of its processes outlast it.
      for (const helper of helpers)
        try {
          process.kill(helper, 'SIGKILL')
        } catch {
          // Gone already.
        }
    },
  }
}
