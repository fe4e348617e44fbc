import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_LIST, MOST_OF_MANY } from '#domain/card/gift-rows.ts'
import { readPlainWords } from '#domain/text/plain-words.ts'
import { decodeList, readGiftList } from '#server/http/pipeline/read-list.ts'
import { count } from '#tests/support/counts.ts'

const CASES = count({ usual: 200, long: 5000 })

const rowsOf = (text: string) => readGiftList(text).rows.map(({ name, words }) => [name, words])
const faultsOf = (text: string) => readGiftList(text).bad.map(({ line, fault }) => [line, fault])

describe('a list of recipients', () => {
  it.each([
    ['tabs', '\t'],
    ['semicolons', ';'],
    ['commas', ','],
  ])('is read with %s between the columns', (_, separator) => {
    const text = `Ana${separator}¡Felicidades!\n\nJosé María\n${separator}Solo un texto\n`
    expect(rowsOf(text)).toEqual([
      ['Ana', '¡Felicidades!'],
      ['José María', null],
      [null, 'Solo un texto'],
    ])
  })

  it('may be of names alone, with empty lines and the line ends of any system', () => {
    expect(rowsOf('Ana\r\n\r\n  Luis \rMarta\n;;\n')).toEqual([
      ['Ana', null],
      ['Luis', null],
      ['Marta', null],
    ])
  })

  it('keeps what stands between quotes whole, as one line', () => {
    expect(rowsOf('"Soler, Ana","Con ""cariño"",\nde todos"\nLuis,hola')).toEqual([
      ['Soler, Ana', 'Con "cariño", de todos'],
      ['Luis', 'hola'],
    ])
    expect(rowsOf('Luis "el Rubio",hola\n"Ana","a, b"')).toEqual([
      ['Luis "el Rubio"', 'hola'],
      ['Ana', 'a, b'],
    ])
  })

  it.each([
    ['Nombre;Texto\nAna;Hola', 'Ana', 'Hola'],
    ['\uFEFFname,message\nAna,Hola', 'Ana', 'Hola'],
    ['Texte\tNom\nHola\tAna', 'Ana', 'Hola'],
  ])('takes the first line for no card where it names the columns: %j', (text, name, words) => {
    expect(rowsOf(text)).toEqual([[name, words]])
  })

  it('takes the separator that stands in most lines', () => {
    expect(rowsOf('Soler, Ana;Hola\nLuis;Un beso, y otro')).toEqual([
      ['Soler, Ana', 'Hola'],
      ['Luis', 'Un beso, y otro'],
    ])
  })

  it('names every line that cannot stay, by its number, and keeps the others', () => {
    const text = [
      'nombre,texto',
      'Ana,Hola',
      '',
      `${'n'.repeat(81)},Hola`,
      'Luis,Mira www.example.com',
      'ana@example.com,Hola',
      'Marta,Llámame al 612 345 678',
      `Pau,${'t'.repeat(301)}`,
      'Joan,Hola,amigo',
      'www.example.com',
      'Eva,Adiós',
    ].join('\n')
    expect(faultsOf(text)).toEqual([
      [4, 'name-too-long'],
      [5, 'words-link'],
      [6, 'name-address'],
      [7, 'words-telephone'],
      [8, 'words-too-long'],
      [9, 'columns'],
      [10, 'name-link'],
    ])
    expect(rowsOf(text)).toEqual([
      ['Ana', 'Hola'],
      ['Eva', 'Adiós'],
    ])
    expect(readGiftList(text).bad.map(({ text: typed }) => typed)).toEqual(text.split('\n').slice(3, 10))
  })

  it('counts the lines behind a text of several', () => {
    expect(faultsOf('Ana,"Hola\na todos"\n\nLuis,www.example.com')).toEqual([[4, 'words-link']])
  })

  it('names the line of a quote that is not closed, and reads what follows', () => {
    const text = 'Ana,"Hola\nLuis,Adiós\n"Marta",Hasta pronto'
    expect(faultsOf(text)).toEqual([[1, 'quotes']])
    expect(rowsOf(text)).toEqual([
      ['Luis', 'Adiós'],
      ['Marta', 'Hasta pronto'],
    ])
  })

  it('reads back what a program has written, with any separator', () => {
    const cell = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .filter(text => 'words' in readPlainWords(text, 80))
      .map(text => (readPlainWords(text, 80) as { words: string | null }).words)
    const row = fc.tuple(cell, cell).filter(([name, words]) => name !== null || words !== null)
    const list = fc.array(row, { minLength: 1, maxLength: 20 })
    const quoted = (text: string | null) => `"${(text ?? '').replaceAll('"', '""')}"`
    fc.assert(
      fc.property(
        list,
        fc.constantFrom('\t', ';', ','),
        fc.constantFrom('\n', '\r\n'),
        (rows, between, end) => {
          const lines = [['name', 'text'], ...rows].map(cells => cells.map(quoted).join(between))
          // The separator stands in each line; another one stands in some.
          expect(rowsOf(`${lines.join(end)}${end}`)).toEqual(rows)
        },
      ),
      { numRuns: CASES },
    )
  })

  it('says of each line of any text either a card or what is wrong, and never fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        const { rows, bad } = readGiftList(text)
        for (const { name, words } of rows) expect(name ?? words).not.toBeNull()
        for (const { line } of bad) expect(line).toBeGreaterThan(0)
      }),
      { numRuns: CASES },
    )
  })

  it('is read in time that grows as it does', () => {
    const most = '"\n'.repeat(LONGEST_LIST / 2)
    expect(readGiftList(most).rows.length).toBeLessThanOrEqual(1000)
    expect(rowsOf('Ana,Hola\n'.repeat(5000))).toHaveLength(1000)
  })

  it('is read where it is as long as one can be, and not at all where it is longer', () => {
    const row = `${'𝒜'.repeat(80)};"${'𝒜'.repeat(300)}"`
    const whole = Array.from({ length: MOST_OF_MANY }, () => row).join('\r\n')
    expect(readGiftList(whole).rows).toHaveLength(MOST_OF_MANY)
    expect(readGiftList(','.repeat(LONGEST_LIST + 1))).toEqual({ rows: [], bad: [], isTooLong: true })
  })

  it.each([
    ['UTF-8', new TextEncoder().encode('José;Ñandú')],
    [
      'UTF-16',
      new Uint8Array([
        0xff,
        0xfe,
        ...new Uint8Array(Uint16Array.from([...'José;Ñandú'].map(c => c.charCodeAt(0))).buffer),
      ]),
    ],
    ['Windows-1252', Uint8Array.from([...'José;Ñandú'].map(c => c.charCodeAt(0)))],
  ])('is read from a file in %s', (_, bytes) => {
    expect(rowsOf(decodeList(bytes))).toEqual([['José', 'Ñandú']])
  })
})
