/** One range of an `Accept-Language` header, in lower case, and how much it is wanted (0 to 1, 0 = refused). */
export interface AcceptedRange {
  readonly range: string
  readonly quality: number
}

const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Reads an `Accept-Language` header (RFC 9110 §12.5.4): its ranges, most wanted first, equally wanted ones
 * in the order written. A range with an unreadable weight is left out, since nothing says how much it is wanted.
 */
export function acceptedRanges(header: string): AcceptedRange[] {
  const ranges: AcceptedRange[] = []
  for (const item of header.split(',')) {
    const [range = '', ...parameters] = item.split(';').map(part => part.trim().toLowerCase())
    const quality = qualityOf(parameters)
    if (range !== '' && quality !== undefined) ranges.push({ range, quality })
  }
  return ranges.sort((a, b) => b.quality - a.quality)
}

function qualityOf(parameters: readonly string[]): number | undefined {
  if (parameters.length === 0) return 1
  const [name, value = ''] = parameters[0]!.split('=').map(part => part.trim())
  return name === 'q' && QUALITY.test(value) ? Number(value) : undefined
}
