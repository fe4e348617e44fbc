import { dirname } from 'node:path'
import { type Disk, isMissing, readIfThere, syncFolder, writeWhole } from './disk.ts'

/**
 * A file of JSON lines that only grows: the source of truth. A line counts once it is on disk with its line end;
 * what a crash left of the last one is cut off.
 */
export interface LineLog {
  /** Lines not given before: all at first, then what another process has added since; `fresh` when it begins anew. */
  read(): Promise<{ readonly fresh: boolean; readonly lines: readonly string[] }>
  /** Resolves when the line is on disk. When it rejects, nothing of it stays. */
  append(line: string): Promise<void>
  /** Puts other lines in the place of all. */
  replace(lines: readonly string[]): Promise<void>
  /** Bytes in the file. */
  size(): number
  close(): Promise<void>
}

type Handle = Awaited<ReturnType<Disk['open']>>

export function openLineLog(file: string, disk: Disk): LineLog {
  let handle: Handle | undefined
  let size = 0
  let inode: number | undefined
  /** There may be bytes after `size`: the rest of a line that could not be written. */
  let littered = true

  async function read() {
    const found = await statIfThere(disk, file)
    const fresh = found?.ino !== inode || found === undefined || found.size < size
    if (!fresh && found.size === size) return { fresh, lines: [] }
    if (fresh) size = 0
    inode = found?.ino
    const bytes = ((await readIfThere(disk, file)) ?? Buffer.alloc(0)).subarray(size)
    const whole = bytes.subarray(0, endOfWhole(bytes))
    size += whole.length
    const lines = whole.toString('utf8').split('\n').slice(0, -1)
    return { fresh, lines }
  }

  async function append(line: string): Promise<void> {
    handle ??= await openToAppend()
    if (littered) await handle.truncate(size)
    littered = true
    const bytes = Buffer.from(`${line}\n`)
    try {
      await handle.appendFile(bytes)
      await handle.datasync()
    } catch (error) {
      // Should even this fail, it is tried again before the next line.
      await handle.truncate(size).catch(() => {})
      throw error
    }
    size += bytes.length
    littered = false
  }

  async function openToAppend(): Promise<Handle> {
    const opened = await disk.open(file, 'a')
    inode = (await opened.stat()).ino
    await syncFolder(disk, dirname(file))
    return opened
  }

  async function replace(lines: readonly string[]): Promise<void> {
    const text = lines.map(line => `${line}\n`).join('')
    await writeWhole(disk, file, text)
    await handle?.close()
    handle = undefined
    size = Buffer.byteLength(text)
    inode = (await statIfThere(disk, file))?.ino
    littered = false
  }

  return {
    read,
    append,
    replace,
    size: () => size,
    async close() {
      await handle?.close()
      handle = undefined
    },
  }
}

/**
 * Where the lines that count end: a last one without its line end, or whose bytes never arrived in a power cut,
 * was never acknowledged to anybody.
 */
function endOfWhole(bytes: Buffer): number {
  const end = bytes.lastIndexOf(LINE_END) + 1
  if (end === 0) return 0
  const start = end === 1 ? 0 : bytes.lastIndexOf(LINE_END, end - 2) + 1
  try {
    JSON.parse(bytes.toString('utf8', start, end))
    return end
  } catch {
    return start
  }
}

const LINE_END = 10

async function statIfThere(disk: Disk, file: string) {
  try {
    return await disk.stat(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
