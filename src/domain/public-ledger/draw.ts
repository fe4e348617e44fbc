import { fromHex, joined, type Sha256, toHex } from './bytes.ts'
import { type Chain, isBeaconSignature, isChain, isCount } from './drand.ts'

/**
 * What is announced before unused cards are drawn for, and how such a draw is written down: everything that anyone needs to
 * compute it again (docs/public-ledger.md, product.md#the-draw).
 */

/** The cards that are due, by their blinds, and whom they may go to. */
interface Due {
  /** Organisations by their ids, as they stand on the list. */
  readonly candidates: readonly string[]
  /** Of each card the blind that its line will have, sorted. */
  readonly blinds: readonly string[]
}

/** Drawn by a value of drand that does not exist yet. */
export interface DrandAnnouncement extends Due {
  readonly by: 'drand'
  readonly chain: Chain
  readonly round: number
}

/**
 * Drawn by a secret of ours together with a signature of somebody else, which nobody can know before: of a witness, over the
 * first head that has this line in it.
 */
export interface WitnessAnnouncement extends Due {
  readonly by: 'witness'
  /** SHA-256 of the secret, hex. */
  readonly commitment: string
  /** The witness, as people write its key: `name+id+key`. */
  readonly witness: string
}

export type Announcement = DrandAnnouncement | WitnessAnnouncement

/** How the organisation of an unused card was found. */
export type Draw =
  /** Its buyer had named it. */
  | { readonly by: 'buyer' }
  /** By the server's chance, which nobody can compute again. */
  | { readonly by: 'chance'; readonly place: number; readonly candidates: readonly string[] }
  | DrandDraw
  | WitnessDraw

interface Announced {
  /** The line of the announcement, from 0. */
  readonly announcement: number
  /** Among its candidates, from 0. */
  readonly place: number
  /** Candidates that had left the list when the card was given, by their places, sorted. */
  readonly gone: readonly number[]
}

export interface DrandDraw extends Announced {
  readonly by: 'drand'
  /** Of the round, hex. */
  readonly signature: string
}

export interface WitnessDraw extends Announced {
  readonly by: 'witness'
  /** Hex. */
  readonly secret: string
  /** The size of the head that the witness signed. */
  readonly size: number
  /** The signature and its time as the witness wrote them, 72 bytes, hex. */
  readonly cosignature: string
}

/** Cards in one announcement: whoever checks its line reads the blinds of all, within 15 kB (decision 109). */
export const MOST_ANNOUNCED = 100

/** Numbers below 2^48: each is one that a program can hold. */
const NUMBER_BYTES = 6
const NUMBERS = 2 ** (8 * NUMBER_BYTES)

/**
 * The place that a seed draws for a card. SHA-256 over the seed and the card's blind is taken for a number; one that would
 * make some places likelier, or that falls on a candidate that has gone, is passed over for the hash of the hash.
 * @param seed the random value
 * @param blind hex
 * @param count of all candidates
 * @param gone their places; fewer than all
 * @throws RangeError where nobody is left
 */
export function drawnPlace(
  sha256: Sha256,
  { seed, blind, count, gone }: { seed: Uint8Array; blind: string; count: number; gone: readonly number[] },
): number {
  if (new Set(gone).size >= count) throw new RangeError('Nobody is left to draw.')
  for (let hash = sha256(joined(seed, fromHex(blind))); ; hash = sha256(hash)) {
    const number = hash.slice(0, NUMBER_BYTES).reduce((sum, byte) => sum * 256 + byte, 0)
    const place = number % count
    if (number < NUMBERS - (NUMBERS % count) && !gone.includes(place)) return place
  }
}

/** The seed of a draw by secret and signature. @param secret hex @param cosignature hex, 72 bytes */
export const witnessSeed = (sha256: Sha256, secret: string, cosignature: string): Uint8Array =>
  sha256(joined(fromHex(secret), fromHex(cosignature)))

/** What is announced for a secret, hex. @param secret hex */
export const commitmentOfSecret = (sha256: Sha256, secret: string): string => toHex(sha256(fromHex(secret)))

/** How an announcement stands in its line. */
export function announcementParts(announcement: Announcement): readonly unknown[] {
  const { candidates, blinds } = announcement
  if (announcement.by === 'witness')
    return ['witness', announcement.commitment, announcement.witness, candidates, blinds]
  const { publicKey, period, genesis, groupHash, beaconId } = announcement.chain
  return ['drand', [publicKey, period, genesis, groupHash, beaconId], announcement.round, candidates, blinds]
}

/** How a draw stands in its line. */
export function drawParts(draw: Draw): readonly unknown[] {
  switch (draw.by) {
    case 'buyer':
      return ['buyer']
    case 'chance':
      return ['chance', draw.place, draw.candidates]
    case 'drand':
      return ['drand', draw.announcement, draw.place, draw.signature, draw.gone]
    case 'witness':
      return ['witness', draw.announcement, draw.place, draw.secret, draw.size, draw.cosignature, draw.gone]
  }
}

/** What such parts say; undefined where they are no announcement. Another spelling is found by writing it again. */
export function readAnnouncement(parts: unknown): Announcement | undefined {
  if (!Array.isArray(parts) || parts.length !== 5) return undefined
  const [by, first, second, candidates, blinds] = parts as unknown[]
  if (!isListOfWords(candidates) || !isSortedBlinds(blinds)) return undefined
  const due = { candidates, blinds }
  if (by === 'witness')
    return isHex(first, 32) && typeof second === 'string' && second !== ''
      ? { by, commitment: first, witness: second, ...due }
      : undefined
  if (by !== 'drand' || !Array.isArray(first) || first.length !== 5) return undefined
  const [publicKey, period, genesis, groupHash, beaconId] = first as unknown[]
  const chain = { publicKey, period, genesis, groupHash, beaconId } as Chain
  const areTexts = [publicKey, groupHash, beaconId].every(each => typeof each === 'string')
  return areTexts && isChain(chain) && isCount(second) ? { by, chain, round: second, ...due } : undefined
}

/** What such parts say; undefined where they are no draw. Another spelling is found by writing it again. */
export function readDraw(parts: unknown): Draw | undefined {
  if (!Array.isArray(parts)) return undefined
  const [by, ...rest] = parts as unknown[]
  if (by === 'buyer') return { by }
  if (by === 'chance') {
    const [place, candidates] = rest
    return isListOfWords(candidates) && isPlace(place) && place < candidates.length
      ? { by, place, candidates }
      : undefined
  }
  const [announcement, place] = rest
  const gone = rest.at(-1)
  if (!isPlace(announcement) || !isPlace(place) || !isSortedPlaces(gone)) return undefined
  const announced = { announcement, place, gone }
  if (by === 'drand') {
    const signature = rest[2]
    return isBeaconSignature(signature) ? { by, signature, ...announced } : undefined
  }
  if (by !== 'witness') return undefined
  const [, , secret, size, cosignature] = rest
  return isHex(secret, 32) && isCount(size) && isHex(cosignature, 72)
    ? { by, secret, size, cosignature, ...announced }
    : undefined
}

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value)

const isSorted = <Item extends string | number>(items: readonly Item[]): boolean =>
  items.every((each, n) => n === 0 || each > items[n - 1]!)

const isListOfWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(each => typeof each === 'string' && each !== '') &&
  new Set(value).size === value.length

const isSortedBlinds = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(each => isHex(each, 20)) &&
  isSorted(value as string[])

const isSortedPlaces = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every(isPlace) && isSorted(value as number[])
