import { createServer } from 'node:http'
import { registerHooks } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Loaded before a server (`--import`): what lies outside of it, the payment provider, the content and the clock, can
 * then be broken from without, through a port of its own (FAULT_PORT). The server's own code is untouched: the
 * stand-ins that it would load are loaded in a wrapping.
 */
export type Reach = 'up' | 'down' | number

const reach: Record<'provider' | 'content', Reach> = { provider: 'up', content: 'up' }
let clockIsAheadMs = 0

/** The clock of everybody else. */
export const trueNow: () => number = Date.now

/** Does what is asked, late by so many ms, or fails as a network does; whoever asks may give up sooner. */
export async function reaching<T>(
  which: keyof typeof reach,
  { signal }: Request,
  work: () => Promise<T>,
): Promise<T> {
  const how = reach[which]
  if (how === 'down') throw new TypeError('fetch failed')
  if (typeof how === 'number') await wait(how, undefined, { ref: false, signal })
  return work()
}

const WRAPPED: Readonly<Record<string, string>> = {
  '#stand-ins/payments-double/index.ts': new URL('./broken-provider.ts', import.meta.url).href,
  '#stand-ins/local-lake/index.ts': new URL('./broken-lake.ts', import.meta.url).href,
}

registerHooks({
  resolve(specifier, context, next) {
    // Whoever asks, but the wrapping itself.
    const wrapping = !context.parentURL?.includes('/tests/support/faults/') && WRAPPED[specifier]
    return wrapping
      ? { url: wrapping, shortCircuit: true, format: 'module-typescript' }
      : next(specifier, context)
  },
})

globalThis.Date = new Proxy(Date, {
  construct: (target, given, maker) =>
    Reflect.construct(target, given.length > 0 ? given : [trueNow() + clockIsAheadMs], maker),
  get: (target, name, receiver) =>
    name === 'now' ? () => trueNow() + clockIsAheadMs : Reflect.get(target, name, receiver),
})

/** `?provider=down&content=10000&clock=3600000` */
const door = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  for (const which of ['provider', 'content'] as const) {
    const how = searchParams.get(which)
    if (how !== null) reach[which] = how === 'up' || how === 'down' ? how : Number(how)
  }
  const clock = searchParams.get('clock')
  if (clock !== null) clockIsAheadMs = Number(clock)
  response.end()
})
// The server's helpers load this too; the door is the server's alone.
door.on('error', () => {})
door.listen(Number(process.env.FAULT_PORT), '127.0.0.1').unref()
