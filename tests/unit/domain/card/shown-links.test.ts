import { describe, expect, it } from 'vitest'
import { areLinksShown, FIRST_KEY_VERSION, LINKS_SHOWN_MS } from '#domain/card/shown-links.ts'

const since = Date.parse('2026-03-10T09:00:00Z')
const shown = (now: number, keyVersion = FIRST_KEY_VERSION) => areLinksShown({ since, keyVersion }, now)

describe('the links of a card', () => {
  it('are shown for twenty-four hours', () => {
    expect(LINKS_SHOWN_MS).toBe(86_400_000)
    expect(shown(since)).toBe(true)
    expect(shown(since + LINKS_SHOWN_MS - 1)).toBe(true)
    expect(shown(since + LINKS_SHOWN_MS)).toBe(false)
  })

  it('are not shown for as long as a clock was ahead', () => {
    expect(shown(since - 60_000)).toBe(true)
    expect(shown(since - LINKS_SHOWN_MS)).toBe(false)
  })

  it('are shown to nobody once they have been replaced', () => {
    expect(shown(since, 2)).toBe(false)
    expect(shown(since, 3)).toBe(false)
  })
})
