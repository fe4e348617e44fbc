import { DAY_MS } from '../durations.ts'

/** A whole copy of the database in an archive; what was written after it stands in the segments that follow. */
export interface Snapshot {
  /** Ordinal of its generation: what is written without a gap, since one start of the shipping. */
  readonly generation: number
  /** The segment that it has everything of; 0 before the first. */
  readonly number: number
  /** Epoch ms UTC. */
  readonly at: number
}

/** Each day a whole copy, so that a restore replays a day at most. */
export const SNAPSHOT_EVERY_MS = DAY_MS
/** Any instant of so many days can be gone back to. */
export const ARCHIVE_KEPT_DAYS = 14
/** What is written but not shipped after so long is told of. The product promises that no more than this is lost. */
export const LOSS_WINDOW_MS = 10_000

const isAfter = (one: Snapshot, other: Snapshot): number =>
  one.generation - other.generation || one.number - other.number

/**
 * The copy from which an instant is reached: the newest that was made by then.
 * @param at epoch ms UTC; the newest of all when missing
 */
export function snapshotFor<Kept extends Snapshot>(
  snapshots: readonly Kept[],
  at?: number,
): Kept | undefined {
  return snapshots
    .filter(each => at === undefined || each.at <= at)
    .toSorted(isAfter)
    .at(-1)
}

/** The oldest copy that is still needed: what is older, and the segments up to it, may go. undefined: nothing may. */
export function oldestKept(snapshots: readonly Snapshot[], now: number): Snapshot | undefined {
  return snapshotFor(snapshots, now - ARCHIVE_KEPT_DAYS * DAY_MS)
}
