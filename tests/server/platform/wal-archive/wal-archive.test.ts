import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { ARCHIVE_KEPT_DAYS, LOSS_WINDOW_MS } from '#domain/backup/archive.ts'
import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { sight } from '#server/platform/db/sightings.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { generationsIn, snapshotsIn } from '#server/platform/wal-archive/layout.ts'
import { rebuild } from '#server/platform/wal-archive/rebuild.ts'
import { createShipping, type Shipping } from '#server/platform/wal-archive/ship.ts'
import { type ArchiveStore, folderStore } from '#server/platform/wal-archive/store.ts'
import { count } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'

const NOON = Date.UTC(2026, 10, 25, 12)
const root = mkdtempSync(join(tmpdir(), 'gc-archive-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Site {
  readonly dataDir: string
  readonly archive: string
  readonly store: ArchiveStore
  readonly db: Database
  readonly logged: string[]
  shipping: Shipping
  /** Epoch ms. */
  now: number
  /** Makes the store fail. */
  isAway: boolean
  write(...names: string[]): Promise<void>
  /** Another process of the site, which knows nothing of the first one's shipping. */
  restarted(): Shipping
}

async function openSite({ foldAfter = 8 } = {}): Promise<Site> {
  const folder = mkdtempSync(join(root, 'site-'))
  const dataDir = join(folder, 'data')
  const archive = join(folder, 'archive')
  const db = await openDatabase({ dataDir })
  const real = folderStore(archive)
  const logged: string[] = []
  const log = {
    info: (event: string) => void logged.push(event),
    error: (event: string, error: unknown) => void logged.push(`${event}: ${String(error)}`),
  }
  const site: Site = {
    dataDir,
    archive,
    db,
    logged,
    now: NOON,
    isAway: false,
    store: {
      ...real,
      put: (name, bytes) => (site.isAway ? Promise.reject(new Error('no such disk')) : real.put(name, bytes)),
    },
    shipping: undefined as never,
    async write(...names) {
      for (const name of names) await db.transaction(trx => sight(trx, name, site.now))
    },
    restarted: () =>
      createShipping({
        dataDir,
        db,
        store: site.store,
        clock: () => site.now,
        monotonic: () => site.now,
        log: log as never,
        foldAfter,
      }),
  }
  site.shipping = site.restarted()
  onTestFinished(async () => {
    await site.shipping.stop()
    await db.close()
  })
  return site
}

/** Waits for the copy that the first turn begins. */
async function copied({ store, shipping }: Site, count = 1): Promise<void> {
  while ((await snapshotsIn(store)).length < count) await shipping.turn()
}

let rebuilt = 0
/** The names that a database rebuilt from an archive knows. */
async function namesIn(archive: string, at?: number): Promise<readonly string[]> {
  const file = join(root, `rebuilt-${++rebuilt}.sqlite`)
  await rebuild(folderStore(archive), { at, file })
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    const rows = db.prepare('select name from sightings order by at, name').all()
    return rows.map(({ name }) => String(name)).filter(name => !name.includes('server'))
  } finally {
    db.close()
  }
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `row ${String(from + n).padStart(4, '0')}`)

const filesIn = (archive: string, ending: string): string[] =>
  readdirSync(archive, { recursive: true })
    .map(String)
    .filter(name => name.endsWith(ending))
    .sort()
    .map(name => join(archive, name))

