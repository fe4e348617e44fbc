import { type Place, presented, presentedEffects } from './assets-address.ts'
import type { LakeDocument, Mutation } from './model.ts'
import { answerNow, type Query } from './query.ts'
import { missedSince } from './resume.ts'
import { type EventStream, openEventStream } from './sse.ts'
import { changeOf, type Step } from './staging.ts'
import type { Committed, Store } from './store.ts'
import { viewOf } from './views.ts'

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
  /** Refuses a query that does not parse. @param lastsMs the longest that the stream may last */
  listen(request: ListenRequest, lastsMs?: number): Response
  /** Ends every stream; the listeners come back by themselves. */
  close(): void
}

/** Sends every listener what its query matches, before or after a change. A query sees one document at a time. */
export function createListeners({
  store,
  place,
  clock,
  newName,
}: {
  store: Store
  place: Place
  clock: () => number
  newName: () => string
}): Listeners {
  const open = new Set<EventStream>()

  function listen(request: ListenRequest, lastsMs?: number): Response {
    // Asked once of nothing, a query that does not parse is refused before the stream begins.
    answerNow(request, viewOf([]), { now: clock(), identity: '' })
    const stream = openEventStream(() => {
      open.delete(stream)
      silence()
    }, lastsMs)
    const silence = store.onTransaction(committed => tell(stream, request, committed))
    open.add(stream)
    greet(stream, request)
    return stream.response
  }

  function greet(stream: EventStream, request: ListenRequest): void {
    const data = { listenerName: newName() }
    if (request.resumeAfter === undefined) return void stream.send({ event: 'welcome', data })
    const missed = missedSince(store, request.resumeAfter)
    if (missed === undefined) return void stream.send({ event: 'reset', data })
    stream.send({ event: 'welcomeback', data })
    for (const { committed, from } of missed) tell(stream, request, committed, from)
  }

  /**
   * The Studio waits until it has as many events of a transaction as are announced: only those are counted that
   * this listener hears.
   * @param from the first step that the listener has not seen
   */
  function tell(stream: EventStream, request: ListenRequest, { record, steps }: Committed, from = 0): void {
    const now = clock()
    const heard = steps.flatMap((step, index) => {
      const transition = transitionOf(step, request, now)
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
      for (const stream of open) stream.end()
    },
  }
}

/** What the change is to this listener: a document may enter or leave what its query matches. */
function transitionOf({ id, before, after }: Step, request: ListenRequest, now: number) {
  if (!request.sees(id)) return undefined
  const [was, is] = [matches(before, request, now), matches(after, request, now)]
  if (was) return is ? 'update' : 'disappear'
  return is ? 'appear' : undefined
}

function matches(document: LakeDocument | null, request: Query, now: number): boolean {
  if (document === null) return false
  const result = answerNow(request, viewOf([document]), { now, identity: '' })
  return Array.isArray(result) ? result.length > 0 : result !== null && result !== false && result !== 0
}

function contentOf(step: Step, request: ListenRequest, place: Place): object {
  const shown = (document: LakeDocument | null) => (document ? presented(document, place) : undefined)
  return {
    ...(request.includeEffects ? { effects: presentedEffects(changeOf(step).effects, place) } : {}),
    ...(request.includeResult ? { result: shown(step.after) } : {}),
    ...(request.includePreviousRevision ? { previous: shown(step.before) } : {}),
  }
}

/** Those of a transaction's mutations that are about one document. */
export function mutationsOf(id: string, mutations: readonly Mutation[]): readonly Mutation[] {
  return mutations.filter(mutation => {
    const [body] = Object.values(mutation) as readonly { readonly id?: unknown; readonly _id?: unknown }[]
    return body?.id === id || body?._id === id
  })
}
