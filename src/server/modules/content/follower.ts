/** Brings the site up to date with its content, whoever says that it may have changed. */
export interface Follower {
  /** Something may have changed. Resolves, never rejects, once whatever had changed by now is shown. */
  nudge(): Promise<void>
  /** Is there content whose pages could not be rendered? */
  isBehind(): boolean
  /** Starts nothing more and waits for what is running. */
  stop(): Promise<void>
}

/**
 * Fetches, and where something changed publishes. A burst of nudges costs two rounds: the one that runs, and one
 * after it for all that came meanwhile. Pages that could not be rendered are tried again at the next nudge.
 * @param refresh fetches; true when the content changed. Never rejects
 * @param publish renders; false when the old pages had to stay. Never rejects
 */
export function createFollower({
  refresh,
  publish,
}: {
  refresh: () => Promise<boolean>
  publish: () => Promise<boolean>
}): Follower {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let behind = false
  let stopped = false

  async function round(): Promise<void> {
    if (stopped) return
    if (await refresh()) behind = true
    if (behind && (await publish())) behind = false
  }

  function run(): Promise<void> {
    running = round().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    nudge() {
      if (!running) return run()
      next ??= running.then(() => {
        next = undefined
        return run()
      })
      return next
    },
    isBehind: () => behind,
    async stop() {
      stopped = true
      await next
      await running
    },
  }
}
