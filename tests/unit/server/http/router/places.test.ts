import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createPlaces } from '#server/http/router/places.ts'

const aResponse = () => new EventEmitter() as never

it('gives one visitor two places, and a third once one of them is answered', () => {
  const places = createPlaces()
  const first = aResponse()
  expect([places('a', first), places('a', aResponse()), places('a', aResponse())]).toEqual([
    true,
    true,
    false,
  ])
  ;(first as EventEmitter).emit('close')
  expect(places('a', aResponse())).toBe(true)
})

it('gives all visitors together twenty', () => {
  const places = createPlaces()
  const given = Array.from({ length: 30 }, (_, n) => places(`visitor ${n}`, aResponse()))
  expect(given.filter(Boolean)).toHaveLength(20)
})
