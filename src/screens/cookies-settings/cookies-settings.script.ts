/** The consent settings: shows the answer given so far, records a new one, and leads on. */

import { choiceOfSwitch, isConsentChoice } from '#domain/consent/consent.ts'
import { CARD_PATHS } from '#paths'
import { $consent, browserRefuses, choose } from '#screens/shared/consent/consent.store.ts'
import { returnPath } from '#screens/shared/flow/return-path.ts'
import { ANSWER_FOR_KEY } from '#wire/browser-names.ts'

const form = document.querySelector<HTMLFormElement>('form[data-consent-form]')
const anonymous = form?.querySelector<HTMLInputElement>('input[data-consent-switch="anonymous"]')
const optional = form?.querySelector<HTMLInputElement>('input[data-consent-switch]:enabled')

/** The gift that a recipient came from. */
const gift = returnPath(ANSWER_FOR_KEY, path => path.startsWith(CARD_PATHS))

/** A recipient goes back to the gift; everybody else to the entry, which leads on (product.md#privacy). */
function pathAfterConsent(entry: string): string {
  const path = gift.get()
  gift.set(undefined)
  return path ?? entry
}

if (form && anonymous && optional) {
  $consent.subscribe(consent => {
    anonymous.checked = consent?.choice !== 'reject'
    optional.checked = consent?.choice === 'all'
    for (const line of form.querySelectorAll<HTMLElement>('[data-answered]'))
      line.hidden = line.dataset.answered !== consent?.choice
  })
  const refused = form.querySelector<HTMLElement>('[data-browser-refuses]')
  if (refused) refused.hidden = !browserRefuses()
  form.addEventListener('click', ({ target }) => {
    const answer = (target as Element).closest<HTMLElement>('[data-answer]')
    if (!answer) return
    const { answer: said } = answer.dataset
    choose(isConsentChoice(said) ? said : choiceOfSwitch(optional.checked), Date.now(), form.dataset.text)
    location.replace(pathAfterConsent(form.action))
  })
}
