import { notLoggedIn } from './account.ts'
import { type Place, presented } from './assets-address.ts'
import { asActionError, LakeError, malformed, refusal } from './errors.ts'
import { publishedOf } from './ids.ts'
import type { Listeners } from './listen.ts'
import { type LiveEvents, SYNC_TAGS } from './live.ts'
import { answer } from './query.ts'
import { isYes, readListenRequest, readQueryRequest } from './request.ts'
import { type Call, checkNumber, fieldsOf, type Handler, idsIn, type Routes } from './routes.ts'
import type { Sandbox } from './sandbox.ts'
import type { Staging } from './staging.ts'
import type { Store } from './store.ts'
import type { Views } from './views.ts'

export interface DataParts {
  readonly store: Store
  readonly sandbox: Sandbox
  readonly views: Views
  readonly place: Place
  readonly listeners: Listeners
  readonly live: LiveEvents
  readonly clock: () => number
  readonly newName: () => string
}

/** Lets only who is logged in through, and only to the dataset that there is. */
export function guarded(dataset: string, handler: Handler): Handler {
  return call => {
    if (!call.user) throw notLoggedIn()
    if (call.params.ds !== dataset) throw refusal(404, `Dataset not found - dataset "${call.params.ds}"`)
    return handler(call)
  }
}

/** Questions and changes. */
export function dataRoutes(parts: DataParts): Routes {
  const { store, sandbox, views, place, listeners, live, clock, newName } = parts
  const identityOf = ({ user }: Call) => user?.id ?? ''

  async function query(call: Call): Promise<Response> {
    const started = clock()
    const asked = await readQueryRequest(call)
    const { query, params, perspective } = asked
    const asker = { now: started, identity: identityOf(call) }
    // The site's own questions are known, and nobody waits for a process to answer them.
    const result = call.isInside
      ? JSON.stringify((await answer(asked, views.view(perspective), asker)) ?? null)
      : await sandbox.workOut({ kind: 'query', query: { query, params }, perspective, asker })
    const rest = JSON.stringify({
      ...(asked.returnQuery ? { query } : {}),
      syncTags: SYNC_TAGS,
      ms: clock() - started,
    })
    return new Response(`{"result":${result},${rest.slice(1)}`, {
      headers: { 'content-type': 'application/json' },
    })
  }

  function documents({ url, params }: Call): Response {
    const view = views.view('raw')
    const asked = idsIn(params.ids)
    const ids = isYes(url.searchParams, 'includeAllVersions') ? withVersions(asked) : asked
    const found = ids.flatMap(id => view.get(id) ?? [])
    const there = new Set(found.map(({ _id }) => _id))
    const missing = asked.filter(id => !there.has(id))
    const content = isYes(url.searchParams, 'excludeContent')
      ? found.map(({ _id, _type, _rev, _createdAt, _updatedAt }) => ({
          _id,
          _type,
          _rev,
          _createdAt,
          _updatedAt,
        }))
      : found
    return Response.json({
      documents: content,
      omitted: missing.map(id => ({ id, reason: 'existence' })),
    })
  }

  function withVersions(asked: readonly string[]): string[] {
    const groups = new Set(asked.map(publishedOf))
    return views.view('raw').documents.flatMap(({ _id }) => (groups.has(publishedOf(_id)) ? [_id] : []))
  }

  async function mutate(call: Call): Promise<Response> {
    const { mutations, transactionId } = await fieldsOf(call.request)
    const asked = call.url.searchParams
    if (!Array.isArray(mutations)) throw malformed('"mutations" is not a list')
    checkNumber(mutations)
    const asker = { now: clock(), identity: identityOf(call) }
    const committed = await store.commit(
      async staging => {
        const { results, ...changes } = await sandbox.workOut({
          kind: 'mutate',
          mutations,
          autoGenerateArrayKeys: isYes(asked, 'autoGenerateArrayKeys'),
          asker,
          ...transactionOf(staging),
        })
        staging.take(changes)
        return results
      },
      optionsOf(call, transactionId, isYes(asked, 'dryRun')),
    )
    const after = new Map(committed.steps.map(step => [step.id, step.after ?? step.before]))
    const results = committed.value.map(({ id, operation }) => {
      const document = after.get(id) ?? store.documents.get(id)
      const isWanted = isYes(asked, 'returnDocuments') && document
      return { id, operation, ...(isWanted ? { document: presented(document, place) } : {}) }
    })
    return Response.json({ transactionId: committed.record.id, results })
  }

  async function act(call: Call): Promise<Response> {
    const { actions: given, transactionId, dryRun } = await fieldsOf(call.request)
    const actions = [given].flat()
    checkNumber(actions)
    try {
      const { record } = await store.commit(
        async staging =>
          staging.take(await sandbox.workOut({ kind: 'act', actions, ...transactionOf(staging) })),
        optionsOf(call, transactionId, dryRun === true),
      )
      return Response.json({ transactionId: record.id })
    } catch (error) {
      throw error instanceof LakeError ? asActionError(error) : error
    }
  }

  function optionsOf(call: Call, transactionId: unknown, dryRun: boolean) {
    if (transactionId !== undefined && typeof transactionId !== 'string')
      throw malformed('Invalid transaction ID')
    return { author: identityOf(call), transactionId: transactionId ?? newName(), dryRun }
  }

  const transactionOf = ({ transactionId, timestamp }: Staging) => ({ transactionId, timestamp })

  /** How long a stream may last: no longer than the login that it was opened with. */
  const restOfLogin = ({ user }: Call) => (user?.until === undefined ? undefined : user.until - clock())

  function exported({ url }: Call): Response {
    const types = url.searchParams.get('types')?.split(',')
    const lines = views
      .view('raw')
      .documents.filter(({ _type }) => !types || types.includes(_type))
      .map(document => `${JSON.stringify(document)}\n`)
    return new Response(lines.join(''), { headers: { 'content-type': 'application/x-ndjson' } })
  }

  return {
    'GET /data/query/:ds': query,
    'POST /data/query/:ds': query,
    'GET /data/doc/:ds/:ids': documents,
    'POST /data/mutate/:ds': mutate,
    'POST /data/actions/:ds': act,
    'GET /data/listen/:ds': call => listeners.listen(readListenRequest(call), restOfLogin(call)),
    'GET /data/live/events/:ds': call =>
      live.listen({
        includeDrafts: isYes(call.url.searchParams, 'includeDrafts'),
        resumeAfter: call.request.headers.get('last-event-id') ?? undefined,
        lastsMs: restOfLogin(call),
      }),
    'GET /data/export/:ds': exported,
    'GET /data/ping/:ds': () => new Response('PONG', { headers: { 'x-sanity-shard': 'local' } }),
    'GET /data/references/:ds/documents/:id/to': () => Response.json({ totalCount: 0, references: [] }),
  }
}