describe('the archive of the log', () => {
  it('brings back everything that was shipped, also what was written while the first copy was made', async () => {
    const site = await openSite()
    await site.write(...numbered(1, 20))
    await site.shipping.turn()
    await site.write(...numbered(21, 40))
    await copied(site)
    await site.write(...numbered(41, 60))
    await site.shipping.turn()
    expect(await namesIn(site.archive)).toEqual(numbered(1, 60))
  })

  it('follows the log through many folds, where other connections fold and read too', async () => {
    const site = await openSite({ foldAfter: 4 })
    await copied(site)
    const other = await openDatabase({ dataDir: site.dataDir })
    const reader = new DatabaseSync(join(site.dataDir, SQLITE_FILE))
    const chance = fakeChance(7)
    for (let n = 1; n <= 200; n++) {
      await (n % 2 ? site.db : other).transaction(trx => sight(trx, numbered(n, n)[0]!, site.now))
      if (chance() < 0.3) await site.shipping.turn()
      if (chance() < 0.1) await other.scrub([])
      if (chance() < 0.2 && !reader.isTransaction) {
        reader.exec('begin')
        reader.prepare('select count(*) from sightings').get()
      } else if (chance() < 0.5 && reader.isTransaction) reader.exec('commit')
    }
    reader.close()
    await site.shipping.turn()
    await other.close()
    expect(site.logged.filter(line => line.startsWith('archive-gap'))).toEqual([])
    expect(await generationsIn(site.store)).toEqual([1])
    expect(await namesIn(site.archive)).toEqual(numbered(1, 200))
  })

  it('folds nothing away that was not shipped', async () => {
    const site = await openSite({ foldAfter: 1 })
    await copied(site)
    const transaction = site.db.transaction.bind(site.db)
    for (const name of numbered(1, 10)) {
      await site.write(`again ${name}`)
      // Written between the shipping of a turn and its fold: only the fold can ship it.
      const late: Database['transaction'] = async fn => {
        Object.assign(site.db, { transaction })
        await site.write(name)
        return transaction(fn)
      }
      Object.assign(site.db, { transaction: late })
      await site.shipping.turn()
    }
    await site.shipping.turn()
    expect((await namesIn(site.archive)).filter(name => !name.startsWith('again'))).toEqual(numbered(1, 10))
  })

  it('keeps the log while the archive is away, says so once, and goes on where it was', async () => {
    const site = await openSite({ foldAfter: 2 })
    await copied(site)
    site.isAway = true
    for (let n = 1; n <= 30; n++) {
      await site.write(numbered(n, n)[0]!)
      site.now += 1_000
      await site.shipping.turn()
      // The site goes on, and nobody waits for ever.
      if (n === 1) await site.shipping.shipped()
    }
    expect(site.logged.filter(line => line.startsWith('archive-behind'))).toHaveLength(1)
    site.isAway = false
    await site.shipping.turn()
    expect(await generationsIn(site.store)).toEqual([1])
    expect(await namesIn(site.archive)).toEqual(numbered(1, 30))
  })

  it('goes back to an instant', async () => {
    const site = await openSite()
    await copied(site)
    for (let n = 1; n <= 5; n++) {
      site.now = NOON + n * MINUTE_MS
      await site.write(numbered(n, n)[0]!)
      await site.shipping.turn()
    }
    expect(await namesIn(site.archive, NOON + 3 * MINUTE_MS + 1)).toEqual(numbered(1, 3))
    await expect(namesIn(site.archive, NOON - DAY_MS)).rejects.toThrow('no whole copy of before')
  })

  it('goes on in its generation after a process that died, and begins another after the log was lost', async () => {
    const site = await openSite()
    await copied(site)
    await site.write(...numbered(1, 3))
    await site.shipping.turn()
    await site.write(...numbered(4, 6))
    const { shipping } = site
    // What a process leaves that dies: its lock and its connections go, nothing is shipped.
    site.isAway = true
    await shipping.stop()
    site.isAway = false
    site.shipping = site.restarted()
    await site.shipping.turn()
    expect(await generationsIn(site.store)).toEqual([1])
    expect(await namesIn(site.archive)).toEqual(numbered(1, 6))
    site.isAway = true
    await site.shipping.stop()
    site.isAway = false
    await site.write(...numbered(7, 9))
    await site.db.scrub([])
    site.shipping = site.restarted()
    await site.write(...numbered(10, 12))
    await copied(site, 2)
    await site.write(...numbered(13, 14))
    await site.shipping.turn()
    expect(await generationsIn(site.store)).toEqual([1, 2])
    expect(await namesIn(site.archive)).toEqual(numbered(1, 14))
  })

  it('lets one process at a time ship', async () => {
    const site = await openSite()
    await copied(site)
    const second = site.restarted()
    await site.write(...numbered(1, 3))
    await second.turn()
    expect(filesIn(site.archive, '.segment')).toEqual([])
    await site.shipping.turn()
    await second.stop()
    expect(await namesIn(site.archive)).toEqual(numbered(1, 3))
  })

  it('leaves nothing deleted in the log once nobody writes', async () => {
    const site = await openSite({ foldAfter: 1_000 })
    await copied(site)
    await site.write('a secret that goes')
    await site.db.transaction(trx =>
      trx.deleteFrom('sightings').where('name', '=', 'a secret that goes').execute(),
    )
    const log = () => readFileSync(join(site.dataDir, `${SQLITE_FILE}-wal`)).toString('latin1')
    expect(log()).toContain('a secret that goes')
    for (let turn = 0; turn < 10; turn++) await site.shipping.turn()
    expect(log()).not.toContain('a secret that goes')
    expect(readFileSync(join(site.dataDir, SQLITE_FILE)).toString('latin1')).not.toContain(
      'a secret that goes',
    )
  })

  it('makes a whole copy a day, and lets go of what no instant of two weeks needs', async () => {
    const site = await openSite()
    await copied(site)
    const days = ARCHIVE_KEPT_DAYS + 4
    for (let day = 1; day <= days; day++) {
      site.now = NOON + day * DAY_MS
      await site.write(numbered(day, day)[0]!)
      await site.shipping.turn()
      await site.shipping.stop()
      site.shipping = site.restarted()
      await copied(site, Math.min(day, ARCHIVE_KEPT_DAYS) + 1)
    }
    const copies = await snapshotsIn(site.store)
    expect(Math.min(...copies.map(({ at }) => at))).toBe(NOON + (days - ARCHIVE_KEPT_DAYS) * DAY_MS)
    const oldest = site.now - ARCHIVE_KEPT_DAYS * DAY_MS
    expect(await namesIn(site.archive, oldest)).toEqual(numbered(1, days - ARCHIVE_KEPT_DAYS))
    await expect(namesIn(site.archive, oldest - DAY_MS)).rejects.toThrow('no whole copy of before')
    expect(await namesIn(site.archive)).toEqual(numbered(1, days))
  })
})

