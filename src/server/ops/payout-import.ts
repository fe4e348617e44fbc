import { type FileHandle, open } from 'node:fs/promises'
import { counted } from '#domain/text/counted.ts'
import { readCamt } from '#server/modules/payouts/bank-statement/camt.ts'
import { type BankEntry, StatementRefused } from '#server/modules/payouts/bank-statement/entry.ts'
import { type Amiss, matchStatement, noteStatement } from '#server/modules/payouts/bank-statement/match.ts'
import { looksLikeXml } from '#server/modules/payouts/bank-statement/read.ts'
import { readTable } from '#server/modules/payouts/bank-statement/table.ts'
import { oneWord, readArguments } from './arguments.ts'
import { keysFor } from './card-secret.ts'
import { Refusal, type Report, type Tools } from './command.ts'
import { amount, table } from './table.ts'

/** A year of a busy account has less. */
const MOST_BYTES = 20 * 1024 * 1024

/**
 * `payout import`: notes as paid what stands on the bank's statement. Without `--apply` it says what it would note. What
 * does not fit a payout is named, and nothing of it is noted; the command ends with 1 then.
 */
export async function importStatement(tools: Tools, args: readonly string[]): Promise<Report> {
  const { words, has } = readArguments(args, { flags: ['apply'] })
  const file = oneWord(words, 'the file of the bank')
  const entries = await readStatement(file)
  const keys = await keysFor(tools)
  const db = await tools.database()
  const match = await db.snapshot(reader => matchStatement(reader, keys, entries))
  const isApplied = has('apply')
  const changed = isApplied ? await noteStatement(db, match, tools.clock(), keys) : []
  const amiss = [...match.amiss, ...changed]
  const paid = match.paid.filter(({ payout }) => !changed.some(({ subject }) => subject === payout.id))
  const lines = [
    `${file}: ${counted(paid.length, 'payout')} ${isApplied ? 'noted as paid' : 'to note as paid'}, ${match.noted.length} noted before, ${amiss.length} amiss, ${match.others} other entries.`,
    ...(paid.length > 0
      ? table(
          [
            { title: 'payout' },
            { title: 'organisation' },
            { title: 'amount', right: true },
            { title: '' },
            { title: 'reference' },
          ],
          paid.map(({ payout: { id, ngo_id: ngoId, currency, amount: minor }, reference }) => [
            id,
            ngoId,
            amount(minor),
            currency,
            reference,
          ]),
        )
      : []),
    ...amiss.flatMap(amissLines),
    ...(!isApplied && paid.length > 0 ? ['Nothing is noted yet. The same with --apply notes it.'] : []),
  ]
  const data = {
    applied: isApplied,
    paid: paid.map(({ payout, reference }) => ({ payout: payout.id, reference })),
    noted: match.noted,
    amiss,
    others: match.others,
  }
  return { lines, data, ok: amiss.length === 0 }
}

const amissLines = ({ subject, reference, why }: Amiss): readonly string[] => [
  `Not noted: ${subject} (${reference})`,
  `  ${why}`,
]

/** @throws Refusal where it cannot be read, or is no statement */
async function readStatement(file: string): Promise<readonly BankEntry[]> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${file} could not be read: ${error.code}.`)
  })
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Refusal(`${file} is no file.`)
    if (stat.size > MOST_BYTES)
      throw new Refusal(
        `${file} is larger than ${MOST_BYTES / 1024 / 1024} MB. Ask the bank for a shorter time.`,
      )
    return (await isXml(handle)) ? await readCamt(textOf(handle)) : readTable(await wholeOf(textOf(handle)))
  } catch (error) {
    if (error instanceof StatementRefused) throw new Refusal(error.message)
    throw error
  } finally {
    await handle.close()
  }
}

const FIRST_BYTES = 1_024

async function isXml(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0)
  return looksLikeXml(buffer.toString('utf8', 0, bytesRead))
}

/** @throws StatementRefused where it is not UTF-8, or grows while it is read */
async function* textOf(handle: FileHandle): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new StatementRefused('The file is not in UTF-8. Save it so, or ask the bank for it.')
    }
  }
  let size = 0
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    const bytes = chunk as Uint8Array
    size += bytes.length
    if (size > MOST_BYTES) throw new StatementRefused('The file grows while it is read.')
    yield decode(bytes)
  }
  yield decode()
}

async function wholeOf(chunks: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(chunks)).join('')
}
