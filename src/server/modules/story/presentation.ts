import { dayOf, lastDayBefore } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import { lastDayWords, type Market } from '#domain/market.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import {
  DONATION_INTRODUCTIONS,
  FIRST_INTRODUCTION,
  type IntroductionScreen,
  isIntroductionScreen,
  MESSAGE_SCREEN,
  stepAround,
  stepOfMessage,
  storyStep,
} from '#domain/receiver/introductions.ts'
import { calledInSentences, listedNames } from '#domain/redemption/read-back.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import { getT } from '#i18n/index.ts'
import { cardPath, localizedPath, senderPath } from '#paths'
import { type ContentSnapshot, inLanguage } from '#server/modules/content/snapshot.ts'
import type { CardView, GiverMessage } from '#server/modules/gifts/interface.ts'
import type { PathMode } from './receiver-screen.ts'

interface Shown {
  readonly giftCardId: string
  readonly screen: string
  readonly mode: PathMode
  readonly isTry: boolean
  readonly view: CardView
}

/** What a screen of the story says and where it leads, in the visitor's language. */
export function introductionOf(
  { giftCardId, screen, mode, view, isTry }: Shown,
  language: Language,
  market: Pick<Market, 'lastDayWords'>,
) {
  if (!isIntroductionScreen(screen)) return undefined
  const introduction = DONATION_INTRODUCTIONS[screen]
  const t = getT(language)
  const name = view.senderName ?? ''
  const key = sentenceOf(screen, view, isTry)
  const withCredit = (credit: Money): string =>
    t(key, { credit: formatMoney(credit, language, 'never'), name })
  const inEachCurrency = (words: (credit: Money) => string) =>
    Object.fromEntries(CURRENCIES.map(currency => [currency, words({ ...view.credit, currency })]))
  const amountOf = (credit: Money): string => formatMoney(credit, language, 'when-needed')
  return {
    introduction,
    step: view.message === null ? storyStep(screen) : stepAround(storyStep(screen)),
    title: withCredit(view.credit),
    // Neither the name nor the currency that was chosen is the server's to know: the browser puts them in.
    titleByCurrency: introduction.showsCredit && isTry ? inEachCurrency(withCredit) : undefined,
    titleWithName:
      screen === FIRST_INTRODUCTION && isTry ? t(`${key}-named`, { name: '{{name}}' }) : undefined,
    amount: introduction.showsAmount ? amountOf(view.credit) : undefined,
    amountByCurrency: introduction.showsAmount && isTry ? inEachCurrency(amountOf) : undefined,
    envelope: introduction.showsEnvelope ? envelopeOf(view.senderName, isTry, language) : undefined,
    // Nobody has bought the try card: it has no year.
    until: introduction.saysUntil && !isTry ? untilWhen(view, language, market) : undefined,
    calendarKey: introduction.saysUntil && !isTry && view.authority === 'full' ? giftCardId : undefined,
    next: cardPath(giftCardId, nextOf(screen, view), mode),
    gift: introduction.offersGift ? cardPath(giftCardId, 'select-ngo', mode) : undefined,
    previewNotice:
      introduction.showsPreviewNotice && view.authority === 'preview'
        ? t('receiver-preview-notice')
        : undefined,
  }
}

/** The screen behind one: the giver's own words stand behind the greeting. */
function nextOf(screen: IntroductionScreen, { message }: CardView): string {
  return screen === FIRST_INTRODUCTION && message !== null
    ? MESSAGE_SCREEN
    : DONATION_INTRODUCTIONS[screen].next
}

/** The screen of the giver's own words; undefined on every other one. */
export function messageOfGift(
  { giftCardId, screen, mode, view }: Shown,
  contact: string,
  language: Language,
) {
  const { message } = view
  if (screen !== MESSAGE_SCREEN || message === null) return undefined
  return {
    ...messageWords(message, { name: view.senderName, contact }, language),
    step: stepOfMessage(storyStep(FIRST_INTRODUCTION)),
    next: cardPath(giftCardId, DONATION_INTRODUCTIONS[FIRST_INTRODUCTION].next, mode),
  }
}

