import { existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { dayInUtc } from '#domain/days.ts'
import { HOUR_MS } from '#domain/durations.ts'
import { counted } from '#domain/text/counted.ts'
import { unlistedRevocations } from '#server/modules/desk/revocations.ts'
import { openRestoration } from '#server/modules/gifts/cards/restored.ts'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { cardsOfEarlier, LACKING_SECRET } from '#server/modules/gifts/cards/secrets.ts'
import { listPeople } from '#server/modules/operator/people.ts'
import { isAnyWaiting, lastHead } from '#server/modules/public-ledger/heads.ts'
import { originIn, signerOfHead } from '#server/modules/public-ledger/keys.ts'
import { witnessesWithout } from '#server/modules/public-ledger/witnesses.ts'
import { CLOCKS_APART_MS, clockLead } from '#server/platform/db/database-time.ts'
import { VISITOR_TIMEOUTS } from '#server/platform/db/timeouts.ts'
import { checkVersions } from '#server/platform/db/versions.ts'
import { KEPT_SECRETS, LOCAL_DATA, localFolder } from '#server/platform/generated-secrets.ts'
import { jobRecords } from '#server/platform/job-runner/lease.ts'
import { witnessesIn } from '#server/platform/settings/shapes.ts'
import { generationsIn, headIn } from '#server/platform/wal-archive/layout.ts'
import { folderStore } from '#server/platform/wal-archive/store.ts'
import { secretsHere, verdictHere } from '../card-secret.ts'
import { Refusal } from '../command.ts'
import { unlistedErasures } from '../erasures.ts'
import { keysOfLog, ledgerKeyHere } from '../ledger-keys.ts'
import { countRevoked, listFolders } from '../revocations.ts'
import { encrypterFor, hasCardSecret, secretsBeside, WITHOUT_CARD_SECRET } from '../secrets-copy.ts'
import { bad, type Look, lacking, look, well } from './finding.ts'

/** Examines what is on this machine: the settings file, the data, the secrets and their backups. */

/** Can nobody else on the machine read the file of settings? */
export const settingsFile: Look = async patient => {
  const { file } = patient
  if (file === undefined) return well('there is none: the settings come with the process')
  const mode = statSync(file.path).mode & 0o777
  if ((mode & 0o077) === 0) return well(`${file.path}, for its owner alone`)
  return lacking(patient, `others on this machine may read ${file.path}`, `chmod 600 ${file.path}`)
}

/** Are Node and SQLite recent enough? */
export const versions: Look = async () => {
  checkVersions(process.versions)
  return well(`Node ${process.versions.node}, SQLite ${process.versions.sqlite}`)
}

/** Has the disk of the data room left? */
export const disk: Look = async ({ tools: { place } }) => {
  const { bavail, bsize } = await statfs(place.dataDir)
  const free = (bavail * bsize) / 1e9
  const words = `${free.toFixed(1)} GB free for ${place.dataDir}`
  if (free >= 2) return well(words)
  const remedy = 'make room, or take a larger disk: a full one stops every sale'
  return free < 0.5 ? bad(words, remedy) : look(words, remedy)
}

/** Does the database open? */
export const database: Look = async ({ tools }) => {
  const db = await tools.database()
  const { cards } = await db.read(reader =>
    reader
      .selectFrom('cards')
      .select(eb => eb.fn.countAll<number>().as('cards'))
      .executeTakeFirstOrThrow(),
  )
  return well(`${db.engine}, ${counted(cards, 'card')}, its tables are of this version`)
}

/**
 * Does the database itself end a read that nobody waits for any more? A transaction says so when it begins; a single
 * read would cost three messages instead of one.
 */
export const timeLimit: Look = async ({ tools }) => {
  const limit = await (await tools.database()).statementLimitMs()
  if (limit === undefined) return well('the database is embedded: nobody else waits in it')
  if (limit > 0 && limit <= VISITOR_TIMEOUTS.answerMs)
    return well(`the database ends a single read after ${limit / 1000} s`)
  const words =
    limit === 0
      ? 'the role has no limit for single reads: one that hangs goes on in the database'
      : `the role lets a single read go on for ${Math.round(limit / 1000)} s, visitors wait ${VISITOR_TIMEOUTS.answerMs / 1000} s`
  return look(words, `alter role <its role> set statement_timeout = '9s', for its next connections`)
}

/** Have this machine and the database one time? */
export const clock: Look = async ({ tools }) => {
  const db = await tools.database()
  if (db.engine === 'sqlite') return well('the database is embedded: it has no clock of its own')
  const lead = await clockLead(db, tools.clock, tools.sharedClock)
  const seconds = Math.abs(lead) / 1000
  if (Math.abs(lead) <= CLOCKS_APART_MS)
    return well(`within ${Math.max(1, Math.ceil(seconds))} s of the database's`)
  return bad(
    `${Math.round(seconds)} s ${lead > 0 ? 'ahead of' : 'behind'} the database's`,
    'have both machines take their time from the network: `timedatectl` says whether they do',
  )
}

/** Does the database have the constraints and triggers of this version? */
export const guards: Look = async ({ tools }) => {
  const amiss = await (await tools.database()).guardsAmiss()
  if (amiss.length === 0) return well('every constraint and trigger is as this version makes it')
  const shown = amiss.slice(0, 5).join(', ')
  if (shown.startsWith('not compared'))
    return look(shown, 'let its user create a schema, once, and look again')
  return bad(
    `not as this version makes them: ${shown}`,
    'somebody changed the database by hand: `npm run ops -- check`, then bring a backup back',
  )
}

/** Were the cards made with the secret that is set here? */
export const cardSecret: Look = async ({ tools }) => {
  switch (await verdictHere(tools)) {
    case 'none':
      return look('CARD_KEY_SECRET is not set here, so nobody can compare it', 'run doctor where .env is')
    case 'wrong':
      return bad(WRONG_SECRET, 'set the secret of the cards again, or add it to CARD_KEY_SECRET_EARLIER')
    case 'incomplete':
      return bad(LACKING_SECRET, 'add it to CARD_KEY_SECRET_EARLIER')
    case 'right':
      return well('the cards are made with it')
    case 'unknown':
      return well('nothing is made with it yet')
  }
}

/** Which earlier secrets do cards still need? */
export const earlierSecrets: Look = async ({ tools }) => {
  const earlier = secretsHere(tools)?.earlier ?? []
  if (earlier.length === 0) return well('none is set')
  const db = await tools.database()
  const uses = await cardsOfEarlier(db, earlier)
  const idle = uses.flatMap((cards, n) => ((cards ?? 0) === 0 ? [n + 1] : []))
  const words = uses
    .map((cards, n) =>
      cards === undefined
        ? `no. ${n + 1} made no card here`
        : `no. ${n + 1}: needed by ${counted(cards, 'card')}`,
    )
    .join('; ')
  // The lists of who was forgotten may need one of which a database that was brought back knows nothing.
  if (idle.length === 0 || (await db.read(openRestoration)) !== undefined) return well(words)
  return look(words, `no. ${idle.join(', ')} of CARD_KEY_SECRET_EARLIER is not needed any more: take it out`)
}

/** The newest head may be a day old, and an hour: it is written soon after midnight UTC. */
const OLDEST_HEAD_HOURS = 49

/** Is the public ledger signed and published in time? */
export const publicLedger: Look = async patient => {
  const { tools } = patient
  const secret = ledgerKeyHere(tools)
  if (secret === undefined)
    return lacking(
      patient,
      'LEDGER_KEY is not set, so nothing of the books is published',
      'draw one by lot, `openssl rand -base64 32`, and keep a copy where the backups are not',
    )
  const db = await tools.database()
  const old = dayInUtc(tools.clock() - OLDEST_HEAD_HOURS * HOUR_MS)
  if (await db.read(reader => isAnyWaiting(reader, old)))
    return bad('what is older than two days is not published', '`npm run ops -- jobs` says why')
  const head = await db.read(lastHead)
  if (head === undefined)
    return well('nothing is published yet: a day after the first sale there is a first head')
  const keys = keysOfLog(tools, originIn(head.note))!
  const { verifierText } = keys.signer
  const signedBy = signerOfHead(keys, head.note)?.verifierText
  if (signedBy === undefined)
    return bad(
      'the newest head is not signed with this LEDGER_KEY',
      'set the one before as LEDGER_KEY_EARLIER: it signs for the new one, and nothing is published until then',
    )
  if (signedBy !== verifierText)
    return look(
      `the newest head is signed by an earlier key; the next one names ${verifierText}`,
      'leave LEDGER_KEY_EARLIER until this says so no more',
    )
  return keys.earlier?.length
    ? look(
        `${head.size} lines, signed by ${verifierText}`,
        'LEDGER_KEY_EARLIER is not needed any more: take it out',
      )
    : well(`${head.size} lines, signed by ${verifierText}`)
}

/** Have the witnesses signed what is published? A head of yesterday and before should have been. */
export const witnesses: Look = async ({ tools, given }) => {
  const set = witnessesIn(given.LEDGER_WITNESSES ?? '')
  if (set.length === 0) return well('none is set: nobody else signs the heads of the public ledger')
  const db = await tools.database()
  const unsigned = await db.read(reader =>
    witnessesWithout(reader, set, tools.clock() - OLDEST_HEAD_HOURS * HOUR_MS),
  )
  const names = unsigned.map(({ verifier }) => verifier.name).join(', ')
  return unsigned.length === 0
    ? well(`${set.length} sign the heads of the public ledger`)
    : look(
        `not signed for two days: ${names}`,
        'it is asked every ten minutes; `npm run ops -- jobs` and the log say what it answers',
      )
}

/** Are files left that only a site without accounts uses? */
export const localData: Look = async ({ tools: { place }, given, isPublic }) => {
  const folder = localFolder(place.dataDir)
  if (!existsSync(folder)) return well(`none: nothing is kept in ${folder}`)
  const isCopied = given.BACKUP_RECIPIENT !== undefined
  const words = `${folder} (${LOCAL_DATA}) is ${isCopied ? 'encrypted beside each backup' : 'in no backup'}`
  const secrets = readdirSync(folder).filter(name => KEPT_SECRETS.includes(name))
  if (isPublic && secrets.length > 0 && given.CARD_KEY_SECRET !== undefined)
    return look(
      `${words}; ${secrets.join(' and ')} in it are not used, since the settings have their own`,
      'take them out of DATA_DIR once the site has started with the settings',
    )
  if (isPublic) return look(words, 'from a rehearsal: move it away when nothing of it is wanted')
  return isCopied ? well(words) : look(words, 'keep a copy of it apart, or set BACKUP_RECIPIENT')
}

/** Do the periodic jobs run? */
export const jobs: Look = async ({ tools }) => {
  const records = await (await tools.database()).read(jobRecords)
  if (records.length === 0) return look('no site has run with this database yet', 'start the site')
  const wrong = records.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused')
  if (wrong.length > 0)
    return bad(
      `not done: ${wrong.map(({ name }) => name).join(', ')}`,
      '`npm run ops -- jobs` says when; `journalctl -u gifts` says why',
    )
  const late = records.filter(({ nextRunAt }) => nextRunAt < tools.clock() - 10 * 60_000)
  return late.length > 0
    ? look(
        `late: ${late.map(({ name }) => name).join(', ')}`,
        'start the site, or its workers where WORKERS=apart (`npm run worker`), or see `systemctl status gifts`',
      )
    : well(`${records.length} jobs, all in time`)
}

/** One nightly backup may be missed, but not two. */
const OLDEST_BACKUP_HOURS = 50

/** Can somebody move money at the desk, also when a device is lost? */
export const people: Look = async ({ tools, given }) => {
  if (!given.OPERATOR_TOKEN) return well('nobody signs in: there is no OPERATOR_TOKEN')
  const all = await (await tools.database()).read(listPeople)
  const treasurers = all.filter(({ role, passkeys }) => role === 'treasurer' && passkeys > 0)
  const passkeys = treasurers.reduce((sum, each) => sum + each.passkeys, 0)
  const words = `${counted(treasurers.length, 'treasurer')} with ${counted(passkeys, 'passkey')}`
  if (passkeys > 1) return well(words)
  if (passkeys === 1) return look(words, 'invite a second one, or a second device: Operations → People')
  return look(
    'nobody has a passkey, so that the Studio gives no money back and pays nobody',
    'make the first one at /studio-login with the token',
  )
}

/** The backups in DATA_DIR/backups, the newest first. */
function backupsIn(dataDir: string): readonly { readonly path: string; readonly at: number }[] {
  const folder = join(dataDir, 'backups')
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder).filter(name => /\.(sqlite|dump)$/.test(name))
  return paths
    .map(name => join(folder, name))
    .map(path => ({ path, at: statSync(path).mtimeMs }))
    .sort((one, other) => other.at - one.at)
}

