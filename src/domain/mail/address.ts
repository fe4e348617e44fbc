/**
 * Is this one plain mail address (`name@host.tld`)? Checked before anything is handed to a transport: the
 * stream transports take an invalid recipient silently and send to nobody. Stricter than the RFCs on purpose
 * (no quoted local parts, no comments, no lists), since our addresses come from the payment's own form.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > 254) return false
  const at = text.indexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  return (
    at > 0 &&
    local.length <= 64 &&
    LOCAL_PART.test(local) &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..') &&
    labels.length >= 2 &&
    labels.every(label => LABEL.test(label))
  )
}

const LOCAL_PART = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u