/** What such a screen says, of a gift and of an invitation. */
export function messageWords(
  { words, cardId: card }: GiverMessage,
  { name, contact }: { readonly name: string | null; readonly contact: string },
  language: Language,
) {
  const t = getT(language)
  return {
    title: name === null ? t('message-title') : t('message-title-named', { name }),
    words,
    report: t('message-report', { contact, card }),
  }
}

function untilWhen(
  { autoDonateAt }: CardView,
  language: Language,
  market: Pick<Market, 'lastDayWords'>,
): string {
  const date = lastDayBefore(autoDonateAt, language)
  return lastDayWords(market, language, date, getT(language)('introduction-until', { date }))
}

/** The locale key of a screen's sentence: the first greets by name, the amount's says who has paid it. */
function sentenceOf(
  screen: IntroductionScreen,
  { free, senderName }: Pick<CardView, 'free' | 'senderName'>,
  isTry: boolean,
): string {
  const { titleKey, showsAmount } = DONATION_INTRODUCTIONS[screen]
  const named = senderName === null ? '' : '-named'
  if (screen === FIRST_INTRODUCTION) return titleKey + named
  if (showsAmount && isTry) return `${titleKey}-try`
  return showsAmount && free ? `${titleKey}-free${named}` : titleKey
}

/** What stands on the envelope: whom it is from, else whom it is for; for the try card with a place for the name. */
export function envelopeOf(senderName: string | null, isTry: boolean, language: Language) {
  const t = getT(language)
  return {
    words: senderName === null ? t('envelope-for-you') : t('envelope-from', { name: senderName }),
    wordsWithName: isTry ? t('envelope-from', { name: '{{name}}' }) : undefined,
  }
}

/**
 * What a screen is called in the browser's history and its tabs: its thought, but neither a name nor an amount. Every
 * screen along the story has a title of its own.
 */
export function browserTitleOf(screen: string, isTry: boolean, language: Language): string {
  const t = getT(language)
  if (screen === FIRST_INTRODUCTION) return t('receiver-heading-anonymous')
  if (!isIntroductionScreen(screen)) return t(`${screen}-title`)
  const { titleKey, showsCredit, showsAmount } = DONATION_INTRODUCTIONS[screen]
  if (showsCredit) return t('select-ngo-title')
  return t(showsAmount && isTry ? `${titleKey}-try` : titleKey)
}

/** "A gift from Íñigo", and for the try card the same with a place for the visitor's own name. */
export function headingOf(view: CardView | null, isTry: boolean, language: Language) {
  const t = getT(language)
  return {
    heading: view?.senderName
      ? t('receiver-heading-named', { name: view.senderName })
      : t('receiver-heading-anonymous'),
    headingWithName: isTry ? t('receiver-heading-named', { name: '{{name}}' }) : undefined,
  }
}

/** What was given to whom, named as the history knows them, to the cent. */
export function givenOf(
  allocations: readonly Pick<Allocation, 'ngoId' | 'amount'>[],
  snapshot: ContentSnapshot,
  language: Language,
) {
  return allocations.map(({ ngoId, amount }) => ({
    id: ngoId,
    name: nameOf(ngoId, snapshot, language),
    amount: formatMoney(amount, language, 'always'),
  }))
}

function nameOf(ngoId: string, { knownNgos }: ContentSnapshot, language: Language): string {
  const ngo = knownNgos.find(({ id }) => id === ngoId)
  return ngo ? inLanguage(ngo.title, language) : ngoId
}

/** What organisations are called in a sentence, as the history knows them. */
function calledOf(ids: readonly string[], snapshot: ContentSnapshot, language: Language): readonly string[] {
  return calledInSentences(
    ids.map(id => ({
      title: nameOf(id, snapshot, language),
      article: snapshot.knownNgos.find(known => known.id === id)?.article?.[language],
    })),
  )
}

/**
 * What a used card says to whoever holds its key: that it was used, and when; of one that nobody used in its year, or that
 * was left to the draw, also where it went, since no recipient chose that.
 */
