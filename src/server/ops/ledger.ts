import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toBase64 } from '#domain/public-ledger/bytes.ts'
import { type KeptHead, readKeptHead } from '#domain/public-ledger/line.ts'
import { readVerifier, type Verifier, verifierText } from '#domain/public-ledger/note.ts'
import type { DrawFault } from '#domain/public-ledger/recompute.ts'
import type { RecomputedLine, RecomputedLog } from '#domain/public-ledger/recompute-log.ts'
import { LedgerFault } from '#domain/public-ledger/verify.ts'
import { readWitness } from '#domain/public-ledger/witness.ts'
import { folderAfter, ledgerFolder, writeFiles } from '#server/modules/public-ledger/files.ts'
import { lastHead } from '#server/modules/public-ledger/heads.ts'
import { forksIn, originIn, signerOfHead } from '#server/modules/public-ledger/keys.ts'
import { LedgerAltered } from '#server/modules/public-ledger/sequence.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import { verifyFolder } from '#server/modules/public-ledger/verify-folder.ts'
import { witnessesIn } from '#server/platform/settings/shapes.ts'
import { type Actions, commandOf } from './actions.ts'
import { noWords, oneWord, readArguments } from './arguments.ts'
import { Refusal, type Report, type Tools } from './command.ts'
import { logAfterBackup } from './ledger-continue.ts'
import { keysOfLog } from './ledger-keys.ts'
import { amount, table } from './table.ts'

const ACTIONS: Actions = {
  async verify(tools, args) {
    const { words, value } = readArguments(args, { names: ['key', 'witness', 'seen'] })
    const [folder, ...more] = words
    if (more.length > 0) throw new Refusal('Say one folder, or none.')
    return verify(tools, folder, {
      key: value('key'),
      witness: value('witness'),
      seen: value('seen'),
    })
  },

  async continue(tools, args) {
    const { words, value, has } = readArguments(args, {
      names: ['checkpoint'],
      flags: ['no-later-head', 'new-name'],
    })
    noWords(words)
    const { lines, how, ok } = await logAfterBackup(tools, await tools.database(), {
      checkpoint: value('checkpoint'),
      noLaterHead: has('no-later-head'),
      newName: has('new-name'),
    })
    return { lines: lines.length > 0 ? lines : ['Nothing was published yet.'], data: { how }, ok }
  },

  async export(tools, args) {
    return exportTo(tools, resolve(oneWord(readArguments(args).words, 'the folder')))
  },
}

/**
 * `ledger verify`: verifies the public ledger in the database and the files that are served, and computes the draws of unused
 * cards again; `ledger verify <folder>` files alone, with the key that is said. It names the witnesses that have signed, of those
 * that are set or said. `ledger export <folder>`: writes all files, for whoever wants to keep them.
 * `ledger continue`: after an older backup was brought back, by whatever way.
 */
export const ledger = commandOf({
  name: 'ledger',
  usage:
    'verify [<folder>] [--key <key>] [--witness <key>] [--seen <lines>:<letters>] | export <folder> | continue [--checkpoint <file>] [--new-name]',
  summary:
    'verifies the public ledger, writes its files to a folder, or goes on with it after an older backup',
  actions: ACTIONS,
})

async function verify(
  tools: Tools,
  folder: string | undefined,
  { key, witness, seen }: Readonly<Record<'key' | 'witness' | 'seen', string | undefined>>,
): Promise<Report> {
  const kept = seen === undefined ? undefined : keptHeadOf(seen)
  const witnesses = witness === undefined ? witnessesHere(tools) : witnessesOf(witness)
  if (folder !== undefined) {
    const verifier = key === undefined ? await verifierHere(tools) : verifierOf(key)
    return reported(() => verifyFolder(resolve(folder), verifier, witnesses), verifier, kept)
  }
  const verifier = key === undefined ? await verifierHere(tools) : verifierOf(key)
  return reported(
    async () => {
      // Made anew out of the database: what is served may be of yesterday, or of another machine.
      const made = await mkdtemp(join(tmpdir(), 'ledger-'))
      try {
        const db = await tools.database()
        await writeFiles({
          db,
          folder: made,
          goOn: async () => void (await nextTurn()),
        })
        const verified = await verifyFolder(made, verifier, witnesses)
        const head = await db.read(lastHead)
        const forks = head === undefined ? 0 : forksIn(originIn(head.note))
        const served = folderAfter(ledgerFolder(tools.place.dataDir), forks)
        if (existsSync(served)) await verifyFolder(served, verifier, witnesses)
        return verified
      } finally {
        await rm(made, { recursive: true, force: true })
      }
    },
    verifier,
    kept,
  )
}

async function exportTo(tools: Tools, folder: string): Promise<Report> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refusal(`${folder} is not empty. Say another folder.`)
  const verifier = await verifierHere(tools)
  await mkdir(folder, { recursive: true })
  const size = await writeFiles({
    db: await tools.database(),
    folder,
    goOn: async () => void (await nextTurn()),
  })
  const text = verifierText(sha256, verifier)
  const lines = [
    `${size} lines of the public ledger are in ${folder}.`,
    'Whoever has them verifies them with `npm run ops -- ledger verify <folder> --key`, and this key:',
    text,
  ]
  return { lines, data: { folder, size, key: text }, ok: true }
}

