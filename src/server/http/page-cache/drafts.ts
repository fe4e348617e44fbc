import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { App } from '#server/http/app.ts'
import { headersOf } from '#server/http/transport/mounts.ts'
import type { PreviewLook } from '#server/modules/content/interface.ts'
import type { PreviewService } from '#server/modules/content/preview.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { isBrokenContent } from '#server/modules/content/validate.ts'

/** What a published page's locals are when the operator looks at it: the content, or why it cannot be shown. */
export type DraftLocals = {
  /** Stays the same while the page says the same. The page asks for it to see whether the drafts have changed. */
  readonly contentDigest: string
} & (
  | { readonly app: App; readonly preview: PreviewLook }
  /** Field and rule, one by one; none when the CMS does not answer. */
  | { readonly draftFaults: readonly string[] }
)

/** For everybody but the operator: undefined, at once. */
export type DraftsFor = (request: IncomingMessage) => Promise<DraftLocals> | undefined

/** @param drafts rejects with BrokenContent when the pages could not show them */
export function createDraftsFor({
  app,
  preview,
  drafts,
}: {
  app: App
  preview: Pick<PreviewService, 'lookOf' | 'cookieName'>
  drafts: () => Promise<ContentSnapshot>
}): DraftsFor {
  const read = async (): Promise<DraftLocals> => {
    try {
      const snapshot = await drafts()
      const content = { ...app.content, snapshot: () => snapshot }
      return { app: { ...app, content }, preview: 'drafts', contentDigest: digestOf(snapshot) }
    } catch (error) {
      const draftFaults = isBrokenContent(error) ? error.message.split('\n') : []
      return { draftFaults, contentDigest: digest(draftFaults) }
    }
  }
  const mark = `${preview.cookieName}=`
  return request => {
    if (!request.headers.cookie?.includes(mark)) return undefined
    const look = preview.lookOf(headersOf(request))
    if (look !== 'published') return look && read()
    return Promise.resolve({ app, preview: look, contentDigest: digestOf(app.content.snapshot()) })
  }
}

/** The digest leaves out the time of the release, since drafts are read anew for every page. */
const digestOf = ({ releasedAt: _, ...content }: ContentSnapshot): string => digest(content)

const digest = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url')
