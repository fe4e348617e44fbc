import { type LookupAddress, lookup } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** The answer of a link: its status, or in a word or two why there was none. */
export type LinkAnswer = { readonly status: number } | { readonly failure: string }

/** Asks a link the way a reader would, and takes nothing of its page. */
export type AskLink = (link: string) => Promise<LinkAnswer>

const TIME_MS = 10_000
const MOST_REDIRECTS = 5
/** Answers to HEAD that say nothing of the page. */
const ASKS_AGAIN = (status: number): boolean => status >= 400

interface AskOptions {
  /** Named to whoever is asked, so that they can ask back. */
  readonly siteUrl: string
  /** The addresses that may be connected to: only those of the public network. */
  readonly isAllowed?: (address: string) => boolean
  readonly timeMs?: number
}

/**
 * The editor of the content, and redirects, choose which server is asked. So each address is checked after its name
 * was resolved, and the connection goes to that address.
 */
export function createAskLink({
  siteUrl,
  isAllowed = isPublicAddress,
  timeMs = TIME_MS,
}: AskOptions): AskLink {
  const headers = { 'User-Agent': `LinkCheck (+${siteUrl})`, Accept: 'text/html,*/*;q=0.5' }
  const resolved = lookupOf(isAllowed)

  function once(url: URL, method: 'HEAD' | 'GET', signal: AbortSignal): Promise<Answer> {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Of an address no name is resolved.
    if (isIP(host) !== 0 && !isAllowed(host)) throw new Refused()
    const { request } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, headers, lookup: resolved, signal, agent: false }, answer => {
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location })
        answer.destroy()
      })
      asked.on('error', reject)
      // An answer that wants to speak another protocol (101) is no response, and closes without an error.
      asked.on('close', () => reject(new Error('closed')))
      asked.end()
    })
  }

  async function follow(link: string, method: 'HEAD' | 'GET'): Promise<LinkAnswer> {
    const signal = AbortSignal.timeout(timeMs)
    let url = new URL(link)
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') return { failure: 'leads to no page' }
      const { status, location } = await once(url, method, signal)
      if (status < 300 || status >= 400 || location === undefined) return { status }
      url = new URL(location, url)
    }
    return { failure: 'goes in circles' }
  }

  const asked = async (link: string, method: 'HEAD' | 'GET'): Promise<LinkAnswer> => {
    try {
      return await follow(link, method)
    } catch (error) {
      return { failure: reasonOf(error) }
    }
  }

  return async link => {
    const answer = await asked(link, 'HEAD')
    const isClear = 'status' in answer ? !ASKS_AGAIN(answer.status) : answer.failure === PRIVATE
    return isClear ? answer : asked(link, 'GET')
  }
}

interface Answer {
  readonly status: number
  readonly location: string | undefined
}

const PRIVATE = 'leads into a private network'

class Refused extends Error {
  constructor() {
    super(PRIVATE)
  }
}

const lookupOf =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = (found ?? []) as LookupAddress[]
      if (error) return callback(error, '', 0)
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new Refused(), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })

/** Why there was no answer. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused) return PRIVATE
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such site'
  if (code?.includes('CERT') || code?.includes('SIGNED')) return 'its certificate is not valid'
  return code ?? 'no answer'
}
