import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type AccessOptions, createAccess, type Sender } from './access.ts'
import { accountRoutes, EMPTY_BRANCHES } from './account.ts'
import { assetRoutes, type RefusedUpload } from './asset-routes.ts'
import { createAssets } from './assets.ts'
import { dataRoutes, guarded } from './data-routes.ts'
import { type Disk, realDisk } from './disk.ts'
import { LakeError, refusal } from './errors.ts'
import { historyRoutes } from './history-routes.ts'
import { createNames } from './ids.ts'
import { createKeyValues } from './key-values.ts'
import { createListeners } from './listen.ts'
import { createLiveEvents } from './live.ts'
import type { User } from './model.ts'
import { createRouter, type Routes } from './routes.ts'
import { createSandbox, createSandboxProcess, type SandboxProcess } from './sandbox.ts'
import { seed } from './seeding.ts'
import { createAssetServer } from './serve-assets.ts'
import { createSockets, LISTEN_SOCKET_PATH } from './sockets.ts'
import { type Committed, openStore, type Store } from './store.ts'
import { createViews } from './views.ts'

export type { User } from './model.ts'

export interface LakeOptions extends Partial<AccessOptions> {
  /** The lake's own folder; made when missing. */
  readonly dir: string
  /** Paths of NDJSON files in the official export format, for what the lake never had. */
  readonly seedFiles?: readonly string[]
  readonly dataset?: string
  readonly projectId?: string
  /** The site's login page, for the Studio to send an operator to. */
  readonly loginUrl?: () => string
  /** Headers that end the asker's session, for the Studio's sign-out. */
  readonly logout?: (request: Request) => Promise<Readonly<Record<string, string>>>
  /** Now in epoch milliseconds. */
  readonly clock?: () => number
  /** As `Math.random`, for names. */
  readonly chance?: () => number
  readonly disk?: Disk
  /** Older history is folded away when the log is twice as long. */
  readonly historyBytes?: number
  /** Where questions from outside are worked out; a process of its own when not given. */
  readonly sandboxProcess?: SandboxProcess
  /** Hears of each file that was not kept, for a log. */
  readonly onRefusedUpload?: (refused: RefusedUpload) => void
}

export interface Lake {
  /** Answers a request of the Content Lake's HTTP API; event streams stay open. Never rejects. */
  fetch(request: Request, sender?: Sender): Promise<Response>
  /** The same for this process itself, which needs no login and no address. */
  fetchInside(request: Request): Promise<Response>
  /** Whether the web front should hand this path over. */
  handlesPath(pathname: string): boolean
  /** Takes over a WebSocket: who is where in the Studio, and event streams without number. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, sender?: Sender): void
  readonly store: Store
  /** Hears of every transaction once it is on disk. @returns what ends it */
  onTransaction(listener: (committed: Committed) => void): () => void
  /** Ends every stream and socket, so that a server can stop; the lake goes on answering. */
  endStreams(): void
  close(): Promise<void>
}

const API = /^\/v(?<version>X|1|\d{4}-\d{2}-\d{2})(?<path>\/.*)$/

/** `/v1/…` is the one version that another service might use: only what the Studio asks there is ours. */
const OURS_IN_V1 =
  /^\/v1\/(?:assets|auth|check|data|features|help|intake|journey|ping|projects|socket|subscriptions|users)(?:\/|$)/

/** The site itself, in this process. */
const INSIDE: User = { id: 'site', name: 'The site', email: 'site@localhost' }

/**
 * A Content Lake without an account: the HTTP API of the hosted one, so that the site, the unmodified Studio and
 * the official tools work on one machine. Rejects when the log on disk or a seed file cannot be read.
 */
