import { join } from 'node:path'
import { PROVIDER_EVENTS_PATH } from '#paths'
import { createRateLimits, noRateLimits } from '#server/http/pipeline/rate-limits.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import {
  areEarlierRowsProtected,
  protectEarlierRows,
} from '#server/modules/gifts/cards/protect-earlier-rows.ts'
import { openCardKeys, WrongSecret } from '#server/modules/gifts/cards/secrets.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { createAlarms } from '#server/modules/letters/alarms.ts'
import { createFileTransport } from '#server/modules/letters/file-transport.ts'
import type { MailTransport } from '#server/modules/letters/transport.ts'
import { createChallenges } from '#server/modules/operator/challenges.ts'
import { endedSessions } from '#server/modules/operator/ended-sessions.ts'
import { createOperator } from '#server/modules/operator/login.ts'
import { createPasskeys, type Passkeys } from '#server/modules/operator/passkeys.ts'
import { addressesOfPeople, createPeople } from '#server/modules/operator/people.ts'
import { keyFor } from '#server/modules/operator/signed.ts'
import { createStripeClients } from '#server/modules/payments/stripe-client.ts'
import type { Clock, MonotonicClock } from '#server/platform/clock.ts'
import {
  type Database,
  type Location,
  OPERATOR_TIMEOUTS,
  openDatabase,
} from '#server/platform/db/database.ts'
import { localFolder } from '#server/platform/generated-secrets.ts'
import type { Log } from '#server/platform/log.ts'
import { createPace } from '#server/platform/pace/pace.ts'
import { createTokens } from '#server/platform/pace/tokens.ts'
import { type MailDelivery, type Settings, SettingsError } from '#server/platform/settings.ts'
import { createShipping } from '#server/platform/wal-archive/ship.ts'
import { folderStore } from '#server/platform/wal-archive/store.ts'
import { createGate } from '../stand-ins-gate.ts'
import type { Provider } from './stand-ins.ts'
import { localProvider } from './stand-ins.ts'

/** The inputs of the process. */
export interface ApplicationDependencies {
  /** The project's folder. */
  readonly root: string
  readonly log: Log
  readonly clock: Clock
  /** The process's own when missing. */
  readonly monotonic?: MonotonicClock
  /** Renders a page of the site inside the process and gives its HTML. Rejects when the page fails. */
  readonly render: (path: string, locals: object) => Promise<string>
  /** Called when published content has changed. @returns whether its pages are shown; after false it is called again */
  readonly onContentChanged: () => Promise<boolean>
}

/** What every module stands on: the database, the secret, the provider, mails, limits, the operator. */
export type Foundation = Awaited<ReturnType<typeof layFoundation>>

/**
 * @throws SettingsError where the cards that are there were made with another secret
 * @throws OtherDatabase where the database is a sandbox's and this is none, or the other way round
 */
