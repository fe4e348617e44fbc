import { LANGUAGES, type Language } from '#domain/languages.ts'
import { isMotif, isThemeId, readColour, type Theme } from '#domain/themes.ts'
import type { PreviewKind } from '#paths'
import type { PublishedTheme } from '#server/modules/content/snapshot.ts'
import { isSameLook, wasPublished } from '#server/modules/content/theme-releases.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'

interface PreviewPicturesParts {
  readonly db: Database
  readonly published: () => readonly PublishedTheme[]
  readonly log: Log
}

export interface PreviewPictures {
  matches(pathname: string): boolean
  /** GET and HEAD of a picture of `previewImagePath`; 404 for a look that was never published. */
  handle(request: Request): Promise<Response>
}

interface Asked {
  readonly theme: Theme
  readonly kind: PreviewKind
  readonly language: Language
}

const PATH =
  /^\/og\/(?<invitation>invitation-)?(?<id>[a-zA-Z0-9-]{2,40})-(?<paper>[0-9a-f]{6})(?<ink>[0-9a-f]{6})-(?<motif>[a-z]{1,20})-(?<language>[a-z-]{2,10})\.png$/
/** Some 15 kB each. */
const MOST_KEPT = 120
/** Waiting for the one that is being drawn; more than this are asked to come back. */
const MOST_WAITING = 60

/**
 * Draws the pictures that links of the operator's own themes unfold with, one at a time, and keeps them in memory. An
 * address says what is drawn, so it never changes its meaning; only looks that were published are.
 */
export function createPreviewPictures({ db, published, log }: PreviewPicturesParts): PreviewPictures {
  const drawn = new Map<string, Promise<Buffer>>()
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()

  const isKnown = async (theme: Theme): Promise<boolean> =>
    published().some(each => each.id === theme.id && isSameLook(each, theme)) ||
    (await db.read(reader => wasPublished(reader, theme)))

  function draw(pathname: string, { theme, language, kind }: Asked): Promise<Buffer> {
    const known = drawn.get(pathname)
    if (known) return known
    waiting++
    // Loaded with the first picture: it is much memory for a site that shows none.
    const work = turn.then(async () => (await import('./draw.ts')).drawPreview(theme, language, kind))
    turn = work.catch(() => drawn.delete(pathname)).finally(() => waiting--)
    drawn.set(pathname, work)
    if (drawn.size > MOST_KEPT) drawn.delete(drawn.keys().next().value!)
    return work
  }

  return {
    // Those of the product's own themes are files of the build; whatever else is asked for here is none.
    matches: pathname => PATH.test(pathname),
    async handle(request) {
      const { pathname } = new URL(request.url)
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      const asked = readPath(pathname)
      try {
        if (!asked || !(await isKnown(asked.theme)))
          return new Response('Not found\n', { status: 404, headers: { 'cache-control': 'no-store' } })
        if (waiting >= MOST_WAITING && !drawn.has(pathname)) return later()
        const bytes = await draw(pathname, asked)
        return new Response(new Uint8Array(bytes), {
          headers: {
            'content-type': 'image/png',
            'content-length': String(bytes.length),
            'cache-control': 'public, max-age=31536000, immutable',
          },
        })
      } catch (error) {
        log.error('preview-not-drawn', error)
        return later()
      }
    },
  }
}

const later = (): Response =>
  new Response(null, { status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })

function readPath(pathname: string): Asked | undefined {
  const { invitation, id, paper, ink, motif, language } = PATH.exec(pathname)?.groups ?? {}
  const background = readColour(`#${paper}`)
  const text = readColour(`#${ink}`)
  const known = LANGUAGES.find(each => each === language)
  if (!isThemeId(id) || !isMotif(motif) || !background || !text || !known) return undefined
  return {
    theme: { id, background, text, motif },
    kind: invitation ? 'invitation' : 'gift',
    language: known,
  }
}
