import { type InvoiceAccounts, readInvoiceAccounts } from '#domain/invoice/accounts.ts'
import { LIMITS, type Limits, readLimits } from '#domain/limits/limits.ts'
import { QUICKNET } from '#domain/public-ledger/drand.ts'
import type { Witness } from '#domain/public-ledger/witness.ts'
import { WITHDRAWAL_DAYS } from '#domain/withdrawal/withdrawal.ts'
import type { KeepSecret } from './generated-secrets.ts'
import { canKeepSecrets, faultsOf, type Given, siteOf } from './settings/faults.ts'
import type { SettingsFile } from './settings/file.ts'
import { SETTING_NAMES } from './settings/schema.ts'
import { listOf, witnessesIn } from './settings/shapes.ts'

/** Everything that can be configured (.env.example), read once at start. */
export interface Settings {
  /** Origin of the site as visitors write it, without a trailing slash; every absolute URL is built from it. */
  readonly siteUrl: string
  readonly host: string
  readonly port: number
  /** Where the operator's monitoring reads; nowhere when missing. */
  readonly metrics?: { readonly port: number; readonly host: string }
  /** Folder of the embedded database, kept secrets and the local stand-ins. */
  readonly dataDir: string
  /** PostgreSQL, instead of the embedded SQLite file. */
  readonly databaseUrl?: string
  /** The folder that the embedded database's log is shipped to; without it nothing is shipped. */
  readonly walArchive?: string
  /** Secret from which card keys are derived; losing it loses every link already shared. */
  readonly cardKeySecret: string
  /** The earlier secrets, the newest first. Cards that were made with them still work. */
  readonly earlierCardKeySecrets: readonly string[]
  /** The public ledger is signed with a key derived from it; without it none is published. */
  readonly ledgerKey?: string
  /** What it was before, the newest first. */
  readonly earlierLedgerKeys: readonly string[]
  /** Who is asked to sign the heads of the public ledger. */
  readonly ledgerWitnesses: readonly Witness[]
  /** What unused cards are drawn by; without it the server draws. */
  readonly drand?: DrandPlace
  /** The payment provider's account; without it the local double runs. */
  readonly stripe?: StripeSettings
  /** How often all processes together ask the provider at most, times a second; as often as they like when missing. */
  readonly providerPerSecond?: number
  /** Where invoices are paid to, by currency; none is offered in another one. */
  readonly invoiceAccounts: InvoiceAccounts
  /** Signs the provider's events: the account's secret, or one made for the local double. */
  readonly webhookSecret: string
  /** The hosted Content Lake; without it local content is served. */
  readonly sanity?: SanitySettings
  readonly mail: MailDelivery
  readonly mailFrom: string
  /** The address that gets alarms; without it nobody gets them. */
  readonly operatorMail?: string
  /** The token that the operator logs in with. Without it nobody can log in, except at a machine of one's own. */
  readonly operatorToken?: string
  /** Is the operator's Studio built and served? */
  readonly studio: boolean
  /** Does the site do outbox and jobs itself, or leave them to workers (`npm run worker`)? */
  readonly workers: 'here' | 'apart'
  /** How long names and addresses are kept once a card is used, in days. */
  readonly keepPersonsDays: number
  /** For how many days a buyer can withdraw from a purchase. */
  readonly withdrawalDays: number
  /** The CDN before the site, and what its purge asks for; without it no CDN is told to keep anything. */
  readonly cdn?: { readonly purgeUrl: string; readonly token?: string }
  /** Addresses of proxies whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[]
  /** May local stand-ins run where a service has no account? */
  readonly localServices: boolean
  /** Has the owner said so himself (LOCAL_SERVICES=allow, SANDBOX=yes)? Then buyers elsewhere may use the test payment page. */
  readonly demonstration: boolean
  readonly production: boolean
  /** Is this a sandbox (SANDBOX=yes, decision 129)? Nothing in it is worth money. */
  readonly sandbox: boolean
  /** Of a site that is none: where partners try their programs, without a slash at its end. */
  readonly sandboxUrl?: string
  /** How often each visitor, and all together, may do what costs something; without limits false. */
  readonly rateLimits: Limits | false
  /** The version of package.json, shown in the who-we-are panel. */
  readonly version: string
}

/** Where values of drand are had, and of which chain: its hash and its key, hex. */
interface DrandPlace {
  /** Without a slash at its end. */
  readonly url: string
  readonly chainHash: string
  readonly publicKey: string
}

export interface StripeSettings {
  readonly secretKey: string
}

export interface SanitySettings {
  readonly projectId: string
  readonly dataset: string
  readonly readToken?: string
  /** Signs the news of a publish; without it the site asks once a minute. */
  readonly webhookSecret?: string
}

/** How mails leave: by a mail server, or as files that the inbox page shows. */
export type MailDelivery = { readonly kind: 'smtp'; readonly url: string } | { readonly kind: 'files' }

/** Says everything that keeps the server from starting, all at once. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The settings do not allow a start:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

interface Known {
  /** package.json's version. */
  readonly version: string
  /** Makes a secret once and gives the same one for ever after (see generated-secrets.ts). */
  readonly keepSecret: KeepSecret
  /** Where the settings were written down, if anywhere. */
  readonly file?: SettingsFile | undefined
}

/** Below the 25 that an account may ask for at first. */
const PROVIDER_PER_SECOND = 20

/** The local double has no limit of its own. */
function paceOf({
  PROVIDER_PER_SECOND: given,
  STRIPE_SECRET_KEY: key,
}: Given): Pick<Settings, 'providerPerSecond'> {
  if (given === undefined && key === undefined) return {}
  return { providerPerSecond: Number(given ?? PROVIDER_PER_SECOND) }
}

