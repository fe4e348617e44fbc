import { existsSync, statSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { copyReceipts, receiptsFolder } from '#server/modules/payouts/advices/receipt-files.ts'
import { OPERATOR_TIMEOUTS, openDatabase } from '#server/platform/db/database.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { renameForGood } from '#server/platform/files.ts'
import { LOCAL_DATA, localFolder } from '#server/platform/generated-secrets.ts'
import { givenIn } from '#server/platform/settings.ts'
import { oneWord, readArguments } from './arguments.ts'
import { type Command, type Place, Refusal, type Tools } from './command.ts'
import { catchUpErasures } from './erasures.ts'
import { runPostgresProgram } from './postgres-programs.ts'
import {
  encrypterFor,
  hasCardSecret,
  secretsBeside,
  WITHOUT_CARD_SECRET,
  writeSecrets,
} from './secrets-copy.ts'

/**
 * `backup [file]`: a whole copy of the database while the site runs, of the receipts that organisations attached and, encrypted
 * for the key of BACKUP_RECIPIENT, of the settings and kept secrets (decision 154).
 */
export const backup: Command = {
  name: 'backup',
  usage: '[file]',
  summary: 'writes a whole copy of the database to a file, while the site runs',
  async run(tools, args) {
    const { words } = readArguments(args)
    const { place } = tools
    const isPostgres = place.databaseUrl !== undefined
    const stamp = new Date(tools.clock()).toISOString().replace(/[:.]/g, '-')
    const standard = join(place.dataDir, 'backups', `${stamp}${isPostgres ? '.dump' : '.sqlite'}`)
    const { BACKUP_RECIPIENT: recipient } = givenIn(tools.environment)
    const file = resolve(words.length === 0 ? standard : oneWord(words, 'one file'))
    if (existsSync(file)) throw new Refusal(`${file} is there already. Say another name.`)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await lookAt(place)
    tools.progress('copying')
    const begun = performance.now()
    await writeSettled(file, part => (isPostgres ? dumpPostgres(place, part) : copySqlite(place, part)))
    // After the database: a receipt is there before its row.
    const beside = receiptsBeside(file)
    const receipts = await copyReceipts(receiptsFolder(place.dataDir), beside, tools.clock())
    // Last: where it cannot be written, the copy of the database is there all the same.
    const secrets = recipient && (await copySecrets(tools, recipient, file))
    const isLacking = secrets !== undefined && !hasCardSecret(tools)
    const unwritten = await catchUpErasures(tools)
    const bytes = statSync(file).size
    const seconds = (performance.now() - begun) / 1000
    const lines = [
      `${file}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, checked.`,
      ...(receipts > 0 ? [`${beside}: ${receipts} receipts of organisations. Keep them beside it.`] : []),
      ...(secrets === undefined
        ? [
            `Not in it: the settings, and ${localFolder(place.dataDir)} (${LOCAL_DATA}).`,
            'Keep a copy of both in another safe place, or set BACKUP_RECIPIENT: without the secret no link that was given works.',
          ]
        : [
            `${secrets}: the settings, and ${localFolder(place.dataDir)} where it is there. Only the key of BACKUP_RECIPIENT opens it.`,
          ]),
      ...(isLacking ? [WITHOUT_CARD_SECRET] : []),
      // It goes with the backups, and says whom a restore has to forget again.
      ...unwritten,
    ]
    return { lines, data: { file, bytes, seconds, receipts, secrets }, ok: !isLacking }
  },
}

/** @returns where the encrypted settings lie */
async function copySecrets(tools: Tools, recipient: string, backup: string): Promise<string> {
  const file = secretsBeside(backup)
  await writeSettled(file, part => writeSecrets(tools, encrypterFor(recipient), part))
  return file
}

/** Writes nothing. @throws OtherDatabase where a sandbox's database lies there, and none was asked for */
async function lookAt(place: Place): Promise<void> {
  if (place.databaseUrl === undefined && !existsSync(join(place.dataDir, SQLITE_FILE))) return
  await (await openDatabase({ ...place, asItIs: true, timeouts: OPERATOR_TIMEOUTS })).close()
}

/** Where the receipts of a backup are: one folder for all backups beside each other, since no receipt ever changes. */
export const receiptsBeside = (file: string): string => join(dirname(file), 'receipts')

/** Copies one consistent state of the data, while the site goes on writing. */
async function copySqlite({ dataDir }: Place, file: string): Promise<void> {
  const path = join(dataDir, SQLITE_FILE)
  if (!existsSync(path)) throw new Refusal(`There is no database in ${dataDir}.`)
  const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    source.prepare('vacuum into ?').run(file)
  } finally {
    source.close()
  }
  checkSqliteFile(file)
}

/** Checks a backup. @throws Refusal when the file is no whole database of this product */
export function checkSqliteFile(file: string): void {
  let answer: unknown
  try {
    const db = new DatabaseSync(file, { readOnly: true })
    try {
      answer = db.prepare('pragma integrity_check').get()?.integrity_check
      db.prepare('select name from schema_steps').all()
    } finally {
      db.close()
    }
  } catch (error) {
    answer = (error as Error).message
  }
  if (answer !== 'ok')
    throw new Refusal(`${file} is not a whole database of this product: ${String(answer)}.`)
}

async function dumpPostgres({ databaseUrl = '' }: Place, file: string): Promise<void> {
  await runPostgresProgram('pg_dump', databaseUrl, ['--format=custom', '--no-owner', `--file=${file}`])
}

/** Lets a file be written beside its final name, which it gets once it is whole; nothing of it is left where that fails. */
async function writeSettled(file: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${file}.part`
  await rm(part, { force: true })
  try {
    await write(part)
    await settle(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Gives a written file its final name. Even after a power cut the name has the whole file or no file. */
export async function settle(part: string, file: string): Promise<void> {
  const handle = await open(part, 'r')
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await renameForGood(part, file)
}
