import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STUDIO_LOGIN_PATH } from '#paths'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import type { Mount } from '#server/http/transport/mounts.ts'
import type { ContentSource } from '#server/modules/content/client.ts'
import type { Operator } from '#server/modules/operator/interface.ts'
import { createStripeClients, type StripeClients } from '#server/modules/payments/stripe-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import { localFolder } from '#server/platform/generated-secrets.ts'
import type { Log } from '#server/platform/log.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import type { PaymentsDouble, PaymentsDoubleOptions } from '#stand-ins/payments-double/index.ts'
import { type MountedLake, mountLake } from '../mounted-lake.ts'
import type { Gate } from '../stand-ins-gate.ts'

/** The seed content of the repository, for a site without a hosted Content Lake. */
const SEED_FILES = [fileURLToPath(new URL('../../../../studio/seed/production.ndjson', import.meta.url))]

/** The payment provider: the real one, or the double that answers in its place. */
export interface Provider {
  readonly clients: StripeClients
  readonly double?: PaymentsDouble
}

/** The source of the content, with the mounts of the local lake where there is one. */
export interface MountedSource {
  readonly source: ContentSource
  readonly lake?: Lake
  readonly mounted?: MountedLake
}

// The stand-ins are loaded only where they run: a site with its own accounts carries none of them in memory.

/** Makes the real clients, which talk to the payments double inside this process. @param turn their pace */
export async function localProvider(
  options: PaymentsDoubleOptions,
  turn?: (patienceMs: number) => Promise<void>,
): Promise<Provider> {
  const { createPaymentsDouble } = await import('#stand-ins/payments-double/index.ts')
  const double = createPaymentsDouble(options)
  const clients = createStripeClients({
    secretKey: 'sk_test_local',
    fetch: (input, init) => double.fetch(new Request(input, init)),
    turn,
  })
  return { clients, double }
}

/** Makes the content source: the hosted Content Lake, or the local lake in the site's folder with its mounts. */
export async function contentSource(
  { sanity, dataDir, siteUrl, production, trustedProxies }: Settings,
  { clock, operator, gate, log }: { clock: Clock; operator: Operator; gate: Gate; log: Log },
): Promise<MountedSource> {
  if (sanity) {
    const { projectId, dataset, readToken } = sanity
    return { source: { projectId, dataset, token: readToken } }
  }
  const { createLake } = await import('#stand-ins/local-lake/index.ts')
  const openMode = !production && operator.login === 'open'
  const lake = await createLake({
    dir: join(localFolder(dataDir), 'content'),
    seedFiles: SEED_FILES,
    origin: () => new URL(siteUrl).origin,
    clock,
    openMode,
    authenticate: async ({ headers }, { visitor = ELSEWHERE }) =>
      (await operator.isOperator(headers, visitor))
        ? { ...OPERATOR, until: operator.endOfSession(headers) }
        : null,
    onRefusedUpload: ({ status, reason, bytes }) => log.info('upload-refused', { status, reason, bytes }),
    loginUrl: () => `${siteUrl}${STUDIO_LOGIN_PATH}`,
    async logout({ headers }) {
      const cookie = await operator.signOut(headers)
      // The streams and sockets of the session end with it. All others end too, and connect again by themselves.
      lake.endStreams()
      return { 'set-cookie': cookie }
    },
  })
  return {
    source: { fetch: lake.fetchInside },
    lake,
    mounted: mountLake(lake, gate, createClientAddress(trustedProxies)),
  }
}

/** The operator's name in the history of the content. */
const OPERATOR = { id: 'operator', name: 'Operator', email: 'operator@localhost' }
/** An address that is never this machine's: where there is a token, only the session counts. */
const ELSEWHERE = ''

/** Makes the inbox, in which the mails of a site without a mail server are read in a browser. */
export async function localInbox(dir: string): Promise<Omit<Mount, 'audience'>> {
  const { createInbox } = await import('#stand-ins/inbox/inbox.ts')
  return createInbox({ dir })
}