function cdnOf({ CDN_PURGE_URL: purgeUrl, CDN_PURGE_TOKEN: token }: Given): Pick<Settings, 'cdn'> {
  return purgeUrl === undefined ? {} : { cdn: { purgeUrl, ...(token !== undefined && { token }) } }
}

/** The settings that are there, without the space around them. */
export function givenIn(environment: Environment): Given {
  const given = SETTING_NAMES.map(name => [name, environment[name]?.trim()] as const).filter(
    ([, value]) => value,
  )
  return Object.fromEntries(given)
}

/**
 * Reads and checks the settings. Production needs every service configured, unless LOCAL_SERVICES=allow lets the
 * stand-ins run; a live payment key never runs beside stand-ins, and a sandbox beside no account at all.
 * @throws SettingsError naming every fault at once, and no value
 */
export function readSettings(environment: Environment, known: Known): Settings {
  const given = givenIn(environment)
  const faults = faultsOf(environment, given, known.file)
  if (faults.length > 0) throw new SettingsError(faults)

  const { HOST: host = '127.0.0.1', METRICS_PORT: metricsPort, DATABASE_URL: databaseUrl } = given
  const { STRIPE_SECRET_KEY: secretKey, SMTP_URL: smtpUrl } = given
  const { OPERATOR_MAIL: operatorMail, OPERATOR_TOKEN: operatorToken } = given
  const port = Number(given.PORT ?? 4321)
  const sanity = sanityOf(given)
  return {
    siteUrl: given.SITE_URL === undefined ? `http://${nameOf(host)}:${port}` : new URL(given.SITE_URL).origin,
    host,
    port,
    ...(metricsPort !== undefined && {
      metrics: { port: Number(metricsPort), host: given.METRICS_HOST ?? '127.0.0.1' },
    }),
    dataDir: given.DATA_DIR ?? '.data',
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(given.WAL_ARCHIVE !== undefined && { walArchive: given.WAL_ARCHIVE }),
    cardKeySecret: given.CARD_KEY_SECRET ?? known.keepSecret('card-key-secret'),
    earlierCardKeySecrets: listOf(given.CARD_KEY_SECRET_EARLIER ?? ''),
    ...ledgerKeyOf(given, known.keepSecret),
    earlierLedgerKeys: listOf(given.LEDGER_KEY_EARLIER ?? ''),
    ledgerWitnesses: witnessesIn(given.LEDGER_WITNESSES ?? ''),
    ...drandOf(given),
    ...(secretKey !== undefined && { stripe: { secretKey } }),
    ...paceOf(given),
    invoiceAccounts: readInvoiceAccounts(given.INVOICE_ACCOUNTS ?? '') ?? {},
    webhookSecret: given.STRIPE_WEBHOOK_SECRET ?? `whsec_${known.keepSecret('webhook-secret')}`,
    ...(sanity && { sanity }),
    mail: smtpUrl === undefined ? { kind: 'files' } : { kind: 'smtp', url: smtpUrl },
    mailFrom: given.MAIL_FROM ?? 'Keep the Chain <cards@localhost>',
    ...(operatorMail !== undefined && { operatorMail }),
    ...(operatorToken !== undefined && { operatorToken }),
    studio: given.STUDIO !== 'off',
    workers: given.WORKERS === 'apart' ? 'apart' : 'here',
    keepPersonsDays: Number(given.KEEP_PERSONAL_DATA_DAYS ?? 180),
    withdrawalDays: Number(given.WITHDRAWAL_DAYS ?? WITHDRAWAL_DAYS.usual),
    ...cdnOf(given),
    trustedProxies: listOf(given.TRUSTED_PROXIES ?? ''),
    ...siteOf(given),
    ...sandboxUrlOf(given),
    rateLimits: given.RATE_LIMITS !== 'off' && (readLimits(given.LIMITS ?? '') ?? LIMITS),
    version: known.version,
  }
}

/** Is a process with these settings a sandbox? */
export const isSandbox = (environment: Environment): boolean => siteOf(givenIn(environment)).sandbox

/** In a sandbox that is its own address. */
function sandboxUrlOf(given: Given): Pick<Settings, 'sandboxUrl'> {
  if (given.SANDBOX_URL === undefined || siteOf(given).sandbox) return {}
  return { sandboxUrl: new URL(given.SANDBOX_URL).origin }
}

function ledgerKeyOf(given: Given, keepSecret: KeepSecret): Pick<Settings, 'ledgerKey'> {
  if (given.LEDGER_KEY !== undefined) return { ledgerKey: given.LEDGER_KEY }
  return canKeepSecrets(given, siteOf(given)) ? { ledgerKey: keepSecret('ledger-key') } : {}
}

function drandOf({
  DRAND_URL: url,
  DRAND_CHAIN_HASH: chainHash = QUICKNET.hash,
  DRAND_PUBLIC_KEY: publicKey = QUICKNET.publicKey,
}: Given): Pick<Settings, 'drand'> {
  return url === undefined ? {} : { drand: { url: url.replace(/\/$/, ''), chainHash, publicKey } }
}

function sanityOf({
  SANITY_PROJECT_ID: projectId,
  SANITY_DATASET: dataset = 'production',
  SANITY_READ_TOKEN: readToken,
  SANITY_WEBHOOK_SECRET: webhookSecret,
}: Given): SanitySettings | undefined {
  if (projectId === undefined) return undefined
  return {
    projectId,
    dataset,
    ...(readToken !== undefined && { readToken }),
    ...(webhookSecret !== undefined && { webhookSecret }),
  }
}

/** How a browser on this machine writes the address that is listened at. */
function nameOf(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
