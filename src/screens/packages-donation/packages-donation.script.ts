/**
 * The packages screen: a page of plain markup that this script orders. No view library: most buyers meet the product
 * here, on a phone, from an ad. What prices the cards anew and takes a choice is a file of its own (choosing.ts), fetched
 * while the visitor reads: this page would be a third heavier with it.
 */
import { type FreeOffers, offerTo } from '#domain/campaign/offers.ts'
import { languageOf } from '#domain/languages.ts'
import { defaultCurrency } from '#domain/money/currency.ts'
import { withOwn } from '#domain/pricing/packages.ts'
import { strategyForLanguage } from '#domain/pricing/strategies.ts'
import { TIMINGS } from '#domain/timings.ts'
import { cardOrder } from '#screens/shared/choices/card-order.store.ts'
import { chosenHere } from '#screens/shared/choices/choice.ts'
import { CURRENCY } from '#screens/shared/choices/currency.store.ts'
import { PACKAGE } from '#screens/shared/choices/gift-package.store.ts'
import { STRATEGY } from '#screens/shared/choices/strategy.store.ts'
import { appear } from '#screens/shared/flow/arrival.ts'
import { showWay } from '#screens/shared/flow/show-way.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { FLAG, writeTo } from '#screens/shared/storage/persisted.ts'
import { choicesOfTab } from '#screens/shared/storage/tab.ts'
import { visitorOrigin } from '#screens/shared/visitor/entry.store.ts'
import { entryFacts } from '#screens/shared/visitor/entry-facts.store.ts'
import { isNoted } from '#screens/shared/visitor/visit-flags.store.ts'
import {
  CURRENCY_KEY,
  NGO_LIST_VISITED_KEY,
  PACKAGE_KEY,
  PACKAGES_VISITED_KEY,
  STRATEGY_KEY,
} from '#wire/browser-names.ts'
import choosing from './choosing.ts?own-file'

const form = document.querySelector<HTMLFormElement>('form[data-packages]')
const list = form?.querySelector<HTMLElement>('[data-cards]')
if (form && list) arrange(form, list)

function arrange(form: HTMLFormElement, list: HTMLElement): void {
  const language = languageOf(document.documentElement.lang)
  const cards = [...form.querySelectorAll<HTMLElement>('[data-kind]')]
  const facts = entryFacts()
  const { campaign } = facts
  const offer = offerTo(campaign, JSON.parse(form.dataset.offers ?? '{}') as FreeOffers)
  const soldOut = form.querySelector<HTMLElement>('[data-sold-out]')
  if (soldOut) soldOut.hidden = offer !== 'sold-out'
  showWay()

  const currency = chosenHere(CURRENCY_KEY, CURRENCY) ?? defaultCurrency(navigator.languages)
  const chosen = chosenHere(PACKAGE_KEY, PACKAGE)
  const origin = visitorOrigin()
  const kinds = withOwn(cardOrder({ origin, campaign: offer === 'offered' }, Math.random))
  for (const card of cards) {
    const { package: id, kind, ownRanges } = card.dataset
    // What was chosen on an earlier visit stays in sight, also where today's order leaves it out.
    card.hidden = ownRanges
      ? !(JSON.parse(ownRanges) as Record<string, unknown>)[currency]
      : !kinds.some(each => each === kind) && id !== chosen
    for (const input of card.querySelectorAll('input')) input.disabled = card.hidden
    const shown = origin === 'other' ? 'start-chain' : 'keep-chain'
    for (const line of card.querySelectorAll<HTMLElement>('[data-wording]'))
      line.hidden = line.dataset.wording !== shown
  }
  // Moved in the document, not by style, so that the keyboard and a screen reader follow the same order.
  list.append(...kinds.flatMap(kind => cards.filter(card => card.dataset.kind === kind)))

  // Who has been on the list of organisations knows what stands behind these links (product.md#packages).
  for (const link of form.querySelectorAll<HTMLElement>('[data-ngo-list-link]'))
    link.hidden = isNoted(NGO_LIST_VISITED_KEY)

  // As the page came, priced for its language: most visitors need no other amounts. Those of the others are waited for.
  const usual = strategyForLanguage(language)
  const strategy = chosenHere(STRATEGY_KEY, STRATEGY) ?? facts.strategy ?? usual
  const isAsWritten = strategy === usual && currency === defaultCurrency([language])
  // Whoever goes on to another language at once has seen these prices all the same. For longer than this tab they are
  // noted by what is fetched later (settleStrategy).
  writeTo(choicesOfTab(), STRATEGY_KEY, STRATEGY, strategy)
  if (isAsWritten) {
    const card = cards.find(({ dataset }) => dataset.package === chosen)
    const amount = card?.querySelector('[data-amount]')?.textContent
    const button = form.querySelector<HTMLElement>('[data-action="continue"]')
    const input = card?.querySelector('input')
    if (input) input.checked = true
    if (amount && button) {
      button.textContent = fill(button.dataset.withAmount ?? '', { amount })
      button.setAttribute('aria-disabled', 'false')
    }
    list.dataset.ready = ''
  }
  const isFirst = !isNoted(PACKAGES_VISITED_KEY)
  // Likewise: whoever reloads at once has seen the packages come.
  writeTo(choicesOfTab(), PACKAGES_VISITED_KEY, FLAG, true)
  if (isFirst && campaign?.kind !== 'free')
    appear([
      [document.querySelector('[data-lead]'), TIMINGS.packagesHeaderAfter],
      ...[list, ...form.querySelectorAll('[data-rest]')].map(
        part => [part, TIMINGS.packagesRestAfter] as const,
      ),
    ])

  takeChoices(form, isAsWritten)
}

/** Fetches what takes a choice. A press that comes before counts when it is there. */
function takeChoices(form: HTMLFormElement, canWait: boolean): void {
  let isLive = false
  let begun: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    const { listen }: typeof import('./choosing.ts') = await import(/* @vite-ignore */ choosing)
    listen(form)
    isLive = true
  }
  const begins = (): Promise<void> => {
    begun ??= begin()
    begun.catch(() => {
      begun = undefined
    })
    return begun
  }
  const hold = (event: Event): void => {
    const target = event.target as Element
    const pressed = target.closest<HTMLElement>('button,label,input')
    if (isLive || !pressed || target.closest('a')) return
    event.preventDefault()
    event.stopPropagation()
    begins().then(
      () => pressed.click(),
      // The file of an earlier release: the page of this one has its own.
      () => location.reload(),
    )
  }
  form.addEventListener('click', hold, true)
  if (canWait) addEventListener('painted', () => begins().catch(() => {}), { once: true })
  else begins().catch(() => {})
}
