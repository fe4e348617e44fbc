import { readSettings, type Settings } from '#server/platform/settings.ts'

/** The site of the simulation. */
export const SITE = 'https://cards.example'
export const WEBHOOK_SECRET = 'whsec_of_the_simulation'
export const OPERATOR = 'operator@gift.example'
export const CARD_SECRET = 'a secret that only the simulation knows of'

/** The settings of a server with accounts at the provider and at a mail server, and data in this folder. */
export function settingsOf(dataDir: string): Settings {
  return readSettings(
    {
      SITE_URL: SITE,
      DATA_DIR: dataDir,
      OPERATOR_MAIL: OPERATOR,
      CARD_KEY_SECRET: CARD_SECRET,
      STRIPE_SECRET_KEY: 'sk_test_of_the_simulation',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      LEDGER_KEY: Buffer.alloc(32, 7).toString('base64url'),
      INVOICE_ACCOUNTS: 'EUR: IBAN ES91 2100 0418 4502 0005 1332; GBP: 12-34-56 00012345',
      STUDIO: 'off',
      RATE_LIMITS: 'off',
    },
    { version: '1.0.0', keepSecret: name => name.padEnd(43, 'x') },
  )
}
