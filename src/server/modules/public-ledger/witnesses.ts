import { bytesOf } from '#domain/public-ledger/bytes.ts'
import { readNote } from '#domain/public-ledger/note.ts'
import { consistencyRanges, createFrontier } from '#domain/public-ledger/tree.ts'
import {
  type Cosignature,
  cosignaturesIn,
  readWitnessAnswer,
  readWitnessSize,
  type Witness,
  witnessRequest,
} from '#domain/public-ledger/witness.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import { type Head, hashesFrom, lastHead } from './heads.ts'
import { sha256 } from './sha256.ts'
import { verifySignature } from './signer.ts'

/** A witness's answer. */
export interface WitnessAnswer {
  readonly status: number
  readonly body: string
}

/** Sends a request to a witness. @throws where no answer comes in time */
export type AskWitness = (url: string, body: string) => Promise<WitnessAnswer>

export interface WitnessTools {
  readonly db: Database
  readonly clock: Clock
  readonly witnesses: readonly Witness[]
  readonly ask: AskWitness
  /** Called between pages of long work. */
  readonly goOn: () => Promise<void>
}

/** What came of asking a witness. */
export interface Witnessed {
  /** Its name. */
  readonly witness: string
  readonly outcome:
    | 'signed'
    /** It had signed the newest head before. */
    | 'known'
    /** No answer, or one that is no signature. */
    | 'silent'
    /** It has seen another log under this name, or a longer one. */
    | 'differs'
  /** Of the last two: in a few words. */
  readonly why?: string
  /** Of `silent`: since when there is a head that it has not signed, epoch ms UTC. */
  readonly since?: number
}

const TIMEOUT_MS = 10_000
/** Many times what the lines of a witness take. */
const LONGEST_ANSWER = 64 * 1024
/** A witness's clock may go before ours by so much. */
const CLOCK_SKEW_S = 15 * 60

