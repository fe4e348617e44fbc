import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'

export interface Content {
  /** The last good published content; never waits and never throws after start. */
  snapshot(): ContentSnapshot
}

/** The operator's calls about the content and its updates. */
export interface Cms {
  state(): ContentState & {
    /** The new content is there, but pages that show it could not be rendered: the old ones stay. */
    readonly isUnpublished: boolean
  }
  /**
   * The hosted service says that something was published. The site does not trust the call; it only fetches the
   * content. Problem invalid-signature unless it can prove who it is.
   */
  receiveNews(rawBody: string, signature: string | null): void
}

/** Times are epoch milliseconds UTC. */
export interface ContentState {
  /** When the content that visitors see was last changed. */
  readonly releasedAt: number
  /** When it was looked for last. */
  readonly checkedAt: number
  /** Why newer content is not shown, if there may be any. */
  readonly fault?: ContentFault
}

export interface ContentFault {
  /** `broken`: it breaks rules that pages need. `unreachable`: the CMS did not answer, or with nonsense. */
  readonly kind: 'broken' | 'unreachable'
  readonly since: number
  /** Field and rule, one by one, for `broken`. */
  readonly says: readonly string[]
}

/** What the operator's pages show: the drafts, or what visitors see, in a page that the Studio can hold. */
export type PreviewLook = 'drafts' | 'published'

/** The operator's look at pages, from the Studio. */
export interface Preview {
  /** @param secret as the Studio wrote it down. @returns the `Set-Cookie`; undefined when it is none of its own */
  enable(secret: string, look: PreviewLook): Promise<string | undefined>
  /** The `Set-Cookie` that ends it. Within the Studio's own frame it goes on, with what visitors see. */
  disable(headers: Headers): string
}
