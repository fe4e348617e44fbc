import type { Browser } from 'playwright'
import { cardPath, senderPath } from '#paths'
import { READ_CARD_PATH } from '#wire/api-paths.ts'
import { bareCopyOf } from '../harness/bare-copy.ts'
import { generateLoad } from '../harness/load-generator.ts'
import { startBareServer } from '../harness/nginx.ts'
import { processorMicroseconds } from '../harness/processor.ts'
import type { Profile } from '../harness/profile.ts'
import { PRODUCT_HEADERS, startReference } from '../harness/reference.ts'
import type { BenchSite } from '../harness/site.ts'
import { type GoalId, goalOf } from '../report/goals.ts'
import { median, spread } from '../report/statistics.ts'
import type { Figure, Goal } from '../report/threshold.ts'

interface Target {
  readonly id: string
  readonly what: string
  readonly url: string
  readonly pid: number
  readonly paths: readonly string[]
  readonly goal?: Goal
}

const SCREEN = 'packages-donation'

/** Processor time per request under load, of the product, of a server of the bare page and of Node alone, round after round. */
export async function measureServer(
  browser: Browser,
  site: BenchSite,
  profile: Pick<Profile, 'serverRounds' | 'serverSeconds'>,
): Promise<Figure[]> {
  const page = senderPath('es', SCREEN)
  const bare = await startBareServer(await bareCopyOf(browser, { url: site.url + page, word: SCREEN }))
  // What Node itself takes for a page: no server that is written for it is below.
  const node = await startReference(
    { [page]: await (await fetch(site.url + page)).text() },
    { headers: PRODUCT_HEADERS },
  )
  const { active } = site.keys
  const own = (what: string, id: GoalId, paths: readonly string[]): Target => ({
    id,
    what,
    goal: goalOf(id),
    paths,
    ...site,
  })
  const cards = `one of ${site.cards.toLocaleString('en')} cards`
  const targets: readonly Target[] = [
    { id: 'reference', what: '', paths: ['/'], ...bare },
    { id: 'node-alone', what: 'the published page, out of memory by Node alone', paths: [page], ...node },
    own(`published page (${SCREEN})`, 'published-page', [page]),
    own(`card endpoint, ${cards}`, 'card-endpoint', active.map(readPath)),
    own(
      `card page, ${cards}`,
      'card-page',
      active.map(key => cardPath(key, 'introduction-1')),
    ),
  ]
  try {
    const costs = targets.map(() => [] as number[])
    for (let round = 0; round <= profile.serverRounds; round++) {
      for (const [index, target] of targets.entries()) {
        const cost = await microsecondsPerRequest(target, profile.serverSeconds)
        // In the first round code is compiled and caches are filled.
        if (round > 0) costs[index]!.push(cost)
      }
    }
    const [reference = [], ...others] = costs
    return others.map((values, index) => figureOf(targets[index + 1]!, values, median(reference), bare.name))
  } finally {
    await Promise.all([bare.stop(), node.stop()])
  }
}

const readPath = (key: string): string =>
  READ_CARD_PATH.replace('{giftCardId}', key).replace('{flag}', 'final')

async function microsecondsPerRequest({ url, pid, paths }: Target, seconds: number): Promise<number> {
  const before = processorMicroseconds(pid)
  const answers = await generateLoad({ url, paths, seconds })
  return (processorMicroseconds(pid) - before) / answers
}

function figureOf(target: Target, values: readonly number[], reference: number, name: string): Figure {
  return {
    id: target.id,
    part: `Processor time per request, against ${name} with the bare page as a file`,
    what: target.what,
    unit: 'µs',
    measured: median(values),
    spread: spread(values),
    reference,
    ...(target.goal && { goal: target.goal }),
  }
}
