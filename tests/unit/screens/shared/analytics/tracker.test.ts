import { describe, expect, it } from 'vitest'
import { createTracker, MOST_WAITING, type TrackerNeeds } from '#screens/shared/analytics/tracker.ts'
import type { SentEvent } from '#wire/analytics-client.ts'

function bench(changes: Partial<TrackerNeeds> = {}) {
  const sent: SentEvent[] = []
  const waits: number[] = []
  const logged: string[] = []
  let opened = 0
  let made: number | undefined
  const tracker = createTracker({
    isAnonymous: true,
    open: async () => {
      opened++
      return { sessionId: 's', userId: '' }
    },
    save: async event => {
      sent.push(event)
      return true
    },
    currentUrl: () => '/es/intro',
    now: () => 12.4,
    calls: { get: () => made, set: calls => (made = calls) },
    wait: async ms => void waits.push(ms),
    log: message => void logged.push(message),
    ...changes,
  })
  return { tracker, sent, waits, logged, opened: () => opened }
}
/** Lets everything that is ready happen. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve()
}

describe('statistics of a page', () => {
  it('open one session and tell every event in it', async () => {
    const { tracker, sent, opened } = bench()
    tracker.track('screen-view', { screen: 'intro' })
    tracker.track('scroll', { depth: 5 })
    await settle()
    expect(opened()).toBe(1)
    expect(sent).toEqual([
      {
        name: 'screen-view',
        sessionId: 's',
        currentUrl: '/es/intro',
        metadata: { screen: 'intro' },
        isAnonymous: true,
      },
      { name: 'scroll', sessionId: 's', currentUrl: '/es/intro', metadata: { depth: 5 }, isAnonymous: true },
    ])
  })

  it('say when an event goes out and what becomes of it, and nothing of one that does not', async () => {
    const heard: string[] = []
    const hear = (name: string) => async (saved: Promise<boolean>) => {
      heard.push(`${name} goes out`)
      heard.push(`${name} ${(await saved) ? 'taken' : 'refused'}`)
    }
    const taken = bench()
    taken.tracker.track('consent', {}, hear('first'))
    await settle()
    const refused = bench({ save: async () => false })
    refused.tracker.track('consent', {}, hear('second'))
    await settle()
    const unopened = bench({ open: async () => undefined })
    unopened.tracker.track('consent', {}, hear('third'))
    await settle()
    expect(heard).toEqual(['first goes out', 'first taken', 'second goes out', 'second refused'])
    expect(unopened.logged).toEqual(['Unable to save event'])
  })

  it('tell the events of one label one after the other, whatever the others wait for', async () => {
    const under = new Map<string, () => void>()
    const order: string[] = []
    const { tracker } = bench({
      save: event => {
        const name = `${event.name} ${event.metadata.n}`
        order.push(name)
        return new Promise(resolve => under.set(name, () => resolve(true)))
      },
    })
    tracker.track('scroll', { n: 1 })
    tracker.track('scroll', { n: 2 })
    tracker.track('tap', { n: 1 })
    await settle()
    expect(order).toEqual(['scroll 1', 'tap 1'])
    under.get('scroll 1')?.()
    await settle()
    expect(order).toEqual(['scroll 1', 'tap 1', 'scroll 2'])
  })

  it('try to open a session four times more, after waits that double, and then say what was not saved', async () => {
    let tries = 0
    const { tracker, waits, logged, sent } = bench({
      open: async () => {
        tries++
        return undefined
      },
    })
    tracker.track('scroll')
    await settle()
    expect(tries).toBe(5)
    expect(waits).toEqual([500, 1000, 2000, 4000])
    expect(logged).toEqual(['Unable to save event'])
    expect(sent).toEqual([])
  })

  it('go on with the session that a retry opened', async () => {
    let tries = 0
    const { tracker, sent, waits } = bench({
      open: async () => (++tries < 3 ? undefined : { sessionId: 'late', userId: '' }),
    })
    tracker.track('scroll')
    await settle()
    expect(waits).toEqual([500, 1000])
    expect(sent.map(({ sessionId }) => sessionId)).toEqual(['late'])
  })

  it('say what was not saved, and throw nothing, whatever fails', async () => {
    const { tracker, logged } = bench({ save: async () => false })
    tracker.track('scroll')
    await settle()
    const broken = bench({ save: () => Promise.reject(new Error('gone')) })
    broken.tracker.track('scroll')
    await settle()
    expect([...logged, ...broken.logged]).toEqual(['Unable to save event', 'Unable to save event'])
  })

  it('wait with so many events at most', async () => {
    let release = (): void => {}
    const { tracker, sent } = bench({
      open: () => new Promise(resolve => (release = () => resolve({ sessionId: 's', userId: '' }))),
    })
    for (let n = 0; n < MOST_WAITING * 2; n++) tracker.track('scroll', { n })
    release()
    for (let n = 0; n < 20; n++) await settle()
    expect(sent).toHaveLength(MOST_WAITING)
  })

  it('say after every twentieth call how late it is', async () => {
    const { tracker, sent } = bench()
    for (let n = 0; n < 19; n++) tracker.track('scroll', { n })
    await settle()
    expect(sent.filter(({ name }) => name === 'timing')).toEqual([])
    tracker.track('scroll', { n: 19 })
    for (let n = 0; n < 5; n++) await settle()
    expect(sent.filter(({ name }) => name === 'timing').map(({ metadata }) => metadata)).toEqual([
      { calls: 20, at: 12 },
    ])
  })

  it('count the calls of the tab, however many pages they come from', async () => {
    let made: number | undefined
    const calls = {
      get: () => made,
      set: (value: number) => {
        made = value
      },
    }
    const timings: unknown[] = []
    for (let page = 0; page < 25; page++) {
      const { tracker, sent } = bench({ calls })
      tracker.track('screen-view', { screen: 'intro' })
      for (let n = 0; n < 5; n++) await settle()
      timings.push(...sent.filter(({ name }) => name === 'timing').map(({ metadata }) => metadata.calls))
    }
    expect(timings).toEqual([20])
  })

  it('mask keys and addresses before they leave the page', async () => {
    const { tracker, sent } = bench()
    const key = 'abcdefghijklmnopqrstuvwxyz234567'
    tracker.track('request-error', { url: `/api/ajuda/giftcard/${key}`, message: ['ana@example.org'] })
    await settle()
    expect(sent[0]?.metadata).toEqual({ url: '/api/ajuda/giftcard/[key]', message: ['[address]'] })
  })

  it('mask them whatever stands around them', async () => {
    const { tracker, sent, logged } = bench()
    const key = 'abcdefghijklmnopqrstuvwxyz234567'
    tracker.track('request-error', { message: `at\n${key}`, [key]: 'ana@example.org"', when: { n: 1 } })
    await settle()
    expect(sent[0]?.metadata).toEqual({ message: 'at\n[key]', '[key]': '[address]"', when: { n: 1 } })
    expect(logged).toEqual([])
  })

  it('send nothing more once the visitor has said no', async () => {
    const { tracker, sent } = bench()
    tracker.track('scroll')
    tracker.stop()
    tracker.track('scroll')
    await settle()
    expect(sent).toEqual([])
  })
})
