import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '#domain/limits/limits.ts'
import { settingsDocument } from '#server/platform/settings/document.ts'
import { placeholdersIn, placeholdersOfContent } from '#server/platform/settings/placeholders.ts'
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

/** As a machine draws them. */
const DRAWN = 'q3Zr8vXw0LkJ5nBt7yHc2mPd6sFgAeUi'

const namesIn = (faults: readonly string[]): string[] => faults.map(fault => fault.split(' ')[0] ?? '').sort()

const complete: Environment = {
  NODE_ENV: 'production',
  SITE_URL: 'https://gift.example',
  CARD_KEY_SECRET: DRAWN,
  STRIPE_SECRET_KEY: 'sk_live_4eC39HqLyjWDarjtT1zd',
  STRIPE_WEBHOOK_SECRET: 'whsec_9aZ2kLm4Qr7T',
  SANITY_PROJECT_ID: 'abc123',
  SMTP_URL: 'smtps://user:pass@mail.example',
  MAIL_FROM: 'Gifts <gifts@gift.example>',
  OPERATOR_MAIL: 'me@gift.example',
  OPERATOR_TOKEN: 'w8Rk2Lq9Zt4Xv6Bn',
}

describe('settings outside production', () => {
  it('need nothing: stand-ins run, secrets are made and kept', () => {
    expect(read({})).toEqual({
      siteUrl: 'http://localhost:4321',
      host: '127.0.0.1',
      invoiceAccounts: {},
      port: 4321,
      dataDir: '.data',
      cardKeySecret: 'kept-card-key-secret',
      earlierCardKeySecrets: [],
      ledgerKey: 'kept-ledger-key',
      earlierLedgerKeys: [],
      ledgerWitnesses: [],
      webhookSecret: 'whsec_kept-webhook-secret',
      mail: { kind: 'files' },
      mailFrom: 'Keep the Chain <cards@localhost>',
      withdrawalDays: 14,
      workers: 'here',
      keepPersonsDays: 180,
      trustedProxies: [],
      localServices: true,
      demonstration: false,
      production: false,
      sandbox: false,
      rateLimits: LIMITS,
      studio: true,
      version: '1.2.3',
    })
  })

  it('ask the real provider at a pace, and the local one at any', () => {
    const pace = (settings: Record<string, string>) => read(settings).providerPerSecond
    expect(pace({})).toBeUndefined()
    expect(pace({ PROVIDER_PER_SECOND: '5' })).toBe(5)
    expect(
      pace({
        STRIPE_SECRET_KEY: 'sk_test_dummy4eC39Hq',
        STRIPE_WEBHOOK_SECRET: 'whsec_4eC39HqLyjWDarjtT1zd',
      }),
    ).toBe(20)
    expect(() => read({ PROVIDER_PER_SECOND: '0' })).toThrow('PROVIDER_PER_SECOND')
  })

  it('let the operator set limits, and no others than there are', () => {
    const { rateLimits } = read({ LIMITS: 'gateway=80/12000, redeem=240' })
    expect(rateLimits).toMatchObject({ gateway: { uses: 80, together: 12_000 }, redeem: { uses: 240 } })
    expect(() => read({ LIMITS: 'gatway=80' })).toThrow('LIMITS must be limits')
  })

  it('name where a CDN is told, for all pages at once or for each', () => {
    for (const purgeUrl of ['https://cdn.example/purge', 'http://127.0.0.1:8080{path}'])
      expect(read({ CDN_PURGE_URL: purgeUrl }).cdn).toEqual({ purgeUrl })
    expect(() => read({ CDN_PURGE_URL: 'cdn.example/purge' })).toThrow('CDN_PURGE_URL must start with')
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
      stripe: { secretKey: 'sk_live_4eC39HqLyjWDarjtT1zd' },
      webhookSecret: 'whsec_9aZ2kLm4Qr7T',
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

  it.each(['sk_live_4eC39HqLyjWDarjtT1zd', 'rk_live_4eC39HqLyjWDarjtT1zd'])(
    'never run stand-ins beside the live key %s',
    key => {
      const allowed = { ...complete, LOCAL_SERVICES: 'allow', STRIPE_SECRET_KEY: key }
      expect(namesIn(faultsOf(allowed))).toEqual(['STRIPE_SECRET_KEY'])
      expect(
        namesIn(faultsOf({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'whsec_9aZ2kLm4Qr7T' })),
      ).toEqual(['STRIPE_SECRET_KEY'])
    },
  )

  it('need the card secret itself where several processes share a database', () => {
    const shared = {
      LOCAL_SERVICES: 'allow',
      SITE_URL: 'https://gift.example',
      DATABASE_URL: 'postgres://db/gift',
    }
    expect(namesIn(faultsOf({ ...shared, NODE_ENV: 'production' }))).toEqual(['CARD_KEY_SECRET'])
    expect(namesIn(faultsOf(shared))).toEqual([])
  })

  it('publish no ledger without a key of its own, which is another one than that of the cards', () => {
    expect(read(complete).ledgerKey).toBeUndefined()
    const own = 'Xw0LkJ5nBt7yHc2mPd6sFgAeUiq3Zr8v'
    expect(read({ ...complete, LEDGER_KEY: own }).ledgerKey).toBe(own)
    expect(namesIn(faultsOf({ ...complete, LEDGER_KEY: DRAWN }))).toEqual(['LEDGER_KEY'])
    expect(namesIn(faultsOf({ ...complete, LEDGER_KEY: 'short' }))).toEqual(['LEDGER_KEY'])
    expect(namesIn(faultsOf({ ...complete, LEDGER_KEY: 'a'.repeat(40) }))).toEqual(['LEDGER_KEY'])
  })

  it('keep earlier keys of the public ledger beside the one in use, which is none of them', () => {
    const [own, before] = ['Xw0LkJ5nBt7yHc2mPd6sFgAeUiq3Zr8v', 'Pd6sFgAeUiq3Zr8vXw0LkJ5nBt7yHc2m']
    expect(read({ LEDGER_KEY: own, LEDGER_KEY_EARLIER: before }).earlierLedgerKeys).toEqual([before])
    for (const wrong of [
      { LEDGER_KEY_EARLIER: before },
      { LEDGER_KEY: own, LEDGER_KEY_EARLIER: own },
      { LEDGER_KEY: own, LEDGER_KEY_EARLIER: 'short' },
    ])
      expect(namesIn(faultsOf(wrong))).toEqual(['LEDGER_KEY_EARLIER'])
  })

  it('name witnesses of the public ledger, each by its key and its address', () => {
    const key = 'witness.example/w+26e44a48+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'
    const other = 'witness.example/v+5316029e+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'
    const both = `${key} https://witness.example/w/, ${other} https://witness.example/v`
    const { ledgerWitnesses } = read({ LEDGER_WITNESSES: both })
    expect(ledgerWitnesses.map(({ text, address }) => [text, address])).toEqual([
      [key, 'https://witness.example/w'],
      [other, 'https://witness.example/v'],
    ])
    const asALog = key.replace('+BA', '+AQ')
    for (const wrong of [
      key,
      `${key} witness.example`,
      `${key} https://a ${key}`,
      `${key} https://a,${key} https://b`,
      `${asALog} https://a`,
    ])
      expect(namesIn(faultsOf({ LEDGER_WITNESSES: wrong })), wrong).toEqual(['LEDGER_WITNESSES'])
  })

  it('refuse a short card secret, an address with a path, a plain-http address and lifted limits', () => {
    expect(namesIn(faultsOf({ ...complete, CARD_KEY_SECRET: 'short' }))).toEqual(['CARD_KEY_SECRET'])
    expect(namesIn(faultsOf({ ...complete, SITE_URL: 'https://gift.example/shop' }))).toEqual(['SITE_URL'])
    expect(namesIn(faultsOf({ ...complete, SITE_URL: 'http://gift.example' }))).toEqual(['SITE_URL'])
    expect(namesIn(faultsOf({ ...complete, RATE_LIMITS: 'off' }))).toEqual(['RATE_LIMITS'])
  })

  it('never say a secret', () => {
    const faults = faultsOf({ ...complete, LOCAL_SERVICES: 'allow', CARD_KEY_SECRET: 'tooshort' }).join()
    expect(faults).not.toContain('tooshort')
    expect(faults).not.toContain('sk_live_4eC39HqLyjWDarjtT1zd')
  })
})

it('settings name a wrong port and a wrong database', () => {
  expect(namesIn(faultsOf({ PORT: '80a', DATABASE_URL: 'mysql://db' }))).toEqual(['DATABASE_URL', 'PORT'])
})

describe('wrong settings in production', () => {
  /** What a person may have written, the word the fault begins with, and what it says to write instead. */
  const WRONG: readonly (readonly [name: string, value: string, says: RegExp])[] = [
    ['STRIPE_SECRET_KEY', 'changeme', /starts with sk_live_ or rk_live_/],
    ['STRIPE_SECRET_KEY', 'sk_test_dummy4eC39Hq', /is a test key, .* set the live one/],
    ['STRIPE_SECRET_KEY', 'pk_live_4eC39HqLyjWDarjtT1zd', /secret key of the payment account/],
    ['STRIPE_SECRET_KEY', 'sk_test_4eC39HqLyjWD,sk_live_4eC39HqLyjWD', /starts with sk_live_ or rk_live_/],
    ['STRIPE_WEBHOOK_SECRET', 'changeme', /starts with whsec_/],
    ['SANITY_PROJECT_ID', 'Not A Project!', /small letters and figures, such as ab12cd34/],
    ['SANITY_DATASET', 'My Data', /name of a dataset, such as production/],
    ['SANITY_READ_TOKEN', 'a token', /one word without spaces/],
    ['SMTP_URL', 'smtp.example.org', /must start with smtps:\/\/ or smtp:\/\//],
    ['SMTP_URL', 'https://mail.gift.example', /must start with smtps:\/\//],
    ['MAIL_FROM', 'hello', /an e-mail address, or a name and an address/],
    ['OPERATOR_MAIL', 'nobody', /one e-mail address/],
    ['TRUSTED_PROXIES', 'everyone', /addresses or networks, .* such as 127\.0\.0\.1/],
    ['TRUSTED_PROXIES', '10.0.0.0/40', /addresses or networks/],
    ['CARD_KEY_SECRET', 'a'.repeat(40), /can be guessed: draw one by lot/],
    ['CARD_KEY_SECRET', 'changeme-'.repeat(5), /can be guessed/],
    ['CARD_KEY_SECRET', 'abacbbcaacbabcacbbacbabcacbaabccb', /can be guessed/],
    ['CARD_KEY_SECRET', DRAWN.slice(1), /is too short: at least 32/],
    ['CARD_KEY_SECRET_EARLIER', `${DRAWN}x,short`, /each of at least 32/],
    ['CARD_KEY_SECRET_EARLIER', DRAWN, /holds the secret that is in use/],
    ['OPERATOR_TOKEN', '', /is missing: what you log in with/],
    ['OPERATOR_TOKEN', 'changeme', /is too short: at least 16/],
    ['OPERATOR_TOKEN', 'aaaaaaaaaaaaaaaaaaaa', /can be guessed/],
    ['OPERATOR_TOKEN', DRAWN, /is the same as CARD_KEY_SECRET/],
    ['STRIPE_SECRTE_KEY', 'sk_live_4eC39HqLyjWDarjtT1zd', /did you mean STRIPE_SECRET_KEY\?/],
    ['KEEP_PERSONAL_DATA_DAY', '30', /did you mean KEEP_PERSONAL_DATA_DAYS\?/],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_live_4eC39HqLyjWDarjtT1zd', /is no setting: take it out/],
    ['SITE_URL', 'gift.example', /with its scheme and without a path/],
    ['SITE_URL', 'http://gift.example', /must start with https:\/\//],
    ['DATABASE_URL', 'mysql://user:hunter2hunter2@db/gift', /must start with postgres:\/\//],
    ['NODE_ENV', 'prod', /must be "production"/],
    ['PORT', '80a', /a number from 0 to 65535/],
    ['METRICS_PORT', '4321', /another port than PORT/],
    ['HOST', 'all of them', /an address to listen at/],
    ['KEEP_PERSONAL_DATA_DAYS', '0', /a number of days from 1 to 3650/],
    ['WITHDRAWAL_DAYS', '13', /a number of days from 14 to 30/],
    ['WITHDRAWAL_DAYS', '31', /a number of days from 14 to 30/],
    ['RATE_LIMITS', 'off', /not for production/],
    ['RATE_LIMITS', 'no', /must be "on" or "off"/],
    ['STUDIO', 'false', /must be "on" or "off"/],
    ['LOCAL_SERVICES', 'yes', /must be "allow"/],
  ]

  it.each(WRONG)(
    '%s=%s is refused by its name, with what to write instead, and without the value',
    (name, value, says) => {
      const faults = faultsOf({ ...complete, [name]: value })
      const own = faults.filter(fault => fault.split(' ')[0] === name)
      expect(own.length, faults.join('\n')).toBeGreaterThan(0)
      expect(own.join('\n')).toMatch(says)
      expect(faults.filter(fault => !own.includes(fault))).toEqual([])
      if (value.length >= 12) expect(faults.join('\n')).not.toContain(value)
    },
  )

  it('are refused all at once', () => {
    const once = new Map(WRONG.toReversed().map(([name, value]) => [name, value]))
    for (const name of ['NODE_ENV', 'LOCAL_SERVICES', 'METRICS_PORT', 'CARD_KEY_SECRET_EARLIER'])
      once.delete(name)
    const faults = faultsOf({ ...complete, ...Object.fromEntries(once) })
    expect(namesIn(faults)).toEqual([...once.keys()].sort())
    expect(faults.length).toBeGreaterThan(15)
  })

  it('are looked for in the settings file too, where nothing else belongs', () => {
    const path = '/srv/gifts/site/.env'
    const inFile = (...names: string[]) => {
      try {
        readSettings(complete, { ...known, file: { path, names } })
        return []
      } catch (error) {
        return (error as SettingsError).faults
      }
    }
    expect(inFile(...Object.keys(complete), 'TZ', 'NODE_OPTIONS', 'https_proxy')).toEqual([])
    expect(inFile('HOTS')).toEqual(['HOTS is no setting: did you mean HOST?'])
    expect(namesIn(inFile('MAILFROM', 'FAVOURITE_COLOUR'))).toEqual(['FAVOURITE_COLOUR', 'MAILFROM'])
  })

  it('do not count what others have set in the process', () => {
    expect(
      faultsOf({
        ...complete,
        HOME: '/root',
        HOSTNAME: 'gift',
        MAIL: '/var/mail/gifts',
        SANITY_AUTH_TOKEN: 'x',
      }),
    ).toEqual([])
  })

  it('do not lie in the folder of the data', () => {
    const refused = (path: string) => {
      try {
        readSettings({ ...complete, DATA_DIR: '/srv/gifts' }, { ...known, file: { path, names: [] } })
        return []
      } catch (error) {
        return namesIn((error as SettingsError).faults)
      }
    }
    expect(refused('/srv/gifts/site/.env')).toEqual(['DATA_DIR'])
    expect(refused('/srv/gifts-site/.env')).toEqual([])
  })

  it('with a test key are a rehearsal, which has to be said', () => {
    const rehearsal = {
      ...complete,
      STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zd',
      LOCAL_SERVICES: 'allow',
    }
    expect(read(rehearsal).stripe).toBeDefined()
  })
})

describe('the settings of a sandbox', () => {
  const sandbox = { NODE_ENV: 'production', SANDBOX: 'yes', SITE_URL: 'https://sandbox.gift.example' }

  it('need its address alone: everything else is a stand-in, which buyers elsewhere may use', () => {
    expect(read(sandbox)).toMatchObject({
      sandbox: true,
      demonstration: true,
      localServices: true,
      mail: { kind: 'files' },
    })
    expect(read({ SANDBOX: 'yes' }).sandbox).toBe(true)
    expect(namesIn(faultsOf({ ...sandbox, SITE_URL: undefined }))).toEqual(['SITE_URL'])
    expect(namesIn(faultsOf({ SANDBOX: 'no' }))).toEqual(['SANDBOX'])
  })

  it.each([
    ['STRIPE_SECRET_KEY', 'sk_live_4eC39HqLyjWDarjtT1zd'],
    ['STRIPE_SECRET_KEY', 'rk_test_4eC39HqLyjWDarjtT1zd'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_9aZ2kLm4Qr7T'],
    ['SANITY_PROJECT_ID', 'abc123'],
    ['SANITY_READ_TOKEN', 'skAbCdEfGhIjKlMnOpQr'],
    ['SANITY_WEBHOOK_SECRET', DRAWN],
    ['SANITY_AUTH_TOKEN', 'skAbCdEfGhIjKlMnOpQr'],
    ['SMTP_URL', 'smtps://user:pass@mail.example'],
    [
      'LEDGER_WITNESSES',
      'witness.example/w+26e44a48+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH https://witness.example/w/',
    ],
  ])('refuse to stand beside %s, in production or not, and say why without its value', (name, value) => {
    for (const place of [sandbox, { SANDBOX: 'yes' }]) {
      const faults = faultsOf({ ...place, [name]: value })
      expect(faults).toContainEqual(expect.stringContaining(`${name} must go where SANDBOX=yes: `))
      expect(faults.join()).not.toContain(value)
    }
  })

  it('refuse the address of the real site, as a copy of its file has it', () => {
    const copied = { ...sandbox, SITE_URL: 'https://gift.example', SANDBOX_URL: sandbox.SITE_URL }
    expect(namesIn(faultsOf(copied))).toEqual(['SITE_URL'])
    expect(faultsOf({ ...copied, SITE_URL: sandbox.SITE_URL })).toEqual([])
  })

  it('are named by the real site, at another host', () => {
    expect(read({ ...complete, SANDBOX_URL: sandbox.SITE_URL }).sandboxUrl).toBe(sandbox.SITE_URL)
    expect(namesIn(faultsOf({ ...complete, SANDBOX_URL: 'https://gift.example:444' }))).toEqual([
      'SANDBOX_URL',
    ])
    expect(read({ ...sandbox, SANDBOX_URL: sandbox.SITE_URL }).sandboxUrl).toBeUndefined()
  })
})

describe('what an example has left behind', () => {
  it('is found in the settings', () => {
    expect(placeholdersIn({ SITE_URL: 'https://gifts.example.org', MAIL_FROM: 'A <a@b.cat>' })).toEqual([
      'SITE_URL',
    ])
    expect(placeholdersIn({ MAIL_FROM: 'Gifts <a@example.org>', OPERATOR_MAIL: 'me@gifts.example' })).toEqual(
      ['MAIL_FROM', 'OPERATOR_MAIL'],
    )
    expect(
      placeholdersIn({ SITE_URL: 'https://example-gifts.cat', SMTP_URL: 'smtps://u:p@mail.cat' }),
    ).toEqual([])
  })

  it('is found in the content, wherever it stands', () => {
    const content = {
      settings: { contactEmail: 'hello@example.org' },
      pages: [{ es: 'Bien', en: 'Ours (placeholder)' }],
    }
    expect(placeholdersOfContent(content)).toEqual(['settings.contactEmail', 'pages.0.en'])
    expect(placeholdersOfContent({ text: 'for example, one' })).toEqual([])
  })
})

describe('the settings document', () => {
  it('is made from the schema: `npx vitest run --project=unit tests/unit/server/platform/settings.test.ts -u`', async () => {
    await expect(settingsDocument()).toMatchFileSnapshot('../../../../.env.example')
  })

  it('reads back as what was written', () => {
    const values = {
      MAIL_FROM: 'Gifts "of" ours <a@b.cat>',
      CARD_KEY_SECRET: "it's # a secret",
      OPERATOR_TOKEN: String.raw`one\nother`,
      PORT: '80',
    }
    expect(parseEnv(settingsDocument(values))).toMatchObject(values)
  })
})
