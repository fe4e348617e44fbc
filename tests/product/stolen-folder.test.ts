import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKey } from '#domain/card/keys.ts'
import { count } from '#tests/support/counts.ts'
import { type BoughtCard, buyCard, openPayment, pay, SUCCESS } from '#tests/support/product/buy.ts'
import { type Answer, call, post } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { SECRET_DOORS, WRONG_KEY } from '#tests/support/product/secret-doors.ts'
import { bytesOf, gather, type Loot, newLoot } from '#tests/support/product/stolen.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'
import { SEED_TERMS } from '#tests/support/seed-terms.ts'

const INVITATION_SUCCESS = '/api/ajuda/pagaments-voluntariat/success'
const INVITING = {
  giftcard_theme: 'palestine',
  giftcard_mission: 'mission-medical',
  nom_producte: 'inauguration package',
  amount: 10_000,
  support_amount_cents: 0,
  currency: 'EUR',
  ...SEED_TERMS,
}
const CLAIMING = { campaign_id: 'gift-seed', currency: 'EUR' }
const BUYERS = 4
const PURCHASES = count({ usual: 7, long: 60 })
const THEFTS = 3
/** Of what looks like no secret of ours at all, so many are tried. */
const MOST_OTHERS = count({ usual: 40, long: 2_000 })

/**
 * A thief copies everything while people open, pay and settle, and tries it when all of them have paid. The secret and
 * what has to hold secrets (`local/`) are not in what is stolen.
 */
