import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveLedger } from '#server/modules/public-ledger/serve.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-ledger-served-'))
  mkdirSync(join(folder, 'ledger/tile/entries/000.p'), { recursive: true })
  writeFileSync(join(folder, 'secret'), 'secret')
  writeFileSync(join(folder, 'ledger/secret'), 'secret')
  writeFileSync(join(folder, 'ledger/checkpoint'), 'head\n')
  writeFileSync(join(folder, 'ledger/tile/entries/000.p/3'), 'lines')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ask = (path: string, method = 'GET') =>
  serveLedger(join(folder, 'ledger')).handle(new Request(`https://gifts.example${path}`, { method }))

describe('the files of the public ledger', () => {
  it('are served as they are: the head for seconds, a tile for ever', async () => {
    const head = await ask('/ledger/checkpoint')
    expect(await head.text()).toBe('head\n')
    expect(Object.fromEntries(head.headers)).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '5',
      'cache-control': 'public, max-age=5',
    })
    const tile = await ask('/ledger/tile/entries/000.p/3')
    expect(await tile.text()).toBe('lines')
    expect(Object.fromEntries(tile.headers)).toEqual({
      'content-type': 'application/octet-stream',
      'content-length': '5',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
  })

  it('are sent in a smaller coding where they are lines and the request accepts it', async () => {
    const accepted: (string | undefined)[] = []
    const { handle } = serveLedger(join(folder, 'ledger'), (bytes, accept) => {
      accepted.push(accept)
      return { encoding: 'br', bytes: bytes.subarray(1) }
    })
    const askBr = (path: string) =>
      handle(new Request(`https://gifts.example${path}`, { headers: { 'accept-encoding': 'br' } }))
    const tile = await askBr('/ledger/tile/entries/000.p/3')
    expect(tile.headers.get('content-encoding')).toBe('br')
    expect(tile.headers.get('content-length')).toBe('4')
    const head = await askBr('/ledger/checkpoint')
    expect(head.headers.get('content-encoding')).toBeNull()
    expect(accepted).toEqual(['br'])
  })

  it.each([
    '/ledger/',
    '/ledger/secret',
    '/ledger/tile/entries/000',
    '/ledger/tile/entries/000.p',
    '/ledger/tile/entries/000.p/4',
    '/ledger/tile/entries/000.p/3/4',
    '/ledger/tile/0/..%2f..%2f..%2fsecret',
    '/ledger/../secret',
    '/ledger/checkpoint/',
  ])('are no others: %s', async path => {
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('are read and never written', async () => {
    expect((await ask('/ledger/checkpoint', 'POST')).status).toBe(405)
    expect((await ask('/ledger/checkpoint', 'HEAD')).status).toBe(200)
  })

  it('lie below one address, which takes no page', () => {
    const { matches } = serveLedger(folder)
    expect(['/ledger/checkpoint', '/ledger', '/en/ledger', '/ledgers/'].map(matches)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
