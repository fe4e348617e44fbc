import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, joined } from '#domain/public-ledger/bytes.ts'
import { readGrowth, readProof } from '#domain/public-ledger/proof.ts'
import { bundleOf } from '#domain/public-ledger/tiles.ts'
import { serveLedger } from '#server/modules/public-ledger/serve.ts'
import { filesOfLog, sha256, testSigner } from '#tests/support/public-log.ts'

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
    const { handle } = serveLedger(join(folder, 'ledger'), {
      async kept(name, bytes, accept) {
        accepted.push(`${relative(folder, name)} ${accept}`)
        return { encoding: 'br', bytes: bytes.subarray(1) }
      },
      now: bytes => ({ encoding: 'identity', bytes }),
    })
    const askBr = (path: string) =>
      handle(new Request(`https://gifts.example${path}`, { headers: { 'accept-encoding': 'br' } }))
    const tile = await askBr('/ledger/tile/entries/000.p/3')
    expect(tile.headers.get('content-encoding')).toBe('br')
    expect(tile.headers.get('content-length')).toBe('4')
    const head = await askBr('/ledger/checkpoint')
    expect(head.headers.get('content-encoding')).toBeNull()
    expect(accepted).toEqual(['ledger/tile/entries/000.p/3 br'])
  })

  it('are there for the head of before too, while those of the next one take their place', async () => {
    const entries = Array.from({ length: 256 }, (_, n) => bytesOf(`line ${n}`))
    const hashes = entries.map(each => sha256(each))
    mkdirSync(join(folder, 'ledger/tile/0'), { recursive: true })
    writeFileSync(join(folder, 'ledger/tile/0/007'), joined(...hashes))
    writeFileSync(join(folder, 'ledger/tile/entries/007'), bundleOf(entries))
    const bytesAt = async (path: string) => new Uint8Array(await (await ask(path)).arrayBuffer())
    expect(await bytesAt('/ledger/tile/0/007.p/9')).toEqual(joined(...hashes.slice(0, 9)))
    expect(await bytesAt('/ledger/tile/entries/007.p/9')).toEqual(bundleOf(entries.slice(0, 9)))
    expect((await ask('/ledger/tile/0/007.p/256')).status).toBe(404)
    expect((await ask('/ledger/tile/0/008.p/9')).status).toBe(404)
  })

  it('prove a line, and how the ledger grew, each in one text of the newest head', async () => {
    const texts = Array.from({ length: 300 }, (_, n) => `["line ${n}"]`)
    const made = join(folder, 'proving')
    for (const [path, bytes] of filesOfLog(testSigner('gifts.example/ledger'), texts)) {
      mkdirSync(dirname(join(made, path)), { recursive: true })
      writeFileSync(join(made, path), bytes)
    }
    const mount = serveLedger(made)
    const get = (path: string) => mount.handle(new Request(`https://gifts.example/ledger/${path}`))
    const proof = await get('proof/270')
    expect(Object.fromEntries(proof.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=5',
      vary: 'Accept-Encoding',
    })
    const { entry, index, hashes } = readProof(await proof.text())
    expect([entry, index, hashes.length]).toEqual(['["line 270"]', 270, 7])
    const growth = readGrowth(await (await get('growth/256')).text())
    expect([growth.older, growth.hashes.length]).toEqual([256, 1])
    for (const path of ['proof/300', 'growth/301', 'growth/0', 'proof/-1', 'proof/01', 'proof/1e3'])
      expect((await get(path)).status, path).toBe(404)
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
