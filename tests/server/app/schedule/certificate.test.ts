import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { certificate } from '#server/app/schedule/certificate.ts'
import { lookAtCertificate } from '#server/platform/certificate.ts'
import { CREATED_AT } from '#tests/builders/server.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const DAY_MS = 24 * 3_600_000

async function lookAt(look: () => Promise<{ endsAt: number }>) {
  const log = quietLog()
  const job = certificate({ clock: fakeClock(CREATED_AT), log, host: 'gift.example', look })
  return { result: await job.run({ goOn: async () => {} }), alarms: log.events }
}
const coded = (code: string) => Object.assign(new Error(code), { code })

it('asks for nothing while the certificate holds for two weeks', async () => {
  expect(await lookAt(async () => ({ endsAt: CREATED_AT + 14 * DAY_MS }))).toEqual({
    result: { until: '2026-03-24' },
    alarms: [],
  })
})

it('alarms when it ends sooner, and when it is over', async () => {
  const near = await lookAt(async () => ({ endsAt: CREATED_AT + 14 * DAY_MS - 1 }))
  expect(near.alarms).toEqual(['certificate-ending'])
  const over = await lookAt(() => Promise.reject(coded('CERT_HAS_EXPIRED')))
  expect(over).toEqual({ result: { until: 'over' }, alarms: ['certificate-ending'] })
})

it('says nothing where the machine does not reach itself', async () => {
  const away = await lookAt(() => Promise.reject(coded('ECONNREFUSED')))
  expect(away).toEqual({ result: { 'not seen': 'ECONNREFUSED' }, alarms: [] })
})

it('is looked at where browsers get it, and what speaks no TLS has none', async () => {
  const server = createServer(socket =>
    socket
      .on('error', () => {})
      .resume()
      .end('no TLS here\n'),
  )
  await new Promise<void>(listening => server.listen(0, 'localhost', listening))
  const { port } = server.address() as { port: number }
  await expect(lookAtCertificate('localhost', port, 10_000)).rejects.toThrow()
  await new Promise(closed => server.close(closed))
})
