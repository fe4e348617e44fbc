import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { ask, openLake, SEED } from './support.ts'

let lake: Lake

beforeEach(async () => {
  lake = await openLake({ seedFiles: [SEED] })
})

const words = fc.constantFrom(
  ...[
    'create',
    'createOrReplace',
    'patch',
    'delete',
    'set',
    'unset',
    'insert',
    'inc',
    'diffMatchPatch',
    'items',
  ],
  ...['_id', '_type', '_ref', '_key', 'id', 'query', 'params', 'after', 'before', 'actionType', 'draftId'],
  ...['publishedId', 'attributes', 'document', 'title', 'ngos[0]', '..', 'ifRevisionID', 'includeDrafts'],
)
const texts = fc.oneof(
  fc.constantFrom(
    'settings',
    'drafts.settings',
    'ngo-msf',
    '*',
    '*[_type == "ngo"]',
    '*[',
    'ngos[_key=="msf"]',
  ),
  fc
    .constantFrom('edit', 'publish', 'create', 'discard', 'delete')
    .map(each => `sanity.action.document.${each}`),
  fc.string({ maxLength: 10 }),
)
const { anything } = fc.letrec(tie => ({
  anything: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.constantFrom(null, true, {}, []),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(words, tie('anything'), { maxKeys: 4 }),
  ),
}))

const body = fc.oneof(
  fc.record({ mutations: fc.oneof(anything, fc.array(anything, { maxLength: 3 })) }),
  fc.record({ actions: fc.oneof(anything, fc.array(fc.dictionary(words, anything), { maxLength: 2 })) }),
  fc.record({ query: anything, params: anything }),
  anything,
)

/** Where a body may go, and addresses with values of any kind. */
const bodies = ['data/mutate/production', 'data/actions/production', 'data/query/production']
const addresses = (value: string) => [
  `data/query/production?query=${value}&$a=${value}&perspective=${value}`,
  `data/doc/production/${value}?includeAllVersions=true`,
  `data/history/production/documents/settings?time=${value}`,
  `data/history/production/transactions/${value}?limit=${value}&fromTime=${value}`,
  `data/history/production/events/documents/${value}?limit=${value}`,
  `users/me/keyvalue/${value}`,
]

describe('whatever is asked', () => {
  it('is answered or refused in the API’s shape, never with a fault', async () => {
    await fc.assert(
      fc.asyncProperty(body, async given => {
        for (const path of bodies) {
          const response = await ask(lake, `/vX/${path}`, { method: 'POST', body: JSON.stringify(given) })
          const answer = await response.json()
          expect([response.status < 500, path, answer]).toEqual([true, path, answer])
          if (response.status !== 200) expect(answer.error).toBeDefined()
        }
      }),
      { numRuns: 400 },
    )
    // Whatever was taken can be read again.
    expect((await ask(lake, '/vX/data/export/production')).status).toBe(200)
  })

  it('in an address too', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async text => {
        for (const path of addresses(encodeURIComponent(text))) {
          const { status } = await ask(lake, `/vX/${path}`)
          expect([status < 500, path]).toEqual([true, path])
        }
      }),
      { numRuns: 150 },
    )
  })

  it.each(['/vX/data/doc/production/%', '/vX/%E0%A4%A', '/vX/data/query/production?query=%FF'])(
    'badly encoded is refused or read as it is: %s',
    async path => {
      expect((await ask(lake, path)).status).toBeLessThan(500)
    },
  )
})

it('an upload that is broken off is the sender’s fault, and no warning', async () => {
  const warned: unknown[] = []
  const hear = (warning: unknown) => warned.push(warning)
  process.on('warning', hear)
  const body = new ReadableStream({
    start: controller => controller.enqueue(Buffer.from('half of a file')),
    pull: controller => controller.error(new Error('aborted')),
  })
  const upload = { method: 'POST', body, duplex: 'half' } as const
  expect((await ask(lake, '/vX/assets/files/production?filename=a.txt', upload)).status).toBe(400)
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', hear)
  expect(warned).toEqual([])
  expect([...lake.store.documents.values()].map(({ _type }) => _type)).not.toContain('sanity.fileAsset')
})