describe('a part of the archive that is not what was written', () => {
  async function archiveOfThree(): Promise<{ archive: string; segments: string[]; copies: string[] }> {
    const site = await openSite()
    await copied(site)
    for (const name of numbered(1, 4)) {
      await site.write(name)
      await site.shipping.turn()
    }
    const archive = join(root, `kept-${++rebuilt}`)
    cpSync(site.archive, archive, { recursive: true })
    return { archive, segments: filesIn(archive, '.segment'), copies: filesIn(archive, '.snapshot.gz') }
  }

  it('is refused by its name: a segment of which one bit differs, wherever it is', async () => {
    const { archive, segments } = await archiveOfThree()
    expect(segments).toHaveLength(4)
    for (const [at, whole] of segments.map(file => [file, readFileSync(file)] as const)) {
      for (const place of [3, Math.floor(whole.length / 2), whole.length - 1]) {
        const bytes = Buffer.from(whole)
        bytes[place]! ^= 1
        writeFileSync(at, bytes)
        await expect(namesIn(archive)).rejects.toThrow(/0{9}\d\.segment is damaged/)
      }
      writeFileSync(at, whole.subarray(0, -5))
      await expect(namesIn(archive)).rejects.toThrow(/0{9}\d\.segment is damaged/)
      writeFileSync(at, whole)
    }
    expect(await namesIn(archive)).toEqual(numbered(1, 4))
  })

  it('is refused by its name: a segment that is missing, also the last one', async () => {
    const { archive, segments } = await archiveOfThree()
    for (const [n, file] of segments.entries()) {
      renameSync(file, join(root, 'aside'))
      await expect(namesIn(archive)).rejects.toThrow(`000${n + 1}.segment is missing`)
      renameSync(join(root, 'aside'), file)
    }
  })

  it('is refused by its name: a segment that is there twice, or that is of another archive', async () => {
    const { archive, segments } = await archiveOfThree()
    const third = readFileSync(segments[2]!)
    writeFileSync(segments[2]!, readFileSync(segments[1]!))
    await expect(namesIn(archive)).rejects.toThrow('0003.segment is the double of')
    writeFileSync(segments[2]!, readFileSync((await archiveOfThree()).segments[2]!))
    await expect(namesIn(archive)).rejects.toThrow('0003.segment does not follow')
    writeFileSync(segments[2]!, third)
    writeFileSync(segments[2]!.replace('.segment', ' (copy).segment'), third)
    await expect(namesIn(archive)).rejects.toThrow('(copy).segment is no file of this archive')
  })

  it('is refused by its name: a whole copy of which one bit differs', async () => {
    const { archive, copies } = await archiveOfThree()
    const bytes = readFileSync(copies[0]!)
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    writeFileSync(copies[0]!, bytes)
    await expect(namesIn(archive)).rejects.toThrow('snapshot.gz is damaged')
  })
})

/** How often the machine is lost. */
const LOSSES = count({ usual: 2, long: 20 })

describe('a machine that is lost under load', () => {
  it(`loses nothing that was told to be safe, and no more than ten seconds, ${LOSSES} times`, async () => {
    const chance = fakeChance(LOSSES)
    for (let loss = 0; loss < LOSSES; loss++) {
      const folder = mkdtempSync(join(root, 'lost-'))
      const [dataDir, archive] = [join(folder, 'data'), join(folder, 'archive')]
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, '../../../support/shipping-child.ts'), dataDir, archive],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const written = new Map<number, number>()
      let safe = 0
      const until = 300 + Math.floor(chance() * 700)
      for await (const line of createInterface(child.stdout)) {
        const [what, n, at] = line.split(' ')
        if (what === 'written') written.set(Number(n), Number(at))
        else safe = Math.max(safe, Number(n))
        if (what !== 'written' || child.killed || Number(n) < until || Number(n) % 50 !== 0) continue
        if (filesIn(folder, '.snapshot.json').length > 0) {
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          await gone
        }
      }
      const diedAt = Math.max(...written.values())
      rmSync(dataDir, { recursive: true })
      const kept = (await namesIn(archive)).map(name => Number(name.split(' ')[1]))
      const newest = kept.length
      expect(kept.toSorted((a, b) => a - b)).toEqual(Array.from({ length: newest }, (_, n) => n + 1))
      expect(newest).toBeGreaterThanOrEqual(safe)
      const lostSince = newest >= written.size ? diedAt : written.get(newest + 1)!
      console.log(
        `written ${written.size}, safe ${safe}, brought back ${newest}: ${diedAt - lostSince} ms lost`,
      )
      expect(diedAt - lostSince).toBeLessThan(LOSS_WINDOW_MS)
    }
  })
})