export function usedOf(
  { use, credit }: CardView,
  snapshot: ContentSnapshot,
  language: Language,
): { readonly title: string; readonly lead: string } | undefined {
  if (use === null) return undefined
  const t = getT(language)
  const day = dayOf(use.at, language)
  if (use.by === 'recipient') return { title: t('consumed-title'), lead: t('consumed-when', { day }) }
  const namesOf = (ngoIds: readonly string[]) =>
    new Intl.ListFormat(language).format(calledOf(ngoIds, snapshot, language))
  const amount = formatMoney(credit, language, 'when-needed')
  if (use.by === 'auto-donation')
    return {
      title: t('year-over-title'),
      lead: t('year-over-lead', { day, credit: amount, ngo: namesOf(use.ngoIds) }),
    }
  const { drawn, drawAt } = use
  const title = t('left-title')
  if (drawn) {
    const words = { day, drawDay: dayOf(drawn.at, language), credit: amount, ngo: namesOf(drawn.ngoIds) }
    return { title, lead: t('left-drawn', words) }
  }
  if (drawAt === undefined) return { title, lead: t('left-lead', { day, credit: amount }) }
  return { title, lead: t('left-lead-day', { day, credit: amount, drawDay: dayOf(drawAt, language) }) }
}

const SELECT_NGO_TEXTS = [
  'common-continue',
  'select-ngo-title',
  'select-ngo-left',
  'select-ngo-left-of',
  'select-ngo-hint',
  'select-ngo-add',
  'select-ngo-remove',
  'select-ngo-points',
  'select-ngo-rest',
  'select-ngo-even',
  'select-ngo-even-all',
  'select-ngo-even-some',
  'select-ngo-clear',
  'select-ngo-cleared',
  'select-ngo-undo',
  'select-ngo-undone',
  'select-ngo-page-of',
  'select-ngo-empty',
  'select-ngo-spread',
  'select-ngo-announce',
  'select-ngo-restored',
  'select-ngo-list-changed',
  'select-ngo-confirm-title',
  'select-ngo-confirm-part',
  'select-ngo-confirm-lead',
  'select-ngo-confirm-leftover',
  'select-ngo-confirm-parts',
  'select-ngo-confirm-told',
  'select-ngo-confirm',
  'select-ngo-confirm-loading',
  'select-ngo-confirm-retry',
  'select-ngo-change',
  'select-ngo-preview-disclaimer',
  'select-ngo-total',
  'select-ngo-draw',
  'select-ngo-wish',
  'problem-card-not-found',
  'problem-ngo-not-listed',
  'problem-too-many-requests',
  'problem-temporarily-unavailable',
  'problem-something-went-wrong',
  'problem-network',
] as const

/** Everything the split island needs, as plain values. */
export function selectNgoProps(shown: Shown, snapshot: ContentSnapshot, language: Language) {
  const t = getT(language)
  const { giftCardId, mode, view, isTry } = shown
  const { ngos } = snapshot.ngoList
  const titles = ngos.map(({ title }) => inLanguage(title, language))
  const called = calledInSentences(
    ngos.map(({ article }, index) => ({ title: titles[index] ?? '', article: article?.[language] })),
  )
  const listed = listedNames(titles)
  return {
    giftCardId,
    preview: view.authority === 'preview',
    isTry,
    credit: view.credit,
    language,
    ngos: ngos.map(({ id, description, links }, index) => ({
      id,
      title: titles[index] ?? '',
      name: listed[index]?.name ?? '',
      whole: listed[index]?.whole,
      called: called[index] ?? '',
      description: inLanguage(description, language),
      link: inLanguage(links, language),
    })),
    thanksHref: cardPath(giftCardId, 'thanks', mode),
    consumedHref: cardPath(giftCardId, 'consumed', mode),
    drawHref: cardPath(giftCardId, 'draw', mode),
    wishHref: cardPath(giftCardId, 'wish', mode),
    // Placeholders stay for the browser to fill: `t` gets each as its own name.
    texts: Object.fromEntries(SELECT_NGO_TEXTS.map(key => [key, t(key, KEEP_PLACEHOLDERS)])),
  }
}

const KEEP_PLACEHOLDERS = Object.fromEntries(
  ['ngo', 'amount', 'left', 'credit', 'count', 'total', 'unit', 'given', 'share'].map(name => [
    name,
    `{{${name}}}`,
  ]),
)

/** Where thanks leads (product.md#story): on to the packages after a free card, else to the start. */
export function afterThanks(view: CardView, language: Language): string {
  return view.free ? senderPath(language, 'packages-donation') : localizedPath(language, '/')
}
