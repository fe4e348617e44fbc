import { type Answer, textAnswer } from '#server/http/transport/answers.ts'

/** Answers the health paths; undefined for every other path. */
export type Health = (path: string) => Promise<Answer> | undefined

/** The conditions for sending visitors to this process. A check rejects or returns false where its condition fails. */
export type ReadinessCheck = () => boolean | Promise<boolean>

/** How long a check may take, in ms. A check that hangs counts as failed. */
const TIMEOUT_MS = 2_000

/**
 * `/health/live`: the process runs. `/health/ready`: every check holds in time; the failing ones are named.
 */
export function createHealth(
  checks: Readonly<Record<string, ReadinessCheck>>,
  timeoutMs: number = TIMEOUT_MS,
): Health {
  const ready = async (): Promise<Answer> => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          return (await inTime(async () => check(), timeoutMs)) ? undefined : name
        } catch {
          return name
        }
      }),
    )
    const failing = results.filter(name => name !== undefined)
    return failing.length === 0
      ? textAnswer(200, 'ready')
      : textAnswer(503, `not ready: ${failing.join(', ')}`)
  }
  return path => {
    if (path === '/health/live') return Promise.resolve(textAnswer(200, 'live'))
    return path === '/health/ready' ? ready() : undefined
  }
}

/** The result of `work`, or false when `work` takes longer than `ms`. */
async function inTime(work: () => Promise<boolean>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ms)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
