import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createContent } from '#server/modules/content/content.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { folderInMemory } from '#tests/support/memory-folder.ts'
import { install, machine, realMs } from './machine.ts'
import { judge } from './oracle.ts'
import { openLake, type Recorded } from './outside.ts'
import { type Plan, planOf, type Scene } from './plan.ts'
import { plantOf } from './plants.ts'
import { type Finding, openWorld, type Tally } from './world.ts'

/** So many buy a card in a year where nothing else is said. */
export const USUAL_BUYERS = 14

/** What a year came to. */
export interface Outcome {
  readonly seed: number
  /** Of every choice, fault, mail and answer: equal digests, equal years. */
  readonly digest: string
  readonly findings: readonly Finding[]
  readonly tally: Tally
  readonly human: Tally
  readonly faults: Tally
  readonly trace: readonly string[]
  /** The last lines of the log. */
  readonly log: readonly string[]
  /** How many scenes were played until its end. */
  readonly played: number
  readonly seconds: number
}

/** What year is simulated. */
export interface Asked {
  readonly seed: number
  /** How many buy a card in it. */
  readonly buyers?: number
  /** Only so many of its days. */
  readonly days?: number
  /** A bug that is put in. */
  readonly plant?: string | undefined
}

export interface Simulator {
  /** Simulates a year. @param scenes those of the plan that are played; all when missing */
  run(asked: Asked, scenes?: readonly Scene[]): Promise<Outcome>
  planOf(asked: Asked): Plan
  close(): void
}

/** Prepares one simulator for this process: from then on time, chance and files of it are the machine's. */
export async function createSimulator(): Promise<Simulator> {
  const root = mkdtempSync(join(folderInMemory(), 'simulation-'))
  const recorded = await recordContent(join(root, 'lake'))
  const template = join(root, 'template')
  await (await openDatabase({ dataDir: template })).close()
  const { readAsWorker } = await import('./worker.ts')
  install(readAsWorker)
  const planned = ({ seed, buyers = USUAL_BUYERS, days }: Asked) => planOf(seed, buyers, days)
  return {
    planOf: planned,
    async run(asked, scenes) {
      const begun = realMs()
      const { seed } = asked
      const plan = planned(asked)
      const plant = plantOf(asked.plant)
      const world = await openWorld(plan, { seed, folder: join(root, 'house'), template, recorded, plant })
      try {
        let played = 0
        for (const scene of scenes ?? plan.scenes) {
          await world.play(scene)
          played++
          if (world.findings.length > 0) break
        }
        if (world.findings.length === 0) await world.settleDown()
        if (world.findings.length === 0) await judge(world)
        return {
          seed,
          digest: machine.digest(),
          findings: world.findings,
          tally: world.tally,
          human: world.human,
          faults: world.outside.faults,
          trace: world.trace,
          played,
          log: world.lines.slice(-12),
          seconds: (realMs() - begun) / 1000,
        }
      } finally {
        await world.close()
      }
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Asks the seed's content once of a real lake, and keeps every answer. */
async function recordContent(dir: string): Promise<Recorded> {
  const lake = await openLake(dir)
  const recorded: Recorded = new Map()
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const answer = await lake.fetchInside(request)
    recorded.set(`${pathname}${search}`, await answer.clone().text())
    return answer
  }
  const content = createContent({
    source: { fetch },
    dataDir: dir,
    clock: Date.now,
    log: { info() {}, error() {} },
  })
  await content.load()
  await lake.close()
  return recorded
}
