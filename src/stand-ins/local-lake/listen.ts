import { type Place, presented, presentedEffects } from './assets-address.ts'
import { refusal } from './errors.ts'
import type { LakeDocument, Mutation } from './model.ts'
import type { Query } from './query.ts'
import { missedSince } from './resume.ts'
import type { Sandbox } from './sandbox.ts'
import { type EventStream, openEventStream } from './sse.ts'
import { changeOf, type Step } from './staging.ts'
import type { Committed, Store } from './store.ts'

export interface ListenRequest extends Query {
  readonly includeResult: boolean
  readonly includePreviousRevision: boolean
  readonly includeMutations: boolean
  /** Effects in the format of `mendoza`. */
  readonly includeEffects: boolean
  /** The last event that the listener has, when it wants those since. */
  readonly resumeAfter: string | undefined
  /** Whether a document of this name exists for the listener. */
  readonly sees: (id: string) => boolean
}

export interface Listeners {
  /** Refuses a query that does not parse, and a stream too many. @param lastsMs the longest that the stream may last */
  listen(request: ListenRequest, lastsMs?: number): Promise<Response>
  /** Ends every stream; the listeners come back by themselves. */
  close(): void
}

/** How a listener sees a change: a document may begin or cease to match its query. */
type Transition = 'appear' | 'update' | 'disappear'

interface Listener {
  readonly stream: EventStream
  readonly request: ListenRequest
}

/** A Studio has some thirty; every change is matched against each. */
const MOST_STREAMS = 300
/** A query stays in memory for as long as its stream lasts. */
const MOST_QUERY_CHARACTERS = 32 * 1024

/** Sends every listener what its query matches, before or after a change. A query sees one document at a time. */
export function createListeners({
  store,
  sandbox,
  place,
  clock,
  newName,
}: {
  store: Store
  sandbox: Sandbox
  place: Place
  clock: () => number
  newName: () => string
}): Listeners {
  const open = new Set<Listener>()
  /** Every listener hears of everything in its order, although it takes a moment to know who is to hear of it. */
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch((error: unknown) => {
      process.emitWarning(error instanceof Error ? error : String(error))
    })
  }

  store.onTransaction(committed => {
    // Who comes later does not hear of it.
    const hearing = [...open]
    if (hearing.length > 0) inTurn(() => tell(hearing, committed))
  })

  async function listen(request: ListenRequest, lastsMs?: number): Promise<Response> {
    const { query, params } = request
    if (open.size >= MOST_STREAMS) throw refusal(503, 'Too many listeners are open at once')
    if (query.length + JSON.stringify(params).length > MOST_QUERY_CHARACTERS)
      throw refusal(400, 'A query to listen to is longer than 32 kB')
    // Asked of nothing, a query that does not parse is refused before the stream begins.
    await sandbox.workOut({ kind: 'match', queries: [{ query, params }], documents: [], now: clock() })
    const listener: Listener = { stream: openEventStream(() => void open.delete(listener), lastsMs), request }
    open.add(listener)
    greet(listener)
    return listener.stream.response
  }

  function greet({ stream, request }: Listener): void {
    const data = { listenerName: newName() }
    if (request.resumeAfter === undefined) return void stream.send({ event: 'welcome', data })
    const missed = missedSince(store, request.resumeAfter)
    if (missed === undefined) return void stream.send({ event: 'reset', data })
    stream.send({ event: 'welcomeback', data })
    for (const { committed, from } of missed) inTurn(() => tell([{ stream, request }], committed, from))
  }

  /** @param from the first step that the listeners have not seen */
  async function tell(listeners: readonly Listener[], committed: Committed, from = 0): Promise<void> {
    const { steps } = committed
    const matched = await matchedBy(listeners, steps)
    for (const [index, listener] of listeners.entries()) {
      const found = matched[index]
      // Its query costs more than there is: it would cost as much with every change.
      if (found === undefined) listener.stream.end()
      else send(listener, committed, transitionsOf(steps, listener.request, found), from)
    }
  }

  /** For each listener, whether it matches each step's document before and after; undefined where that is too much. */
  async function matchedBy(
    listeners: readonly Listener[],
    steps: readonly Step[],
  ): Promise<(readonly boolean[] | undefined)[]> {
    const documents = steps.flatMap(({ before, after }) => [before, after])
    const now = clock()
    const asked = (those: readonly Listener[]) => {
      const queries = those.map(({ request: { query, params } }) => ({ query, params }))
      return sandbox.workOut({ kind: 'match', queries, documents, now })
    }
    try {
      return [...(await asked(listeners))]
    } catch {
      // One of them is too much for the rest: each by itself.
      const apart: (readonly boolean[] | undefined)[] = []
      for (const listener of listeners) apart.push((await asked([listener]).catch(() => undefined))?.[0])
      return apart
    }
  }

  /**
   * The Studio waits until it has as many events of a transaction as are announced: only those are counted that
   * this listener hears.
   */
  function send(
    { stream, request }: Listener,
    { record, steps }: Committed,
    transitions: readonly (Transition | undefined)[],
    from: number,
  ): void {
    const heard = steps.flatMap((step, index) => {
      const transition = transitions[index]
      return transition === undefined ? [] : [{ step, index, transition }]
    })
    for (const [number, { step, index, transition }] of heard.entries()) {
      if (index < from) continue
      const eventId = `${record.id}#${step.id}`
      const data = {
        eventId,
        documentId: step.id,
        transactionId: record.id,
        transition,
        identity: record.author,
        timestamp: record.timestamp,
        visibility: 'query',
        previousRev: step.before?._rev,
        // Of a deletion too: a listener waits for its own revision to come back.
        resultRev: record.id,
        ...contentOf(step, request, place),
        ...(request.includeMutations ? { mutations: mutationsOf(step.id, record.mutations) } : {}),
        transactionTotalEvents: heard.length,
        transactionCurrentEvent: number + 1,
      }
      stream.send({ event: 'mutation', id: eventId, data })
    }
  }

  return {
    listen,
    close() {
      for (const { stream } of open) stream.end()
    },
  }
}

