import { createInterface } from 'node:readline'
import { call } from './call.ts'

/** One rival in the race for cards: a process that sends its redemptions all at once when it is told to. */
export interface RaceWork {
  readonly requests: readonly { readonly url: string; readonly body: string }[]
  /** Asks again when it is told "later", as a visitor would. */
  readonly isPatient: boolean
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { requests, isPatient } = JSON.parse((await lines.next()).value ?? '') as RaceWork
process.stdout.write('ready\n')
await lines.next()
await Promise.all(
  requests.map(async ({ url, body }, index) => {
    const headers = { 'Content-Type': 'application/json' }
    const ask = () =>
      call(url, { method: 'POST', headers, body }).then(
        ({ status, text }) => `${status} ${text}`,
        (error: unknown) => `0 ${String(error)}`,
      )
    let said = await ask()
    while (isPatient && said.startsWith('503 ') && said.includes('"temporarily-unavailable"'))
      said = await ask()
    process.stdout.write(`${index} ${said}\n`)
  }),
)
process.stdout.write('done\n')
process.stdin.destroy()
