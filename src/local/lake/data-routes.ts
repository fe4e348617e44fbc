import { notLoggedIn } from './account.ts'
import { applyActions } from './actions.ts'
import { type Place, presented } from './assets-address.ts'
import { asActionError, LakeError, malformed, refusal } from './errors.ts'
import { publishedOf } from './ids.ts'
import type { Listeners } from './listen.ts'
import { type LiveEvents, SYNC_TAGS } from './live.ts'
import { applyMutations } from './mutations.ts'
import { answer, answerNow } from './query.ts'
import { isYes, readListenRequest, readQueryRequest } from './request.ts'
import { type Call, fieldsOf, type Handler, type Routes } from './routes.ts'
import type { Store } from './store.ts'
import { type Views, viewOf } from './views.ts'

export interface DataParts {
  readonly store: Store
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
  const { store, views, place, listeners, live, clock, newName } = parts
  const identityOf = ({ user }: Call) => user?.id ?? ''

  async function query(call: Call): Promise<Response> {
    const started = clock()
    const asked = await readQueryRequest(call)
    const result = await answer(asked, views.view(asked.perspective), {
      now: started,
      identity: identityOf(call),
    })
    return Response.json({
      ...(asked.returnQuery ? { query: asked.query } : {}),
      result: result ?? null,
      syncTags: SYNC_TAGS,
      ms: clock() - started,
    })
  }

  function documents({ url, params }: Call): Response {
    const view = views.view('raw')
    const asked = (params.ids ?? '').split(',')
    const ids = isYes(url.searchParams, 'includeAllVersions') ? withVersions(asked) : asked
    const found = ids.flatMap(id => view.get(id) ?? [])
    const missing = asked.filter(id => !found.some(document => document._id === id))
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
    const committed = await store.commit(
      staging =>
        applyMutations(staging, mutations, {
          newId: newName,
          autoGenerateArrayKeys: isYes(asked, 'autoGenerateArrayKeys'),
          matching: (text, params) => matching(text, params, identityOf(call)),
        }),
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

  /** The ids that a query of documents matches, drafts and versions included. */
  function matching(text: string, params: Readonly<Record<string, unknown>>, identity: string): string[] {
    const view = viewOf([...store.documents.values()])
    const found = answerNow({ query: text, params }, view, { now: clock(), identity })
    return [found]
      .flat()
      .flatMap(each => ((each as { _id?: string } | null)?._id ? [(each as { _id: string })._id] : []))
  }

  async function act(call: Call): Promise<Response> {
    const { actions, transactionId, dryRun } = await fieldsOf(call.request)
    try {
      const { record } = await store.commit(
        staging => applyActions(staging, [actions].flat()),
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
