import { join } from 'node:path'
import { type Disk, readIfThere, writeWhole } from './disk.ts'

/** What the Studio remembers for a user: layouts, sort orders, recent searches. */
export interface KeyValues {
  get(userId: string, keys: readonly string[]): Promise<(KeyValue | null)[]>
  put(userId: string, pairs: readonly KeyValue[]): Promise<void>
}

export interface KeyValue {
  readonly key: string
  readonly value: unknown
}

type Kept = Record<string, Record<string, unknown>>

/** More than the Studio has ever kept; a guard against filling the disk through here. */
const MOST_BYTES = 1024 * 1024

/** Kept in one small file, replaced whole. What cannot be read begins anew: nothing in it is worth a stop. */
export function createKeyValues(dir: string, disk: Disk): KeyValues {
  const file = join(dir, 'keyvalue.json')
  let queue: Promise<unknown> = Promise.resolve()

  async function read(): Promise<Kept> {
    const bytes = await readIfThere(disk, file)
    try {
      return bytes ? (JSON.parse(bytes.toString('utf8')) as Kept) : {}
    } catch {
      return {}
    }
  }

  async function write(userId: string, pairs: readonly KeyValue[]): Promise<void> {
    const kept = await read()
    const own = { ...kept[userId], ...Object.fromEntries(pairs.map(({ key, value }) => [key, value])) }
    const text = JSON.stringify({ ...kept, [userId]: own })
    if (text.length <= MOST_BYTES) await writeWhole(disk, file, text)
  }

  return {
    async get(userId, keys) {
      await queue
      const own = (await read())[userId] ?? {}
      return keys.map(key => (Object.hasOwn(own, key) ? { key, value: own[key] } : null))
    },
    put(userId, pairs) {
      const turn = queue.then(() => write(userId, pairs))
      queue = turn.catch(() => {})
      return turn
    },
  }
}
