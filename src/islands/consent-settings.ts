/** The consent settings: shows the answer given so far, records a new one, and leads on. */
import { choiceOfSwitch, isConsentChoice } from '#domain/consent/consent.ts'
import { $consent, choose } from '#stores/consent.ts'

const form = document.querySelector<HTMLFormElement>('form[data-consent-form]')
const optional = form?.querySelector<HTMLInputElement>('input[data-consent-switch]:enabled')

/** A recipient goes back to the gift; everybody else to the entry, which leads on (specification §2). */
function onward(entry: string): string {
  const from = document.referrer && new URL(document.referrer)
  return from && from.origin === location.origin && from.pathname.startsWith('/gift-card') ? from.href : entry
}

if (form && optional) {
  $consent.subscribe(consent => {
    optional.checked = consent?.choice === 'all'
    for (const line of form.querySelectorAll<HTMLElement>('[data-answered]'))
      line.hidden = line.dataset.answered !== consent?.choice
  })
  form.addEventListener('click', ({ target }) => {
    const answer = target instanceof Element ? target.closest<HTMLElement>('[data-answer]') : null
    if (!answer) return
    const { answer: said } = answer.dataset
    choose(isConsentChoice(said) ? said : choiceOfSwitch(optional.checked), Date.now())
    location.replace(onward(form.action))
  })
}
