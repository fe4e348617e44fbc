import { resolve, sep } from 'node:path'
import type { SettingsFile } from './file.ts'
import { strangers } from './names.ts'
import { SCHEMA, type SettingName } from './schema.ts'
import { isRandomEnough, listOf } from './shapes.ts'

/** The settings that are there, as they are written; empty ones are not there. */
export type Given = Readonly<Partial<Record<SettingName, string>>>

interface Site {
  readonly production: boolean
  /** LOCAL_SERVICES=allow, or a sandbox. */
  readonly demonstration: boolean
  /** SANDBOX=yes. */
  readonly sandbox: boolean
  /** May stand-ins run? */
  readonly localServices: boolean
}

/** How the site runs, which what it needs hangs on. */
export function siteOf({ NODE_ENV, LOCAL_SERVICES, SANDBOX }: Given): Site {
  const production = NODE_ENV === 'production'
  const sandbox = SANDBOX === 'yes'
  const demonstration = LOCAL_SERVICES === 'allow' || sandbox
  return { production, demonstration, sandbox, localServices: !production || demonstration }
}

/** Everything that is wrong, a sentence each, which begins with the setting's name and says what to write instead. */
export function faultsOf(
  environment: Readonly<Record<string, string | undefined>>,
  given: Given,
  file: SettingsFile | undefined,
): readonly string[] {
  const site = siteOf(given)
  const unreadable = shapes(given)
  return [
    ...missing(given, site),
    ...unreadable.values(),
    ...together(given, site),
    ...ofSandboxes(environment, given, site),
    ...(site.production ? ofThePublic(given, site, { file, isJudged: name => unreadable.has(name) }) : []),
    ...(site.production ? misspelt(environment, file) : []),
  ]
}

/**
 * May the site make secrets for itself, and keep them as files? Several processes share a PostgreSQL, so one machine's
 * file cannot hold what all of them need.
 */
export const canKeepSecrets = (
  given: Given,
  { production, localServices }: Pick<Site, 'production' | 'localServices'>,
): boolean => localServices && !(production && given.DATABASE_URL !== undefined)

/** Of a setting that is missing, why it is needed. */
function missing(given: Given, { production, localServices }: Site): string[] {
  const hasKey = given.STRIPE_SECRET_KEY !== undefined
  const canKeep = canKeepSecrets(given, { production, localServices })
  const needed: readonly (readonly [SettingName, string, boolean])[] = [
    ['SITE_URL', 'the address visitors use, https://…', production],
    ['STRIPE_SECRET_KEY', 'the payment account', !localServices],
    ['STRIPE_WEBHOOK_SECRET', 'the provider signs its events with it', hasKey || !localServices],
    ['SANITY_PROJECT_ID', 'the content', !localServices],
    ['SMTP_URL', 'the mail server, smtps://…', !localServices],
    ['MAIL_FROM', 'the sender of every mail', production && (sendsMail(given) || !localServices)],
    ['OPERATOR_MAIL', 'whom alarms reach', !localServices],
    ['OPERATOR_TOKEN', 'what you log in with, at least 16 random characters', !localServices],
    ['CARD_KEY_SECRET', 'card keys are derived from it, at least 32 random characters', !canKeep],
  ]
  return needed
    .filter(([name, , isNeeded]) => isNeeded && given[name] === undefined)
    .map(([name, why]) => `${name} is missing: ${why}`)
}

/** Do mails leave this machine? Otherwise they are files. */
const sendsMail = (given: Given): boolean => given.SMTP_URL !== undefined

/** What is written in a way that nobody can use, by its name. */
function shapes(given: Given): Map<string, string> {
  const { error } = SCHEMA.safeParse(given)
  const issues = error?.issues ?? []
  return new Map(issues.map(({ path, message }) => [String(path[0]), `${String(path[0])} ${message}`]))
}

/** What cannot be together, wherever the site runs. */
function together(given: Given, { production, demonstration }: Site): string[] {
  const { STRIPE_SECRET_KEY: key, METRICS_PORT: metrics, PORT: port = '4321' } = given
  const faults: string[] = []
  if (metrics !== undefined && Number(metrics) !== 0 && Number(metrics) === Number(port))
    faults.push('METRICS_PORT must be another port than PORT: what is read there is not for visitors')
  faults.push(...ofTheArchive(given))
  const earlier = listOf(given.CARD_KEY_SECRET_EARLIER ?? '')
  if (earlier.length > 0 && given.CARD_KEY_SECRET === undefined)
    faults.push('CARD_KEY_SECRET_EARLIER stands without CARD_KEY_SECRET: set the new one as well')
  const ledgerKeys = listOf(given.LEDGER_KEY_EARLIER ?? '')
  if (ledgerKeys.length > 0 && given.LEDGER_KEY === undefined)
    faults.push('LEDGER_KEY_EARLIER stands without LEDGER_KEY: set the new one as well')
  if (given.LEDGER_KEY !== undefined && ledgerKeys.includes(given.LEDGER_KEY))
    faults.push('LEDGER_KEY_EARLIER holds the key that is in use: take it out of the list')
  if (given.CARD_KEY_SECRET !== undefined && earlier.includes(given.CARD_KEY_SECRET))
    faults.push('CARD_KEY_SECRET_EARLIER holds the secret that is in use: take it out of the list')
  if ((given.DRAND_CHAIN_HASH === undefined) !== (given.DRAND_PUBLIC_KEY === undefined))
    faults.push('DRAND_CHAIN_HASH and DRAND_PUBLIC_KEY are of one chain: set both, or none')
  if (given.DRAND_CHAIN_HASH !== undefined && given.DRAND_URL === undefined)
    faults.push('DRAND_CHAIN_HASH stands without DRAND_URL: say where its values are had')
  if (key !== undefined && /^(sk|rk)_live_/.test(key)) {
    const standIns = [given.SANITY_PROJECT_ID === undefined && 'content', !sendsMail(given) && 'mail'].filter(
      Boolean,
    )
    if (standIns.length > 0)
      faults.push(
        `STRIPE_SECRET_KEY is a live key, but ${standIns.join(' and ')} would be a local stand-in: ${[
          given.SANITY_PROJECT_ID === undefined && 'SANITY_PROJECT_ID',
          !sendsMail(given) && 'SMTP_URL',
        ]
          .filter(Boolean)
          .join(' and ')} must be set, or the key must be a test key`,
      )
    if (demonstration) faults.push('STRIPE_SECRET_KEY is a live key: LOCAL_SERVICES=allow must go')
  }
  if (production && given.RATE_LIMITS === 'off')
    faults.push('RATE_LIMITS is off, which is not for production: leave it empty')
  return faults
}

