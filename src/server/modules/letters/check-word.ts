import type { Language } from '#domain/languages.ts'
import type { MailSection } from '#domain/mail/mail-data.ts'
import { getT } from '#i18n/index.ts'
import { IS_THIS_REAL_PATH, localizedPath } from '#paths'
import type { MailSite } from './letter.ts'

/** The check word of the gift that a letter is about, and where it is typed; nothing for a gift without one. */
export function checkWordSection(
  word: string | null,
  language: Language,
  site: MailSite,
): readonly MailSection[] {
  return word === null ? [] : [section(getT(language)('mail-check-word', { word }), language, site)]
}

/** The same where each gift of a letter has its word beside its link. */
export const checkWordsSection = (language: Language, site: MailSite): MailSection =>
  section(getT(language)('mail-check-words'), language, site)

function section(note: string, language: Language, site: MailSite): MailSection {
  const t = getT(language)
  const url = site.url + localizedPath(language, IS_THIS_REAL_PATH)
  return { title: t('mail-check-word-title'), note, buttons: [{ label: t('is-this-real-door'), url }] }
}
