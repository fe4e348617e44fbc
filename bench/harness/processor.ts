import { readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICK_US = 10_000

/** What a process has used so far, user and system time of all its threads, in µs. */
export function processorMicroseconds(pid: number): number {
  return microsecondsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

/** Fields 14 and 15 of /proc/PID/stat. The second field may hold spaces and brackets itself. */
export function microsecondsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** The same of its children that have ended: fields 16 and 17. */
function endedChildrensMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * TICK_US
}

/** The processes that a process has started and that still run. */
export const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/**
 * What a PostgreSQL has used so far, µs, but for the one who asks.
 * @param pid of the process that serves whoever asks: the one that it belongs to has all others as children too, those
 *   that have ended as well
 */
export function postgresMicroseconds(pid: number): number {
  const master = parentOf(pid)
  return childrenOf(master)
    .filter(each => each !== pid)
    .reduce((sum, each) => sum + processorMicroseconds(each), endedChildrensMicroseconds(master))
}