/** What a sandbox must not have: with each of these something of it would reach the world, or pass for the real thing. */
const NOT_IN_A_SANDBOX: readonly (readonly [SettingName | 'SANITY_AUTH_TOKEN', string])[] = [
  ['STRIPE_SECRET_KEY', 'a sandbox takes test payments alone'],
  ['STRIPE_WEBHOOK_SECRET', 'a sandbox hears of test payments alone'],
  ['SANITY_PROJECT_ID', 'a sandbox has content of its own'],
  ['SANITY_READ_TOKEN', 'it opens the content of the real site'],
  ['SANITY_WEBHOOK_SECRET', 'a sandbox has content of its own'],
  ['SANITY_AUTH_TOKEN', 'it writes to the content of the real site'],
  ['SMTP_URL', 'mails of a sandbox are files, and reach nobody'],
  ['LEDGER_WITNESSES', 'whoever signs a ledger vouches for real money'],
]

/** What keeps a sandbox and the real site apart. */
function ofSandboxes(
  environment: Readonly<Record<string, string | undefined>>,
  given: Given,
  { production, sandbox }: Site,
): string[] {
  const [site, other] = [given.SITE_URL, given.SANDBOX_URL].map(url => URL.parse(url ?? ''))
  if (!sandbox)
    // Cookies know no ports.
    return production && other && site?.hostname === other.hostname
      ? ['SANDBOX_URL must have another host than SITE_URL: the cookies of the two must not meet']
      : []
  const amiss = NOT_IN_A_SANDBOX.filter(([name]) => environment[name]?.trim()).map(
    ([name, why]) => `${name} must go where SANDBOX=yes: ${why}`,
  )
  // A copy of the real site's file names its address.
  return other && site?.origin !== other.origin
    ? [
        ...amiss,
        'SITE_URL must be the same as SANDBOX_URL where SANDBOX=yes: a sandbox has an address of its own',
      ]
    : amiss
}

function ofTheArchive({
  WAL_ARCHIVE: archive,
  DATABASE_URL: url,
  DATA_DIR: dataDir = '.data',
}: Given): string[] {
  if (archive === undefined) return []
  if (url !== undefined)
    return ['WAL_ARCHIVE is of the embedded database: PostgreSQL has means of its own to archive its log']
  // A disk that is lost would take both.
  return `${resolve(archive)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)
    ? ['WAL_ARCHIVE lies in DATA_DIR, which is lost with the database: name a folder elsewhere']
    : []
}

const OWN_SECRETS = ['CARD_KEY_SECRET', 'LEDGER_KEY', 'OPERATOR_TOKEN', 'SANITY_WEBHOOK_SECRET'] as const

/** What a site for the public must not have. */
function ofThePublic(
  given: Given,
  { localServices, demonstration }: Site,
  { file, isJudged }: { readonly file: SettingsFile | undefined; isJudged(name: SettingName): boolean },
): string[] {
  const faults: string[] = []
  if (!localServices && /^http:\/\//i.test(given.SITE_URL ?? ''))
    faults.push('SITE_URL must start with https://')
  if (!demonstration && /^(sk|rk)_test_/.test(given.STRIPE_SECRET_KEY ?? ''))
    faults.push(
      'STRIPE_SECRET_KEY is a test key, with which nobody pays: set the live one (sk_live_… or rk_live_…), or LOCAL_SERVICES=allow for a rehearsal',
    )
  for (const name of OWN_SECRETS) {
    if (given[name] !== undefined && !isJudged(name) && !isRandomEnough(given[name]))
      faults.push(`${name} can be guessed: draw one by lot, \`openssl rand -base64 32\``)
  }
  if (given.OPERATOR_TOKEN !== undefined && given.OPERATOR_TOKEN === given.CARD_KEY_SECRET)
    faults.push('OPERATOR_TOKEN is the same as CARD_KEY_SECRET: draw another one, `openssl rand -base64 32`')
  if (given.LEDGER_KEY !== undefined && given.LEDGER_KEY === given.CARD_KEY_SECRET)
    faults.push('LEDGER_KEY is the same as CARD_KEY_SECRET: draw another one, `openssl rand -base64 32`')
  const dataDir = resolve(given.DATA_DIR ?? '.data')
  if (!demonstration && file !== undefined && file.path.startsWith(dataDir + sep))
    faults.push(
      `DATA_DIR holds the settings file (${file.path}), so that a copy of the folder would hold the secrets as well: move one of them elsewhere`,
    )
  return faults
}

function misspelt(environment: Readonly<Record<string, string | undefined>>, file?: SettingsFile): string[] {
  return strangers(environment, file?.names ?? []).map(({ name, meant }) =>
    meant === undefined
      ? `${name} is no setting: take it out (every setting stands in .env.example)`
      : `${name} is no setting: did you mean ${meant}?`,
  )
}