export async function layFoundation(
  settings: Settings,
  { log: plainLog, clock, monotonic = () => performance.now() }: ApplicationDependencies,
) {
  const { dataDir, siteUrl, webhookSecret, stripe, operatorMail, mailFrom } = settings
  const location: Location = { dataDir, databaseUrl: settings.databaseUrl, sandbox: settings.sandbox }
  const db = await openDatabase(location)
  const ownSecret = { secret: settings.cardKeySecret, secure: new URL(siteUrl).protocol === 'https:', clock }
  const keys = await keysOf(db, settings, clock())
  if (!(await areEarlierRowsProtected(db))) await protectRowsOfEarlierVersions(location, keys, clock())
  await beginCounts(db, keys, clock())

  let sitePort = settings.port
  const webhookUrl = () => `${ownAddress(settings.host, sitePort)}${PROVIDER_EVENTS_PATH}`
  const { providerPerSecond: perSecond } = settings
  const turn = perSecond === undefined ? undefined : createPace({ db, name: 'provider', perSecond }).turn
  const local = { dataDir: localFolder(dataDir), siteUrl, webhookSecret, clock, webhookUrl }
  const provider: Provider = stripe
    ? { clients: createStripeClients({ ...stripe, turn }) }
    : await localProvider(local, turn)
  const mailFolder = join(localFolder(dataDir), 'mail')
  const transport = await transportOf(settings.mail, mailFolder)
  const others = () => db.read(addressesOfPeople)
  const told = { db, clock, transport, mailFrom, siteUrl, others }
  const alarms = operatorMail ? createAlarms({ ...told, log: plainLog, to: operatorMail }) : undefined
  // From here on every alarm in the log is also sent to the operator.
  const log = alarms?.log ?? plainLog
  const shipping =
    settings.walArchive === undefined
      ? undefined
      : createShipping({ dataDir, db, store: folderStore(settings.walArchive), clock, monotonic, log })
  const limits = settings.rateLimits
    ? createRateLimits({
        monotonic,
        log,
        table: settings.rateLimits,
        tokensOf: (name, { together: uses, perMs }) =>
          createTokens({ db, name: `limit ${name}`, uses, perMs }),
      })
    : noRateLimits()
  const operator = createOperator({
    ...ownSecret,
    token: settings.operatorToken,
    openMode: !settings.production,
    ended: endedSessions(db),
    people: createPeople({ db, clock, mac: keys.mac }),
    passkeys: passkeysOf(db, settings, clock),
    log,
    limits,
  })
  const { production, demonstration } = settings
  const gate = createGate({ site: new URL(siteUrl), operator, production, demonstration })
  return {
    location,
    db,
    clock,
    monotonic,
    keys,
    ownSecret,
    provider,
    mailFolder,
    transport,
    alarms,
    log,
    shipping,
    /** Resolves once what was written would outlast the machine. */
    outlasting: shipping?.shipped,
    limits,
    operator,
    gate,
    /** Where the site listens, once it does. */
    listensAt(port: number): void {
      sitePort = port
    },
  }
}

/** Passkeys are of this site's name; their challenges are signed with its secret. */
function passkeysOf(db: Database, { siteUrl, cardKeySecret }: Settings, clock: Clock): Passkeys {
  const challenges = createChallenges(db, keyFor(cardKeySecret, 'passkey challenges'), clock)
  return createPasskeys(siteUrl, challenges)
}

async function transportOf(mail: MailDelivery, mailFolder: string): Promise<MailTransport> {
  switch (mail.kind) {
    case 'smtp': {
      const { createSmtpTransport } = await import('#server/modules/letters/smtp-transport.ts')
      return createSmtpTransport(mail.url)
    }
    case 'files':
      return createFileTransport(mailFolder)
  }
}

/** @throws SettingsError where the cards that are there were made with another secret; the database is closed then */
async function keysOf(db: Database, settings: Settings, now: number): Promise<CardKeys> {
  const secrets = { current: settings.cardKeySecret, earlier: settings.earlierCardKeySecrets }
  try {
    return await openCardKeys(db, secrets, now)
  } catch (error) {
    await db.close()
    if (!(error instanceof WrongSecret)) throw error
    const otherwise = 'Where CARD_KEY_SECRET is not set, the file local/card-key-secret of DATA_DIR counts.'
    throw new SettingsError([error.message, otherwise])
  }
}

/** Encrypts rows of earlier versions, once after an upgrade. The time-outs are those of a migration. */
async function protectRowsOfEarlierVersions(location: Location, keys: CardKeys, now: number): Promise<void> {
  const db = await openDatabase({ ...location, timeouts: OPERATOR_TIMEOUTS, asItIs: true })
  try {
    if ((await protectEarlierRows(db, keys, now)) > 0)
      await db.scrub(['orders', 'free_claims', 'newsletter_subscribers'])
  } finally {
    await db.close()
  }
}

/** The address at which this process reaches itself, also where it listens at every address. */
function ownAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
