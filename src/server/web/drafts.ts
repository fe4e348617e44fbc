import type { IncomingMessage } from 'node:http'
import type { App, PreviewLook } from '#server/app.ts'
import type { PreviewRoom } from '#server/content/preview.ts'
import type { ContentSnapshot } from '#server/content/snapshot.ts'
import { isBrokenContent } from '#server/content/validate.ts'
import { headersOf } from './local-handlers.ts'

/** What a published page's locals are when the operator looks at it: the content, or why it cannot be shown. */
export type DraftLocals =
  | { readonly app: App; readonly preview: PreviewLook }
  /** Field and rule, one by one; none when the CMS does not answer. */
  | { readonly draftFaults: readonly string[] }

/** Undefined, at once, for everybody else. */
export type DraftsFor = (request: IncomingMessage) => Promise<DraftLocals> | undefined

/** @param drafts rejects with BrokenContent when the pages could not show them */
export function createDraftsFor({
  app,
  preview,
  drafts,
}: {
  app: App
  preview: Pick<PreviewRoom, 'lookOf' | 'cookieName'>
  drafts: () => Promise<ContentSnapshot>
}): DraftsFor {
  const read = async (): Promise<DraftLocals> => {
    try {
      const snapshot = await drafts()
      return { app: { ...app, content: { ...app.content, snapshot: () => snapshot } }, preview: 'drafts' }
    } catch (error) {
      return { draftFaults: isBrokenContent(error) ? error.message.split('\n') : [] }
    }
  }
  const mark = `${preview.cookieName}=`
  return request => {
    if (!request.headers.cookie?.includes(mark)) return undefined
    const look = preview.lookOf(headersOf(request))
    return look === 'published' ? Promise.resolve({ app, preview: look }) : look && read()
  }
}
