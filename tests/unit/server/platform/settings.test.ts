import { describe, expect, it } from 'vitest'
import { type Environment, readSettings, SettingsError } from '#server/platform/settings.ts'

const known = { version: '1.2.3', keepSecret: (name: string) => `kept-${name}` }
const read = (environment: Environment) => readSettings(environment, known)

function faultsOf(environment: Environment): readonly string[] {
  try {
    read(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.faults
    throw error
  }
  return []
}

const namesIn = (faults: readonly string[]): string[] => faults.map(fault => fault.split(' ')[0] ?? '').sort()

const complete: Environment = {
  NODE_ENV: 'production',
  SITE_URL: 'https://gift.example',
  CARD_KEY_SECRET: 'x'.repeat(32),
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  SANITY_PROJECT_ID: 'abc123',
  SMTP_URL: 'smtps://user:pass@mail.example',
  MAIL_FROM: 'Gifts <gifts@gift.example>',
  OPERATOR_MAIL: 'me@gift.example',
}

describe('settings outside production', () => {
  it('need nothing: stand-ins run, secrets are made and kept', () => {
    expect(read({})).toEqual({
      siteUrl: 'http://localhost:4321',
      host: '127.0.0.1',
      port: 4321,
      dataDir: '.data',
      cardKeySecret: 'kept-card-key-secret',
      webhookSecret: 'whsec_kept-webhook-secret',
      mail: { kind: 'files' },
      mailFrom: 'Keep the Chain <cards@localhost>',
      keepPersonsDays: 180,
      trustedProxies: [],
      localServices: true,
      demonstration: false,
      production: false,
      rateLimits: true,
      studio: true,
      version: '1.2.3',
    })
  })

  it('take an empty value for a missing one', () => {
    expect(read({ PORT: '', STRIPE_SECRET_KEY: ' ' })).toEqual(read({}))
  })

  it('follow the port in the address of the site', () => {
    expect(read({ PORT: '8080' }).siteUrl).toBe('http://localhost:8080')
  })

  it.each([
    ['::', 'http://localhost:4321'],
    ['0.0.0.0', 'http://localhost:4321'],
    ['::1', 'http://[::1]:4321'],
    ['192.0.2.1', 'http://192.0.2.1:4321'],
  ])('give a site that listens at %s the address %s', (host, siteUrl) => {
    expect(read({ HOST: host }).siteUrl).toBe(siteUrl)
    expect(URL.canParse(siteUrl)).toBe(true)
  })

  it('may lift the rate limits', () => {
    expect(read({ RATE_LIMITS: 'off' }).rateLimits).toBe(false)
  })

  it('split the trusted proxies', () => {
    expect(read({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual(['10.0.0.0/8', '::1'])
  })
})

describe('settings in production', () => {
  it('are read when all are there', () => {
    expect(read(complete)).toMatchObject({
      production: true,
      localServices: false,
      siteUrl: 'https://gift.example',
      stripe: { secretKey: 'sk_live_abc' },
      webhookSecret: 'whsec_abc',
      sanity: { projectId: 'abc123', dataset: 'production' },
      mail: { kind: 'smtp', url: 'smtps://user:pass@mail.example' },
      operatorMail: 'me@gift.example',
    })
  })

  it('refuse a start and name everything that is missing at once', () => {
    expect(namesIn(faultsOf({ NODE_ENV: 'production' }))).toEqual(
      Object.keys(complete)
        .filter(name => name !== 'NODE_ENV')
        .sort(),
    )
  })

  it.each(Object.keys(complete).filter(name => name !== 'NODE_ENV'))('refuse a start without %s', name => {
    expect(namesIn(faultsOf({ ...complete, [name]: undefined }))).toContain(name)
  })

  it('run stand-ins only when they are allowed, and still need the address of the site', () => {
    expect(namesIn(faultsOf({ NODE_ENV: 'production', LOCAL_SERVICES: 'allow' }))).toEqual(['SITE_URL'])
    expect(
      read({ NODE_ENV: 'production', LOCAL_SERVICES: 'allow', SITE_URL: 'http://localhost:4321' }),
    ).toMatchObject({
      production: true,
      localServices: true,
      cardKeySecret: 'kept-card-key-secret',
    })
  })

  it.each(['sk_live_abc', 'rk_live_abc'])('never run stand-ins beside the live key %s', key => {
    const allowed = { ...complete, LOCAL_SERVICES: 'allow', STRIPE_SECRET_KEY: key }
    expect(namesIn(faultsOf(allowed))).toEqual(['STRIPE_SECRET_KEY'])
    expect(namesIn(faultsOf({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'whsec_abc' }))).toEqual([
      'STRIPE_SECRET_KEY',
    ])
  })

  it('need the card secret itself where several processes share a database', () => {
    const shared = {
      LOCAL_SERVICES: 'allow',
      SITE_URL: 'https://gift.example',
      DATABASE_URL: 'postgres://db/gift',
    }
    expect(namesIn(faultsOf({ ...shared, NODE_ENV: 'production' }))).toEqual(['CARD_KEY_SECRET'])
    expect(namesIn(faultsOf(shared))).toEqual([])
  })

  it('refuse a short card secret, an address with a path, a plain-http address and lifted limits', () => {
    expect(namesIn(faultsOf({ ...complete, CARD_KEY_SECRET: 'short' }))).toEqual(['CARD_KEY_SECRET'])
    expect(namesIn(faultsOf({ ...complete, SITE_URL: 'https://gift.example/shop' }))).toEqual(['SITE_URL'])
    expect(namesIn(faultsOf({ ...complete, SITE_URL: 'http://gift.example' }))).toEqual(['SITE_URL'])
    expect(namesIn(faultsOf({ ...complete, RATE_LIMITS: 'off' }))).toEqual(['RATE_LIMITS=off'])
  })

  it('never say a secret', () => {
    const faults = faultsOf({ ...complete, LOCAL_SERVICES: 'allow', CARD_KEY_SECRET: 'tooshort' }).join()
    expect(faults).not.toContain('tooshort')
    expect(faults).not.toContain('sk_live_abc')
  })
})

it('settings name a wrong port and a wrong database', () => {
  expect(namesIn(faultsOf({ PORT: '80a', DATABASE_URL: 'mysql://db' }))).toEqual(['DATABASE_URL', 'PORT'])
})
