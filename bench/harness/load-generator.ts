import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Work {
  readonly url: string
  /** Asked for in turn. */
  readonly paths: readonly string[]
  readonly seconds: number
}

/** Keeps 32 connections busy; gives the number of answers. @throws Error when one of them is not a 200 */
export type LoadGenerator = (work: Work) => Promise<number>

const WRK = '/usr/bin/wrk'
const CONNECTIONS = 32
const ENCODINGS = 'br, gzip'

/** `wrk` where it is installed, else this process. */
export const generateLoad: LoadGenerator = work => (existsSync(WRK) ? withWrk(work) : withNode(work))

async function withWrk({ url, paths, seconds }: Work): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-wrk-'))
  const script = join(folder, 'requests.lua')
  writeFileSync(script, requestsInLua(paths))
  try {
    const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url]
    const { stdout } = await promisify(execFile)(WRK, options)
    const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1]
    if (refused !== undefined) throw new Error(`${refused} answers of ${url}${paths[0]} were refusals`)
    return Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every request comes from another visitor, as a proxy would say it. */
const requestsInLua = (paths: readonly string[]): string => `
local paths = { ${paths.map(path => JSON.stringify(path)).join(', ')} }
local n = 0
request = function()
  n = n + 1
  local visitor = '10.' .. math.floor(n / 65536) % 256 .. '.' .. math.floor(n / 256) % 256 .. '.' .. n % 256
  return wrk.format('GET', paths[n % #paths + 1], { ['Accept-Encoding'] = '${ENCODINGS}', ['X-Forwarded-For'] = visitor })
end
`

async function withNode({ url, paths, seconds }: Work): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const until = performance.now() + seconds * 1_000
  let count = 0
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const visitor = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
      const headers = { 'Accept-Encoding': ENCODINGS, 'X-Forwarded-For': visitor }
      get(url + paths[count++ % paths.length], { agent, headers }, response => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
        response.on('end', resolve).resume()
      }).on('error', reject)
    })
  const visitor = async (): Promise<void> => {
    while (performance.now() < until) await ask()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, visitor))
  agent.destroy()
  return count
}
