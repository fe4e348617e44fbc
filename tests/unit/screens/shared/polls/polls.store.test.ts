import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Delivery } from '#wire/analytics-client.ts'
import { openTab } from '../../browser.ts'

const ANSWERS = { donated: 'no', impact: 4, postcard: 'yes' } as const

let persistentStorage: Map<string, string>
let session: Map<string, string>
/** The next page of the same tab. */
const page = () =>
  openTab({ persistentStorage }, session).load(() => import('#screens/shared/polls/polls.store.ts'))
beforeEach(() => {
  persistentStorage = new Map()
  session = new Map()
})
afterEach(() => vi.unstubAllGlobals())

describe('a poll', () => {
  it('keeps its unsent answers in the tab alone, and takes back what once outlived it', async () => {
    persistentStorage.set('gift:poll-1', '{"donated":"yes"}')
    const { pollAnswers } = await page()
    const $answers = pollAnswers('poll-1')
    expect($answers.get()).toEqual({})
    $answers.set(ANSWERS)
    expect([...persistentStorage.keys()]).toEqual([])
    expect((await page()).pollAnswers('poll-1').get()).toEqual(ANSWERS)
    const again = (await page()).pollAnswers('poll-1')
    again.set({})
    expect([...session.keys()]).toEqual([])
  })

  it('is complete only once it was taken; until then every page sends it again, as one submission', async () => {
    const attempts: unknown[] = []
    const deliver = (outcome: Delivery) => async (metadata: Readonly<Record<string, unknown>>) => {
      attempts.push(metadata)
      return outcome
    }
    const first = await page()
    first.submitPoll('poll-1', ANSWERS, 'attempt-1')
    await first.sendPolls(deliver('failed'))
    // Not asked again, and not done.
    expect(first.pollState()).toMatchObject({ poll1Completed: true, poll2Completed: false })
    expect(persistentStorage.has('gift:poll-1-completed')).toBe(false)

    const second = await page()
    expect(second.pollState().poll1Completed).toBe(true)
    await second.sendPolls(deliver('taken'))
    expect(persistentStorage.get('gift:poll-1-completed')).toBe('yes')
    expect([...session.keys()]).toEqual([])
    await (await page()).sendPolls(deliver('taken'))
    expect(attempts).toEqual([attempts[0], attempts[0]])
    expect(attempts[0]).toEqual({
      poll: 'poll-1',
      attempt: 'attempt-1',
      answers: [
        { id: 'donated', value: 'no', isOptional: false },
        { id: 'impact', value: 4, isOptional: true },
        { id: 'postcard', value: 'yes', isOptional: false },
      ],
    })
  })

  it('that the server will never take is dropped, and not asked again in this tab', async () => {
    const deliver = vi.fn(async (): Promise<Delivery> => 'refused')
    const first = await page()
    first.submitPoll('poll-1', ANSWERS, 'attempt-1')
    await first.sendPolls(deliver)
    await (await page()).sendPolls(deliver)
    expect(deliver).toHaveBeenCalledOnce()
    expect((await page()).pollState().poll1Completed).toBe(true)
    expect(session.get('gift:polls-unsent')).not.toContain('donated')
    session.clear()
    expect((await page()).pollState().poll1Completed).toBe(false)
  })

  it('does not lose the other one that was submitted while it was on its way', async () => {
    const stores = await page()
    stores.submitPoll('poll-1', ANSWERS, 'attempt-1')
    await stores.sendPolls(async () => {
      stores.submitPoll('poll-2', { age: '20-24' }, 'attempt-2')
      return 'taken'
    })
    expect(JSON.parse(session.get('gift:polls-unsent') ?? '[]')).toMatchObject([{ poll: 'poll-2' }])
  })

  it('reads nothing that somebody wrote there by hand', async () => {
    for (const text of [
      '{}',
      '[null]',
      '[{"poll":"poll-9"}]',
      'x',
      '[{"poll":"poll-1","answers":{"donated":"?"}}]',
    ]) {
      session.set('gift:polls-unsent', text)
      const deliver = vi.fn(async (): Promise<Delivery> => 'taken')
      await (await page()).sendPolls(deliver)
      expect(deliver).not.toHaveBeenCalled()
    }
  })
})
