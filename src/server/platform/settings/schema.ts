import { z } from 'zod'
import { QUICKNET } from '#domain/public-ledger/drand.ts'
import { WITHDRAWAL_DAYS } from '#domain/withdrawal/withdrawal.ts'
import {
  ageRecipient,
  hexOf,
  invoiceAccounts,
  ledgerKeysOf,
  limits,
  listenAt,
  mailAddress,
  mailServerUrl,
  origin,
  port,
  postgresUrl,
  proxies,
  purgeUrl,
  SHORTEST_SECRET,
  SHORTEST_TOKEN,
  sanityDataset,
  sanityProject,
  secretOf,
  secretsOf,
  sender,
  stripeKey,
  stripeWebhookSecret,
  text,
  token,
  webAddress,
  webhookSecret,
  wholeNumber,
  witnesses,
  word,
} from './shapes.ts'

/** What the settings document says of a setting. */
export interface About {
  readonly says: string
  /** What stands there when nothing is set; written into the document. */
  readonly standard?: string
  /** Has production to have it? */
  readonly production?: true
  /** Never shown, and drawn by lot where it is made. */
  readonly secret?: true
  /** The heading of the settings that begin here. */
  readonly heading?: string
}

const ABOUT = z.registry<About>()

function setting<Shape extends z.ZodType>(shape: Shape, about: About): z.ZodOptional<Shape> {
  const optional = shape.optional()
  ABOUT.add(optional, about)
  return optional
}

/**
 * Every setting, in the order of the settings document. Empty counts as not there. What must be there, and what must
 * not be together, hangs on the others: `faults.ts`.
 */
