import type { KeepSecret } from './generated-secrets.ts'

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
  /** Secret from which card keys are derived; losing it loses every link already shared. */
  readonly cardKeySecret: string
  /** The payment provider's account; without it the local double runs. */
  readonly stripe?: StripeSettings
  /** Signs the provider's events: the account's secret, or one made for the local double. */
  readonly webhookSecret: string
  /** The hosted Content Lake; without it local content is served. */
  readonly sanity?: SanitySettings
  readonly mail: MailDelivery
  readonly mailFrom: string
  /** Whom alarms reach; nobody when missing. */
  readonly operatorMail?: string
  /** What the operator logs in with; without it nobody can, save on a machine of one's own. */
  readonly operatorToken?: string
  /** Is the operator's Studio built and served? */
  readonly studio: boolean
  /** How long names and addresses are kept once a card is used, in days. */
  readonly keepPersonsDays: number
  /** Addresses of proxies whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[]
  /** May local stand-ins run where a service has no account? */
  readonly localServices: boolean
  /** Has the owner said so himself (LOCAL_SERVICES=allow)? Then buyers elsewhere may use the test payment page. */
  readonly demonstration: boolean
  readonly production: boolean
  readonly rateLimits: boolean
  /** The version of package.json, shown in the who-we-are panel. */
  readonly version: string
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
}

const SHORTEST_SECRET = 32
/** Tries are counted, so that a token which a person can type is long enough. */
const SHORTEST_TOKEN = 16

/**
 * Reads and checks the settings. Production needs every service configured, unless LOCAL_SERVICES=allow lets the
 * stand-ins run; a live payment key never runs beside stand-ins.
 * @throws SettingsError naming every fault at once
 */
