import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLake, type Lake } from '#stand-ins/local-lake/index.ts'
import { mutate, openLake, temporaryFolder } from './support.ts'

let dir: string
let file: string

beforeEach(async () => {
  dir = await temporaryFolder()
  file = join(await temporaryFolder(), 'seed.ndjson')
})

/** Opens the lake of this test with a seed of these documents, and closes the one before. */
let before: Lake | undefined
async function seeded(...documents: readonly object[]): Promise<Lake> {
  await before?.close()
  await writeFile(file, documents.map(document => JSON.stringify(document)).join('\n'))
  before = await openLake({ dir, seedFiles: [file] })
  return before
}

const ngo = (text: string) => ({ _id: 'ngo', _type: 'ngo', text })
const list = { _id: 'list', _type: 'list', of: { _ref: 'ngo' } }
const textOf = (lake: Lake) => lake.store.documents.get('ngo')?.text

describe('a seed', () => {
  it('goes in once', async () => {
    const entries = (await seeded(ngo('one'), list)).store.entries().length
    expect((await seeded(ngo('one'), list)).store.entries()).toHaveLength(entries)
  })

  it('that grows brings in what is new', async () => {
    await seeded(ngo('one'))
    expect((await seeded(ngo('one'), list)).store.documents.get('list')).toBeDefined()
  })

  it('that changes changes what nobody has touched', async () => {
    await seeded(ngo('one'))
    expect(textOf(await seeded(ngo('two')))).toBe('two')
  })

  it('never undoes what the operator has changed or deleted', async () => {
    await mutate(await seeded(ngo('one'), list), { patch: { id: 'ngo', set: { text: 'mine' } } })
    await mutate(before as Lake, { delete: { id: 'list' } })
    const lake = await seeded(ngo('two'), list)
    expect(textOf(lake)).toBe('mine')
    expect(lake.store.documents.get('list')).toBeUndefined()
  })

  it('gives way where it refers to what the operator has deleted', async () => {
    await mutate(await seeded(ngo('one')), { delete: { id: 'ngo' } })
    const lake = await seeded(ngo('one'), list, { _id: 'other', _type: 'note' })
    expect(lake.store.documents.get('list')).toBeUndefined()
    expect(lake.store.documents.get('other')).toBeDefined()
  })

  it.each([
    ['refers to what it does not hold', list, /references non-existent document "ngo"/],
    ['names a picture that is not there', { ...list, of: picture('image@file://./none.jpg') }, /none\.jpg/],
    [
      'names a picture elsewhere',
      { ...list, of: picture('image@https://a.org/b.jpg') },
      /is not an asset's file/,
    ],
  ])('for a new lake that %s is a mistake to see at start', async (_, document, message) => {
    await writeFile(file, JSON.stringify(document))
    await expect(createLake({ dir, seedFiles: [file] })).rejects.toThrow(message)
  })
})

function picture(_sanityAsset: string) {
  return { _type: 'image', _sanityAsset }
}
