/**
 * `npm run simulate -- --seed 7 --years 3`: simulates so many years, from that seed on, and prints what each came to. A year
 * that ends badly is shrunk to the shortest way to the same end, and the exit code is 1.
 */
import { parseArgs } from 'node:util'
// Before anything of the product.
import './connections.ts'
import { reportOf } from './report.ts'
import { shrink } from './shrink.ts'

const { createSimulator, USUAL_BUYERS } = await import('./year.ts')

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    years: { type: 'string', default: '1' },
    /** How many buy a card in each year. */
    buyers: { type: 'string', default: String(USUAL_BUYERS) },
    /** Only so many days of each year. */
    days: { type: 'string' },
    /** A bug that is put in: see plants.ts. */
    plant: { type: 'string' },
    /** Everything that was done. */
    trace: { type: 'boolean', default: false },
    /** Do not look for the shortest way. */
    whole: { type: 'boolean', default: false },
  },
})
const simulator = await createSimulator()
const first = Number(values.seed)
for (let seed = first; seed < first + Number(values.years); seed++) {
  const days = values.days === undefined ? {} : { days: Number(values.days) }
  const asked = { seed, buyers: Number(values.buyers), plant: values.plant, ...days }
  const outcome = await simulator.run(asked)
  const isBad = outcome.findings.length > 0
  if (isBad) process.exitCode = 1
  const shrunk = isBad && !values.whole ? await shrink(simulator, asked, outcome) : undefined
  process.stdout.write(reportOf(outcome, { shrunk, isWhole: values.trace, asked }))
}
simulator.close()
