import fc from 'fast-check'
import { applyPatch } from 'mendoza'
import { describe, expect, it } from 'vitest'
import { createLake } from '#stand-ins/local-lake/index.ts'
import { withoutRevision } from '#stand-ins/local-lake/staging.ts'
import { act, mutate, openLake, temporaryFolder } from './support.ts'

const id = fc.constantFrom('a', 'b', 'drafts.a')
const text = fc.string({ unit: fc.constantFrom('a', 'é', '語', '🎁', ' '), maxLength: 40 })
const item = fc.record({ _key: fc.constantFrom('k1', 'k2', 'k3'), text })
const fields = fc.record({
  text,
  n: fc.integer(),
  list: fc.array(item, { maxLength: 3 }),
  deep: fc.record({ text }),
})

/** What an editor does all day; some of it cannot be at the moment, and is refused. */
const step = fc.oneof(
  fc.record({
    createOrReplace: fc.tuple(id, fields).map(([_id, more]) => ({ _id, _type: 'note', ...more })),
  }),
  fc.record({ delete: fc.record({ id }) }),
  fc.record({ patch: fc.record({ id, set: fc.record({ 'deep.text': text, text }) }) }),
  fc.record({ patch: fc.record({ id, unset: fc.constantFrom(['n'], ['list[0]'], ['deep']) }) }),
  fc.record({
    patch: fc.record({ id, insert: fc.record({ after: fc.constant('list[-1]'), items: fc.array(item) }) }),
  }),
  fc.constantFrom('publish' as const, 'unpublish' as const, 'discard' as const),
)

describe('any day’s work', () => {
  it('is the same after a restart, and can be told forwards and back by its effects alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
        const dir = await temporaryFolder()
        const lake = await createLake({ dir, openMode: true, historyBytes: 6_000 })
        for (const each of steps) {
          if (typeof each !== 'string') await mutate(lake, each)
          else
            await act(lake, {
              actionType: `sanity.action.document.${each}`,
              draftId: 'drafts.a',
              publishedId: 'a',
            })
        }
        const documents = new Map(
          [...lake.store.documents.values()].map(document => [document._id, document]),
        )
        await lake.close()

        const again = await openLake({ dir })
        expect(new Map([...again.store.documents.values()].map(each => [each._id, each]))).toEqual(documents)

        // Back to the beginning of what is kept, and forwards again.
        const records = again.store.entries().map(({ line }) => JSON.parse(line))
        const told = new Map<string, unknown>()
        for (const [name, document] of documents) told.set(name, withoutRevision(document))
        for (const { changes } of records.toReversed())
          for (const change of changes)
            told.set(change.id, applyPatch(told.get(change.id) ?? null, change.effects.revert))
        for (const { changes } of records)
          for (const change of changes)
            told.set(change.id, applyPatch(told.get(change.id), change.effects.apply))
        for (const [name, document] of told)
          expect(document).toEqual(withoutRevision(documents.get(name) ?? null))
        await again.close()
      }),
      { numRuns: 40 },
    )
    // Each step waits for the disk, some of which are slow.
  }, 180_000)
})
