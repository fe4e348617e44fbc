import { expect, it } from 'vitest'
import { inGroups } from '#server/modules/gifts/cards/in-groups.ts'

/** Work that notes its groups and ends when told to. */
function watched(most: number) {
  const groups: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const ask = inGroups<number, number>(most, async group => {
    groups.push(group)
    await new Promise<void>(resolve => ends.push(resolve))
    if (group.includes(13)) throw new Error('unlucky')
    return group.map(each => each * 10)
  })
  const endNext = async () => {
    while (ends.length === 0) await new Promise(setImmediate)
    ends.shift()?.()
  }
  return { groups, ask, endNext }
}

it('serves who comes during a group in the next one, in the order of their coming', async () => {
  const { groups, ask, endNext } = watched(3)
  const first = ask(1)
  while (groups.length === 0) await new Promise(setImmediate)
  const others = [2, 3, 4, 5].map(ask)
  for (let ended = 0; ended < 3; ended++) await endNext()
  expect(await Promise.all([first, ...others])).toEqual([10, 20, 30, 40, 50])
  expect(groups).toEqual([[1], [2, 3, 4], [5]])
})

it('tells a whole group of its failure, and goes on with the next', async () => {
  const { ask, endNext } = watched(2)
  const outcomes = Promise.allSettled([ask(13), ask(2), ask(3)])
  for (let ended = 0; ended < 2; ended++) await endNext()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
