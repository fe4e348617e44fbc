import type { Place } from './assets-address.ts'
import { eventsOf } from './events.ts'
import { documentsAt, transactionsOf } from './history.ts'
import { isYes } from './request.ts'
import { idsIn, type Routes } from './routes.ts'
import type { Store } from './store.ts'

const MOST_TRANSACTIONS = 1_000
const MOST_EVENTS = 100

/** What was. */
export function historyRoutes(store: Store, place: Place): Routes {
  return {
    'GET /data/history/:ds/transactions/:ids': ({ url, params }) => {
      const asked = url.searchParams
      const excludesContent = isYes(asked, 'excludeContent')
      const transactions = transactionsOf(
        store,
        {
          ids: idsIn(params.ids),
          fromTransaction: asked.get('fromTransaction') ?? undefined,
          toTransaction: asked.get('toTransaction') ?? undefined,
          fromTime: asked.get('fromTime') ?? undefined,
          toTime: asked.get('toTime') ?? undefined,
          reverse: isYes(asked, 'reverse'),
          limit: numberIn(asked, 'limit', MOST_TRANSACTIONS),
          includeMutations: !excludesContent && !isYes(asked, 'excludeMutations'),
          includeEffects: asked.get('effectFormat') === 'mendoza',
          identifiedDocumentsOnly: isYes(asked, 'includeIdentifiedDocumentsOnly'),
        },
        place,
      )
      const lines = transactions.map(transaction => `${JSON.stringify(transaction)}\n`)
      return new Response(lines.join(''), { headers: { 'content-type': 'application/x-ndjson' } })
    },
    'GET /data/history/:ds/documents/:ids': ({ url, params }) => {
      const asked = url.searchParams
      const moment = {
        revision: asked.get('revision') ?? undefined,
        time: asked.get('time') ?? undefined,
        lastRevision: isYes(asked, 'lastRevision'),
      }
      return Response.json({ documents: documentsAt(store, idsIn(params.ids), moment, place) })
    },
    'GET /data/history/:ds/events/documents/:id': ({ url, params }) => {
      const id = params.id ?? ''
      const events = eventsOf(store, id, numberIn(url.searchParams, 'limit', MOST_EVENTS))
      return Response.json({ events: { [id]: events }, nextCursor: '' })
    },
  }
}

/** A number asked for, or `most` when it is none or larger. */
function numberIn(asked: URLSearchParams, name: string, most: number): number {
  const value = Number(asked.get(name) ?? most)
  return Number.isInteger(value) && value > 0 ? Math.min(value, most) : most
}
