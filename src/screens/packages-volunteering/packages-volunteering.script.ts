/** The invitation's price in the visitor's own currency; going on with it is choosing it. */
import { languageOf } from '#domain/languages.ts'
import { $currency, currencyFor } from '#screens/shared/choices/currency.store.ts'
import { $invitationPrices, type ShownPrices } from '#screens/shared/choices/shown-prices.store.ts'
import { guardVolunteering } from '#screens/shared/flow/volunteering-guard.ts'

const price = document.querySelector<HTMLElement>('[data-prices]')
const { lang } = document.documentElement
guardVolunteering('packages-volunteering', languageOf(lang))
if (price) {
  const prices = JSON.parse(price.dataset.prices ?? '{}') as Record<string, string>
  $currency.subscribe(() => {
    price.textContent = prices[currencyFor(navigator.languages)] ?? price.textContent
  })
}
const shown = document.querySelector<HTMLElement>('[data-shown]')?.dataset.shown
if (shown)
  document
    .querySelector('[data-action="continue"]')
    ?.addEventListener('click', () => $invitationPrices.set(JSON.parse(shown) as ShownPrices))
