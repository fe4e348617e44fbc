/** Markup that may be sent as it is. */
export interface Markup {
  readonly markup: string
}

type Part = string | Markup | readonly Markup[] | undefined

/** Builds markup; every text put in is escaped, markup and lists of it go in as they are. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.map((text, index) => text + written(parts[index])).join('') }
}

function written(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return part.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
  return 'markup' in part ? part.markup : part.map(one => one.markup).join('')
}
