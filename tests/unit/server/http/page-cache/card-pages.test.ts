import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { Language } from '#domain/languages.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { THEMES } from '#domain/themes.ts'
import type { App } from '#server/http/app.ts'
import { brotliWithGaps } from '#server/http/page-cache/brotli-template.ts'
import { createCardPageCache } from '#server/http/page-cache/card-pages.ts'
import type { Encoding } from '#server/http/transport/encodings.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'

vi.mock('#server/http/page-cache/brotli-template.ts', async original => {
  const { brotliWithGaps } = await original<typeof import('#server/http/page-cache/brotli-template.ts')>()
  return { brotliWithGaps: vi.fn(brotliWithGaps) }
})

const [ONE, TWO, THREE] = ['a', 'b', 'c'].map(letter => letter.repeat(32)) as [string, string, string]

const aView = (changes: Partial<CardView> = {}): CardView => ({
  authority: 'full',
  createdAt: 0,
  autoDonateAt: 1,
  credit: money(5_000, 'EUR'),
  senderName: 'Íñigo',
  message: null,
  theme: THEMES.ukraine,
  consumed: false,
  free: false,
  use: null,
  ...changes,
})

const READERS: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: bytes => bytes,
}

function anApp(cards: Record<string, CardView>, mostKept?: number) {
  let snapshot = {}
  const open = vi.fn(async (key: string) => {
    const view = cards[key]
    if (!view) throw new Problem('card-not-found')
    return view
  })
  const app = { cards: { open }, content: { snapshot: () => snapshot } } as unknown as App
  const kept = createCardPageCache(app, mostKept)
  const rendered: string[] = []
  const bytes: (number | undefined)[] = []
  const ask = async (
    path: string,
    {
      language = 'es' as Language,
      isLanguageGuess = false,
      encoding = 'gzip' as Encoding,
      status = 200,
      headers = {},
    } = {},
  ) => {
    const key = path.split('/')[2] ?? ''
    const render = async () => {
      rendered.push(path)
      const body = Buffer.from(
        `<p>${cards[key]?.senderName}</p><a href="/x/${key}/2">·</a><a href="/x/${key}/3">`,
      )
      return { status, headers: { 'content-type': 'text/html', ...headers }, body, unmatched: false }
    }
    const page = await kept({ path, language, isLanguageGuess, encoding }, render)
    if (page.packed) expect(READERS[encoding](page.packed).equals(page.body)).toBe(true)
    bytes.push(page.packed?.length)
    return page.body.toString()
  }
  return {
    bytes,
    ask,
    rendered,
    cards,
    open,
    publish: () => (snapshot = {}),
  }
}

const story = (key: string, screen = 'introduction-1', mode = 'final') =>
  `/gift-card/${key}/${screen}/${mode}`

