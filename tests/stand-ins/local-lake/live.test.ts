import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { ask, mutate, openLake, readStream } from './support.ts'

let lake: Lake

beforeEach(async () => {
  lake = await openLake()
})

const live = (asked = '', lastEventId?: string) =>
  readStream(
    ask(lake, `/vX/data/live/events/production${asked}`, {
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    }),
  )
const create = (_id: string) => mutate(lake, { create: { _id, _type: 'note' } })

describe('live events', () => {
  it('come with the tag of the answers that are old now', async () => {
    const stream = await live()
    expect(await stream.next()).toMatchObject({ event: 'welcome', id: expect.any(String) })
    const { transactionId } = await (await create('a')).json()
    const { syncTags } = await (await ask(lake, '/vX/data/query/production?query=*')).json()
    expect(await stream.next()).toEqual({ event: 'message', id: transactionId, data: { tags: syncTags } })
  })

  it('are not for drafts, unless asked for', async () => {
    const [published, all] = [await live(), await live('?includeDrafts=true')]
    await Promise.all([published.next(), all.next()])
    const draft = await (await create('drafts.a')).json()
    const document = await (await create('a')).json()
    expect((await published.next()).id).toBe(document.transactionId)
    expect((await all.next()).id).toBe(draft.transactionId)
  })

  it('tell a client that comes back whether it has missed something', async () => {
    const { transactionId } = await (await create('a')).json()
    const upToDate = await live('', transactionId)
    expect((await upToDate.next()).event).toBe('welcome')
    const last = await (await create('b')).json()
    expect(await upToDate.next()).toMatchObject({ event: 'message', id: last.transactionId })
    const late = await live('', transactionId)
    await late.next()
    expect(await late.next()).toMatchObject({ event: 'message', id: last.transactionId })
  })
})
