/**
 * What prices the cards of the packages screen for this visitor, and takes a choice. Fetched by the page's own script
 * (packages-donation.script.ts), which has put the cards in their order.
 */
import { type Language, languageOf } from '#domain/languages.ts'
import { type Currency, defaultCurrency, isCurrency } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import { MINOR_UNITS_PER_UNIT, money } from '#domain/money/money.ts'
import { GIFT_CARD_ENTRIES } from '#domain/pricing/gift-card-entries.ts'
import { type BriefPrices, briefEntry, type PriceLists } from '#domain/pricing/offer.ts'
import { OWN_PACKAGE, type OwnRange, ownPrices, readOwnAmount } from '#domain/pricing/own-amount.ts'
import { strategyForLanguage } from '#domain/pricing/strategies.ts'
import { $currency, currencyFor } from '#screens/shared/choices/currency.store.ts'
import { $package, choosePackage } from '#screens/shared/choices/gift-package.store.ts'
import { missingStep } from '#screens/shared/choices/missing-step.ts'
import { $giftPrices } from '#screens/shared/choices/shown-prices.store.ts'
import { settleStrategy, strategyFor } from '#screens/shared/choices/strategy.store.ts'
import { isCalm } from '#screens/shared/flow/calm.ts'
import { nextScreenPath } from '#screens/shared/flow/continue.ts'
import { guard } from '#screens/shared/flow/donation-guard.ts'
import { prefetch } from '#screens/shared/flow/prefetch.ts'
import { currentWay } from '#screens/shared/flow/way.store.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { noteEntry } from '#screens/shared/visitor/entry.store.ts'
import { packagesVisited } from '#screens/shared/visitor/visit-flags.store.ts'

const SCREEN = 'packages-donation'

