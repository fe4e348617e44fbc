import { refusal } from './errors.ts'
import type { KeyValue, KeyValues } from './key-values.ts'
import type { User } from './model.ts'
import { bytesOf, type Call } from './routes.ts'

/** What the Studio asks about users and the project, besides documents. */
export interface AccountOptions {
  readonly projectId: string
  readonly dataset: string
  /** The site's login page, where there is one. */
  readonly loginUrl?: (() => string) | undefined
  /** Headers that end the asker's session (`Set-Cookie`). */
  readonly logout?: ((request: Request) => Promise<Readonly<Record<string, string>>>) | undefined
  readonly keyValues: KeyValues
}

const ADMINISTRATOR = { name: 'administrator', title: 'Administrator' }
const EVERY_PERMISSION = ['create', 'read', 'update', 'history', 'editHistory', 'publish', 'manage']

const MOST_REMEMBERED_BYTES = 256 * 1024

/** The hosted API's words for nobody. */
export const notLoggedIn = () => refusal(401, 'Session not found', { errorCode: 'SIO-401-ANF' })

/** The answers of an account with one project and one role; most are the same for everybody, always. */
export function accountRoutes({ projectId, dataset, loginUrl, logout, keyValues }: AccountOptions) {
  const constant = (answer: unknown) => () => Response.json(answer)
  const members = ({ user }: Call) => (user ? [{ id: user.id, role: 'administrator', isRobot: false }] : [])
  const project = (call: Call) => ({
    id: projectId,
    displayName: 'Local content',
    organizationId: null,
    members: members(call),
    features: [],
    metadata: {},
    studioHost: null,
    isBlocked: false,
    isDisabled: false,
  })

  return {
    'GET /ping': () => new Response('PONG', { headers: { 'x-sanity-shard': 'local' } }),
    'GET /users/me': ({ user }: Call) => Response.json(shown(need(user))),
    'GET /users/me/keyvalue/:keys': async ({ user, params }: Call) =>
      Response.json(await keyValues.get(need(user).id, (params.keys ?? '').split(','))),
    'PUT /users/me/keyvalue': async ({ user, request }: Call) => {
      const { id } = need(user)
      const pairs = pairsIn(await bytesOf(request, MOST_REMEMBERED_BYTES, 'This is too much to remember'))
      await keyValues.put(id, pairs)
      return Response.json(pairs)
    },
    'GET /users/:ids': ({ user, params }: Call) => {
      const ids = (params.ids ?? '').split(',')
      const users = ids.map(id => (id === need(user).id ? shown(need(user)) : somebody(id)))
      return Response.json(params.ids?.includes(',') ? users : users[0])
    },
    'GET /auth/id': ({ user }: Call) => Response.json({ id: need(user).id }),
    'GET /auth/providers': () =>
      Response.json({ providers: loginUrl ? [{ name: 'site', title: 'This site', url: loginUrl() }] : [] }),
    'POST /auth/logout': async ({ request }: Call) =>
      new Response(null, { status: 204, headers: (await logout?.(request)) ?? {} }),
    'GET /projects': (call: Call) => Response.json([project(call)]),
    'GET /projects/:project': (call: Call) => Response.json(project(call)),
    'GET /projects/:project/datasets': ({ url }: Call) =>
      Response.json(url.searchParams.has('datasetProfile') ? [] : [{ name: dataset, aclMode: 'private' }]),
    'GET /projects/:project/datasets/:dataset/acl': constant([
      { filter: '_id in path("**")', permissions: EVERY_PERMISSION },
    ]),
    'GET /projects/:project/grants': constant({}),
    'GET /projects/:project/permissions': constant([]),
    'GET /projects/:project/features': constant([]),
    'GET /projects/:project/user-applications': constant([]),
    'GET /projects/:project/datasets/:dataset/settings/indexing': constant({}),
    'GET /projects/:project/settings/indexing': constant({}),
    'GET /features': constant([]),
    'GET /intake/telemetry-status': constant({ status: 'denied' }),
    'POST /intake/batch': constant({}),
    'GET /help': constant({ resources: { welcome: {}, sectionArray: [] } }),
    'GET /check/cors': constant({ result: { allowed: true, withCredentials: true } }),
  }
}

/** Whole branches that have the same empty answer. */
export const EMPTY_BRANCHES: readonly (readonly [prefix: string, answer: unknown])[] = [
  ['/journey/', null],
  ['/subscriptions/', null],
  ['/schedules/', { schedules: [] }],
]

function need(user: User | null): User {
  if (!user) throw notLoggedIn()
  return user
}

const shown = ({ id, name, email }: User) => ({
  id,
  name,
  displayName: name,
  email,
  role: 'administrator',
  roles: [ADMINISTRATOR],
  provider: 'local',
  profileImage: '',
  imageUrl: '',
})

/** The author of an old change, who may not be known any more. */
const somebody = (id: string) => shown({ id, name: id, email: '' })

function pairsIn(bytes: Uint8Array): KeyValue[] {
  try {
    const pairs: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    if (Array.isArray(pairs) && pairs.every(pair => typeof pair?.key === 'string')) return pairs
  } catch {}
  throw refusal(400, 'A list of { key, value } is expected')
}
