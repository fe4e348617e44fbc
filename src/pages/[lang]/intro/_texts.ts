import type { Language } from '#domain/languages.ts'
import { DATE_PLACE, lastDayWords, perMarket } from '#domain/market.ts'
import { brief, priceLists } from '#domain/pricing/offer.ts'
import { OWN_PACKAGE } from '#domain/pricing/own-amount.ts'
import { defaultTheme } from '#domain/themes.ts'
import { getT, type TextKey, type Translate } from '#i18n/index.ts'
import type { OnSale } from '#screens/shared/choices/shown-prices.store.ts'
import { inLanguage } from '#server/modules/content/snapshot.ts'

/** The placeholders that browsers fill in themselves: they pass through as they stand. */
const LATER = {
  address: '{{address}}',
  amount: '{{amount}}',
  count: '{{count}}',
  done: '{{done}}',
  gift: '{{gift}}',
  months: '{{months}}',
  name: '{{name}}',
  seconds: '{{seconds}}',
  ahead: '{{ahead}}',
  minutes: '{{minutes}}',
  share: '{{share}}',
  when: '{{when}}',
  total: '{{total}}',
}

/** The texts an island needs, by their keys, as plain strings. */
export function textsFor<Key extends TextKey>(t: Translate, keys: readonly Key[]): Record<Key, string> {
  return Object.fromEntries(keys.map(key => [key, t(key, LATER)])) as Record<Key, string>
}

/** What an invitation says in words of its own on the page after its payment. */
const INVITATION_SUCCESS = [
  'title-loading',
  'title-ready',
  'title-pending',
  'title-unpaid',
  'title-failed',
  'title-absent',
  'title-by-mail',
  'absent',
  'mail-sending',
  'mail-sent',
  'pending-note',
  'back',
  'buy-more',
  'gift-note',
  'open',
  'qr',
  'share',
  'share-text',
] as const

/** These words, in the places where the page after a payment has a gift card's. */
export function invitationSuccessTexts(
  t: Translate,
): Record<`donation-success-${(typeof INVITATION_SUCCESS)[number]}`, string> {
  return Object.fromEntries(
    INVITATION_SUCCESS.map(name => [`donation-success-${name}`, t(`volunteering-success-${name}`, LATER)]),
  ) as Record<`donation-success-${(typeof INVITATION_SUCCESS)[number]}`, string>
}

/** The rows of an invitation's price. No organisation receives it, so each row says what it pays for. */
export const invitationPriceTexts = (t: Translate) => ({
  'price-ngo': t('price-volunteering'),
  'price-net': t('price-volunteering-net'),
  'price-tax': t('price-volunteering-tax', LATER),
})

/** The organisations of the current list, by the names that they have in a language. */
export const listedNgos = (app: App.Locals['app'], language: Language) =>
  app.content.snapshot().ngoList.ngos.map(({ id, title }) => ({ id, title: inLanguage(title, language) }))

/** What a payment costs and who pays it, with the operator's figures where there are any. */
export function feeLine({ language, app }: Pick<App.Locals, 'language' | 'app'>): string {
  const { cost, paidFrom } = app.content.snapshot().settings.paymentFee
  const said = cost[language].trim()
  return getT(language)(said === '' ? `fee-${paidFrom}` : `fee-${paidFrom}-cost`, { cost: said })
}

/** Says until when a card can be used, by the currency it was bought in; the browser puts the day in. */
export function lastDays({ language, app }: Pick<App.Locals, 'language' | 'app'>) {
  const { markets } = app.content.snapshot()
  const own = getT(language)('donation-success-last-day', { date: DATE_PLACE })
  return perMarket(currency => lastDayWords(markets[currency], language, DATE_PLACE, own))
}

/** What is on sale, as the islands need it. */
export function onSale({ app }: Pick<App.Locals, 'app'>): OnSale {
  const { markets, offer } = app.content.snapshot()
  const { gifts, invitation } = offer
  return {
    gifts: priceLists({ gifts }),
    invitation: { id: invitation.id, prices: brief(invitation.prices) },
    taxes: perMarket(currency => {
      const { taxShare, vatRate } = markets[currency]
      return { taxShare, vatRate }
    }),
  }
}

/** What every page after a payment needs: who is here may have paid, so nothing says that nothing was charged. */
export function afterPaymentProps({ language, app }: Pick<App.Locals, 'language' | 'app'>) {
  const t = getT(language)
  const { offer, themes } = app.content.snapshot()
  const { gifts, invitation } = offer
  return {
    language,
    problems: problemTexts(
      t,
      [
        'network',
        'payment-not-completed',
        'payment-not-found',
        'provider-unavailable',
        'temporarily-unavailable',
        'too-many-requests',
      ],
      'donation-success-problem',
    ),
    mailProblems: {
      ...problemTexts(t, ['network', 'temporarily-unavailable', 'too-many-requests']),
      // Whoever bought or claimed it has just seen it, and has typed no link.
      'card-not-found': t('donation-success-gift-held'),
    },
    contactHref: `mailto:${app.content.snapshot().settings.contactEmail}`,
    packageTitles: {
      ...Object.fromEntries([...gifts, invitation].map(({ id, title }) => [id, title[language]])),
      [OWN_PACKAGE]: t('package-own-title'),
      // A claimed card has no package.
      '': t('card-free-title'),
    },
    motifs: Object.fromEntries([
      ['', defaultTheme(themes).motif],
      ...themes.map(({ id, motif }) => [id, motif]),
    ]),
    siteUrl: app.settings.siteUrl,
  }
}

/**
 * A sentence for each of these failures, by its code; always with the one for everything else. `under` begins the
 * keys of a place where the same failure means something else.
 */
export function problemTexts<Code extends string>(
  t: Translate,
  codes: readonly Code[],
  under: 'problem' | 'donation-success-problem' = 'problem',
): Record<Code | 'something-went-wrong', string> {
  return Object.fromEntries(
    [...codes, 'something-went-wrong'].map(code => [code, t(`${under}-${code}`)]),
  ) as Record<Code | 'something-went-wrong', string>
}
