import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { createLine } from '#server/http/pipeline/line.ts'

let now: number
let tokens: number
let asked: number[]
let spent: number
let wake: (() => void) | undefined
beforeEach(() => {
  now = 0
  tokens = 0
  asked = []
  spent = 0
  wake = undefined
})

const aLine = (perSecond = 2) =>
  createLine({
    perSecond,
    monotonic: () => now,
    onSpent: () => void spent++,
    tokens: {
      async take(wanted) {
        asked.push(wanted)
        const granted = Math.min(wanted, tokens)
        tokens -= granted
        return { granted, waitMs: 500 }
      },
    },
    sleep: () =>
      new Promise<void>(resolve => {
        wake = resolve
      }),
  })

/** The names of those whose turn came, in its order, and of those who were sent away. */
function visitors(line: ReturnType<typeof aLine>) {
  const told: string[] = []
  return {
    told,
    come(name: string, left: number) {
      line
        .turn(() => left)
        .then(
          () => told.push(name),
          error =>
            told.push(
              `not ${name}: ${error.code ?? error.message} ${error.details?.retryAfterSeconds ?? ''}`.trim(),
            ),
        )
    },
  }
}
const settle = async () => {
  for (let n = 0; n < 10; n++) await nextTurn()
}
/** Time passes, and so many tokens come. */
async function pass(ms: number, more: number) {
  now += ms
  tokens += more
  wake?.()
  await settle()
}

it('a new buyer goes before all who press at their limit, however long those wait already', async () => {
  const { told, come } = visitors(aLine())
  for (let n = 0; n < 100; n++) come(`presser ${n}`, 0.02)
  await settle()
  now = 1_000
  come('buyer', 0.98)
  await pass(500, 1)
  expect(told).toEqual(['buyer'])
  await pass(500, 2)
  expect(told).toEqual(['buyer', 'presser 0', 'presser 1'])
  expect(spent).toBeGreaterThan(0)
})

it('who presses on while they wait falls back with all that they have pressed', async () => {
  const line = aLine()
  const went: string[] = []
  let left = 1
  for (let n = 0; n < 40; n++) {
    left -= 1 / 60
    void line.turn(() => left).then(() => went.push('presser'))
  }
  now = 100
  void line.turn(() => 0.98).then(() => went.push('buyer'))
  await settle()
  await pass(500, 1)
  expect(went).toEqual(['buyer'])
})

it('who waits for too long is told when to come again, and takes no token', async () => {
  const { told, come } = visitors(aLine())
  for (let n = 0; n < 4; n++) come(`v${n}`, 1)
  await settle()
  now = 3_000
  come('later', 1)
  await pass(3_000, 1)
  expect(told.slice(0, 4).sort()).toEqual([
    'not v0: temporarily-unavailable 2',
    'not v1: temporarily-unavailable 2',
    'not v2: temporarily-unavailable 1',
    'not v3: temporarily-unavailable 1',
  ])
  expect(told.slice(4)).toEqual(['later'])
})

it('no more wait than the process can hold: those who have pressed most leave first', async () => {
  const { told, come } = visitors(aLine())
  come('presser', 0.1)
  for (let n = 0; n < 1_000; n++) come(`v${n}`, 1)
  await settle()
  expect(told).toEqual([expect.stringContaining('not presser: temporarily-unavailable')])
})

it('a process takes a quarter of a second’s turns ahead, for a second', async () => {
  tokens = 1_000
  const { told, come } = visitors(aLine(100))
  for (let n = 0; n < 25; n++) {
    come(`v${n}`, 1)
    await settle()
  }
  expect(told).toHaveLength(25)
  expect(asked).toEqual([25])
  come('one more', 1)
  await settle()
  now = 1_001
  come('a second later', 1)
  await settle()
  expect(asked).toEqual([25, 25, 25])
})

it('whoever waits hears what is wrong with the database', async () => {
  const line = createLine({
    perSecond: 1,
    monotonic: () => now,
    tokens: { take: async () => Promise.reject(new Error('away')) },
  })
  await expect(line.turn(() => 1)).rejects.toThrow('away')
  await expect(line.turn(() => 1)).rejects.toThrow('away')
})
