/** The pages that the newsletter's mails lead to: a button does what the link is for, since scanners open links. */
import { setPageTitle } from '#screens/shared/kit/page-title.ts'
import type { Refusal } from '#wire/client.ts'
import { confirmNewsletter, leaveNewsletter } from '#wire/newsletter-client.ts'

const main = document.querySelector<HTMLElement>('main[data-newsletter-link]')
if (main) show(main)

function show(main: HTMLElement): void {
  const kept = history.state as { readonly token?: string } | null
  const token = new URLSearchParams(location.search).get('token') ?? kept?.token ?? ''
  // In no screenshot or shared link, and still there after a reload.
  if (location.search) history.replaceState({ ...kept, token }, '', location.pathname)
  // The same page in another language takes it out of its address in turn.
  if (token !== '')
    for (const other of document.querySelectorAll<HTMLAnchorElement>('a[data-language]'))
      other.search = `?token=${encodeURIComponent(token)}`
  const button = main.querySelector<HTMLButtonElement>('button')
  const status = main.querySelector<HTMLElement>('[data-said]')
  const {
    newsletterLink: kind,
    done = '',
    over = '',
    wrong = '',
    cut = '',
    network = '',
    tooMany = '',
    failed = '',
  } = main.dataset
  const words: Partial<Record<Refusal['code'], string>> = {
    'not-found': wrong,
    'invalid-fields': wrong,
    network,
    'too-many-requests': tooMany,
  }
  if (!button || !status) return
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    // Without a token the link is about nobody; whatever token there is, the answer tells nothing of whom it is of.
    const ask = kind === 'confirm' ? confirmNewsletter : leaveNewsletter
    const answer = token === '' ? undefined : await ask(token)
    button.setAttribute('aria-disabled', 'false')
    // A link that is no good is none after another press either.
    const isOver = !answer || answer.ok || answer.code === 'not-found' || answer.code === 'invalid-fields'
    // Read once: by the focus, which a button that is hidden loses.
    if (isOver) status.removeAttribute('role')
    // Marked, so that the title says it too, as long as it stands there.
    status.className = answer?.ok ? 'lead' : 'error'
    status.textContent = answer?.ok ? done : answer ? (words[answer.code] ?? failed) : cut
    if (!isOver) return
    button.hidden = true
    // They ask what has its answer.
    main.querySelector('.lead')?.remove()
    main.querySelector('h1')!.textContent = over
    setPageTitle(over)
    status.tabIndex = -1
    status.focus()
  })
}