/** @param matched for each step, of its document before and after */
function transitionsOf(
  steps: readonly Step[],
  request: ListenRequest,
  matched: readonly boolean[],
): (Transition | undefined)[] {
  return steps.map(({ id }, index) => {
    if (!request.sees(id)) return undefined
    const [was, is] = [matched[2 * index], matched[2 * index + 1]]
    if (was) return is ? 'update' : 'disappear'
    return is ? 'appear' : undefined
  })
}

function contentOf(step: Step, request: ListenRequest, place: Place): object {
  const shown = (document: LakeDocument | null) => (document ? presented(document, place) : undefined)
  return {
    ...(request.includeEffects ? { effects: presentedEffects(changeOf(step).effects, place) } : {}),
    ...(request.includeResult ? { result: shown(step.after) } : {}),
    ...(request.includePreviousRevision ? { previous: shown(step.before) } : {}),
  }
}

const byDocument = new WeakMap<readonly Mutation[], Map<unknown, Mutation[]>>()

/** Those of a transaction's mutations that are about one document. */
export function mutationsOf(id: string, mutations: readonly Mutation[]): readonly Mutation[] {
  const known = byDocument.get(mutations) ?? mutationsByDocument(mutations)
  byDocument.set(mutations, known)
  return known.get(id) ?? []
}

function mutationsByDocument(mutations: readonly Mutation[]): Map<unknown, Mutation[]> {
  const found = new Map<unknown, Mutation[]>()
  for (const mutation of mutations) {
    const [body] = Object.values(mutation) as readonly { readonly id?: unknown; readonly _id?: unknown }[]
    for (const id of new Set([body?.id, body?._id])) found.set(id, [...(found.get(id) ?? []), mutation])
  }
  return found
}
