import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { inject } from 'vitest'
import type { EngineName } from '#server/platform/db/database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startPooler } from '#tests/support/pooler.ts'

/** Where the product lives during a test: a database on one of the engines, and a folder for everything else. */
export interface TestEnvironment {
  readonly dataDir: string
  /** The test's own way into the product's database. */
  readonly database: TestDatabase
  /** Settings of a server that lives here. */
  readonly env: Readonly<Record<string, string>>
  /** Settings of one more server: on the same folder with SQLite, on a folder of its own with PostgreSQL. */
  secondEnv(): Readonly<Record<string, string>>
  /**
   * Waits until the servers have done all jobs that are due.
   * @param clock how far the servers' clock is ahead of the test's, ms
   * @throws Error when that takes too long
   */
  noWorkLeft(clock?: { readonly aheadMs: number }): Promise<void>
  /** The data once no work is left: equal dumps, nothing changed in between. */
  dump(): Promise<string>
  /** Every mail that was written, by all servers. */
  mails(): Promise<readonly ReadMail[]>
  close(): Promise<void>
}

export interface ReadMail {
  readonly messageId: string
  readonly to: string
  /** The header lines as they stand in the file, the subject decoded at the end. */
  readonly head: string
  readonly text: string
}

const WORK_MS = 30_000
const CARD_KEY_SECRET = 'a secret that all servers of a test have'

/** Where a server of a test keeps its data: in one of the databases, or in PostgreSQL behind a pooler. */
export type Keeping = EngineName | 'pooled'

export async function openTestEnvironment(keeping: Keeping): Promise<TestEnvironment> {
  const isPooled = keeping === 'pooled'
  const pooler = isPooled ? await startPooler(inject('postgresUrl')) : undefined
  const database = await openTestDatabase(isPooled ? 'postgres' : keeping)
  const direct = database.location.databaseUrl
  const databaseUrl = direct === undefined ? undefined : (pooler?.urlOf(direct) ?? direct)
  const folders: string[] = []
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'gc-product-'))
    folders.push(folder)
    return folder
  }
  // SQLite's test database lies in a folder of its own already; the server finds it there.
  const dataDir = databaseUrl === undefined ? database.location.dataDir : newFolder()
  if (databaseUrl === undefined) folders.push(dataDir)
  const shared = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, CARD_KEY_SECRET }
  const env = { DATA_DIR: dataDir, ...shared }
  return {
    dataDir,
    database,
    env,
    secondEnv: () => (databaseUrl === undefined ? env : { DATA_DIR: newFolder(), ...shared }),
    noWorkLeft: clock => noWorkLeft(database, clock),
    async dump() {
      await noWorkLeft(database)
      return database.dump()
    },
    async mails() {
      return Promise.all(folders.flatMap(mailFiles).map(readMail))
    },
    async close() {
      await pooler?.stop()
      await database.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits for as long as work is done: it fails where none has been for a while. */
async function noWorkLeft({ db }: TestDatabase, { aheadMs } = { aheadMs: 0 }): Promise<void> {
  // The letter that a card has been used is for tomorrow.
  const countLeft = () =>
    db.read(reader =>
      reader
        .selectFrom('jobs')
        .select(eb => eb.fn.countAll<number>().as('jobs'))
        .where('done_at', 'is', null)
        .where(eb => eb.or([eb('run_at', '<=', Date.now() + aheadMs), eb('attempts', '>', 0)]))
        .executeTakeFirstOrThrow(),
    )
  let least = Number.POSITIVE_INFINITY
  for (let deadline = 0; ; await wait(20)) {
    const left = Number((await countLeft()).jobs)
    if (left === 0) return
    if (left < least) {
      least = left
      deadline = performance.now() + WORK_MS
    }
    if (performance.now() > deadline) throw new Error(`The servers leave ${left} jobs undone`)
  }
}

function mailFiles(dataDir: string): string[] {
  const folder = join(dataDir, 'local', 'mail')
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.eml'))
      .map(name => join(folder, name))
  } catch {
    return []
  }
}

async function readMail(path: string): Promise<ReadMail> {
  const raw = readFileSync(path, 'utf8')
  const mail = await PostalMime.parse(raw)
  return {
    messageId: mail.messageId ?? '',
    to: mail.to?.[0]?.address ?? '',
    head: `${raw.slice(0, raw.indexOf('\r\n\r\n'))}\r\n${mail.subject}`,
    text: mail.text ?? '',
  }
}
