import { watchErrors } from '#screens/shared/kit/error-title.ts'
import { type Asked, askForPasskey, hasPasskeys } from '#wire/passkey-client.ts'

/**
 * Signs in with a passkey, or makes one: the browser's answer goes to the site in the page's own form, so that the site
 * answers both kinds of sign-in in one way. Without scripts the token's form stays.
 */
const forms = document.querySelectorAll<HTMLFormElement>('form[data-passkey]')
for (const form of hasPasskeys() ? forms : []) {
  form.hidden = false
  const said = form.querySelector<HTMLElement>('[data-passkey-said]')
  // Hidden until now, it could not take the focus that the site's answer gave it.
  if (said?.autofocus) said.focus()
  form.addEventListener('submit', async event => {
    const answer = form.elements.namedItem('answer') as HTMLInputElement
    if (answer.value !== '' || form.ariaBusy === 'true') return
    event.preventDefault()
    form.ariaBusy = 'true'
    // Of the other form too: what was wrong there is not what is asked now.
    for (const each of document.querySelectorAll('form .error')) each.textContent = ''
    for (const field of document.querySelectorAll('form [aria-invalid]'))
      field.removeAttribute('aria-invalid')
    const asked = await askForPasskey((path, init) => fetch(path, init), questionOf(form))
    form.ariaBusy = 'false'
    if (asked.kind === 'answer') {
      answer.value = asked.answer
      form.submit()
    } else if (said) {
      said.textContent = said.dataset[wordOf(asked)] ?? ''
      said.focus()
    }
  })
}

/** Under which name the page has the sentence for it. */
function wordOf(asked: Asked): 'wrong' | 'often' | 'cancelled' | 'away' {
  if (asked.kind === 'refused') return asked.code === 'too-many-requests' ? 'often' : 'wrong'
  return asked.kind === 'cancelled' ? 'cancelled' : 'away'
}

function questionOf(form: HTMLFormElement) {
  const typed = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value.trim()
  switch (form.dataset.passkey) {
    case 'first':
      return { for: 'first', token: typed('token'), name: typed('name') } as const
    case 'invitation':
      return { for: 'invitation', code: typed('code') } as const
    default:
      return { for: 'sign-in' } as const
  }
}
// Back from the site's answer, an earlier one is no answer any more.
addEventListener('pageshow', () => {
  for (const form of forms) (form.elements.namedItem('answer') as HTMLInputElement).value = ''
})
watchErrors()
