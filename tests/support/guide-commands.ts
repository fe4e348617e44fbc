import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The commands of a guide as they stand in it: the blocks marked `sh`, by the heading that they stand beneath. */
export function commandsIn(file: string): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>()
  let heading = ''
  let block: string[] | undefined
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (block !== undefined && line === '```') {
      blocks.set(heading, [...(blocks.get(heading) ?? []), block.join('\n')])
      block = undefined
    } else if (block !== undefined) block.push(line)
    else if (line === '```sh') block = []
    else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
  }
  return blocks
}

/** What came of commands. */
export interface Said {
  readonly code: number
  /** All that they wrote, errors among it. */
  readonly output: string
}

/** Says commands to a shell that ends at the first that fails. @param before what an operator has said earlier */
export const say = (commands: string, before: string, env: Readonly<Record<string, string>>): Promise<Said> =>
  new Promise(resolve => {
    const script = `exec 2>&1\nset -eu\n${before}\n${commands}`
    execFile(
      'bash',
      ['-c', script],
      { env: { PATH: process.env.PATH, LC_ALL: 'C', ...env } },
      (error, output) => resolve({ code: Number(error?.code ?? 0), output }),
    )
  })