describe.each(['sqlite', 'postgres'] as const)(
  'everything but the secret, stolen under load (%s)',
  engine => {
    let environment: TestEnvironment
    let product: Product
    const loot = newLoot()
    const cards: BoughtCard[] = []
    const invitations: { readonly sessionId: string; readonly key: string }[] = []
    /** Opened before the last theft, paid after it. */
    const paidLater: string[] = []
    let stolenText = ''

    beforeAll(async () => {
      environment = await openTestEnvironment(engine)
      product = await startProduct({ env: environment.env })
      // What was there before anybody bought anything (pictures, content, PostgreSQL's own) opens no card of theirs.
      const before = await steal()
      await everybodyBuys()
      for (const kind of ['sessions', 'keys', 'others'] as const)
        for (const text of before[kind]) loot[kind].delete(text)
    })
    afterAll(async () => {
      await product?.kill()
      await environment?.close()
    })

    async function everybodyBuys(): Promise<void> {
      const moments = new Set(
        Array.from({ length: THEFTS - 1 }, () => 1 + Math.floor(Math.random() * (PURCHASES - 1))),
      )
      let begun = 0
      const buyer = async () => {
        for (let n = begun++; n < PURCHASES; n = begun++) {
          if (moments.has(n)) await steal()
          if (n % 6 === 5) invitations.push(await invite(n))
          else if (n % 6 === 2) paidLater.push(await openPayment(product))
          else cards.push(await buyCard(product, { email: `buyer-${n}@example.org` }))
          if (n % 6 === 4)
            await post(`${product.url}/api/ajuda/free-giftcard-donatius`, {
              ...CLAIMING,
              fromEmail: `claimant-${n}@example.org`,
            })
        }
      }
      await Promise.all(Array.from({ length: BUYERS }, buyer))
      await call(`${product.url}/lost-link`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'email=buyer-0%40example.org',
      })
      await environment.noWorkLeft()
      await backUp()
      await steal()
      for (const session of paidLater) await pay(product, session, { email: 'later@example.org' })
    }

    async function invite(n: number) {
      const { json } = await post(`${product.url}/api/ajuda/pagaments-voluntariat/gateway`, INVITING)
      const sessionId = new URL(String(json().url)).pathname.slice('/c/pay/'.length)
      await pay(product, sessionId, { email: `host-${n}@example.org` })
      const settled = await post(product.url + INVITATION_SUCCESS, { stripe_session_id: sessionId })
      return { sessionId, key: String(settled.json().key) }
    }

    async function backUp(): Promise<void> {
      if (engine === 'postgres') return
      const env = { ...process.env, ...environment.env, DATABASE_URL: '' }
      await promisify(execFile)(process.execPath, ['src/server/ops/main.ts', 'backup'], { env })
    }

    /** The data folder without `local/`; PostgreSQL's own files, its write-ahead log among them, and a dump. */
    async function steal(): Promise<Loot> {
      const places = bytesOf(environment.dataDir, ['local'])
      if (engine === 'postgres') {
        const { folder, database } = await environment.database.db.read(async reader => {
          const own = await reader
            .selectFrom(
              sql<{
                folder: string
                oid: string
              }>`(select current_setting('data_directory') as folder, oid::text
              from pg_database where datname = current_database())`.as('own'),
            )
            .selectAll()
            .executeTakeFirstOrThrow()
          return { folder: own.folder, database: own.oid }
        })
        places.push(...bytesOf(join(folder, 'base', database)), ...newestSegments(join(folder, 'pg_wal')))
        places.push(await environment.database.dump())
      }
      const found = newLoot()
      for (const text of places) gather(found, text)
      for (const kind of ['sessions', 'keys', 'others'] as const)
        for (const text of found[kind]) loot[kind].add(text)
      stolenText += places.join('\n')
      return found
    }

    it('holds the rows of all of them', () => {
      for (const { cardId } of cards) expect(stolenText).toContain(cardId)
      expect(loot.others.size).toBeGreaterThan(PURCHASES)
    })

    it('holds no session, paid or still to be paid, and no key', () => {
      const secrets = [
        ...cards.flatMap(({ sessionId, privateKey, publicKey }) => [sessionId, privateKey, publicKey]),
        ...invitations.flatMap(({ sessionId, key }) => [sessionId, key]),
        ...paidLater,
      ]
      expect(secrets.filter(secret => stolenText.includes(secret))).toEqual([])
    })

    it('opens nothing, whatever of it is tried and wherever', async () => {
      expect(await openedBy(loot)).toEqual([])
      // The thief found all that there is: with what was left out every one of these doors opens.
      const local = newLoot()
      for (const text of bytesOf(join(environment.dataDir, 'local'))) gather(local, text)
      for (const { sessionId } of cards) expect(local.sessions).toContain(sessionId)
      for (const { privateKey } of cards) expect(local.keys).toContain(privateKey)
      const someOf = (set: Set<string>) => new Set([...set].slice(0, 2 * PURCHASES))
      const opened = await openedBy({ sessions: someOf(local.sessions), keys: new Set(), others: new Set() })
      expect(opened.length).toBeGreaterThan(PURCHASES / 2)
      expect(await openedBy({ ...newLoot(), keys: new Set([cards[0]!.privateKey]) })).not.toEqual([])
    })

    /** Tries what was found at every door that takes such a thing. @returns what opened, and where */
    async function openedBy({ sessions, keys, others }: Loot): Promise<string[]> {
      const opened: string[] = []
      const rest = shuffled([...others]).slice(0, MOST_OTHERS)
      const tries: (() => Promise<void>)[] = []
      for (const session of [...sessions, ...rest])
        for (const path of [SUCCESS, INVITATION_SUCCESS])
          tries.push(async () => {
            const { status } = await post(product.url + path, { stripe_session_id: session })
            if (status < 400) opened.push(`${path} ${session}`)
          })
      const doors = SECRET_DOORS.filter(door => door.takes === 'key')
      for (const { from, guess } of doors) {
        const asked = guess(cards[0]!)
        const wrong = outcomeOf(await ask(asked, WRONG_KEY), WRONG_KEY)
        // A longer one is taken for no key unread: a page leads from it to the screen that says so, under no key.
        const written = rest.filter(text => /^[\w-]{1,128}$/.test(text))
        const texts = [...keys, ...written.slice(0, MOST_OTHERS / 10)]
        // As a key is written: the site leads another spelling there, whatever it opens.
        for (const key of texts.map(text => readKey(text) ?? text))
          tries.push(async () => {
            const answer = await ask(asked, key)
            if (answer.status < 400 && outcomeOf(answer, key) !== wrong) opened.push(`${from} ${key}`)
          })
      }
      let next = 0
      const trier = async () => {
        for (let at = next++; at < tries.length; at = next++) await tries[at]!()
      }
      await Promise.all(Array.from({ length: 8 }, trier))
      return opened
    }

    type Asked = ReturnType<Extract<(typeof SECRET_DOORS)[number], { takes: 'key' }>['guess']>

    const ask = ({ path, body, ...rest }: Asked, key: string): Promise<Answer> =>
      call(product.url + path.replace(WRONG_KEY, key), {
        ...rest,
        ...(body !== undefined && { body: body.replace(WRONG_KEY, key) }),
      })
  },
)

/** Of a write-ahead log that other tests write to as well, what holds the last minutes. */
const newestSegments = (folder: string): string[] =>
  readdirSync(folder)
    .map(name => join(folder, name))
    // The server may take one away meanwhile.
    .map(path => ({ path, stats: statSync(path, { throwIfNoEntry: false }) }))
    .filter(({ stats }) => stats?.isFile())
    .sort((a, b) => b.stats!.mtimeMs - a.stats!.mtimeMs)
    .slice(0, 3)
    .flatMap(({ path }) => bytesOf(path))

const outcomeOf = ({ status, headers }: Answer, key: string): string =>
  `${status} ${(headers.location ?? '').replaceAll(key, '')}`

function shuffled<T>(all: T[]): T[] {
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  return all
}