/** Is there a backup of late? */
export const backups: Look = async patient => {
  const { tools } = patient
  const files = backupsIn(tools.place.dataDir).map(({ at }) => at)
  // The audit log knows of backups that were written to another folder.
  const noted = await (await tools.database()).read(reader =>
    reader
      .selectFrom('audit_log')
      .select(eb => eb.fn.max('created_at').as('at'))
      .where('action', '=', 'backup')
      .where('outcome', '=', 'done')
      .executeTakeFirst(),
  )
  const newest = Math.max(0, Number(noted?.at ?? 0), ...files)
  const remedy = '`npm run ops -- backup`, every night by the timer or cron line that go-live writes'
  if (newest === 0) return lacking(patient, 'none was ever made', remedy)
  const hours = Math.floor((tools.clock() - newest) / HOUR_MS)
  const words = `the newest is ${hours < 48 ? `${Math.max(0, hours)} hours` : `${Math.floor(hours / 24)} days`} old`
  return hours > OLDEST_BACKUP_HOURS ? lacking(patient, words, remedy) : well(words)
}

/** Are the settings, without which no link opens, in the backups too, for nobody but whoever has the key? */
export const secretsCopy: Look = async patient => {
  const { tools, given, isPublic } = patient
  const { BACKUP_RECIPIENT: recipient } = given
  if (recipient === undefined)
    return isPublic
      ? look(
          'the settings are in no backup, and nobody can see from here whether you keep a copy',
          'set BACKUP_RECIPIENT to the public key of `age-keygen` on another machine (docs/guides/backups.md)',
        )
      : well('none is asked for: this is no site for the public')
  try {
    encrypterFor(recipient)
  } catch (error) {
    return bad((error as Error).message, 'set it anew: backups are made, without the settings')
  }
  if (!hasCardSecret(tools)) return bad('the copy would have no CARD_KEY_SECRET', WITHOUT_CARD_SECRET)
  const [newest] = backupsIn(tools.place.dataDir)
  return newest === undefined || existsSync(secretsBeside(newest.path))
    ? well('the settings are encrypted beside each backup')
    : lacking(patient, `none lies beside ${newest.path}`, '`npm run ops -- backup` says why')
}