async function verifierHere(tools: Tools): Promise<Verifier> {
  const head = await (await tools.database()).read(lastHead)
  if (head === undefined)
    throw new Refusal('Nothing is published yet: a day after the first sale there is a first head.')
  const keys = keysOfLog(tools, originIn(head.note))
  if (keys === undefined)
    throw new Refusal(
      'LEDGER_KEY is not set here. Say the key that the head is to be signed by: --key name+id+key',
    )
  // A new key signs from the next head on.
  return (signerOfHead(keys, head.note) ?? keys.signer).verifier
}

function verifierOf(key: string): Verifier {
  try {
    return readVerifier(sha256, key)
  } catch {
    throw new Refusal('--key name+id+key, as the page of the public ledger shows it.')
  }
}

/** The witnesses that are set here. */
const witnessesHere = ({ environment }: Tools): readonly Verifier[] =>
  witnessesIn(environment.LEDGER_WITNESSES?.trim() ?? '').map(({ verifier }) => verifier)

function witnessesOf(keys: string): readonly Verifier[] {
  try {
    return keys.split(',').map(key => readWitness(sha256, key.trim()))
  } catch {
    throw new Refusal('--witness name+id+key, several separated by commas.')
  }
}

function keptHeadOf(text: string): KeptHead {
  try {
    return readKeptHead(text)
  } catch {
    throw new Refusal('--seen 24:AbCdEfGh, lines and letters as a mail has them.')
  }
}

/** Does the log begin as a mail told? */
function compareKept(
  rootAt: RecomputedLog['rootAt'],
  { size, letters }: KeptHead,
): { readonly line: string; readonly ok: boolean } {
  const root = rootAt(size)
  if (root === undefined) return { line: `There are fewer lines than the ${size} that you saw.`, ok: false }
  const begins = toBase64(root).slice(0, letters.length)
  return begins === letters
    ? { line: `Its first ${size} lines are those that you saw: their root begins with ${begins}.`, ok: true }
    : {
        line: `Its first ${size} lines are others than you saw: their root begins with ${begins}.`,
        ok: false,
      }
}

/** By a witness's clock, in UTC. */
const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '')

async function reported(
  work: () => Promise<RecomputedLog>,
  verifier: Verifier,
  kept: KeptHead | undefined,
): Promise<Report> {
  try {
    const { checkpoint, key: signed, stated, sums, draws, rootAt } = await work()
    const compared = kept && compareKept(rootAt, kept)
    const drawn = tellDraws(draws)
    const rows = [...sums].flatMap(([currency, balances]) =>
      [...balances]
        .filter(([, balance]) => balance !== 0)
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([account, balance]) => [currency, account, amount(balance)]),
    )
    const root = toBase64(checkpoint.root)
    const key = verifierText(sha256, signed)
    return {
      lines: [
        `${checkpoint.size} lines, each as it was signed. Root ${root}, key:`,
        key,
        ...(verifierText(sha256, verifier) === key ? [] : ['The key that you know has named it, in a line.']),
        ...stated.flatMap(({ index, statement: [, , , , ...[size]] }) =>
          size === undefined
            ? []
            : [
                `From line ${index + 1} on it is another log: a backup was brought back, and ${size} lines were published before.`,
              ],
        ),
        ...checkpoint.cosignatures.map(
          ({ witness, seconds }) => `Signed by the witness ${witness} at ${timeOf(seconds)}.`,
        ),
        ...(compared ? [compared.line] : []),
        ...table([{ title: 'currency' }, { title: 'account' }, { title: 'balance', right: true }], rows),
        ...drawn.lines,
      ],
      data: {
        size: checkpoint.size,
        root,
        key,
        witnesses: checkpoint.cosignatures.map(({ witness, seconds }) => ({
          witness,
          at: timeOf(seconds),
        })),
        sums: Object.fromEntries([...sums].map(([currency, each]) => [currency, Object.fromEntries(each)])),
        draws: drawn.counts,
        ...(compared && { seen: compared.ok }),
      },
      ok: drawn.wrong === 0 && compared?.ok !== false,
    }
  } catch (error) {
    if (!(error instanceof LedgerFault || error instanceof LedgerAltered)) throw error
    return {
      lines: [`The public ledger is not in order: ${error.message}`],
      data: { fault: error.message },
      ok: false,
    }
  }
}

/** What each fault of a draw means. */
const DRAW_FAULT_WORDS: Readonly<Record<DrawFault, string>> = {
  announcement: 'it names no announcement',
  card: 'the card was not announced there',
  twice: 'the card had been announced before',
  time: 'its value could have been known too early, or did not exist yet',
  signature: 'its value is not signed by whom the announcement names',
  place: 'another organisation was drawn',
  organisation: 'the money went to another organisation than the one drawn',
}

function tellDraws(draws: readonly RecomputedLine[]): {
  readonly lines: readonly string[]
  readonly counts: Readonly<Record<'same' | 'buyer' | 'chance', number>>
  readonly wrong: number
} {
  const count = (outcome: string) => draws.filter(({ found }) => found.outcome === outcome).length
  const counts = { same: count('same'), buyer: count('buyer'), chance: count('chance') }
  const wrong = draws.flatMap(({ index, found }) =>
    found.outcome === 'wrong' ? [`Line ${index + 1}, a draw: ${DRAW_FAULT_WORDS[found.fault]}.`] : [],
  )
  const sum = `Unused cards: ${counts.same} draws computed again with the same result, ${counts.buyer} named by the buyer, ${counts.chance} drawn by the server, which nobody can compute again.`
  return { lines: draws.length === 0 ? [] : [sum, ...wrong], counts, wrong: wrong.length }
}
