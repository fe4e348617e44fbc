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
 * The Studio tells of a change before it has saved it, for which it takes up to a second and the way there: read
 * sooner, the drafts would still be the old ones, and nothing would tell of them again.
 */
const SAVED_MS = 2_000
let reload: ReturnType<typeof setTimeout> | undefined

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
      return say('overlay/toggle', { enabled: false })
    case 'channel/disconnect':
    case 'channel/response':
      return
  }
  say('channel/response', { responseTo: id }, { responseTo: id })
  if (type === 'presentation/navigate' && data.data?.url) goTo(data.data.url)
  // A reload by hand the Studio does itself when the page leaves it to it.
  if (type !== 'presentation/refresh' || data.data?.source !== 'mutation') return
  clearTimeout(reload)
  reload = setTimeout(() => location.reload(), SAVED_MS)
})

function goTo(address: string): void {
  const to = new URL(address, location.href)
  if (to.origin === location.origin && to.href !== location.href) location.assign(to)
}
