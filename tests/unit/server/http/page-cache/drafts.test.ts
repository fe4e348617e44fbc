import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { App } from '#server/http/app.ts'
import { createDraftsFor } from '#server/http/page-cache/drafts.ts'
import type { PreviewLook } from '#server/modules/content/interface.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { BrokenContent } from '#server/modules/content/validate.ts'

const request = { headers: { cookie: 'look=x' } } as IncomingMessage
const snapshot = (title: string, releasedAt: number) =>
  ({ releasedAt, settings: { title } }) as unknown as ContentSnapshot

/** What the operator's page is told that its content is, with these drafts or these published words. */
async function digestOf(look: PreviewLook, content: () => Promise<ContentSnapshot>): Promise<string> {
  const published = await content().catch(() => snapshot('', 0))
  const app = { content: { snapshot: () => published } } as unknown as App
  const draftsFor = createDraftsFor({
    app,
    preview: { lookOf: () => look, cookieName: 'look' },
    drafts: content,
  })
  return (await draftsFor(request))?.contentDigest ?? ''
}
const broken = (fault: string) => () => Promise.reject(new BrokenContent(fault))

describe('what the operator’s page is told that its content is', () => {
  it.each(['drafts', 'published'] as const)(
    'stays the same until the content (%s) is another one',
    async look => {
      const first = await digestOf(look, async () => snapshot('a', 1))
      expect(first).not.toBe('')
      expect(await digestOf(look, async () => snapshot('a', 2))).toBe(first)
      expect(await digestOf(look, async () => snapshot('b', 1))).not.toBe(first)
    },
  )

  it('changes with what is to be put right', async () => {
    const first = await digestOf('drafts', broken('title: required'))
    expect(await digestOf('drafts', broken('title: required'))).toBe(first)
    expect(await digestOf('drafts', broken('title: too long'))).not.toBe(first)
  })
})
