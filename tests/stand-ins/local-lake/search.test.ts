import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { search } from '#stand-ins/local-lake/search.ts'
import { clientOf, openLake, SEED } from './support.ts'

let lake: Lake

beforeEach(async () => {
  lake = await openLake({ seedFiles: [SEED] })
})

/** As every list of the Studio asks. */
const listed = (text: string) =>
  clientOf(lake).fetch(
    '*[_type == "ngo" && ([@, _id] match text::query($__query) || references($__rawQuery))] | order(_id)._id',
    { __query: text, __rawQuery: text },
  )

describe('the search of the Studio', () => {
  it.each([
    ['médicos', ['ngo-msf']],
    ['MEDICOS*', ['ngo-msf']],
    ['medi', ['ngo-msf']],
    ['sin front', ['ngo-msf']],
    ['"sin fronteras"', ['ngo-msf']],
    ['"fronteras sin"', []],
    ['nobodyatall', []],
    ['', []],
  ])('for %s finds %j', async (text, ids) => {
    expect(await listed(text)).toEqual(ids)
  })

  it('finds everything for an asterisk alone', async () => {
    expect(await listed('*')).toHaveLength(7)
  })

  it('leaves out what has a word that must not be there', async () => {
    const found = await listed('united -doctors')
    expect(found).not.toContain('ngo-msf')
  })

  it('finds what refers to a document asked for by its name', async () => {
    const query = '*[_type == "ngoList" && ([@, _id] match text::query($q) || references($q))]._id'
    expect(await clientOf(lake).fetch(query, { q: 'ngo-msf' })).toEqual(['ngoList-2026'])
  })

  it('asked again with other words does not find what the first words found', async () => {
    expect(await listed('médicos')).toEqual(['ngo-msf'])
    expect(await listed('unicef')).toContain('ngo-unicef')
    expect(await listed('unicef')).not.toContain('ngo-msf')
  })

  it('puts the better matches first', async () => {
    const query = `*[_type == "ngo"] | score([@, _id] match text::query($q), boost(_id == $q, 5))
      | order(_score desc) [_score > 0] {_id, _score}`
    expect(await clientOf(lake).fetch(query, { q: 'ngo-msf' })).toMatchObject([{ _id: 'ngo-msf' }])
  })

  it('reads no operators into documents: a text may look like one', () => {
    const document = { _id: 'a', _type: 'note', text: 'a "quoted" -word' }
    expect(search([document], 'quoted word')).toEqual(['a'])
  })
})
