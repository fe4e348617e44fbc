import type { Scene } from './plan.ts'
import type { Finding } from './world.ts'
import type { Asked, Outcome, Simulator } from './year.ts'

/** The shortest way to a failure that was found. */
export interface Shrunk {
  readonly scenes: readonly Scene[]
  readonly outcome: Outcome
  readonly runs: number
}

/** What was broken; of what the site's own check has found that is the first rule that it names. */
const ruleOf = ({ rule, says }: Finding): string => `${rule} ${/"first":"([\w-]+)"/.exec(says)?.[1] ?? ''}`

/**
 * Leaves out scenes, then single acts, as long as the same rule is still broken. Each scene has chance of its own, so what
 * is left out changes nothing of the others but what follows from it.
 * @param mostRuns how many years this may cost
 */
export async function shrink(
  simulator: Simulator,
  asked: Asked,
  failed: Outcome,
  mostRuns: number = 150,
): Promise<Shrunk> {
  const rules = new Set(failed.findings.map(ruleOf))
  // What comes after the end has no part in it.
  let scenes: readonly Scene[] = simulator.planOf(asked).scenes.slice(0, failed.played)
  let outcome = failed
  let runs = 0
  const stillFails = async (fewer: readonly Scene[]): Promise<boolean> => {
    if (runs >= mostRuns) return false
    runs++
    const again = await simulator.run(asked, fewer)
    if (!again.findings.some(each => rules.has(ruleOf(each)))) return false
    scenes = fewer
    outcome = again
    return true
  }
  for (let size = Math.ceil(scenes.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < scenes.length && runs < mostRuns; ) {
      const fewer = [...scenes.slice(0, from), ...scenes.slice(from + size)]
      if (!(await stillFails(fewer))) from += size
    }
  }
  for (let n = scenes.length - 1; n >= 0; n--) {
    for (let act = scenes[n]!.acts.length - 1; act >= 0 && scenes[n]!.acts.length > 1; act--) {
      const scene = { ...scenes[n]!, acts: scenes[n]!.acts.toSpliced(act, 1) }
      await stillFails(scenes.with(n, scene))
    }
  }
  return { scenes, outcome, runs }
}
