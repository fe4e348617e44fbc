import { LRUCache } from 'lru-cache'
import { keyNamed } from '#domain/card/gift-links.ts'
import { isKeyShaped, KEY_LENGTH } from '#domain/card/keys.ts'
import type { Language } from '#domain/languages.ts'
import { isIntroductionScreen } from '#domain/receiver/introductions.ts'
import { CARD_PATHS } from '#paths'
import type { App } from '#server/http/app.ts'
import type { Encoding } from '#server/http/transport/encodings.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'
import type { Rendered } from './astro-handler.ts'
import { brotliWithGaps } from './brotli-template.ts'
import { type FillTemplate, gzipWithGaps } from './gzip-template.ts'
import { pagePolicy } from './page-policy.ts'

/** A page: the kept one where it says the same, else one from `render`. */
export type CardPageCache = (
  asked: {
    readonly path: string
    /** The key that this visitor's browser holds by a handle. */
    readonly keyOf?: (handle: string) => string | undefined
    readonly language: Language
    /** The visitor's language is not known, so the card is shown in its own language. */
    readonly isLanguageGuess?: boolean
    readonly encoding: Encoding
  },
  render: () => Promise<Rendered>,
) => Promise<Rendered>

/** The kept parts of a page: everything but the key or the handle, which stands between the parts. */
interface Kept {
  readonly page: Rendered
  readonly policy: string
  readonly parts: readonly Buffer[]
  /** The page compressed with gaps for the key, in every coding that a visitor has asked for. */
  gzip?: FillTemplate
  br?: Promise<FillTemplate | undefined>
}

const MOST_KEPT = 200

/**
 * The screens of the story differ very little between cards. Each is rendered once for everything that it can say, and
 * the key is put in for each visitor. The database is asked every time which card it is and whether it may be shown.
 * Nothing that is kept holds a key, and a new publish of the content empties the cache. Every other page, and the
 * story of a card that cannot be used, is rendered for each visitor.
 */
export function createCardPageCache(
  app: Pick<App, 'cards' | 'content'>,
  mostKept: number = MOST_KEPT,
): CardPageCache {
  const pages = new LRUCache<string, Kept>({ max: mostKept })
  let release: unknown

  return async ({ path, keyOf, language, isLanguageGuess, encoding }, render) => {
    const [name = '', screen, mode, ...more] = path.slice(CARD_PATHS.length).split('/')
    const isStory = path.startsWith(CARD_PATHS) && isIntroductionScreen(screen) && more.length === 0
    const key = keyNamed(name, keyOf)
    if (!isStory || !isKeyShaped(key) || (mode !== 'final' && mode !== 'preview')) return render()
    // The page itself tells and counts each kind of failure.
    const view = await app.cards.open(key, mode === 'preview' ? 'preview' : 'full').catch(() => undefined)
    if (!view || view.consumed) return render()

    const snapshot = app.content.snapshot()
    if (snapshot !== release) pages.clear()
    release = snapshot
    const shownIn = isLanguageGuess ? (view.language ?? language) : language
    const cacheKey = cacheKeyOf(screen, mode, shownIn, view)
    const known = pages.get(cacheKey)
    if (known) return filled(known, name, encoding)
    const page = await render()
    if (!isForAnybody(page) || app.content.snapshot() !== release) return page
    const kept = keep(page, name)
    pages.set(cacheKey, kept)
    // The first visitor gets the same bytes as later ones, so a HEAD tells the length that a GET then has.
    return filled(kept, name, encoding)
  }
}

/** Everything that a screen of the story is made from, except the key. The whole card is in it, to miss nothing. */
function cacheKeyOf(screen: string, mode: string, language: Language, view: CardView): string {
  // No screen says when a card was made, and this time would give every card an entry of its own.
  const { createdAt: _, ...shown } = view
  return JSON.stringify([screen, mode, language, shown])
}

/** Is this a whole page without anything for one browser alone, such as a cookie? */
const isForAnybody = ({ status, headers, unmatched }: Rendered): boolean =>
  status === 200 && !unmatched && headers['set-cookie'] === undefined

function keep(page: Rendered, key: string): Kept {
  const parts = page.body
    .toString('utf8')
    .split(key)
    .map(part => Buffer.from(part))
  return { page: { ...page, body: Buffer.alloc(0) }, policy: pagePolicy(page), parts }
}

async function filled(kept: Kept, key: string, encoding: Encoding): Promise<Rendered> {
  const { page, policy, parts } = kept
  const letters = Buffer.from(key)
  return {
    ...page,
    policy,
    packed: (await fillerOf(kept, encoding))?.(letters),
    get body() {
      return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [letters, part])))
    },
  }
}

async function fillerOf(kept: Kept, encoding: Encoding): Promise<FillTemplate | undefined> {
  if (encoding === 'gzip') kept.gzip ??= gzipWithGaps(kept.parts, KEY_LENGTH)
  // A failure, such as too little memory, must not be kept: it would answer every later request. The page is then
  // compressed for each sending.
  if (encoding === 'br') kept.br ??= brotliWithGaps(kept.parts, KEY_LENGTH).catch(() => undefined)
  return encoding === 'identity' ? undefined : kept[encoding]
}
