/** An address that its owner recognises and nobody else can read: `buyer@example.org` → `b…r@example.org`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = '', ...rest] = address.slice(0, Math.max(0, at))
  return `${first}…${rest.at(-1) ?? ''}${at < 0 ? '' : address.slice(at)}`
}
