import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DAY_MS } from '#domain/durations.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { waitForFileLock } from '#server/platform/file-lock.ts'
import { readIfThere, writeWhole } from '#server/platform/files.ts'
import type { Tools } from './command.ts'
import { listFolders } from './revocations.ts'

/** Backups are kept for two months: what is older than this is in none of them. */
const KEPT_MS = 100 * DAY_MS
const ABOUT = 'erasure'
const LOOK_AGAIN_MS = 20

interface Line {
  readonly at: number
  /** Sealed with the secret of the cards, which lies in no backup. */
  readonly address: string
}

const listsOf = (tools: Tools): readonly string[] =>
  listFolders(tools).map(folder => join(folder, 'erasures'))

async function linesOf(file: string): Promise<readonly Line[]> {
  const text = (await readIfThere(file))?.toString() ?? ''
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line)
}

/**
 * Keeps that a person is forgotten, for backups of before: a restore would bring the person back. It is said before the
 * person is forgotten, so that nobody who was is missing. Who was not, because that failed, is forgotten after a restore,
 * as they had asked for. One command at a time writes: two at once would each leave the other's person out.
 */
export async function noteErasure(tools: Tools, keys: CardKeys, address: string): Promise<void> {
  const now = tools.clock()
  await mkdir(tools.place.dataDir, { recursive: true, mode: 0o700 })
  const lock = join(tools.place.dataDir, 'erasures.lock')
  const release = await waitForFileLock(lock, { lookEveryMs: LOOK_AGAIN_MS })
  try {
    for (const file of listsOf(tools)) {
      const kept = (await linesOf(file)).filter(({ at }) => at > now - KEPT_MS)
      const lines = [...kept, { at: now, address: keys.seal(address, ABOUT) }]
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await writeWhole(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    }
  } finally {
    release()
  }
}

/** The addresses that were forgotten since an instant, each once. @param since epoch ms UTC */
export async function erasedSince(tools: Tools, keys: CardKeys, since: number): Promise<readonly string[]> {
  const lines = (await Promise.all(listsOf(tools).map(linesOf))).flat()
  const found = lines
    .filter(({ at }) => at >= since)
    .flatMap(({ address }) => keys.unseal(address, ABOUT) ?? [])
  return [...new Set(found)]
}
