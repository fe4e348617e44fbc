import type { Log } from '#server/platform/log.ts'

/** Work that is done again and again while the process lives. */
export interface Periodic {
  /** Starts nothing more and waits for what is running. */
  stop(): Promise<void>
}

/**
 * Does `work` every `ms`, never twice at the same time. A failure is logged, and the next turn tries again.
 * @param options `atOnce`: for the first time now, not after `ms`
 */
export function every(
  ms: number,
  name: string,
  work: () => Promise<unknown>,
  log: Log,
  { atOnce = false } = {},
): Periodic {
  let running: Promise<unknown> | undefined
  const begin = (): void => {
    running ??= work()
      .catch((error: unknown) => log.error('periodic-work-failed', error, { work: name }))
      .finally(() => {
        running = undefined
      })
  }
  if (atOnce) begin()
  const timer = setInterval(begin, ms)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
