import { expect, it } from 'vitest'
import { buyCard } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'

const { product } = await openProduct({ METRICS_PORT: '0' })
const said = product.output().split('\n')
const { port } = JSON.parse(said.find(line => line.includes('"event":"metrics"')) ?? '{}') as {
  port?: number
}
const metrics = `http://127.0.0.1:${port}`

it('counts what the site does, at an address of its own, and no label holds a key or an address', async () => {
  const card = await buyCard(product)
  await call(`${product.url}/gift-card/${card.privateKey}/introduction-1/final`)
  await call(`${product.url}/es?email=${card.email}`)
  await call(`${product.url}/${card.publicKey}`)
  const { status, headers, text } = await call(`${metrics}/metrics`)
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('text/plain')
  expect(text).toMatch(/^gifts_requests_total\{route="card",status="200"\} 1$/m)
  expect(text).toMatch(/^gifts_request_seconds_count\{route="page"\} [2-9]/m)
  expect(text).toMatch(/^gifts_cards\{status="active"\} 1$/m)
  expect(text).toMatch(/^gifts_mails\{state="givenUp"\} 0$/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(text).toMatch(/^process_resident_memory_bytes /m)
  for (const secret of [
    card.privateKey,
    card.publicKey,
    card.sessionId,
    card.email,
    encodeURIComponent(card.email),
  ])
    expect(text).not.toContain(secret)
})

it('is not where visitors are', async () => {
  expect((await call(`${product.url}/metrics`)).text).not.toContain('gifts_')
  expect((await call(`${metrics}/`)).status).toBe(404)
  expect((await call(`${metrics}/metrics`, { method: 'POST' })).status).toBe(404)
})
