/** An amount as somebody types it, in minor units: `65`, `65.5`, `65,50`. undefined for anything else. */
export function readAmount(typed: string): number | undefined {
  const [, whole, cents = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}
