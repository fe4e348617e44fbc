import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const BEYOND_LATIN = /[^\0-\xff]/g

/**
 * Writes characters beyond Latin-1 as escapes in every module of a folder. Node keeps the text of a module for as long as
 * it runs, in two bytes for each of its characters as soon as one of them does not fit into one.
 */
export async function writeInOneByte(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter(file => file.endsWith('.mjs'))
  await Promise.all(
    files.map(async file => {
      const path = join(folder, file)
      const code = await readFile(path, 'utf8')
      const escaped = withEscapes(code)
      if (escaped !== code) await writeFile(path, escaped)
    }),
  )
}

/** @param code a program without raw strings: in one of them an escape would be read as its letters */
export function withEscapes(code: string): string {
  return code.replace(
    BEYOND_LATIN,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
