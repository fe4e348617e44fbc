import { LRUCache } from 'lru-cache'
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

/** A page, from what was rendered before where that says the same, else from `render`. */
export type CardPageCache = (
  asked: {
    readonly path: string
    readonly language: Language
    /** A card whose visitor's language nobody knows is shown in its own. */
    readonly isLanguageGuess?: boolean
    readonly encoding: Encoding
  },
  render: () => Promise<Rendered>,
) => Promise<Rendered>

/** What of a page is kept: everything but the key, which stands between the parts. */
interface Kept {
  readonly page: Rendered
  readonly policy: string
  readonly parts: readonly Buffer[]
  /** Compressed around the key, in every coding that somebody asked for. */
  gzip?: FillTemplate
  br?: Promise<FillTemplate | undefined>
}

const MOST_KEPT = 200

/**
 * Screens of the story differ between cards by very little: they are rendered once for each thing that they can say,
 * and the key is put in for each visitor. Which card it is, and whether it may be shown, is asked of the database every
 * time. Nothing kept holds a key, and content that is published anew starts afresh. Whatever is no screen of the story
 * of a card that can be used is rendered as ever.
 */
export function createCardPageCache(
  app: Pick<App, 'cards' | 'content'>,
  mostKept: number = MOST_KEPT,
): CardPageCache {
  const pages = new LRUCache<string, Kept>({ max: mostKept })
  let release: unknown

  return async ({ path, language, isLanguageGuess, encoding }, render) => {
    const [key = '', screen, mode, ...more] = path.slice(CARD_PATHS.length).split('/')
    const isStory = path.startsWith(CARD_PATHS) && isIntroductionScreen(screen) && more.length === 0
    if (!isStory || !isKeyShaped(key) || (mode !== 'final' && mode !== 'preview')) return render()
    // Every kind of failure is the page's own to tell, and to count.
    const view = await app.cards.open(key, mode === 'preview' ? 'preview' : 'full').catch(() => undefined)
    if (!view || view.consumed) return render()

    const snapshot = app.content.snapshot()
    if (snapshot !== release) pages.clear()
    release = snapshot
    const shownIn = isLanguageGuess ? (view.language ?? language) : language
    const cacheKey = cacheKeyOf(screen, mode, shownIn, view)
    const known = pages.get(cacheKey)
    if (known) return filled(known, key, encoding)
    const page = await render()
    if (!isForAnybody(page) || app.content.snapshot() !== release) return page
    const kept = keep(page, key)
    pages.set(cacheKey, kept)
    // As everybody after gets it: a page that was asked about first (HEAD) is as long when it comes.
    return filled(kept, key, encoding)
  }
}

/** Everything that a screen of the story is made from, but for the key: all of the card, so that nothing is forgotten. */
function cacheKeyOf(screen: string, mode: string, language: Language, view: CardView): string {
  // No screen says when a card was made: that alone would tell every one from the others.
  const { createdAt: _, ...shown } = view
  return JSON.stringify([screen, mode, language, shown])
}

/** A whole page that says nothing to one browser alone. */
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
  // Where there is no memory for it now, the page is compressed for each sending: kept, a failure would answer them all.
  if (encoding === 'br') kept.br ??= brotliWithGaps(kept.parts, KEY_LENGTH).catch(() => undefined)
  return encoding === 'identity' ? undefined : kept[encoding]
}
