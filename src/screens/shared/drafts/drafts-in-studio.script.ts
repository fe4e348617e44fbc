/**
 * Lets the Studio's preview hold a page with drafts: until a page answers, the Studio covers it and then says that
 * it cannot connect. Of what the Studio and a page may say to each other (`@sanity/presentation-comlink`) this is the
 * part that a page without editing handles needs: shake hands, tell where it is, go elsewhere, load anew.
 */
interface Message {
  readonly domain: string
  readonly from: string
  readonly to: string
  readonly type: string
  readonly id: string
  /** Of the connection; the Studio makes a new one for each try. */
  readonly connectionId: string
  readonly data?: { readonly url?: string; readonly source?: string }
}

// The names that every release of the Studio sends and takes.
const DOMAIN = 'sanity/channels'
const STUDIO = 'presentation'
const PAGE = 'overlays'

/**
 * The Studio tells of a change before it has saved it, for which it takes a second, or a minute on a busy machine, and of
 * nothing when it has: the drafts are read until they are others than those shown. Which these are the server has said:
 * what stands in the page by now, its own scripts may have changed.
 */
const LOOKS_AFTER_MS = [2_000, 2_000, 4_000, 8_000, 16_000, 32_000]
/** An answer that never comes would be the last look. */
const GIVE_UP_AFTER_MS = 30_000
const shown = contentOf(document)
let look: ReturnType<typeof setTimeout> | undefined

addEventListener('message', ({ origin, source, data }: MessageEvent<Message | undefined>) => {
  if (origin !== location.origin || !source || data?.domain !== DOMAIN) return
  if (data.from !== STUDIO || data.to !== PAGE) return
  const { connectionId, id, type } = data
  const say = (what: string, content: object, more: object = {}): void =>
    source.postMessage(
      {
        ...{ domain: DOMAIN, from: PAGE, to: STUDIO, connectionId, id: `page-${performance.now()}` },
        ...{ type: what, data: content, ...more },
      },
      { targetOrigin: origin },
    )
  switch (type) {
    case 'handshake/syn':
      return say('handshake/syn-ack', { id: connectionId })
    case 'handshake/ack':
      say('overlay/navigate', { type: 'replace', title: document.title, url: location.href })
      // There are no handles over the texts that could be switched on.
      say('overlay/toggle', { enabled: false })
      // What the Studio told of while this page was on its way, it has told to the page before.
      return lookAgain(LOOKS_AFTER_MS)
    case 'channel/disconnect':
    case 'channel/response':
      return
  }
  say('channel/response', { responseTo: id }, { responseTo: id })
  if (type === 'presentation/navigate' && data.data?.url) goTo(data.data.url)
  // A reload by hand the Studio does itself when the page leaves it to it.
  if (type !== 'presentation/refresh' || data.data?.source !== 'mutation') return
  lookAgain(LOOKS_AFTER_MS)
})

/** Loads the page anew once it would show other content. A change starts the looks again. */
function lookAgain([afterMs, ...later]: readonly number[]): void {
  clearTimeout(look)
  if (afterMs === undefined) return
  const begun = setTimeout(async () => {
    const signal = AbortSignal.timeout(GIVE_UP_AFTER_MS)
    const read = await fetch(location.href, { cache: 'no-store', signal }).then(
      answer => answer.text(),
      () => undefined,
    )
    const now = read && contentOf(new DOMParser().parseFromString(read, 'text/html'))
    if (now !== undefined && now !== shown) location.reload()
    else if (look === begun) lookAgain(later)
  }, afterMs)
  look = begun
}

function contentOf(page: Document): string | undefined {
  return page.body.dataset.content
}

function goTo(address: string): void {
  const to = new URL(address, location.href)
  if (to.origin === location.origin && to.href !== location.href) location.assign(to)
}
