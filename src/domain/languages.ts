import { acceptedRanges } from './accept-language.ts'
import { readLanguageTag } from './language-tags.ts'

/**
 * The languages of the product, each by the word that stands in its paths and tags. The one place that names them: what
 * has words of its own for each is a table by `Language`, which the compiler wants whole; everything else is derived.
 */
export const LANGUAGES = ['es', 'en', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** The language that the texts are first written in; a missing text falls back to it. */
export const SOURCE_LANGUAGE: Language = 'es'

/** The language of a visitor of whom nothing is known. */
export const DEFAULT_LANGUAGE = 'en' as const satisfies Language

/** Languages that are answered in another one, for as long as they are none of the product's. */
const ALIASES: Readonly<Record<string, Language>> = { de: 'en' }

/** Values that not every language needs. A language without an entry uses the default language's. */
export type TableByLanguage<T> = Readonly<Partial<Record<Language, T>> & Record<typeof DEFAULT_LANGUAGE, T>>

/** A language's entry in such a table. */
export function entryFor<T>(table: TableByLanguage<T>, language: Language): T {
  return table[language] ?? table[DEFAULT_LANGUAGE]
}

/** Makes one value for each language. */
export function perLanguage<T>(make: (language: Language) => T): Readonly<Record<Language, T>> {
  return Object.fromEntries(LANGUAGES.map(language => [language, make(language)])) as Record<Language, T>
}

/** The language that a page says it is in (`<html lang>`); the default where it says none of ours. */
export function languageOf(lang: string): Language {
  return isLanguage(lang) ? lang : DEFAULT_LANGUAGE
}

/** Is this one of the languages of the site, written as in `LANGUAGES`? */
export function isLanguage(value: unknown): value is Language {
  return (LANGUAGES as readonly unknown[]).includes(value)
}

/** The product's language for a tag: `es-MX` → `es`, `de-AT` → `en`; undefined where it has none. */
export function languageFromTag(tag: string): Language | undefined {
  const language = readLanguageTag(tag)?.language
  if (language === undefined || isLanguage(language)) return language
  return Object.hasOwn(ALIASES, language) ? ALIASES[language] : undefined
}

/** What a request says about the visitor's language, each part as it arrives. */
export interface LanguageSources {
  /** The value of `?lang=`. */
  readonly query?: string | null | undefined
  /** The URL's path, or its first segment. */
  readonly path?: string | null | undefined
  /** The remembered choice (cookie `lang`). */
  readonly cookie?: string | null | undefined
  /** The `Accept-Language` header. */
  readonly acceptLanguage?: string | null | undefined
}

/**
 * The visitor's language: `?lang=`, then the path's prefix, then the remembered choice, then what the
 * browser accepts, then English (product.md#languages). A source that names no supported language is passed over.
 */
export function chooseLanguage(sources: LanguageSources): Language {
  return askedLanguage(sources) ?? DEFAULT_LANGUAGE
}

/**
 * The same, but undefined where no source names a supported language. A card's own language is then a better guess.
 */
export function askedLanguage({
  query,
  path,
  cookie,
  acceptLanguage,
}: LanguageSources): Language | undefined {
  return (
    languageFromTag(query ?? '') ??
    languageOfPath(path ?? '') ??
    languageFromTag(cookie ?? '') ??
    languageFromAccept(acceptLanguage ?? '')
  )
}

/** Only the product's own languages are paths: `/de/…` is no page. */
function languageOfPath(path: string): Language | undefined {
  const first = path.split('/').find(segment => segment !== '')
  return isLanguage(first) ? first : undefined
}

function languageFromAccept(header: string): Language | undefined {
  const ranges = acceptedRanges(header)
  for (const { range, quality } of ranges) {
    if (quality === 0) break
    const language = range === '*' ? languageForAny(ranges) : languageFromTag(range)
    if (language) return language
  }
  return undefined
}

/** `*` means any language the header does not name itself, so not one that it refuses (`en;q=0, *`). */
function languageForAny(ranges: ReturnType<typeof acceptedRanges>): Language | undefined {
  const named = new Set<string>(ranges.map(({ range }) => range))
  return [DEFAULT_LANGUAGE, ...LANGUAGES].find(language => !named.has(language))
}
