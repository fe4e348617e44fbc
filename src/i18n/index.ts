import i18next from 'i18next'
import { LANGUAGES, type Language, SOURCE_LANGUAGE } from '#domain/languages.ts'
import { fillText } from '#domain/text/fill-text.ts'
import { CATALOGUES, type TextKey } from './catalogues.ts'

export type { TextKey } from './catalogues.ts'

/**
 * Looks a text up and fills its `{{placeholders}}`. Takes a known key, or a key composed from data
 * (`problem-${code}`), which then must exist in the catalogue.
 */
export type Translate = (
  key: TextKey | (string & {}),
  values?: Readonly<Record<string, string | number>>,
) => string

const instance = i18next.createInstance()
void instance.init({
  lng: SOURCE_LANGUAGE,
  fallbackLng: SOURCE_LANGUAGE,
  supportedLngs: [...LANGUAGES],
  resources: Object.fromEntries(LANGUAGES.map(language => [language, { texts: CATALOGUES[language] }])),
  ns: ['texts'],
  defaultNS: 'texts',
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
})

/**
 * The texts of one language (product.md#languages: a missing key falls back to Spanish). Always bound to an explicit
 * language: a process-wide current language would answer concurrent visitors in each other's.
 */
export function getT(language: Language): Translate {
  const fixed = instance.getFixedT(language)
  const plain = plainTexts[language]
  return (key, values) => {
    // Filled in here: the word before a name may have to change with it, which i18next knows nothing of.
    if (values) return fillText(String(fixed(key, { ...values, skipInterpolation: true })), values, language)
    const known = plain.get(key)
    if (known !== undefined) return known
    const text = String(fixed(key))
    // A key that is none could come from outside, and there is no end of those.
    if (Object.hasOwn(CATALOGUES[SOURCE_LANGUAGE], key)) plain.set(key, text)
    return text
  }
}

/** Texts without placeholders, once looked up: the catalogues never change, and a page asks for dozens. */
const plainTexts = Object.fromEntries(
  LANGUAGES.map(language => [language, new Map<string, string>()]),
) as Readonly<Record<Language, Map<string, string>>>
