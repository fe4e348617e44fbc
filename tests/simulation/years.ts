/** A process of the tests: simulates the years that it is asked for, and says of each what it came to, a line of JSON each. */
// Before anything of the product.
import './connections.ts'
import { shrink } from './shrink.ts'
import type { Asked } from './year.ts'

const { createSimulator } = await import('./year.ts')

/** As many as the tests have the time for. */
const MOST_TRIES = 24

/** What a test asks for: a year, or the first of some seeds that finds something. */
type OfTest = Asked & { readonly isShrunk?: boolean; readonly seeds?: number }

const asked = JSON.parse(process.argv[2] ?? '[]') as readonly OfTest[]
const simulator = await createSimulator()
for (const { seeds = 1, ...first } of asked) {
  let each = first
  let outcome = await simulator.run(each)
  while (outcome.findings.length === 0 && each.seed + 1 < first.seed + seeds) {
    each = { ...each, seed: each.seed + 1 }
    outcome = await simulator.run(each)
  }
  const isBad = outcome.findings.length > 0
  const shrunk = each.isShrunk && isBad ? await shrink(simulator, each, outcome, MOST_TRIES) : undefined
  const { trace, log, ...facts } = outcome
  const said = isBad ? { trace: trace.slice(-20), log: log.slice(-3) } : {}
  process.stdout.write(`${JSON.stringify({ ...facts, ...said, shortest: shrunk?.scenes.length })}\n`)
}
simulator.close()
