import { dayAfter, dayInUtc } from '../days.ts'
import { DAY_MS } from '../durations.ts'
import { bytesOf, fromHex, type Sha256 } from './bytes.ts'
import { checkpointText } from './checkpoint.ts'
import { chainHash, isBeacon, randomnessOf, timeOfRound, type VerifyBeacon } from './drand.ts'
import {
  type Announcement,
  commitmentOfSecret,
  type DrandAnnouncement,
  type DrandDraw,
  drawnPlace,
  type WitnessAnnouncement,
  type WitnessDraw,
  witnessSeed,
} from './draw.ts'
import { type Leaf, NGO_ACCOUNT } from './leaf.ts'
import type { Verifier, VerifySignature } from './note.ts'
import { cosignedText, readWitness } from './witness.ts'

/** What can be wrong with a draw, in the order in which it is looked for. */
export const DRAW_FAULTS = [
  /** The line that it names announces nothing, or comes after it. */
  'announcement',
  /** The announcement does not have this card. */
  'card',
  /** The card had been announced before: somebody may have waited for another value. */
  'twice',
  /** The value was, or could have been, known when it was announced; or not yet when the card was given. */
  'time',
  /** The value is not signed by whom the announcement names. */
  'signature',
  /** Another organisation was drawn than the line says. */
  'place',
  /** The money went elsewhere. */
  'organisation',
] as const

export type DrawFault = (typeof DRAW_FAULTS)[number]

/** What computing a draw again has shown. */
export type Recomputed =
  | {
      readonly outcome: 'same'
      readonly ngoId: string
      readonly announcement: number
      /** The chain of drand by its hash, hex, and the round; of a witness its key. */
      readonly source: { readonly chain: string; readonly round: number } | { readonly witness: string }
    }
  /** Its buyer had named the organisation. */
  | { readonly outcome: 'buyer' }
  /** By the server's chance: nobody can compute that again. */
  | { readonly outcome: 'chance' }
  | { readonly outcome: 'no-draw' }
  | { readonly outcome: 'wrong'; readonly fault: DrawFault }

interface DrawTools {
  readonly sha256: Sha256
  readonly verifyBeacon: VerifyBeacon
  /** Of a witness. */
  readonly verify: VerifySignature
}

interface DrawLines {
  /** The line of the draw, and its place from 0. */
  readonly leaf: Leaf
  readonly index: number
  /** The line at a place; undefined where there is none. */
  readonly lineAt: (index: number) => Promise<Leaf | undefined>
  /**
   * The heads that the log had, by their size: what a witness has signed. Undefined where that is not known, so that a
   * witness's signature cannot be checked.
   */
  readonly headAt?: (
    size: number,
  ) => Promise<{ readonly origin: string; readonly root: Uint8Array } | undefined>
}

/** Computes a draw again from lines of the public ledger alone. */
export async function recompute(
  tools: DrawTools,
  { leaf, index, lineAt, headAt }: DrawLines,
): Promise<Recomputed> {
  const { draw } = leaf
  if (draw === undefined) return { outcome: 'no-draw' }
  if (draw.by === 'buyer' || draw.by === 'chance') return { outcome: draw.by }
  const wrong = (fault: DrawFault): Recomputed => ({ outcome: 'wrong', fault })
  const line = draw.announcement < index ? await lineAt(draw.announcement) : undefined
  const announcement = line?.announcement
  if (line === undefined || announcement?.by !== draw.by) return wrong('announcement')
  if (typeof leaf.proof !== 'string' || !announcement.blinds.includes(leaf.proof)) return wrong('card')
  const seeded =
    announcement.by === 'drand'
      ? drandSeed(tools, { draw: draw as DrandDraw, announcement, leaf, line })
      : await seedOfWitness(tools, { draw: draw as WitnessDraw, announcement, headAt })
  if (typeof seeded === 'string') return wrong(seeded)
  const { seed, source } = seeded
  const place = placeOf(tools.sha256, seed, leaf.proof, draw.gone, announcement)
  if (place !== draw.place) return wrong('place')
  const ngoId = announcement.candidates[place]!
  const organisations = leaf.amounts.filter(([account]) => account.startsWith(NGO_ACCOUNT))
  const isTheirs = organisations.length === 1 && organisations[0]![0] === NGO_ACCOUNT + ngoId
  if (!isTheirs || organisations[0]![1] < 0) return wrong('organisation')
  return { outcome: 'same', ngoId, announcement: draw.announcement, source }
}

/** The place that was drawn; undefined where those that are said to have gone are none of the candidates, or all. */
function placeOf(
  sha256: Sha256,
  seed: Uint8Array,
  blind: string,
  gone: readonly number[],
  { candidates }: Announcement,
): number | undefined {
  const count = candidates.length
  if (gone.length >= count || gone.some(each => each >= count)) return undefined
  return drawnPlace(sha256, { seed, blind, count, gone })
}

type Seeded =
  | {
      readonly seed: Uint8Array
      readonly source: Extract<Recomputed, { readonly outcome: 'same' }>['source']
    }
  | DrawFault

interface DrandLines {
  readonly draw: DrandDraw
  readonly announcement: DrandAnnouncement
  readonly leaf: Leaf
  readonly line: Leaf
}

/** From when on a value may be used that was announced on a day: a day after the line could first be read, epoch ms UTC. */
export const earliestDraw = (announcedOn: string): number =>
  Date.parse(`${dayAfter(announcedOn)}T00:00:00Z`) + DAY_MS

function drandSeed(tools: DrawTools, { draw, announcement, leaf, line }: DrandLines): Seeded {
  const { chain, round } = announcement
  const comes = timeOfRound(chain, round)
  if (comes < earliestDraw(line.day) || leaf.day < dayInUtc(comes)) return 'time'
  if (!isBeacon(tools, chain, round, draw.signature)) return 'signature'
  const source = { chain: chainHash(tools.sha256, chain), round }
  return { seed: randomnessOf(tools.sha256, draw.signature), source }
}

const TIME_BYTES = 8

interface WitnessLines {
  readonly draw: WitnessDraw
  readonly announcement: WitnessAnnouncement
  readonly headAt: DrawLines['headAt']
}

async function seedOfWitness(
  { sha256, verify }: DrawTools,
  { draw, announcement, headAt }: WitnessLines,
): Promise<Seeded> {
  const { secret, cosignature, size } = draw
  if (commitmentOfSecret(sha256, secret) !== announcement.commitment) return 'signature'
  // The first head that has the announcement in it, or a later one: none before.
  if (size <= draw.announcement) return 'time'
  const head = await headAt?.(size)
  const witness = witnessOf(sha256, announcement.witness)
  if (head === undefined || witness === undefined) return 'signature'
  const bytes = fromHex(cosignature)
  const seconds = bytes.slice(0, TIME_BYTES).reduce((sum, byte) => sum * 256 + byte, 0)
  const text = cosignedText(checkpointText({ ...head, size }), seconds)
  if (!(await verify(witness.publicKey, bytesOf(text), bytes.slice(TIME_BYTES)))) return 'signature'
  return { seed: witnessSeed(sha256, secret, cosignature), source: { witness: announcement.witness } }
}

function witnessOf(sha256: Sha256, text: string): Verifier | undefined {
  try {
    return readWitness(sha256, text)
  } catch {
    return undefined
  }
}
