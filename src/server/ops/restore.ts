import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { LACKING_SECRET } from '#server/modules/gifts/cards/secrets.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import { copyReceipts, receiptsFolder } from '#server/modules/payouts/advices/receipt-files.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { aloneInPostgres } from '#server/platform/db/postgres.ts'
import { aloneInSqlite, SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { oneWord, readArguments } from './arguments.ts'
import { checkSqliteFile, receiptsBeside, settle } from './backup.ts'
import { keysHere } from './card-secret.ts'
import { type Command, type Place, Refusal } from './command.ts'
import { headOfDatabase, logAfterBackup } from './ledger-continue.ts'
import { replayBackup } from './postgres-programs.ts'

/** `restore <file>`: replaces the database by a backup, while no site runs. */
export const restore: Command = {
  name: 'restore',
  usage: '<file> [--checkpoint <file>] [--no-later-head] [--new-name]',
  summary: 'puts a backup in the place of the database; stop the site first',
  async run(tools, args) {
    const { words, value, has } = readArguments(args, {
      names: ['checkpoint'],
      flags: ['no-later-head', 'new-name'],
    })
    const file = resolve(oneWord(words, 'the file of one backup'))
    if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`)
    const { place } = tools
    const said = {
      checkpoint: value('checkpoint'),
      noLaterHead: has('no-later-head'),
      newName: has('new-name'),
    }
    // What was published may be known to the database that is about to go alone.
    const isThere = place.databaseUrl !== undefined || existsSync(join(place.dataDir, SQLITE_FILE))
    const known = isThere ? await headOfDatabase(() => openDatabase(place)) : []
    tools.progress('restoring')
    const kept = await (place.databaseUrl === undefined
      ? restoreSqlite(place, file, tools.clock())
      : restorePostgres(place.databaseUrl, file))
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
      const log = await logAfterBackup(there, db, said, known)
      return { log, ...(await examine()) }
    }
    const { log, findings, secret } = await after().finally(() => db.close())
    const lines = [
      `Restored from ${file}.`,
      ...(kept === undefined ? [] : [`What was there before is kept as ${kept}.`]),
      ...(receipts > 0 ? [`${receipts} receipts of organisations are there.`] : []),
      findings.length === 0
        ? 'The ledger is in order. Start the site.'
        : `The ledger has ${findings.length} findings: \`check\` lists them.`,
      ...log.lines,
      ...(secret === 'wrong' ? [WRONG_SECRET] : secret === 'incomplete' ? [LACKING_SECRET] : []),
    ]
    return {
      lines,
      data: { file, kept, findings, secret, receipts, log: log.how },
      ok: log.ok && findings.length === 0 && secret !== 'wrong' && secret !== 'incomplete',
    }
  },
}

/** @returns the path where the earlier database is kept; undefined where there was none */
async function restoreSqlite({ dataDir }: Place, file: string, now: number): Promise<string | undefined> {
  checkSqliteFile(file)
  const path = join(dataDir, SQLITE_FILE)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(path) && !(await aloneInSqlite(dataDir)))
    throw new Refusal('A site (or another program) has the database open. Stop it first.')
  const part = `${path}.restoring`
  await rm(part, { force: true })
  await copyFile(file, part)
  let kept: string | undefined
  if (existsSync(path)) {
    kept = `${path}.before-${now}`
    await rename(path, kept)
  }
  // These files belong to the earlier database. SQLite would write them into the new one.
  for (const rest of ['-wal', '-shm']) await rm(`${path}${rest}`, { force: true })
  await settle(part, path)
  return kept
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

async function restorePostgres(databaseUrl: string, file: string): Promise<undefined> {
  if (!(await aloneInPostgres(databaseUrl)))
    throw new Refusal('A site (or another program) is connected to the database. Stop it first.')
  await replayBackup(databaseUrl, file, CLEAR)
}