export async function createLake(options: LakeOptions): Promise<Lake> {
  const { dir, seedFiles = [], dataset = 'production', projectId = 'local' } = options
  const {
    origin = () => 'http://localhost',
    clock = Date.now,
    chance = Math.random,
    disk = realDisk,
  } = options
  const newName = createNames(chance)
  const place = { origin, projectId, dataset }
  const access = createAccess({
    origin,
    allowedOrigins: options.allowedOrigins ?? [],
    authenticate: options.authenticate ?? (() => null),
    openMode: options.openMode ?? false,
  })

  const store = await openStore({ dir, disk, clock, historyBytes: options.historyBytes })
  const assets = createAssets({ store, dir, disk })
  const assetServer = createAssetServer({ assets, dir, disk })
  try {
    await seed({ store, assets, files: seedFiles, newName })
  } catch (error) {
    await store.close()
    throw error
  }

  const sandboxProcess = options.sandboxProcess ?? createSandboxProcess()
  const sandbox = createSandbox(store, place, sandboxProcess)
  const listeners = createListeners({ store, sandbox, place, clock, newName })
  const live = createLiveEvents(store)
  const views = createViews(store, place)
  const data: Routes = {
    ...dataRoutes({ store, sandbox, views, place, listeners, live, clock, newName }),
    ...historyRoutes(store, place),
    ...assetRoutes(assets, place, newName, options.onRefusedUpload ?? (() => {})),
  }
  const { loginUrl, logout } = options
  const keyValues = createKeyValues(dir, disk)
  const router = createRouter({
    ...accountRoutes({ projectId, dataset, loginUrl, logout, keyValues }),
    ...Object.fromEntries(Object.entries(data).map(([route, handler]) => [route, guarded(dataset, handler)])),
  })
  const files = new RegExp(`^/(?<kind>image|file)s/${projectId}/${dataset}/(?<name>[^/]+)(?:/[^/]*)?$`)

  async function answer(request: Request, user: User | null, isInside = false): Promise<Response> {
    const url = new URL(request.url)
    const file = files.exec(url.pathname)?.groups
    if (file) {
      const kind = file.kind === 'image' ? 'image' : 'file'
      return assetServer.serve(kind, file.name ?? '', url, request.headers.get('accept') ?? '')
    }
    const { version, path } = API.exec(url.pathname)?.groups ?? {}
    if (version === undefined || path === undefined) throw refusal(404, `No such endpoint: ${url.pathname}`)
    const branch = EMPTY_BRANCHES.find(([prefix]) => path.startsWith(prefix))
    if (branch) return Response.json(branch[1])
    const { handler, params } = router(request.method, path)
    if (user && !isInside) sandbox.prepare()
    await store.catchUp()
    return handler({ request, url, version, params, user, isInside })
  }

  /** Every refusal in the API's shape; a fault of ours says so, and no more. */
  async function answered(work: () => Promise<Response>): Promise<Response> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LakeError)) process.emitWarning(error instanceof Error ? error : String(error))
      const { status, body, headers } =
        error instanceof LakeError ? error : refusal(500, 'The local lake failed; its log says why')
      return Response.json(body, { status, headers })
    }
  }

  const sockets = createSockets({
    access,
    dataset,
    origin,
    clock,
    newName,
    openStream: (request, user) => answered(() => answer(request, user)),
  })

  function endStreams(): void {
    listeners.close()
    live.close()
    sockets.close()
  }

  return {
    store,
    onTransaction: store.onTransaction,
    endStreams,
    async fetch(request, sender = {}) {
      const response = await answered(async () => {
        access.admit(request, sender)
        if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
        return answer(request, await access.userOf(request, sender))
      })
      for (const [name, value] of Object.entries(access.corsHeaders(request)))
        response.headers.append(name, value)
      if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
      return response
    },
    fetchInside: request => answered(() => answer(request, INSIDE, true)),
    handlesPath: path =>
      path === LISTEN_SOCKET_PATH ||
      files.test(path) ||
      (API.test(path) && (!path.startsWith('/v1/') || OURS_IN_V1.test(path))),
    upgrade: (request, socket, head, sender = { address: request.socket.remoteAddress }) =>
      void sockets.upgrade(request, socket, head, sender),
    async close() {
      endStreams()
      await store.close()
      sandbox.close()
      if (!options.sandboxProcess) sandboxProcess.stop()
    },
  }
}
