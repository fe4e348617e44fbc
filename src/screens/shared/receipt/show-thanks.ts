import { whatsAppText } from '#domain/campaign/share.ts'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { setPageTitle } from '#screens/shared/kit/page-title.ts'
import { SCREEN_SHOWN } from '#wire/browser-names.ts'
import type { NamedAllocation } from '#wire/receipt-client.ts'

/** A copy of a template of the page, with what was given to whom in its list. */
export function fillTemplate(
  template: HTMLTemplateElement,
  given: readonly NamedAllocation[],
): DocumentFragment {
  const copy = document.importNode(template.content, true)
  const language = document.documentElement.lang as Language
  copy.querySelector('.given')?.replaceChildren(
    ...given.map(({ ngoId, name, amount }) => {
      const row = document.createElement('li')
      row.dataset.allocation = ngoId
      const [to, sum] = [document.createElement('span'), document.createElement('span')]
      to.textContent = name
      sum.className = 'amount'
      sum.textContent = formatMoney(amount, language, 'always')
      row.append(to, sum)
      return row
    }),
  )
  const tell = copy.querySelector<HTMLAnchorElement>('[data-action="tell"]')
  if (tell) {
    const organisations = new Intl.ListFormat(language).format(given.map(({ name }) => name))
    const text = fill(tell.dataset.message ?? '', { organisations })
    tell.dataset.text = text
    tell.href = whatsAppText(text)
  }
  return copy
}

/** Lets the forms tell the giver, and add own money, by this receipt key; without one nobody is told. */
function tellBy(receipt: string | undefined, main: HTMLElement): void {
  if (!receipt) main.querySelector('form[data-tell]')?.remove()
  for (const key of main.querySelectorAll<HTMLInputElement>('[name="receipt"]')) key.value = receipt ?? ''
}

/**
 * Replaces the screen by the thanks, made of the answer alone: nothing more is fetched, and nothing is kept. With a
 * `receipt` key the recipient can have the giver told by mail. The thanks replace the screen in the history too, so
 * that Back sends nothing again.
 */
export function showThanks(given: readonly NamedAllocation[], receipt?: string): void {
  const template = document.querySelector<HTMLTemplateElement>('template[data-thanks]')
  const before = document.querySelector('main')
  if (!template || !before) throw new Error('the page has no thanks to show')
  const { next = '', wait = '0', thanks = '', title = '' } = template.dataset
  const main = before.cloneNode(false) as HTMLElement
  delete main.dataset.storyStart
  Object.assign(main.dataset, { screen: 'thanks', next, wait })
  main.append(fillTemplate(template, given))
  tellBy(receipt, main)
  before.replaceWith(main)
  history.replaceState(null, '', thanks)
  setPageTitle(title)
  dispatchEvent(new Event(SCREEN_SHOWN))
  main.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  scrollTo(0, 0)
}
