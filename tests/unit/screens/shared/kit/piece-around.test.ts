import { describe, expect, it } from 'vitest'
import { pieceAround } from '#screens/shared/kit/piece-around.ts'

const ADDRESS = 'b…r@example.org'

describe('the piece around an address', () => {
  it.each([
    [`Sent to ${ADDRESS}.`, 'Sent to ', `${ADDRESS}.`, ''],
    [`Sending to ${ADDRESS}…`, 'Sending to ', `${ADDRESS}…`, ''],
    [`Sent to ${ADDRESS}, and on its way.`, 'Sent to ', `${ADDRESS},`, ' and on its way.'],
    [`We wrote to ${ADDRESS} today.`, 'We wrote to ', ADDRESS, ' today.'],
    [`À ${ADDRESS}\u00a0: il part.`, 'À ', `${ADDRESS}\u00a0:`, ' il part.'],
  ])('of “%s” takes the signs that adjoin it along', (text, ...parts) => {
    expect(pieceAround(text, ADDRESS)).toEqual(parts)
  })

  it.each([
    ['a text without it', 'It has arrived.', ADDRESS],
    ['no address', 'It has arrived.', ''],
  ])('is nothing of %s', (_, text, address) => {
    expect(pieceAround(text, address)).toEqual([text, '', ''])
  })
})
