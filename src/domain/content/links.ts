/**
 * Which links the operator's content may hold. The site refuses the others, and the Studio says so while they are
 * typed.
 */

const NAME_PART = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const SITE_NAME = new RegExp(`^(?:${NAME_PART}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`, 'i')

/** The longest address that browsers and servers commonly accept. */
const MOST_CHARACTERS = 2048

/** A page of another site, over https: `https://www.msf.es/`. */
export function isWebLink(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MOST_CHARACTERS) return false
  if (/\s/.test(value) || !URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  return (
    /^https:\/\/[^/]/i.test(value) &&
    protocol === 'https:' &&
    SITE_NAME.test(hostname) &&
    username + password === ''
  )
}

/** Where a link in a text may lead: another site over https, a mailbox, or a path of this site. */
export function isLinkTarget(href: string): boolean {
  return /^https:\/\/[^\s/]/.test(href) || /^mailto:[^\s@]+@\S+$/.test(href) || /^\/(?![/\\])\S*$/.test(href)
}

/** The short name of a link where there is little room: its host without `www.`, such as `msf.es`. */
export function hostOf(link: string): string {
  return new URL(link).hostname.replace(/^www\./, '')
}
