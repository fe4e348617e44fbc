/** The parts of a language tag that the product looks at, in the customary case (`es`, `MX`). */
export interface LanguageTag {
  readonly language: string
  readonly region?: string
}

const WELL_FORMED = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/
const REGION = /^(?:[a-z]{2}|[0-9]{3})$/

/**
 * Reads a language tag such as `es`, `es-MX`, `zh-Hant-CA` or `fr_CA`, in any case.
 * Gives undefined for what is no tag (also for the wildcard `*`).
 */
export function readLanguageTag(text: string): LanguageTag | undefined {
  const tag = text.trim().toLowerCase().replaceAll('_', '-')
  if (!WELL_FORMED.test(tag)) return undefined
  const [language = '', ...rest] = tag.split('-')
  // A one-letter subtag (`-u-…`, `-x-…`) begins an extension. A region stands before it.
  const extension = rest.findIndex(subtag => subtag.length === 1)
  const region = (extension < 0 ? rest : rest.slice(0, extension)).find(subtag => REGION.test(subtag))
  return region === undefined ? { language } : { language, region: region.toUpperCase() }
}
