import { AsyncLocalStorage } from 'node:async_hooks'
import childProcess from 'node:child_process'
import crypto, { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { fakeChance } from '../support/fake-chance.ts'

/** The process is gone: nothing that it was about to do happens any more. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** Work that waits for something that never comes. */
export class Stuck extends Error {
  override readonly name = 'Stuck'
}

/** A process of the simulation. Whatever runs in it (`inside`) dies with it at its next step. */
export class Life {
  readonly name: string
  isAlive = true
  /** Steps so far. */
  steps = 0
  /** Dies at this step. */
  diesAt = Number.POSITIVE_INFINITY
  /** Where it died, for the trace. */
  diedAt = ''
  /** No byte more fits on its disk. */
  isDiskFull = false

  constructor(name: string) {
    this.name = name
  }

  /** Counts a step. @throws Killed from the deadly one on */
  step(label: string): void {
    if (this.isAlive && ++this.steps >= this.diesAt) {
      this.isAlive = false
      this.diedAt = label
    }
    if (!this.isAlive) throw new Killed(this.name)
  }
}

const lives = new AsyncLocalStorage<Life>()

/** Runs work as part of a process. */
export const inside = <T>(life: Life, work: () => T): T => lives.run(life, work)

interface Timer {
  readonly at: number
  readonly seq: number
  readonly run: () => void
}

interface Ready {
  readonly label: string
  readonly run: () => void
}

/** So many steps without an end are one that never comes. */
const MOST_STEPS = 400_000
/** What is begun is over after this, faults or not. */
const LONGEST_MS = 2 * 3_600_000

const realImmediate = timers.setImmediate
const realNow = performance.now.bind(performance)

/** Lets everything that waits for nobody go on: promises, ticks. */
const drain = (): Promise<void> => new Promise(resolve => realImmediate(resolve))

/** The time that really passes, in ms: for the report alone. */
export const realMs = (): number => realNow()

/**
 * The one machine that everything runs on: its time stands still unless `until` or `advanceTo` moves it, its chance is
 * the seed's, and where work waits, the seed says who goes on.
 */
class Machine {
  /** Epoch ms of true time; each server's clock may differ from it. */
  now = 0
  /** How many of the points at which somebody else could go on are such points: 0 none, 1 all. */
  heat = 0
  /** What happened, as one digest. */
  #trace = createHash('sha256')
  #choose = fakeChance(1)
  #draw = fakeChance(2)
  #ready: Ready[] = []
  #timers: Timer[] = []
  #seq = 0

  /** Begins anew at an instant. */
  reset(now: number): void {
    this.now = now
    this.#ready = []
    this.#timers = []
    this.#seq = 0
    this.#trace = createHash('sha256')
  }

  /** From here on, choices and draws are those of this text alone. */
  seed(text: string): void {
    const bytes = createHash('sha256').update(text).digest()
    this.#choose = fakeChance(bytes.readUInt32LE(0))
    this.#draw = fakeChance(bytes.readUInt32LE(4))
  }

  note(line: string): void {
    this.#trace.update(line).update('\n')
  }

  digest(): string {
    return this.#trace.copy().digest('hex').slice(0, 32)
  }

  /** A number in [0, 1) that decides who goes on, or what fails. */
  chance(): number {
    return this.#choose()
  }

  /** Bytes that look random. */
  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count)
    for (let n = 0; n < count; n++) bytes[n] = Math.floor(this.#draw() * 256)
    return bytes
  }

  /** A number in [0, 1) for the product. */
  drawn(): number {
    return this.#draw()
  }

  /** A point at which the process can die, and somebody else can go on first. */
  async point(label: string): Promise<void> {
    const life = lives.getStore()
    life?.step(label)
    if (this.heat === 0 || this.#choose() >= this.heat) return
    await this.#turn(`${life?.name ?? '-'} ${label}`)
    life?.step(label)
  }

  /** The same, where somebody else always can. */
  async rest(label: string): Promise<void> {
    lives.getStore()?.step(label)
    await this.#turn(label)
    lives.getStore()?.step(label)
  }

  #turn(label: string): Promise<void> {
    return new Promise(run => this.#ready.push({ label, run }))
  }

  /** Has `run` called when its turn has come. */
  push(label: string, run: () => void): void {
    this.#ready.push({ label, run })
  }

  /** Has `run` called after so many ms of true time. @returns what takes that back */
  after(ms: number, run: () => void): () => void {
    const timer = { at: this.now + Math.max(0, Math.ceil(Number(ms)) || 0), seq: this.#seq++, run }
    const place = this.#timers.findLastIndex(({ at }) => at <= timer.at) + 1
    this.#timers.splice(place, 0, timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }

  /** Runs until this work has ended and everybody rests. @throws Stuck when it never does; what the work throws */
  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    const begun = this.now
    for (let steps = 0; ; steps++) {
      await drain()
      if (this.#ready.length > 0) this.#go()
      else if (isOver) return work
      else {
        const timer = this.#timers.shift()
        if (timer === undefined) throw new Stuck('nobody goes on, and nothing is waited for')
        this.now = Math.max(this.now, timer.at)
        timer.run()
      }
      if (steps > MOST_STEPS || this.now - begun > LONGEST_MS) throw new Stuck('it does not end')
    }
  }

  #go(): void {
    const { length } = this.#ready
    const place = length === 1 ? 0 : Math.floor(this.#choose() * length)
    const [next] = this.#ready.splice(place, 1)
    this.#trace.update(`${place}/${length} ${next!.label};`)
    next!.run()
  }

  /** Lets true time pass. */
  async advanceTo(instant: number): Promise<void> {
    for (;;) {
      await drain()
      if (this.#ready.length > 0) {
        this.#go()
        continue
      }
      const timer = this.#timers[0]
      if (timer === undefined || timer.at > instant) break
      this.#timers.shift()
      this.now = Math.max(this.now, timer.at)
      timer.run()
    }
    this.now = Math.max(this.now, instant)
  }
}

export const machine: Machine = new Machine()

/** What a process of its own is asked, and answers. */
export type Answer = (asked: unknown) => Promise<unknown>

/**
 * Puts the machine in the place of everything of Node that differs from run to run: chance, time, timers, files that
 * other threads read, and processes. Nothing of the product knows of it.
 * @param answer does what the reports' process of its own does
 */
export function install(answer: Answer): void {
  Object.assign(crypto, {
    randomBytes: (count: number) => machine.bytes(count),
    randomUUID: uuid,
    randomInt: (low: number, high?: number) => {
      const [from, to] = high === undefined ? [0, low] : [low, high]
      return from + Math.floor(machine.drawn() * (to - from))
    },
  })
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: uuid })
  Object.defineProperty(globalThis.crypto, 'getRandomValues', {
    value(array: Uint8Array) {
      array.set(machine.bytes(array.length))
      return array
    },
  })
  Math.random = () => machine.drawn()
  Date.now = () => machine.now
  performance.now = () => machine.now
  installTimers()
  installFiles()
  Object.assign(childProcess, { fork: () => processOf(answer) })
  syncBuiltinESMExports()
}

function uuid(): string {
  const hex = machine.bytes(16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

function installTimers(): void {
  type Call = (...args: unknown[]) => void
  /** As Node's own: it can be told to keep no process alive. */
  const handle = (stop: () => void) => {
    const it = { stop, ref: () => it, unref: () => it, hasRef: () => true, refresh: () => it }
    return Object.assign(it, { [Symbol.toPrimitive]: () => 0, close: stop, [Symbol.dispose]: stop })
  }
  const setTimeout = (run: Call, ms = 0, ...args: unknown[]) => handle(machine.after(ms, () => run(...args)))
  const setInterval = (run: Call, ms = 0, ...args: unknown[]) => {
    let stop = () => {}
    const again = () => {
      stop = machine.after(Math.max(1, ms), () => {
        again()
        run(...args)
      })
    }
    again()
    return handle(() => stop())
  }
  const setImmediate = (run: Call, ...args: unknown[]) => {
    let isStopped = false
    machine.push('immediate', () => isStopped || run(...args))
    return handle(() => {
      isStopped = true
    })
  }
  const clear = (it?: { stop?: () => void }) => it?.stop?.()
  const all = { setTimeout, setInterval, setImmediate }
  const clears = { clearTimeout: clear, clearInterval: clear, clearImmediate: clear }
  Object.assign(timers, all, clears)
  Object.assign(globalThis, all, clears)
  AbortSignal.timeout = () => new AbortController().signal

  type Options = { readonly signal?: AbortSignal }
  const wait = (ms = 0, value?: unknown, { signal }: Options = {}) =>
    new Promise((resolve, reject) => {
      const aborted = () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }))
      if (signal?.aborted) return aborted()
      const stop = machine.after(ms, () => {
        signal?.removeEventListener('abort', onAbort)
        resolve(value)
      })
      const onAbort = () => {
        stop()
        aborted()
      }
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  Object.assign(timersPromises, {
    setTimeout: wait,
    setImmediate: (value?: unknown) => machine.rest('turn').then(() => value),
    async *setInterval(ms = 0, value?: unknown, options: Options = {}) {
      for (;;) yield await wait(ms, value, options)
    },
  })
}

/** The calls of the files that the product uses. */
const FILES = [
  'access',
  'mkdir',
  'readFile',
  'readdir',
  'rename',
  'rm',
  'stat',
  'utimes',
  'writeFile',
] as const
const WRITES: readonly string[] = ['mkdir', 'rename', 'writeFile']

function installFiles(): void {
  const before = async (call: string) => {
    await machine.point(`file ${call}`)
    if (lives.getStore()?.isDiskFull && WRITES.includes(call))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  for (const call of FILES) {
    const sync = fs[`${call}Sync`] as (...args: unknown[]) => unknown
    Object.assign(fsPromises, {
      [call]: async (...args: unknown[]) => {
        await before(call)
        return sync(...args)
      },
    })
  }
  Object.assign(fsPromises, {
    async open(path: string, flags: string, mode?: number) {
      await before('open')
      const file = fs.openSync(path, flags, mode)
      return {
        async writeFile(content: string | Uint8Array) {
          await before('writeFile')
          fs.writeFileSync(file, content)
        },
        sync: () => before('sync'),
        readFile: async () => fs.readFileSync(file),
        // The system closes what a dead process had open.
        close: async () => fs.closeSync(file),
      }
    },
  })
}

/** A process of its own that answers one question, inside this one. */
function processOf(answer: Answer): EventEmitter {
  const child = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: () => true,
    send(asked: unknown) {
      answer(asked).then(
        said => {
          child.emit('message', said)
          child.emit('close', 0, null)
        },
        () => child.emit('close', 1, null),
      )
    },
  })
  return child
}
