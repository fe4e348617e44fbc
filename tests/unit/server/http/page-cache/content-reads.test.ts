import { describe, expect, it } from 'vitest'
import type { App } from '#server/http/app.ts'
import { watchReads } from '#server/http/page-cache/content-reads.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'

/** An application whose content and clock a test changes. */
function anApp() {
  const state = { snapshot: { settings: {}, ngoList: {}, themes: [] } as unknown as ContentSnapshot }
  const app = {
    settings: { siteUrl: 'https://site.example' },
    clock: () => 0,
    content: { snapshot: () => state.snapshot },
  } as unknown as App
  return {
    app,
    /** Publishes other parts beside those that stay. */
    publish(parts: object) {
      state.snapshot = { ...state.snapshot, ...parts }
    },
  }
}

describe('a page that is watched while it is rendered', () => {
  it('is unchanged for as long as every part of the content that it read is', () => {
    const { app, publish } = anApp()
    const page = watchReads(app)
    const { settings, themes } = page.app.content.snapshot()
    expect([settings, themes]).toEqual([{}, []])
    expect(page.app.settings.siteUrl).toBe('https://site.example')
    publish({ ngoList: { year: 2027 } })
    expect(page.isUnchanged()).toBe(true)
    publish({ themes: [] })
    expect(page.isUnchanged()).toBe(false)
  })

  it.each<readonly [string, (snapshot: ContentSnapshot) => unknown]>([
    ['copies the content', snapshot => ({ ...snapshot })],
    ['writes it as JSON', snapshot => JSON.stringify(snapshot)],
    ['lists its parts', snapshot => Object.entries(snapshot)],
    ['asks whether a part is there', snapshot => 'ngoList' in snapshot],
  ])('has read a part when it %s', (_, read) => {
    const { app, publish } = anApp()
    const page = watchReads(app)
    read(page.app.content.snapshot())
    expect(page.isUnchanged()).toBe(true)
    publish({ ngoList: {} })
    expect(page.isUnchanged()).toBe(false)
  })

  it('is never called unchanged when it asked the application for something else', () => {
    const { app } = anApp()
    const page = watchReads(app)
    expect(page.app.clock()).toBe(0)
    expect(page.isUnchanged()).toBe(false)
  })

  it('is never called unchanged when the content was replaced in the middle of it', () => {
    const { app, publish } = anApp()
    const page = watchReads(app)
    expect(page.app.content.snapshot().themes).toEqual([])
    publish({ themes: [] })
    expect(page.app.content.snapshot().themes).toEqual([])
    expect(page.isUnchanged()).toBe(false)
  })
})
