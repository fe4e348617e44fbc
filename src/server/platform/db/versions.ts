/** The oldest Node whose `node:sqlite` has all that is used here. */
const NODE = [24, 15, 0] as const
/** Earlier SQLite libraries can corrupt a WAL file that two connections write to. */
const SQLITE = [3, 51, 3] as const

/**
 * Refuses a runtime that could damage the data.
 * @param versions `process.versions` (`node`, and `sqlite` where it is built in)
 * @throws Error with a sentence for the operator
 */
export function checkVersions(versions: {
  readonly node: string
  readonly sqlite?: string | undefined
}): void {
  if (isOlder(versions.node, NODE)) {
    throw new Error(`Node ${NODE.join('.')} or later is needed, this is ${versions.node}.`)
  }
  const sqlite = versions.sqlite
  if (sqlite === undefined || isOlder(sqlite, SQLITE)) {
    const found = sqlite ?? 'none'
    throw new Error(
      `SQLite ${SQLITE.join('.')} or later is needed (earlier ones can corrupt the file), this Node has ${found}.`,
    )
  }
}

function isOlder(version: string, wanted: readonly [number, number, number]): boolean {
  const parts = version.split('.').map(part => Number.parseInt(part, 10))
  for (const [n, least] of wanted.entries()) {
    const part = parts[n] ?? 0
    if (part !== least) return !(part > least)
  }
  return false
}
