import { describe, expect, it } from 'vitest'
import { createFollower } from '#server/modules/content/follower.ts'

/** A site whose content changes when told, and whose rendering waits to be let on. */
function bench() {
  const calls: string[] = []
  let changed = true
  let renders = true
  let hold: Promise<void> | undefined
  const follower = createFollower({
    async refresh() {
      calls.push('refresh')
      await hold
      return changed
    },
    async publish() {
      calls.push('publish')
      return renders
    },
  })
  return {
    follower,
    calls,
    set: (now: { changed?: boolean; renders?: boolean }) => {
      changed = now.changed ?? changed
      renders = now.renders ?? renders
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      hold = promise
      return resolve
    },
  }
}

describe('following the content', () => {
  it('renders what changed, and nothing when nothing did', async () => {
    const { follower, calls, set } = bench()
    await follower.nudge()
    set({ changed: false })
    await follower.nudge()
    expect(calls).toEqual(['refresh', 'publish', 'refresh'])
  })

  it('takes a burst for two rounds: the one under way, and one for all that came meanwhile', async () => {
    const { follower, calls, hold } = bench()
    const letOn = hold()
    const burst = Array.from({ length: 50 }, () => follower.nudge())
    letOn()
    await Promise.all(burst)
    expect(calls).toEqual(['refresh', 'publish', 'refresh', 'publish'])
  })

  it('tries again, at the next nudge, what could not be rendered', async () => {
    const { follower, calls, set } = bench()
    set({ renders: false })
    await follower.nudge()
    expect(follower.isBehind()).toBe(true)
    set({ changed: false, renders: true })
    await follower.nudge()
    expect(follower.isBehind()).toBe(false)
    await follower.nudge()
    expect(calls).toEqual(['refresh', 'publish', 'refresh', 'publish', 'refresh'])
  })

  it('stops after what is under way', async () => {
    const { follower, calls, hold } = bench()
    const letOn = hold()
    void follower.nudge()
    void follower.nudge()
    const stopped = follower.stop()
    letOn()
    await stopped
    await follower.nudge()
    expect(calls).toEqual(['refresh', 'publish'])
  })
})