describe('kept screens of the story', () => {
  it('are kept in the card’s own language for a visitor of whom no language is known', async () => {
    const { ask, rendered } = anApp({ [ONE]: aView({ language: 'fr' }), [TWO]: aView() })
    await ask(story(ONE), { language: 'en', isLanguageGuess: true })
    await ask(story(ONE), { language: 'fr' })
    expect(rendered).toHaveLength(1)
    await ask(story(ONE), { language: 'en' })
    expect(rendered).toHaveLength(2)
    await ask(story(TWO), { language: 'en', isLanguageGuess: true })
    await ask(story(TWO), { language: 'en' })
    expect(rendered).toHaveLength(3)
  })

  it('are rendered once for cards that say the same, each with its own key', async () => {
    const { ask, rendered, open } = anApp({ [ONE]: aView(), [TWO]: aView({ createdAt: 7 }) })
    const first = await ask(story(ONE))
    const second = await ask(story(TWO))
    expect(second).toBe(first.replaceAll(ONE, TWO))
    expect(second).not.toContain(ONE)
    expect(await ask(story(ONE))).toBe(first)
    expect(rendered).toEqual([story(ONE)])
    expect(open).toHaveBeenCalledTimes(3)
  })

  it.each<[string, Partial<CardView>]>([
    ['another name', { senderName: 'Aina' }],
    ['no name', { senderName: null }],
    ['another theme', { theme: THEMES.lebanon }],
    ['another amount', { credit: money(2_000, 'EUR') }],
    ['another currency', { credit: money(5_000, 'USD') }],
    ['only a preview', { authority: 'preview' }],
    ['a card of another language', { language: 'fr' }],
  ])('are rendered anew for %s', async (_, changes) => {
    const { ask, rendered } = anApp({ [ONE]: aView(), [TWO]: aView(changes) })
    await ask(story(ONE))
    await ask(story(TWO))
    expect(rendered).toHaveLength(2)
  })

  it('are rendered anew for another screen, word or language, and when content is published', async () => {
    const { ask, rendered, publish } = anApp({ [ONE]: aView() })
    await ask(story(ONE))
    await ask(story(ONE, 'introduction-2'))
    await ask(story(ONE, 'introduction-1', 'preview'))
    await ask(story(ONE), { language: 'fr' })
    publish()
    await ask(story(ONE))
    expect(rendered).toHaveLength(5)
  })

  it.each<Encoding>(['gzip', 'br'])(
    'are as long in %s for the first who asks as for all after',
    async encoding => {
      const { ask, bytes } = anApp({ [ONE]: aView(), [TWO]: aView() })
      for (const key of [ONE, ONE, TWO]) await ask(story(key), { encoding })
      expect(bytes[0]).toBeGreaterThan(0)
      expect(bytes).toEqual(Array(3).fill(bytes[0]))
    },
  )

  it('are never answered for a card that is used up, frozen, revoked or none', async () => {
    const { ask, rendered, cards } = anApp({ [ONE]: aView(), [TWO]: aView() })
    await ask(story(ONE))
    cards[ONE] = aView({ consumed: true })
    delete cards[TWO]
    for (const key of [ONE, TWO, THREE, 'x', ONE.toUpperCase(), 'giftcard-try']) await ask(story(key))
    expect(rendered).toHaveLength(7)
  })

  it('are the story’s only: every other address is rendered each time', async () => {
    const { ask, rendered } = anApp({ [ONE]: aView() })
    const others = [
      story(ONE, 'select-ngo'),
      story(ONE, 'thanks'),
      story(ONE, 'nonsense'),
      story(ONE, 'introduction'),
      story(ONE, 'introduction-1', 'word'),
      `${story(ONE)}/more`,
      `/gift-card/${ONE}/introduction-1`,
      `/gift-card-volunteering/${ONE}/introduction-1/final`,
    ]
    for (const path of [...others, ...others]) await ask(path)
    expect(rendered).toHaveLength(2 * others.length)
  })

  it('come all the same where there was no memory to compress one for all', async () => {
    const { ask, bytes } = anApp({ [ONE]: aView() })
    vi.mocked(brotliWithGaps).mockRejectedValueOnce(new Error('Initialization failed'))
    const first = await ask(story(ONE), { encoding: 'br' })
    expect(await ask(story(ONE), { encoding: 'br' })).toBe(first)
    expect(bytes).toEqual([undefined, undefined])
  })

  it('keep no page that sets a cookie: it is one visitor’s own', async () => {
    const { ask, rendered } = anApp({ [ONE]: aView(), [TWO]: aView() })
    await ask(story(ONE), { headers: { 'set-cookie': ['given=1'] } })
    await ask(story(TWO))
    expect(rendered).toEqual([story(ONE), story(TWO)])
  })

  it('take a name that reads like a key, or like the mark of one, for a name', async () => {
    const named = aView({ senderName: TWO })
    const { ask } = anApp({ [ONE]: named, [THREE]: named })
    const first = await ask(story(ONE))
    expect(first).toContain(`<p>${TWO}</p>`)
    expect(await ask(story(THREE))).toBe(first.replaceAll(ONE, THREE))
    const another = anApp({
      [ONE]: aView({ senderName: '$& {{key}}' }),
      [TWO]: aView({ senderName: '$& {{key}}' }),
    })
    await another.ask(story(ONE))
    expect(await another.ask(story(TWO))).toContain('<p>$& {{key}}</p>')
  })

  it('keep no page that failed, and no more than their share', async () => {
    const failing = anApp({ [ONE]: aView() })
    await failing.ask(story(ONE), { status: 500 })
    await failing.ask(story(ONE))
    expect(failing.rendered).toHaveLength(2)

    const few = anApp(
      { [ONE]: aView(), [TWO]: aView({ senderName: 'Two' }), [THREE]: aView({ senderName: 'Three' }) },
      2,
    )
    for (const key of [ONE, TWO, ONE, THREE, ONE, TWO]) await few.ask(story(key))
    expect(few.rendered.map(path => path[11])).toEqual(['a', 'b', 'c', 'b'])
  })
})
