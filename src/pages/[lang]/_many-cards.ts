import { CURRENCIES } from '#domain/money/currency.ts'
import { MINOR_UNITS_PER_UNIT } from '#domain/money/money.ts'
import { giftEntries } from '#domain/pricing/offer.ts'
import { ownRange } from '#domain/pricing/own-amount.ts'
import { getT } from '#i18n/index.ts'
import { MANY_CARDS_PATH } from '#paths'
import { listedNgos } from './intro/_texts.ts'

type Locals = Pick<App.Locals, 'language' | 'app'>

/** What the form of many cards is made of, whatever is written in it. */
export function manyFormProps({ language, app }: Locals) {
  const { themes } = app.content.snapshot()
  return {
    language,
    action: `${MANY_CARDS_PATH}?lang=${language}`,
    amountHint: amountHint({ language, app }),
    themes: themes
      .filter(({ isOffered }) => isOffered)
      .map(({ id, names }) => [id, names[language]] as const),
    ngos: listedNgos(app, language),
  }
}

/** Which amounts are sold: one range where it is that of every currency, else those of each. */
export function amountHint({ language, app }: Locals): string {
  const t = getT(language)
  const { offer, markets } = app.content.snapshot()
  const sold = CURRENCIES.map(currency => {
    const range = ownRange(offer, currency, markets[currency].mostOwn)
    const packages = giftEntries(offer, currency).map(({ ngoAmount }) => ngoAmount / MINOR_UNITS_PER_UNIT)
    return { currency, range, words: range?.join('–') ?? [...new Set(packages)].join(', ') }
  })
  const [first] = sold
  if (first?.range && sold.every(({ words }) => words === first.words))
    return t('many-amount-hint', { least: first.range[0], most: first.range[1] })
  return t('many-amount-hint-some', {
    amounts: sold.map(({ currency, words }) => `${currency} ${words}`).join('; '),
  })
}
