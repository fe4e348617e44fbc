import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MOST_WORDS, readWords } from '#domain/answer/words.ts'

describe('the line of an answer', () => {
  it.each([
    ['Gracias, me ha encantado.', 'Gracias, me ha encantado.'],
    ['  two\n lines\t and a tab\u0007 ', 'two lines and a tab'],
    ['turned \u202ereven\u202c round', 'turned reven round'],
    ['a\u200bb', 'ab'],
    [
      'We gave 20 to one and 30 to 2 more, on 24/12/2026. 100 %',
      'We gave 20 to one and 30 to 2 more, on 24/12/2026. 100 %',
    ],
    ['Le 01.02.2027, à 8 h 30 : merci', 'Le 01.02.2027, à 8 h 30 : merci'],
    ['A 3.5 of 5... really', 'A 3.5 of 5... really'],
    ['Nos vemos en la calle. Un beso', 'Nos vemos en la calle. Un beso'],
    ['Estoy a punto de llorar; el punto es que gracias', 'Estoy a punto de llorar; el punto es que gracias'],
    ['On the road again, thank you', 'On the road again, thank you'],
    ['👩‍👩‍👧‍👦 שלום سلام', '👩‍👩‍👧‍👦 שלום سلام'],
  ])('is kept as one clean line: %j', (written, words) => {
    expect(readWords(written)).toEqual({ words })
  })

  it.each(['', '  \n ', '\u200b\u202e', '\u2800'])('is none where nothing is seen: %j', written => {
    expect(readWords(written)).toEqual({ words: null })
  })

  it.each([
    'https://example.org/x',
    'see example.org',
    'www.example',
    'see ｅｘａｍｐｌｅ．ｏｒｇ',
    'see example。org',
    'exam\u200bple.o\u200brg',
    't.me/somebody',
    'javascript://x',
  ])('leads nowhere: %j', written => {
    expect(readWords(written)).toEqual({ rule: 'link' })
  })

  it.each([
    'me@example.org',
    'write to @somebody',
    'me＠example',
    'me (at) example',
    'me [arroba] ejemplo',
    'example dot com',
    'ejemplo punto com',
    'exemple point org',
    'Calle Mayor 12',
    'c/ Mayor, 12',
    'vivo en la avenida de América, nº 7',
    '12 Baker Street',
    '221b baker street, London',
    '12 bis rue de la Paix',
    'rue de la Paix, 12',
  ])('names no mailbox, account or house: %j', written => {
    expect(readWords(written)).toEqual({ rule: 'address' })
  })

  it.each([
    '600 123 456',
    '+34 600-12-34-56',
    '(555) 867-5309',
    '01.23.45.67.89',
    '01.23.45.67.89.20',
    '６００１２３４５６',
    '٦٠٠١٢٣٤٥٦',
    '6/0/0/1/2/3/4/5/6',
    '24/12/2026 600 123 456',
    '12/12/20261234',
    '6️⃣0️⃣0️⃣1️⃣2️⃣3️⃣4️⃣',
    'six 1 2 3 4 5 6 7',
  ])('has no telephone number: %j', written => {
    expect(readWords(written)).toEqual({ rule: 'telephone' })
  })

  it('has 200 characters at most, and is not cut', () => {
    expect(readWords('é'.repeat(MOST_WORDS))).toEqual({ words: 'é'.repeat(MOST_WORDS) })
    expect(readWords('🎁'.repeat(MOST_WORDS))).toEqual({ words: '🎁'.repeat(MOST_WORDS) })
    expect(readWords('é'.repeat(MOST_WORDS + 1))).toEqual({ rule: 'too-long' })
    expect(readWords('x'.repeat(100_000))).toEqual({ rule: 'too-long' })
    expect(readWords(` ${'é'.repeat(MOST_WORDS)} `)).toEqual({ words: 'é'.repeat(MOST_WORDS) })
  })

  it('reads the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), written => {
        const read = readWords(written)
        if ('rule' in read || read.words === null) return
        expect(readWords(read.words)).toEqual(read)
        expect([...read.words].length).toBeLessThanOrEqual(MOST_WORDS)
        expect(read.words).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  it('finds an address wherever it stands', () => {
    const around = fc.stringMatching(/^[a-záñ ,!]{0,40}$/)
    const forbidden = fc.constantFrom('https://a.example', 'me@example.org', '600123456', 'www.example.org')
    fc.assert(
      fc.property(around, forbidden, around, (before, middle, behind) => {
        expect(readWords(`${before} ${middle} ${behind}`)).toHaveProperty('rule')
      }),
    )
  })
})