export const SCHEMA = z.object({
  NODE_ENV: setting(word('production', 'development', 'test'), {
    heading: 'The site',
    says: '"production" on a site for the public: every service has to be there, and wrong settings refuse the start.',
  }),
  PORT: setting(port, { says: 'Port to listen at.', standard: '4321' }),
  HOST: setting(listenAt, {
    says: 'Address to listen at; 0.0.0.0 for every network (local stand-ins answer to this machine alone all the same).',
    standard: '127.0.0.1',
  }),
  SITE_URL: setting(origin, {
    production: true,
    says: 'Address of the site as visitors write it, https:// and no path; every link is built from it.',
  }),
  TRUSTED_PROXIES: setting(proxies, {
    says: 'Proxies whose X-Forwarded-For is believed: addresses or networks, separated by commas. 127.0.0.1 for nginx or Caddy on this machine.',
  }),
  CDN_PURGE_URL: setting(purgeUrl, {
    says: 'Where the CDN before the site is told to forget pages; with it, published pages say that a CDN may keep them for a minute. A POST with the Surrogate-Key, or, where {path} stands in it, a GET of each page with that header, which nginx takes as new (docs/guides/deploy.md).',
    secret: true,
  }),
  CDN_PURGE_TOKEN: setting(token, {
    secret: true,
    says: 'Sent with it, as Authorization: Bearer.',
  }),
  METRICS_PORT: setting(port, {
    says: 'Port where Prometheus reads /metrics, at METRICS_HOST (127.0.0.1) alone; nothing listens without it.',
  }),
  METRICS_HOST: setting(listenAt, {
    says: "Another address for it, of a network that only the operator's machines are on.",
  }),
  DATA_DIR: setting(text, {
    heading: 'Data and secrets',
    says: 'Folder of the embedded database. What the site makes for itself without accounts (secrets, local content, mails as files, test payments) lies in its folder local/, which no backup holds without BACKUP_RECIPIENT.',
    standard: '.data',
  }),
  DATABASE_URL: setting(postgresUrl, {
    says: 'PostgreSQL instead of the embedded database, postgres://user:password@host/name.',
    secret: true,
  }),
  WAL_ARCHIVE: setting(text, {
    says: 'Folder on another disk, or of another machine, that the embedded database’s write-ahead log is shipped to within a second: `npm run ops -- restore <folder>` goes back to any instant of the last two weeks (docs/guides/backups.md). Without it what came after the last backup is lost with the disk.',
  }),
  BACKUP_RECIPIENT: setting(ageRecipient, {
    says: 'The public key (age1…) of a key that `age-keygen` made on another machine. Each backup then has a file beside it with these settings and DATA_DIR/local, which only that key opens (docs/guides/backups.md). Without it they are in no backup.',
  }),
  WORKERS: setting(word('here', 'apart'), {
    says: '"apart" leaves the outbox and the jobs to processes of their own (`npm run worker`); one at least has to run, or no mail goes out.',
  }),
  CARD_KEY_SECRET: setting(secretOf(SHORTEST_SECRET), {
    production: true,
    secret: true,
    says: `Card keys are derived from it: at least ${SHORTEST_SECRET} random characters. Keep a copy where the backups are not: without it no link opens. The site starts with no other one than before, unless that one stands in CARD_KEY_SECRET_EARLIER. Made and kept in DATA_DIR/local where this is no site for the public.`,
  }),
  CARD_KEY_SECRET_EARLIER: setting(secretsOf(SHORTEST_SECRET), {
    secret: true,
    says: 'What CARD_KEY_SECRET was before, the newest first, separated by commas: links that were given keep working. `npm run ops -- doctor` says when one may go.',
  }),
  LEDGER_KEY: setting(secretOf(SHORTEST_SECRET), {
    secret: true,
    says: `The public ledger is signed with a key derived from it: at least ${SHORTEST_SECRET} random characters, not those of CARD_KEY_SECRET. Without it a site for the public publishes no ledger. Made and kept in DATA_DIR/local where this is no site for the public. Keep a copy where the backups are not.`,
  }),
  LEDGER_KEY_EARLIER: setting(ledgerKeysOf(SHORTEST_SECRET), {
    secret: true,
    says: 'What LEDGER_KEY was before, the newest first, separated by commas. The old key signs a line that names the new one, with the next lines of the public ledger; `npm run ops -- doctor` says when it may go.',
  }),
  LEDGER_WITNESSES: setting(witnesses, {
    says: 'Who is asked to sign each new head of the public ledger, separated by commas: the key and the address of each, `name+id+key https://witness.example/prefix` (C2SP tlog-witness). The ledger is published without waiting for them.',
  }),
  DRAND_URL: setting(webAddress, {
    says: 'Where public random values of drand are had, such as https://api.drand.sh. What becomes of unused cards is then announced in the public ledger, and drawn by a value that does not exist yet: anyone can compute it again. Without it the server draws, and nobody can (docs/guides/the-draw.md).',
  }),
  DRAND_CHAIN_HASH: setting(hexOf(32), {
    says: 'The chain of values, of the scheme bls-unchained-g1-rfc9380, by its hash.',
    standard: QUICKNET.hash,
  }),
  DRAND_PUBLIC_KEY: setting(hexOf(96), {
    says: 'The key that its values are signed with.',
    standard: QUICKNET.publicKey,
  }),
  KEEP_PERSONAL_DATA_DAYS: setting(wholeNumber(1, 3650, 'must be a number of days from 1 to 3650'), {
    says: 'Days after which names and addresses are forgotten once a card is used; the books keep the numbers.',
    standard: '180',
  }),
  WITHDRAWAL_DAYS: setting(
    wholeNumber(
      WITHDRAWAL_DAYS.least,
      WITHDRAWAL_DAYS.most,
      `must be a number of days from ${WITHDRAWAL_DAYS.least} to ${WITHDRAWAL_DAYS.most}`,
    ),
    {
      says: 'For how many days a buyer can withdraw from a purchase.',
      standard: String(WITHDRAWAL_DAYS.usual),
    },
  ),
  STRIPE_SECRET_KEY: setting(stripeKey, {
    heading: 'Payments',
    production: true,
    secret: true,
    says: 'The payment account, sk_live_… or better a restricted key rk_live_…; without it test payments run on this machine.',
  }),
  STRIPE_WEBHOOK_SECRET: setting(stripeWebhookSecret, {
    production: true,
    secret: true,
    says: "Signs the payment account's events, whsec_… (its endpoint is /api/stripe/webhook).",
  }),
  PROVIDER_PER_SECOND: setting(wholeNumber(1, 1000, 'must be a number of calls a second from 1 to 1000'), {
    says: 'How often all processes together ask the payment provider at most, in a second: 20 when missing, below the 25 of an account that has asked for no more.',
  }),
  INVOICE_ACCOUNTS: setting(invoiceAccounts, {
    says: 'The bank accounts that invoices for many cards are paid to, by currency, as they are printed: EUR: IBAN ES91 2100 0418 4502 0005 1332; GBP: sort code 20-00-00, account 55779911. Without an account of a currency no invoice is offered in it.',
  }),
  SANITY_PROJECT_ID: setting(sanityProject, {
    heading: 'Content and the Studio',
    production: true,
    says: 'The hosted content; without it the seed content of the repository is shown.',
  }),
  SANITY_DATASET: setting(sanityDataset, { says: 'Its dataset.', standard: 'production' }),
  SANITY_READ_TOKEN: setting(token, {
    secret: true,
    says: 'Needed where the dataset is private, and to preview drafts.',
  }),
  SANITY_WEBHOOK_SECRET: setting(webhookSecret, {
    secret: true,
    says: 'Signs the news of a publish (its webhook leads to /api/cms/published); without it the site asks once a minute.',
  }),
  OPERATOR_TOKEN: setting(secretOf(SHORTEST_TOKEN), {
    production: true,
    secret: true,
    says: `What the operator logs in with, at least ${SHORTEST_TOKEN} random characters. It makes the first passkey, and moves no money. Without it whoever uses this machine is the operator.`,
  }),
  STUDIO: setting(word('on', 'off'), {
    says: '"off" neither prepares nor serves the operator\'s Studio at /studio; "npm run studio" prepares it ahead of a start.',
  }),
  SMTP_URL: setting(mailServerUrl, {
    heading: 'Mail',
    production: true,
    secret: true,
    says: 'The mail server, smtps://user:password@host (or smtp://, which then has to offer STARTTLS unless it is on this machine); without it mails are files that /_local/mail shows.',
  }),
  MAIL_FROM: setting(sender, {
    production: true,
    says: 'The sender of every mail, "Name <address>" or an address.',
  }),
  OPERATOR_MAIL: setting(mailAddress, {
    production: true,
    says: 'Whom alarms reach: money lost, payments that fit no order, a rush of payments. One mail for each thing.',
  }),
  LOCAL_SERVICES: setting(word('allow'), {
    heading: 'Rehearsals',
    says: '"allow" runs the local stand-ins in production too (a demonstration), or the real services with a test key; never beside a live payment key. It opens the test payment page to browsers on other machines; mails and content are for whoever logs in with OPERATOR_TOKEN.',
  }),
  SANDBOX: setting(word('yes'), {
    heading: 'The sandbox',
    says: '"yes" makes this process a sandbox, where partners try their programs: test payments, content and mails of its own, a notice on every page, and partners’ keys that the real site refuses. It starts beside no account, with a database that it makes itself and that nothing else opens (docs/guides/sandbox.md).',
  }),
  SANDBOX_URL: setting(origin, {
    says: 'On the real site: the address of the sandbox, which /developers names. Its host is another one than that of SITE_URL.',
  }),
  LIMITS: setting(limits, {
    heading: 'Limits',
    says: 'Other limits than the product’s own: name=uses of one visitor in ten minutes/uses of all together, separated by commas, such as gateway=60/12000. Beyond what all together may use visitors wait their turn, those who pay in the waiting room (gateway=60/12000 lets in 20 a second; docs/guides/crowded-evening.md); above 3600 payments the provider’s calls a second (PROVIDER_PER_SECOND) have to grow too, three for a payment.',
  }),
  RATE_LIMITS: setting(word('on', 'off'), {
    says: '"off" lifts the rate limits, outside production only.',
  }),
})

export type SettingName = keyof typeof SCHEMA.shape

export const SETTING_NAMES = Object.keys(SCHEMA.shape) as readonly SettingName[]

/** What the settings document says of a setting. */
export const aboutSetting = (name: SettingName): About => ABOUT.get(SCHEMA.shape[name])!
