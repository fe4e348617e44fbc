import { existsSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { counted } from '#domain/text/counted.ts'
import { noteRestoration, RESTORATION_TABLE, restorationNotes } from '#server/modules/gifts/cards/restored.ts'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { LACKING_SECRET } from '#server/modules/gifts/cards/secrets.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import { copyReceipts, receiptsFolder } from '#server/modules/payouts/advices/receipt-files.ts'
import { OtherDatabase, openDatabase } from '#server/platform/db/database.ts'
import { aloneInPostgres } from '#server/platform/db/postgres.ts'
import { refusingOther } from '#server/platform/db/sandbox.ts'
import { aloneInSqlite, SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { rebuild } from '#server/platform/wal-archive/rebuild.ts'
import { DamagedArchive } from '#server/platform/wal-archive/segment.ts'
import { folderStore } from '#server/platform/wal-archive/store.ts'
import { oneWord, readArguments } from './arguments.ts'
import { checkSqliteFile, receiptsBeside, settle } from './backup.ts'
import { keysHere } from './card-secret.ts'
import { type Command, type Place, Refusal } from './command.ts'
import { readErasures } from './erasures.ts'
import { forgetBeforeStart } from './forget-again.ts'
import { headOfDatabase, logAfterBackup } from './ledger-continue.ts'
import { replayBackup } from './postgres-programs.ts'
import { countRevoked, readLists, revokeListed } from './revocations.ts'
import { isSecretsCopy } from './secrets-copy.ts'

/** `restore <file or archive>`: replaces the database by a backup, while no site runs. */
export const restore: Command = {
  name: 'restore',
  usage:
    '<file or folder of the archive> [--at <instant>] [--checkpoint <file>] [--no-later-head] [--new-name]',
  summary: 'puts a backup, or the state of an instant, in the place of the database; stop the site first',
  async run(tools, args) {
    const { words, value, has } = readArguments(args, {
      names: ['checkpoint', 'at'],
      flags: ['no-later-head', 'new-name'],
    })
    const file = resolve(oneWord(words, 'the file of one backup, or the folder of the archive'))
    if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`)
    const { place } = tools
    const source = sourceOf(place, file, value('at'))
    const said = {
      checkpoint: value('checkpoint'),
      noLaterHead: has('no-later-head'),
      newName: has('new-name'),
    }
    // What was published may be known to the database that is about to go alone.
    const isThere = place.databaseUrl !== undefined || existsSync(join(place.dataDir, SQLITE_FILE))
    const known = isThere ? await headOfDatabase(() => openDatabase(place)) : []
    // A list that cannot be read would be found when what it names is back already.
    const besideIt = statSync(file).isDirectory() ? file : dirname(file)
    const listed = await readLists(tools, besideIt)
    const erasures = await readErasures(tools, besideIt)
    tools.progress('restoring')
    const restoredAt = tools.clock()
    const { kept, lines: ofSource } = await (place.databaseUrl === undefined
      ? restoreSqlite(place, source, restoredAt)
      : restorePostgres(place.databaseUrl, file, restoredAt, place.sandbox))
    const receipts = await copyReceipts(receiptsBeside(file), receiptsFolder(place.dataDir), tools.clock())
    tools.progress('checking what was restored')
    const db = await openDatabase(place)
    const there = { ...tools, database: async () => db }
    const examine = async () => {
      const { keys, verdict } = await keysHere(there)
      const { findings } = await examineBooks(db, { keys, now: tools.clock() })
      return { findings, secret: verdict }
    }
    const after = async () => {
      // A second time, for a backup that had no table for it until now.
      await db.transaction(trx => noteRestoration(trx, restoredAt))
      // Before the site starts: meanwhile nobody who was ended since opens anything, and nobody who was forgotten is written to.
      const { keys } = await keysHere(there)
      const revoked = await revokeListed(there, keys, listed)
      const forgotten = await forgetBeforeStart(there, erasures)
      const log = await logAfterBackup(there, db, said, known)
      return { revoked, forgotten, log, ...(await examine()) }
    }
    const { revoked, forgotten, log, findings, secret } = await after().finally(() => db.close())
    const lines = [
      `Restored from ${file}.`,
      ...ofSource,
      ...(kept === undefined ? [] : [`What was there before is kept as ${kept}.`]),
      ...(receipts > 0 ? [`${receipts} receipts of organisations are there.`] : []),
      findings.length === 0
        ? `The ledger is in order.${forgotten.isDone ? ' Start the site.' : ''}`
        : `The ledger has ${findings.length} findings: \`check\` lists them.`,
      ...(revoked.done.length > 0 ? [`Revoked again: ${countRevoked(revoked.done)}.`] : []),
      ...revoked.unwritten,
      ...forgotten.lines,
      ...log.lines,
      'What came after the backup is looked for once the site runs. Until then, and until `ops reconcile --done`, no card of before can be used.',
      ...(secret === 'wrong' ? [WRONG_SECRET] : secret === 'incomplete' ? [LACKING_SECRET] : []),
    ]
    return {
      lines,
      data: { file, kept, findings, secret, receipts, log: log.how },
      ok:
        log.ok && forgotten.isDone && findings.length === 0 && secret !== 'wrong' && secret !== 'incomplete',
    }
  },
}

/** A backup's file, or an archive and the instant that is gone back to, epoch ms UTC; the newest when missing. */
type Source = { readonly file: string } | { readonly archive: string; readonly at: number | undefined }

function sourceOf({ databaseUrl }: Place, path: string, at: string | undefined): Source {
  if (isSecretsCopy(path))
    throw new Refusal(
      `${path} has the settings, and no database: \`age -d -i <key> <file> | tar xz\` opens it. Say the backup beside it.`,
    )
  const isFolder = statSync(path).isDirectory()
  if (!isFolder && at !== undefined)
    throw new Refusal(
      'A backup is of one instant, which its name says: --at goes with the folder of an archive.',
    )
  if (!isFolder) return { file: path }
  if (databaseUrl !== undefined)
    throw new Refusal('An archive of the embedded database cannot be put into PostgreSQL, which has its own.')
  return { archive: path, at: at === undefined ? undefined : instantIn(at) }
}

/** @throws Refusal for what is no instant with its zone: an hour more or less would be another state */
function instantIn(text: string): number {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]{5,12}(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new Refusal(`--at ${text} is no instant: write 2026-11-25T20:15:00Z.`)
  return at
}

interface Replaced {
  /** The path where the earlier database is kept; undefined where there was none. */
  readonly kept: string | undefined
  readonly lines: readonly string[]
}

async function restoreSqlite({ dataDir, sandbox }: Place, source: Source, now: number): Promise<Replaced> {
  const path = join(dataDir, SQLITE_FILE)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(path) && !(await aloneInSqlite(dataDir)))
    throw new Refusal('A site (or another program) has the database open. Stop it first.')
  const part = `${path}.restoring`
  await rm(part, { force: true })
  const lines = 'archive' in source ? await rebuildFrom(source, part) : await copyOf(source.file, part)
  await refuseOtherFile(part, sandbox)
  noteInFile(part, now)
  let kept: string | undefined
  if (existsSync(path)) {
    kept = `${path}.before-${now}`
    // A second name, not another one: a site that starts where there is no database makes an empty one.
    await link(path, kept)
  }
  // These files belong to the earlier database. SQLite would write them into the new one.
  for (const rest of ['-wal', '-shm']) await rm(`${path}${rest}`, { force: true })
  await settle(part, path)
  return { kept, lines }
}

