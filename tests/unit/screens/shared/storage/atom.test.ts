import { describe, expect, it } from 'vitest'
import { atom } from '#screens/shared/storage/atom.ts'

describe('a store', () => {
  it('tells of each change, and of nothing that is there already', () => {
    const store = atom('a')
    const heard: string[] = []
    store.listen(value => heard.push(value))
    store.set('a')
    store.set('b')
    expect(store.get()).toBe('b')
    expect(heard).toEqual(['b'])
  })

  it('begins with what there is for whoever subscribes, until they stop', () => {
    const store = atom(1)
    const heard: number[] = []
    const stop = store.subscribe(value => heard.push(value))
    store.set(2)
    stop()
    store.set(3)
    expect(heard).toEqual([1, 2])
  })

  it('says last what was set last, also when it is set while others are told', () => {
    const store = atom(0)
    const heard: number[] = []
    store.listen(value => {
      if (value === 1) store.set(2)
    })
    store.listen(value => heard.push(value))
    store.set(1)
    expect(heard).toEqual([2])
    expect(store.get()).toBe(2)
  })
})
