import { isPublished } from './ids.ts'
import { openEventStream } from './sse.ts'
import type { Committed, Store } from './store.ts'

/** One coarse tag: every answer may have changed with every transaction. */
export const SYNC_TAGS = ['s1:local']

export interface LiveEvents {
  /**
   * @param includeDrafts tells of changes to drafts and versions too
   * @param resumeAfter the last event that the client has
   * @param lastsMs the longest that the stream may last
   */
  listen(options: {
    includeDrafts: boolean
    resumeAfter: string | undefined
    lastsMs?: number | undefined
  }): Response
  close(): void
}

/** Tells clients that what they have shown may be old. */
export function createLiveEvents(store: Store): LiveEvents {
  const ends = new Set<() => void>()
  const latest = () => store.entries().at(-1)?.id ?? 'start'

  return {
    listen({ includeDrafts, resumeAfter, lastsMs }) {
      const stream = openEventStream(() => {
        ends.delete(stream.end)
        silence()
      }, lastsMs)
      const tell = ({ record, steps }: Pick<Committed, 'record' | 'steps'>) => {
        if (!includeDrafts && !steps.some(({ id }) => isPublished(id))) return
        stream.send({ event: 'message', id: record.id, data: { tags: SYNC_TAGS } })
      }
      const silence = store.onTransaction(tell)
      ends.add(stream.end)
      stream.send({ event: 'welcome', id: latest(), data: {} })
      // What was missed is not told apart: with one tag, one message says it all.
      if (resumeAfter !== undefined && resumeAfter !== latest())
        stream.send({ event: 'message', id: latest(), data: { tags: SYNC_TAGS } })
      return stream.response
    },
    close() {
      for (const end of ends) end()
    },
  }
}
