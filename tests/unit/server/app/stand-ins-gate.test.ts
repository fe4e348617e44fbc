import { describe, expect, it } from 'vitest'
import { type Admission, createGate, mountAll } from '#server/app/stand-ins-gate.ts'
import type { Audience } from '#server/http/transport/mounts.ts'

const LAN = '192.168.1.7'
const AUDIENCES: readonly Audience[] = ['buyers', 'studio', 'operator']

interface Setup {
  readonly site?: string
  readonly login?: 'open' | 'token' | 'closed'
  readonly production?: boolean
  readonly demonstration?: boolean
}

function gateOf({
  site = 'http://localhost:4321',
  login = 'open',
  production = false,
  demonstration = false,
}: Setup) {
  const isOperator = async (headers: Headers) => headers.get('cookie') === 'operator=session'
  return createGate({ site: new URL(site), operator: { login, isOperator }, production, demonstration })
}

interface Asked {
  readonly host?: string
  readonly address?: string | undefined
  readonly headers?: Record<string, string>
}

/** What every stand-in says: to buyers, to the Studio, to whoever reads the mails. */
function said(setup: Setup, { host = 'localhost:4321', address = '127.0.0.1', headers = {} }: Asked) {
  const gate = gateOf(setup)
  const sender = { address, visitor: address }
  return Promise.all(
    AUDIENCES.map(audience => gate.admit(audience, new Headers({ host, ...headers }), sender)),
  )
}

const all = (admission: Admission) => AUDIENCES.map(() => admission)

describe('a stand-in on a machine of one’s own', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('answers to it at %s', async address => {
    for (const host of ['localhost:4321', '127.0.0.1:4321', '[::1]:4321'])
      expect(await said({}, { host, address })).toEqual(all('welcome'))
  })

  it.each([LAN, '::ffff:192.168.1.7', 'fe80::1', '203.0.113.9', ''])(
    'answers to nobody at %s, whatever name is written and wherever it listens',
    async address => {
      for (const host of ['localhost', 'localhost:4321', '127.0.0.1', '[::1]'])
        expect(await said({}, { host, address })).toEqual(all('another-machine'))
      const site = 'http://192.168.1.5:4321'
      expect(await said({ site }, { host: '192.168.1.5:4321', address })).toEqual(all('another-machine'))
    },
  )

  it.each([
    ['x-forwarded-for', LAN],
    ['forwarded', 'for=192.168.1.7'],
    ['x-real-ip', LAN],
    ['via', '1.1 proxy'],
    ['cf-connecting-ip', LAN],
  ])('answers to nobody whom a proxy on it brings, by its %s', async (name, value) => {
    expect(await said({}, { headers: { [name]: value } })).toEqual(all('another-machine'))
  })

  it.each(['evil.example', 'localhost.evil.example', 'evil.localhost', 'a b'])(
    'is not there under the name %s',
    async host => {
      expect(await said({}, { host })).toEqual(all('wrong-name'))
      expect(await said({ demonstration: true, login: 'token' }, { host })).toEqual(all('wrong-name'))
    },
  )

  it.each(['cross-site', 'same-site'])('is no part of a %s page, and may be linked to', async site => {
    const as = (dest: string) => said({}, { headers: { 'sec-fetch-site': site, 'sec-fetch-dest': dest } })
    for (const dest of ['image', 'iframe', 'script', 'empty', 'object'])
      expect(await as(dest)).toEqual(['another-page', 'welcome', 'another-page'])
    expect(await as('document')).toEqual(all('welcome'))
  })

  it('shows a public name of the site its payment page alone: a tunnel may say nothing of itself', async () => {
    const asked = { host: 'gift.example' }
    expect(await said({ site: 'http://gift.example' }, asked)).toEqual([
      'welcome',
      'another-machine',
      'another-machine',
    ])
  })

  it('takes a name below localhost for its own when the site is called so', async () => {
    const asked = { host: 'gifts.localhost:4321' }
    expect(await said({ site: 'http://gifts.localhost:4321' }, asked)).toEqual(all('welcome'))
  })
})

describe('a stand-in in a demonstration', () => {
  const setup: Setup = { site: 'https://demo.example', production: true, demonstration: true, login: 'token' }
  const asked = { host: 'demo.example', address: LAN }

  it('lets buyers pay, the Studio ask for its login, and nobody read the mails', async () => {
    const said3 = ['welcome', 'welcome', 'not-logged-in']
    expect(await said(setup, asked)).toEqual(said3)
    expect(await said(setup, { ...asked, headers: { 'x-forwarded-for': LAN } })).toEqual(said3)
  })

  it('shows the mails to the operator who has logged in', async () => {
    const headers = { cookie: 'operator=session' }
    expect(await said(setup, { ...asked, headers })).toEqual(all('welcome'))
  })

  it('does not believe that whoever a silent proxy brings sits at the machine', async () => {
    expect(await said(setup, { host: 'localhost:4321' })).toEqual(['welcome', 'welcome', 'not-logged-in'])
    expect((await said({ ...setup, login: 'closed' }, { host: 'localhost:4321' }))[2]).toBe('not-logged-in')
  })
})

describe('a mount behind the gate', () => {
  const mount = { matches: () => true, handle: async () => new Response('the mails') }
  const ask = (audience: Audience, address: string) => {
    const [mounted] = mountAll([{ ...mount, audience }], gateOf({}))
    const request = new Request('http://localhost:4321/', { headers: { host: 'localhost:4321' } })
    return mounted!.handle(request, { address, visitor: address })
  }

  it.each(AUDIENCES)('for %s is not asked at all by whoever may not come in', async audience => {
    expect(await (await ask(audience, '127.0.0.1')).text()).toBe('the mails')
    const refused = await ask(audience, LAN)
    expect(refused.status).toBe(403)
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(await refused.text()).not.toContain('the mails')
  })

  it('for visitors is a part of the site', async () => {
    expect((await ask('visitors', LAN)).status).toBe(200)
  })
})
