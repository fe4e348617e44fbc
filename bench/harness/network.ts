import type { CDPSession } from 'playwright'

/** One answer that came over the wire. */
export interface Transfer {
  readonly url: string
  /** Chromium's word: Document, Script, Font, Fetch, … */
  readonly type: string
  /** Headers and body as they were sent, compressed. */
  readonly bytes: number
}

export interface Network {
  readonly transfers: readonly Transfer[]
  /** ms since the last request began or ended; 0 while one is under way. */
  quietFor(): number
}

/** Follows everything that a page fetches. */
export async function followNetwork(session: CDPSession): Promise<Network> {
  const transfers: Transfer[] = []
  const under = new Map<string, { url: string; type: string; loaderId: string }>()
  /** The document that is on its way or there. */
  let shown = ''
  let changedAt = performance.now()
  const end = (requestId: string, bytes: number): void => {
    const request = under.get(requestId)
    if (request && !request.url.startsWith('data:'))
      transfers.push({ url: request.url, type: request.type, bytes })
    under.delete(requestId)
    changedAt = performance.now()
  }
  session.on(
    'Network.requestWillBeSent',
    ({ requestId, loaderId, request, type = 'Other', redirectResponse }) => {
      if (redirectResponse) end(requestId, redirectResponse.encodedDataLength)
      if (type === 'Document') shown = loaderId
      under.set(requestId, { url: request.url, type, loaderId })
      changedAt = performance.now()
    },
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    end(requestId, encodedDataLength),
  )
  session.on('Network.loadingFailed', ({ requestId }) => end(requestId, 0))
  await session.send('Network.enable')
  // What a page before this one still asks for while it goes never ends.
  const isWaiting = (): boolean => [...under.values()].some(({ loaderId }) => loaderId === shown)
  return { transfers, quietFor: () => (isWaiting() ? 0 : performance.now() - changedAt) }
}

/** 1.6 Mbps with a round trip of 150 ms. */
export const slowDown = (session: CDPSession): Promise<unknown> =>
  session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
