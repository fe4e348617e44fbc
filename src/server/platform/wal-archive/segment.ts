import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import type { Frames, Position } from './wal.ts'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** What a segment says of itself: the first line of its file, JSON. */
export interface SegmentHeader {
  readonly format: 1
  /** The generation's ordinal, and the segment's number in it, from 1. */
  readonly generation: number
  readonly number: number
  /** All that it holds was written by then, epoch ms UTC. */
  readonly at: number
  readonly pageSize: number
  readonly pages: number
  readonly from: Position
  readonly to: Position
  /** The digest of the segment before it, or of the generation's beginning: what is missing between two is seen. */
  readonly previous: string
}

export interface Segment {
  readonly header: SegmentHeader
  readonly frames: Buffer
  /** Of the whole file, hex. */
  readonly digest: string
}

/** A part of an archive is not what was put there. The message names it. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

const DIGEST_BYTES = 32
/** The SHA-256 of some bytes. */
export const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** Hands on what it gets; `digest` is the SHA-256 of all of it, hex, once it has ended. */
export function createDigesting(): { readonly through: Transform; readonly digest: () => string } {
  const hash = createHash('sha256')
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { through, digest: () => hash.digest('hex') }
}

type Place = Pick<SegmentHeader, 'generation' | 'number' | 'at' | 'previous'>

/** A segment as a file: its header in a line, the frames compressed, a digest of both. */
export async function encodeSegment(place: Place, frames: Frames): Promise<Buffer> {
  const { bytes, pageSize, pages, from, to } = frames
  const header: SegmentHeader = { format: 1, ...place, pageSize, pages, from, to }
  const body = await zip(bytes, { level: constants.Z_BEST_SPEED })
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body])
  return Buffer.concat([all, sha256(all)])
}

/** Reads a segment's file. @param name as the operator finds it @throws DamagedArchive when a single bit differs */
export async function decodeSegment(name: string, file: Buffer): Promise<Segment> {
  const all = file.subarray(0, -DIGEST_BYTES)
  const kept = file.subarray(-DIGEST_BYTES)
  const digest = sha256(all)
  if (file.length <= DIGEST_BYTES || !digest.equals(kept))
    throw new DamagedArchive(`${name} is damaged: it is not what was written.`)
  const end = all.indexOf('\n')
  const header = JSON.parse(all.subarray(0, end).toString()) as SegmentHeader
  return { header, frames: await unzip(all.subarray(end + 1)), digest: digest.toString('hex') }
}

/** The digest of a segment's file, hex. */
export const digestIn = (file: Buffer): string => file.subarray(-DIGEST_BYTES).toString('hex')
