import { describe, expect, it } from 'vitest'
import { readWords } from '#domain/answer/words.ts'
import { MOST_MESSAGE, readMessage } from '#domain/sender/message.ts'

describe('what a giver writes', () => {
  it('is one clean line of at most 300 characters, whatever they are', () => {
    expect(readMessage(' Para ti,\n con\tcariño ')).toEqual({ words: 'Para ti, con cariño' })
    expect(readMessage('שלום לך، سلام')).toEqual({ words: 'שלום לך، سلام' })
    expect(readMessage(' \u200b ')).toEqual({ words: null })
    expect(readMessage('😀'.repeat(MOST_MESSAGE))).toEqual({ words: '😀'.repeat(MOST_MESSAGE) })
    expect(readMessage('a'.repeat(MOST_MESSAGE + 1))).toEqual({ rule: 'too-long' })
  })

  it.each(['see example.org', 'me@example.org', 'me (at) example', '+34 600 00 00 00', 'Calle Mayor 12'])(
    'leads nowhere, by the rule of an answer: %j',
    written => {
      expect(readMessage(written)).toEqual(readWords(written))
      expect(readMessage(written)).toHaveProperty('rule')
    },
  )
})
