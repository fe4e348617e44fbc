/** Where somebody goes who gave no place of this site to return to. */
const DEFAULT_PLACE = '/studio'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The place to return to after a login: a path of this site, whatever was asked for. Anything that leads elsewhere
 * gives the Studio.
 * @param asked an address or a path, as it stands in the request
 */
export function ownPath(asked: string | null, siteUrl: string, otherwise: string = DEFAULT_PLACE): string {
  if (!asked || !URL.canParse(asked, siteUrl)) return otherwise
  const [url, site] = [new URL(asked, siteUrl), new URL(siteUrl)]
  const isSameMachine = LOOPBACK.has(url.hostname) && LOOPBACK.has(site.hostname) && url.port === site.port
  if (url.origin !== site.origin && !(isSameMachine && url.protocol === site.protocol)) return otherwise
  // Two slashes at the start would name another host.
  return url.pathname.startsWith('//') ? otherwise : url.pathname + url.search + url.hash
}
