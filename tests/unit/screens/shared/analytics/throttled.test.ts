import { expect, it } from 'vitest'
import { throttled } from '#screens/shared/analytics/throttled.ts'

it('lets the first through at once, then one in a time, and always the last', () => {
  let time = 0
  let later: { readonly at: number; readonly act: () => void } | undefined
  const passed: [number, string][] = []
  const tell = throttled<string>(5_000, event => passed.push([time, event]), {
    now: () => time,
    later: (act, ms) => (later = { at: time + ms, act }),
  })
  const at = (moment: number, event?: string): void => {
    if (later && later.at <= moment) {
      const { at, act } = later
      time = at
      later = undefined
      act()
    }
    time = moment
    if (event) tell(event)
  }
  for (const [moment, event] of [
    [0, 'a'],
    [100, 'b'],
    [900, 'c'],
    [4_999, 'd'],
  ] as const)
    at(moment, event)
  at(6_000, 'e')
  at(30_000, 'f')
  at(60_000)
  expect(passed).toEqual([
    [0, 'a'],
    [5_000, 'd'],
    [10_000, 'e'],
    [30_000, 'f'],
  ])
})
