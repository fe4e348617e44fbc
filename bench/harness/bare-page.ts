const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)

/** What a visitor reads on a screen, line by line. */
export interface Content {
  readonly language: string
  readonly title: string
  readonly heading: string
  readonly lines: readonly string[]
  /** The organisations that points can be given to, where the screen has them, and how many points. */
  readonly ngos: readonly { readonly id: string; readonly title: string }[]
  readonly points: number
}

/** The least that a page with this content can be: its words and a few lines of style, nothing to fetch. */
export function barePage({
  language,
  title,
  heading,
  lines,
}: Pick<Content, 'language' | 'title' | 'heading' | 'lines'>): string {
  const parts = lines
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => (line === heading ? `<h1>${escaped(line)}</h1>` : `<p>${escaped(line)}</p>`))
  return `<!doctype html><html lang="${escaped(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><link rel="icon" href="data:,"><style>body{margin:auto;padding:1.5rem;max-width:32rem;font:1rem/1.5 system-ui}h1{font-size:2rem;line-height:1.2}</style></head><body>${parts.join('')}</body></html>`
}
