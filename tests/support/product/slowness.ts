/** What the work below takes on the machine that the times of docs/figures.md were measured on, ms of its processor. */
const USUAL_MS = 50

/** Something of what a start does: texts are taken apart, put together and looked up. */
function work(): number {
  const text = JSON.stringify(
    Array.from({ length: 2_000 }, (_, n) => ({ id: `row-${n}`, name: 'x'.repeat(40) })),
  )
  let found = 0
  for (let round = 0; round < 40; round++) {
    const rows = JSON.parse(text) as { id: string; name: string }[]
    const byId = new Map(rows.map(row => [row.id, row]))
    for (const { id } of rows) found += byId.get(id)!.name.length + id.split('-').length
  }
  return found
}

/**
 * How many times slower this machine is at this moment than the usual one: others may share its processors. 1 where it is
 * as fast or faster, so that a bound that is multiplied with it is never a stricter one.
 */
export function slowness(): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, (user + system) / 1_000 / USUAL_MS)
}
