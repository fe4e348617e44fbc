import { applyPatch } from 'mendoza'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { act, ask, listen, mutate, openLake } from './support.ts'

let lake: Lake

beforeEach(async () => {
  lake = await openLake()
})

const NOTES = { query: '*[_type == "note"]' }
const note = (_id: string, more: object = {}) => ({ createOrReplace: { _id, _type: 'note', ...more } })

describe('a listener', () => {
  it('is greeted, and told of each document of a transaction in turn', async () => {
    const stream = await listen(lake, NOTES)
    expect(await stream.next()).toMatchObject({
      event: 'welcome',
      data: { listenerName: expect.any(String) },
    })
    const response = await mutate(lake, note('a', { n: 1 }), note('b'))
    const { transactionId } = await response.json()
    const first = await stream.next()
    expect(first).toMatchObject({
      event: 'mutation',
      id: `${transactionId}#a`,
      data: {
        eventId: `${transactionId}#a`,
        documentId: 'a',
        transactionId,
        transition: 'appear',
        identity: 'operator',
        timestamp: expect.any(String),
        visibility: 'query',
        resultRev: transactionId,
        mutations: [{ createOrReplace: { _id: 'a', n: 1 } }],
        transactionTotalEvents: 2,
        transactionCurrentEvent: 1,
      },
    })
    expect(first.data).not.toHaveProperty('result')
    expect(await stream.next()).toMatchObject({ data: { documentId: 'b', transactionCurrentEvent: 2 } })
  })

  it('sees a document enter and leave what its query matches', async () => {
    const stream = await listen(lake, { query: '*[_type == "note" && n > $least]', $least: '5' })
    await stream.next()
    await mutate(lake, note('a', { n: 1 }))
    for (const [n, transition] of [
      [6, 'appear'],
      [7, 'update'],
      [2, 'disappear'],
    ]) {
      await mutate(lake, note('a', { n }))
      expect((await stream.next()).data.transition).toBe(transition)
    }
  })

  it('is announced as many events of a transaction as it will hear: the Studio waits for them all', async () => {
    const stream = await listen(lake, { query: '*[_id == "b" || _id == "drafts.b"]' })
    await stream.next()
    await mutate(lake, note('a'), note('b'), note('c'))
    expect((await stream.next()).data).toMatchObject({
      documentId: 'b',
      transactionTotalEvents: 1,
      transactionCurrentEvent: 1,
    })
  })

  it('asking the same text with other values is not told of the others’ documents', async () => {
    const query = '*[_id == $id]'
    const [a, b] = [await listen(lake, { query, $id: '"a"' }), await listen(lake, { query, $id: '"b"' })]
    await Promise.all([a.next(), b.next()])
    await mutate(lake, note('a'))
    await mutate(lake, note('b'))
    expect((await a.next()).data.documentId).toBe('a')
    expect((await b.next()).data.documentId).toBe('b')
  })

  it('is told the revision of a deletion: without it the Studio would wait for its own change for ever', async () => {
    await mutate(lake, note('a'))
    const stream = await listen(lake, NOTES)
    await stream.next()
    const { transactionId } = await (await mutate(lake, { delete: { id: 'a' } })).json()
    expect((await stream.next()).data).toMatchObject({
      transition: 'disappear',
      resultRev: transactionId,
      previousRev: expect.any(String),
    })
  })

  it('can follow a document by effects alone, from its creation to its end', async () => {
    const stream = await listen(lake, { ...NOTES, effectFormat: 'mendoza', includeResult: 'true' })
    await stream.next()
    let followed: unknown = null
    for (const change of [
      note('a', { b: 1, text: 'Médicos Sin Fronteras 🎁', gone: undefined, list: [{ _key: 'x', a: 1 }] }),
      { patch: { id: 'a', set: { text: 'Médicos Sin Fronteras 🎁!' }, unset: ['b'] } },
      { patch: { id: 'a', insert: { before: 'list[0]', items: [{ _key: 'y' }] } } },
      { delete: { id: 'a' } },
    ]) {
      await mutate(lake, change)
      const { effects, result } = (await stream.next()).data
      followed = applyPatch(followed, effects.apply)
      // The revision goes beside the effects: with it, the fields would have other places.
      const { _rev, ...rest } = result ?? {}
      expect(followed).toEqual(result ? rest : null)
    }
  })

  it('gets what was before, when it asks for it', async () => {
    await mutate(lake, note('a', { n: 1 }))
    const stream = await listen(lake, { ...NOTES, includeResult: 'true', includePreviousRevision: 'true' })
    await stream.next()
    await mutate(lake, note('a', { n: 2 }))
    expect((await stream.next()).data).toMatchObject({ previous: { n: 1 }, result: { n: 2 } })
  })

  it('hears of versions for releases only when it asks for all', async () => {
    const [some, all] = [
      await listen(lake, NOTES),
      await listen(lake, { ...NOTES, includeAllVersions: 'true' }),
    ]
    await Promise.all([some.next(), all.next()])
    await mutate(lake, note('versions.spring.a'))
    await mutate(lake, note('drafts.a'))
    expect((await some.next()).data.documentId).toBe('drafts.a')
    expect((await all.next()).data.documentId).toBe('versions.spring.a')
  })

  it('is told a publication as what happened to the draft and to the published document', async () => {
    await mutate(lake, note('drafts.a'))
    const stream = await listen(lake, NOTES)
    await stream.next()
    await act(lake, { actionType: 'sanity.action.document.publish', draftId: 'drafts.a', publishedId: 'a' })
    const told = [await stream.next(), await stream.next()].map(
      ({ data }) => `${data.transition} ${data.documentId}`,
    )
    expect(told).toEqual(['appear a', 'disappear drafts.a'])
  })

  it('that comes back is told what it missed, exactly once, in its order', async () => {
    const first = await listen(lake, NOTES)
    await first.next()
    await mutate(lake, note('a', { n: 1 }), note('b'), note('c'))
    const last = await first.next()
    await first.close()
    await mutate(lake, note('a', { n: 2 }))
    await mutate(lake, { delete: { id: 'a' } })

    const back = await listen(lake, { ...NOTES, enableResume: 'true', includeResult: 'true' }, last.id)
    expect((await back.next()).event).toBe('welcomeback')
    const missed = []
    for (let count = 0; count < 4; count++) missed.push((await back.next()).data)
    expect(missed.map(({ documentId, transition }) => `${transition} ${documentId}`)).toEqual([
      'appear b',
      'appear c',
      'update a',
      'disappear a',
    ])
    expect(missed[2].result).toMatchObject({ n: 2, _rev: missed[2].transactionId })
    await mutate(lake, note('d'))
    expect((await back.next()).data.documentId).toBe('d')
  })

  it('that was away for too long is told to begin anew', async () => {
    const stream = await listen(lake, { ...NOTES, enableResume: 'true' }, 'forgotten#a')
    expect((await stream.next()).event).toBe('reset')
  })

  it('that does not want to resume is greeted as new', async () => {
    expect((await (await listen(lake, NOTES, 'any#a')).next()).event).toBe('welcome')
  })

  it('with a query that does not parse is refused before it hears anything', async () => {
    const answer = await ask(lake, '/vX/data/listen/production?query=*[')
    expect(answer.status).toBe(400)
    expect((await answer.json()).error.type).toBe('queryParseError')
  })

  it('that goes away is forgotten, and the others go on', async () => {
    const [gone, stays] = [await listen(lake, NOTES), await listen(lake, NOTES)]
    await Promise.all([gone.next(), stays.next()])
    await gone.close()
    await mutate(lake, note('a'))
    expect((await stays.next()).data.documentId).toBe('a')
  })

  it('is let go when the server stops', async () => {
    const stream = await listen(lake, NOTES)
    await stream.next()
    lake.endStreams()
    await expect(stream.next()).rejects.toThrow('ended')
  })
})