/** Does all that was revoked stand on the lists by which a restore revokes it again? */
export const revocations: Look = async ({ tools }) => {
  const remedy =
    'see who owns the files `revocations` beside the backups and in the archive, and whether the disk is full'
  const missing = await unlistedRevocations(await tools.database(), listFolders(tools), tools.clock()).catch(
    (error: Error) => error,
  )
  if (missing instanceof Error) return bad(`a list cannot be read: ${missing.message}`, remedy)
  return missing.length > 0
    ? bad(`a restore would bring back: ${countRevoked(missing)}`, remedy)
    : well('all of it stands on the lists')
}

/** Does every list say who was forgotten, by which a restore forgets them again? */
export const erasures: Look = async ({ tools }) => {
  const missing = await unlistedErasures(tools).catch((error: Error) => error)
  if (missing instanceof Error)
    return bad(
      'a list cannot be read',
      missing instanceof Refusal ? missing.message : `see to it: ${missing.message}`,
    )
  return missing > 0
    ? bad(
        `${counted(missing, 'line')} of who was forgotten ${missing === 1 ? 'stands' : 'stand'} not on every list`,
        'see who owns the files `erasures` beside the backups and in the archive, then `ops backup`, which writes both',
      )
    : well('every list says the same')
}

/** Is the embedded database's log shipped, and how far? */
export const archive: Look = async patient => {
  const { tools, given } = patient
  if (tools.place.databaseUrl !== undefined)
    return well('the database is PostgreSQL, whose own log is archived by its own means, if at all')
  const { WAL_ARCHIVE: folder } = given
  if (folder === undefined)
    return look(
      'what came after the last backup is lost with the disk',
      'set WAL_ARCHIVE to a folder on another disk',
    )
  const store = folderStore(folder)
  const generation = (await generationsIn(store)).at(-1)
  const head = generation === undefined ? undefined : await headIn(store, generation)
  const remedy = 'start the site, and see what `journalctl -u gifts | grep archive` says'
  if (head === undefined) return lacking(patient, `nothing was shipped to ${folder} yet`, remedy)
  const minutes = Math.floor((tools.clock() - head.seenAt) / 60_000)
  const words = `${counted(head.number, 'segment')}, the last look ${counted(Math.max(0, minutes), 'minute')} ago`
  return minutes > LONGEST_SILENCE_MINUTES ? lacking(patient, words, remedy) : well(words)
}

/** Where nothing is written, the shipping notes once a minute that it looked. */
const LONGEST_SILENCE_MINUTES = 5
