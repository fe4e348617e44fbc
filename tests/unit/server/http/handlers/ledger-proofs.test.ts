import { expect, it, vi } from 'vitest'
import { limitProofs } from '#server/http/handlers/ledger-proofs.ts'
import { serveLedger } from '#server/modules/public-ledger/serve.ts'
import { fakeApp } from '../fake-call.ts'

const SENDER = { address: '127.0.0.1', visitor: '192.0.2.7' }

function served(spent: Parameters<typeof fakeApp>[1] = {}) {
  const { app, uses } = fakeApp({}, spent)
  const handle = vi.fn(async () => new Response('text'))
  const mount = limitProofs({ ...serveLedger('/nowhere'), handle }, app)
  return {
    uses,
    handle,
    ask: (path: string) => mount.handle(new Request(`https://gifts.example/ledger/${path}`), SENDER),
  }
}

it('proofs of the public ledger count, under each name of it, and files do not', async () => {
  const { ask, uses } = served()
  for (const path of [
    'checkpoint',
    'tile/0/000.p/3',
    'tile/entries/000',
    '2/checkpoint',
    'proof/x',
    'proof/',
  ])
    await ask(path)
  expect(uses).toEqual([])
  for (const path of ['proof/0', 'growth/7', '2/proof/7', '31/growth/7']) await ask(path)
  expect(uses).toEqual(Array(4).fill(['ledger-proof', SENDER.visitor]))
})

it('no proof is made for whoever is over the limit, and the files are there', async () => {
  const { ask, handle } = served({ spent: ['ledger-proof'] })
  const answer = await ask('proof/0')
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(handle).not.toHaveBeenCalled()
  expect((await ask('checkpoint')).status).toBe(200)
})