/** Listens to the form, priced for this visitor from now on. */
export function listen(form: HTMLFormElement): void {
  const lang = document.documentElement.lang
  const language: Language = languageOf(lang)
  const find = <T extends Element>(selector: string): T | null => form.querySelector<T>(selector)
  const cards = [...form.querySelectorAll<HTMLElement>('[data-kind]')]
  const list = find<HTMLElement>('[data-cards]')
  const button = find<HTMLButtonElement>('[data-action="continue"]')
  const missing = find<HTMLElement>('[data-missing]')
  const plainContinue = button?.dataset.plain ?? ''
  if (!list || !button || !missing) return

  noteEntry({})
  guard(SCREEN, language)
  const next = (): string =>
    nextScreenPath({ screen: SCREEN, language, way: currentWay(), missing: missingStep })

  let isWarm = false
  const prefetchNext = (): void => {
    if (!isWarm) void prefetch(next())
    isWarm = true
  }
  const currency = (): Currency => currencyFor(navigator.languages)
  const lists = JSON.parse(form.dataset.prices ?? '{}') as Partial<PriceLists>
  const own = find<HTMLInputElement>('#own-amount')
  const ownCard = find<HTMLElement>(`[data-package="${OWN_PACKAGE}"]`)
  const ranges = JSON.parse(ownCard?.dataset.ownRanges ?? '{}') as Partial<Record<Currency, OwnRange | null>>
  /** The buyer's own amount was chosen here, be it right or not. */
  let isOwn = false
  const ownPricesHere = (): BriefPrices | undefined => {
    const range = ranges[currency()]
    const units = range && own ? readOwnAmount(own.value, range) : undefined
    return units === undefined ? undefined : ownPrices(units)
  }
  // An address may ask for anything, a name that every object has too.
  const pricesOf = (id: string): BriefPrices | undefined => {
    if (id === OWN_PACKAGE) return ownPricesHere()
    const list = lists[strategyFor(language)] ?? {}
    return Object.hasOwn(list, id) ? list[id] : undefined
  }
  /** `{{least}}` and `{{most}}` filled with the ends of the range. */
  const inRange = (text: string): string => {
    const [least, most] = (ranges[currency()] ?? [0, 0]).map(units =>
      formatMoney(money(units * MINOR_UNITS_PER_UNIT, currency()), language, 'never'),
    )
    return fill(text, { least: least ?? '', most: most ?? '' })
  }
  // As the page came, priced for its language.
  const written = new Map(
    cards.map(card => [card.dataset.package, card.querySelector('[data-amount]')?.textContent]),
  )
  /** The first amount that a browser writes costs a slow phone 40 ms before its first paint: most visitors need none. */
  const amountOf = (id: string): string => {
    const isAsWritten =
      strategyFor(language) === strategyForLanguage(language) && currency() === defaultCurrency([language])
    const told = isAsWritten && written.get(id)
    if (told) return told
    const prices = pricesOf(id)
    if (!prices) return ''
    const { ngoAmount, supportAmount } = briefEntry(prices, id, currency())
    return formatMoney(money(ngoAmount + supportAmount, currency()), language, 'never')
  }

  /** The own amount as it was chosen, here or in another tab. */
  const showOwn = (): void => {
    const price = $giftPrices.get()
    if (own && price?.id === OWN_PACKAGE && document.activeElement !== own)
      own.value = `${price.prices[currency()][0] / MINOR_UNITS_PER_UNIT}`
  }

  const paint = (): void => {
    if ($package.get() === OWN_PACKAGE) showOwn()
    for (const card of cards) {
      const amount = card.querySelector('[data-amount]')
      const id = card.dataset.package
      if (amount && id && (pricesOf(id) || card === ownCard)) amount.textContent = amountOf(id)
    }
    const line = find<HTMLElement>('[data-own-text]')
    if (line && currency() !== defaultCurrency([language]))
      line.textContent = inRange(line.dataset.ownText ?? '')
    const worth = find('[data-free-amount]')
    if (worth && currency() !== defaultCurrency([language]))
      worth.textContent = formatMoney(money(GIFT_CARD_ENTRIES.free.credit, currency()), language, 'never')
    const chosen = $package.get()
    for (const input of form.querySelectorAll<HTMLInputElement>('input[name="package"]'))
      input.checked = input.value === (chosen ?? (isOwn ? OWN_PACKAGE : undefined))
    for (const input of form.querySelectorAll<HTMLInputElement>('input[name="currency"]'))
      input.checked = input.value === currency()
    button.setAttribute('aria-disabled', String(!chosen))
    button.textContent = chosen
      ? fill(button.dataset.withAmount ?? plainContinue, { amount: amountOf(chosen) })
      : plainContinue
    if (!chosen) return
    missing.textContent = ''
    prefetchNext()
  }

  /** At the prices that stand here. */
  const choose = (id: string): void => {
    const prices = pricesOf(id)
    isOwn = id === OWN_PACKAGE
    const before = $package.get()
    if (prices) choosePackage(id, strategyFor(language), prices)
    else $package.set(undefined)
    // The same package at another amount: nobody is told of it.
    if ($package.get() === before) paint()
  }

  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    const { name, value } = target
    if (name === 'package') {
      choose(value)
      // What it says once chosen may lie beneath the button.
      target
        .closest('[data-kind]')
        ?.scrollIntoView({ block: 'nearest', behavior: isCalm() ? 'auto' : 'smooth' })
    }
    if (value === OWN_PACKAGE) own?.focus()
    if (name === 'currency' && isCurrency(value)) {
      $currency.set(value)
      if (ownCard) ownCard.hidden = !ranges[value]
      if (isOwn) choose(OWN_PACKAGE)
    }
  })
  own?.addEventListener('input', () => choose(OWN_PACKAGE))
  form.addEventListener('submit', event => {
    event.preventDefault()
    if ($package.get()) location.assign(next())
    else
      missing.textContent =
        isOwn && own ? inRange(own.dataset.ownFault ?? '') : (missing.dataset.missing ?? '')
  })

  // Whoever comes from a page of others has chosen there. The address forgets it, so that a reload keeps what is chosen here.
  const asked = new URLSearchParams(location.search)
  const askedPackage = asked.get('package') ?? ''
  if (askedPackage !== '') {
    const askedCurrency = asked.get('currency')
    if (isCurrency(askedCurrency)) $currency.set(askedCurrency)
    history.replaceState(null, '', location.pathname)
    if (askedPackage !== OWN_PACKAGE && pricesOf(askedPackage)) choose(askedPackage)
  }

  // What was chosen earlier is shown at today's price, so that is what it costs from now on; or it is sold no more.
  const chosenBefore = $package.get()
  showOwn()
  if (chosenBefore) choose(chosenBefore)
  settleStrategy(strategyFor(language))
  // Subscribed, so that another tab's choice, and a page that Back brings out of memory, show as they are.
  $package.subscribe(paint)
  $currency.subscribe(paint)
  list.dataset.ready = ''

  packagesVisited.set(true)
}
