import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { createSandboxProcess } from '#stand-ins/local-lake/sandbox.ts'
import { ask, clientOf, listen, mutate, openLake, post, SEED } from './support.ts'

const MUTATE = '/vX/data/mutate/production'
const MEGABYTE = 1024 * 1024

let lake: Lake
/** Less time and memory than the product's, so that what explodes is over sooner. */
const sandboxProcess = createSandboxProcess({ limitMs: 2_000, megabytes: 64 })
afterAll(() => sandboxProcess.stop())

beforeEach(async () => {
  lake = await openLake({ seedFiles: [SEED], sandboxProcess })
})

const question = (query: string, params: object = {}) =>
  post(lake, '/vX/data/query/production', { query, params })

/** Asks every document about every document, level after level. */
const counted = (innermost: string, levels: number): string =>
  levels === 0 ? innermost : `*[count(${counted(innermost, levels - 1)}) > 0]`

const doubled = (start: string, step: string) => `*[0]{"x": ${start}}${`{"x": ${step}}`.repeat(40)}`

/** Each asks for more than any machine has, in another way. */
const EXPLOSIONS: readonly (readonly [string, string])[] = [
  [
    'every document for every document',
    'count(*[]{"a": *[]{"b": *[]{"c": *[]{"d": *[]{"e": *[]{"f": *[]._id}}}}}})',
  ],
  ['joins in a filter', `count(${counted('*[_id != ^._id]', 8)})`],
  ['a list that doubles', `count(${doubled('[1, 2]', '[...x, ...x]')}.x)`],
  ['a text that doubles', `length(${doubled('"ab"', 'x + x')}.x)`],
  ['a text that doubles, taken apart', `count(string::split(${doubled('"ab"', 'x + x')}.x, ""))`],
  [
    'an order of orders',
    '*[]{"n": *[]{"n": *[]{"n": *[]{"n": *[] | order(count(*))} | order(count(n))} | order(count(n))} | order(count(n))} | order(count(n))',
  ],
  ['parentheses', `${'('.repeat(3_000)}1${')'.repeat(3_000)}`],
  [
    'joins that need promises',
    'count(*[]{"a": *[]{"b": *[]{"c": diff::changedAny(^, @, _id), "d": *[]{"e": *[]{"f": *[]{"g": *[]}}}}}})',
  ],
]

describe('a query that asks for too much', () => {
  it.each(EXPLOSIONS)('is refused, and nobody else waits for it: %s', async (_, query) => {
    const refused = question(query)
    // The site reads its content in the same process, and is answered first.
    const own = await lake.fetchInside(
      new Request('http://lake.localhost/vX/data/query/production?query=count(*)'),
    )
    expect((await own.json()).result).toBeGreaterThan(20)
    const answer = await refused
    expect(answer.status).toBe(400)
    expect((await answer.json()).error).toMatchObject({
      type: expect.stringMatching(/^query(?:Parse|Evaluation)Error$/),
    })
    expect(await clientOf(lake).fetch('count(*[_type == "settings"])')).toBe(1)
  })

  it('is refused by the number of its rows and by the size of its answer', async () => {
    const rows = await question('$rows', { rows: Array.from({ length: 20_001 }, (_, row) => row) })
    expect([rows.status, JSON.stringify(await rows.json())]).toEqual([
      400,
      expect.stringContaining('20,000 rows'),
    ])
    const long = await question('[$t, $t, $t, $t, $t]', { t: 'x'.repeat(2 * MEGABYTE) })
    expect([long.status, JSON.stringify(await long.json())]).toEqual([400, expect.stringContaining('8 MB')])
    expect((await question('$rows', { rows: Array.from({ length: 20_000 }, () => 1) })).status).toBe(200)
  })

  it('in a mutation is refused, changes nothing, and leaves the next mutation alone', async () => {
    const before = lake.store.version()
    const refused = mutate(lake, {
      delete: { query: counted('*', 8) },
    })
    const next = mutate(lake, { create: { _id: 'next', _type: 'note' } })
    expect((await refused).status).toBe(400)
    expect((await next).status).toBe(200)
    expect(lake.store.version()).toBe(before + 1)
  })

  it('to listen to ends its own stream, while the others hear everything', async () => {
    const list = Array.from({ length: 300 }, (_, index) => ({ _key: `k${index}` }))
    const costly = await listen(lake, {
      query: '*[count(a[]{"b": ^.a[]{"c": ^.^.a[]{"d": ^.^.^.a[]{"e": ^.^.^.^.a}}}}) > 0]',
    })
    const plain = await listen(lake, { query: '*[_type == "note"]' })
    for (const stream of [costly, plain]) expect((await stream.next()).event).toBe('welcome')
    await mutate(lake, { create: { _id: 'n', _type: 'note', a: list } })
    await mutate(lake, { create: { _id: 'm', _type: 'note' } })
    expect([(await plain.next()).data.documentId, (await plain.next()).data.documentId]).toEqual(['n', 'm'])
    await expect(costly.next()).rejects.toThrow('the stream has ended')
  })

  it('to listen to is no longer than a filter is', async () => {
    const answer = await ask(lake, `/vX/data/listen/production?query=*[_id==$a]&%24a="${'x'.repeat(40_000)}"`)
    expect(answer.status).toBe(400)
  })
})