/** Asks over the network. A redirect is no answer: it would lead to somebody else. */
export const askWitness: AskWitness = async (url, body) => {
  const answer = await fetch(url, {
    method: 'POST',
    body: bytesOf(body) as Uint8Array<ArrayBuffer>,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    length += part.length
    if (length > LONGEST_ANSWER) throw new Error('the answer is too long')
    parts.push(part)
  }
  return { status: answer.status, body: Buffer.concat(parts).toString('utf8') }
}

/**
 * Asks every witness that has not signed the newest head for its signature, and keeps what fits. Nothing waits for it: a head
 * is published before, and a witness that is away is asked again by the next run.
 */
export async function askWitnesses(tools: WitnessTools): Promise<readonly Witnessed[]> {
  const head = await tools.db.read(lastHead)
  if (head === undefined) return []
  const outcomes: Witnessed[] = []
  for (const witness of tools.witnesses) {
    outcomes.push(await askOne(tools, witness, head))
    await tools.goOn()
  }
  return outcomes
}

async function askOne(tools: WitnessTools, witness: Witness, head: Head): Promise<Witnessed> {
  const { db, clock } = tools
  const { name } = witness.verifier
  const [last, answered] = await db.read(async reader => [
    await lastSigned(reader, witness),
    await sightedAt(reader, sightingOf(witness)),
  ])
  if (last === head.size) return { witness: name, outcome: 'known' }
  // Of a witness that was just set nobody can say that it has been silent.
  if (answered === undefined) await db.transaction(trx => sight(trx, sightingOf(witness), clock()))
  const came = await exchange(tools, witness, head, last)
  if ('failure' in came) {
    const { failure: why, differs } = came
    if (differs) return { witness: name, outcome: 'differs', why }
    const first = await db.read(reader => firstHeadAfter(reader, last))
    const since = Math.max(first?.at ?? head.at, answered ?? clock())
    return { witness: name, outcome: 'silent', why, since }
  }
  const { line, seconds } = came.cosignature
  await db.transaction(async trx => {
    await trx
      .insertInto('ledger_cosignatures')
      .values({ size: head.size, witness: witness.text, seconds, line, at: clock() })
      .onConflict(conflict => conflict.columns(['size', 'witness']).doNothing())
      .execute()
    await sight(trx, sightingOf(witness), clock())
  })
  return { witness: name, outcome: 'signed' }
}

type Came = { readonly cosignature: Cosignature } | { readonly failure: string; readonly differs?: true }

/** One question, and a second one where the witness says that it was asked about another head. */
async function exchange(tools: WitnessTools, witness: Witness, head: Head, last: number): Promise<Came> {
  const url = `${witness.address}/add-checkpoint`
  const asked = async (older: number): Promise<WitnessAnswer | undefined> => {
    const body = witnessRequest(older, await proofFrom(tools, older, head.size), head.note)
    return tools.ask(url, body).catch(() => undefined)
  }
  let answer = await asked(last)
  if (answer?.status === 409) {
    const size = readWitnessSize(answer.body)
    if (size === undefined) return { failure: 'it says of no size what it has signed' }
    if (size > head.size)
      return { failure: `it has signed ${size} lines, of which there are ${head.size} here`, differs: true }
    answer = await asked(size)
  }
  if (answer === undefined) return { failure: 'no answer' }
  if (answer.status === 422)
    return { failure: 'it says that this log is no continuation of the one it knows', differs: true }
  if (answer.status !== 200) return { failure: `it answers ${answer.status}` }
  return cosignatureOf(answer.body, witness, head, tools.clock())
}

async function cosignatureOf(body: string, { verifier }: Witness, head: Head, now: number): Promise<Came> {
  try {
    const { text } = readNote(head.note)
    const signatures = readWitnessAnswer(body)
    const [cosignature] = await cosignaturesIn({ text, signatures }, [verifier], {
      sha256,
      verify: verifySignature,
    })
    if (cosignature === undefined) return { failure: 'its answer has no signature of its key' }
    if (cosignature.seconds > now / 1000 + CLOCK_SKEW_S) return { failure: 'its clock is ahead' }
    return { cosignature }
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

/** What shows that the newest head grew out of an older one, made without holding all hashes at once. */
async function proofFrom(
  { db, goOn }: WitnessTools,
  older: number,
  size: number,
): Promise<readonly Uint8Array[]> {
  const ranges = consistencyRanges(older, size).map(range => ({ ...range, frontier: createFrontier(sha256) }))
  if (ranges.length === 0) return []
  const inOrder = ranges.toSorted((one, other) => one.from - other.from)
  let place = 0
  let current = 0
  await hashesFrom(db, { from: 0, to: size, goOn }, hash => {
    while (inOrder[current] !== undefined && inOrder[current]!.to <= place) current++
    const range = inOrder[current]
    if (range !== undefined && range.from <= place) range.frontier.add(hash)
    place++
  })
  return ranges.map(({ frontier }) => frontier.root())
}

/** When a witness last signed; or when it was first asked. */
const sightingOf = ({ text }: Witness): string => `witness ${text}`

/** The size of the newest head that a witness has signed; 0 without one. */
async function lastSigned(db: Reader, { text }: Witness): Promise<number> {
  const row = await db
    .selectFrom('ledger_cosignatures')
    .select('size')
    .where('witness', '=', text)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.size ?? 0
}

const firstHeadAfter = (db: Reader, size: number): Promise<Pick<Head, 'at'> | undefined> =>
  db
    .selectFrom('ledger_heads')
    .select('at')
    .where('size', '>', size)
    .orderBy('size')
    .limit(1)
    .executeTakeFirst()

/**
 * Witnesses that have signed neither the newest head of before a time nor a later one.
 * @param before epoch ms UTC
 */
export async function witnessesWithout(
  db: Reader,
  witnesses: readonly Witness[],
  before: number,
): Promise<readonly Witness[]> {
  const head = await db
    .selectFrom('ledger_heads')
    .select('size')
    .where('at', '<', before)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (head === undefined) return []
  const without: Witness[] = []
  for (const witness of witnesses) if ((await lastSigned(db, witness)) < head.size) without.push(witness)
  return without
}

/** A witness's signature as it is kept. */
export interface KeptCosignature {
  /** The witness's key as people write it. */
  readonly witness: string
  /** When it signed, by its clock, seconds since 1970 UTC. */
  readonly seconds: number
  /** As it stands under the head, with its line feed. */
  readonly line: string
}

/**
 * The signatures of witnesses under a head, in the order in which they came: the first of them is the same for ever.
 * @param size of the head
 */
export const cosignaturesOf = (db: Reader, size: number): Promise<readonly KeptCosignature[]> =>
  db
    .selectFrom('ledger_cosignatures')
    .select(['witness', 'seconds', 'line'])
    .where('size', '=', size)
    .orderBy('at')
    .orderBy('witness')
    .execute()

/**
 * The first signature of a witness over a head that covers a line, with that head; undefined while there is none. Of heads
 * it is the smallest that a witness has signed.
 * @param seq the line's place, from 0
 * @param witness by its key, where only one counts
 */
export async function firstCosignatureOver(
  db: Reader,
  seq: number,
  witness?: string,
): Promise<(KeptCosignature & { readonly head: Head }) | undefined> {
  const head = await db
    .selectFrom('ledger_heads')
    .selectAll()
    .where('size', '>', seq)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('ledger_cosignatures')
          .select('witness')
          .whereRef('ledger_cosignatures.size', '=', 'ledger_heads.size')
          .$if(witness !== undefined, query => query.where('witness', '=', witness!)),
      ),
    )
    .orderBy('size')
    .limit(1)
    .executeTakeFirst()
  if (head === undefined) return undefined
  const all = await cosignaturesOf(db, head.size)
  const first = all.find(each => witness === undefined || each.witness === witness)
  return first && { ...first, head }
}
