import { parseCookie, stringifySetCookie } from 'cookie'
import { LRUCache } from 'lru-cache'
import { askedLanguage, DEFAULT_LANGUAGE, type Language, languageFromTag } from '#domain/languages.ts'
import { LANGUAGE_COOKIE } from '#wire/browser-names.ts'

/** What a request says about the language its visitor reads (product.md#languages). */
export interface LanguageHints {
  /** The prefix of the path. */
  readonly path?: Language | undefined
  /** The raw query string, with or without its question mark. */
  readonly query?: string
  readonly cookieHeader?: string | undefined
  readonly acceptLanguage?: string | undefined
}

export interface VisitorLanguage {
  readonly language: Language
  /** The visitor asked for this language with `?lang=`, so a cookie keeps it. */
  readonly asked: boolean
  /** The request names no language of ours, so a card's own language is a better guess. */
  readonly isGuess: boolean
}

const remembered = new LRUCache<string, VisitorLanguage>({ max: 500 })

/** Chooses the language of a request. The result for each pair of headers is kept in memory. */
export function visitorLanguage(hints: LanguageHints): VisitorLanguage {
  const query = hints.query?.includes('lang=') ? new URLSearchParams(hints.query).get('lang') : null
  if (query !== null) {
    const asked = languageFromTag(query)
    if (asked !== undefined) return { language: asked, asked: true, isGuess: false }
  }
  if (hints.path !== undefined) return { language: hints.path, asked: false, isGuess: false }
  const cookie = languageCookie(hints.cookieHeader)
  const key = `${cookie ?? ''}\n${hints.acceptLanguage ?? ''}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const language = askedLanguage({ cookie, acceptLanguage: hints.acceptLanguage })
  const chosen = {
    language: language ?? DEFAULT_LANGUAGE,
    asked: false,
    isGuess: language === undefined,
  }
  remembered.set(key, chosen)
  return chosen
}

const ONE_YEAR_SECONDS = 31_536_000

/** The Set-Cookie value that keeps a language. The visitor made this setting, so it needs no consent. */
export function rememberLanguage(language: Language, secure: boolean): string {
  return stringifySetCookie({
    name: LANGUAGE_COOKIE,
    value: language,
    maxAge: ONE_YEAR_SECONDS,
    path: '/',
    sameSite: 'lax',
    secure,
  })
}

function languageCookie(header: string | undefined): Language | undefined {
  // Most requests bring other cookies or none.
  const value = header?.includes(LANGUAGE_COOKIE) ? parseCookie(header)[LANGUAGE_COOKIE] : undefined
  return value === undefined ? undefined : languageFromTag(value)
}