describe('a mutation that is too large', () => {
  const text = (characters: number) => ({
    create: { _id: 'long', _type: 'note', text: 'x'.repeat(characters) },
  })

  it('says so: a text of 15 MB, or one that no field has', async () => {
    const huge = await mutate(lake, text(15 * MEGABYTE))
    expect([huge.status, await huge.json()]).toEqual([
      413,
      expect.objectContaining({ message: expect.stringContaining('larger than 4 MB') }),
    ])
    const long = await mutate(lake, text(100_001))
    expect([long.status, await long.json()]).toEqual([
      400,
      {
        error: expect.objectContaining({
          type: 'mutationError',
          description: expect.stringContaining('a text of more than 100,000 characters'),
        }),
      },
    ])
    expect((await mutate(lake, text(100_000))).status).toBe(200)
  })

  it.each([
    ['a patch', [{ patch: { id: 'long', set: { text: 'x'.repeat(100_001) } } }]],
    [
      'an insertion',
      [{ patch: { id: 'long', insert: { after: 'list[-1]', items: ['x'.repeat(100_001)] } } }],
    ],
    ['a replacement', [{ createOrReplace: { _id: 'long', _type: 'note', a: { b: ['x'.repeat(100_001)] } } }]],
    [
      'many texts',
      [{ create: { _type: 'note', list: Array.from({ length: 11 }, () => 'x'.repeat(99_999)) } }],
    ],
    ['many values', [{ create: { _type: 'note', list: Array.from({ length: 20_001 }, () => 0) } }]],
    [
      'long names of fields',
      [
        {
          create: {
            _type: 'note',
            ...Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${'f'.repeat(99_999)}${n}`, 1])),
          },
        },
      ],
    ],
    [
      'a text in every place of a list',
      [{ patch: { id: 'long', set: { 'list[0:50]': 'x'.repeat(99_999) } } }],
    ],
    [
      'a list that grows and grows',
      Array.from({ length: 300 }, () => ({
        patch: { id: 'long', insert: { after: 'list[-1]', items: Array.from({ length: 100 }, () => 0) } },
      })),
    ],
    ['more parts than a client sends', Array.from({ length: 1_001 }, () => ({ delete: { id: 'none' } }))],
  ])('is refused as %s, and changes nothing', async (_, mutations) => {
    const long = { _id: 'long', _type: 'note', text: 'short', list: Array.from({ length: 50 }, () => 0) }
    await mutate(lake, { create: long })
    const before = lake.store.version()
    const answer = await post(lake, MUTATE, { mutations })
    expect([400, 413]).toContain(answer.status)
    expect(JSON.stringify(await answer.json())).toMatch(/more than|larger than|may have|asks for more/)
    expect(lake.store.version()).toBe(before)
  })

  it('is refused as an action of the Studio too', async () => {
    const answer = await post(lake, '/vX/data/actions/production', {
      actions: [
        {
          actionType: 'sanity.action.document.edit',
          draftId: 'drafts.settings',
          publishedId: 'settings',
          patch: { set: { title: 'x'.repeat(100_001) } },
        },
      ],
    })
    expect([answer.status, (await answer.json()).error.type]).toEqual([400, 'actionError'])
  })

  it('is refused when there is no room for more content; what takes something out may come', async () => {
    const list = Array.from({ length: 10 }, () => 'x'.repeat(98_000))
    const big = (number: number) => ({ _id: `big-${number}`, _type: 'note', list })
    const by = { author: '', transactionId: 'fill' }
    await lake.store.commit(staging => {
      for (let number = 0; number < 24; number++) staging.put(`big-${number}`, big(number), {})
    }, by)
    expect((await mutate(lake, { create: big(24) })).status).toBe(200)
    const full = await mutate(lake, { create: big(25) })
    expect([full.status, JSON.stringify(await full.json())]).toEqual([507, expect.stringContaining('24 MB')])
    expect((await mutate(lake, { delete: { id: 'big-0' } })).status).toBe(200)
  })
})

describe('an address that names much', () => {
  it('names each document once', async () => {
    const many = Array.from({ length: 3_000 }, () => 'settings').join()
    for (const path of ['doc/production', 'history/production/documents']) {
      const answer = await ask(lake, `/vX/data/${path}/${many}`)
      expect((await answer.json()).documents).toHaveLength(1)
    }
  })

  it('is refused when it names more than a client does', async () => {
    const many = Array.from({ length: 1_001 }, (_, number) => `d${number}`).join()
    for (const path of ['doc/production', 'history/production/documents', 'history/production/transactions'])
      expect((await ask(lake, `/vX/data/${path}/${many}`)).status).toBe(400)
  })

  it('is refused with a parameter that is nested without end', async () => {
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    expect((await ask(lake, `/vX/data/query/production?query=$a&%24a=${nested}`)).status).toBe(400)
  })
})