export function readSettings(environment: Environment, known: Known): Settings {
  const faults: string[] = []
  const get = (name: string): string | undefined => environment[name]?.trim() || undefined

  const production = get('NODE_ENV') === 'production'
  const demonstration = get('LOCAL_SERVICES') === 'allow'
  const localServices = !production || demonstration
  const need = (name: string, why: string, needed: boolean): string | undefined => {
    const value = get(name)
    if (value === undefined && needed) faults.push(`${name} is missing: ${why}`)
    return value
  }

  const host = get('HOST') ?? '127.0.0.1'
  const port = readPort('PORT', get('PORT'), faults)
  const metricsPort = get('METRICS_PORT')
  const metrics = metricsPort !== undefined && {
    port: readPort('METRICS_PORT', metricsPort, faults),
    host: get('METRICS_HOST') ?? '127.0.0.1',
  }
  if (metrics && metrics.port !== 0 && metrics.port === port)
    faults.push('METRICS_PORT must be another port than PORT: what is read there is not for visitors')
  const siteUrl = readSiteUrl(need('SITE_URL', 'the address visitors use, https://…', production), {
    production,
    localServices,
    faults,
  })
  const dataDir = get('DATA_DIR') ?? '.data'
  const databaseUrl = get('DATABASE_URL')
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    faults.push('DATABASE_URL must start with postgres:// or postgresql://')
  }

  const secretKey = need('STRIPE_SECRET_KEY', 'the payment account', !localServices)
  const givenWebhookSecret = need(
    'STRIPE_WEBHOOK_SECRET',
    'the provider signs its events with it',
    secretKey !== undefined || !localServices,
  )
  const projectId = need('SANITY_PROJECT_ID', 'the content', !localServices)
  const smtpUrl = need('SMTP_URL', 'the mail server, smtps://…', !localServices)
  const mailFrom = need(
    'MAIL_FROM',
    'the sender of every mail',
    production && (smtpUrl !== undefined || !localServices),
  )
  const operatorMail = need('OPERATOR_MAIL', 'whom alarms reach', !localServices)

  if (secretKey !== undefined && /^(sk|rk)_live_/.test(secretKey)) {
    const standIns = [projectId === undefined && 'content', smtpUrl === undefined && 'mail'].filter(Boolean)
    if (standIns.length > 0)
      faults.push(`STRIPE_SECRET_KEY is a live key, but ${standIns.join(' and ')} would be a local stand-in`)
    if (demonstration) faults.push('STRIPE_SECRET_KEY is a live key: LOCAL_SERVICES=allow must go')
  }

  const cardKeySecret = get('CARD_KEY_SECRET')
  // Several processes share a PostgreSQL, so one machine's file cannot hold what all of them need.
  const secretCanBeKept = localServices && !(production && databaseUrl !== undefined)
  if (cardKeySecret === undefined && !secretCanBeKept) {
    faults.push(
      `CARD_KEY_SECRET is missing: card keys are derived from it, at least ${SHORTEST_SECRET} random characters`,
    )
  }
  if (cardKeySecret !== undefined && cardKeySecret.length < SHORTEST_SECRET) {
    faults.push(`CARD_KEY_SECRET is too short: at least ${SHORTEST_SECRET} random characters`)
  }

  const operatorToken = get('OPERATOR_TOKEN')
  if (operatorToken !== undefined && operatorToken.length < SHORTEST_TOKEN)
    faults.push(`OPERATOR_TOKEN is too short: at least ${SHORTEST_TOKEN} random characters`)
  const keepPersonsDays = Number(get('KEEP_PERSONAL_DATA_DAYS') ?? 180)
  if (!Number.isInteger(keepPersonsDays) || keepPersonsDays < 1 || keepPersonsDays > 3650) {
    faults.push('KEEP_PERSONAL_DATA_DAYS must be a number of days from 1 to 3650')
  }

  const rateLimits = get('RATE_LIMITS') !== 'off'
  if (production && !rateLimits) faults.push('RATE_LIMITS=off is not for production')

  if (faults.length > 0) throw new SettingsError(faults)
  const dataset = get('SANITY_DATASET') ?? 'production'
  const readToken = get('SANITY_READ_TOKEN')
  const sanityWebhookSecret = get('SANITY_WEBHOOK_SECRET')
  return {
    siteUrl: siteUrl ?? `http://${nameOf(host)}:${port}`,
    host,
    port,
    ...(metrics && { metrics }),
    dataDir,
    ...(databaseUrl !== undefined && { databaseUrl }),
    cardKeySecret: cardKeySecret ?? known.keepSecret('card-key-secret'),
    ...(secretKey !== undefined && { stripe: { secretKey } }),
    webhookSecret: givenWebhookSecret ?? `whsec_${known.keepSecret('webhook-secret')}`,
    ...(projectId !== undefined && {
      sanity: {
        projectId,
        dataset,
        ...(readToken !== undefined && { readToken }),
        ...(sanityWebhookSecret !== undefined && { webhookSecret: sanityWebhookSecret }),
      },
    }),
    mail: smtpUrl === undefined ? { kind: 'files' } : { kind: 'smtp', url: smtpUrl },
    mailFrom: mailFrom ?? 'Keep the Chain <cards@localhost>',
    ...(operatorMail !== undefined && { operatorMail }),
    ...(operatorToken !== undefined && { operatorToken }),
    studio: get('STUDIO') !== 'off',
    keepPersonsDays,
    trustedProxies: (get('TRUSTED_PROXIES') ?? '')
      .split(',')
      .map(part => part.trim())
      .filter(Boolean),
    localServices,
    demonstration,
    production,
    rateLimits,
    version: known.version,
  }
}

/** How a browser on this machine writes the address that is listened at. */
function nameOf(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function readPort(name: string, text: string | undefined, faults: string[]): number {
  if (text === undefined) return 4321
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) faults.push(`${name} must be a number from 0 to 65535`)
  return port
}

/** An origin and nothing more; https where real visitors come. */
function readSiteUrl(
  text: string | undefined,
  { production, localServices, faults }: { production: boolean; localServices: boolean; faults: string[] },
): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    faults.push('SITE_URL must be an origin such as https://example.org, without a path')
    return undefined
  }
  if (production && !localServices && url.protocol !== 'https:')
    faults.push('SITE_URL must start with https://')
  return url.origin
}
