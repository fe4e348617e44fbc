import { readdirSync, readFileSync } from 'node:fs'

/** How a process is doing, by /proc. */
export interface Vitals {
  /** Resident memory, MB of 10⁶ bytes. */
  readonly megabytes: number
  /** Files, sockets and whatever else it holds open. */
  readonly handles: number
}

export const vitalsOf = (pid: number): Vitals => ({
  megabytes: megabytesOf(readFileSync(`/proc/${pid}/status`, 'utf8')),
  handles: readdirSync(`/proc/${pid}/fd`).length,
})

/** The line VmRSS of /proc/PID/status, which counts in 1,024 bytes. */
export const megabytesOf = (status: string): number =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1_024) / 1_000_000

/** By how much the values grow in one unit of `at`: the line that fits them best (least squares). */
export function slope(points: readonly (readonly [at: number, value: number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [middle, level] = [mean(([at]) => at), mean(([, value]) => value)]
  return (
    mean(([at, value]) => (at - middle) * (value - level)) / mean(([at]) => (at - middle) * (at - middle))
  )
}
