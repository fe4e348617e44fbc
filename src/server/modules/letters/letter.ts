import type { Language } from '#domain/languages.ts'
import { LEGAL_VERSION } from '#domain/legal/legal-texts.ts'
import type { MailData, MailSection } from '#domain/mail/mail-data.ts'
import { nameInLetter } from '#domain/mail/name-in-letter.ts'
import { ROOT_LETTERS } from '#domain/public-ledger/line.ts'
import type { Theme } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath, legalPath, localizedPath, withdrawalPath } from '#paths'
import { paletteOf } from './palette.ts'

/** The site's own facts in letters. */
export interface MailSite {
  /** Origin, without a trailing slash. */
  readonly url: string
  readonly name: string
  readonly contact: string
  /** The operator's identity on one line; undefined until the operator has entered it. */
  readonly identity?: string | undefined
  /** What is published of the money; undefined before the first head. */
  readonly ledger?: LedgerHead | undefined
}

/** The newest head of the public ledger. */
export interface LedgerHead {
  /** Lines. */
  readonly size: number
  /** The checkpoint as it is published, with its signature. */
  readonly note: string
  /** The key that signed it, as people write it. */
  readonly key: string
}

/** The recipient of a letter, and the theme of its colours. */
export interface Addressee {
  readonly language: Language
  readonly theme: Theme
  /** null when anonymous. */
  readonly name: string | null
  /** The order that the letter is about, and the key to withdraw from it; a free card has none. */
  readonly order?: { readonly id: string; readonly withdrawalKey: string }
  /** The public key of the one card that the letter is about, where its preview can be seen. */
  readonly publicKey?: string
}

/** The content that differs from letter to letter. A letter about a new card says thanks; any other says hello. */
type Words = Pick<
  MailData,
  'subject' | 'preheader' | 'opening' | 'sections' | 'amounts' | 'smallPrint' | 'terms'
> & {
  readonly thanks?: true
}

/** The shape of every letter: greeted by name where that is no link, signed with the site, with a way to ask. */
export function letter(to: Addressee, site: MailSite, { thanks, ...words }: Words): MailData {
  const { language, theme, order, publicKey } = to
  const t = getT(language)
  const name = nameInLetter(to.name)
  const greeting = thanks ? 'mail-thanks' : 'mail-greeting'
  return {
    language,
    palette: paletteOf(theme),
    siteName: site.name,
    greeting: name === null ? t(`${greeting}-anonymous`) : t(greeting, { name }),
    ...words,
    trail:
      publicKey === undefined
        ? {
            label: t('transparency-title'),
            url: `${site.url}${localizedPath(language, '/transparency')}`,
          }
        : {
            label: t('passport-title'),
            url: site.url + giftLinkPath({ themeId: theme.id, language }, publicKey, 'passport'),
          },
    ...(order && {
      withdrawal: {
        text: t('mail-withdraw-order', { order: order.id }),
        link: {
          label: t('withdraw-door'),
          url: `${site.url}${withdrawalPath(order.id, order.withdrawalKey)}?lang=${language}`,
        },
      },
    }),
    ...(site.ledger && { ledger: anchorOf(site.ledger, language) }),
    contact: { text: t('mail-contact'), address: site.contact },
    ...(site.identity !== undefined && { identity: site.identity }),
  }
}

/** What the giver wrote, in a letter to them or, under another title, to the recipient; nothing where they wrote nothing. */
export function ownWords(
  message: string | null,
  language: Language,
  title = 'mail-message-title',
): readonly MailSection[] {
  const t = getT(language)
  return message === null ? [] : [{ title: t(title), note: t('mail-told-words', { words: message }) }]
}

/** The head of the public ledger in a letter: how many lines, and the first letters of the root over them. */
function anchorOf({ size, note, key }: LedgerHead, language: Language): NonNullable<MailData['ledger']> {
  const t = getT(language)
  const [, , root = ''] = note.split('\n')
  return {
    text: t('mail-ledger', {
      lines: new Intl.NumberFormat(language).format(size),
      letters: root.slice(0, ROOT_LETTERS),
    }),
    key: { text: t('mail-ledger-key'), value: key },
  }
}

/** The same for whoever may want to check it: with the whole head. */
export const withWholeHead = (mail: MailData, site: MailSite): MailData =>
  mail.ledger && site.ledger
    ? { ...mail, ledger: { ...mail.ledger, head: site.ledger.note.trimEnd().split('\n') } }
    : mail

/**
 * The line about the accepted terms in a letter about a purchase. Purchases from before terms had versions have none.
 */
export function termsOf(version: string, language: Language, site: MailSite): Pick<MailData, 'terms'> {
  if (!LEGAL_VERSION.test(version)) return {}
  const t = getT(language)
  const url = site.url + legalPath(language, 'terms', version)
  return { terms: { text: t('mail-terms-text'), label: t('mail-terms-link'), url } }
}