/** Notes in the copy of a backup that it was brought back. @param at epoch ms UTC */
function noteInFile(file: string, at: number): void {
  const db = new DatabaseSync(file)
  try {
    const table = db.prepare('select 1 from sqlite_master where name = ?').get(RESTORATION_TABLE)
    if (table !== undefined) db.exec(`begin; ${restorationNotes(at).join(';')}; commit`)
  } finally {
    db.close()
  }
}

/** @throws OtherDatabase where a sandbox's backup was to go among what has worth, or the other way round */
async function refuseOtherFile(file: string, sandbox = false): Promise<void> {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const table = db.prepare(`select 1 from sqlite_master where name = 'sandbox'`).get()
    const isOne = table !== undefined && db.prepare('select 1 from sandbox').get() !== undefined
    if (isOne !== sandbox) throw new OtherDatabase(sandbox)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    db.close()
  }
}

/** @throws Refusal where the file is no whole backup */
async function copyOf(backup: string, file: string): Promise<readonly string[]> {
  checkSqliteFile(backup)
  await copyFile(backup, file)
  return []
}

/** @throws Refusal where a part of the archive is damaged, missing or there twice */
async function rebuildFrom(
  { archive, at }: { readonly archive: string; readonly at: number | undefined },
  file: string,
): Promise<readonly string[]> {
  try {
    const { generation, until, segments, without } = await rebuild(folderStore(archive), { at, file })
    checkSqliteFile(file)
    return [
      `It is the state of ${new Date(until).toISOString()}: generation ${generation}, ${counted(segments, 'segment')} after a whole copy.`,
      ...without.map(
        each =>
          `Generation ${each} has no whole copy: the machine was lost before one was made. It was left out.`,
      ),
    ]
  } catch (error) {
    await rm(file, { force: true })
    if (error instanceof DamagedArchive) throw new Refusal(`${error.message} Nothing was changed.`)
    throw error
  }
}

/**
 * Drops everything before the backup is replayed. Otherwise tables of a later version would keep the tables that they
 * refer to from being dropped. Only the site uses this database, so all but the parts of extensions may go.
 */
const CLEAR = `do $$
declare statement text;
begin
  for statement in
    select 'drop table if exists ' || oid::regclass || ' cascade' from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and oid not in (select objid from pg_depend where deptype = 'e')
    union all
    select 'drop function ' || oid::regprocedure from pg_proc
      where pronamespace = 'public'::regnamespace
        and oid not in (select objid from pg_depend where deptype = 'e')
  loop execute statement; end loop;
end $$;`

async function restorePostgres(
  databaseUrl: string,
  file: string,
  now: number,
  sandbox = false,
): Promise<Replaced> {
  if (!(await aloneInPostgres(databaseUrl)))
    throw new Refusal('A site (or another program) is connected to the database. Stop it first.')
  const last = `${refusingOther(sandbox)}
    do $$ begin if to_regclass('public.${RESTORATION_TABLE}') is not null then
    set local search_path = public; ${restorationNotes(now).join(';')}; end if; end $$;`
  await replayBackup(databaseUrl, file, { first: CLEAR, last })
  return { kept: undefined, lines: [] }
}
